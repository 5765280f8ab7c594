/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char key[] = "0123456789abcdef0123456789abcdef";

/* Tests that are dense, sparse, without cases, with fewer indices than slices, with a first index above 0, and two that
   never end. */
static const run_item items[] = {
    { .first = 0, .end = 50000, .planned = 50000, .slice = 4096 },
    { .first = 7, .end = UINT64_C(140000000000007), .planned = 20000, .slice = 4096 },
    { .first = 0, .end = 1000, .planned = 0, .slice = 4096 },
    { .first = 10, .end = 11, .planned = 1, .slice = 4096 },
    { .first = 0, .end = PLAN_ENDLESS, .planned = PLAN_ENDLESS, .slice = 100, .endless = true },
    { .first = 0, .end = 0, .planned = 0, .slice = 4096 },
    { .first = 100, .end = 4196, .planned = 4096, .slice = 1024 },
    { .first = 0, .end = PLAN_ENDLESS, .planned = PLAN_ENDLESS / 2, .slice = 10, .endless = true },
};
enum { ITEMS = sizeof items / sizeof items[0], SLICES = 13 + 5 + 1 + 4, ENDLESS = 2 };

typedef struct piece {
    size_t item;
    uint64_t first, end;
} piece;

static int by_place(const void *a, const void *b)
{
    const piece *x = a, *y = b;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

/* Check that pieces cover all tests with planned cases, without a gap or an overlap. */
static void check_whole(piece *list, size_t count)
{
    size_t n = 0;
    qsort(list, count, sizeof *list, by_place);
    for (size_t i = 0; i < ITEMS; ++i) {
        uint64_t at = items[i].first;
        for (; n < count && list[n].item == i; ++n) {
            assert_int_equal(list[n].first, at);
            at = list[n].end;
        }
        assert_int_equal(at, items[i].planned && !items[i].endless ? items[i].end : items[i].first);
    }
    assert_int_equal(n, count);
}

static void slices_cover_all_tests(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    piece list[SLICES];
    assert_non_null(s);
    assert_int_equal(schedule_slices(items, ITEMS), SLICES);
    for (uint64_t place = 0; place < SLICES; ++place)
        schedule_at(s, SCHEDULE_WHOLE, place, &list[place].item, &list[place].first, &list[place].end);
    check_whole(list, SLICES);
    schedule_free(s);
}

/* Sessions of three slices each: every index runs once before any index runs again. */
static void sessions_cover_all_tests(void **state)
{
    (void)state;
    piece list[SLICES];
    size_t count = 0;
    for (uint64_t place = 0; place < SLICES;) {
        schedule *s = schedule_new(items, ITEMS, key);
        schedule_begin(s, SCHEDULE_WHOLE, place, UINT64_MAX);
        for (int k = 0; k < 3 && count < SLICES; ++k, ++count)
            assert_true(schedule_next(s, true, &list[count].item, &list[count].first, &list[count].end));
        assert_true(schedule_place(s, SCHEDULE_WHOLE) > place);
        place = schedule_place(s, SCHEDULE_WHOLE);
        piece none;
        assert_false(schedule_next(s, false, &none.item, &none.first, &none.end));
        schedule_free(s);
    }
    assert_int_equal(count, SLICES);
    check_whole(list, count);
}

static void a_session_may_end_before_its_last_slice(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    piece one;
    schedule_begin(s, SCHEDULE_WHOLE, 4, 6);
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_false(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_int_equal(schedule_place(s, SCHEDULE_WHOLE), 6);
    schedule_free(s);
}

/* Slices 0, 1 and 4 are done, slice 2 in its middle only, and slice 3 was started and has no results. */
static void a_resumed_session_finishes_started_slices(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    piece all[5], done[4], one;
    for (uint64_t place = 0; place < 5; ++place)
        schedule_at(s, SCHEDULE_WHOLE, place, &all[place].item, &all[place].first, &all[place].end);
    memcpy(done, all, sizeof done);
    done[3] = all[4];
    done[2].first += 10;
    done[2].end -= 10;
    qsort(done, 4, sizeof *done, by_place);
    schedule_begin(s, SCHEDULE_WHOLE, 0, UINT64_MAX);
    for (size_t i = 0, d = 0; i < ITEMS; ++i) {
        uint64_t at = items[i].first;
        for (; d < 4 && done[d].item == i; ++d) {
            if (done[d].first > at)
                assert_true(schedule_add_gap(s, i, at, done[d].first));
            at = done[d].end;
        }
        if (at < items[i].end)
            assert_true(schedule_add_gap(s, i, at, items[i].end));
    }
    schedule_resume(s);
    const piece expected[] = { { all[2].item, all[2].first, all[2].first + 10 },
                               { all[2].item, all[2].end - 10, all[2].end },
                               all[3] };
    for (size_t i = 0; i < 3; ++i) {
        assert_true(schedule_next(s, false, &one.item, &one.first, &one.end));
        assert_int_equal(one.item, expected[i].item);
        assert_int_equal(one.first, expected[i].first);
        assert_int_equal(one.end, expected[i].end);
    }
    assert_false(schedule_next(s, false, &one.item, &one.first, &one.end));
    assert_int_equal(schedule_place(s, SCHEDULE_WHOLE), 5);
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end)); /* with time left, it starts another slice */
    schedule_free(s);
}

/* Every test has its first cases in the first turn, and a test with few slices is complete before one with many. */
static void small_tests_are_complete_early(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    uint64_t seen[ITEMS] = { 0 };
    for (uint64_t place = 0; place < SLICES; ++place) {
        piece one;
        schedule_at(s, SCHEDULE_WHOLE, place, &one.item, &one.first, &one.end);
        if (place < 4) {
            assert_int_equal(one.first, items[one.item].first);
            assert_int_equal(seen[one.item], 0);
        }
        ++seen[one.item];
        if (place == 1 + 4 * 3 - 1) { /* four turns, of which the first has one more test */
            assert_int_equal(seen[6], 4);
            assert_int_equal(seen[1], 4);
            assert_int_equal(seen[0], 4);
        }
    }
    assert_int_equal(seen[0], 13);
    schedule_free(s);
}

/* The slices of each endless test follow each other from the first case on, and grow. */
static void endless_tests_are_drawn_in_order(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    uint64_t at[ITEMS] = { 0 }, longest = 0;
    schedule_begin(s, SCHEDULE_DRAWN, 0, UINT64_MAX);
    for (unsigned n = 0; n < 1000 * ENDLESS; ++n) {
        piece one;
        assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
        assert_true(items[one.item].endless);
        assert_int_equal(one.first, at[one.item]);
        at[one.item] = one.end;
        assert_true(one.end - one.first >= items[one.item].slice);
        longest = one.end - one.first > longest ? one.end - one.first : longest;
    }
    assert_int_equal(at[4], 10 * at[7]); /* in proportion to their slices */
    assert_int_equal(longest, 1600);
    assert_int_equal(schedule_place(s, SCHEDULE_DRAWN), 1000 * ENDLESS);
    assert_int_equal(schedule_place(s, SCHEDULE_WHOLE), 0);
    schedule_free(s);
}

/* Slices of endless tests take a hundred times as long as the others, and get their share of the time all the same;
   when the others are done, they get all of it. */
static void the_time_is_shared(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    double spent[2] = { 0 };
    unsigned drawn_at_the_end = 0, whole = 0;
    schedule_begin(s, SCHEDULE_WHOLE, 0, UINT64_MAX);
    schedule_begin(s, SCHEDULE_DRAWN, 0, UINT64_MAX);
    while (drawn_at_the_end < 10) {
        piece one;
        assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
        const bool endless = items[one.item].endless;
        const double seconds = endless ? 5 : 0.5;
        schedule_spent(s, one.item, seconds);
        drawn_at_the_end += endless && whole == SLICES;
        whole += !endless;
        if (whole < SLICES)
            spent[endless] += seconds;
    }
    assert_true(spent[1] > 0.5 * spent[0] && spent[1] < 2 * spent[0]);
    schedule_free(s);
}

/* Sessions that have the time for a single slice: neither sequence starves. */
static void the_shortest_sessions_take_turns(void **state)
{
    (void)state;
    uint64_t at[SCHEDULE_SEQUENCES] = { 0 };
    for (unsigned n = 0; n < 10; ++n) {
        piece one;
        schedule *s = schedule_new(items, ITEMS, key);
        for (int k = 0; k < SCHEDULE_SEQUENCES; ++k)
            schedule_begin(s, (schedule_sequence)k, at[k], UINT64_MAX);
        assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
        for (int k = 0; k < SCHEDULE_SEQUENCES; ++k)
            at[k] = schedule_place(s, (schedule_sequence)k);
        schedule_free(s);
    }
    assert_int_equal(at[SCHEDULE_WHOLE], 5);
    assert_int_equal(at[SCHEDULE_DRAWN], 5);
}

/* Of a session that began at place 6 of the endless tests: places 6 and 7 are done, 8 was started and has no results,
   and 9 is done in part. */
static void a_resumed_session_finishes_started_slices_of_endless_tests(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    piece at[5], one;
    for (uint64_t k = 0; k < 5; ++k)
        schedule_at(s, SCHEDULE_DRAWN, 6 + k, &at[k].item, &at[k].first, &at[k].end);
    assert_int_equal(at[0].item, 4);
    schedule_begin(s, SCHEDULE_DRAWN, 6, UINT64_MAX);
    assert_true(schedule_add_gap(s, 4, 0, at[0].first) && schedule_add_gap(s, 4, at[0].end, PLAN_ENDLESS));
    assert_true(schedule_add_gap(s, 7, 0, at[1].first) && schedule_add_gap(s, 7, at[1].end, at[3].first + 2) &&
                schedule_add_gap(s, 7, at[3].first + 4, PLAN_ENDLESS));
    schedule_resume(s);
    const piece expected[] = { at[2], { 7, at[3].first, at[3].first + 2 }, { 7, at[3].first + 4, at[3].end } };
    for (size_t i = 0; i < 3; ++i) {
        assert_true(schedule_next(s, false, &one.item, &one.first, &one.end));
        assert_int_equal(one.item, expected[i].item);
        assert_int_equal(one.first, expected[i].first);
        assert_int_equal(one.end, expected[i].end);
    }
    assert_false(schedule_next(s, false, &one.item, &one.first, &one.end));
    assert_int_equal(schedule_place(s, SCHEDULE_DRAWN), 10);
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_int_equal(one.first, at[4].first);
    schedule_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_cover_all_tests),
        cmocka_unit_test(sessions_cover_all_tests),
        cmocka_unit_test(a_session_may_end_before_its_last_slice),
        cmocka_unit_test(a_resumed_session_finishes_started_slices),
        cmocka_unit_test(small_tests_are_complete_early),
        cmocka_unit_test(endless_tests_are_drawn_in_order),
        cmocka_unit_test(the_time_is_shared),
        cmocka_unit_test(the_shortest_sessions_take_turns),
        cmocka_unit_test(a_resumed_session_finishes_started_slices_of_endless_tests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
