/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the page with the operators and their tests: what fails first, and what passes folded to one line for
   each operator. */
#include "reports/html_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A segment of the bar. The style sheet has a minimum width, so that small parts are visible. */
static void segment(text *t, const char *class, uint64_t part, uint64_t whole)
{
    if (part > 0)
        text_format(t, "<i class=\"%s\" style=\"flex:%.4f\"></i>", class, (double)part / (double)whole * 100);
}

static void bar(text *t, const summary_counts *c)
{
    uint64_t none = c->cases[VERDICT_NONE], unsupported = c->cases[VERDICT_UNSUPPORTED];
    uint64_t undecided = c->cases[VERDICT_NOT_JUDGED] + c->cases[VERDICT_AMBIGUOUS] + c->cases[VERDICT_WAIVED];
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

static const verdict side_verdicts[] = { VERDICT_NOT_JUDGED, VERDICT_AMBIGUOUS, VERDICT_WAIVED, VERDICT_UNSUPPORTED };
static const char *const side_titles[] = { "Not judged", "Ambiguous", "Waived", "Unsupported" };
enum { SIDE_COUNT = sizeof side_verdicts / sizeof *side_verdicts };

/* The columns of the table. */
static size_t column_count(const html_page *p)
{
    size_t count = 5;
    for (size_t i = 0; i < SIDE_COUNT; ++i)
        count += p->shown[side_verdicts[i]];
    return count + p->shown[VERDICT_NONE];
}

static void count_heads(html_page *p)
{
    text *t = p->t;
    text_add(t, "<thead><tr><th scope=\"col\">Operator and test</th><th scope=\"col\" class=\"barcell\"><span "
                "class=\"hidden\">Share</span></th><th scope=\"col\" class=\"num\">Planned</th><th scope=\"col\" "
                "class=\"num\">Passed</th><th scope=\"col\" class=\"num\">Failed</th>");
    for (size_t i = 0; i < SIDE_COUNT; ++i)
        if (p->shown[side_verdicts[i]])
            text_format(t, "<th scope=\"col\" class=\"num\">%s</th>", side_titles[i]);
    if (p->shown[VERDICT_NONE])
        text_add(t, "<th scope=\"col\" class=\"num\">Not run</th>");
    text_add(t, "</tr></thead>\n");
}

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
static void failures_line(text *t, const summary_test *test)
{
    const char *between = " <span class=\"kinds\">";
    for (int v = 0; v < VERDICT_COUNT; ++v) {
        if (!verdict_fails((verdict)v) || test->counts.cases[v] == 0)
            continue;
        text_format(t, "%s<a href=\"#test=", between);
        html_fragment(t, test->name);
        text_format(t, "&amp;verdict=%s\">%s ", verdict_name((verdict)v), verdict_name((verdict)v));
        text_count(t, test->counts.cases[v]);
        text_add(t, "</a>");
        between = ", ";
    }
    if (between[0] == ',')
        text_add(t, "</span>");
}

/* Nothing of it failed, was waived, not run, not supported, or of a data type that is not judged. Single ambiguous
   cases do not count. */
static bool passes(const summary_counts *c)
{
    return c->failed == 0 && c->cases[VERDICT_NOT_JUDGED] == 0 && c->cases[VERDICT_WAIVED] == 0 &&
           c->cases[VERDICT_UNSUPPORTED] == 0 && c->cases[VERDICT_NONE] == 0;
}

static void write_test(html_page *p, const summary_test *test)
{
    text *t = p->t;
    text_add(t, "<tr class=\"test\"><th scope=\"row\">");
    text_xml(t, test->test);
    html_element(t, " <span class=\"note\">", test->title, "</span>");
    failures_line(t, test);
    text_add(t, "</th>");
    count_cells(p, &test->counts);
    text_add(t, "</tr>\n");
}

/* "12 tests pass: 2,774 cases, and 11 ambiguous ones; 3 tests have no case in this run" */
static void write_fold(html_page *p, size_t op, size_t count, size_t empty, const summary_counts *sum)
{
    text *t = p->t;
    char without[80] = "";
    if (empty)
        snprintf(without, sizeof without, "%zu test%s no case in this run", empty, empty == 1 ? " has" : "s have");
    text_format(t, "<tr class=\"fold\"><td colspan=\"%zu\">", column_count(p));
    if (count == 0) {
        text_format(t, "%s</td></tr>\n", without);
        return;
    }
    text_format(t, "<details><summary>%zu test%s: ", count, count == 1 ? " passes" : "s pass");
    text_count(t, sum->cases[VERDICT_PASS]);
    text_add(t, sum->cases[VERDICT_PASS] == 1 ? " case" : " cases");
    if (sum->cases[VERDICT_AMBIGUOUS]) {
        text_add(t, ", and ");
        text_count(t, sum->cases[VERDICT_AMBIGUOUS]);
        text_add(t, " not judged, as the specification leaves them open");
    }
    text_format(t, "%s%s", empty ? "; " : "", without);
    text_add(t, "</summary><table class=\"plain inner\"><caption class=\"hidden\">Passing tests of ");
    text_xml(t, p->m.operators[op].name);
    text_add(t, "</caption><thead><tr><th scope=\"col\">Test</th><th scope=\"col\" class=\"num\">Planned</th><th "
                "scope=\"col\" class=\"num\">Passed</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < p->m.test_count; ++i) {
        const summary_test *test = &p->m.tests[i];
        if (test->op_index != op || !passes(&test->counts) || test->counts.planned == 0)
            continue;
        html_element(t, "<tr><th scope=\"row\">", test->test, "");
        html_element(t, " <span class=\"note\">", test->title, "</span>");
        text_add(t, "</th>");
        html_number_cell(t, test->counts.planned, "");
        html_number_cell(t, test->counts.cases[VERDICT_PASS], "");
        text_add(t, "</tr>\n");
    }
    text_add(t, "</tbody></table></details></td></tr>\n");
}

static void write_operator(html_page *p, size_t op)
{
    text *t = p->t;
    const summary_operator *o = &p->m.operators[op];
    summary_counts sum = { .planned = 0 };
    size_t folded = 0, empty = 0;
    text_add(t, "<tbody>\n<tr class=\"op\"><th scope=\"rowgroup\">");
    text_xml(t, o->name);
    text_add(t, "</th>");
    count_cells(p, &o->counts);
    text_add(t, "</tr>\n");
    for (size_t i = 0; i < p->m.test_count; ++i) {
        const summary_test *test = &p->m.tests[i];
        if (test->op_index != op)
            continue;
        if (!passes(&test->counts)) {
            write_test(p, test);
            continue;
        }
        *(test->counts.planned ? &folded : &empty) += 1;
        sum.cases[VERDICT_PASS] += test->counts.cases[VERDICT_PASS];
        sum.cases[VERDICT_AMBIGUOUS] += test->counts.cases[VERDICT_AMBIGUOUS];
    }
    if (folded + empty)
        write_fold(p, op, folded, empty, &sum);
    text_add(t, "</tbody>\n");
}

int html_rank(const summary_counts *c)
{
    return c->failed ? 0 : passes(c) ? 2 : 1;
}

void html_tests(html_page *p)
{
    html_section(p->t, "tests", "Operators");
    text_add(p->t, "<div class=\"scroll\"><table class=\"plain tests\">\n<caption class=\"hidden\">Operators and their "
                   "tests, those with failures first</caption>\n");
    count_heads(p);
    for (int rank = 0; rank < HTML_RANKS; ++rank)
        for (size_t op = 0; op < p->m.operator_count; ++op)
            if (html_rank(&p->m.operators[op].counts) == rank)
                write_operator(p, op);
    text_add(p->t, "</table></div>\n");
    html_section_end(p->t);
}
