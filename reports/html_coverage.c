/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the page with a matrix of data type by feature level for each operator. */
#include "reports/html_parts.h"

#include <stdlib.h>
#include <string.h>

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
            text_add(t, " <small>(");
            text_count(t, all - c->cases[VERDICT_PASS]);
            text_add(t, "<span class=\"hidden\"> not judged</span>)</small>");
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
    text_add(t, "<div class=\"scroll\"><table>\n<caption class=\"hidden\">");
    text_xml(t, p->m.operators[op].name);
    text_add(t, ": cases by data type and feature level</caption>\n<thead><tr><td></td>");
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
    html_section(p->t, "coverage", "Coverage");
    text_add(p->t, "<p class=\"note\">Cases by data type and by the lowest feature level that accepts them. "
                   "\xE2\x9C\x95 counts failures, a number in parentheses the cases that were not judged; an empty cell "
                   "has no case; the row \"no type\" has the cases whose data type is left out or invalid on "
                   "purpose.</p>\n<div class=\"matrices\">\n");
    for (int rank = 0; rank < HTML_RANKS; ++rank)
        for (size_t op = 0; op < p->m.operator_count; ++op)
            if (html_rank(&p->m.operators[op].counts) == rank)
                write_matrix(p, op);
    text_add(p->t, "</div>\n");
    html_section_end(p->t);
}
