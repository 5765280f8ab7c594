/* SPDX-License-Identifier: Apache-2.0 */
/* Facts: numbers that are computed from all values of a scope, in queries. */
#include "harness/expr/expr_fixture.h"

static const expr_name fact_names[] = {
    { .name = "Out.Sizes", .vector = true, .per = 1000 },
    { .name = "Out.Span", .per = -1 },
};
static int computed; /* how often */

/* Out.Sizes are size - offset, Out.Span is their sum. */
static void compute(void *context, const expr_value *values, expr_value *facts)
{
    (void)context;
    ++computed;
    facts[0].length = values[SIZE].length;
    facts[1].length = 1;
    for (uint32_t k = 0; k < facts[0].length; ++k)
        facts[1].v[0] += facts[0].v[k] = values[SIZE].v[k] - values[OFFSET].v[k];
}

static expr_value cache[NAME_COUNT + 2];
static expr_facts facts = { .names = fact_names, .count = 2, .compute = compute, .cache = cache };
static const expr_scope query = { .names = names, .count = NAME_COUNT, .relaxed = true, .facts = &facts };

static void set(expr_value *values)
{
    memset(values, 0, NAME_COUNT * sizeof *values);
    values[RANK] = (expr_value){ { 2 }, 1 };
    values[N] = (expr_value){ { 5 }, 1 };
    values[DTYPE] = (expr_value){ { 3 }, 1 };
    values[SIZE] = (expr_value){ { 9, 5 }, 2 };
    values[OFFSET] = (expr_value){ { 1, 2 }, 2 };
}

static void queries_read_facts(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        { "Out.Sizes[1]", 8 },
        { "Out.Sizes[rank] * n", 15 },
        { "product(Out.Sizes) % 8 == 0", 1 },
        { "any(Out.Sizes == 3)", 1 },
        { "each(Out.Sizes > 3)", 0 },
        { "Out.Span", 11 },
        { "len(Out.Sizes) + count(Out.Sizes > 3)", 3 },
        { "n == 5 and not (Out.Span in {3, 4})", 1 },
        { "each(size > Out.Span - 7)", 1 },
    };
    expr_value values[NAME_COUNT];
    set(values);
    computed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        bool failed = false;
        expr *x = compile_in(&query, rows[i].text);
        if (expr_eval(x, values, &failed) != rows[i].value || failed)
            fail_msg("%s", rows[i].text);
        assert_int_equal(expr_uses(x), (UINT64_C(1) << NAME_COUNT) - 1);
        assert_false(expr_elementwise(x));
        expr_free(x);
    }
    assert_int_equal(computed, 1); /* for the same values, once */
}

static void facts_follow_the_values(void **unused)
{
    (void)unused;
    expr_value values[NAME_COUNT];
    bool failed = false;
    expr *x = compile_in(&query, "Out.Span");
    set(values);
    assert_int_equal(expr_eval(x, values, &failed), 11);
    values[SIZE].v[1] = 6;
    assert_int_equal(expr_eval(x, values, &failed), 12);
    values[SIZE].length = values[OFFSET].length = 1;
    assert_int_equal(expr_eval(x, values, &failed), 8);
    assert_false(failed);
    expr_free(x);
    x = compile_in(&query, "Out.Sizes");
    assert_int_equal(expr_eval_at(x, values, 0, &failed), 8);
    assert_false(failed);
    expr_eval_at(x, values, 1, &failed);
    assert_true(failed);
    expr_free(x);
}

static void facts_are_open_until_all_values_are_known(void **unused)
{
    (void)unused;
    uint8_t known[NAME_COUNT][EXPR_MAX_LENGTH] = { { 0 } };
    expr_value values[NAME_COUNT];
    unsigned opens = 0;
    expr *x = compile_in(&query, "n == 5 and Out.Span == 11");
    set(values);
    known[SIZE][1] = 3;
    known[N][0] = 2;
    assert_int_equal(expr_decide(x, -1, values, (const uint8_t(*)[EXPR_MAX_LENGTH])known, 1, &opens), EXPR_OPEN);
    assert_int_equal(opens, 3);
    assert_int_equal(expr_decide(x, -1, values, (const uint8_t(*)[EXPR_MAX_LENGTH])known, 3, &opens), EXPR_TRUE);
    expr_free(x);
}

static void only_queries_have_facts(void **unused)
{
    (void)unused;
    error e;
    expr_scope scope = query;
    scope.relaxed = false;
    assert_null(expr_compile("Out.Span == 2", &scope, "test", &e));
    assert_true(expr_check_words("any(Out.Sizes > 7)", "test", &e));
    assert_null(expr_compile("product(Out.Sizse) == 2", &query, "test", &e));
    assert_non_null(strstr(e.text, "unknown name 'Out.Sizse' (did you mean 'Out.Sizes'?)"));
    assert_null(expr_compile("Out.Sizes == 2", &query, "test", &e));
    assert_non_null(strstr(e.text, "any(Out.Sizes == 2)"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_read_facts),
        cmocka_unit_test(facts_follow_the_values),
        cmocka_unit_test(facts_are_open_until_all_values_are_known),
        cmocka_unit_test(only_queries_have_facts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
