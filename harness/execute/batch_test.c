/* SPDX-License-Identifier: Apache-2.0 */
/* Cases that are submitted together. */
#include "harness/execute/execute_testing.h"

/* Only the cases with six elements are wrong: the others in the same batch must pass. */
static void a_fault_fails_only_its_own_case(void **state)
{
    (void)state;
    static const fault faults[] = { WRONG_BITS, UNSTEADY, CHANGE_INPUT, WRITE_BEHIND, ABORT, LOSE, REFUSE };
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        uint64_t failed = 0;
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake f;
            outcome o;
            fake_open(&f, faults[i], batch);
            f.only = 6;
            run(&f, t, &o);
            assert_int_equal(f.largest, batch);
            uint64_t wrong = o.total - o.cases[VERDICT_PASS];
            assert_true(wrong > 0 && wrong < o.total);
            assert_true(batch == 1 || wrong == failed);
            failed = wrong;
            assert_int_equal(o.findings, wrong);
            for (size_t k = 0; k < o.first.finding_count; ++k)
                assert_non_null(strstr(o.first.findings[k].descriptor, "\"Sizes\":["));
            clear(&o);
        }
    }
    casefile_free(file);
}

/* The cases of the batch are repeated one by one, with fresh inputs: a flipped bit must not be flipped back. */
static void a_batch_that_crashed_is_repeated_from_clean_buffers(void **state)
{
    (void)state;
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    uint64_t ended = 0;
    for (uint32_t batch = 1; batch <= 7; batch += 6) {
        fake f;
        outcome o;
        fake_open(&f, CHANGE_OR_ABORT, batch);
        f.only = 6;
        run(&f, t, &o);
        assert_true(o.cases[VERDICT_CRASH] > 0);
        assert_true(batch == 1 || o.cases[VERDICT_CRASH] == ended);
        ended = o.cases[VERDICT_CRASH];
        assert_int_equal(o.cases[VERDICT_MODIFIED_INPUT], o.total - ended);
        clear(&o);
    }
    casefile_free(file);
}

static void verdicts_do_not_depend_on_batches_and_chunks(void **state)
{
    (void)state;
    static const fault faults[] = { RIGHT, WRONG_BITS, UNSTEADY, WRITE_BEHIND, READ_BEHIND, ABORT, REFUSE };
    static const uint64_t steps[] = { 1, 3, 1000 };
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    uint64_t different[sizeof faults / sizeof faults[0]];
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        outcome reference;
        bool have = false;
        for (size_t s = 0; s < 3; ++s)
            for (uint32_t batch = 1; batch <= 7; batch += 6) {
                execute_options options = { .level = TS_LEVEL_6_4 };
                fake f;
                outcome o;
                fake_open(&f, faults[i], batch);
                f.only = 6;
                run_limited(&f, t, &options, 2, steps[s], &o);
                assert_true(o.chunks >= o.total / steps[s]);
                clear(&o);
                if (!have)
                    reference = o;
                have = true;
                assert_int_equal(o.total, reference.total);
                assert_memory_equal(o.verdicts, reference.verdicts, o.total);
                assert_int_equal(o.hash[0], reference.hash[0]);
                assert_int_equal(o.hash[1], reference.hash[1]);
                assert_true(o.findings <= 2); /* of all chunks together */
            }
        different[i] = reference.hash[0];
    }
    assert_int_not_equal(different[0], different[1]);
    assert_int_not_equal(different[1], different[2]);
    assert_int_not_equal(different[2], different[6]);
    casefile_free(file);
}

static void findings_are_limited(void **state)
{
    (void)state;
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    for (uint64_t limit = 0; limit <= 5; limit += 5) {
        execute_options options = { .level = TS_LEVEL_6_4 };
        fake f;
        outcome o;
        fake_open(&f, WRONG_BITS, 7);
        run_limited(&f, t, &options, limit, 4, &o);
        assert_int_equal(o.findings, limit);
        assert_int_equal(o.cases[VERDICT_MISMATCH], o.total);
        if (limit == 0) /* rerun together, since none gets a finding */
            assert_int_equal(f.submissions, 2 * o.chunks);
        clear(&o);
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake_open(&f, UNSTEADY, batch); /* detected even if no finding is stored */
            run_limited(&f, t, &options, limit, 4, &o);
            assert_int_equal(o.findings, limit);
            assert_int_equal(o.cases[VERDICT_NONDETERMINISTIC], o.total);
            clear(&o);
        }
    }
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_fails_only_its_own_case),
        cmocka_unit_test(a_batch_that_crashed_is_repeated_from_clean_buffers),
        cmocka_unit_test(verdicts_do_not_depend_on_batches_and_chunks),
        cmocka_unit_test(findings_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
