/* SPDX-License-Identifier: Apache-2.0 */
/* Write the audit as one HTML page without scripts: scores, survivors, every mutant with the smallest case that kills
   it, and tests with the mutants that only they kill. */
#include "audit/audit.h"
#include "harness/base/output.h"
#include "reports/page/page.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char style[] =
    "code{font-size:.75rem}.scores,.mutants{margin-bottom:1rem}"
    "main details{border-bottom:1px solid var(--line)}main summary{padding:.4375rem 0}td details{border:0}td summary{padding:0!important}";

/* Begin a table. The caption, which is for screen readers, and the heads are not escaped. */
static void begin_table(text *t, const char *class, const char *caption, const char *heads)
{
    text_format(
        t,
        "<div class=\"scroll\"><table class=\"plain %s\">\n<caption class=\"hidden\">%s</caption>\n<thead><tr>%s"
        "</tr></thead>\n<tbody>\n",
        class, caption, heads);
}

static void end_table(text *t)
{
    text_add(t, "</tbody></table></div>\n");
}

static void write_score(text *t, const char *name, const audit_score *s)
{
    char share[AUDIT_SHARE_SIZE];
    html_element(t, "<tr><th scope=\"row\">", name, "</th>");
    html_number_cell(t, s->mutants, "");
    html_number_cell(t, s->killed, "");
    html_number_cell(t, s->equivalent, "");
    html_number_cell(t, s->same_code, "");
    html_number_cell(t, s->survived, "bad");
    html_number_cell(t, s->open, "warn");
    html_element(t, "<td class=\"num\">", audit_share_of(s, share), "</td></tr>\n");
}

#define HEAD(name)   "<th scope=\"col\">" name "</th>"
#define NUMBER(name) "<th scope=\"col\" class=\"num\">" name "</th>"

static void write_scores(text *t, const audit_result *r, mutant_subject subject)
{
    const audit_score all = audit_count(r, subject, NULL);
    if (all.mutants == 0)
        return;
    text_format(t, "<h3>Mutants of the %s</h3>\n", subject == MUTANT_OF_KERNELS ? "kernels" : "reference");
    begin_table(t, "scores", "Scores by file",
                HEAD("File") NUMBER("Mutants") NUMBER("Killed") NUMBER("Listed as equivalent") NUMBER("Same code")
                    NUMBER("Survived") NUMBER("Open") NUMBER("Score"));
    for (const char *file = audit_next_file(r, subject, NULL); file; file = audit_next_file(r, subject, file)) {
        audit_score s = audit_count(r, subject, file);
        write_score(t, file, &s);
    }
    write_score(t, "all", &all);
    end_table(t);
    begin_table(t, "scores", "Scores by operator", HEAD("Cases of") NUMBER("Reach") NUMBER("Kill") NUMBER("Score"));
    for (size_t i = 0; i < r->operator_count; ++i) {
        uint32_t infected, killed;
        char share[AUDIT_SHARE_SIZE];
        audit_operator_score(r, i, subject, &infected, &killed);
        html_element(t, "<tr><th scope=\"row\">", r->operators[i].op->name, "</th>");
        html_number_cell(t, infected, "");
        html_number_cell(t, killed, "");
        html_element(t, "<td class=\"num\">", audit_share(killed, infected - killed, 0, share), "</td></tr>\n");
    }
    end_table(t);
}

static bool kills_alone(const audit_operator *o, uint32_t m, size_t test)
{
    bool alone = audit_at(o, m, test)->killed > 0;
    for (size_t t = 0; t < o->test_count && alone; ++t)
        alone = t == test || audit_at(o, m, t)->killed == 0;
    return alone;
}

static void write_test(text *t, const audit_result *r, const audit_operator *o, size_t test)
{
    uint32_t kills, alone;
    audit_test_score(o, test, &kills, &alone);
    html_element(t, "<tr><th scope=\"row\">", o->op->name, ":");
    text_xml(t, o->tests[test]->test->name);
    text_add(t, "</th>");
    html_number_cell(t, kills, "");
    text_add(t, "<td>");
    if (alone) {
        text_add(t, "<details><summary>");
        text_count(t, alone);
        text_add(t, "</summary>");
    }
    for (uint32_t m = 0; alone && m < o->mutant_count; ++m)
        if (kills_alone(o, m, test))
            html_element(t, "<code>", r->library->mutants[o->mutants[m]].id, "</code><br>");
    text_add(t, alone ? "</details></td></tr>\n" : "</td></tr>\n");
}

static void write_tests(output *page, const audit_result *r)
{
    text *t = &page->text;
    html_section(t, "tests", "Tests");
    begin_table(t, "", "Tests and what they kill",
                HEAD("Test") NUMBER("Kills") HEAD("Mutants that no other test of the operator kills"));
    for (size_t i = 0; i < r->operator_count; ++i)
        for (size_t test = 0; test < r->operators[i].test_count; ++test) {
            write_test(t, r, &r->operators[i], test);
            output_flush(page);
        }
    end_table(t);
    html_section_end(t);
}

static void write_mutant(text *t, const audit_result *r, uint32_t number)
{
    const mutant *x = &r->library->mutants[number];
    char id[CASE_ID_SIZE], options[64];
    size_t op = 0, test = 0;
    audit_kill k = audit_smallest_of(r, number, &op, &test);
    html_element(t, "<tr><th scope=\"row\"><code>", x->id, "</code></th><td>");
    text_xml(t, x->function);
    html_element(t, "</td><td><code>", x->original, "</code>");
    text_add(t, "</td><td>");
    if (k.known) {
        audit_case_id(&r->operators[op], test, &k, id, sizeof id, options, sizeof options);
        html_verdict(t, (verdict)k.verdict);
        html_element(t, "</td><td><code>", id, "");
        text_xml(t, options);
        text_add(t, "</code></td></tr>\n");
    } else {
        text_add(t, r->states[number] == AUDIT_SURVIVED ? "<span class=\"v bad\">survives</span></td><td>"
                                                        : "survives</td><td>");
        text_xml(t, r->equivalents.reasons[number]);
        text_add(t, "</td></tr>\n");
    }
}

/* The mutants of a file (NULL: of all) in a state (AUDIT_ABSENT: in any); nothing if there are none. */
static void write_list(output *page, const audit_result *r, const char *title, const char *file, audit_state only)
{
    text *t = &page->text;
    bool any = false;
    for (uint32_t m = 0; m < r->library->count; ++m) {
        if (r->states[m] == AUDIT_ABSENT || (only != AUDIT_ABSENT && r->states[m] != only) ||
            (file && strcmp(file, r->library->mutants[m].file) != 0))
            continue;
        if (!any) {
            html_element(t, only == AUDIT_SURVIVED ? "<details open><summary>" : "<details><summary>", title,
                         "</summary>\n");
            begin_table(t, "mutants", "Mutants",
                        HEAD("Mutant") HEAD("In") HEAD("Replaces") HEAD("Verdict")
                            HEAD("Smallest case, or why no case can kill it"));
            any = true;
        }
        write_mutant(t, r, m);
        output_flush(page);
    }
    if (any) {
        end_table(t);
        text_add(t, "</details>\n");
    }
}

static void write_mutants(output *page, const audit_result *r)
{
    html_section(&page->text, "mutants", "Mutants");
    write_list(page, r, "survivors", NULL, AUDIT_SURVIVED);
    write_list(page, r, "equivalent, with the reason", NULL, AUDIT_EQUIVALENT);
    write_list(page, r, "equivalent, because the compiler makes the same code of them", NULL, AUDIT_SAME_CODE);
    for (mutant_subject s = MUTANT_OF_REFERENCE; s < MUTANT_SUBJECTS; ++s)
        for (const char *file = audit_next_file(r, s, NULL); file; file = audit_next_file(r, s, file))
            write_list(page, r, file, file, AUDIT_ABSENT);
    html_section_end(&page->text);
}

static void write_head(text *t, const audit_result *r)
{
    audit_score sum = { .mutants = 0 };
    for (mutant_subject s = MUTANT_OF_REFERENCE; s < MUTANT_SUBJECTS; ++s) {
        const audit_score one = audit_count(r, s, NULL);
        sum.mutants += one.mutants;
        sum.killed += one.killed;
        sum.equivalent += one.equivalent + one.same_code;
        sum.survived += one.survived;
        sum.open += one.open;
    }
    const bool enough = audit_suffices(r);
    html_header_begin(t, enough ? "good" : "bad", "Touchstone audit: does the suite find faults?");
    text_format(t, "%s: tier %s kills ", enough ? "It finds enough" : "It does not find enough",
                case_tier_name(r->tier));
    text_count(t, sum.killed);
    text_add(t, " of ");
    text_count(t, sum.mutants - sum.equivalent - sum.open);
    text_add(t,
             " mutants</h1>\n<p class=\"sub\">A mutant is one small change of the reference, or of a kernel written as "
             "libraries write them. A case with another result than on the original kills it. Equivalent mutants, "
             "which no case can kill, and open ones, in a file that operators share of which not all were "
             "audited, do not count.</p>\n<ul class=\"figures\">\n");
    html_figure(t, "cases", r->cases, "all");
    html_figure(t, "mutants", sum.mutants, "all");
    html_figure(t, "killed", sum.killed, "good");
    html_figure(t, "survived", sum.survived, "bad");
    html_figure(t, "equivalent", sum.equivalent, "all");
    html_figure(t, "open", sum.open, "warn");
    text_add(t, "</ul>\n");
    html_header_end(t);
}

bool audit_write_html(const audit_result *r, const char *path, error *e)
{
    static const html_link links[] = { { "scores", "Scores" }, { "mutants", "Mutants" }, { "tests", "Tests" } };
    output page;
    if (!output_open(&page, path, e))
        return false;
    text *t = &page.text;
    html_begin(t, "Touchstone audit", style, false);
    write_head(t, r);
    html_nav(t, links, sizeof links / sizeof *links);
    html_section(t, "scores", "Scores");
    write_scores(t, r, MUTANT_OF_REFERENCE);
    write_scores(t, r, MUTANT_OF_KERNELS);
    html_section_end(t);
    write_mutants(&page, r);
    write_tests(&page, r);
    html_footer(t);
    html_end(t);
    return output_close(&page, true, e);
}
