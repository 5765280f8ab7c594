/* SPDX-License-Identifier: Apache-2.0 */
/* Covering arrays without predicates: how many rows they take, and what moves them. That every possible combination is
   shown, with predicates, is in space_test.c. */
#include "harness/space/covering_missing.h"
#include "harness/space/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* `count` axes with least, least + 1, ... up to most values, in turns; then `more` axes of a single value, which stand
   before the last one. */
static space *make(unsigned count, unsigned least, unsigned most, unsigned more)
{
    space *s = space_new("op", "test");
    error e;
    assert_non_null(s);
    for (unsigned i = 0; i < count + more; ++i) {
        const bool single = i + 1 >= count && i + 1 < count + more;
        int64_t values[16];
        char name[24];
        snprintf(name, sizeof name, single ? "single%u" : "axis%u", i);
        space_axis axis = { .name = name, .per = SPACE_SCALAR, .values = values };
        axis.count = single ? 1 : least + i % (most - least + 1);
        if (i + 1 == count + more)
            axis.count = least + (count - 1) % (most - least + 1);
        for (unsigned v = 0; v < axis.count; ++v)
            values[v] = v;
        assert_true(space_add_axis(s, &axis, &e));
    }
    assert_true(space_close(s, &e));
    return s;
}

static int64_t value(const space_cursor *c, unsigned axis)
{
    return c->values[axis].v[0];
}

/* Every triple (every pair) is shown. Counted: bits for the values of three axes. */
static void check_complete(const space *s, unsigned strength)
{
    const unsigned axes = (unsigned)space_axis_count(s);
    for (unsigned p = 0; p < axes; ++p)
        for (unsigned q = p + 1; q < axes; ++q)
            for (unsigned r = q + 1; r < axes; ++r) {
                static bool shown[16][16][16];
                size_t found = 0, wanted = space_axis_at(s, p)->count * space_axis_at(s, q)->count;
                memset(shown, 0, sizeof shown);
                space_cursor c;
                for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
                    bool *at = &shown[value(&c, p)][value(&c, q)][strength == 3 ? value(&c, r) : 0];
                    found += !*at;
                    *at = true;
                }
                assert_int_equal(found, strength == 3 ? wanted * space_axis_at(s, r)->count : wanted);
            }
}

/* Bounds that hold, and what is published for comparison: the least that is known, and what is published for AETG,
   the greedy method that this one follows. */
static void test_sizes(void **state)
{
    static const struct {
        unsigned strength, axes, values, bound, least, aetg; /* 0: not published */
    } rows[] = {
        { 2, 4, 3, 9, 9, 9 },       { 2, 13, 3, 20, 15, 15 },   { 2, 10, 4, 30, 24, 0 },
        { 3, 4, 3, 30, 27, 0 },     { 3, 6, 3, 46, 33, 47 },    { 3, 6, 4, 97, 64, 105 },
        { 3, 7, 5, 228, 180, 229 }, { 3, 6, 6, 349, 258, 343 }, { 3, 10, 3, 60, 45, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        space *s = make(rows[i].axes, rows[i].values, rows[i].values, 0);
        error e;
        assert_true(space_cover(s, rows[i].strength, &e));
        assert_in_range(space_points(s), rows[i].least, rows[i].bound);
        check_complete(s, rows[i].strength);
        space_free(s);
    }
}

static void test_mixed_values(void **state)
{
    (void)state;
    space *s = make(10, 3, 8, 0);
    error e;
    assert_true(space_cover(s, 3, &e));
    assert_in_range(space_points(s), 8 * 7 * 6, 640);
    check_complete(s, 3);
    space_free(s);
}

static void test_few_axes(void **state)
{
    (void)state;
    for (unsigned axes = 1; axes <= 3; ++axes) {
        space *s = make(axes, 4, 4, 0);
        error e;
        assert_true(space_cover(s, 3, &e));
        assert_int_equal(space_points(s), axes == 1 ? 4 : axes == 2 ? 16 : 64); /* all combinations */
        space_free(s);
    }
}

/* If a later version of a file adds an axis with one value in this test, no row changes. */
static void test_single_values_move_nothing(void **state)
{
    (void)state;
    for (unsigned strength = 2; strength <= 3; ++strength) {
        space *without = make(7, 2, 4, 0), *with = make(7, 2, 4, 3);
        error e;
        assert_true(space_cover(without, strength, &e) && space_cover(with, strength, &e));
        assert_int_equal(space_points(without), space_points(with));
        space_cursor a, b;
        bool more = space_start(&a, without, 0, UINT64_MAX, NULL, NULL);
        assert_true(space_start(&b, with, 0, UINT64_MAX, NULL, NULL));
        for (; more; more = space_next(&a), space_next(&b))
            for (unsigned i = 0; i < 7; ++i)
                assert_int_equal(value(&a, i), value(&b, i < 6 ? i : 9));
        space_free(without);
        space_free(with);
    }
}

/* Three parameters of 2, 3 and 2 values: 0 1 | 2 3 4 | 5 6. */
static void test_missing(void **state)
{
    static const size_t first[] = { 0, 2, 5, 7 };
    static const unsigned combinations[] = { 0, 7, 2 * 3 + 2 * 2 + 3 * 2, 2 * 3 * 2 };
    (void)state;
    for (unsigned strength = 1; strength <= 3; ++strength) {
        missing_set m;
        uint64_t at = 0;
        size_t members[MISSING_MOST_STRENGTH];
        unsigned n = 0;
        assert_true(missing_open(&m, strength, first, 3));
        for (; missing_next(&m, &at, members); ++at)
            ++n;
        assert_int_equal(n, combinations[strength]);

        const size_t row[] = { 0, 3, 6 };
        const uint64_t mask = 1u << 0 | 1u << 3 | 1u << 6;
        assert_true(missing_shown(&m, row, 3, &mask) > 0);
        assert_true(missing_gain(&m, 6, row, 2, &mask) > 0);
        missing_strike(&m, row, 3, &mask);
        assert_int_equal(missing_shown(&m, row, 3, &mask), 0);
        if (strength > 1)
            missing_strike_pair(&m, 1, 4);
        for (n = 0, at = 0; missing_next(&m, &at, members); ++at)
            ++n;
        /* three values; three pairs and this one; one triple and two that contain the pair */
        assert_int_equal(n, combinations[strength] - (strength == 1 ? 3u : strength == 2 ? 4u : 3u));
        missing_close(&m);
    }
    assert_true(missing_bytes(3, SIZE_MAX / 2) == SIZE_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_mixed_values),
        cmocka_unit_test(test_few_axes),
        cmocka_unit_test(test_single_values_move_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
