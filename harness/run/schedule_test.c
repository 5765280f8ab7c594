/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char key[] = "0123456789abcdef0123456789abcdef";

/* Tests that are dense, sparse, without cases, with fewer indices than slices, and with a first index above 0. */
static const run_item items[] = {
    { .first = 0, .end = 50000, .planned = 50000 }, { .first = 7, .end = UINT64_C(140000000000007), .planned = 20000 },
    { .first = 0, .end = 1000, .planned = 0 },      { .first = 10, .end = 11, .planned = 1 },
    { .first = 0, .end = 0, .planned = 0 },         { .first = 100, .end = 4196, .planned = 4096 },
};
enum { ITEMS = sizeof items / sizeof items[0], SLICES = 13 + 5 + 1 + 1 };

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
        assert_int_equal(at, items[i].planned ? items[i].end : items[i].first);
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
        schedule_at(s, place, &list[place].item, &list[place].first, &list[place].end);
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
        schedule_begin(s, place, UINT64_MAX);
        for (int k = 0; k < 3 && count < SLICES; ++k, ++count)
            assert_true(schedule_next(s, true, &list[count].item, &list[count].first, &list[count].end));
        assert_true(schedule_place(s) > place);
        place = schedule_place(s);
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
    schedule_begin(s, 4, 6);
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_false(schedule_next(s, true, &one.item, &one.first, &one.end));
    assert_int_equal(schedule_place(s), 6);
    schedule_free(s);
}

/* Slices 0, 1 and 4 are done, slice 2 in its middle only, and slice 3 was started and has no results. */
static void a_resumed_session_finishes_started_slices(void **state)
{
    (void)state;
    schedule *s = schedule_new(items, ITEMS, key);
    piece all[5], done[4], one;
    for (uint64_t place = 0; place < 5; ++place)
        schedule_at(s, place, &all[place].item, &all[place].first, &all[place].end);
    memcpy(done, all, sizeof done);
    done[3] = all[4];
    done[2].first += 10;
    done[2].end -= 10;
    qsort(done, 4, sizeof *done, by_place);
    schedule_begin(s, 0, UINT64_MAX);
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
    assert_int_equal(schedule_place(s), 5);
    assert_true(schedule_next(s, true, &one.item, &one.first, &one.end)); /* with time left, it starts another slice */
    schedule_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_cover_all_tests),
        cmocka_unit_test(sessions_cover_all_tests),
        cmocka_unit_test(a_session_may_end_before_its_last_slice),
        cmocka_unit_test(a_resumed_session_finishes_started_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
