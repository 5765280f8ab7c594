/* SPDX-License-Identifier: Apache-2.0 */
/* Observations, which follow the ledger, and the section of the page with the clauses that verdicts cite. */
#include "reports/html_parts.h"

#include <string.h>

static bool write_observation(void *context, const store_observation *o)
{
    html_page *p = context;
    const char *behaviour;
    if (o->kind && entries_observed(&p->e, o->kind, &behaviour))
        return true; /* the ledger section has it */
    size_t test = summary_find_test(&p->m, o->test);
    text_add(p->t, "<tr><td>");
    text_xml(p->t, test < p->m.test_count ? p->m.tests[test].name : "");
    text_add(p->t, "</td><td>");
    text_xml(p->t, o->kind);
    text_add(p->t, "</td>");
    html_number_cell(p->t, o->cases, "");
    text_add(p->t, "<td class=\"mono\">");
    text_xml(p->t, o->example);
    text_add(p->t, "</td><td>");
    text_xml(p->t, o->detail);
    text_add(p->t, "</td></tr>\n");
    return true;
}

bool html_observations(html_page *p, error *e)
{
    text *t = p->t;
    text_add(t, "<h3 id=\"observations\">Observations</h3>\n<p class=\"note\">Behaviour that no clause forbids, but "
                "that may matter.</p>\n");
    size_t before = t->length;
    text_add(t, "<div class=\"scroll\"><table class=\"plain\">\n<caption class=\"hidden\">Observations</caption>\n"
                "<thead><tr><th scope=\"col\">Test</th><th scope=\"col\">Kind</th><th scope=\"col\" class=\"num\">"
                "Cases</th><th scope=\"col\">Example</th><th scope=\"col\">What it did there</th></tr></thead>\n"
                "<tbody>\n");
    size_t head = t->length;
    if (!store_each_observation(p->s, write_observation, p, e))
        return false;
    if (t->length == head && !t->failed) {
        t->length = before;
        text_add(t, "<p class=\"note\">None.</p>\n");
    } else {
        text_add(t, "</tbody></table></div>\n");
    }
    return true;
}

void html_clause_basis(text *t, const html_clause *c)
{
    text_xml(t, c->basis);
    if (c->ground[0]) {
        text_add(t, ": ");
        text_xml(t, c->ground);
    }
}

void html_clauses(html_page *p)
{
    text *t = p->t;
    html_section(t, "clauses", "Clauses");
    text_add(t,
             "<p class=\"note\">The rules that verdicts cite. Every "
             "legal case satisfies all of them; a backend must refuse cases that violate one on purpose. A rule that a "
             "descriptor can violate and no case of this run violates is highlighted; a dash marks the rules that no "
             "descriptor can violate.</p>\n");
    for (size_t i = 0, end; i < p->f.clause_count; i = end) {
        size_t cited = 0;
        uint64_t broken = 0, refused = 0, passed = 0;
        for (end = i; end < p->f.clause_count && strcmp(p->f.clauses[end].op, p->f.clauses[i].op) == 0; ++end) {
            cited += p->f.clauses[end].cited > 0;
            broken += p->f.clauses[end].broken;
            refused += p->f.clauses[end].refused;
        }
        for (size_t k = 0; k < p->m.operator_count; ++k)
            if (strcmp(p->m.operators[k].name, p->f.clauses[i].op) == 0)
                passed = p->m.operators[k].counts.cases[VERDICT_PASS];
        text_format(t, "<details%s><summary>", cited ? " open" : "");
        text_xml(t, p->f.clauses[i].op);
        text_format(t, " <span class=\"note\">%zu clauses, satisfied by ", end - i);
        text_count(t, passed > refused ? passed - refused : 0); /* a correct refusal is a pass, too */
        text_add(t, " legal cases that passed; ");
        text_count(t, broken);
        text_add(t, " cases violate one on purpose");
        if (cited)
            text_format(t, "; findings cite %zu", cited);
        text_add(t,
                 "</span></summary>\n<div class=\"scroll\"><table class=\"plain clauses\">\n<caption class=\"hidden\">"
                 "Clauses</caption>\n<thead><tr><th scope=\"col\">"
                 "Clause</th><th scope=\"col\">Text</th><th scope=\"col\">Page</th><th scope=\"col\">Section</th><th "
                 "scope=\"col\">Basis</th><th scope=\"col\">Ledger</th>"
                 "<th scope=\"col\" class=\"num\">Violated by</th><th scope=\"col\" class=\"num\">Refused</th>"
                 "<th scope=\"col\" class=\"num\">Findings</th></tr></thead>\n<tbody>\n");
        for (size_t k = i; k < end; ++k) {
            const html_clause *c = &p->f.clauses[k];
            text_add(t, c->cited ? "<tr class=\"cited\" id=\"clause-" : "<tr id=\"clause-");
            text_xml(t, c->op);
            text_add(t, "-");
            text_xml(t, c->id);
            text_add(t, "\" data-clause=\"");
            text_xml(t, c->op);
            text_add(t, " ");
            text_xml(t, c->id);
            text_add(t, "\"><th scope=\"row\">");
            text_xml(t, c->id);
            text_add(t, "</th><td>");
            text_xml(t, c->text);
            text_add(t, "</td><td>");
            html_page_name(t, c->page);
            text_add(t, "</td><td>");
            text_xml(t, c->section);
            text_add(t, "</td><td>");
            html_clause_basis(t, c);
            text_add(t, "</td><td class=\"entries\">");
            html_clause_entries(t, &p->e, c->id, "");
            text_add(t, "</td>");
            if (!c->breakable) {
                text_add(t, "<td class=\"num zero\">\xE2\x80\x93</td><td class=\"num zero\">\xE2\x80\x93</td>");
            } else if (c->broken == 0) {
                text_add(t, "<td class=\"num bad\">no case</td><td class=\"num zero\"></td>");
            } else {
                html_number_cell(t, c->broken, "");
                html_number_cell(t, c->refused, c->refused == c->broken ? "" : "bad");
            }
            html_number_cell(t, c->cited, "bad");
            text_add(t, "</tr>\n");
        }
        text_add(t, "</tbody></table></div></details>\n");
    }
    if (p->f.clause_count == 0)
        text_add(t, "<p class=\"note\">The run has no clauses.</p>\n");
    html_section_end(t);
}
