/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a run: self-contained, printable and useful without its script. */
#include "reports/html_parts.h"
#include "harness/base/output.h"
#include "reports/report.h"
#include "reports/report_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BYTES = 4900000, /* 5 MB, less a reserve for the page's frame */
    BEHIND_BYTES = 60000, /* the sections after the findings, */
    ENTRY_BYTES = 4000    /* and one entry of the ledger, at most */
};

/* ---- the head -----------------------------------------------------------------------------------------------------
 */

static const char *outcome_class(summary_outcome outcome)
{
    return outcome == OUTCOME_CONFORMANT                              ? "good"
           : outcome == OUTCOME_FAILURES || outcome == OUTCOME_ABSENT ? "bad"
                                                                      : "warn";
}

static void figure(text *t, const char *name, uint64_t number, const char *class)
{
    text_format(t, "<li class=\"%s\"><b>", number ? class : "zero");
    text_count(t, number);
    text_format(t, "</b> <span>%s</span></li>\n", name);
}

static void write_title(html_page *p)
{
    text headline = { 0 };
    summary_headline(&p->m, store_get(p->s, STORE_LEVEL), &headline);
    text_add(p->t, "<title>");
    text_xml(p->t, headline.data);
    html_element(p->t, " \xC2\xB7 ", store_get(p->s, STORE_BACKEND), "");
    text_add(p->t, "</title>\n");
    text_free(&headline);
}

/* "2026-11-21T18:00:02Z" as "2026-11-21 18:00 UTC"; any other text unchanged. */
static void write_timestamp(text *t, const char *timestamp)
{
    int year, month, day, hour, minute, second;
    if (timestamp && sscanf(timestamp, "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second) == 6)
        text_format(t, " \xC2\xB7 %04d-%02d-%02d %02d:%02d UTC", year, month, day, hour, minute);
    else
        html_element(t, " \xC2\xB7 ", timestamp, "");
}

/* What the verdict does not cover, directly below it: what was not offered, not tried, or required and absent. */
static void write_scope(html_page *p)
{
    text rest = { 0 }, absent = { 0 };
    scope_add_absent(&p->m.facts, " ", ".", &absent);
    summary_rest(&p->m, &rest);
    html_element(p->t, "<p class=\"scope\">", absent.data ? absent.data + 1 : NULL, "</p>\n");
    html_element(p->t, "<p class=\"scope\">", rest.data ? rest.data + 1 : NULL, "</p>\n");
    p->t->failed |= rest.failed || absent.failed;
    text_free(&rest);
    text_free(&absent);
}

static void write_head(html_page *p)
{
    text *t = p->t;
    const summary_counts *c = &p->m.total;
    text headline = { 0 };
    summary_verdict(&p->m, store_get(p->s, STORE_LEVEL), &headline);
    text_format(t, "<header class=\"%s\">\n<p class=\"kicker\">Touchstone conformance report</p>\n<h1>",
                outcome_class(summary_outcome_of(&p->m)));
    text_xml(t, headline.data);
    text_add(t, "</h1>\n");
    t->failed |= headline.failed;
    text_free(&headline);
    write_scope(p);
    text_add(t, "<p class=\"sub\">");
    html_element(t, "<b>", store_get(p->s, STORE_BACKEND), "</b>");
    html_element(t, " ", store_get(p->s, STORE_BACKEND_VERSION), "");
    html_element(t, " on ", store_get(p->s, STORE_BACKEND_DEVICE), "");
    const char *level = store_get(p->s, STORE_LEVEL);
    if (level && strcmp(level, "none") != 0)
        html_element(t, ", judged at feature level ", level, "");
    write_timestamp(t, store_get(p->s, STORE_STARTED));
    html_element(t, " \xC2\xB7 ", store_get(p->s, STORE_SECONDS), " s");
    text_add(t, "</p>\n<ul class=\"figures\">\n");
    figure(t, "planned", c->planned, "all");
    figure(t, "ran", c->ran, "all");
    figure(t, "passed", c->cases[VERDICT_PASS], "good");
    figure(t, "failed", c->failed, "bad");
    figure(t, "ambiguous", c->cases[VERDICT_AMBIGUOUS], "warn");
    figure(t, "waived", c->cases[VERDICT_WAIVED], "warn");
    figure(t, "unsupported", c->cases[VERDICT_UNSUPPORTED], "warn");
    figure(t, "not run", c->cases[VERDICT_NONE], "warn");
    text_add(t, "</ul>\n");
    if (p->m.share)
        text_format(t,
                    "<p class=\"note\">Session %" PRIu64 " %s. The run planned the cases that it started within its "
                    "budget of time.</p>\n",
                    p->m.coverage.session, p->m.covered);
    if (c->cases[VERDICT_UNSUPPORTED] > 0)
        text_add(t,
                 "<p class=\"note\">The run planned the unsupported cases, and the backend refused them as a feature "
                 "that it does not have. They are not a success.</p>\n");
    text_add(t, "</header>\n<nav aria-label=\"Sections\"><a href=\"#tests\">Tests</a> <a href=\"#coverage\">Coverage"
                "</a> <a href=\"#findings\">Findings</a> <a href=\"#ledger\">Ledger</a> "
                "<a href=\"#observations\">Observations</a> <a href=\"#clauses\">Clauses</a> "
                "<a href=\"#parameters\">Parameters</a> "
                "<a href=\"#run\">Run</a></nav>\n<main>\n");
}

static void write_facts(html_page *p)
{
    static const char *const monospaced[] = { STORE_COMMAND, STORE_QUERY, STORE_BACKEND_OPTIONS, STORE_SUITE_DIGEST,
                                              STORE_DIGEST };
    text_add(p->t, "<section id=\"run\">\n<h2>Facts of the run</h2>\n<dl class=\"run\">\n");
    for (size_t i = 0; i < summary_fact_count; ++i) {
        const char *value = store_get(p->s, summary_facts[i].key);
        if (!value || !value[0])
            continue;
        bool mono = false;
        for (size_t k = 0; k < sizeof monospaced / sizeof *monospaced; ++k)
            mono |= strcmp(monospaced[k], summary_facts[i].key) == 0;
        text_format(p->t, "<div%s><dt>%s</dt><dd>", mono ? " class=\"mono\"" : "", summary_facts[i].name);
        text_xml(p->t, value);
        text_add(p->t, "</dd></div>\n");
    }
    text_add(p->t, "</dl>\n</section>\n");
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

/* A JSON object from the id of each example to the entries that it is an example of. */
static void write_examples(html_page *p)
{
    bool any = false;
    for (size_t i = 0; i < p->e.count; ++i) {
        const entry *own = &p->e.list[i];
        size_t k;
        json_t *item;
        json_array_foreach(json_object_get(own->json, "examples"), k, item)
        {
            text id = { 0 }, list = { 0 };
            bool written = false;
            text_format(&id, "%s:examples:example=%s", own->op, json_string_value(item) ? json_string_value(item) : "");
            for (size_t j = 0; id.data && j < p->e.count; ++j) {
                if (!entry_has_example(&p->e.list[j], id.data))
                    continue;
                written |= j < i; /* with the first entry that lists it */
                text_format(&list, "%s%s", list.length ? " " : "", p->e.list[j].id);
            }
            if (!written && list.data) {
                text_add(p->t, any ? "," : "");
                text_json(p->t, id.data);
                text_add(p->t, ":");
                text_json(p->t, list.data);
                any = true;
            }
            p->t->failed |= id.failed || list.failed;
            text_free(&id);
            text_free(&list);
        }
    }
}

/* The data of the findings, the names that the script needs, and the script. */
static void write_script(html_page *p)
{
    text *t = p->t;
    text_bytes(t, p->f.data.data, p->f.data.length);
    text_add(t, "<script type=\"application/json\" id=\"names\">{\"tests\":[");
    for (size_t i = 0; i < p->m.test_count; ++i) {
        text_add(t, i ? ",[" : "[");
        text_json(t, p->m.tests[i].name);
        text_add(t, ",");
        text_json(t, p->m.tests[i].op);
        text_add(t, "]");
    }
    text_add(t, "],\"verdicts\":[");
    for (int v = 0; v < VERDICT_COUNT; ++v)
        text_format(t, "%s\"%s\"", v ? "," : "", verdict_name((verdict)v));
    text_add(t, "],\"examples\":{");
    write_examples(p);
    text_format(t, "},\"retained\":%" PRIu64 "}</script>\n<script>\n", p->f.retained);
    text_add(t, report_page_js);
    text_add(t, "</script>\n");
}

static bool write_page(void *context, store *s, error *e)
{
    html_page *p = context;
    (void)s; /* p->s */
    text *t = p->t;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        p->shown[v] = p->m.total.cases[v] > 0;
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
                "script-src 'unsafe-inline'\">\n");
    write_title(p);
    text_add(t, "<style>\n");
    text_add(t, report_page_css);
    text_add(t, "</style>\n</head>\n<body>\n");
    write_head(p);
    if (!html_causes(p, e))
        return false;
    html_tests(p);
    html_coverage(p);
    if (!html_smallest(p, e))
        return false;
    if (!entries_read(&p->e, &p->m, p->s, e))
        return false;
    size_t frame =
        t->length + strlen(report_page_js) + strlen(report_ledger_js) + BEHIND_BYTES + p->e.count * ENTRY_BYTES;
    if (!html_findings_read(&p->f, &p->m, &p->e, p->s, frame < PAGE_BYTES ? PAGE_BYTES - frame : 0, e))
        return false;
    html_findings_section(p);
    html_ledger(p);
    if (!html_observations(p, e))
        return false;
    html_clauses(p);
    if (!html_printed(p, e))
        return false;
    html_axes(p);
    write_facts(p);
    text_add(t, "</main>\n");
    if (p->f.packed > 0)
        write_script(p);
    if (p->e.count > 0) {
        text_add(t, "<script>\n");
        text_add(t, report_ledger_js);
        text_add(t, "</script>\n");
    }
    text_add(t, "</body>\n</html>\n");
    return true;
}

bool report_html(store *s, const char *path, error *e)
{
    output out;
    html_page p = { .t = &out.text, .s = s };
    bool ok = report_write(&out, &p.m, s, path, write_page, &p, e);
    html_findings_free(&p.f);
    entries_free(&p.e);
    return ok;
}
