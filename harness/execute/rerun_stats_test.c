/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/rerun_stats.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const judgement nothing = { .tensor = -1 };

static void equal_results_agree(void **state)
{
    (void)state;
    rerun_stats t = { .executed = 0 };
    char rate[32];
    assert_true(rerun_stats_agree(&t));
    assert_null(rerun_stats_odd(&t));
    rerun_stats_add(&t, VERDICT_PASS, &nothing);
    rerun_stats_add(&t, VERDICT_PASS, &nothing);
    assert_true(rerun_stats_agree(&t));
    assert_null(rerun_stats_odd(&t));
    rerun_stats_rate(&t, rate, sizeof rate);
    assert_string_equal(rate, "0 of 2");
}

static void results_are_described_with_their_counts(void **state)
{
    (void)state;
    ts_descriptor d;
    rerun_stats t = { .executed = 0 };
    char text[512];
    judgement j = {
        .verdict = VERDICT_MISMATCH, .tensor = 1, .coord = { 2 }, .offset = 2, .actual = 7, .differing = 1
    };
    operator_begin(&d, operators_find("dml.element_wise_identity"));
    tensor_init(&d.tensors[0], TS_UINT8, 1, (uint64_t[]){ 3 });
    d.tensors[1] = d.tensors[0];
    rerun_stats_add(&t, VERDICT_PASS, &nothing);
    rerun_stats_add(&t, VERDICT_MISMATCH, &j);
    rerun_stats_add(&t, VERDICT_PASS, &nothing);
    assert_false(rerun_stats_agree(&t));
    assert_int_equal(rerun_stats_odd(&t)->verdict, VERDICT_MISMATCH);
    rerun_stats_describe(&t, &d, text, sizeof text);
    assert_string_equal(text, "It failed in 1 of 3 executions of the same call: pass 2 times, OutputTensor[2] was 0x07 "
                              "(7) 1 time.");
    rerun_stats_describe(&t, NULL, text, sizeof text);
    assert_string_equal(text, "It failed in 1 of 3 executions of the same call: pass 2 times, mismatch 1 time.");
    for (j.actual = 20; j.actual < 30; ++j.actual) /* more kinds of results than are counted separately */
        rerun_stats_add(&t, VERDICT_MISMATCH, &j);
    assert_int_equal(t.failed, 11);
    rerun_stats_describe(&t, &d, text, sizeof text);
    assert_non_null(strstr(text, "It failed in 11 of 13 executions"));
    assert_non_null(strstr(text, ", something else 6 times."));
    char little[16];
    rerun_stats_describe(&t, &d, little, sizeof little);
    assert_int_equal(strlen(little), sizeof little - 1);
}

/* Verdicts that are no failures differ, too. */
static void different_passing_results_disagree(void **state)
{
    (void)state;
    rerun_stats t = { .executed = 0 };
    rerun_stats_add(&t, VERDICT_PASS, &nothing);
    rerun_stats_add(&t, VERDICT_AMBIGUOUS, &nothing);
    assert_false(rerun_stats_agree(&t));
    assert_int_equal(rerun_stats_odd(&t)->verdict, VERDICT_AMBIGUOUS);
}

/* Where the reference's values say nothing, all values that differ from them count. */
static void values_that_are_not_judged_agree_if_all_are_equal(void **state)
{
    (void)state;
    ts_descriptor d;
    char text[200];
    rerun_stats t = { .executed = 0 };
    judgement j = { .tensor = 1, .actual = 3, .differing = 2, .values = 7 };
    operator_begin(&d, operators_find("dml.element_wise_identity"));
    tensor_init(&d.tensors[1], TS_UINT8, 1, (const uint64_t[]){ 4 });
    rerun_stats_add(&t, VERDICT_NOT_JUDGED, &j);
    rerun_stats_add(&t, VERDICT_NOT_JUDGED, &j);
    assert_true(rerun_stats_agree(&t));
    j.values = 8; /* of another element than the first that differs */
    rerun_stats_add(&t, VERDICT_NOT_JUDGED, &j);
    assert_false(rerun_stats_agree(&t));
    rerun_stats_describe(&t, &d, text, sizeof text);
    assert_non_null(strstr(text, "OutputTensor[0] was 0x03 (3) 2 times"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_results_agree),
        cmocka_unit_test(results_are_described_with_their_counts),
        cmocka_unit_test(different_passing_results_disagree),
        cmocka_unit_test(values_that_are_not_judged_agree_if_all_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
