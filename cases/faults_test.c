/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the saboteur that need gigabytes of addresses or a sequence of calls: the tests for them find each fault on
   every operator that it lists, and report nothing without the fault. */
#include "cases/shipped.h"
#include "harness/execute/execute.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is a word the whole name of an operator? */
static bool is_name(const char *word, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < file_count; ++i) {
        const char *name = strchr(files[i]->op->name, '.') + 1;
        found = found || (strlen(name) == n && strncmp(name, word, n) == 0);
    }
    return found;
}

/* Is the operator among the words of a list? A word is a name, or the end or the beginning of one: "gather" is
   dml.gather and no other, "identity" is dml.element_wise_identity, "random" is dml.random_generator. Of two operators
   of one name, it is DirectML's. */
static bool is_claimed(const char *words, const char *op)
{
    const char *name = strchr(op, '.') + 1;
    const size_t length = strlen(name);
    for (size_t i = 0; i < file_count; ++i)
        if (begins(files[i]->op->name, "dml.") && !begins(op, "dml.") && strcmp(files[i]->op->name + 4, name) == 0)
            return false;
    while (*words) {
        const size_t n = strcspn(words, " ");
        const bool whole = n == length && strncmp(name, words, n) == 0;
        const bool first = n < length && strncmp(name, words, n) == 0 && name[n] == '_';
        const bool last = n < length && strncmp(name + length - n, words, n) == 0 && name[length - n - 1] == '_';
        if (n > 0 && (whole || ((first || last) && !is_name(words, n))))
            return true;
        words += n + (words[n] == ' ');
    }
    return false;
}

/* Does the saboteur know this operator by a name of its own? Any other has those faults that need its declaration
   alone, and may have no cases for them. */
static bool is_known(const plugin *p, const char *op)
{
    bool known = false;
    for (const char *line = p->backend->describe_options(); *line && !known; line += strcspn(line, "\n")) {
        char name[64], aliases[512];
        line += *line == '\n';
        known = sscanf(line, "fault=%63s %511[^:\n]:", name, aliases) == 2 && is_claimed(aliases, op);
    }
    return known;
}

/* The number of failing cases in the tests of one operator with this prefix; stops at the first chunk that has any. */
static uint64_t failures(const char *fault, size_t o, const char *tests)
{
    const ts_option option = { "fault", fault };
    plugin p;
    error e;
    uint64_t failed = 0, cases = 0;
    if (!plugin_open(&p, TOUCHSTONE_BINARY_DIR "/backends/faulty" TOUCHSTONE_LIBRARY_SUFFIX, &option, 1, &e))
        fail_msg("%s", e.text);
    const execute_options options = { .profile = TS_PROFILE_DEFAULT, .level = p.info.highest_level };
    executor *x = execute_open(&p, &options, &e);
    assert_non_null(x);
    for (size_t t = 0; t < files[o]->test_count; ++t) {
        case_test *test = &files[o]->tests[t];
        chunk c;
        if (!begins(test->name, tests))
            continue;
        if (!casefile_prepare(test, &e))
            fail_msg("%s", e.text);
        bool ended = false;
        for (uint64_t at = 0; !ended && !failed; chunk_clear(&c)) { /* one failing case is enough */
            chunk_init(&c);
            const execute_range range = { .first = at, .end = space_points(test->space), .max_cases = 128 };
            if (!execute_run(x, test, &range, &c, &e))
                fail_msg("%s", e.text);
            for (size_t i = 0; i < c.cases; ++i)
                failed += verdict_fails((verdict)c.verdicts[i]);
            cases += c.cases;
            at = c.last;
            ended = c.ended;
        }
    }
    execute_close(x);
    assert_true(failed || cases > 100 || !is_known(&p, files[o]->op->name));
    plugin_close(&p);
    return failed;
}

/* Run the tests with one prefix against the faults with the other, as the saboteur lists them. */
static void check_found(const char *faults, const char *tests, unsigned expected)
{
    unsigned found = 0;
    plugin p;
    error e;
    if (!plugin_open(&p, TOUCHSTONE_BINARY_DIR "/backends/faulty" TOUCHSTONE_LIBRARY_SUFFIX,
                     &(ts_option){ "fault", "none" }, 1, &e))
        fail_msg("%s", e.text);
    char *list = strdup(p.backend->describe_options());
    assert_non_null(list);
    for (char *line = strtok(list, "\n"); line; line = strtok(NULL, "\n")) {
        char name[64], aliases[512];
        if (sscanf(line, "fault=%63s %511[^:]:", name, aliases) != 2 || !begins(name, faults))
            continue;
        ++found;
        for (size_t o = 0; o < file_count; ++o) {
            if (!is_known(&p, files[o]->op->name)) /* it has faults by its declaration alone */
                continue;
            const bool claimed = is_claimed(aliases, files[o]->op->name);
            if ((failures(name, o, tests) > 0) != claimed)
                fail_msg("%s is %s by %s:%s", name, claimed ? "not found" : "found although not claimed",
                         files[o]->op->name, tests);
        }
    }
    free(list);
    plugin_close(&p);
    assert_in_range(found, expected, 1000);
}

static void test_offsets_beyond_32_bits(void **state)
{
    (void)state;
    check_found("input-offset-", "sparse", 2);
    check_found("input-bytes-", "sparse", 2);
    check_found("output-offset-", "sparse", 2);
    check_found("output-bytes-", "sparse", 2);
}

/* Tensors that span gigabytes of addresses use megabytes of memory. */
static void test_sparse_tensors_take_no_memory(void **state)
{
    (void)state;
    const uint64_t before = testing_most_memory();
    for (size_t o = 0; o < file_count; ++o)
        assert_int_equal(failures("none", o, "sparse"), 0);
    assert_true(testing_most_memory() - before < 256 * 1024 * 1024); /* Wine allocates a byte for each reserved page */
}

static void test_state_between_calls(void **state)
{
    (void)state;
    for (size_t o = 0; o < file_count; ++o)
        assert_int_equal(failures("none", o, "after_"), 0);
    check_found("cached-", "after_", 3);
    check_found("stale-state", "after_", 1);
    check_found("every-other", "after_", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sparse_tensors_take_no_memory),
        cmocka_unit_test(test_offsets_beyond_32_bits),
        cmocka_unit_test(test_state_between_calls),
    };
    return cmocka_run_group_tests(tests, load_all_shipped, free_all_shipped);
}
