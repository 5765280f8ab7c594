/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses and the backends of a comparison. */
#include "reports/compare_html_parts.h"
#include "harness/store/summary.h"

#include <stdio.h>
#include <string.h>

/* Begin a table, with a caption for those who do not see where it stands. */
static void begin_table(compare_page *p, const char *caption, const char *heads)
{
    text_add(p->t, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    text_xml(p->t, caption);
    text_add(p->t, "\"><table class=\"plain\">\n<caption class=\"hidden\">");
    text_xml(p->t, caption);
    text_format(p->t, "</caption><thead><tr>%s", heads);
}

static void end_table(compare_page *p)
{
    text_add(p->t, "</tbody></table></div>\n");
}

/* ---- clauses ---- */

static void write_clause(compare_page *p, const compare_clause *own)
{
    static const char *const colours[] = { "dim", "good", "bad" };
    text *t = p->t;
    text_add(t, "<tr><th scope=\"row\">");
    text_xml(t, own->id);
    text_add(t, "</th><td>");
    text_xml(t, own->text);
    text_add(t, "</td>");
    for (size_t i = 0; i < p->c->side_count; ++i) {
        text_format(t, "<td class=\"side %s\">%s", colours[own->sides[i].state],
                    compare_clause_state_name(own->sides[i].state));
        if (own->sides[i].broken) {
            text_add(t, "<br><small>refused ");
            text_count(t, own->sides[i].refused);
            text_add(t, " of ");
            text_count(t, own->sides[i].broken);
            text_add(t, " violating cases</small>");
        }
        if (own->sides[i].cited) {
            text_add(t, "<br><small>findings ");
            text_count(t, own->sides[i].cited);
            text_add(t, "</small>");
        }
        text_add(t, "</td>");
    }
    text_add(t, "</tr>\n");
}

void compare_html_clauses(compare_page *p)
{
    text *t = p->t;
    const compare *c = p->c;
    html_section(t, "clauses", "Clauses");
    compare_html_note(
        p,
        "Satisfied: the backend refused supported cases that violate the clause on purpose, and no finding cites it. "
        "Violated: a finding cites it. Not tested: no case that ran can show whether the backend satisfies it.");
    for (size_t i = 0, end; i < c->clause_count; i = end) {
        size_t count[3] = { 0 };
        for (end = i; end < c->clause_count && strcmp(c->clauses[end].op, c->clauses[i].op) == 0; ++end)
            count[compare_clause_overall(&c->clauses[end], c->side_count)]++;
        text_add(t, "<details class=\"kind\"><summary>");
        text_xml(t, c->clauses[i].op);
        text_format(
            t, " <span class=\"note\">%zu satisfied by all, %zu violated, %zu not tested with all</span></summary>\n",
            count[COMPARE_CLAUSE_SATISFIED], count[COMPARE_CLAUSE_VIOLATED], count[COMPARE_CLAUSE_NOT_TESTED]);
        begin_table(p, c->clauses[i].op, "<th scope=\"col\">Clause</th><th scope=\"col\">Text</th>");
        compare_html_heads(p);
        text_add(t, "</tr></thead>\n<tbody>\n");
        for (size_t k = i; k < end; ++k)
            write_clause(p, &c->clauses[k]);
        end_table(p);
        text_add(t, "</details>\n");
    }
    html_section_end(t);
}

/* ---- backends ---- */

void compare_html_sides(compare_page *p)
{
    static const char *const keys[] = { STORE_BACKEND,        STORE_BACKEND_VERSION, STORE_BACKEND_OPTIONS,
                                        STORE_BACKEND_DEVICE, STORE_LEVEL,           STORE_STARTED,
                                        STORE_STATE };
    text *t = p->t;
    html_section(t, "sides", "Backends");
    compare_html_note(p, "What was run. Each backend is judged at its own feature level.");
    begin_table(p, "What was run",
                "<th scope=\"col\">Name</th><th scope=\"col\">Backend</th><th scope=\"col\">Version</th>"
                "<th scope=\"col\">Options</th><th scope=\"col\">Device</th><th scope=\"col\">Level</th>"
                "<th scope=\"col\">Started (UTC)</th><th scope=\"col\">State</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->c->side_count; ++i) {
        const compare_side *s = &p->c->sides[i];
        text_add(t, "<tr><th scope=\"row\">");
        text_xml(t, s->label);
        text_add(t, "</th>");
        for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
            char minute[17] = "";
            if (s->store && strcmp(keys[k], STORE_STARTED) == 0) {
                const char *started = store_get(s->store, STORE_STARTED);
                snprintf(minute, sizeof minute, "%.16s", started ? started : "");
                minute[strcspn(minute, "T")] = *minute ? ' ' : '\0';
            }
            text_add(t, *minute ? "<td class=\"time\">" : "<td>");
            text_xml(t, *minute                             ? minute
                        : !s->store                         ? (k == 0 ? "supports none of the requested cases" : "")
                        : strcmp(keys[k], STORE_STATE) == 0 ? summary_state(s->store)
                                                            : store_get(s->store, keys[k]));
            text_add(t, "</td>");
        }
        text_add(t, "</tr>\n");
    }
    end_table(p);
    html_section_end(t);
}
