/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the page with the causes of the failures. */
#include "reports/causes_print.h"
#include "reports/html_parts.h"

/* The operator of the cause's smallest case. */
static const char *case_operator(const cause *c)
{
    return c->part_count ? c->parts[0].op : c->op;
}

/* The smallest failing case, with its tensors. The drawings of the first cause are open. */
static void write_smallest(html_page *p, const cause *c, size_t number)
{
    text *t = p->t, own = { .data = NULL };
    text_add(t, "<p><span class=\"label\">The smallest failing case that is known:</span> ");
    html_verdict(t, c->verdict);
    html_element(t, " <span class=\"case\">", c->case_id, "</span>");
    if (c->clause) {
        text_add(t, " <a href=\"#clause-");
        text_xml(t, case_operator(c));
        text_add(t, "-");
        text_xml(t, c->clause);
        html_element(t, "\">", c->clause, "</a>");
    }
    if (c->shrunk_from) {
        text_add(t, ", the shrunk form of <a class=\"case\" href=\"#finding=");
        html_fragment(t, c->shrunk_from);
        html_element(t, "\">", c->shrunk_from, "</a>");
    }
    text_add(t, "</p>\n");
    html_element(t, "<p class=\"detail\">", c->story, "</p>\n");
    const smallest_case *shrunk = smallest_find(&p->smallest, c->case_id);
    if (shrunk)
        html_smallest_drawing(&own, shrunk);
    const text *drawing = own.length ? &own : &p->f.drawings[number];
    if (drawing->length) {
        text_add(t, number == 0 ? "<details open><summary>Its tensors</summary>"
                                : "<details><summary>Its tensors</summary>");
        text_bytes(t, drawing->data, drawing->length);
        text_add(t, "</details>\n");
    }
    t->failed |= own.failed;
    text_free(&own);
}

static void write_cause(html_page *p, size_t number)
{
    const cause *c = &p->causes.list[number];
    text *t = p->t, described = { .data = NULL }, command = { .data = NULL }, own = { .data = NULL };
    text_format(t, "<li class=\"cause\" id=\"cause-%zu\"><h3>Cause %zu: ", number + 1, number + 1);
    causes_heading(c, &own);
    html_element(t, "", own.data, "</h3>\n");
    own.length = 0;
    causes_describe_alone(c, &own);
    if (own.length)
        html_element(t, "<p class=\"alone\">", own.data, "</p>\n");
    const causes_fit fit = causes_queries_fit(c);
    for (size_t i = 0; fit == CAUSES_HOLD && i < c->query_count; ++i)
        html_element(t, "<p class=\"query\"><code>", c->queries[i], "</code></p>\n");
    causes_describe(c, &described);
    html_element(t, "<p class=\"note\">", described.data, fit == CAUSES_NEAR ? ":" : ".");
    for (size_t i = 0; fit == CAUSES_NEAR && i < c->query_count; ++i)
        html_element(t, " <code>", c->queries[i], "</code>");
    text_add(t, "</p>\n");
    if (c->part_count)
        text_add(t, "<ul>\n");
    for (size_t i = 0; i < c->part_count; ++i) {
        text_add(t, "<li>");
        text_count(t, c->parts[i].cases);
        html_element(t, " of ", c->parts[i].op, "");
        html_element(t, ": <code>", c->parts[i].reproducer, "</code>");
        text_add(t, "</li>\n");
    }
    if (c->part_count)
        text_add(t, "</ul>\n");
    if (c->case_id)
        write_smallest(p, c, number);
    html_command(t, "run it again", c->reproducer);
    html_command(t, "step by step", c->explain);
    causes_command(c, p->s, &command);
    html_command(t, "run all of them", fit == CAUSES_HOLD ? command.data : NULL);
    text_add(t, "<p class=\"links\"><a href=\"#op=");
    html_fragment(t, case_operator(c));
    if (c->case_id)
        text_format(t, "&amp;verdict=%s", verdict_name(c->verdict));
    text_add(t, "\">The findings of this operator");
    text_format(t, c->case_id ? " with the verdict %s</a></p></li>\n" : "</a></p></li>\n", verdict_name(c->verdict));
    t->failed |= described.failed || command.failed || own.failed;
    text_free(&own);
    text_free(&described);
    text_free(&command);
}

void html_causes(html_page *p)
{
    const causes *c = &p->causes;
    if (c->count == 0 && !c->unknown)
        return;
    html_section(p->t, "causes", "Causes");
    html_element(p->t, "<p class=\"note\">The failing cases were not grouped: ", c->unknown, ".</p>\n");
    if (c->count)
        text_add(p->t,
                 "<p class=\"note\">The failing cases, grouped over tests, data types and operators by what they have "
                 "in common: the shortest query found that holds them.</p>\n<ol class=\"causes\">\n");
    for (size_t i = 0; i < c->count; ++i)
        write_cause(p, i);
    if (c->count)
        text_add(p->t,
                 "</ol>\n<p class=\"note\">Since when? <code>touchstone diff OLDER.run THIS.run</code> names what "
                 "began to fail since an older run, and <code>touchstone history DB</code> the run in which each "
                 "region began to fail.</p>\n");
    html_section_end(p->t);
}
