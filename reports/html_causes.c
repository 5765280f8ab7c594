/* SPDX-License-Identifier: Apache-2.0 */
/* The section of the page with the causes of the failures. */
#include "reports/causes_print.h"
#include "reports/html_parts.h"

static void write_cause(html_page *p, const cause *c)
{
    text *t = p->t, described = { .data = NULL }, command = { .data = NULL };
    text_add(t, "<li class=\"cause\"><h3>");
    text_add(t, c->estimated ? "About " : "");
    text_count(t, c->cases);
    text_format(t, " case%s of ", c->cases == 1 ? "" : "s");
    text_xml(t, c->op);
    text_format(t, ": %s</h3>\n", cause_kind_text(c->kind));
    for (size_t i = 0; i < c->query_count; ++i)
        html_element(t, "<p><code>", c->queries[i], "</code></p>\n");
    causes_describe(c, &described);
    html_element(t, "<p class=\"note\">", described.data, ".</p>\n");
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
    if (c->case_id) {
        text_add(t, "<p>The smallest failing case that is known: ");
        html_verdict(t, c->verdict);
        html_element(t, " <span class=\"case\">", c->case_id, "</span>");
        html_element(t, " ", c->clause, "");
        text_add(t, "</p>\n");
    }
    html_element(t, "<p class=\"detail\">", c->story, "</p>\n");
    text_add(t, "<pre class=\"commands\">");
    html_element(t, "", c->reproducer, "\n");
    html_element(t, "", c->explain, "\n");
    causes_command(c, p->s, &command);
    if (c->query_count)
        html_element(t, "", command.data, "\n");
    text_add(t, "</pre></li>\n");
    t->failed |= described.failed || command.failed;
    text_free(&described);
    text_free(&command);
}

bool html_causes(html_page *p, error *e)
{
    causes c;
    const bool fine = causes_find(&c, p->s, e);
    if (fine && (c.count || c.unknown)) {
        text_add(p->t, "<section id=\"causes\">\n<h2>Causes</h2>\n");
        html_element(p->t, "<p class=\"note\">The failing cases were not grouped: ", c.unknown, ".</p>\n");
        if (c.count)
            text_add(
                p->t,
                "<p class=\"note\">The failing cases, grouped over tests, data types and operators by what they have in "
                "common: the shortest query found that holds them.</p>\n<ol>\n");
        for (size_t i = 0; i < c.count; ++i)
            write_cause(p, &c.list[i]);
        text_add(p->t, c.count ? "</ol>\n" : "");
        text_add(p->t, "</section>\n");
    }
    causes_free(&c);
    return fine;
}
