/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/compare_print.h"
#include "harness/base/visible.h"

#include "harness/model/tensor.h"
#include "reference/ledger.h"
#include "reports/print_parts.h"

#include <inttypes.h>
#include <string.h>

enum { CELL = 160 };
#define INDENT "                " /* below a count */

/* Write the counts of a side that are not 0: "120 pass, 20 fail"; "-" where all are. Returns buf. */
static const char *write_counts(const uint64_t states[COMPARE_STATES], char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (int k = 0; k < COMPARE_STATES && used < size; ++k)
        if (states[k])
            used += (size_t)snprintf(buf + used, size - used, "%s%" PRIu64 " %s", used ? ", " : "", states[k],
                                     compare_state_name((compare_state)k));
    if (used == 0)
        snprintf(buf, size, "-");
    return buf;
}

/* Write the verdict of each side in the cases of a group: "cpu: pass; mine: mismatch". Returns buf. */
static const char *write_verdicts(const compare *c, const compare_group *g, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < c->side_count && used < size; ++i) {
        int v = g->verdicts[i];
        used += (size_t)snprintf(buf + used, size - used, "%s%s: %s", used ? "; " : "", c->sides[i].label,
                                 v == COMPARE_NOT_SUPPORTED ? "not supported"
                                 : v == VERDICT_NONE        ? "not run"
                                                            : verdict_name((verdict)v));
    }
    return buf;
}

/* ---- text ---- */

static void print_sides(const compare *c, FILE *out)
{
    for (size_t i = 0; i < c->side_count; ++i) {
        const compare_side *s = &c->sides[i];
        visible_print(out, "%s:%s", s->label, s->store ? "" : " supports none of the requested cases");
        if (s->store)
            print_run_facts(s->store, false, out);
        if (s->path)
            visible_print(out, "  (%s)", s->path);
        visible_print(out, "\n");
    }
}

typedef struct widths {
    int name, cells[COMPARE_MAX_SIDES];
} widths;

static const char *row_name(const compare_type *t, char *buf, size_t size)
{
    const ts_dtype_info *type = tensor_dtype(t->dtype);
    snprintf(buf, size, "  %s", type ? type->id : "?");
    return buf;
}

static int larger(int a, size_t b)
{
    return (size_t)a < b ? (int)b : a;
}

static void print_row(const compare *c, const widths *w, const char *name, const compare_counts *counts, FILE *out)
{
    char cell[CELL];
    visible_print(out, "%-*s %10" PRIu64 " %10" PRIu64, w->name, name, counts->cases,
                  counts->kinds[COMPARE_EVERYWHERE]);
    for (size_t i = 0; i < c->side_count; ++i)
        visible_print(out, "  %-*s", i + 1 < c->side_count ? w->cells[i] : 0,
                      write_counts(counts->sides[i], cell, sizeof cell));
    visible_print(out, "\n");
}

static void print_matrix(const compare *c, FILE *out)
{
    char name[96], cell[CELL];
    widths w = { .name = 8 };
    for (size_t i = 0; i < c->side_count; ++i)
        w.cells[i] = larger((int)strlen(c->sides[i].label), strlen(write_counts(c->total.sides[i], cell, sizeof cell)));
    for (size_t t = 0; t < c->type_count; ++t) {
        w.name = larger(w.name, strlen(c->types[t].op));
        for (size_t i = 0; i < c->side_count; ++i)
            w.cells[i] = larger(w.cells[i], strlen(write_counts(c->types[t].counts.sides[i], cell, sizeof cell)));
    }
    visible_print(out, "\n%-*s %10s %10s", w.name, "", "cases", "everywhere");
    for (size_t i = 0; i < c->side_count; ++i)
        visible_print(out, "  %-*s", i + 1 < c->side_count ? w.cells[i] : 0, c->sides[i].label);
    visible_print(out, "\n");
    for (size_t first = 0, end; first < c->type_count; first = end) {
        compare_counts sum;
        end = compare_operator(c, first, &sum);
        print_row(c, &w, c->types[first].op, &sum, out);
        for (size_t t = first; t < end; ++t)
            print_row(c, &w, row_name(&c->types[t], name, sizeof name), &c->types[t].counts, out);
    }
    print_row(c, &w, "all", &c->total, out);
}

/* Print the queries of a group. For cases that pass everywhere (`promise`), print only exact queries, the first of them
   on the line of the count. */
static void print_regions(const group *g, bool promise, const char *test, FILE *out)
{
    const char *before = promise ? "  " : INDENT;
    uint64_t printed = 0;
    for (size_t i = 0; i < g->part_count; ++i) {
        const group_part *p = &g->parts[i];
        if (promise && p->others)
            continue;
        printed += p->cases;
        print_region(g, i, before, out);
        before = INDENT;
    }
    if (printed < g->cases && printed > 0)
        visible_print(out, INDENT "and %" PRIu64 " other case%s of %s\n", g->cases - printed,
                      g->cases - printed == 1 ? "" : "s", test);
    else if (printed == 0)
        visible_print(out, "%sin %s\n", before, test);
}

/* Are both groups whole tests of an operator with the same verdicts? Such groups are printed as one line. */
static bool fold_together(const compare *c, const compare_group *a, const compare_group *b)
{
    const compare_test *x = &c->tests[a->test], *y = &c->tests[b->test];
    return a->kind == b->kind && (a->kind == COMPARE_EVERYWHERE || a->kind == COMPARE_SUPPORTED_BY_SOME) &&
           strcmp(x->op, y->op) == 0 && memcmp(a->verdicts, b->verdicts, c->side_count) == 0 &&
           a->group.cases == x->counts.cases && b->group.cases == y->counts.cases;
}

static void print_groups(const compare *c, size_t first, FILE *out)
{
    char verdicts[COMPARE_MAX_SIDES * (COMPARE_LABEL_SIZE + 24)];
    const compare_group *g = &c->groups[first];
    bool promise = g->kind == COMPARE_EVERYWHERE;
    uint64_t cases = 0;
    size_t tests = 0;
    for (size_t i = 0; i < c->group_count; ++i) {
        if (i != first && !fold_together(c, g, &c->groups[i]))
            continue;
        if (i < first)
            return; /* printed with that group */
        cases += c->groups[i].group.cases;
        ++tests;
    }
    visible_print(out, "  %12" PRIu64, cases);
    if (!promise)
        visible_print(out, "  %s%s%s\n", write_verdicts(c, g, verdicts, sizeof verdicts), *g->clauses ? "  " : "",
                      g->clauses);
    if (tests > 1)
        visible_print(out, "%sall cases of %zu tests of %s; --json and --html name them\n", promise ? "  " : INDENT,
                      tests, c->tests[g->test].op);
    else
        print_regions(&g->group, promise, c->tests[g->test].name, out);
    if (!promise && tests == 1)
        visible_print(out, INDENT "example: %s\n", g->group.example);
}

static void print_kind(const compare *c, compare_kind kind, const char *heading, FILE *out)
{
    if (c->total.kinds[kind])
        visible_print(out, "\n%s: %" PRIu64 "\n", heading, c->total.kinds[kind]);
    for (size_t i = 0; i < c->group_count; ++i)
        if (c->groups[i].kind == kind)
            print_groups(c, i, out);
}

/* Print the counts of clauses, and the clauses that some side violates. */
static void print_clauses(const compare *c, FILE *out)
{
    size_t count[3] = { 0 };
    for (size_t k = 0; k < c->clause_count; ++k)
        count[compare_clause_overall(&c->clauses[k], c->side_count)]++;
    if (c->clause_count == 0)
        return;
    visible_print(out, "\nclauses: %zu satisfied by all, %zu violated, %zu not tested with all\n",
                  count[COMPARE_CLAUSE_SATISFIED], count[COMPARE_CLAUSE_VIOLATED], count[COMPARE_CLAUSE_NOT_TESTED]);
    for (size_t k = 0; k < c->clause_count; ++k) {
        const compare_clause *own = &c->clauses[k];
        if (compare_clause_overall(own, c->side_count) != COMPARE_CLAUSE_VIOLATED)
            continue;
        visible_print(out, "  %s %s  %s\n", own->op, own->id, own->text);
        for (size_t i = 0; i < c->side_count; ++i) {
            visible_print(out, "      %s: %s", c->sides[i].label, compare_clause_state_name(own->sides[i].state));
            if (own->sides[i].broken)
                visible_print(out, ", refused %" PRIu64 " of %" PRIu64 " violating cases", own->sides[i].refused,
                              own->sides[i].broken);
            if (own->sides[i].cited)
                visible_print(out, ", cited by %" PRIu64 " retained finding%s", own->sides[i].cited,
                              own->sides[i].cited == 1 ? "" : "s");
            visible_print(out, "\n");
        }
    }
}

/* The answer of a side to a question: "clamped index, as decided 22, zeros 3". */
static void print_answers(const compare *c, const char *op, size_t first, size_t end, size_t side, FILE *out)
{
    char answer[COMPARE_BEHAVIOUR_SIZE];
    const char *separator = "";
    for (size_t k = first; k < end; ++k) {
        if (!c->behaviours[k].cases[side])
            continue;
        visible_print(out, "%s%s (%" PRIu64 ")", separator,
                      compare_answer(c->behaviours[k].behaviour, answer, sizeof answer), c->behaviours[k].cases[side]);
        separator = ", ";
    }
    if (!*separator)
        visible_print(out, "not observed: %s", compare_unanswered(c, side, op, end > first, answer, sizeof answer));
    visible_print(out, "\n");
}

/* A question and its answers, which are the behaviours from `first` to `end`. */
static void print_question(const compare *c, const char *id, size_t first, size_t end, int width, FILE *out)
{
    const ledger_entry *entry = ledger_find(id);
    const bool differs = end > first && c->behaviours[first].differs;
    visible_print(out, "  %s  %s\n      %s\n", id,
                  first == end                       ? "not observed"
                  : differs                          ? "they differ"
                  : compare_answering(c, first) == 1 ? "one answer"
                                                     : "alike",
                  entry ? entry->problem : "");
    for (size_t i = 0; i < c->side_count; ++i) {
        visible_print(out, "      %-*s  ", width, c->sides[i].label);
        print_answers(c, entry ? entry->op : "", first, end, i, out);
    }
    if (differs)
        visible_print(out, "      example: %s\n", c->behaviours[first].example);
}

/* The questions that the specification leaves open: those that are answered differently first, and last those of which
   no answer was observed. */
static void print_questions(const compare *c, FILE *out)
{
    int width = 0;
    for (size_t i = 0; i < c->side_count; ++i)
        width = larger(width, strlen(c->sides[i].label));
    if (c->behaviour_count || c->open_count)
        visible_print(out, "\nwhat the specification leaves open, and what each answers (cases):\n");
    for (int differs = 1; differs >= 0; --differs)
        for (size_t first = 0, end; first < c->behaviour_count; first = end) {
            end = compare_question(c, first);
            if (c->behaviours[first].differs == (differs != 0))
                print_question(c, c->behaviours[first].entry, first, end, width, out);
        }
    for (size_t i = 0; i < c->open_count; ++i)
        print_question(c, c->open[i].entry, 0, 0, width, out);
}

bool compare_print_text(const compare *c, FILE *out, error *e)
{
    char headline[COMPARE_HEADLINE_SIZE];
    visible_print(out, "%s\n\n", compare_headline(c, headline, sizeof headline));
    print_sides(c, out);
    print_matrix(c, out);
    print_kind(c, COMPARE_EVERYWHERE, "may be relied on everywhere", out);
    print_questions(c, out);
    print_kind(c, COMPARE_DIFFERS, "they differ", out);
    print_kind(c, COMPARE_NOWHERE, "fail wherever they are supported", out);
    print_kind(c, COMPARE_SUPPORTED_BY_SOME, "pass where they are supported, which is not everywhere", out);
    print_kind(c, COMPARE_INCOMPLETE, "planned but not run", out);
    if (c->total.kinds[COMPARE_UNSPECIFIED])
        visible_print(out, "\nnot judged, because the specification leaves the result open: %" PRIu64 "\n",
                      c->total.kinds[COMPARE_UNSPECIFIED]);
    print_clauses(c, out);
    return !ferror(out) || error_output(e);
}
