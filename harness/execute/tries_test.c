/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/tries.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const judgement nothing = { .tensor = -1 };

static void one_outcome_agrees(void **state)
{
    (void)state;
    tries t = { .executed = 0 };
    char rate[32];
    assert_true(tries_agree(&t));
    assert_null(tries_odd(&t));
    tries_add(&t, VERDICT_PASS, &nothing);
    tries_add(&t, VERDICT_PASS, &nothing);
    assert_true(tries_agree(&t));
    assert_null(tries_odd(&t));
    tries_rate(&t, rate, sizeof rate);
    assert_string_equal(rate, "0 of 2");
}

static void outcomes_are_told_by_how_often_they_came(void **state)
{
    (void)state;
    ts_descriptor d;
    tries t = { .executed = 0 };
    char text[512];
    judgement j = {
        .verdict = VERDICT_MISMATCH, .tensor = 1, .coord = { 2 }, .offset = 2, .actual = 7, .differing = 1
    };
    operator_begin(&d, operators_find("dml.element_wise_identity"));
    tensor_init(&d.tensors[0], TS_UINT8, 1, (uint64_t[]){ 3 });
    d.tensors[1] = d.tensors[0];
    tries_add(&t, VERDICT_PASS, &nothing);
    tries_add(&t, VERDICT_MISMATCH, &j);
    tries_add(&t, VERDICT_PASS, &nothing);
    assert_false(tries_agree(&t));
    assert_int_equal(tries_odd(&t)->verdict, VERDICT_MISMATCH);
    tries_tell(&t, &d, text, sizeof text);
    assert_string_equal(text, "It failed in 1 of 3 executions of the same call: pass 2 times, OutputTensor[2] was 0x07 "
                              "(7) 1 time.");
    tries_tell(&t, NULL, text, sizeof text);
    assert_string_equal(text, "It failed in 1 of 3 executions of the same call: pass 2 times, mismatch 1 time.");
    for (j.actual = 20; j.actual < 30; ++j.actual) /* more outcomes than are kept */
        tries_add(&t, VERDICT_MISMATCH, &j);
    assert_int_equal(t.failed, 11);
    tries_tell(&t, &d, text, sizeof text);
    assert_non_null(strstr(text, "It failed in 11 of 13 executions"));
    assert_non_null(strstr(text, ", something else 6 times."));
    char little[16];
    tries_tell(&t, &d, little, sizeof little);
    assert_int_equal(strlen(little), sizeof little - 1);
}

/* Nothing failed, and yet it is not the same. */
static void passing_otherwise_is_odd(void **state)
{
    (void)state;
    tries t = { .executed = 0 };
    tries_add(&t, VERDICT_PASS, &nothing);
    tries_add(&t, VERDICT_AMBIGUOUS, &nothing);
    assert_false(tries_agree(&t));
    assert_int_equal(tries_odd(&t)->verdict, VERDICT_AMBIGUOUS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_outcome_agrees),
        cmocka_unit_test(outcomes_are_told_by_how_often_they_came),
        cmocka_unit_test(passing_otherwise_is_odd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
