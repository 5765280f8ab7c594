/* SPDX-License-Identifier: Apache-2.0 */
/* Print the audit as text on standard output. */
#include "audit/audit.h"
#include "harness/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Count the cases that infect a mutant and those that it ran on, over all operators. */
static void count_cases(const audit_result *r, uint32_t number, uint64_t *infected, uint64_t *tried)
{
    *infected = *tried = 0;
    for (size_t i = 0; i < r->operator_count; ++i) {
        uint32_t m = r->place[i * r->library->count + number];
        for (size_t t = 0; m != MUTANT_NONE && t < r->operators[i].test_count; ++t) {
            *infected += audit_at(&r->operators[i], m, t)->infected;
            *tried += audit_at(&r->operators[i], m, t)->tried;
        }
    }
}

static void print_score(const char *name, const audit_score *s)
{
    char share[AUDIT_SHARE_SIZE];
    printf("%-32s %8" PRIu32 " %8" PRIu32 " %8" PRIu32 " %10" PRIu32 " %8" PRIu32 " %8" PRIu32 " %10s\n", name,
           s->mutants, s->killed, s->equivalent, s->same_code, s->survived, s->open, audit_share_of(s, share));
}

/* The scores of a subject: by file, and by the operators whose cases infect and kill. */
static void print_scores(const audit_result *r, mutant_subject subject)
{
    const audit_score all = audit_count(r, subject, NULL);
    if (all.mutants == 0)
        return;
    printf("%s%-32s %8s %8s %8s %10s %8s %8s   %s\n", subject > 0 && r->subjects[0] ? "\n" : "",
           subject == MUTANT_OF_KERNELS ? "kernels" : "reference", "mutants", "killed", "listed", "same code",
           "survived", "open", "score");
    for (const char *file = audit_next_file(r, subject, NULL); file; file = audit_next_file(r, subject, file)) {
        audit_score s = audit_count(r, subject, file);
        print_score(file, &s);
    }
    print_score("all", &all);
    for (size_t i = 0; i < r->operator_count && !r->score; ++i) {
        uint32_t infected, killed;
        char share[AUDIT_SHARE_SIZE];
        audit_operator_score(r, i, subject, &infected, &killed);
        printf("cases of %-30s reach %6" PRIu32 " of them and kill %6" PRIu32 ": %8s\n", r->operators[i].op->name,
               infected, killed, audit_share(killed, infected - killed, 0, share));
    }
    if (all.open)
        printf("open: in a file that several operators share, of which not all were audited; cases of the others may "
               "kill them, so that the score is a lower bound\n");
    if (r->tier == TIER_QUICK && all.held_out)
        printf("of the third of the mutants that --hold-out ignores, %" PRIu32 " of %" PRIu32 " are killed: %.2f %%\n",
               all.held_out_killed, all.held_out, 100.0 * all.held_out_killed / all.held_out);
}

static void print_tests(const audit_operator *o)
{
    printf("\n%-46s %8s %8s\n", o->op->name, "kills", "alone");
    for (size_t t = 0; t < o->test_count; ++t) {
        uint32_t kills, alone;
        audit_test_score(o, t, &kills, &alone);
        printf("  %-44s %8" PRIu32 " %8" PRIu32 "\n", o->tests[t]->test->name, kills, alone);
    }
}

static void print_mutants(const audit_result *r, audit_state state, const char *title)
{
    bool any = false;
    for (uint32_t m = 0; m < r->library->count; ++m) {
        const mutant *x = &r->library->mutants[m];
        uint64_t infected, tried;
        if (r->states[m] != state)
            continue;
        if (!any)
            printf("\n%s\n", title);
        any = true;
        count_cases(r, m, &infected, &tried);
        printf("  %-52s in %s: `%s`  (", x->id, x->function, x->original);
        if (state == AUDIT_DISPROVED)
            printf("cases/equivalent.txt:%u)\n", r->equivalents.lines[m]);
        else if (tried)
            printf("ran on %" PRIu64 " cases)\n", tried);
        else
            printf("no case infects it)\n");
    }
}

void audit_print(const audit_result *r)
{
    print_scores(r, MUTANT_OF_REFERENCE);
    print_scores(r, MUTANT_OF_KERNELS);
    if (*r->twins &&
        audit_count(r, MUTANT_OF_REFERENCE, NULL).survived + audit_count(r, MUTANT_OF_KERNELS, NULL).survived)
        printf("survivors were not compiled, so some of them may be the original's code: %s\n", r->twins);
    for (size_t i = 0; i < r->operator_count && !r->score; ++i)
        print_tests(&r->operators[i]);
    print_mutants(r, AUDIT_SURVIVED, "survivors");
    print_mutants(r, AUDIT_DISPROVED, "killed, though listed as equivalent");
    if (!r->score) /* otherwise their number depends on the workers */
        printf("\n%" PRIu64 " cases, %" PRIu64 " executions of mutants\n", r->cases, r->tried);
    fflush(stdout);
    fprintf(stderr, "%.1f s\n", r->seconds); /* not on standard output, which is the same each time */
}

void audit_print_mutant(const audit_result *r, uint32_t number)
{
    const mutant *x = &r->library->mutants[number];
    printf("%s\n  %s/%s:%" PRIu32 ", in %s: %s\n", x->id, x->subject == MUTANT_OF_KERNELS ? "audit" : "reference",
           x->file, x->line, x->function, x->original);
    if (r->equivalents.reasons[number])
        printf("  listed as equivalent: %s\n", r->equivalents.reasons[number]);
    for (size_t i = 0; i < r->operator_count; ++i) {
        const audit_operator *o = &r->operators[i];
        uint32_t m = r->place[i * r->library->count + number];
        size_t best;
        if (m == MUTANT_NONE)
            continue;
        if (!audit_smallest(o, m, &best).known)
            printf("%s: survives\n", o->op->name);
        for (size_t t = 0; t < o->test_count; ++t) {
            const audit_cell *c = audit_at(o, m, t);
            char id[CASE_ID_SIZE], options[64];
            if (!c->killed)
                continue;
            audit_case_id(o, t, &c->smallest, id, sizeof id, options, sizeof options);
            text line = { .data = NULL };
            char option[512];
            snprintf(option, sizeof option, "mutant=%s", x->id);
            text_add(&line, "touchstone run ");
            text_shell(&line, id);
            text_add(&line, " -b mutants --backend-opt ");
            text_shell(&line, option);
            printf("%s:%s: %s; smallest case:\n  %s%s\n", o->op->name, o->tests[t]->test->name,
                   verdict_name((verdict)c->smallest.verdict), line.data ? line.data : "out of memory", options);
            text_free(&line);
        }
    }
}
