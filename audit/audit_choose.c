/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/audit_choose.h"
#include "harness/base/array.h"
#include "harness/base/input.h"
#include "harness/base/output.h"
#include "harness/base/text.h"
#include "reference/operators.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A case that kills mutants. */
typedef struct candidate {
    uint32_t op, test;
    audit_kill kill;
    uint32_t first, count; /* of its pairs: the mutants it kills */
    bool chosen;
} candidate;

typedef struct pair {
    uint32_t op, test, mutant; /* of the library */
    audit_kill kill;
} pair;

typedef struct chooser {
    pair *pairs;
    size_t pair_count, pair_capacity;
    candidate *candidates;
    size_t candidate_count;
    uint8_t *wanted; /* per mutant: kills still to be chosen */
} chooser;

static bool add_pair(chooser *c, const pair *p)
{
    if (!array_reserve(&c->pairs, &c->pair_capacity, c->pair_count + 1, sizeof *c->pairs))
        return false;
    c->pairs[c->pair_count++] = *p;
    return true;
}

/* By operator, test and case, then by mutant. */
static int by_case(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (x->op != y->op)
        return x->op < y->op ? -1 : 1;
    if (x->test != y->test)
        return x->test < y->test ? -1 : 1;
    if (x->kill.index != y->kill.index)
        return x->kill.index < y->kill.index ? -1 : 1;
    return (x->mutant > y->mutant) - (x->mutant < y->mutant);
}

/* Collect the stored kills of all mutants that count. */
static bool collect(chooser *c, const audit_result *r, bool all)
{
    for (uint32_t o = 0; o < r->operator_count; ++o)
        for (uint32_t m = 0; m < r->operators[o].mutant_count; ++m) {
            const audit_operator *op = &r->operators[o];
            uint32_t number = op->mutants[m];
            if (r->states[number] == AUDIT_ABSENT || (!all && audit_is_held_out(&r->library->mutants[number])))
                continue;
            for (uint32_t t = 0; t < op->test_count; ++t) {
                const audit_cell *cell = audit_at(op, m, t);
                for (size_t k = 0; k <= AUDIT_KEPT; ++k) {
                    pair p = { o, t, number, k < AUDIT_KEPT ? cell->first[k] : cell->smallest };
                    if (p.kill.known && !add_pair(c, &p))
                        return false;
                }
            }
        }
    if (c->pair_count > 0)
        qsort(c->pairs, c->pair_count, sizeof *c->pairs, by_case);
    return true;
}

/* Group the pairs of each case into a candidate; duplicate pairs count once. */
static bool group(chooser *c)
{
    size_t kept = 0;
    c->candidates = calloc(c->pair_count + 1, sizeof *c->candidates);
    if (!c->candidates)
        return false;
    for (size_t i = 0; i < c->pair_count; ++i) {
        const pair p = c->pairs[i];
        candidate *last = c->candidate_count ? &c->candidates[c->candidate_count - 1] : NULL;
        if (!last || last->op != p.op || last->test != p.test || last->kill.index != p.kill.index) {
            last = &c->candidates[c->candidate_count++];
            *last = (candidate){ p.op, p.test, p.kill, (uint32_t)kept, 0, false };
        }
        if (last->count > 0 && c->pairs[kept - 1].mutant == p.mutant)
            continue;
        c->pairs[kept++] = p;
        last->count++;
    }
    c->pair_count = kept;
    return true;
}

static uint32_t worth(const chooser *c, const candidate *x)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < x->count; ++i)
        sum += c->wanted[c->pairs[x->first + i].mutant] > 0;
    return sum;
}

/* Is a case in tier quick whether it is chosen or not? All cases of some tests are, and the first ones of drawn tests.
 */
static bool is_given(const audit_result *r, const candidate *x)
{
    const case_test *t = r->operators[x->op].tests[x->test]->test;
    return t->draw ? x->kill.index < t->draws[TIER_QUICK] : t->tier == TIER_QUICK;
}

/* Count one kill of each of a candidate's mutants as chosen. */
static void take(chooser *c, const candidate *x)
{
    for (uint32_t i = 0; i < x->count; ++i)
        if (c->wanted[c->pairs[x->first + i].mutant] > 0)
            c->wanted[c->pairs[x->first + i].mutant]--;
}

/* Determine how many kills of each mutant are wanted: as many as candidates have, up to a number by its subject. Cases
   that are in the tier anyway count, but are not candidates. */
static void count_wanted(chooser *c, const audit_result *r)
{
    for (size_t i = 0; i < c->pair_count; ++i) {
        const uint32_t m = c->pairs[i].mutant;
        const bool kernel = r->library->mutants[m].subject == MUTANT_OF_KERNELS;
        if (c->wanted[m] < (kernel ? AUDIT_CHOOSE_TIMES_KERNELS : AUDIT_CHOOSE_TIMES))
            c->wanted[m]++;
    }
    for (size_t i = 0; i < c->candidate_count; ++i)
        if (is_given(r, &c->candidates[i])) {
            take(c, &c->candidates[i]);
            c->candidates[i].count = 0;
        }
}

/* Choose the best candidate until no kill is wanted. The worth of a candidate only decreases, so its last value is a
   bound and few have to be counted again. Among equals, prefer fewer elements, then the earlier candidate. */
static bool choose(chooser *c)
{
    uint32_t *bound = malloc((c->candidate_count + 1) * sizeof *bound);
    if (!bound)
        return false;
    for (size_t i = 0; i < c->candidate_count; ++i)
        bound[i] = c->candidates[i].count;
    for (;;) {
        size_t best = c->candidate_count;
        uint32_t most = 0;
        for (size_t i = 0; i < c->candidate_count; ++i) {
            if (c->candidates[i].chosen || bound[i] == 0 || bound[i] < most)
                continue;
            bound[i] = worth(c, &c->candidates[i]);
            if (bound[i] > most ||
                (most > 0 && bound[i] == most && c->candidates[i].kill.elements < c->candidates[best].kill.elements)) {
                most = bound[i];
                best = i;
            }
        }
        if (most == 0)
            break;
        c->candidates[best].chosen = true;
        take(c, &c->candidates[best]);
    }
    free(bound);
    return true;
}

static bool is_audited(const audit_result *r, const char *name, size_t length)
{
    for (size_t o = 0; o < r->operator_count; ++o)
        if (strncmp(r->operators[o].op->name, name, length) == 0 && r->operators[o].op->name[length] == '\0')
            return true;
    return false;
}

/* Read the cases that a file has for operators that were not audited: they stay. A missing file has none. */
static bool read_kept(const audit_result *r, const char *path, text *kept, error *e)
{
    size_t count;
    operators_all(&count);
    if (r->operator_count == count)
        return true;
    FILE *f = input_open(path, e);
    if (!f)
        return errno == ENOENT;
    text all = { .data = NULL };
    const bool fine = text_read(&all, f);
    fclose(f);
    for (char *line = fine ? strtok(all.data, "\n") : NULL; line; line = strtok(NULL, "\n"))
        if (*line != '#' && !is_audited(r, line, strcspn(line, ":")))
            text_format(kept, "%s\n", line);
    text_free(&all);
    return fine ? true : error_usage(e, "%s: cannot be read", path);
}

/* Write the kept lines of operators whose names come before this one; NULL: all that are left. */
static void write_kept(FILE *f, const char **kept, const char *before)
{
    while (*kept && **kept) {
        const size_t length = strcspn(*kept, ":"), line = strcspn(*kept, "\n") + 1;
        if (before && strncmp(*kept, before, length) > 0)
            return;
        fwrite(*kept, 1, line, f);
        *kept += line;
    }
}

static bool write_chosen(const chooser *c, const audit_result *r, const char *path, size_t *cases, error *e)
{
    char id[CASE_ID_SIZE], options[64];
    text others = { .data = NULL };
    output out;
    if (!read_kept(r, path, &others, e) || !output_open(&out, path, e)) {
        text_free(&others);
        return false;
    }
    FILE *f = out.file;
    const char *kept = others.data;
    *cases = 0;
    fputs("# SPDX-License-Identifier: Apache-2.0\n"
          "# Tier quick: the cases that `touchstone audit --choose cases/quick.txt` chose. Choose again after a change "
          "in\n"
          "# reference/ or cases/; cases_test and the audit say when it is due.\n",
          f);
    for (size_t i = 0; i < c->candidate_count; ++i) {
        const candidate *x = &c->candidates[i];
        if (!x->chosen)
            continue;
        write_kept(f, &kept, r->operators[x->op].op->name);
        audit_case_id(&r->operators[x->op], x->test, &x->kill, id, sizeof id, options, sizeof options);
        fprintf(f, "%s\n", id);
        ++*cases;
    }
    write_kept(f, &kept, NULL);
    text_free(&others);
    return output_close(&out, true, e);
}

bool audit_choose(const audit_result *r, bool all, const char *path, size_t *cases, error *e)
{
    chooser c = { .pairs = NULL };
    c.wanted = calloc(r->library->count + 1, sizeof *c.wanted);
    bool fine = c.wanted && collect(&c, r, all) && group(&c);
    if (fine) {
        count_wanted(&c, r);
        fine = choose(&c);
    }
    if (!fine)
        error_set(e, "out of memory");
    fine = fine && write_chosen(&c, r, path, cases, e);
    free(c.pairs);
    free(c.candidates);
    free(c.wanted);
    return fine;
}
