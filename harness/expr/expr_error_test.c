/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions that do not compile, and the messages about them. */
#include "harness/expr/expr_fixture.h"

static void assert_error(const expr_scope *scope, const char *text, const char *first, const char *second)
{
    error e = { .status = EXIT_HARNESS, .text = "" };
    expr *x = expr_compile(text, scope, "cases/dml/slice1.lua:12", &e);
    if (x != NULL)
        fail_msg("'%s' compiles", text);
    if (e.status != EXIT_BAD_USAGE || strncmp(e.text, "cases/dml/slice1.lua:12: in '", 29) != 0 ||
        strstr(e.text, first) == NULL || (second && strstr(e.text, second) == NULL))
        fail_msg("'%s': expected '%s' and '%s' in: %s", text, first, second ? second : "", e.text);
}

static void test_whole_message(void **unused)
{
    (void)unused;
    error e = { .text = "" };
    assert_null(expr_compile("offset + windw <= size", &strict, "cases/dml/slice1.lua:12", &e));
    assert_string_equal(e.text, "cases/dml/slice1.lua:12: in 'offset + windw <= size' at column 10: unknown name "
                                "'windw' (did you mean 'window'?); known: rank, n, m, end, dtype, other, layout, "
                                "offset, window, size, axes, order, keep");
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_null(expr_compile("rank <", &strict, NULL, &e));
    assert_non_null(strstr(e.text, "in 'rank <' at column 7: expected a value, found the end"));
}

static void test_errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *first, *second;
    } cases[] = {
        { "", "column 1: expected a value, found the end", NULL },
        { "  ", "expected a value, found the end", NULL },
        { "zzz", "unknown name 'zzz'; known: rank, n", NULL },
        { "maxx(n, m)", "unknown function 'maxx' (did you mean 'max'?); known: each, any, abs, min", NULL },
        { "layout == \"padde\"", "unknown value 'padde' of 'layout' (did you mean 'padded'?)",
          "there are: packed, padded, strided" },
        { "'x' == layout", "column 1: unknown value 'x' of 'layout'; there are: packed", NULL },
        { "layout == 1", "'layout' is an enumerated value and '1' is an integer",
          "values of 'layout': packed, padded, strided" },
        { "layout == dtype", "'layout' is an enumerated value and 'dtype' is an enumerated value", NULL },
        { "layout + 1", "'+' takes integers or vectors, and 'layout' is an enumerated value", NULL },
        { "n == \"f16\"", "'n' is an integer and '\"f16\"' is a string", NULL },
        { "'f16' == 'f16'", "a string can only be compared with a name", NULL },
        { "'f16'", "a string is there to be compared", NULL },
        { "n and m", "'and' takes a truth value on its left", "'n' is an integer" },
        { "n or m", "'or' takes a truth value", "'n' is an integer" },
        { "n == 1 or m", "'or' after a truth value takes another", NULL },
        { "n == 1 and m", "after 'c and x' comes 'or y'", NULL },
        { "(n == 1 and m) + 1", "'+' takes integers or vectors", "'and' without 'or'" },
        { "(n == 1 and m) and n == 2", "'and' takes a truth value on its left", NULL },
        { "n == 1 and m or n == 2", "one type", "'n == 2' is a truth value" },
        { "n == 1 and size or offset", "pick(c, x, y)", "'size' is a vector" },
        { "n == 1 and layout or 'f16'", "unknown value 'f16' of 'layout'", NULL },
        { "n == 1 and m or layout", "of one type", NULL },
        { "not n", "'not' takes a truth value", "'n' is an integer" },
        { "-(n == 1)", "'-' takes an integer or a vector", "'(n == 1)' is a truth value" },
        { "1 < n < 3", "a comparison takes two values of one type", "'1 < n' is a truth value" },
        { "(n < 1) < (m < 1)", "an ordering takes", NULL },
        { "offset + axes", "column 10: 'axes' has elements per something else", NULL },
        { "offset == axes", "different 'per'", NULL },
        { "each(offset < axes)", "column 15: 'axes' has elements per something else", "different 'per'" },
        { "any(offset < size and axes > 1)", "'axes > 1' has elements per something else", "different 'per'" },
        { "offset < size",
          "column 1: a comparison of a vector says whether it has to hold for every element, "
          "each(offset < size), or for at least one, any(offset < size)",
          NULL },
        { "n == 1 and not (offset + 1 == 3)", "column 17: a comparison", "each(offset + 1 == 3)" },
        { "size ~= 3 and n or m", "each(size ~= 3), or for at least one, any(size ~= 3)", NULL },
        { "eq(size, 3) == 1", "any(eq(size, 3) == 1)", NULL },
        { "sum(size * (size < 2 and 1 or 2))", "each(size < 2)", NULL },
        { "each(n == 1)",
          "column 6: each() takes a comparison of a vector, such as each(size > 1), and this compares "
          "none: write it without each()",
          NULL },
        { "any(n)", "any() takes a comparison of a vector, such as any(size > 1), and 'n' is an integer", NULL },
        { "each(size)", "each() takes a comparison of a vector", "'size' is a vector" },
        { "each()", "each() takes 1 argument, not 0", NULL },
        { "any(size > 1, size < 3)", "any() takes 1 argument, not 2", NULL },
        { "each(each(size > 1))", "column 6: each() and any() do not nest", "join them with 'and' or 'or'" },
        { "each(size > 1 or any(offset > 1))", "column 18: each() and any() do not nest", NULL },
        { "each(size > 1) + 1", "'+' takes integers or vectors", "'each(size > 1)' is a truth value" },
        { "each(sum(size > 1) > 2)", "sum() of one argument takes a vector", "'size > 1' is a truth value for each" },
        { "each(size > 1 and offset or 3)", "pick(c, x, y) by element", NULL },
        { "count(n == 1)", "count() of one argument takes a vector", "'n == 1' is a truth value" },
        { "is(n, 1)", "unknown function 'is'", NULL },
        { "pick(offset, axes, 1)", "different 'per'", NULL },
        { "n[1]", "only a vector has elements", "'n' is an integer" },
        { "size[size]", "an index is an integer", "'size' is a vector" },
        { "size[n == 1]", "an index is an integer", "truth value" },
        { "size[1", "expected ']', found the end", NULL },
        { "sum(n)", "sum() of one argument takes a vector", NULL },
        { "max(n)", "max() of one argument takes a vector", NULL },
        { "len(n)", "len() of one argument takes a vector", NULL },
        { "sum(order)", "sum() of one argument takes a vector", "a vector of enumerated values" },
        { "abs(layout)", "abs() takes integers or vectors", NULL },
        { "abs()", "abs() takes 1 argument, not 0", NULL },
        { "min(1, 2, 3)", "min() takes 1 or 2 arguments, not 3", NULL },
        { "pick(1, 2)", "pick() takes 3 arguments, not 2", NULL },
        { "pick(1, 2, 3, 4, 5)", "pick() takes 3 arguments, not 5", NULL },
        { "pick(layout, 2, 3)", "pick() chooses by a truth value, an integer", NULL },
        { "pick(1, n < 2, n < 3)", "pick() takes integers or vectors", NULL },
        { "min(n, )", "expected a value, found ')'", NULL },
        { "min(n m)", "expected ',' or ')', found 'm'", NULL },
        { "(n", "expected ')', found the end", NULL },
        { "n)", "expected an operator or the end, found ')'", NULL },
        { "n m", "expected an operator or the end, found 'm'", NULL },
        { "n not in m", "expected an operator or the end, found 'not'", NULL },
        { "n in {1}", "lists belong to queries", NULL },
        { "end == 1", "'end' is a keyword of Lua; the name is written with a trailing '_'", NULL },
        { "true", "'true' is a keyword of Lua", NULL },
        { "n -- 1", "'--' starts a comment", NULL },
        { "n != 1", "'!=' is written '~='", NULL },
        { "n = 1", "a comparison is written '=='", NULL },
        { "n / 2", "integers are divided with '//'", NULL },
        { "#size", "len(v)", NULL },
        { "n && m", "written 'and'", NULL },
        { "n || m", "written 'or'", NULL },
        { "!n", "written 'not'", NULL },
        { "n ^ 2", "unexpected '^'", NULL },
        { "n\001", "unexpected byte 0x01", "in 'n?'" },
        { "n\xff", "unexpected byte 0xff", NULL },
        { "1.5.2", "malformed number '1.5.2'", NULL },
        { "1e", "malformed number '1e'", NULL },
        { "4_1", "malformed number '4_1'", NULL },
        { "0x", "malformed number '0x'", NULL },
        { "0xg", "malformed number", NULL },
        { "9223372036854775808", "does not fit into 64 bits", NULL },
        { "99999999999999999999999", "does not fit into 64 bits", NULL },
        { "0x10000000000000000", "does not fit into 64 bits", NULL },
        { "layout == 'padded", "unfinished string", NULL },
        { "layout == 'pad\nded'", "unfinished string", NULL },
        { "layout == 'pad\\65'", "no escapes", NULL },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_error(&strict, cases[i].text, cases[i].first, cases[i].second);

    assert_error(&relaxed, "dtyp == f16", "unknown name 'dtyp' (did you mean 'dtype'?)", NULL);
    assert_error(&relaxed, "dtype == f61", "unknown value 'f61' of 'dtype' (did you mean 'f16'?)", "fp8-e4m3");
    assert_error(&relaxed, "dtype == 4_2", "unknown value '4_2' of 'dtype' (did you mean '4_1'?)", NULL);
    assert_error(&relaxed, "n == f16", "unknown name 'f16'", NULL);
    assert_error(&relaxed, "f16", "unknown name 'f16'", NULL);
    assert_error(&relaxed, "f16 + 1", "unknown name 'f16'", NULL);
    assert_error(&relaxed, "n == 1 and f16 or f32", "unknown name 'f16'", NULL);
    assert_error(&relaxed, "n in {}", "expected a value, found '}'", NULL);
    assert_error(&relaxed, "n in 1", "expected '{', found '1'", NULL);
    assert_error(&relaxed, "n in {1", "expected ',' or '}', found the end", NULL);
    assert_error(&relaxed, "n not 1", "expected 'in', found '1'", NULL);
    assert_error(&relaxed, "n in {f16}", "unknown name 'f16'", NULL);
    assert_error(&relaxed, "dtype in {f16, padded}", "unknown value 'padded' of 'dtype'", NULL);
    assert_error(&relaxed, "size in {axes}", "different 'per'", NULL);
    assert_error(&relaxed, "size in {1, 2}", "each(size in {1, 2}), or for at least one, any(size in {1, 2})", NULL);
    assert_error(&relaxed, "not (size not in {1, 2})", "any(size not in {1, 2})", NULL);
    assert_error(&relaxed, "is(size, axes)", "different 'per'", NULL);
    assert_error(&relaxed, "1.5 == n", "'1.5' is a decimal number and 'n' is an integer", NULL);
}

static void test_limits(void **unused)
{
    (void)unused;
    static char text[8192];
    static const struct {
        const char *before, *middle, *after;
        int deepest; /* that compiles */
    } nests[] = {
        { "(", "1", ")", 64 },          { "- ", "1", "", 64 },
        { "not ", "(n == 1)", "", 63 }, { "abs(", "1", ")", 64 },
        { "size[", "1", "]", 64 },      { "1+(2*(", "1", "))", 32 },
        { "sum(size-", "1", ")", 64 },  { "(n == 1 and ", "1", " or 2)", 64 },
        { "", "1", "+n", 1000 },
    };
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; ++i)
        for (int depth = 1; depth < 200; ++depth) {
            text[0] = 0;
            for (int d = 0; d < depth; ++d)
                strcat(text, nests[i].before);
            strcat(text, nests[i].middle);
            for (int d = 0; d < depth; ++d)
                strcat(text, nests[i].after);
            error e = { .text = "" };
            expr *x = expr_compile(text, &strict, "test", &e);
            if ((x != NULL) != (depth <= nests[i].deepest) ||
                (x == NULL && strstr(e.text, "nested deeper than 64") == NULL && strstr(e.text, "too complex") == NULL))
                fail_msg("'%s', %d times: %s", nests[i].before, depth, x ? "compiles" : e.text);
            expr_free(x);
        }
    memset(text, ' ', sizeof text);
    text[0] = 'n';
    text[4096] = 0;
    expr_free(compile_in(&strict, text));
    text[4096] = ' ';
    text[4097] = 0;
    assert_error(&strict, text, "at most 4096 characters", NULL);
    /* A long one is quoted around the column. */
    text[3000] = '?';
    text[4096] = 0;
    assert_error(&strict, text, "at column 3001", "in '...");
    /* Long chains nest to the left, and lists do not grow exponentially. */
    for (size_t length = 0; length < 4090; length += 2)
        memcpy(text + length, "1+", 2);
    strcpy(text + 4090, "1");
    expr_free(compile_in(&strict, text));
    strcpy(text, "n in {1}");
    for (int i = 0; i < 200; ++i)
        strcat(text, " in {n == 1, m == 2}");
    expr_free(compile_in(&relaxed, text));
    strcpy(text, "size[1]");
    for (int i = 0; i < 50; ++i) {
        memmove(text + 1, text, strlen(text) + 1);
        text[0] = '(';
        strcat(text, "+ size // offset)[1]");
    }
    expr_free(compile_in(&strict, text));
    expr_name many[EXPR_MAX_SLOTS + 1];
    for (int i = 0; i <= EXPR_MAX_SLOTS; ++i)
        many[i] = (expr_name){ .name = "x", .per = -1 };
    expr_scope scope = { .names = many, .count = EXPR_MAX_SLOTS + 1 };
    assert_error(&scope, "x", "57 names are more than the 56", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_message),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
