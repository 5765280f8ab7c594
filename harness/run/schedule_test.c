/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char key[] = "0123456789abcdef0123456789abcdef";

/* Dense, sparse, without cases, with fewer indices than portions would need, and beginning elsewhere. */
static const run_item items[] = {
    { .first = 0, .end = 50000, .planned = 50000 }, { .first = 7, .end = UINT64_C(140000000000007), .planned = 20000 },
    { .first = 0, .end = 1000, .planned = 0 },      { .first = 10, .end = 11, .planned = 1 },
    { .first = 0, .end = 0, .planned = 0 },         { .first = 100, .end = 4196, .planned = 4096 },
};
enum { ITEMS = sizeof items / sizeof items[0], PORTIONS = 13 + 5 + 1 + 1 };

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

/* Pieces, in whatever order they came, are all of the items that owe something, without a gap or an overlap. */
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

static void portions_are_the_whole(void **state)
{
    (void)state;
    schedule *r = schedule_new(items, ITEMS, key);
    piece list[PORTIONS];
    assert_non_null(r);
    assert_int_equal(schedule_portions(items, ITEMS), PORTIONS);
    for (uint64_t place = 0; place < PORTIONS; ++place)
        schedule_at(r, place, &list[place].item, &list[place].first, &list[place].end);
    check_whole(list, PORTIONS);
    schedule_free(r);
}

/* Nights of three portions each: every index once before any comes again, and the next round in the same order. */
static void nights_make_the_whole(void **state)
{
    (void)state;
    piece list[PORTIONS];
    size_t count = 0;
    for (uint64_t place = 0; place < PORTIONS;) {
        schedule *r = schedule_new(items, ITEMS, key);
        schedule_begin(r, place, UINT64_MAX);
        for (int k = 0; k < 3 && count < PORTIONS; ++k, ++count)
            assert_true(schedule_next(r, true, &list[count].item, &list[count].first, &list[count].end));
        assert_true(schedule_place(r) > place);
        place = schedule_place(r);
        piece none;
        assert_false(schedule_next(r, false, &none.item, &none.first, &none.end));
        schedule_free(r);
    }
    assert_int_equal(count, PORTIONS);
    check_whole(list, count);
}

static void a_slice_ends(void **state)
{
    (void)state;
    schedule *r = schedule_new(items, ITEMS, key);
    piece one;
    schedule_begin(r, 4, 6);
    assert_true(schedule_next(r, true, &one.item, &one.first, &one.end));
    assert_true(schedule_next(r, true, &one.item, &one.first, &one.end));
    assert_false(schedule_next(r, true, &one.item, &one.first, &one.end));
    assert_int_equal(schedule_place(r), 6);
    schedule_free(r);
}

/* The first two portions were done, of the third a part in the middle, the fourth was begun without a word, and the
   fifth was done. */
static void what_was_begun_is_ended(void **state)
{
    (void)state;
    schedule *r = schedule_new(items, ITEMS, key);
    piece all[5], done[4], one;
    for (uint64_t place = 0; place < 5; ++place)
        schedule_at(r, place, &all[place].item, &all[place].first, &all[place].end);
    memcpy(done, all, sizeof done);
    done[3] = all[4];
    done[2].first += 10;
    done[2].end -= 10;
    qsort(done, 4, sizeof *done, by_place);
    schedule_begin(r, 0, UINT64_MAX);
    for (size_t i = 0, d = 0; i < ITEMS; ++i) {
        uint64_t at = items[i].first;
        for (; d < 4 && done[d].item == i; ++d) {
            if (done[d].first > at)
                assert_true(schedule_left(r, i, at, done[d].first));
            at = done[d].end;
        }
        if (at < items[i].end)
            assert_true(schedule_left(r, i, at, items[i].end));
    }
    schedule_left_told(r);
    const piece expected[] = { { all[2].item, all[2].first, all[2].first + 10 },
                               { all[2].item, all[2].end - 10, all[2].end },
                               all[3] };
    for (size_t i = 0; i < 3; ++i) {
        assert_true(schedule_next(r, false, &one.item, &one.first, &one.end));
        assert_int_equal(one.item, expected[i].item);
        assert_int_equal(one.first, expected[i].first);
        assert_int_equal(one.end, expected[i].end);
    }
    assert_false(schedule_next(r, false, &one.item, &one.first, &one.end));
    assert_int_equal(schedule_place(r), 5);
    assert_true(schedule_next(r, true, &one.item, &one.first, &one.end)); /* with time, it goes on */
    schedule_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portions_are_the_whole),
        cmocka_unit_test(nights_make_the_whole),
        cmocka_unit_test(a_slice_ends),
        cmocka_unit_test(what_was_begun_is_ended),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
