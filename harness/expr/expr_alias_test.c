/* SPDX-License-Identifier: Apache-2.0 */
/* Aliases: names that stand for expressions in queries. */
#include "harness/expr/expr_fixture.h"

static const expr_alias aliases[] = {
    { "Out.Sizes", "size - offset" },
    { "Ins[0].Sizes", "size" }, /* of a list of tensors */
    { "two", "2" },
    { "legal", "1 == 1" },
    { "rank", "99" }, /* a name of the scope comes first */
    { "f16", "7" },
};
static const expr_scope query = { .names = names,
                                  .count = NAME_COUNT,
                                  .relaxed = true,
                                  .aliases = aliases,
                                  .alias_count = sizeof aliases / sizeof *aliases };

static void set(expr_value *values)
{
    memset(values, 0, NAME_COUNT * sizeof *values);
    values[RANK] = (expr_value){ { 2 }, 1 };
    values[N] = (expr_value){ { 5 }, 1 };
    values[DTYPE] = (expr_value){ { 3 }, 1 };
    values[SIZE] = (expr_value){ { 9, 5 }, 2 };
    values[OFFSET] = (expr_value){ { 1, 2 }, 2 };
}

static void aliases_stand_for_expressions(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        { "Out.Sizes[rank]", 3 },
        { "Out.Sizes[rank] * two", 6 },
        { "product(Out.Sizes)", 24 },
        { "Ins[0].Sizes[1] + Ins[0].Sizes[2]", 14 },
        { "any(Out.Sizes > 7)", 1 },
        { "each(Out.Sizes > 7 and offset > 0)", 0 },
        { "legal and n == 5", 1 },
        { "not legal", 0 },
        { "rank", 2 },
        { "two // two + two * two", 5 },
        { "dtype == \"f16\"", 1 }, /* no alias within a string */
    };
    expr_value values[NAME_COUNT];
    set(values);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        bool failed = false;
        expr *x = compile_in(&query, rows[i].text);
        if (expr_eval(x, values, &failed) != rows[i].value || failed)
            fail_msg("%s", rows[i].text);
        expr_free(x);
    }
}

static void conjuncts_may_hold_aliases(void **unused)
{
    (void)unused;
    error e;
    expr *conjuncts[4];
    assert_int_equal(
        expr_compile_conjuncts("legal and any(Out.Sizes > 7) and n == 5", &query, "test", conjuncts, 4, &e), 3);
    assert_string_equal(expr_text(conjuncts[1]), "any((size - offset) > 7)");
    for (int i = 0; i < 3; ++i)
        expr_free(conjuncts[i]);
}

static void only_queries_have_aliases(void **unused)
{
    (void)unused;
    error e;
    expr_scope scope = query;
    scope.relaxed = false;
    assert_null(expr_compile("two == 2", &scope, "test", &e));
    assert_null(expr_compile("In.Sizes[1] == 2", &query, "test", &e));
    assert_null(expr_compile("Ins[1].Sizes[1] == 2", &query, "test", &e));
    assert_non_null(strstr(e.text, "unknown name 'Ins[1].Sizes'"));
    assert_true(expr_check_words("any(Out.Sizes > 7)", "test", &e));
    assert_false(expr_check_words("n == 1.5.2", "test", &e));
    assert_false(expr_check_words("most(Out.Sizes) > 7", "test", &e));
    char text[4100] = "Out.Sizes[1]";
    while (strlen(text) + 20 < 4000)
        strcat(text, " + Out.Sizes[1]");
    assert_null(expr_compile(text, &query, "test", &e)); /* too long when the aliases are written out */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_stand_for_expressions),
        cmocka_unit_test(conjuncts_may_hold_aliases),
        cmocka_unit_test(only_queries_have_aliases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
