/* SPDX-License-Identifier: Apache-2.0 */
/* The generator of mutants: the build mutates mutate_sample.c as it does the reference; these tests run the result. */
#include "audit/mutate/memory.h"
#include "audit/mutate/mutate_sample.h"
#include "audit/mutate/schemata_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

schemata_state schemata = { .selected = MUTANT_NONE };

_Noreturn void schemata_leave(schemata_reason reason)
{
    schemata.reason = reason;
    longjmp(schemata.leave, 1);
}

static int set_up(void **state)
{
    (void)state;
    schemata.infected = calloc(schemata_all.count, 1);
    schemata.list = calloc(schemata_all.count, sizeof *schemata.list);
    return schemata.infected && schemata.list && memory_open() ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    free(schemata.infected);
    free(schemata.list);
    return 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length >= n && strcmp(text + length - n, end) == 0;
}

/* The mutant of a function's text, or MUTANT_NONE. */
static uint32_t find(const char *function, const char *original, const char *kind)
{
    for (uint32_t m = 0; m < schemata_all.count; ++m) {
        const mutant *x = &schemata_all.mutants[m];
        if (strcmp(x->function, function) == 0 && strcmp(x->original, original) == 0 && ends_with(x->id, kind))
            return m;
    }
    return MUTANT_NONE;
}

static uint32_t selected(const char *function, const char *original, const char *kind)
{
    uint32_t m = find(function, original, kind);
    if (m == MUTANT_NONE)
        fail_msg("%s: `%s` has no mutant %s", function, original, kind);
    schemata.selected = m;
    schemata.steps = 0;
    schemata.limit = 1000;
    return m;
}

static void test_ids(void **state)
{
    (void)state;
    assert_true(schemata_all.count > 30);
    for (uint32_t m = 0; m < schemata_all.count; ++m) {
        const bool kernel = schemata_all.mutants[m].subject == MUTANT_OF_KERNELS;
        assert_string_equal(schemata_all.mutants[m].file,
                            kernel ? "kernels/mutate_sample_kernel.c" : "mutate_sample.c");
        for (uint32_t k = 0; k < m; ++k)
            assert_string_not_equal(schemata_all.mutants[k].id, schemata_all.mutants[m].id);
    }
    assert_string_equal(schemata_all.mutants[find("sample_less", "a < b", ":relation:le")].id,
                        "mutate_sample.c:7:14:relation:le");
}

static void test_relations(void **state)
{
    (void)state;
    static const struct {
        const char *kind;
        bool less, same, more, far; /* 1 and 2, 2 and 2, 2 and 1, 2^31 and 1 */
    } all[] = { { ":relation:le", true, true, false, false }, { ":relation:gt", false, false, true, true },
                { ":relation:ge", false, true, true, true },  { ":relation:eq", false, true, false, false },
                { ":relation:ne", true, false, true, true },  { ":relation:signed", true, false, false, true } };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
        selected("sample_less", "a < b", all[i].kind);
        assert_int_equal(sample_less(1, 2), all[i].less);
        assert_int_equal(sample_less(2, 2), all[i].same);
        assert_int_equal(sample_less(2, 1), all[i].more);
        assert_int_equal(sample_less(UINT32_C(1) << 31, 1), all[i].far);
    }
    schemata.selected = MUTANT_NONE;
    assert_true(sample_less(1, 2));
    assert_false(sample_less(2, 2));
    assert_int_equal(find("sample_less", "a < b", ":relation:lt"), MUTANT_NONE); /* the original */
    assert_int_equal(find("sample_sum", "i < n", ":relation:ne"), MUTANT_NONE);  /* equivalent for a counter */
}

static void test_values(void **state)
{
    const uint32_t values[] = { 5, 7, 11, 13 };
    (void)state;
    selected("sample_sum", "sum += values[i]", ":statement:drop");
    assert_int_equal(sample_sum(values, 3), 0);
    selected("sample_sum", "sum += values[i]", ":statement:twice");
    assert_int_equal(sample_sum(values, 3), 2 * (5 + 7 + 11));
    selected("sample_sum", "values[i]", ":index:next");
    assert_int_equal(sample_sum(values, 3), 7 + 11 + 13);
    selected("sample_sum", "i < n", ":relation:le");
    assert_int_equal(sample_sum(values, 3), 5 + 7 + 11 + 13);
    selected("sample_product", "(uint64_t)a * b", ":width:u32");
    assert_int_equal(sample_product(1u << 31, 2), 0);
    selected("sample_clamp", "value > most", ":condition:false");
    assert_int_equal(sample_clamp(9, 3), 9);
    selected("sample_clamp", "value > most", ":condition:true");
    assert_int_equal(sample_clamp(1, 3), 3);
    selected("sample_both", "a && b", ":logic:or");
    assert_true(sample_both(false, true));
    selected("sample_both", "a && b", ":logic:right");
    assert_true(sample_both(false, true));
    assert_false(sample_both(true, false));
    schemata.selected = MUTANT_NONE;
    assert_int_equal(sample_sum(values, 3), 5 + 7 + 11);
    assert_true(sample_product(1u << 31, 2) == UINT64_C(1) << 32);
    assert_int_equal(sample_clamp(9, 3), 3);
}

/* A mutant that would trap or loop without end leaves the call. */
static void test_leaving(void **state)
{
    static const uint32_t values[2000]; /* more than the limit of iterations */
    (void)state;
    if (setjmp(schemata.leave) == 0) {
        selected("sample_quotient", "a / b", ":operation:modulo");
        sample_quotient(INT32_MIN, -1);
        fail_msg("the call returned");
    }
    assert_int_equal(schemata.reason, SCHEMATA_DIVISION);
    if (setjmp(schemata.leave) == 0) {
        selected("sample_sum", "i < n", ":condition:true");
        sample_sum(values, 1);
        fail_msg("the call returned");
    }
    assert_int_equal(schemata.reason, SCHEMATA_ENDLESS);
    schemata.selected = MUTANT_NONE;
}

static bool was_infected(uint32_t m)
{
    for (uint32_t i = 0; i < schemata.listed; ++i)
        if (schemata.list[i] == m)
            return true;
    return false;
}

/* While recording, the original runs, and mutants that would have had another result are noted. */
static void test_recording(void **state)
{
    (void)state;
    schemata.selected = MUTANT_NONE;
    schemata.recording = true;
    schemata.part = MUTANT_CHECK;
    schemata.listed = 0;
    assert_true(sample_less(1, 2));
    schemata.recording = false;
    assert_true(was_infected(find("sample_less", "a < b", ":relation:gt")));
    assert_true(was_infected(find("sample_less", "a < b", ":relation:eq")));
    assert_false(was_infected(find("sample_less", "a < b", ":relation:le")));
    assert_false(was_infected(find("sample_less", "a < b", ":relation:signed")));
    assert_false(was_infected(find("sample_both", "a && b", ":logic:or")));
    for (uint32_t i = 0; i < schemata.listed; ++i)
        assert_int_equal(schemata.infected[schemata.list[i]], MUTANT_CHECK);
}

/* ---- a kernel ---- */

static unsigned char from[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, to[8];
static uint32_t result;

static void copy_some(void)
{
    sample_copy(to, from, 4);
}

static void clear_all(void)
{
    sample_clear(to, sizeof to);
}

static void write_input(void)
{
    sample_copy(from, to, 1);
}

static void halve(void)
{
    result = sample_half(9);
}

static void look_up(void)
{
    result = sample_table(2, 1);
}

static void use_scratch(void)
{
    result = sample_scratch(3);
}

static void count_calls(void)
{
    result = sample_count_calls();
}

static __attribute__((noinline)) void enter(void (*f)(void))
{
    memory_enter(__builtin_frame_address(0));
    f();
}

/* Run a part of the sample as a kernel whose input is `from` and whose output is `to`. Returns why it was left. */
static schemata_reason run_kernel(void (*f)(void))
{
    const ts_tensor tensors[2] = { { .data = from, .total_bytes = sizeof from },
                                   { .data = to, .total_bytes = sizeof to } };
    const ts_call call = { .struct_size = sizeof call,
                           .tensor_size = sizeof tensors[0],
                           .op = "sample",
                           .tensor_count = 2,
                           .tensors = tensors };
    memory_begin(&call, 2);
    schemata.reason = SCHEMATA_NONE;
    schemata.steps = 0;
    schemata.limit = 1000;
    if (setjmp(schemata.leave) == 0)
        enter(f);
    return schemata.reason;
}

static void select_kernel(const char *function, const char *original, const char *kind)
{
    memory_reset(true);
    memset(to, 0, sizeof to);
    if (!function)
        schemata.selected = MUTANT_NONE;
    else
        selected(function, original, kind);
}

/* A kernel may access nothing but its tensors, and write to outputs only. */
static void test_kernel_memory(void **state)
{
    (void)state;
    select_kernel(NULL, NULL, NULL);
    assert_int_equal(run_kernel(copy_some), SCHEMATA_NONE);
    assert_memory_equal(to, from, 4);
    assert_int_equal(to[4], 0);
    assert_int_equal(run_kernel(write_input), SCHEMATA_OUTSIDE);
    assert_int_equal(run_kernel(clear_all), SCHEMATA_NONE);
    select_kernel("sample_copy", "from < end", ":condition:true");
    assert_int_equal(run_kernel(copy_some), SCHEMATA_OUTSIDE);
    assert_memory_equal(to, from, sizeof to);
    select_kernel("sample_clear", "0", ":constant:+1");
    assert_int_equal(run_kernel(clear_all), SCHEMATA_NONE); /* fills with 1 */
    assert_int_equal(to[7], 1);
    select_kernel("sample_clear", "n + 0", ":operation:times");
    assert_int_equal(run_kernel(clear_all), SCHEMATA_NONE);
    select_kernel("sample_table", "table[row]", ":index:next");
    assert_int_equal(run_kernel(look_up), SCHEMATA_OUTSIDE);
    select_kernel(NULL, NULL, NULL);
    assert_int_equal(run_kernel(look_up), SCHEMATA_NONE); /* the last row is within an array of two dimensions */
    assert_int_equal(result, 6);
}

/* A loop without a condition ends, too. */
static void test_kernel_loops(void **state)
{
    (void)state;
    select_kernel(NULL, NULL, NULL);
    assert_int_equal(run_kernel(halve), SCHEMATA_NONE);
    assert_int_equal(result, 4);
    select_kernel("sample_half", "n < 2", ":condition:false");
    assert_int_equal(run_kernel(halve), SCHEMATA_ENDLESS);
}

/* Selecting a mutant lets the kernels forget; between selections they keep their variables and memory. */
static void test_kernel_state(void **state)
{
    (void)state;
    select_kernel(NULL, NULL, NULL);
    for (uint32_t i = 1; i < 4; ++i) {
        assert_int_equal(run_kernel(count_calls), SCHEMATA_NONE);
        assert_int_equal(result, i);
    }
    select_kernel("sample_count_calls", "1", ":constant:+1");
    assert_int_equal(run_kernel(count_calls), SCHEMATA_NONE);
    assert_int_equal(result, 2);
    select_kernel(NULL, NULL, NULL);
    assert_int_equal(run_kernel(use_scratch), SCHEMATA_NONE);
    const uint32_t fresh = result;
    assert_int_equal(run_kernel(use_scratch), SCHEMATA_NONE);
    assert_int_equal(result, fresh); /* memory that is not written has the same contents each time */
    select_kernel("sample_scratch", "16", ":constant:0");
    assert_int_equal(run_kernel(use_scratch), SCHEMATA_OUTSIDE);
    select_kernel(NULL, NULL, NULL);
    assert_int_equal(run_kernel(use_scratch), SCHEMATA_NONE);
    assert_int_equal(result, fresh);
    assert_int_equal(find("sample_forget", "free(block)", ":statement:drop"), MUTANT_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ids),     cmocka_unit_test(test_relations), cmocka_unit_test(test_values),
        cmocka_unit_test(test_leaving), cmocka_unit_test(test_recording),
        cmocka_unit_test(test_kernel_memory), cmocka_unit_test(test_kernel_loops), cmocka_unit_test(test_kernel_state),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
