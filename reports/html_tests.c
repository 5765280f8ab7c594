/* SPDX-License-Identifier: Apache-2.0 */
/* Two sections of the page: each test with its counts, and the matrices of data type by feature level. */
#include "reports/html_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- tests --------------------------------------------------------------------------------------------------------
 */
/* A segment of the bar. The style sheet has a minimum width, so that small parts are visible. */
static void segment(text *t, const char *class, uint64_t part, uint64_t whole)
{
    if (part > 0)
        text_format(t, "<i class=\"%s\" style=\"flex:%.4f\"></i>", class, (double)part / (double)whole * 100);
}

static void bar(text *t, const summary_counts *c)
{
    uint64_t none = c->cases[VERDICT_NONE], unsupported = c->cases[VERDICT_UNSUPPORTED];
    uint64_t undecided = c->cases[VERDICT_AMBIGUOUS] + c->cases[VERDICT_WAIVED];
    uint64_t whole = c->ran + unsupported + none;
    text_add(t, "<td class=\"barcell\"><div class=\"bar\" aria-hidden=\"true\">");
    if (whole > 0) {
        segment(t, "good", c->cases[VERDICT_PASS], whole);
        segment(t, "bad", c->failed, whole);
        segment(t, "warn", undecided, whole);
        segment(t, "dim", unsupported, whole);
        segment(t, "none", none, whole);
    }
    text_add(t, "</div></td>");
}

static const verdict side_verdicts[] = { VERDICT_AMBIGUOUS, VERDICT_WAIVED, VERDICT_UNSUPPORTED };
enum { SIDE_COUNT = sizeof side_verdicts / sizeof *side_verdicts };

static void count_cells(html_page *p, const summary_counts *c)
{
    bar(p->t, c);
    html_number_cell(p->t, c->planned, "");
    html_number_cell(p->t, c->cases[VERDICT_PASS], "");
    html_number_cell(p->t, c->failed, "bad");
    for (size_t i = 0; i < SIDE_COUNT; ++i)
        if (p->shown[side_verdicts[i]])
            html_number_cell(p->t, c->cases[side_verdicts[i]], "warn");
    if (p->shown[VERDICT_NONE])
        html_number_cell(p->t, c->cases[VERDICT_NONE], "warn");
}

/* "mismatch 12, crash 3", below the title of a test. */
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

void html_tests(html_page *p)
{
    text *t = p->t;
    text_add(t,
             "<section id=\"tests\">\n<h2>Operators and tests</h2>\n<div class=\"scroll\"><table class=\"tests\">\n"
             "<thead><tr><th scope=\"col\">Test</th><th scope=\"col\" class=\"barcell\"><span class=\"hidden\">"
             "Share</span></th><th scope=\"col\" class=\"num\">Planned</th><th scope=\"col\" class=\"num\">Passed</th>"
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
            html_element(t, "<div class=\"note\">", test->title, "</div>");
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

static void write_matrix(html_page *p, size_t op)
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
        html_element(t, "<th scope=\"col\">", none ? "no levels" : levels.names[x], "</th>");
    }
    text_add(t, "</tr></thead>\n<tbody>\n");
    for (size_t y = 0; y < dtypes.count; ++y) {
        const char *name = dtypes.names[y];
        bool none = strcmp(name, "?") == 0; /* what a run writes for an invalid data type */
        html_element(t, "<tr><th scope=\"row\">", none ? "no type" : name[0] ? name : "\xE2\x80\x93", "</th>");
        for (size_t x = 0; x < levels.count; ++x)
            coverage_cell(t, &cells[y * levels.count + x]);
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></div></figure>\n");
    free(cells);
}

void html_coverage(html_page *p)
{
    text_add(
        p->t,
        "<section id=\"coverage\">\n<h2>Coverage</h2>\n<p class=\"note\">Cases by data type and by the lowest "
        "feature level that accepts them. \xE2\x9C\x95 counts failures; an empty cell has no case; the row \"no "
        "type\" has the cases whose data type is left out or invalid on purpose.</p>\n"
        "<div class=\"matrices\">\n");
    for (size_t op = 0; op < p->m.operator_count; ++op)
        write_matrix(p, op);
    text_add(p->t, "</div>\n</section>\n");
}
