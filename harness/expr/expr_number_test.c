/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers that need not be integers: comparisons with the values of an axis, in any way to write them. */
#include "harness/base/decimal.h"
#include "harness/expr/expr.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const symbols[] = { "0", "-0", "-1.5", "2", "1e30", "nan", "inf" };
static int64_t keys[7];
static const char *const types[] = { "f16", "f32" };
static const int64_t type_values[] = { 2, 1 };

enum { VALUE, OTHER, TYPE, N, SIZE, NAMES };
static expr_name names[NAMES] = {
    { "value", false, -1, symbols, keys, 7, true },      { "other", false, -1, symbols, keys, 3, true },
    { "type", false, -1, types, type_values, 2, false }, { .name = "n", .per = -1 },
    { .name = "size", .vector = true, .per = 0 },
};
static const expr_scope strict = { .names = names, .count = NAMES };
static const expr_scope query = { .names = names, .count = NAMES, .relaxed = true };

static int with(const expr_scope *scope, const char *text, double value, double other)
{
    error e = { .text = "" };
    bool failed = false;
    expr_value values[NAMES] = { { .v = { decimal_key(value) }, .length = 1 },
                                 { .v = { decimal_key(other) }, .length = 1 },
                                 { .v = { 1 }, .length = 1 },
                                 { .v = { 3 }, .length = 1 },
                                 { .v = { 4, 1 }, .length = 2 } };
    expr *x = expr_compile(text, scope, "test", &e);
    if (!x)
        fail_msg("'%s' does not compile: %s", text, e.text);
    const int64_t result = expr_eval(x, values, &failed);
    assert_false(failed);
    expr_free(x);
    return (int)result;
}

static void numbers_are_compared(void **unused)
{
    static const struct {
        const char *text;
        double value, other;
        int result;
    } rows[] = {
        { "value == 2", 2, 0, 1 },
        { "value == 2.0", 2, 0, 1 },
        { "value == '2'", 2, 0, 1 },
        { "2 == value", 2, 0, 1 },
        { "value == -1.5", -1.5, 0, 1 },
        { "value < 0", -1.5, 0, 1 },
        { "value < 0", -0.0, 0, 1 }, /* numbers are what is written: -0 comes before 0 */
        { "value == 0", -0.0, 0, 0 },
        { "value == -0", -0.0, 0, 1 },
        { "value == -0.0", -0.0, 0, 1 },
        { "value > 0.1", 0.25, 0, 1 }, /* no value of the axis */
        { "value == 1e30", 1e30, 0, 1 },
        { "value == 1e+30", 1e30, 0, 1 },
        { "value > 1.5e-45", 2, 0, 1 },
        { "value > 2", INFINITY, 0, 1 },
        { "value == 'nan'", NAN, 0, 1 },
        { "value == 'nan'", 2, 0, 0 },
        { "value ~= 2 and value < other", 0, 1, 1 },
        { "value < other", 2, 1, 0 }, /* another axis of numbers, which has others */
        { "value >= (n == 3 and other or 1.5)", 2, 1, 1 },
        { "n == 3 and value == 2 or 1 == 2", 2, 0, 1 },
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        if (with(&strict, rows[i].text, rows[i].value, rows[i].other) != rows[i].result ||
            with(&query, rows[i].text, rows[i].value, rows[i].other) != rows[i].result)
            fail_msg("%s, of %g and %g", rows[i].text, rows[i].value, rows[i].other);
    assert_int_equal(with(&query, "value == nan", NAN, 0), 1);
    assert_int_equal(with(&query, "value in {-1.5, 2}", 2, 0), 1);
    assert_int_equal(with(&query, "value not in {-1.5, nan}", 2, 0), 1);
}

static void parameters_of_ids_are_numbers_or_lists(void **unused)
{
    error e;
    (void)unused;
    assert_int_equal(with(&query, "is(value, \"-1.5\")", -1.5, 0), 1);
    assert_int_equal(with(&query, "is(value, -0)", -0.0, 0), 1);
    assert_int_equal(with(&query, "is(size, \"4.1\")", 0, 0), 1);
    assert_int_equal(with(&query, "is(size, \"4.2\")", 0, 0), 0);
    assert_int_equal(with(&query, "is(size, \"3.1\")", 0, 0), 0);
    assert_int_equal(with(&query, "is(size, \"4\")", 0, 0), 0);
    assert_int_equal(with(&query, "is(size, \"4.1.1\")", 0, 0), 0);
    assert_int_equal(with(&query, "is(value, 2) and is(size, \"4.1\") and n == 3", 2, 0), 1);
    static const char *const broken[] = { "4.", "4..1", "4.x", ".4", "", "1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1" };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; ++i) {
        char text[96];
        snprintf(text, sizeof text, "is(size, \"%s\")", broken[i]);
        assert_null(expr_compile(text, &query, "test", &e));
        assert_non_null(strstr(e.text, "is no list of integers such as 4.1"));
    }
    assert_null(expr_compile("is(n, \"4.1\")", &query, "test", &e));
}

static void refuses(const expr_scope *scope, const char *text, const char *says)
{
    error e = { .text = "" };
    expr *x = expr_compile(text, scope, "test", &e);
    if (x)
        fail_msg("'%s' compiles", text);
    if (!strstr(e.text, says))
        fail_msg("'%s' gives '%s', which lacks '%s'", text, e.text, says);
}

static void a_number_is_no_integer(void **unused)
{
    (void)unused;
    refuses(&strict, "n == 1.5", "'n' is an integer and '1.5' is a decimal number");
    refuses(&strict, "value + 1", "an enumerated value");
    refuses(&strict, "n + 1.5", "'1.5' is a decimal number");
    refuses(&strict, "value == n", "'value' is an enumerated value and 'n' is an integer");
    refuses(&strict, "value == 'f16'", "unknown value 'f16' of 'value'");
    refuses(&strict, "type == 1.5", "unknown value '1.5' of 'type'");
    refuses(&strict, "value == type", "an enumerated value");
    refuses(&strict, "value == 1.5.2", "malformed number '1.5.2'");
    refuses(&strict, "value == 1e", "malformed number '1e'");
    refuses(&strict, "value == - - 1.5", "'-' takes an integer");
}

static void an_expression_tells_whether_it_is_a_number(void **unused)
{
    static const struct {
        const char *text;
        bool number;
        int domain;
    } rows[] = { { "value", true, VALUE },    { "n == 3 and value or -1.5", true, VALUE },
                 { "type", false, TYPE },     { "n", false, -1 },
                 { "value == 2", false, -1 }, { "1.5", true, -1 },
                 { "-2.5", true, -1 },        { "2", false, -1 } };
    error e;
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        expr *x = expr_compile(rows[i].text, &strict, "test", &e);
        assert_non_null(x);
        assert_int_equal(expr_is_number(x), rows[i].number);
        assert_int_equal(expr_domain_of(x), rows[i].domain);
        expr_free(x);
    }
    bool failed = false;
    expr *x = expr_compile("-2.5", &strict, "test", &e);
    assert_non_null(x);
    assert_true(decimal_of_key(expr_eval(x, NULL, &failed)) == -2.5 && !failed);
    expr_free(x);
}

int main(void)
{
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
        double number;
        if (!decimal_read(symbols[i], strlen(symbols[i]), &number))
            return 1;
        keys[i] = decimal_key(number);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_compared),
        cmocka_unit_test(parameters_of_ids_are_numbers_or_lists),
        cmocka_unit_test(a_number_is_no_integer),
        cmocka_unit_test(an_expression_tells_whether_it_is_a_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
