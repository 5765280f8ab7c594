/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/replay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_shuffled_block_has_every_case_once(void **state)
{
    (void)state;
    enum { CASES = 1000 };
    uint32_t a[CASES], b[CASES], followers = 0, differ = 0;
    bool seen[CASES] = { false };
    replay_shuffle(a, CASES, 1, 77, 4096);
    for (size_t i = 0; i < CASES; ++i) {
        assert_in_range(a[i], 0, CASES - 1);
        assert_false(seen[a[i]]);
        seen[a[i]] = true;
        followers += i > 0 && a[i] == a[i - 1] + 1; /* the case follows its predecessor, as without a shuffle */
    }
    assert_in_range(followers, 0, 10);
    replay_shuffle(b, CASES, 1, 77, 4096);
    assert_memory_equal(a, b, sizeof a);
    static const uint64_t others[][3] = { { 2, 77, 4096 }, { 1, 78, 4096 }, { 1, 77, 8192 } };
    for (size_t k = 0; k < 3; ++k, differ = 0) {
        replay_shuffle(b, CASES, others[k][0], others[k][1], others[k][2]);
        for (size_t i = 0; i < CASES; ++i)
            differ += a[i] != b[i];
        assert_in_range(differ, CASES - 20, CASES);
    }
    replay_shuffle(b, 1, 1, 77, 0);
    assert_int_equal(b[0], 0);
    replay_shuffle(b, 0, 1, 77, 0);
}

/* Encode and decode r as the result of t. Truncated messages must be refused. */
static bool sent(const replay *t, replay_result *r, replay_result *back)
{
    wire w = { 0 };
    replay_result_encode(r, t, &w);
    const size_t size = w.size;
    for (w.size = 0; w.size < size; ++w.size) {
        w.at = 0;
        w.broken = false;
        assert_false(replay_result_decode(back, t, &w));
        replay_result_free(back);
    }
    w.at = 0;
    w.broken = false;
    bool fine = replay_result_decode(back, t, &w);
    wire_free(&w);
    return fine;
}

static void replays_are_encoded_and_decoded(void **state)
{
    (void)state;
    const uint8_t verdicts[] = { VERDICT_PASS, VERDICT_CRASH, VERDICT_PASS };
    const replay_case list[] = { { 2, 12 }, { 3, 10 } };
    const replay t = { .kind = REPLAY_BLOCK,
                       .item = 3,
                       .first = 10,
                       .end = 14,
                       .cases = 3,
                       .seed = 5,
                       .from = 1,
                       .until = 3,
                       .singly = true,
                       .death = VERDICT_HANG,
                       .how = "ended",
                       .findings = 4,
                       .waived_findings = 2,
                       .verdicts = verdicts,
                       .verdict_count = 3,
                       .list = list,
                       .count = 2,
                       .times = 9 };
    replay back;
    replay_case *copy;
    wire w = { 0 };
    replay_encode(&t, &w);
    assert_true(replay_decode(&back, &copy, &w));
    assert_int_equal(w.at, w.size);
    assert_int_equal(back.kind, t.kind);
    assert_int_equal(back.item, 3);
    assert_int_equal(back.until, 3);
    assert_int_equal(back.death, VERDICT_HANG);
    assert_true(back.singly);
    assert_string_equal(back.how, "ended");
    assert_memory_equal(back.verdicts, verdicts, sizeof verdicts);
    assert_memory_equal(back.list, list, sizeof list);
    assert_int_equal(back.times, 9);
    free(copy);
    w.size -= 1;
    w.at = 0;
    assert_false(replay_decode(&back, &copy, &w));
    free(copy);
    wire_free(&w);
}

static void results_that_do_not_fit_the_request_are_refused(void **state)
{
    (void)state;
    const uint8_t verdicts[] = { VERDICT_PASS, VERDICT_PASS };
    const replay t = {
        .kind = REPLAY_BLOCK, .first = 10, .end = 14, .cases = 2, .until = 2, .verdicts = verdicts, .verdict_count = 2
    };
    const replay_difference right = { .index = 13, .ordinal = 1, .before = VERDICT_PASS, .now = VERDICT_MISMATCH };
    replay_difference wrong[] = { right, right, right, right };
    wrong[0].index = 14;
    wrong[1].ordinal = 2;
    wrong[2].before = VERDICT_CRASH;
    wrong[3].now = VERDICT_NONE;
    for (size_t k = 0; k <= sizeof wrong / sizeof wrong[0]; ++k) {
        replay_result r = { .at = 2 }, back;
        error e;
        r.chunk.first = 10;
        r.chunk.last = 14;
        assert_true(replay_add_difference(&r, k ? &wrong[k - 1] : &right, &e));
        assert_int_equal(sent(&t, &r, &back), k == 0);
        if (k == 0) {
            assert_int_equal(back.difference_count, 1);
            assert_int_equal(back.differences[0].index, 13);
        }
        replay_result_free(&back);
        replay_result_free(&r);
    }
    const replay before = { .kind = REPLAY_BEFORE, .first = 10, .end = 14, .cases = 4 };
    for (uint64_t number = 13; number <= 14; ++number) {
        replay_result r = { .at = 0 }, back;
        error e;
        assert_true(replay_add_number(&r, number, &e));
        assert_int_equal(sent(&before, &r, &back), number == 13);
        replay_result_free(&back);
        replay_result_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shuffled_block_has_every_case_once),
        cmocka_unit_test(replays_are_encoded_and_decoded),
        cmocka_unit_test(results_that_do_not_fit_the_request_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
