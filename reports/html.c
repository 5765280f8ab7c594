/* SPDX-License-Identifier: Apache-2.0 */
/* One page for a manager to read and an engineer to work from: self-contained, printable, useful without its script. */
#include "reports/html_parts.h"
#include "reports/output.h"
#include "reports/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = 4900000 }; /* 5 MB, less what the page's own frame may vary by */

typedef struct page {
    text *t;
    store *s;
    summary m;
    html_findings f;
    bool shown[VERDICT_COUNT]; /* verdicts that some case came to: the others need no column */
} page;

/* ---- the head -----------------------------------------------------------------------------------------------------
 */

static const char *outcome_class(summary_outcome outcome)
{
    return outcome == OUTCOME_CONFORMANT ? "good" : outcome == OUTCOME_FAILURES ? "bad" : "warn";
}

static void element(text *t, const char *before, const char *value, const char *after)
{
    if (!value || !value[0])
        return;
    text_add(t, before);
    text_xml(t, value);
    text_add(t, after);
}

static void figure(text *t, const char *name, uint64_t number, const char *class)
{
    text_format(t, "<li class=\"%s\"><b>", number ? class : "zero");
    text_count(t, number);
    text_format(t, "</b> <span>%s</span></li>\n", name);
}

static void write_title(page *p)
{
    text headline = { 0 };
    summary_headline(&p->m, store_get(p->s, STORE_LEVEL), &headline);
    text_add(p->t, "<title>");
    text_xml(p->t, headline.data);
    element(p->t, " \xC2\xB7 ", store_get(p->s, STORE_BACKEND), "");
    text_add(p->t, "</title>\n");
    text_free(&headline);
}

/* "2026-11-21T18:00:02Z" as people write it: without the seconds. Anything else as it is. */
static void write_moment(text *t, const char *moment)
{
    int year, month, day, hour, minute, second;
    if (moment && sscanf(moment, "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second) == 6)
        text_format(t, " \xC2\xB7 %04d-%02d-%02d %02d:%02d UTC", year, month, day, hour, minute);
    else
        element(t, " \xC2\xB7 ", moment, "");
}

static void write_head(page *p)
{
    text *t = p->t;
    const summary_counts *c = &p->m.total;
    text headline = { 0 };
    summary_headline(&p->m, store_get(p->s, STORE_LEVEL), &headline);
    text_format(t, "<header class=\"%s\">\n<p class=\"kicker\">Touchstone conformance report</p>\n<h1>",
                outcome_class(summary_outcome_of(&p->m)));
    text_xml(t, headline.data);
    text_add(t, "</h1>\n<p class=\"sub\">");
    t->failed |= headline.failed;
    text_free(&headline);
    element(t, "<b>", store_get(p->s, STORE_BACKEND), "</b>");
    element(t, " ", store_get(p->s, STORE_BACKEND_VERSION), "");
    element(t, " on ", store_get(p->s, STORE_BACKEND_DEVICE), "");
    const char *level = store_get(p->s, STORE_LEVEL);
    if (level && strcmp(level, "none") != 0)
        element(t, ", judged at feature level ", level, "");
    write_moment(t, store_get(p->s, STORE_STARTED));
    element(t, " \xC2\xB7 ", store_get(p->s, STORE_SECONDS), " s");
    text_add(t, "</p>\n<ul class=\"figures\">\n");
    figure(t, "owed", c->owed, "all");
    figure(t, "ran", c->ran, "all");
    figure(t, "passed", c->cases[VERDICT_PASS], "good");
    figure(t, "failed", c->failed, "bad");
    figure(t, "ambiguous", c->cases[VERDICT_AMBIGUOUS], "warn");
    figure(t, "waived", c->cases[VERDICT_WAIVED], "warn");
    figure(t, "unsupported", c->cases[VERDICT_UNSUPPORTED], "warn");
    figure(t, "not run", c->cases[VERDICT_NONE], "warn");
    text_add(t, "</ul>\n");
    if (c->cases[VERDICT_UNSUPPORTED] > 0)
        text_add(t, "<p class=\"note\">Unsupported cases are owed and were refused as a feature that the backend "
                    "does not have. They are no success.</p>\n");
    text_add(t, "</header>\n<nav aria-label=\"Sections\"><a href=\"#tests\">Tests</a> <a href=\"#coverage\">Coverage"
                "</a> <a href=\"#findings\">Findings</a> <a href=\"#observations\">Observations</a> "
                "<a href=\"#clauses\">Clauses</a> <a href=\"#run\">Run</a></nav>\n<main>\n");
}

static void write_facts(page *p)
{
    static const char *const monospaced[] = { STORE_COMMAND, STORE_QUERY, STORE_BACKEND_OPTIONS, STORE_SUITE_DIGEST,
                                              STORE_DIGEST };
    text_add(p->t, "<section id=\"run\">\n<h2>What was tested</h2>\n<dl class=\"run\">\n");
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

/* ---- tests --------------------------------------------------------------------------------------------------------
 */

static void number_cell(text *t, uint64_t number, const char *class)
{
    if (number == 0) {
        text_add(t, "<td class=\"num zero\">0</td>");
        return;
    }
    text_format(t, "<td class=\"num %s\">", class);
    text_count(t, number);
    text_add(t, "</td>");
}

/* A share of the bar; what exists can be seen, however little it is (style: min-width). */
static void segment(text *t, const char *class, uint64_t part, uint64_t whole)
{
    if (part > 0)
        text_format(t, "<i class=\"%s\" style=\"flex:%.4f\"></i>", class, (double)part / (double)whole * 100);
}

static void bar(text *t, const summary_counts *c)
{
    uint64_t none = c->cases[VERDICT_NONE], unsupported = c->cases[VERDICT_UNSUPPORTED];
    uint64_t open = c->cases[VERDICT_AMBIGUOUS] + c->cases[VERDICT_WAIVED];
    uint64_t whole = c->ran + unsupported + none;
    text_add(t, "<td class=\"barcell\"><div class=\"bar\" aria-hidden=\"true\">");
    if (whole > 0) {
        segment(t, "good", c->cases[VERDICT_PASS], whole);
        segment(t, "bad", c->failed, whole);
        segment(t, "warn", open, whole);
        segment(t, "dim", unsupported, whole);
        segment(t, "none", none, whole);
    }
    text_add(t, "</div></td>");
}

static const verdict side_verdicts[] = { VERDICT_AMBIGUOUS, VERDICT_WAIVED, VERDICT_UNSUPPORTED };
enum { SIDE_COUNT = sizeof side_verdicts / sizeof *side_verdicts };

static void count_cells(page *p, const summary_counts *c)
{
    bar(p->t, c);
    number_cell(p->t, c->owed, "");
    number_cell(p->t, c->cases[VERDICT_PASS], "");
    number_cell(p->t, c->failed, "bad");
    for (size_t i = 0; i < SIDE_COUNT; ++i)
        if (p->shown[side_verdicts[i]])
            number_cell(p->t, c->cases[side_verdicts[i]], "warn");
    if (p->shown[VERDICT_NONE])
        number_cell(p->t, c->cases[VERDICT_NONE], "warn");
}

/* "mismatch 12, crash 3" below the title of a test. */
static void failures_line(text *t, const summary_test *test, size_t index)
{
    const char *between = "<div class=\"kinds\">";
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        if (!verdict_fails((verdict)v) || test->counts.cases[v] == 0)
            continue;
        text_format(t, "%s<a href=\"#findings\" data-test=\"%zu\" data-verdict=\"%d\">%s ", between, index, v,
                    verdict_name((verdict)v));
        text_count(t, test->counts.cases[v]);
        text_add(t, "</a>");
        between = ", ";
    }
    if (between[0] == ',')
        text_add(t, "</div>");
}

static void write_tests(page *p)
{
    text *t = p->t;
    text_add(t, "<section id=\"tests\">\n<h2>Operators and tests</h2>\n<div class=\"scroll\"><table class=\"tests\">\n"
                "<thead><tr><th scope=\"col\">Test</th><th scope=\"col\" class=\"barcell\"><span class=\"hidden\">"
                "Share</span></th><th scope=\"col\" class=\"num\">Owed</th><th scope=\"col\" class=\"num\">Passed</th>"
                "<th scope=\"col\" class=\"num\">Failed</th>");
    for (size_t i = 0; i < SIDE_COUNT; ++i)
        if (p->shown[side_verdicts[i]])
            text_format(t, "<th scope=\"col\" class=\"num\">%c%s</th>", verdict_name(side_verdicts[i])[0] - 'a' + 'A',
                        verdict_name(side_verdicts[i]) + 1);
    if (p->shown[VERDICT_NONE])
        text_add(t, "<th scope=\"col\" class=\"num\">Not run</th>");
    text_add(t, "</tr></thead>\n");
    for (size_t op = 0; op < p->m.operator_count; ++op) {
        const summary_operator *o = &p->m.operators[op];
        text_add(t, "<tbody>\n<tr class=\"op\"><th scope=\"rowgroup\">");
        text_xml(t, o->name);
        text_add(t, "</th>");
        count_cells(p, &o->counts);
        text_add(t, "</tr>\n");
        for (size_t i = 0; i < p->m.test_count; ++i) {
            const summary_test *test = &p->m.tests[i];
            if (test->op_index != op)
                continue;
            text_add(t, "<tr><th scope=\"row\">");
            text_xml(t, test->test);
            element(t, "<div class=\"note\">", test->title, "</div>");
            failures_line(t, test, i);
            text_add(t, "</th>");
            count_cells(p, &test->counts);
            text_add(t, "</tr>\n");
        }
        text_add(t, "</tbody>\n");
    }
    text_add(t, "</table></div>\n</section>\n");
}

/* ---- coverage -----------------------------------------------------------------------------------------------------
 */

typedef struct axis {
    const char *names[64];
    size_t count;
} axis;

static size_t axis_index(const axis *a, const char *name)
{
    size_t i = 0;
    while (i < a->count && strcmp(a->names[i], name) != 0)
        ++i;
    return i;
}

/* Insert in order. */
static void axis_add(axis *a, const char *name, int (*compare)(const char *, const char *))
{
    if (axis_index(a, name) < a->count || a->count == sizeof a->names / sizeof *a->names)
        return;
    size_t at = a->count++;
    for (; at > 0 && compare(name, a->names[at - 1]) < 0; --at)
        a->names[at] = a->names[at - 1];
    a->names[at] = name;
}

static void coverage_cell(text *t, const summary_counts *c)
{
    uint64_t all = c->ran + c->cases[VERDICT_UNSUPPORTED];
    if (all == 0) {
        text_add(t, "<td class=\"empty\"><span class=\"hidden\">none</span></td>");
    } else if (c->failed > 0) {
        text_add(t, "<td class=\"bad\"><b>\xE2\x9C\x95 ");
        text_count(t, c->failed);
        text_add(t, "</b> <small>of ");
        text_count(t, all);
        text_add(t, "</small></td>");
    } else if (c->ran == 0) {
        text_add(t, "<td class=\"dim\">");
        text_count(t, all);
        text_add(t, " <small>unsupported</small></td>");
    } else {
        bool all_passed = c->cases[VERDICT_PASS] == all;
        text_format(t, "<td class=\"%s\">", all_passed ? "good" : "warn");
        text_count(t, all);
        if (!all_passed) {
            text_add(t, " <small>");
            text_count(t, all - c->cases[VERDICT_PASS]);
            text_add(t, " not judged</small>");
        }
        text_add(t, "</td>");
    }
}

static void write_matrix(page *p, size_t op)
{
    text *t = p->t;
    axis dtypes = { .count = 0 }, levels = { .count = 0 };
    for (size_t i = 0; i < p->m.tally_count; ++i) {
        const summary_tally *c = &p->m.tallies[i];
        if (p->m.tests[c->test].op_index != op)
            continue;
        axis_add(&dtypes, c->dtype, summary_compare_dtypes);
        axis_add(&levels, c->level, summary_compare_levels);
    }
    summary_counts *cells = calloc(dtypes.count * levels.count + 1, sizeof *cells);
    if (!cells) {
        t->failed = true;
        return;
    }
    for (size_t i = 0; i < p->m.tally_count; ++i) {
        const summary_tally *c = &p->m.tallies[i];
        if (p->m.tests[c->test].op_index != op)
            continue;
        size_t y = axis_index(&dtypes, c->dtype), x = axis_index(&levels, c->level);
        if (y == dtypes.count || x == levels.count)
            continue;
        summary_counts *cell = &cells[y * levels.count + x];
        cell->cases[c->verdict] += c->cases;
        cell->ran += c->verdict != VERDICT_UNSUPPORTED ? c->cases : 0;
        cell->failed += verdict_fails(c->verdict) ? c->cases : 0;
    }
    text_add(t, "<figure class=\"matrix\"><figcaption>");
    text_xml(t, p->m.operators[op].name);
    text_add(t, "</figcaption>\n");
    if (dtypes.count == 0) {
        text_add(t, "<p class=\"note\">No case ran.</p></figure>\n");
        free(cells);
        return;
    }
    text_add(t, "<div class=\"scroll\"><table>\n<thead><tr><td></td>");
    for (size_t x = 0; x < levels.count; ++x) {
        bool none = strcmp(levels.names[x], "none") == 0 || !levels.names[x][0];
        element(t, "<th scope=\"col\">", none ? "no levels" : levels.names[x], "</th>");
    }
    text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t y = 0; y < dtypes.count; ++y) {
        element(t, "<tr><th scope=\"row\">", dtypes.names[y][0] ? dtypes.names[y] : "\xE2\x80\x93", "</th>");
        for (size_t x = 0; x < levels.count; ++x)
            coverage_cell(t, &cells[y * levels.count + x]);
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div></figure>\n");
    free(cells);
}

static void write_coverage(page *p)
{
    text_add(p->t,
             "<section id=\"coverage\">\n<h2>Coverage</h2>\n<p class=\"note\">Cases by data type and by the lowest "
             "feature level that accepts them. \xE2\x9C\x95 counts failures; an empty cell has no case.</p>\n"
             "<div class=\"matrices\">\n");
    for (size_t op = 0; op < p->m.operator_count; ++op)
        write_matrix(p, op);
    text_add(p->t, "</div>\n</section>\n");
}

/* ---- findings -----------------------------------------------------------------------------------------------------
 */

static int compare_groups(const void *a, const void *b)
{
    const html_group *x = a, *y = b;
    if (x->test != y->test)
        return x->test < y->test ? -1 : 1;
    if (x->verdict != y->verdict)
        return x->verdict < y->verdict ? -1 : 1;
    return summary_compare_dtypes(x->dtype, y->dtype);
}

/* One line per test and verdict, with its data types behind it. */
static void write_groups(page *p)
{
    text *t = p->t;
    html_group *groups = p->f.groups;
    size_t count = p->f.group_count;
    if (count > 0)
        qsort(groups, count, sizeof *groups, compare_groups);
    text_add(t,
             "<div class=\"scroll\"><table class=\"groups\">\n<thead><tr><th scope=\"col\">Test</th><th scope=\"col\">"
             "Verdict</th><th scope=\"col\" class=\"num\">Cases</th><th scope=\"col\" class=\"num\">Kept</th>"
             "<th scope=\"col\">By data type</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t found = 0, kept = 0;
        for (end = i; end < count && groups[end].test == groups[i].test && groups[end].verdict == groups[i].verdict;
             ++end) {
            found += groups[end].found;
            kept += groups[end].kept;
        }
        text_add(t, "<tr><td>");
        text_xml(t, p->m.tests[groups[i].test].name);
        text_format(t, "</td><td><a href=\"#findings\" data-test=\"%zu\" data-verdict=\"%d\">", groups[i].test,
                    (int)groups[i].verdict);
        html_verdict(t, groups[i].verdict);
        text_add(t, "</a></td><td class=\"num\">");
        text_count(t, found > kept ? found : kept);
        text_add(t, "</td><td class=\"num\">");
        text_count(t, kept);
        text_add(t, "</td><td class=\"types\">");
        for (size_t k = i; k < end; ++k) {
            text_format(t, "<a href=\"#findings\" data-test=\"%zu\" data-verdict=\"%d\" data-dtype=\"", groups[k].test,
                        (int)groups[k].verdict);
            text_xml(t, groups[k].dtype);
            text_add(t, "\">");
            text_xml(t, groups[k].dtype[0] ? groups[k].dtype : "\xE2\x80\x93");
            text_add(t, " <b>");
            text_count(t, groups[k].found > groups[k].kept ? groups[k].found : groups[k].kept);
            text_add(t, "</b></a> ");
        }
        text_add(t, "</td></tr>\n");
    }
    text_add(t, "</tbody></table></div>\n");
}

static void write_findings(page *p)
{
    text *t = p->t;
    text_add(t, "<section id=\"findings\">\n<h2>Findings</h2>\n");
    if (p->f.group_count == 0) {
        text_format(t, "<p class=\"note\">%s</p>\n</section>\n",
                    p->m.total.ran > 0 ? "No case that ran failed, and none was left undecided." : "Nothing ran.");
        return;
    }
    write_groups(p);
    if (p->f.packed < p->f.kept) {
        text_add(t, "<p class=\"note\">This page holds the first ");
        text_count(t, p->f.packed);
        text_add(t, " of the ");
        text_count(t, p->f.kept);
        text_add(t, " findings of the run; <code>touchstone report --csv</code> gives all of them.</p>\n");
    }
    text_add(t, "<div id=\"tools\" hidden></div>\n<div id=\"list\">\n");
    if (p->f.plain_count < p->f.kept) {
        text_add(t, "<p class=\"note\" id=\"plain-note\">Without its script, this page shows ");
        text_count(t, p->f.plain_count);
        text_add(t, " of ");
        text_count(t, p->f.kept);
        text_add(t, " findings, the first of each kind.</p>\n");
    }
    if (p->f.plain.length > 0)
        text_bytes(t, p->f.plain.data, p->f.plain.length);
    text_add(t, "</div>\n</section>\n");
}

/* ---- observations and clauses -------------------------------------------------------------------------------------
 */

static bool write_observation(void *context, const store_observation *o)
{
    page *p = context;
    size_t test = summary_find_test(&p->m, o->test);
    text_add(p->t, "<tr><td>");
    text_xml(p->t, test < p->m.test_count ? p->m.tests[test].name : "");
    text_add(p->t, "</td><td>");
    text_xml(p->t, o->kind);
    text_add(p->t, "</td>");
    number_cell(p->t, o->cases, "");
    text_add(p->t, "<td class=\"mono\">");
    text_xml(p->t, o->example);
    text_add(p->t, "</td></tr>\n");
    return true;
}

static bool write_observations(page *p, error *e)
{
    text *t = p->t;
    text_add(t,
             "<section id=\"observations\">\n<h2>Observations</h2>\n<p class=\"note\">Worth knowing, and forbidden by "
             "no clause.</p>\n");
    size_t before = t->length;
    text_add(t,
             "<div class=\"scroll\"><table class=\"plain\">\n<thead><tr><th scope=\"col\">Test</th><th scope=\"col\">"
             "Kind</th><th scope=\"col\" class=\"num\">Cases</th><th scope=\"col\">For example</th></tr></thead>\n"
             "<tbody>\n");
    size_t head = t->length;
    if (!store_each_observation(p->s, write_observation, p, e))
        return false;
    if (t->length == head && !t->failed) {
        t->length = before;
        text_add(t, "<p class=\"note\">None.</p>\n</section>\n");
    } else {
        text_add(t, "</tbody></table></div>\n</section>\n");
    }
    return true;
}

static void write_page_name(text *t, const char *name)
{
    /* Only what is plainly a page of the web becomes a link. */
    if (strncmp(name, "https://", 8) != 0) {
        text_xml(t, name);
        return;
    }
    const char *slash = strrchr(name, '/');
    text_add(t, "<a href=\"");
    text_xml(t, name);
    text_add(t, "\" rel=\"noreferrer\">");
    text_xml(t, slash[1] ? slash + 1 : name);
    text_add(t, "</a>");
}

static void write_clauses(page *p)
{
    text *t = p->t;
    text_add(
        t, "<section id=\"clauses\">\n<h2>Clauses</h2>\n<p class=\"note\">The rules that verdicts refer to. Every "
           "legal case keeps all of them; cases that break one on purpose are to be refused. A rule that a descriptor "
           "can break and no case of this run broke stands out.</p>\n");
    for (size_t i = 0, end; i < p->f.clause_count; i = end) {
        size_t cited = 0;
        uint64_t broken = 0, ran = 0;
        for (end = i; end < p->f.clause_count && strcmp(p->f.clauses[end].op, p->f.clauses[i].op) == 0; ++end) {
            cited += p->f.clauses[end].cited > 0;
            broken += p->f.clauses[end].broken;
        }
        for (size_t k = 0; k < p->m.operator_count; ++k)
            if (strcmp(p->m.operators[k].name, p->f.clauses[i].op) == 0)
                ran = p->m.operators[k].counts.ran;
        text_format(t, "<details%s><summary>", cited ? " open" : "");
        text_xml(t, p->f.clauses[i].op);
        text_format(t, " <span class=\"note\">%zu clauses, kept by ", end - i);
        text_count(t, ran - broken);
        text_add(t, " legal cases, broken on purpose by ");
        text_count(t, broken);
        if (cited)
            text_format(t, ", %zu cited", cited);
        text_add(
            t, "</span></summary>\n<div class=\"scroll\"><table class=\"plain clauses\">\n<thead><tr><th scope=\"col\">"
               "Clause</th><th scope=\"col\">Text</th><th scope=\"col\">Page</th><th scope=\"col\">Section</th>"
               "<th scope=\"col\" class=\"num\">Broken by</th><th scope=\"col\" class=\"num\">Refused</th>"
               "<th scope=\"col\" class=\"num\">Findings</th></tr></thead>\n<tbody>\n");
        for (size_t k = i; k < end; ++k) {
            const html_clause *c = &p->f.clauses[k];
            text_add(t, "<tr data-clause=\"");
            text_xml(t, c->op);
            text_add(t, " ");
            text_xml(t, c->id);
            text_add(t, "\"><th scope=\"row\">");
            text_xml(t, c->id);
            text_add(t, "</th><td>");
            text_xml(t, c->text);
            text_add(t, "</td><td>");
            write_page_name(t, c->page);
            text_add(t, "</td><td>");
            text_xml(t, c->section);
            text_add(t, "</td>");
            if (!c->breakable) {
                text_add(t, "<td class=\"num zero\"></td><td class=\"num zero\"></td>");
            } else if (c->broken == 0) {
                text_add(t, "<td class=\"num bad\">no case</td><td class=\"num zero\"></td>");
            } else {
                number_cell(t, c->broken, "");
                number_cell(t, c->refused, c->refused == c->broken ? "" : "bad");
            }
            number_cell(t, c->cited, "bad");
            text_add(t, "</tr>\n");
        }
        text_add(t, "</tbody></table></div></details>\n");
    }
    if (p->f.clause_count == 0)
        text_add(t, "<p class=\"note\">The run names none.</p>\n");
    text_add(t, "</section>\n");
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

/* What the script needs to know beside the findings themselves. */
static void write_script(page *p)
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
    text_format(t, "],\"kept\":%" PRIu64 "}</script>\n<script>\n", p->f.kept);
    text_add(t, report_page_js);
    text_add(t, "</script>\n");
}

static bool write_page(page *p, error *e)
{
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
    write_tests(p);
    write_coverage(p);
    size_t frame = t->length + strlen(report_page_js) + 20000;
    if (!html_findings_read(&p->f, &p->m, p->s, frame < PAGE_BYTES ? PAGE_BYTES - frame : 0, e))
        return false;
    write_findings(p);
    if (!write_observations(p, e))
        return false;
    write_clauses(p);
    write_facts(p);
    text_add(t, "</main>\n");
    if (p->f.packed > 0)
        write_script(p);
    text_add(t, "</body>\n</html>\n");
    return true;
}

bool report_html(store *s, const char *path, error *e)
{
    output out;
    if (!output_open(&out, path, e))
        return false;
    page p = { .t = &out.text, .s = s };
    bool snapshot = store_snapshot(s, e);
    bool ok = snapshot && summary_read(&p.m, s, e) && write_page(&p, e);
    if (snapshot)
        ok = store_commit(s, e) && ok;
    html_findings_free(&p.f);
    summary_free(&p.m);
    return output_close(&out, ok, e);
}
