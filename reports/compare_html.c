/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/compare_html.h"

#include "harness/base/output.h"
#include "harness/model/tensor.h"
#include "reference/ledger.h"
#include "reports/compare_html_parts.h"
#include "reports/compare_print.h"

#include <string.h>

/* Embedded by CMake. */
extern const char report_compare_css[];

enum { FEW_SIDES = 4 }; /* that fit on a telephone */

const char *compare_html_class(compare_state s)
{
    static const char *const classes[COMPARE_STATES] = { "good", "bad", "warn", "warn", "warn", "dim", "warn" };
    return classes[s];
}

void compare_html_heads(compare_page *p)
{
    for (size_t i = 0; i < p->c->side_count; ++i)
        html_element(p->t, "<th scope=\"col\" class=\"side\">", p->c->sides[i].label, "</th>");
}

void compare_html_note(compare_page *p, const char *note)
{
    text_format(p->t, "<p class=\"note\">%s</p>\n", note);
}

/* Begin a table with a column for each side, behind those of `first_head`. */
static void begin_sides(compare_page *p, const char *caption, const char *first_head)
{
    text_format(p->t,
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\"><table class=\"sides%s\">\n"
                "<caption>%s</caption>\n<thead><tr>%s",
                caption, p->c->side_count > FEW_SIDES ? " many" : "", caption, first_head);
    compare_html_heads(p);
    text_add(p->t, "</tr></thead>\n");
}

static void end_sides(compare_page *p)
{
    text_add(p->t, "</table></div>\n");
}

/* ---- the matrix ---- */

/* Write the result of a side: the worst state first, each with its number. It is not green where cases are
   unsupported or not judged. */
static void write_cell(compare_page *p, const uint64_t states[COMPARE_STATES])
{
    static const compare_state worst_first[] = { COMPARE_FAIL,       COMPARE_NOT_RUN,   COMPARE_WAIVED,
                                                 COMPARE_PASS,       COMPARE_AMBIGUOUS, COMPARE_NOT_JUDGED,
                                                 COMPARE_UNSUPPORTED };
    text *t = p->t;
    bool any = false;
    const bool part = states[COMPARE_UNSUPPORTED] + states[COMPARE_NOT_JUDGED] > 0;
    for (size_t i = 0; i < COMPARE_STATES; ++i) {
        const compare_state s = worst_first[i];
        if (states[s] == 0)
            continue;
        if (!any)
            text_format(t, "<td class=\"%s\"><b>", s == COMPARE_PASS && part ? "dim" : compare_html_class(s));
        else
            text_add(t, "<span>");
        text_count(t, states[s]);
        text_format(t, " %s%s", compare_state_name(s), any ? "</span>" : "</b>");
        any = true;
    }
    text_add(t, any ? "</td>" : "<td class=\"dim\">none</td>");
}

static void write_cells(compare_page *p, const compare_counts *n)
{
    for (size_t i = 0; i < p->c->side_count; ++i)
        write_cell(p, n->sides[i]);
    text_add(p->t, "</tr>\n");
}

static void write_types(compare_page *p, size_t first, size_t end)
{
    text *t = p->t;
    begin_sides(p, "By data type", "<th scope=\"col\" class=\"type\">Type</th>");
    text_add(t, "<tbody>\n");
    for (size_t i = first; i < end; ++i) {
        const ts_dtype_info *info = tensor_dtype(p->c->types[i].dtype);
        text_format(t, "<tr><th scope=\"row\" class=\"type\">%s</th>", info ? info->id : "?");
        write_cells(p, &p->c->types[i].counts);
    }
    text_add(t, "</tbody>");
    end_sides(p);
}

static void write_operator(compare_page *p, const char *name, const compare_counts *n)
{
    text *t = p->t;
    text_format(t, "<tbody>\n<tr class=\"of\"><th scope=\"rowgroup\" colspan=\"%zu\"><b>", p->c->side_count);
    text_xml(t, name);
    text_add(t, "</b> <span class=\"note\">");
    text_count(t, n->kinds[COMPARE_EVERYWHERE]);
    text_add(t, " of ");
    text_count(t, n->cases);
    text_add(t, " cases pass everywhere</span></th></tr>\n<tr>");
    write_cells(p, n);
}

static void write_matrix(compare_page *p)
{
    const compare *c = p->c;
    html_section(p->t, "matrix", "Operators and backends");
    begin_sides(p, "Cases of each operator at each backend; an unsupported case is not a success.", "");
    for (size_t first = 0, end; first < c->type_count; first = end) {
        compare_counts sum;
        end = compare_operator(c, first, &sum);
        write_operator(p, c->types[first].op, &sum);
        text_format(p->t, "<tr><td class=\"wide\" colspan=\"%zu\"><details><summary>Data types and regions of ",
                    c->side_count);
        text_xml(p->t, c->types[first].op);
        text_add(p->t, "</summary>\n");
        write_types(p, first, end);
        compare_html_regions_of(p, c->types[first].op);
        text_add(p->t, "</details></td></tr>\n</tbody>\n");
    }
    write_operator(p, "all operators", &c->total);
    text_add(p->t, "</tbody>");
    end_sides(p);
    html_section_end(p->t);
}

/* ---- the answers to what the specification leaves open ---- */

static void write_answers(compare_page *p, size_t first, size_t end, size_t side, const char *op)
{
    text *t = p->t;
    char answer[COMPARE_BEHAVIOUR_SIZE];
    bool any = false;
    for (size_t k = first; k < end; ++k) {
        const compare_behaviour *a = &p->c->behaviours[k];
        if (a->cases[side] == 0)
            continue;
        if (!any)
            text_format(t, "<td class=\"%s\">", a->differs ? "warn" : "good");
        any = true;
        html_element(t, "<span><b>", compare_answer(a->behaviour, answer, sizeof answer), "</b> ");
        text_count(t, a->cases[side]);
        text_format(t, " case%s</span>", a->cases[side] == 1 ? "" : "s");
    }
    if (!any) {
        text_add(t, "<td class=\"dim\">not observed: ");
        text_xml(t, compare_unanswered(p->c, side, op, end > first, answer, sizeof answer));
    }
    text_add(t, "</td>");
}

/* A question and its answers, which are the behaviours from `first` to `end`. */
static void write_question(compare_page *p, const char *id, size_t first, size_t end)
{
    const ledger_entry *entry = ledger_find(id);
    const char *op = entry ? entry->op : "";
    const bool answered = end > first, differs = answered && p->c->behaviours[first].differs;
    const bool few = !answered || compare_answering(p->c, first) == 1;
    text *t = p->t;
    text_format(t, "<tbody>\n<tr class=\"of\"><th scope=\"rowgroup\" colspan=\"%zu\"><b>", p->c->side_count);
    text_xml(t, id);
    text_format(t, "</b> <span class=\"state %s\">%s</span> ",
                differs ? "warn"
                : few   ? "dim"
                        : "good",
                differs     ? "they differ"
                : !answered ? "not observed"
                : few       ? "one answer"
                            : "alike");
    text_xml(t, entry ? entry->problem : "");
    html_element(t, " <span class=\"note\">", op, "</span>");
    text_add(t, "</th></tr>\n<tr>");
    for (size_t i = 0; i < p->c->side_count; ++i)
        write_answers(p, first, end, i, op);
    text_add(t, "</tr>\n");
    if (answered) {
        text_format(t, "<tr><td class=\"wide\" colspan=\"%zu\"><span class=\"note\">example: <code>", p->c->side_count);
        text_xml(t, p->c->behaviours[first].example);
        text_add(t, "</code></span></td></tr>\n");
    }
    text_add(t, "</tbody>\n");
}

static void write_questions(compare_page *p)
{
    const compare *c = p->c;
    html_section(p->t, "questions", "What the specification leaves open, and what each answers");
    compare_html_note(p,
                      "No backend is judged by these cases. An application can rely on an answer only where all give "
                      "it. <code>touchstone ledger ID</code> prints the whole entry of a question.");
    const bool any = c->behaviour_count + c->open_count > 0;
    if (!any)
        compare_html_note(p, "The specification leaves no question about these operators open.");
    else
        begin_sides(p, "Answers, with the number of cases", "");
    for (int differs = 1; differs >= 0; --differs)
        for (size_t first = 0, end; first < c->behaviour_count; first = end) {
            end = compare_question(c, first);
            if (c->behaviours[first].differs == (differs != 0))
                write_question(p, c->behaviours[first].entry, first, end);
        }
    for (size_t i = 0; i < c->open_count; ++i)
        write_question(p, c->open[i].entry, 0, 0);
    if (any)
        end_sides(p);
    html_section_end(p->t);
}

/* ---- the page ---- */

static void write_head(compare_page *p)
{
    static const html_link links[] = { { "everywhere", "Everywhere" },    { "matrix", "Matrix" },
                                       { "questions", "Open questions" }, { "regions", "Differences" },
                                       { "clauses", "Clauses" },          { "sides", "Backends" } };
    text *t = p->t;
    char headline[COMPARE_HEADLINE_SIZE];
    const compare_counts *n = &p->c->total;
    const exit_status status = compare_status(p->c);
    html_header_begin(t,
                      status == EXIT_FAILURES     ? "bad"
                      : status == EXIT_CONFORMANT ? "good"
                                                  : "warn",
                      "Touchstone comparison");
    text_xml(t, compare_headline(p->c, headline, sizeof headline));
    text_add(t, "</h1>\n<ul class=\"figures\">\n");
    html_figure(t, "cases", n->cases, "all");
    html_figure(t, "supported by all", n->common, "all");
    html_figure(t, "pass everywhere", n->kinds[COMPARE_EVERYWHERE], "good");
    html_figure(t, "differ", n->kinds[COMPARE_DIFFERS], "bad");
    html_figure(t, "pass nowhere", n->kinds[COMPARE_NOWHERE], "bad");
    html_figure(t, "pass where supported", n->kinds[COMPARE_SUPPORTED_BY_SOME], "warn");
    html_figure(t, "unspecified", n->kinds[COMPARE_UNSPECIFIED], "warn");
    html_figure(t, "not run", n->kinds[COMPARE_INCOMPLETE], "warn");
    text_add(t, "</ul>\n");
    html_header_end(t);
    html_nav(t, links, sizeof links / sizeof *links);
}

bool compare_html(const compare *c, const char *path, error *e)
{
    output out;
    if (!output_open(&out, path, e))
        return false;
    compare_page p = { .t = &out.text, .c = c };
    html_begin(p.t, "Touchstone comparison", report_compare_css, false);
    write_head(&p);
    compare_html_everywhere(&p);
    write_matrix(&p);
    write_questions(&p);
    compare_html_differences(&p);
    compare_html_clauses(&p);
    compare_html_sides(&p);
    html_footer(p.t);
    html_end(p.t);
    return output_close(&out, true, e);
}
