/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of an operator that follow from its declaration: descriptors that validation.h makes, and an implementation
   accepts or refuses. */
#include "harness/casefile/casefile_checked.h"

#include "harness/casefile/validation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Add the axis of the numbers, from 0. */
static bool add_numbers(space *s, size_t count, error *e)
{
    int64_t *numbers = calloc(count + 1, sizeof *numbers);
    if (!numbers)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < count; ++i)
        numbers[i] = (int64_t)i;
    const space_axis axis = { .name = "number",
                              .description =
                                  "which descriptor; every second one differs from a legal call in one field",
                              .per = SPACE_SCALAR,
                              .fallback = 0,
                              .always = true,
                              .values = numbers,
                              .count = count };
    const bool fine = space_add_axis(s, &axis, e);
    free(numbers);
    return fine;
}

/* Add the axis of the clauses that are broken. */
static bool add_clauses(space *s, const validation *v, error *e)
{
    const char *names[VALIDATION_CLAUSES];
    int64_t numbers[VALIDATION_CLAUSES];
    for (size_t i = 0; i < v->clause_count; ++i) {
        names[i] = v->clauses[i].id;
        numbers[i] = (int64_t)i;
    }
    const space_axis axis = { .name = "clause",
                              .description = "the clause that the descriptor breaks",
                              .per = SPACE_SCALAR,
                              .fallback = 0,
                              .always = true,
                              .values = numbers,
                              .count = v->clause_count,
                              .symbols = names,
                              .symbol_values = numbers,
                              .symbol_count = v->clause_count };
    return space_add_axis(s, &axis, e);
}

/* What queries may ask of every test. */
static bool add_truths(space *s, bool legal, error *e)
{
    return space_add_alias(s, "legal", legal ? "1 == 1" : "1 == 0", e) && space_add_alias(s, "executed", "1 == 0", e) &&
           space_add_alias(s, "preceded", "1 == 0", e) && space_add_alias(s, "in_place", "1 == 0", e);
}

static bool add_test(case_file *f, bool legal, error *e)
{
    case_test *t = &f->tests[f->test_count++];
    const validation *v = f->validation;
    t->file = f;
    t->family = &f->families[f->family_count - 1];
    t->name = strdup(legal ? "legal" : "invalid");
    t->title = strdup(legal ? "Legal descriptors: to be accepted" : "Descriptors that break a clause: to be refused");
    t->tier = TIER_QUICK;
    t->kind = CASE_CHECKED;
    t->asked = legal;
    t->space = space_new(f->op->name, legal ? "legal" : "invalid");
    if (!t->name || !t->title || !t->space)
        return error_set(e, "out of memory");
    return add_numbers(t->space, legal ? v->legal_cases : v->clause_cases, e) &&
           (legal || add_clauses(t->space, v, e)) && add_truths(t->space, legal, e) && space_close(t->space, e);
}

bool casefile_add_checked(case_file *f, error *e)
{
    ++f->family_count; /* one without bindings */
    f->validation = validation_open(f->op, e);
    return f->validation && add_test(f, true, e) && (f->validation->clause_count == 0 || add_test(f, false, e));
}

case_file *casefile_of_checked(const ts_operator *op, error *e)
{
    case_file *f = calloc(1, sizeof *f);
    if (!f) {
        error_set(e, "out of memory");
        return NULL;
    }
    f->op = op;
    f->path = strdup("reference/checked/legal.json");
    f->families = calloc(1, sizeof *f->families);
    f->tests = calloc(CASEFILE_CHECKED_TESTS, sizeof *f->tests);
    const bool room = (f->path && f->families && f->tests) || error_set(e, "out of memory");
    if (!room || !casefile_add_checked(f, e)) {
        casefile_free(f);
        return NULL;
    }
    return f;
}

uint64_t casefile_checked_quick(const case_test *t)
{
    return t->asked ? VALIDATION_QUICK : VALIDATION_QUICK * t->file->validation->clause_count;
}
