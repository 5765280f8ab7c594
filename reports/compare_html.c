/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/compare_html.h"

#include "reports/compare_print.h"
#include "harness/model/tensor.h"
#include "reference/ledger.h"
#include "reports/html_parts.h"
#include "harness/base/output.h"

#include <string.h>

static const char style[] =
    "h1::first-letter{text-transform:uppercase}"
    "td.query{font-family:var(--mono);font-size:.8125rem;overflow-wrap:anywhere;min-width:20rem}td.query p{margin:0}"
    ".side .good,.side.good{color:var(--good)}.side .bad,.side.bad{color:var(--bad);font-weight:600}"
    ".side .warn,.side.warn{color:var(--warn)}.side .dim,.side.dim{color:var(--dim)}.side span{white-space:nowrap}"
    ".side small{font-size:.75rem}th.side{white-space:normal!important;overflow-wrap:anywhere}"
    "tr.all>*{border-top:1px solid var(--strong);font-weight:600}";

typedef struct page {
    text *t;
    const compare *c;
} page;

static void side_heads(page *p)
{
    for (size_t i = 0; i < p->c->side_count; ++i)
        html_element(p->t, "<th scope=\"col\" class=\"side\">", p->c->sides[i].label, "</th>");
}

static void begin_table(page *p, const char *heads)
{
    text_format(p->t, "<div class=\"scroll\"><table class=\"plain\">\n<thead><tr>%s", heads);
}

static void end_table(page *p)
{
    text_add(p->t, "</tbody></table></div>\n");
}

static void begin_section(page *p, const char *id, const char *heading, const char *note)
{
    text_format(p->t, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"note\">%s</p>\n", id, heading, note);
}

/* ---- head and sides ---- */

static void figure(text *t, const char *name, uint64_t n, const char *class)
{
    text_format(t, "<li class=\"%s\"><b>", n ? class : "zero");
    text_count(t, n);
    text_format(t, "</b> <span>%s</span></li>\n", name);
}

static void write_head(page *p)
{
    text *t = p->t;
    char headline[COMPARE_HEADLINE_SIZE];
    const compare_counts *n = &p->c->total;
    exit_status status = compare_status(p->c);
    text_format(t, "<header class=\"%s\">\n<p class=\"kicker\">Touchstone comparison</p>\n<h1>",
                status == EXIT_FAILURES     ? "bad"
                : status == EXIT_CONFORMANT ? "good"
                                            : "warn");
    text_xml(t, compare_headline(p->c, headline, sizeof headline));
    text_add(t, "</h1>\n<p class=\"sub\">");
    for (size_t i = 0; i < p->c->side_count; ++i)
        html_element(t, i ? " \xC2\xB7 <b>" : "<b>", p->c->sides[i].label, "</b>");
    text_add(t, "</p>\n<ul class=\"figures\">\n");
    figure(t, "cases", n->cases, "all");
    figure(t, "supported by all", n->common, "all");
    figure(t, "pass everywhere", n->kinds[COMPARE_EVERYWHERE], "good");
    figure(t, "differ", n->kinds[COMPARE_DIFFERS], "bad");
    figure(t, "pass nowhere", n->kinds[COMPARE_NOWHERE], "bad");
    figure(t, "pass where supported", n->kinds[COMPARE_SUPPORTED_BY_SOME], "warn");
    figure(t, "unspecified", n->kinds[COMPARE_UNSPECIFIED], "warn");
    figure(t, "not run", n->kinds[COMPARE_INCOMPLETE], "warn");
    text_add(t, "</ul>\n</header>\n<nav aria-label=\"Sections\"><a href=\"#sides\">Sides</a> <a href=\"#matrix\">Matrix"
                "</a> <a href=\"#everywhere\">Everywhere</a> <a href=\"#regions\">Differences</a> "
                "<a href=\"#clauses\">Clauses</a> <a href=\"#unspecified\">Unspecified behaviour</a></nav>\n<main>\n");
}

static void write_sides(page *p)
{
    static const char *const keys[] = { STORE_BACKEND,        STORE_BACKEND_VERSION, STORE_BACKEND_OPTIONS,
                                        STORE_BACKEND_DEVICE, STORE_LEVEL,           STORE_STARTED,
                                        STORE_STATE };
    text *t = p->t;
    begin_section(p, "sides", "Sides", "The backends that were run. Each is judged at its own feature level.");
    begin_table(p, "<th scope=\"col\">Side</th><th scope=\"col\">Backend</th><th scope=\"col\">Version</th>"
                   "<th scope=\"col\">Options</th><th scope=\"col\">Device</th><th scope=\"col\">Level</th>"
                   "<th scope=\"col\">Started</th><th scope=\"col\">State</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->c->side_count; ++i) {
        const compare_side *s = &p->c->sides[i];
        text_add(t, "<tr><th scope=\"row\">");
        text_xml(t, s->label);
        text_add(t, "</th>");
        for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
            text_add(t, "<td>");
            text_xml(t, s->store ? store_get(s->store, keys[k]) : k == 0 ? "supports none of the requested cases" : "");
            text_add(t, "</td>");
        }
        text_add(t, "</tr>\n");
    }
    end_table(p);
    text_add(t, "</section>\n");
}

/* ---- the matrix ---- */

/* The colour of each state; the text has the same information. */
static const char *const classes[COMPARE_STATES] = { "good", "bad", "warn", "warn", "dim", "warn" };

static void matrix_row(page *p, const char *op, const char *dtype, const compare_counts *n)
{
    text *t = p->t;
    text_format(t, "<tr%s><th scope=\"row\">", dtype ? "" : " class=\"all\"");
    text_xml(t, op);
    text_add(t, "</th><td>");
    text_xml(t, dtype);
    text_add(t, "</td>");
    html_number_cell(t, n->cases, NULL);
    html_number_cell(t, n->kinds[COMPARE_EVERYWHERE], NULL);
    for (size_t i = 0; i < p->c->side_count; ++i) {
        const char *before = "";
        text_add(t, "<td class=\"side\">");
        for (int k = 0; k < COMPARE_STATES; ++k) {
            if (!n->sides[i][k])
                continue;
            text_format(t, "%s<span class=\"%s\">", before, classes[k]);
            text_count(t, n->sides[i][k]);
            text_format(t, " <small>%s</small></span>", compare_state_name((compare_state)k));
            before = ", ";
        }
        text_add(t, *before ? "</td>" : "\xE2\x80\x93</td>");
    }
    text_add(t, "</tr>\n");
}

static void write_matrix(page *p)
{
    begin_section(p, "matrix", "Matrix",
                  "The number of cases by operator and data type, the number that passes everywhere, and the results "
                  "of each side. An unsupported case is not a success.");
    begin_table(p, "<th scope=\"col\">Operator</th><th scope=\"col\">Data type</th>"
                   "<th scope=\"col\" class=\"num\">Cases</th><th scope=\"col\" class=\"num\">Everywhere</th>");
    side_heads(p);
    text_add(p->t, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->c->type_count; ++i) {
        const ts_dtype_info *info = tensor_dtype(p->c->types[i].dtype);
        matrix_row(p, p->c->types[i].op, info ? info->id : "?", &p->c->types[i].counts);
    }
    matrix_row(p, "all", NULL, &p->c->total);
    end_table(p);
    text_add(p->t, "</section>\n");
}

/* ---- regions ---- */

/* Write the queries of a group. For cases that pass everywhere (`promise`), write only exact queries. */
static void write_region(page *p, const compare_group *g, bool promise)
{
    text *t = p->t;
    uint64_t written = 0;
    text_add(t, "<td class=\"query\">");
    for (size_t i = 0; i < g->group.part_count; ++i) {
        const group_part *part = &g->group.parts[i];
        if (promise && part->others)
            continue;
        written += part->cases;
        html_element(t, "<p>", part->query, "");
        if (part->others) {
            text_add(t, " <span class=\"note\">and ");
            text_count(t, part->others);
            text_add(t, " other cases</span>");
        }
        text_add(t, "</p>");
    }
    if (written == 0)
        html_element(t, "<p>in ", p->c->tests[g->test].name, "</p>");
    else if (written < g->group.cases) {
        text_add(t, "<p class=\"note\">and ");
        text_count(t, g->group.cases - written);
        html_element(t, " other cases of ", p->c->tests[g->test].name, "</p>");
    }
    if (!promise)
        html_element(t, "<p class=\"note\">example: ", g->group.example, "</p>");
    text_add(t, "</td>");
}

static void write_verdicts(page *p, const compare_group *g)
{
    for (size_t i = 0; i < p->c->side_count; ++i) {
        int v = g->verdicts[i];
        text_format(p->t, "<td class=\"side %s\">%s</td>", classes[compare_state_of(v)],
                    v == COMPARE_NOT_SUPPORTED ? "not supported"
                    : v == VERDICT_NONE        ? "not run"
                                               : verdict_name((verdict)v));
    }
}

static void write_everywhere(page *p)
{
    begin_section(p, "everywhere", "What an application may rely on everywhere",
                  "Cases that every side supports and passes, as queries that select these cases and no others.");
    begin_table(p, "<th scope=\"col\" class=\"num\">Cases</th><th scope=\"col\">Region</th>"
                   "<th scope=\"col\">What the test checks</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->c->group_count; ++i) {
        const compare_group *g = &p->c->groups[i];
        if (g->kind != COMPARE_EVERYWHERE)
            continue;
        text_add(p->t, "<tr>");
        html_number_cell(p->t, g->group.cases, NULL);
        write_region(p, g, true);
        text_add(p->t, "<td>");
        text_xml(p->t, p->c->tests[g->test].title);
        text_add(p->t, "</td></tr>\n");
    }
    end_table(p);
    if (p->c->total.kinds[COMPARE_EVERYWHERE] == 0)
        text_add(p->t, "<p class=\"note\">No case.</p>\n");
    text_add(p->t, "</section>\n");
}

static void write_kind(page *p, compare_kind kind, const char *heading)
{
    text *t = p->t;
    if (p->c->total.kinds[kind] == 0)
        return;
    text_format(t, "<details%s><summary>%s: ",
                kind == COMPARE_SUPPORTED_BY_SOME || kind == COMPARE_UNSPECIFIED ? "" : " open", heading);
    text_count(t, p->c->total.kinds[kind]);
    text_add(t, "</summary>\n");
    begin_table(p, "<th scope=\"col\" class=\"num\">Cases</th>");
    side_heads(p);
    text_add(t, "<th scope=\"col\">Clauses</th><th scope=\"col\">Region</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < p->c->group_count; ++i) {
        const compare_group *g = &p->c->groups[i];
        if (g->kind != kind)
            continue;
        text_add(t, "<tr>");
        html_number_cell(t, g->group.cases, NULL);
        write_verdicts(p, g);
        text_add(t, "<td>");
        text_xml(t, g->clauses);
        text_add(t, "</td>");
        write_region(p, g, false);
        text_add(t, "</tr>\n");
    }
    end_table(p);
    text_add(t, "</details>\n");
}

static void write_differences(page *p)
{
    const uint64_t *kinds = p->c->total.kinds;
    begin_section(p, "regions", "Differences",
                  "Cases that not every side supports and passes: the verdict of each side, the clauses that the "
                  "retained findings cite, and queries for <code>touchstone run</code>.");
    if (kinds[COMPARE_EVERYWHERE] == p->c->total.cases)
        text_add(p->t, "<p class=\"note\">None.</p>\n");
    write_kind(p, COMPARE_DIFFERS, "They differ");
    write_kind(p, COMPARE_NOWHERE, "Fail wherever they are supported");
    write_kind(p, COMPARE_SUPPORTED_BY_SOME, "Pass where they are supported, which is not everywhere");
    write_kind(p, COMPARE_INCOMPLETE, "Planned but not run");
    write_kind(p, COMPARE_UNSPECIFIED, "Not judged, because the specification is ambiguous");
    text_add(p->t, "</section>\n");
}

/* ---- clauses ---- */

static void write_clause(page *p, const compare_clause *own)
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

static void write_clauses(page *p)
{
    text *t = p->t;
    const compare *c = p->c;
    begin_section(
        p, "clauses", "Clauses",
        "Satisfied: the side refused supported cases that violate the clause on purpose, and no finding cites it. "
        "Violated: a finding cites it. Not tested: no case that ran can show whether the side satisfies it.");
    for (size_t i = 0, end; i < c->clause_count; i = end) {
        size_t count[3] = { 0 };
        for (end = i; end < c->clause_count && strcmp(c->clauses[end].op, c->clauses[i].op) == 0; ++end)
            count[compare_clause_overall(&c->clauses[end], c->side_count)]++;
        text_format(t, "<details%s><summary>", count[COMPARE_CLAUSE_VIOLATED] ? " open" : "");
        text_xml(t, c->clauses[i].op);
        text_format(
            t, " <span class=\"note\">%zu satisfied by all, %zu violated, %zu not tested with all</span></summary>\n",
            count[COMPARE_CLAUSE_SATISFIED], count[COMPARE_CLAUSE_VIOLATED], count[COMPARE_CLAUSE_NOT_TESTED]);
        begin_table(p, "<th scope=\"col\">Clause</th><th scope=\"col\">Text</th>");
        side_heads(p);
        text_add(t, "</tr></thead>\n<tbody>\n");
        for (size_t k = i; k < end; ++k)
            write_clause(p, &c->clauses[k]);
        end_table(p);
        text_add(t, "</details>\n");
    }
    text_add(t, "</section>\n");
}

/* ---- unspecified behaviour ---- */

static void write_behaviours(page *p)
{
    text *t = p->t;
    const compare *c = p->c;
    begin_section(p, "unspecified", "Unspecified behaviour",
                  "What each side does where the published specification does not decide. No side is judged by it. An "
                  "application can rely on it only where all sides behave alike.");
    if (c->behaviour_count == 0) {
        text_add(t, "<p class=\"note\">No case has unspecified behaviour.</p>\n</section>\n");
        return;
    }
    begin_table(p, "<th scope=\"col\">Entry</th><th scope=\"col\">Observed behaviour</th>");
    side_heads(p);
    text_add(t, "<th scope=\"col\">Example</th></tr></thead>\n<tbody>\n");
    for (size_t k = 0; k < c->behaviour_count; ++k) {
        const compare_behaviour *a = &c->behaviours[k];
        const ledger_entry *known = ledger_find(a->entry);
        bool first = k == 0 || strcmp(c->behaviours[k - 1].entry, a->entry) != 0;
        text_add(t, "<tr><th scope=\"row\">");
        text_xml(t, first ? a->entry : "");
        if (first && a->differs)
            text_add(t, "<br><span class=\"v warn\">they differ</span>");
        text_add(t, "</th><td>");
        text_xml(t, a->behaviour);
        html_element(t, "<div class=\"note\">", first && known ? known->problem : NULL, "</div>");
        text_add(t, "</td>");
        for (size_t i = 0; i < c->side_count; ++i)
            html_number_cell(t, a->cases[i], a->differs ? "warn" : NULL);
        html_element(t, "<td class=\"query\">", a->example, "</td></tr>\n");
    }
    end_table(p);
    text_add(t, "</section>\n");
}

bool compare_html(const compare *c, const char *path, error *e)
{
    output out;
    if (!output_open(&out, path, e))
        return false;
    text *t = &out.text;
    page p = { .t = t, .c = c };
    text_add(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta name=\"color-scheme\" content=\"light dark\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                "'unsafe-inline'\">\n<title>Touchstone comparison</title>\n<style>\n");
    text_add(t, report_page_css);
    text_add(t, style);
    text_add(t, "</style>\n</head>\n<body>\n");
    write_head(&p);
    write_sides(&p);
    write_matrix(&p);
    write_everywhere(&p);
    write_differences(&p);
    write_clauses(&p);
    write_behaviours(&p);
    text_add(t, "</main>\n</body>\n</html>\n");
    return output_close(&out, true, e);
}
