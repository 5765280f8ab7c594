/* SPDX-License-Identifier: Apache-2.0 */
/* Mutants of kernels: the build mutates mutate_kernel_sample.c as it does the kernels; these tests run the result. */
#include "audit/mutate/memory.h"
#include "audit/mutate/mutate_kernel_sample.h"
#include "audit/mutate/mutate_testing.h"

static unsigned char from[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, to[8];
static uint32_t result;
static ts_shape shapes[2];

static void copy_some(void)
{
    sample_copy(to, from, 4);
}

static void clear_all(void)
{
    sample_clear(to, sizeof to);
}

static void report_output(void)
{
    sample_clear((unsigned char *)&shapes[1], sizeof shapes[1]);
}

static void report_input(void)
{
    sample_clear((unsigned char *)&shapes[0], sizeof shapes[0]);
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
    const ts_tensor tensors[2] = { { .data = from, .total_bytes = sizeof from, .reported = &shapes[0] },
                                   { .data = to, .total_bytes = sizeof to, .reported = &shapes[1] } };
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

/* A kernel may access nothing but its tensors, and write to outputs and their shapes only. */
static void test_kernel_memory(void **state)
{
    (void)state;
    select_kernel(NULL, NULL, NULL);
    assert_int_equal(run_kernel(copy_some), SCHEMATA_NONE);
    assert_memory_equal(to, from, 4);
    assert_int_equal(to[4], 0);
    assert_int_equal(run_kernel(write_input), SCHEMATA_OUTSIDE);
    assert_int_equal(run_kernel(report_output), SCHEMATA_NONE);
    assert_int_equal(run_kernel(report_input), SCHEMATA_OUTSIDE);
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

static int open_memory(void **state)
{
    return set_up(state) == 0 && memory_open() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel_memory),
        cmocka_unit_test(test_kernel_loops),
        cmocka_unit_test(test_kernel_state),
    };
    return cmocka_run_group_tests(tests, open_memory, tear_down);
}
