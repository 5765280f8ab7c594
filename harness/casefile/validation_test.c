/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptors of operators that are only checked: what they claim, and how many there are. */
#include "harness/casefile/validation.h"
#include "reference/operators.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#define STEP 16 /* every 16th operator, so that the test is quick */

static void each_operator(void (*visit)(const validation *v), size_t step)
{
    const ts_operator *op;
    error e;
    size_t count = 0;
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        if (operator_has_cases(op) || count++ % step)
            continue;
        validation *v = validation_open(op, &e);
        if (!v)
            fail_msg("%s: %s", op->name, e.text);
        visit(v);
        validation_close(v);
    }
    assert_true(count > 100);
}

static void expect_claims(const validation *v)
{
    ts_descriptor d, again;
    ts_report report;
    bool alone;
    for (uint64_t n = 0; n < v->legal_cases; ++n) {
        validation_legal(v, n, &d);
        if (validation_ask(&d, &report) != VALIDATION_LEGAL)
            fail_msg("%s: legal %d breaks %s: %s", d.op->name, (int)n, report.items[0].clause, report.items[0].text);
    }
    for (size_t c = 0; c < v->clause_count; ++c)
        for (uint64_t n = 0; n < v->clause_cases; ++n) {
            validation_illegal(v, c, n, &d);
            if (validation_ask(&d, &report) != VALIDATION_ILLEGAL ||
                !validation_breaks(&report, v->clauses[c].id, &alone) || alone != v->clauses[c].alone)
                fail_msg("%s: invalid %d does not break %s as it should", d.op->name, (int)n, v->clauses[c].id);
        }
    validation_illegal(v, 0, v->clause_cases - 1, &again);
    validation_illegal(v, 0, v->clause_cases - 1, &d);
    assert_memory_equal(&d, &again, sizeof d);
}

static void every_descriptor_is_what_it_claims(void **state)
{
    (void)state;
    each_operator(expect_claims, STEP);
}

typedef struct seen {
    uint64_t *hashes;
    size_t count;
    bool large, strides;
} seen;

static void see(seen *s, const ts_descriptor *d)
{
    s->hashes[s->count++] = XXH3_64bits(d, sizeof *d);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        s->strides = s->strides || (d->tensors[k].given & TS_GIVEN_STRIDES);
        for (uint32_t i = 0; i < d->tensors[k].rank && i < TS_MAX_DIMS; ++i)
            s->large = s->large || d->tensors[k].sizes[i] > UINT16_MAX;
    }
}

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void expect_many(const validation *v)
{
    enum { WANTED = 2000 };
    const size_t most = v->legal_cases + v->clause_count * v->clause_cases;
    seen s = { .hashes = calloc(most, sizeof(uint64_t)) };
    ts_descriptor d;
    size_t distinct = 1;
    assert_non_null(s.hashes);
    for (uint64_t n = 0; n < v->legal_cases; ++n) {
        validation_legal(v, n, &d);
        see(&s, &d);
    }
    for (size_t c = 0; c < v->clause_count; ++c)
        for (uint64_t n = 0; n < v->clause_cases; ++n) {
            validation_illegal(v, c, n, &d);
            see(&s, &d);
        }
    qsort(s.hashes, s.count, sizeof *s.hashes, ascending);
    for (size_t i = 1; i < s.count; ++i)
        distinct += s.hashes[i] != s.hashes[i - 1];
    free(s.hashes);
    if (distinct < WANTED || !s.large || !s.strides)
        fail_msg("%s: %zu distinct descriptors of %zu%s%s", v->call.op->name, distinct, most,
                 s.large ? "" : ", none with a size above 2^16", s.strides ? "" : ", none with strides");
}

static void there_are_enough(void **state)
{
    (void)state;
    each_operator(expect_many, STEP);
}

static void expect_clauses(const validation *v)
{
    assert_true(v->legal.count > 0);
    assert_in_range(v->clause_count, 4, VALIDATION_CLAUSES - 1);
    for (size_t c = 0; c < v->clause_count; ++c) {
        assert_non_null(operator_clause(v->call.op, v->clauses[c].id));
        assert_true(v->clauses[c].changes.count > 0);
    }
}

static void every_operator_has_clauses_to_break(void **state)
{
    (void)state;
    each_operator(expect_clauses, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_has_clauses_to_break),
        cmocka_unit_test(every_descriptor_is_what_it_claims),
        cmocka_unit_test(there_are_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
