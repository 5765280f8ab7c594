/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: what does not compile and why, values by hand, and the same strings evaluated by Lua itself. */
#include "harness/expr/expr.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

static const char *const dtypes[] = { "f16", "f32", "i8", "u8", "4_1", "fp8-e4m3" };
static const int64_t dtype_values[] = { 3, 5, 7, 9, 11, 13 };
static const char *const layouts[] = { "packed", "padded", "strided" };
static const int64_t layout_values[] = { 0, 1, 2 };

enum { RANK, N, M, END, DTYPE, OTHER, LAYOUT, OFFSET, WINDOW, SIZE, AXES, ORDER, PER_AXES_TOO, NAME_COUNT };
static const expr_name names[NAME_COUNT] = {
    [RANK] = { .name = "rank", .per = -1 },
    [N] = { .name = "n", .per = -1 },
    [M] = { .name = "m", .per = -1 },
    [END] = { .name = "end", .per = -1 },
    [DTYPE] = { "dtype", false, -1, dtypes, dtype_values, 6 },
    [OTHER] = { "other", false, -1, dtypes, dtype_values, 6 },
    [LAYOUT] = { "layout", false, -1, layouts, layout_values, 3 },
    [OFFSET] = { .name = "offset", .vector = true, .per = 0 },
    [WINDOW] = { .name = "window", .vector = true, .per = 0 },
    [SIZE] = { .name = "size", .vector = true, .per = 0 },
    [AXES] = { .name = "axes", .vector = true, .per = 1 },
    [ORDER] = { "order", true, 1, layouts, layout_values, 3 },
    [PER_AXES_TOO] = { .name = "keep", .vector = true, .per = 1 },
};
static const expr_scope strict = { names, NAME_COUNT, false };
static const expr_scope relaxed = { names, NAME_COUNT, true };

/* The numerical recipes of Knuth: the same numbers everywhere. */
static uint64_t state;
static uint32_t next_random(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 33);
}

static expr *compile_in(const expr_scope *scope, const char *text)
{
    error e = { .text = "" };
    expr *x = expr_compile(text, scope, "test", &e);
    if (x == NULL)
        fail_msg("'%s' does not compile: %s", text, e.text);
    return x;
}

/* ---- errors ---------------------------------------------------------------------------------------------------- */

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
        { "maxx(n, m)", "unknown function 'maxx' (did you mean 'max'?); known: abs, min", NULL },
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
        { "pick(n == 1, 2, 3)", "pick() chooses by an integer", NULL },
        { "pick(1, n < 2, n < 3)", "pick() takes integers", NULL },
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
        { "1.5", "malformed number '1.5'", NULL },
        { "1e5", "malformed number '1e5'", NULL },
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
    assert_error(&relaxed, "1.5 == n", "malformed number", NULL);
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
    /* Long chains nest to the left, and lists do not multiply. */
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
    expr_scope scope = { many, EXPR_MAX_SLOTS + 1, false };
    assert_error(&scope, "x", "41 names are more than the 40", NULL);
}

/* ---- values by hand -------------------------------------------------------------------------------------------- */

static const expr_value sample[NAME_COUNT] = {
    [RANK] = { { 3 }, 1 },
    [N] = { { 7 }, 1 },
    [M] = { { -2 }, 1 },
    [END] = { { 40 }, 1 },
    [DTYPE] = { { 3 }, 1 },
    [OTHER] = { { 11 }, 1 },
    [LAYOUT] = { { 1 }, 1 },
    [OFFSET] = { { 0, 1, 2 }, 3 },
    [WINDOW] = { { 4, 3, 2 }, 3 },
    [SIZE] = { { 4, 4, 5 }, 3 },
    [AXES] = { { 2, 0 }, 2 },
    [ORDER] = { { 1, 1 }, 2 },
    [PER_AXES_TOO] = { { 1, 0 }, 2 },
};

static void assert_value(const expr_scope *scope, const char *text, int64_t expected)
{
    expr *x = compile_in(scope, text);
    bool failed = false;
    int64_t value = expr_eval(x, sample, &failed);
    if (failed || value != expected)
        fail_msg("'%s': %lld%s, expected %lld", text, (long long)value, failed ? " (failed)" : "", (long long)expected);
    if (expr_type_of(x) != EXPR_BOOL || !expr_elementwise(x)) {
        /* Whatever is not by element is the same at every element. */
        assert_int_equal(expr_eval_at(x, sample, 1, &failed), expected);
        assert_false(failed);
    }
    expr_free(x);
}

static void assert_fails(const char *text)
{
    expr *x = compile_in(&strict, text);
    bool failed = false;
    assert_int_equal(expr_eval(x, sample, &failed), 0);
    if (!failed)
        fail_msg("'%s' does not fail", text);
    expr_free(x);
}

static void test_values(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        { "1", 1 },
        { "-1", -1 },
        { "0x10", 16 },
        { "0xffffffffffffffff", -1 },
        { "9223372036854775807 + 1", INT64_MIN },
        { "(-9223372036854775807 - 1) // -1", INT64_MIN },
        { "(-9223372036854775807 - 1) % -1", 0 },
        { "-7 // 2", -4 },
        { "7 // -2", -4 },
        { "-7 % 3", 2 },
        { "7 % -3", -2 },
        { "1 + 2 * 3 - 4", 3 },
        { "(1 + 2) * 3", 9 },
        { "2 - 1 - 1", 0 },
        { "- -3", 3 },
        { "not (n == 7) or m == -2", 1 },
        { "n == 7 and 0 or 5", 0 }, /* In Lua 0 is true. */
        { "n == 8 and 0 or 5", 5 },
        { "n == 8 and 1 or n == 7 and 2 or 3", 2 },
        { "n == 8 and (m == 1 and 4 or 5) or n == 9 and 2 or 3", 3 },
        { "n == 7 and (m == 1 and 4 or 5) or n == 9 and 2 or 3", 5 },
        { "(n == 8 and 1 or (n == 9 and 2 or n == 7 and 6)) or 3", 6 },
        { "n == 7 and (m == 1 and 4) or 3", 3 },
        { "layout == \"padded\"", 1 },
        { "'packed' < layout", 1 },
        { "layout >= 'strided'", 0 },
        { "layout", 1 },
        { "dtype == other", 0 },
        { "(n == 7 and dtype or other) == 'f16'", 1 },
        { "(n == 7 and 'f32' or 'f16') == dtype", 0 },
        { "(n == 8 and 'f32' or dtype) == 'f16'", 1 },
        { "dtype == (n == 8 and 'f32' or n == 7 and 'f16' or 'i8')", 1 },
        { "pick(eq(layout, 'padded'), n, m)", 7 },
        { "pick(n, dtype, 'f32') == 'f16'", 1 },
        { "order == \"padded\"", 1 },
        { "order[2] == 'packed'", 0 },
        { "(n < 3) == (m > 0)", 1 },
        { "(n < 3) ~= (m > 0)", 0 },
        { "end_ == 40", 1 },
        { "offset + window <= size", 1 },
        { "offset + window == size", 0 },
        { "offset + window ~= size", 1 },
        { "not (size >= 5)", 1 },
        { "size ~= 4", 1 },
        { "size >= 4", 1 },
        { "4 <= size", 1 },
        { "min(size) + max(size) * 10 + sum(size) * 100", 1354 },
        { "product(size)", 80 },
        { "count(offset)", 2 },
        { "count(eq(size, 4))", 2 },
        { "len(size) + len(axes)", 5 },
        { "len(size + 1)", 3 },
        { "size[rank]", 5 },
        { "(size + offset)[2]", 5 },
        { "(size // (offset + 1))[3]", 1 },
        { "axes[1] + size[axes[1] + 1]", 7 },
        { "sum(size - min(size))", 1 },
        { "sum(size * axes[1] + len(axes))", 32 },
        { "sum(pick(gt(offset, 0), size, -window))", 5 },
        { "max(max(size, window + 1))", 5 },
        { "min(n, m)", -2 },
        { "sum(abs(offset - 1))", 2 },
        { "sum(le(size, window))", 1 },
        { "sum(size) == 13 and sum(axes) == 2", 1 },
        { "n == 1 and n // 0 == 1", 0 },
        { "n == 7 or n // 0 == 1", 1 },
        { "rank > 5 and size[6] == 1", 0 },
        { "sum(size + (size == 4 and 1 or 2))", 19 },
        { "sum((size + n - 7) * (m + 3) // (rank - 2))", 13 },
        { "(size // (rank + 0) + (n - 7))[rank - 1 + sum(offset * (n - 7))] + n", 8 },
        { "sum(size + (offset < size and sum(axes) or 2))", 19 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        assert_value(&strict, cases[i].text, cases[i].value);
        assert_value(&relaxed, cases[i].text, cases[i].value);
    }
    static const struct {
        const char *text;
        int64_t value;
    } queries[] = {
        { "dtype == f16", 1 },
        { "f16 == dtype", 1 },
        { "other == 4_1", 1 },
        { "other == '4_1'", 1 },
        { "dtype == 'fp8-e4m3'", 0 },
        { "dtype in {f16, f32} and n == 7", 1 },
        { "dtype not in {f16, 'f32'}", 0 },
        { "dtype in {u8} or other in {f16, 4_1}", 1 },
        { "n in {1, 2 + 5}", 1 },
        { "n in {-7, m, 6}", 0 },
        { "n * 2 in {14}", 1 },
        { "size in {4, 5}", 1 },
        { "size in {4, 6}", 0 },
        { "size not in {4, 6}", 1 },
        { "size in {window, offset + 3, 4}", 1 },
        { "end == 40", 1 },
        { "end_ == 40", 1 },
        { "not (dtype in {f16})", 0 },
        { "order == padded", 1 },
        { "order in {packed, padded}", 1 },
        { "(n == 7 and f32 or f16) == dtype", 0 },
    };
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; ++i)
        assert_value(&relaxed, queries[i].text, queries[i].value);
    static const char *const failures[] = {
        "n // 0",
        "n % 0",
        "n // (n - 7)",
        "size[0]",
        "size[4]",
        "size[-9223372036854775807]",
        "size[n - 7]",
        "(size + 1)[0]",
        "(size + 1)[4]",
        "sum(size // offset)",
        "len(size // offset)",
        "(size // offset)[3]",
        "(size // (offset + 1))[4]",
        "(size // (offset + 1))[0]",
        "size % offset == 9",
        "rank // 0 == 1 and n == 8",
        "pick(1, n, n // 0)",
    };
    for (size_t i = 0; i < sizeof failures / sizeof failures[0]; ++i)
        assert_fails(failures[i]);
}

static void test_empty_and_unequal_vectors(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = { { "offset < size", 1 }, { "offset ~= size", 0 }, { "sum(size)", 0 },
                  { "product(size)", 1 }, { "count(size)", 0 },    { "len(size)", 0 } };
    expr_value values[NAME_COUNT];
    memcpy(values, sample, sizeof values);
    values[OFFSET].length = values[WINDOW].length = values[SIZE].length = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        bool failed = false;
        expr *x = compile_in(&strict, cases[i].text);
        assert_int_equal(expr_eval(x, values, &failed), cases[i].value);
        assert_false(failed);
        expr_free(x);
    }
    static const char *const failing[] = { "sum(size + n // 0)", "size < n // 0", "sum(size - min(size))",
                                           "min(size)",          "max(size + 1)", "size[1]",
                                           "(size // 2)[1]",     "(size // n)[1]" };
    for (size_t i = 0; i < sizeof failing / sizeof failing[0]; ++i) {
        bool failed = false;
        expr *x = compile_in(&strict, failing[i]);
        assert_int_equal(expr_eval(x, values, &failed), 0);
        assert_true(failed);
        expr_free(x);
    }
    memcpy(values, sample, sizeof values);
    values[SIZE].length = 2;
    static const char *const unequal[] = { "offset < size", "sum(size + window)", "len(window + size)",
                                           "(window + size)[1]", "size == window" };
    for (size_t i = 0; i < sizeof unequal / sizeof unequal[0]; ++i) {
        bool failed = false;
        expr *x = compile_in(&strict, unequal[i]);
        assert_int_equal(expr_eval(x, values, &failed), 0);
        assert_true(failed);
        expr_free(x);
    }
}

static void test_properties(void **unused)
{
    (void)unused;
    expr *x = compile_in(&strict, " offset + window * n ");
    assert_int_equal(expr_type_of(x), EXPR_VECTOR);
    assert_int_equal(expr_per_of(x), 0);
    assert_true(expr_elementwise(x));
    assert_true(expr_uses(x) == (UINT64_C(1) << OFFSET | UINT64_C(1) << WINDOW | UINT64_C(1) << N));
    assert_string_equal(expr_text(x), " offset + window * n ");
    bool failed = false;
    assert_int_equal(expr_eval_at(x, sample, 1, &failed), 22);
    assert_false(failed);
    assert_int_equal(expr_eval_at(x, sample, 3, &failed), 0);
    assert_true(failed);
    failed = false;
    assert_int_equal(expr_eval(x, sample, &failed), 0);
    assert_true(failed); /* A vector has no single value. */
    expr_free(x);
    x = compile_in(&strict, "size - min(axes) * len(order)");
    assert_false(expr_elementwise(x));
    failed = false;
    assert_int_equal(expr_eval_at(x, sample, 2, &failed), 5);
    assert_false(failed);
    assert_int_equal(expr_eval(x, sample, &failed), 0);
    assert_true(failed); /* A flag that is set stays set. */
    expr_free(x);
    x = compile_in(&strict, "layout");
    assert_int_equal(expr_type_of(x), EXPR_INT);
    assert_int_equal(expr_per_of(x), -1);
    assert_false(expr_elementwise(x));
    expr_free(x);
    x = compile_in(&strict, "size > 0");
    assert_int_equal(expr_type_of(x), EXPR_BOOL);
    assert_int_equal(expr_per_of(x), -1);
    expr_free(x);
    expr_free(NULL);
}

static void test_conjuncts(void **unused)
{
    (void)unused;
    error e = { .text = "" };
    expr *out[3];
    bool failed = false;
    assert_int_equal(expr_compile_conjuncts("rank < 4 and (n > 1 and size > 0)", &strict, "test", out, 3, &e), 3);
    assert_string_equal(expr_text(out[0]), "rank < 4");
    assert_string_equal(expr_text(out[1]), "n > 1");
    assert_string_equal(expr_text(out[2]), "size > 0");
    assert_true(expr_uses(out[1]) == UINT64_C(1) << N);
    assert_true(expr_elementwise(out[2]));
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(expr_eval(out[i], sample, &failed), 1);
        expr_free(out[i]);
    }
    assert_int_equal(expr_compile_conjuncts("n == 1 or m == 2 and n == 3", &strict, "test", out, 3, &e), 1);
    expr_free(out[0]);
    assert_int_equal(expr_compile_conjuncts("n == 1 and m or n", &strict, "test", out, 3, &e), 1);
    assert_int_equal(expr_type_of(out[0]), EXPR_INT);
    expr_free(out[0]);
    /* What stands before a conjunct may keep it from failing, so it stays before it. */
    assert_int_equal(expr_compile_conjuncts("rank > 5 and n > 3 and size[6] == 1", &strict, "test", out, 3, &e), 3);
    assert_string_equal(expr_text(out[2]), "size[6] == 1");
    assert_true(expr_uses(out[2]) == (UINT64_C(1) << RANK | UINT64_C(1) << N | UINT64_C(1) << SIZE));
    assert_int_equal(expr_eval(out[2], sample, &failed), 0);
    assert_false(failed);
    for (int i = 0; i < 3; ++i)
        expr_free(out[i]);
    assert_int_equal(expr_compile_conjuncts("n > 1 and n > 2 and n > 3 and n > 4", &strict, "test", out, 3, &e), -1);
    assert_non_null(strstr(e.text, "more than 3 conditions"));
    assert_int_equal(expr_compile_conjuncts("n > 1 and", &strict, "test", out, 3, &e), -1);
    assert_non_null(strstr(e.text, "found the end"));
}

/* ---- Lua ------------------------------------------------------------------------------------------------------- */

static const char prelude[] =
    "local meta = {}\n"
    "local function vector(t) return setmetatable(t, meta) end\n"
    "local function is(x) return getmetatable(x) == meta end\n"
    "local function map(f, ...)\n"
    "  local arguments, n = {...}, nil\n"
    "  for i = 1, #arguments do if is(arguments[i]) then n = #arguments[i] end end\n"
    "  if n == nil then return f(...) end\n"
    "  local r = {}\n"
    "  for k = 1, n do\n"
    "    local a = {}\n"
    "    for i = 1, #arguments do a[i] = is(arguments[i]) and arguments[i][k] or arguments[i] end\n"
    "    r[k] = f(table.unpack(a))\n"
    "  end\n"
    "  return vector(r)\n"
    "end\n"
    "local function every(f) return function(x, y)\n"
    "  local all, v = true, map(function(a, b) return f(a, b) and 1 or 0 end, x, y)\n"
    "  for k = 1, #v do all = all and v[k] == 1 end\n"
    "  return all\n"
    "end end\n"
    "local function by(f) return function(x, y) return map(f, x, y) end end\n"
    "meta.__add = by(function(a, b) return a + b end)\n"
    "meta.__sub = by(function(a, b) return a - b end)\n"
    "meta.__mul = by(function(a, b) return a * b end)\n"
    "meta.__idiv = by(function(a, b) return a // b end)\n"
    "meta.__mod = by(function(a, b) return a % b end)\n"
    "meta.__unm = function(x) return map(function(a) return -a end, x) end\n"
    "meta.__lt = every(function(a, b) return a < b end)\n"
    "meta.__le = every(function(a, b) return a <= b end)\n"
    "meta.__eq = every(function(a, b) return a == b end)\n"
    "meta.__index = function() error 'index' end\n"
    "local function fold(start, f) return function(v)\n"
    "  local r = start\n"
    "  for k = 1, #v do r = f(r, v[k]) end\n"
    "  return r\n"
    "end end\n"
    "local function extreme(f) return function(x, y)\n"
    "  if y ~= nil then return map(f, x, y) end\n"
    "  local r = x[1]\n"
    "  for k = 2, #x do r = f(r, x[k]) end\n"
    "  return r\n"
    "end end\n"
    "local function truth(f) return by(function(a, b) return f(a, b) and 1 or 0 end) end\n"
    "env = {\n"
    "  abs = function(x) return map(math.abs, x) end,\n"
    "  min = extreme(function(a, b) return a < b and a or b end),\n"
    "  max = extreme(function(a, b) return a > b and a or b end),\n"
    "  sum = fold(0, function(a, b) return a + b end),\n"
    "  product = fold(1, function(a, b) return a * b end),\n"
    "  count = fold(0, function(a, b) return b ~= 0 and a + 1 or a end),\n"
    "  len = function(v) return #v end,\n"
    "  eq = truth(function(a, b) return a == b end),\n"
    "  ne = truth(function(a, b) return a ~= b end),\n"
    "  lt = truth(function(a, b) return a < b end),\n"
    "  le = truth(function(a, b) return a <= b end),\n"
    "  gt = truth(function(a, b) return a > b end),\n"
    "  ge = truth(function(a, b) return a >= b end),\n"
    "  pick = function(c, x, y)\n"
    "    return map(function(a, b, d) if a ~= 0 then return b else return d end end, c, x, y)\n"
    "  end,\n"
    "}\n"
    "new_vector = vector\n"
    "function compiled(text) return load('return ' .. text, text, 't', env) end\n";

/* Strings that are compared with Lua. A vector and an integer are never compared with == or ~= here, because Lua
   calls no metamethod for that. The symbols' values are in alphabetical order, as Lua compares strings. */
static const char *const shared[] = {
    "n",
    "-n",
    "- -n",
    "n + m",
    "n - m",
    "n * m",
    "n // m",
    "n % m",
    "-n // m",
    "-(n % m)",
    "- n % m",
    "n // 3 * 3 + n % 3",
    "n // -3 * -3 + n % -3",
    "n // -1",
    "n % -1",
    "n - m - rank",
    "n - (m - rank)",
    "n * m + rank * -2",
    "n * (m + rank) * -2",
    "0x7fffffffffffffff + n",
    "0xFFFFFFFFFFFFFFFF * m",
    "9223372036854775807 - -n",
    "abs(n)",
    "abs(n - m) // 2",
    "min(n, m)",
    "max(n, min(m, rank))",
    "eq(n, m) + ne(n, m) * 2 + lt(n, m) * 4 + le(n, m) * 8 + gt(n, m) * 16 + ge(n, m) * 32",
    "pick(n, m, rank)",
    "pick(eq(n, m), n // m, rank)",
    "pick(lt(n, m), m - n, n - m)",
    "end_ + 1",
    "n == m",
    "n ~= m",
    "n < m",
    "n <= m",
    "n > m",
    "n >= m",
    "not (n < m)",
    "not not (n < m)",
    "n < m == (m > n)",
    "(n < m) ~= (rank < m)",
    "not (n == m) == (n ~= m)",
    "n < m and m < rank",
    "n < m or m < rank",
    "n < m or m < rank and rank < n",
    "(n < m or m < rank) and rank < n",
    "not (n < m) and not (m < rank) or rank == 2",
    "n < m and n or m",
    "n < m and 0 or 1",
    "n < m and m < rank and n or m",
    "n < m and n or m < rank and m or rank",
    "(n < m and n or m) + (m < rank and m or rank)",
    "n < m and (m < rank and 1 or 2) or (rank < 3 and 3 or 4)",
    "n < m and (m < rank and 1 or rank < 3 and 2) or 3",
    "n < m and (m < rank and 1) or 3",
    "(n < m and 1 or rank < 3 and 2) or (m == 0 and 3 or 4)",
    "m ~= 0 and n // m or n",
    "m ~= 0 and n // m > 1",
    "m == 0 or n % m == 0",
    "m == 0 and n // m or n",
    "n // m == 1 or n == 2",
    "layout == 'packed'",
    "layout ~= 'padded'",
    "layout < 'strided'",
    "'packed' < layout and layout <= \"strided\"",
    "dtype == other",
    "dtype ~= other",
    "dtype < other or layout == 'padded' and dtype > 'f16'",
    "(n < m and dtype or other) == 'f32'",
    "(n < m and 'f16' or 'u8') == dtype",
    "(n < m and 'f16' or other) == dtype",
    "eq(dtype, other) + ne(layout, 'padded')",
    "pick(n, dtype, other) == 'i8'",
    "offset < size",
    "offset <= size",
    "offset > size",
    "offset >= size",
    "offset == size",
    "offset ~= size",
    "not (offset < size)",
    "not (offset ~= size)",
    "offset + window <= size",
    "offset + window == size",
    "offset - window * 2 ~= -size",
    "offset < 3",
    "3 < offset",
    "offset >= n",
    "n > offset",
    "not (offset >= 0)",
    "0 <= offset and offset + window <= size",
    "offset < size or window < size",
    "offset < size and window < size or n < m",
    "n < m or offset < size",
    "(offset < size) == (window < size)",
    "offset // 2 * 2 + offset % 2 == offset",
    "offset // size == offset % size",
    "offset // window <= size",
    "offset % window <= n",
    "offset // -1 == -offset",
    "offset // n <= size % m",
    "sum(offset)",
    "product(offset + 1)",
    "count(offset)",
    "count(offset - 1) + count(eq(size, window))",
    "min(offset)",
    "max(offset)",
    "max(offset) - min(size)",
    "sum(min(offset, size))",
    "sum(max(offset, 2) * min(3, size))",
    "sum(abs(offset - size))",
    "sum(abs(offset)) >= abs(sum(offset))",
    "len(offset)",
    "len(offset + size) * 2",
    "len(axes) + rank",
    "len(offset // size)",
    "offset[1]",
    "offset[rank]",
    "offset[n]",
    "offset[len(offset)]",
    "size[axes[1]]",
    "(offset + size)[1]",
    "(offset + size)[n]",
    "(offset // size)[2]",
    "abs(offset)[1] + 1",
    "-offset[1]",
    "max(offset, size)[2] * 2",
    "sum(offset - min(offset))",
    "sum(offset - min(size) * len(axes))",
    "sum(size * sum(axes)) == sum(size) * sum(axes)",
    "sum(offset * (offset < size and 2 or 3))",
    "sum((offset - axes[1]) * (axes < keep and sum(keep) or count(axes)))",
    "sum(pick(lt(offset, size), offset, size)) == sum(min(offset, size))",
    "count(eq(offset, size)) == len(size) or offset ~= size",
    "count(ne(offset, 0)) == count(offset)",
    "sum(pick(offset, window, 7))",
    "sum(pick(n, window, size))",
    "sum(pick(gt(offset, window), offset // window, 0))",
    "sum(le(offset, size)) + sum(ge(offset, 2)) * 10 + sum(gt(3, offset)) * 100",
    "axes < keep and offset < size",
    "axes == keep",
    "sum(axes * keep)",
    "order[1] == 'padded'",
    "order == order",
    "offset",
    "-offset",
    "offset + n",
    "n - offset",
    "offset * size - window",
    "offset // size",
    "offset % (abs(size) + 1)",
    "offset - min(size)",
    "pick(lt(offset, size), offset, n)",
    "max(offset, 0) + eq(size, window)",
    "abs(offset - max(offset))",
    "axes * len(offset)",
};

static int64_t random_value(void)
{
    static const int64_t extremes[] = { INT64_MIN, INT64_MIN + 1, INT64_MAX, INT64_MAX - 1, INT64_C(1) << 32 };
    uint32_t r = next_random();
    return r % 16 == 0 ? extremes[r / 16 % 5] : (int64_t)(r / 16 % 9) - 3;
}

/* Values for all names. Vectors of the same per are equally long, now and then without elements. */
static void randomize(expr_value *values)
{
    uint32_t lengths[2] = { next_random() % 5, next_random() % 4 };
    for (int i = 0; i < NAME_COUNT; ++i) {
        values[i].length = names[i].vector ? lengths[names[i].per] : 1;
        for (uint32_t k = 0; k < EXPR_MAX_LENGTH; ++k)
            values[i].v[k] = names[i].symbols ? names[i].symbol_values[next_random() % 3] : random_value();
    }
    values[RANK].v[0] = next_random() % 5;
}

static void push_value(lua_State *lua, const expr_name *name, int64_t value)
{
    if (name->symbols == NULL) {
        lua_pushinteger(lua, value);
        return;
    }
    size_t i = 0;
    while (name->symbol_values[i] != value)
        ++i;
    lua_pushstring(lua, name->symbols[i]);
}

/* env[name] = value */
static void set_lua_values(lua_State *lua, const expr_value *values)
{
    lua_getglobal(lua, "env");
    for (int i = 0; i < NAME_COUNT; ++i) {
        if (names[i].vector) {
            lua_getglobal(lua, "new_vector");
            lua_newtable(lua);
            for (uint32_t k = 0; k < values[i].length; ++k) {
                push_value(lua, &names[i], values[i].v[k]);
                lua_rawseti(lua, -2, (lua_Integer)k + 1);
            }
            lua_call(lua, 1, 1);
        } else {
            push_value(lua, &names[i], values[i].v[0]);
        }
        lua_setfield(lua, -2, i == END ? "end_" : names[i].name);
    }
    lua_pop(lua, 1);
}

/* The result of Lua is on top of its stack, or an error message if it failed. */
static void compare_with_lua(lua_State *lua, const expr *x, const expr_value *values, bool lua_failed)
{
    bool failed = false;
    if (expr_type_of(x) != EXPR_VECTOR) {
        int64_t value = expr_eval(x, values, &failed);
        if (failed != lua_failed)
            fail_msg("'%s': %s, Lua: %s", expr_text(x), failed ? "failed" : "did not fail",
                     lua_failed ? lua_tostring(lua, -1) : "no error");
        if (failed)
            return;
        bool is_truth = lua_isboolean(lua, -1);
        assert_int_equal(is_truth, expr_type_of(x) == EXPR_BOOL);
        int64_t expected = is_truth ? lua_toboolean(lua, -1) : luaL_checkinteger(lua, -1);
        if (value != expected)
            fail_msg("'%s': %lld, Lua: %lld", expr_text(x), (long long)value, (long long)expected);
        return;
    }
    uint32_t length = values[expr_per_of(x) == 0 ? SIZE : AXES].length;
    for (uint32_t k = 0; k < length; ++k) {
        int64_t value = expr_eval_at(x, values, k, &failed);
        if (lua_failed || failed)
            continue;
        lua_rawgeti(lua, -1, (lua_Integer)k + 1);
        if (value != luaL_checkinteger(lua, -1))
            fail_msg("'%s' at %u: %lld, Lua: %lld", expr_text(x), k, (long long)value,
                     (long long)lua_tointeger(lua, -1));
        lua_pop(lua, 1);
    }
    if (failed != lua_failed && length > 0)
        fail_msg("'%s': failed %d, Lua %d", expr_text(x), failed, lua_failed);
}

static void test_same_as_lua(void **unused)
{
    (void)unused;
    lua_State *lua = luaL_newstate();
    assert_non_null(lua);
    luaL_openlibs(lua);
    if (luaL_dostring(lua, prelude) != LUA_OK)
        fail_msg("%s", lua_tostring(lua, -1));
    state = 1;
    int passed = 0;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; ++i) {
        expr *x = compile_in(&strict, shared[i]);
        lua_getglobal(lua, "compiled");
        lua_pushstring(lua, shared[i]);
        lua_call(lua, 1, 1);
        assert_true(lua_isfunction(lua, -1));
        for (int s = 0; s < 200; ++s) {
            expr_value values[NAME_COUNT];
            randomize(values);
            set_lua_values(lua, values);
            lua_pushvalue(lua, -1);
            int status = lua_pcall(lua, 0, 1, 0);
            passed += status == LUA_OK;
            compare_with_lua(lua, x, values, status != LUA_OK);
            lua_pop(lua, 1);
        }
        lua_pop(lua, 1);
        expr_free(x);
    }
    assert_true(sizeof shared / sizeof shared[0] >= 100);
    assert_true(passed > 100 * 200); /* Most of the samples compare values, not failures. */
    lua_close(lua);
}

/* ---- by element ------------------------------------------------------------------------------------------------ */

static void test_elementwise(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        bool elementwise;
    } cases[] = {
        { "offset < size", true },
        { "offset + window * n <= size - 1", true },
        { "offset == size", true },
        { "0 <= offset", true },
        { "eq(offset, size) == 1", true },
        { "offset < size and window < size", true },
        { "offset < size and (window < size and n <= size)", true },
        { "n == 1 or offset < size", true },
        { "offset < size or n == 1", true },
        { "(n == 1 or offset < size) and (window > 0 or not (m < 2))", true },
        { "n == 1 or offset < size and window < size", true },
        { "offset <= (n < m and n or m)", true },
        { "pick(lt(offset, n), size, window) > m", true },
        { "offset in {1, 2, window}", true },
        { "order == padded", true },
        { "axes < keep and 0 <= axes", true },
        { "n == 1", false },
        { "n == 1 and m == 2", false },
        { "offset ~= size", false },
        { "offset not in {1, 2}", false },
        { "not (offset < size)", false },
        { "offset < size or window < size", false },
        { "n == 1 and offset < size", false }, /* differs where there are no elements */
        { "axes < keep and offset < size", false },
        { "offset < max(size)", false },
        { "offset < len(size)", false },
        { "offset < size[1]", false },
        { "offset < sum(axes)", false },
        { "n == sum(axes) or offset < size", false },
        { "(offset < size) == (n < m)", false },
        { "offset <= (axes < 2 and n or m)", false },
    };
    state = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        expr *x = compile_in(&relaxed, cases[i].text);
        if (expr_elementwise(x) != cases[i].elementwise)
            fail_msg("'%s': elementwise %d", cases[i].text, expr_elementwise(x));
        int seen[2] = { 0, 0 };
        for (int s = 0; s < 2000 && expr_elementwise(x); ++s) {
            expr_value values[NAME_COUNT];
            bool failed = false;
            randomize(values);
            bool axes = (expr_uses(x) & (UINT64_C(1) << AXES | UINT64_C(1) << ORDER)) != 0;
            uint32_t length = values[axes ? AXES : SIZE].length;
            int64_t all = 1, whole = expr_eval(x, values, &failed);
            for (uint32_t k = 0; k < length; ++k)
                all &= expr_eval_at(x, values, k, &failed);
            assert_false(failed);
            if (all != whole)
                fail_msg("'%s': %d, by element %d", cases[i].text, (int)whole, (int)all);
            ++seen[all];
            expr_eval_at(x, values, length, &failed);
            assert_true(failed || expr_uses(x) & (UINT64_C(1) << N | UINT64_C(1) << M));
        }
        assert_true(!expr_elementwise(x) || (seen[0] > 0 && seen[1] > 0));
        expr_free(x);
    }
}

/* ---- with a part of the values --------------------------------------------------------------------------------- */

/* What is decided early is decided as it would be at last, whatever the values are that are not known. */
static void test_deciding_early(void **unused)
{
    (void)unused;
    enum { LEVELS = 6 };
    state = 3;
    int early = 0, late = 0;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; ++i) {
        expr *x = compile_in(&strict, shared[i]);
        for (int s = 0; s < 200 && expr_type_of(x) == EXPR_BOOL; ++s) {
            expr_value values[NAME_COUNT], partly[NAME_COUNT];
            uint8_t known[NAME_COUNT][EXPR_MAX_LENGTH];
            bool failed = false;
            randomize(values);
            for (int n = 0; n < NAME_COUNT; ++n)
                for (int k = 0; k < EXPR_MAX_LENGTH; ++k)
                    known[n][k] = (uint8_t)(next_random() % LEVELS);
            bool whole = expr_eval(x, values, &failed) != 0;
            for (unsigned level = 0; level < LEVELS; ++level) {
                unsigned opens = 0;
                randomize(partly);
                for (int n = 0; n < NAME_COUNT; ++n) {
                    partly[n].length = values[n].length;
                    for (int k = 0; k < EXPR_MAX_LENGTH; ++k)
                        partly[n].v[k] = known[n][k] <= level ? values[n].v[k] : partly[n].v[k];
                }
                expr_truth truth = expr_decide(x, -1, partly, (const uint8_t(*)[EXPR_MAX_LENGTH])known, level, &opens);
                if (truth == EXPR_OPEN) {
                    assert_true(opens > level && opens < LEVELS);
                    ++late;
                } else if (truth != (failed ? EXPR_FAILED : whole ? EXPR_TRUE : EXPR_FALSE)) {
                    fail_msg("'%s': %d at level %u, and at last %s", shared[i], truth, level,
                             failed  ? "a failure"
                             : whole ? "true"
                                     : "false");
                } else {
                    early += level + 1 < LEVELS;
                }
            }
        }
        expr_free(x);
    }
    assert_true(early > 1000 && late > 1000);
}

/* ---- hostile input --------------------------------------------------------------------------------------------- */

static void test_random_strings(void **unused)
{
    (void)unused;
    static const char *const words[] = {
        "n",    "m",    "rank", "size", "offset", "axes",  "order", "dtype", "layout", "f16",  "'padded'", "1",
        "0",    "2",    "+",    "-",    "*",      "//",    "%",     "==",    "~=",     "<",    "<=",       ">",
        ">=",   "and",  "or",   "in",   "not",    "(",     ")",     "[",     "]",      "{",    "}",        ",",
        "min(", "sum(", "abs(", "len(", "eq(",    "pick(", "(",     ")",     ")",      "end_", "0xff",
    };
    state = 3;
    int compiled = 0;
    for (int i = 0; i < 200000; ++i) {
        char text[160] = "";
        if (i % 4 == 0) {
            size_t length = next_random() % 40;
            for (size_t j = 0; j < length; ++j)
                text[j] = (char)(1 + next_random() % 255);
        } else {
            for (uint32_t j = 1 + next_random() % 12; j > 0; --j) {
                strcat(text, words[next_random() % (sizeof words / sizeof words[0])]);
                strcat(text, " ");
            }
        }
        error e = { .status = EXIT_HARNESS, .text = "" };
        expr *x = expr_compile(text, i % 2 ? &relaxed : &strict, "test", &e);
        if (x == NULL) {
            assert_int_equal(e.status, EXIT_BAD_USAGE);
            assert_true(strncmp(e.text, "test: in '", 10) == 0);
            continue;
        }
        ++compiled;
        expr_value values[NAME_COUNT];
        bool failed = false;
        randomize(values);
        expr_eval(x, values, &failed);
        expr_eval_at(x, values, next_random() % 4, &failed);
        expr_free(x);
        expr *out[4];
        int count = expr_compile_conjuncts(text, i % 2 ? &relaxed : &strict, "test", out, 4, &e);
        while (count > 0)
            expr_free(out[--count]);
    }
    assert_true(compiled > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_message),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_empty_and_unequal_vectors),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_conjuncts),
        cmocka_unit_test(test_same_as_lua),
        cmocka_unit_test(test_elementwise),
        cmocka_unit_test(test_deciding_early),
        cmocka_unit_test(test_random_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
