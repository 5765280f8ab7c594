/* SPDX-License-Identifier: Apache-2.0 */
/* The regions of a comparison: what an application may rely on everywhere, and where backends differ. */
#include "reports/compare_html_parts.h"

#include <string.h>

enum {
    FEW_ROWS = 12, /* regions of an operator that are shown unasked */
    MOST_ROWS = 30 /* regions of a kind that are shown unasked */
};

static const char *op_of(const compare_page *p, const compare_group *g)
{
    return p->c->tests[g->test].op;
}

/* Write the queries of a group. For cases that pass everywhere (`promise`), write only exact queries. */
static void write_queries(compare_page *p, const compare_group *g, bool promise)
{
    text *t = p->t;
    uint64_t written = 0;
    for (size_t i = 0; i < g->group.part_count; ++i) {
        const group_part *part = &g->group.parts[i];
        if (promise && part->others)
            continue;
        written += part->cases;
        html_element(t, "<code>", part->query, "</code>");
        if (part->others) {
            text_add(t, "<p class=\"note\">and ");
            text_count(t, part->others);
            text_format(t, " other case%s</p>", part->others == 1 ? "" : "s");
        }
    }
    if (written == 0)
        html_element(t, "<p>in ", p->c->tests[g->test].name, "</p>");
    else if (written < g->group.cases) {
        text_add(t, "<p class=\"note\">and ");
        text_count(t, g->group.cases - written);
        html_element(t, " other cases of ", p->c->tests[g->test].name, "</p>");
    }
}

static void write_count(compare_page *p, uint64_t cases)
{
    text_add(p->t, "<b>");
    text_count(p->t, cases);
    text_format(p->t, "</b> case%s", cases == 1 ? "" : "s");
}

/* ---- everywhere ---- */

static void write_promises(compare_page *p, size_t first, size_t count, uint64_t cases, bool open)
{
    const char *op = op_of(p, &p->c->groups[first]);
    text_format(p->t, "<details%s class=\"kind\"><summary>", open ? " open" : "");
    text_xml(p->t, op);
    text_add(p->t, ": ");
    write_count(p, cases);
    text_format(p->t, " in %zu region%s</summary>\n<ul class=\"regions\">\n", count, count == 1 ? "" : "s");
    for (size_t i = first; i < p->c->group_count; ++i) {
        const compare_group *g = &p->c->groups[i];
        if (g->kind != COMPARE_EVERYWHERE || strcmp(op_of(p, g), op) != 0)
            continue;
        text_add(p->t, "<li><p>");
        write_count(p, g->group.cases);
        html_element(p->t, " <span class=\"note\">", p->c->tests[g->test].title, "</span>");
        text_add(p->t, "</p>");
        write_queries(p, g, true);
        text_add(p->t, "</li>\n");
    }
    text_add(p->t, "</ul></details>\n");
}

void compare_html_everywhere(compare_page *p)
{
    const compare *c = p->c;
    size_t regions = 0; /* where there are many, they are folded, so that the matrix below is in sight */
    for (size_t i = 0; i < c->group_count; ++i)
        regions += c->groups[i].kind == COMPARE_EVERYWHERE;
    html_section(p->t, "everywhere", "What may be relied on everywhere");
    compare_html_note(p,
                      "Cases that every backend supports and passes, as queries that hold these cases and no others.");
    for (size_t i = 0; i < c->group_count; ++i) {
        const compare_group *first = &c->groups[i];
        bool seen = first->kind != COMPARE_EVERYWHERE;
        for (size_t k = 0; k < i && !seen; ++k)
            seen = c->groups[k].kind == COMPARE_EVERYWHERE && strcmp(op_of(p, &c->groups[k]), op_of(p, first)) == 0;
        if (seen)
            continue;
        size_t count = 0;
        uint64_t cases = 0;
        for (size_t k = i; k < c->group_count; ++k)
            if (c->groups[k].kind == COMPARE_EVERYWHERE && strcmp(op_of(p, &c->groups[k]), op_of(p, first)) == 0) {
                cases += c->groups[k].group.cases;
                ++count;
            }
        write_promises(p, i, count, cases, regions <= FEW_ROWS);
    }
    if (c->total.kinds[COMPARE_EVERYWHERE] == 0)
        text_add(p->t, "<p>No case passes everywhere.</p>\n");
    html_section_end(p->t);
}

/* ---- differences ---- */

/* Write the verdict of each side. */
static void write_verdicts(compare_page *p, const compare_group *g)
{
    text_add(p->t, "<span class=\"verdicts\">");
    for (size_t i = 0; i < p->c->side_count; ++i) {
        const int v = g->verdicts[i];
        text_format(p->t, " <span class=\"%s\">", compare_html_class(compare_state_of(v)));
        text_xml(p->t, p->c->sides[i].label);
        text_format(p->t, ": %s</span>",
                    v == COMPARE_NOT_SUPPORTED ? "not supported"
                    : v == VERDICT_NONE        ? "not run"
                                               : verdict_name((verdict)v));
    }
    text_add(p->t, "</span>");
}

void compare_html_regions_of(compare_page *p, const char *op)
{
    text *t = p->t;
    bool any = false;
    for (size_t i = 0; i < p->c->group_count; ++i) {
        const compare_group *g = &p->c->groups[i];
        if ((g->kind != COMPARE_DIFFERS && g->kind != COMPARE_NOWHERE && g->kind != COMPARE_INCOMPLETE) ||
            strcmp(op_of(p, g), op) != 0)
            continue;
        text_add(t,
                 any ? "" : "<p>Regions that do not pass everywhere they are supported:</p>\n<ul class=\"regions\">\n");
        any = true;
        text_format(t, "<li><p><a href=\"#region-%zu\">", i + 1);
        write_count(p, g->group.cases);
        text_add(t, "</a>");
        write_verdicts(p, g);
        html_element(t, "</p><code>", g->group.part_count ? g->group.parts[0].query : p->c->tests[g->test].name,
                     "</code></li>\n");
    }
    text_add(t, any ? "</ul>\n" : "");
}

static void write_kind(compare_page *p, compare_kind kind, const char *heading)
{
    text *t = p->t;
    size_t count = 0;
    for (size_t i = 0; i < p->c->group_count; ++i)
        count += p->c->groups[i].kind == kind;
    if (count == 0)
        return;
    const bool open = count <= MOST_ROWS && kind != COMPARE_SUPPORTED_BY_SOME && kind != COMPARE_UNSPECIFIED;
    text_format(t, "<details class=\"kind\"%s><summary>%s: ", open ? " open" : "", heading);
    write_count(p, p->c->total.kinds[kind]);
    text_format(t, " in %zu region%s", count, count == 1 ? "" : "s");
    text_add(t, "</summary>\n<ul class=\"regions\">\n");
    for (size_t i = 0; i < p->c->group_count; ++i) {
        const compare_group *g = &p->c->groups[i];
        if (g->kind != kind)
            continue;
        text_format(t, "<li id=\"region-%zu\"><p>", i + 1);
        write_count(p, g->group.cases);
        write_verdicts(p, g);
        html_element(t, " <span class=\"note\">", g->clauses, "</span>");
        text_add(t, "</p>");
        write_queries(p, g, false);
        html_element(t, "<p class=\"note\">example: <span class=\"mono\">", g->group.example, "</span></p>");
        text_add(t, "</li>\n");
    }
    text_add(t, "</ul></details>\n");
}

void compare_html_differences(compare_page *p)
{
    html_section(p->t, "regions", "Differences");
    compare_html_note(p, "Cases that not every backend supports and passes: the verdict of each, the clauses that the "
                         "retained findings cite, and queries for <code>touchstone run</code>.");
    if (p->c->total.kinds[COMPARE_EVERYWHERE] == p->c->total.cases)
        text_add(p->t, "<p>None.</p>\n");
    write_kind(p, COMPARE_DIFFERS, "They differ");
    write_kind(p, COMPARE_NOWHERE, "Fail wherever they are supported");
    write_kind(p, COMPARE_SUPPORTED_BY_SOME, "Pass where they are supported, which is not everywhere");
    write_kind(p, COMPARE_INCOMPLETE, "Planned but not run");
    write_kind(p, COMPARE_UNSPECIFIED, "Not judged, because the specification leaves the result open");
    html_section_end(p->t);
}
