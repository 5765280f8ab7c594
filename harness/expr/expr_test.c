/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions: known values, evaluation by element and with only some values known, and random strings. */
#include "harness/expr/expr_fixture.h"

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
        /* An expression that is not elementwise has the same value at every element. */
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
        { "each(order == \"padded\")", 1 },
        { "order[2] == 'packed'", 0 },
        { "(n < 3) == (m > 0)", 1 },
        { "(n < 3) ~= (m > 0)", 0 },
        { "end_ == 40", 1 },
        { "each(offset + window <= size)", 1 },
        { "each(offset + window == size)", 0 },
        { "any(offset + window == size)", 1 },
        { "any(offset + window ~= size)", 1 },
        { "each(offset + window ~= size)", 0 },
        { "not each(size >= 5)", 1 },
        { "each(not (size >= 6))", 1 },
        { "any(size ~= 4)", 1 },
        { "each(size ~= 4)", 0 },
        { "each(size >= 4)", 1 },
        { "any(5 <= size)", 1 },
        { "any(6 <= size)", 0 },
        { "any(size == 5 and offset == 2)", 1 },
        { "any(size == 5) and any(offset == 1)", 1 },
        { "any(size == 5 and offset == 1)", 0 },
        { "each(size == 5 or offset < 2)", 1 },
        { "each(size == 5) or each(offset < 2)", 0 },
        { "each((size == 5) == (offset == 2))", 1 },
        { "each(n == 7 and size > 3)", 1 },
        { "each(rank > 5 and size[6] == 1 or size > 3)", 1 },
        { "any(offset ~= 0 and size // offset == 2)", 1 },
        { "each(offset == 0 or size // offset >= 2)", 1 },
        { "count(size == 4)", 2 },
        { "count(size == 4 and offset > 0)", 1 },
        { "sum(pick(size == 4, 1, 10))", 12 },
        { "pick(n == 7, 5, 6)", 5 },
        { "pick(any(size == 9), 5, 6)", 6 },
        { "any(size == 5) and 3 or 4", 3 },
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
        { "sum(size + (each(size == 4) and 1 or 2))", 19 },
        { "sum((size + n - 7) * (m + 3) // (rank - 2))", 13 },
        { "(size // (rank + 0) + (n - 7))[rank - 1 + sum(offset * (n - 7))] + n", 8 },
        { "sum(size + (each(offset < size) and sum(axes) or 2))", 19 },
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
        { "each(size in {4, 5})", 1 },
        { "each(size in {4, 6})", 0 },
        { "any(size in {4, 6})", 1 },
        { "any(size not in {4, 6})", 1 },
        { "each(size not in {4, 6})", 0 },
        { "each(size in {window, offset + 3, 4})", 1 },
        { "is(n, 7)", 1 },
        { "is(dtype, f16)", 1 },
        { "is(order, \"padded\") and is(size, 4)", 0 },
        { "end == 40", 1 },
        { "end_ == 40", 1 },
        { "not (dtype in {f16})", 0 },
        { "each(order == padded)", 1 },
        { "each(order in {packed, padded})", 1 },
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
        "each(size % offset == 9)",
        "any(size % offset == 9)",
        "any(size < 9 and size // offset == 2)",
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
    } cases[] = { { "each(offset < size)", 1 },
                  { "any(offset ~= size)", 0 },
                  { "each(n == 1 and offset < size)", 1 },
                  { "any(n == 7 or offset < size)", 0 },
                  { "sum(size)", 0 },
                  { "product(size)", 1 },
                  { "count(size)", 0 },
                  { "len(size)", 0 } };
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
    static const char *const failing[] = { "sum(size + n // 0)", "each(size < n // 0)", "sum(size - min(size))",
                                           "min(size)",          "max(size + 1)",       "size[1]",
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
    static const char *const unequal[] = { "each(offset < size)", "any(offset > size)", "sum(size + window)",
                                           "len(window + size)",  "(window + size)[1]", "each(size == window)" };
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
    assert_true(failed); /* The function does not clear the flag. */
    expr_free(x);
    x = compile_in(&strict, "layout");
    assert_int_equal(expr_type_of(x), EXPR_INT);
    assert_int_equal(expr_per_of(x), -1);
    assert_false(expr_elementwise(x));
    expr_free(x);
    x = compile_in(&strict, "each(size > 0)");
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
    assert_int_equal(expr_compile_conjuncts("rank < 4 and (n > 1 and each(size > 0))", &strict, "test", out, 3, &e), 3);
    assert_string_equal(expr_text(out[0]), "rank < 4");
    assert_string_equal(expr_text(out[1]), "n > 1");
    assert_string_equal(expr_text(out[2]), "each(size > 0)");
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
    /* An earlier conjunct may prevent a later one from failing, so their order is kept. */
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

/* ---- by element ------------------------------------------------------------------------------------------------ */

static void test_elementwise(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        bool elementwise;
    } cases[] = {
        { "each(offset < size)", true },
        { "each(offset + window * n <= size - 1)", true },
        { "each(offset == size)", true },
        { "each(offset ~= size)", true },
        { "each(not (offset < size))", true },
        { "each(0 <= offset)", true },
        { "each(offset < size) and each(window < size)", true },
        { "each(offset < size and window < size)", true },
        { "each(offset < size or window < size)", true },
        { "each(offset < size) and (each(window < size) and each(n <= size))", true },
        { "n == 1 or each(offset < size)", true },
        { "each(offset < size) or n == 1", true },
        { "(n == 1 or each(offset < size)) and (each(window > 0) or not (m < 2))", true },
        { "n == 1 or each(offset < size) and each(window < size)", true },
        { "n == 1 or each(offset < size and (n < 3 or window < size))", true },
        { "each(offset <= (n < m and n or m))", true },
        { "each(pick(offset < n, size, window) > m)", true },
        { "each(offset in {1, 2, window})", true },
        { "each(offset not in {1, 2})", true },
        { "each(order == padded)", true },
        { "each(axes < keep) and each(0 <= axes)", true },
        { "is(size, 3)", true },
        { "n == 1", false },
        { "n == 1 and m == 2", false },
        { "any(offset == size)", false },
        { "n == 1 or any(offset < size)", false },
        { "not each(offset < size)", false },
        { "each(offset < size) or each(window < size)", false },
        { "n == 1 and each(offset < size)", false }, /* differs where there are no elements */
        { "each(axes < keep) and each(offset < size)", false },
        { "each(offset < max(size))", false },
        { "each(offset < len(size))", false },
        { "each(offset < size[1])", false },
        { "each(offset < sum(axes))", false },
        { "n == sum(axes) or each(offset < size)", false },
        { "each(offset < size) == (n < m)", false },
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

/* An early decision equals the final one, whatever the unknown values are. */
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
        "n",  "m",    "rank", "size",  "offset", "axes",   "order", "dtype", "layout", "f16", "'padded'",
        "1",  "0",    "2",    "+",     "-",      "*",      "//",    "%",     "==",     "~=",  "<",
        "<=", ">",    ">=",   "and",   "or",     "in",     "not",   "(",     ")",      "[",   "]",
        "{",  "}",    ",",    "min(",  "sum(",   "abs(",   "len(",  "eq(",   "pick(",  "(",   ")",
        ")",  "end_", "0xff", "each(", "any(",   "count(", "is(",
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
        cmocka_unit_test(test_values),         cmocka_unit_test(test_empty_and_unequal_vectors),
        cmocka_unit_test(test_properties),     cmocka_unit_test(test_conjuncts),
        cmocka_unit_test(test_elementwise),    cmocka_unit_test(test_deciding_early),
        cmocka_unit_test(test_random_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
