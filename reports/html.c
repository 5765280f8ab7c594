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
    ENTRY_BYTES = 4000,   /* one entry of the ledger, and */
    CAUSE_BYTES = 26000   /* one cause with its drawing, at most */
};

/* ---- the head -----------------------------------------------------------------------------------------------------
 */

static const char *outcome_class(summary_outcome outcome)
{
    return outcome == OUTCOME_CONFORMANT                              ? "good"
           : outcome == OUTCOME_FAILURES || outcome == OUTCOME_ABSENT ? "bad"
                                                                      : "warn";
}

/* Begin the page. Its title is the headline and the backend. */
static void begin_page(html_page *p)
{
    text title = { 0 };
    summary_headline(&p->m, store_get(p->s, STORE_LEVEL), &title);
    const char *backend = store_get(p->s, STORE_BACKEND); /* lives until the next store_get */
    text_add(&title, backend && *backend ? " \xC2\xB7 " : "");
    text_add(&title, backend ? backend : "");
    html_begin(p->t, title.failed ? "" : title.data, report_run_css, true);
    p->t->failed |= title.failed;
    text_free(&title);
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
    html_element(p->t, "<p class=\"scope v bad\">", absent.data ? absent.data + 1 : NULL, "</p>\n");
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
    html_header_begin(t, outcome_class(summary_outcome_of(&p->m)),
                      p->m.validation ? "Touchstone validation report" : "Touchstone conformance report");
    text_xml(t, headline.data);
    text_add(t, "</h1>\n");
    t->failed |= headline.failed;
    text_free(&headline);
    write_scope(p);
    text_add(t, "<p class=\"sub\">");
    html_element(t, "<b>", store_get(p->s, STORE_BACKEND), "</b>");
    html_element(t, " ", store_get(p->s, STORE_BACKEND_VERSION), "");
    html_element(t, " (", store_get(p->s, STORE_BACKEND_DEVICE), ")");
    const char *level = store_get(p->s, STORE_LEVEL);
    if (level && strcmp(level, "none") != 0)
        html_element(t, ", judged at feature level ", level, "");
    write_timestamp(t, store_get(p->s, STORE_STARTED));
    html_element(t, " \xC2\xB7 ", store_get(p->s, STORE_SECONDS), " s");
    text_add(t, "</p>\n<ul class=\"figures\">\n");
    html_figure(t, "planned", c->planned, "all");
    html_figure(t, "ran", c->ran, "all");
    html_figure(t, "passed", c->cases[VERDICT_PASS], "good");
    html_figure(t, "failed", c->failed, "bad");
    html_figure(t, "not judged", c->cases[VERDICT_NOT_JUDGED], "warn");
    html_figure(t, "ambiguous", c->cases[VERDICT_AMBIGUOUS], "warn");
    html_figure(t, "waived", c->cases[VERDICT_WAIVED], "warn");
    html_figure(t, "unsupported", c->cases[VERDICT_UNSUPPORTED], "warn");
    html_figure(t, "not run", c->cases[VERDICT_NONE], "warn");
    text_add(t, "</ul>\n");
    if (p->m.share)
        text_format(t,
                    "<p class=\"note\">Session %" PRIu64 " %s. The run planned the cases that it started within its "
                    "budget of time.</p>\n",
                    p->m.coverage.session, p->m.covered);
    if (c->cases[VERDICT_UNSUPPORTED] > 0)
        text_add(t,
                 "<p class=\"note\">The run planned the unsupported cases, and the backend answered that it cannot "
                 "express them. They did not run, and the run is incomplete.</p>\n");
    html_header_end(t);
}

static void write_nav(html_page *p)
{
    static const html_link links[] = { { "causes", "Causes" },
                                       { "tests", "Operators" },
                                       { "findings", "Findings" },
                                       { "coverage", "Coverage" },
                                       { "clauses", "Clauses" },
                                       { "ledger", "Ledger" },
                                       { "run", "Run" } };
    const size_t first = p->causes.count || p->causes.unknown ? 0 : 1;
    html_nav(p->t, links + first, sizeof links / sizeof *links - first);
}

static void write_facts(html_page *p)
{
    static const char *const monospaced[] = { STORE_COMMAND, STORE_QUERY, STORE_BACKEND_OPTIONS, STORE_SUITE_DIGEST,
                                              STORE_DIGEST };
    text_add(p->t, "<dl class=\"run\">\n");
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
    text_add(p->t, "</dl>\n");
}

bool html_run(html_page *p, error *e)
{
    html_section(p->t, "run", "Run");
    write_facts(p);
    const bool fine = html_printed(p, e);
    html_axes(p);
    html_section_end(p->t);
    return fine;
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
                text_json_visible(p->t, id.data);
                text_add(p->t, ":");
                text_json_visible(p->t, list.data);
                any = true;
            }
            p->t->failed |= id.failed || list.failed;
            text_free(&id);
            text_free(&list);
        }
    }
}

/* The data of the findings, and the names that the script needs. */
static void write_data(html_page *p)
{
    text *t = p->t;
    text_bytes(t, p->f.data.data, p->f.data.length);
    text_add(t, "<script type=\"application/json\" id=\"names\">{\"tests\":[");
    for (size_t i = 0; i < p->m.test_count; ++i) {
        text_add(t, i ? ",[" : "[");
        text_json_visible(t, p->m.tests[i].name);
        text_add(t, ",");
        text_json_visible(t, p->m.tests[i].op);
        text_add(t, "]");
    }
    text_add(t, "],\"verdicts\":[");
    for (int v = 0; v < VERDICT_COUNT; ++v)
        text_format(t, "%s\"%s\"", v ? "," : "", verdict_name((verdict)v));
    text_add(t, "],\"examples\":{");
    write_examples(p);
    text_format(t, "},\"retained\":%" PRIu64 ",\"explain\":\"%s\"}</script>\n", p->f.retained,
                p->f.numpy ? " --profile numpy" : "");
}

static void write_scripts(html_page *p)
{
    if (p->f.packed > 0)
        write_data(p);
    text_add(p->t, "<script>\n");
    text_add(p->t, report_address_js);
    text_add(p->t, p->f.packed > 0 ? report_finding_js : "");
    text_add(p->t, p->f.packed > 0 ? report_page_js : "");
    text_add(p->t, p->e.count > 0 ? report_ledger_js : "");
    text_add(p->t, "</script>\n");
}

/* Write sections into a text of their own. */
static text apart(html_page *p, void (*first)(html_page *p), void (*second)(html_page *p))
{
    text own = { .data = NULL }, *t = p->t;
    p->t = &own;
    first(p);
    if (second)
        second(p);
    p->t = t;
    return own;
}

static void append(text *t, text *part)
{
    if (part->length)
        text_bytes(t, part->data, part->length);
    t->failed |= part->failed;
    text_free(part);
}

/* Everything but the findings is written first or has a limit: the findings get what is left of 5 MB. */
static bool write_sections(html_page *p, error *e)
{
    text *t = p->t;
    text tests = apart(p, html_validation, html_tests), rest = apart(p, html_smallest, html_coverage);
    const size_t used = t->length + tests.length + rest.length + strlen(report_address_js) + strlen(report_finding_js) +
                        strlen(report_page_js) + strlen(report_ledger_js) + BEHIND_BYTES + p->e.count * ENTRY_BYTES +
                        p->causes.count * CAUSE_BYTES;
    const bool fine =
        html_findings_read(&p->f, &p->m, &p->e, &p->causes, p->s, used < PAGE_BYTES ? PAGE_BYTES - used : 0, e);
    if (fine)
        html_causes(p);
    append(t, &tests);
    if (fine)
        html_findings_section(p);
    append(t, &rest);
    if (!fine)
        return false;
    html_clauses(p);
    return html_ledger(p, e) && html_run(p, e);
}

static bool write_page(void *context, store *s, error *e)
{
    html_page *p = context;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        p->shown[v] = p->m.total.cases[v] > 0;
    if (!causes_find(&p->causes, s, e) || !smallest_read(&p->smallest, s, e) || !entries_read(&p->e, &p->m, s, e))
        return false;
    begin_page(p);
    write_head(p);
    write_nav(p);
    if (!write_sections(p, e))
        return false;
    html_footer(p->t);
    write_scripts(p);
    html_end(p->t);
    return true;
}

bool report_html(store *s, const char *path, error *e)
{
    output out;
    html_page p = { .t = &out.text, .s = s };
    bool ok = report_write(&out, &p.m, s, path, write_page, &p, e);
    html_findings_free(&p.f);
    entries_free(&p.e);
    smallest_free(&p.smallest);
    causes_free(&p.causes);
    return ok;
}
