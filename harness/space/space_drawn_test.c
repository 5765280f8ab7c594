/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/space/space.h"

#include "harness/base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* What the drawer was asked. */
typedef struct drawer {
    unsigned calls, most_attempts;
    bool again;   /* draw nothing */
    bool too_few; /* elements */
} drawer;

/* size = index, index + 1, ... plus 100 an attempt. */
static bool draw(void *context, uint64_t index, unsigned attempt, expr_value *values, bool *again, error *e)
{
    drawer *d = context;
    (void)e;
    ++d->calls;
    d->most_attempts = attempt > d->most_attempts ? attempt : d->most_attempts;
    *again = d->again;
    assert_int_equal(values[2].length, SPACE_NOT_DRAWN);
    values[2].length = (uint32_t)values[0].v[0] - d->too_few;
    for (uint32_t k = 0; k < values[2].length; ++k)
        values[2].v[k] = (int64_t)index + k + 100 * attempt;
    return true;
}

/* rank 1 to 3 and type 0 or 1 in turn; sizes drawn. */
static space *make(drawer *d, const char *where, uint64_t count)
{
    static const int64_t ranks[] = { 1, 2, 3 }, types[] = { 0, 1 }, sizes[] = { 5 };
    error e;
    space *s = space_new("dml.slice1", "drawn");
    const space_axis axes[] = {
        { .name = "rank", .per = SPACE_SCALAR, .fallback = 1, .values = ranks, .count = 3 },
        { .name = "type", .per = SPACE_SCALAR, .fallback = 0, .values = types, .count = 2 },
        { .name = "size", .per = 0, .fallback = 5, .values = sizes, .count = 1 },
    };
    assert_non_null(s);
    for (size_t i = 0; i < 3; ++i)
        assert_true(space_add_axis(s, &axes[i], &e));
    assert_true(!where || space_where(s, where, "test", &e));
    assert_true(space_close_drawn(s, 3, draw, d, &e));
    space_set_draws(s, count);
    return s;
}

/* In an order that has many values of each axis among any few. */
static void classes_are_taken_in_turn_and_the_rest_is_drawn(void **state)
{
    (void)state;
    static const char *const ids[] = {
        "dml.slice1:drawn:size=0",
        "dml.slice1:drawn:rank=3,type=1,size=1.2.3",
        "dml.slice1:drawn:rank=3,size=2.3.4",
        "dml.slice1:drawn:rank=2,type=1,size=3.4",
        "dml.slice1:drawn:rank=2,size=4.5",
        "dml.slice1:drawn:type=1", /* 5 is the default */
        "dml.slice1:drawn:size=6",
        "dml.slice1:drawn:rank=3,type=1,size=7.8.9",
    };
    drawer d = { 0 };
    space *s = make(&d, NULL, 8);
    space_cursor c;
    char id[CASE_ID_SIZE];
    error e;
    size_t n = 0;
    for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c), ++n) {
        assert_int_equal(c.index, n);
        space_format_id(&c, id, sizeof id);
        assert_true(n < 8);
        assert_string_equal(id, ids[n]);
    }
    assert_int_equal(n, 8);
    assert_false(space_failed(&c, &e));
    space_free(s);
}

/* A point that is found by its id has the values of the id, whether they could be drawn or not. */
static void a_point_is_found_by_its_id(void **state)
{
    (void)state;
    drawer d = { 0 };
    space *s = make(&d, "each(size < 1000)", 5);
    space_cursor c, drawn;
    uint64_t index, again = 0;
    char id[CASE_ID_SIZE];
    error e;
    assert_true(space_find(s, "rank=2,size=900.0", &index, &e) && space_find(s, "size=900.0,rank=2", &again, &e));
    assert_int_equal(index, 5);
    assert_int_equal(again, 5);
    assert_int_equal(space_points(s), 6);
    assert_true(space_start(&c, s, index, index + 1, NULL, NULL));
    space_format_id(&c, id, sizeof id);
    assert_string_equal(id, "dml.slice1:drawn:rank=2,size=900.0");
    assert_false(space_find(s, "rank=2,size=900.1000", &index, &e));
    assert_non_null(strstr(e.text, "ruled out by the test's predicate 'each(size < 1000)'"));
    assert_false(space_find(s, "rank=2,size=1", &index, &e));
    /* The same values have the same hash under any index. */
    assert_true(space_start(&drawn, s, 3, 4, NULL, NULL) && space_find(s, "rank=2,type=1,size=3.4", &index, &e));
    assert_true(index > 5 && space_start(&c, s, index, index + 1, NULL, NULL));
    assert_int_equal(space_point_hash(s, c.values), space_point_hash(s, drawn.values));
    space_free(s);
}

static void what_predicates_rule_out_is_drawn_again(void **state)
{
    (void)state;
    drawer d = { 0 };
    space *s = make(&d, "each(size >= 250)", 6);
    space_cursor c;
    error e;
    assert_true(space_start(&c, s, 0, UINT64_MAX, NULL, NULL));
    assert_int_equal(c.values[2].v[0], 300);
    assert_int_equal(d.most_attempts, 3);
    space_free(s);

    d = (drawer){ .again = true };
    s = make(&d, NULL, 6);
    assert_false(space_start(&c, s, 0, UINT64_MAX, NULL, NULL));
    assert_true(space_failed(&c, &e));
    assert_non_null(strstr(e.text, "1000 draws for point 0 gave nothing"));
    space_free(s);

    d = (drawer){ .too_few = true };
    s = make(&d, NULL, 6);
    assert_false(space_start(&c, s, 0, UINT64_MAX, NULL, NULL));
    assert_true(space_failed(&c, &e));
    assert_non_null(strstr(e.text, "axis 'size' has 1 elements, and 0 were drawn"));
    space_free(s);
}

static bool only_type_1(void *context, const expr_value *values, unsigned inner)
{
    (void)context;
    (void)inner;
    return values[1].v[0] == 1;
}

/* A gate sees the class alone, so that nothing is drawn to count. */
static void points_are_counted_without_drawing_them(void **state)
{
    (void)state;
    drawer d = { 0 };
    space *s = make(&d, NULL, UINT64_C(1) << 40);
    uint64_t count, walked = 0;
    space_cursor c;
    error e;
    assert_true(space_count(s, 0, UINT64_MAX, only_type_1, NULL, &count, &e));
    assert_int_equal(count, UINT64_C(1) << 39);
    assert_int_equal(d.calls, 0);
    assert_true(space_count(s, 3, 1000, only_type_1, NULL, &count, &e));
    for (bool more = space_start(&c, s, 3, 1000, only_type_1, NULL); more; more = space_next(&c))
        ++walked;
    assert_int_equal(count, walked);
    assert_int_equal(d.calls, walked);
    assert_true(space_filter(s, "size[1] < 10", "query", &e) && space_count(s, 0, 100, NULL, NULL, &count, &e));
    assert_int_equal(count, 10);
    space_free(s);
}

/* The ids of all points, one a line, which the caller frees. */
static text ids_of(const space *s)
{
    text ids = { .data = NULL };
    space_cursor c;
    char id[CASE_ID_SIZE];
    for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
        space_format_id(&c, id, sizeof id);
        text_format(&ids, "%llu %s\n", (unsigned long long)c.index, id);
    }
    assert_false(ids.failed);
    return ids;
}

static void points_that_are_kept_are_not_drawn_again(void **state)
{
    (void)state;
    drawer d = { 0 };
    error e;
    space *s = make(&d, NULL, 8); /* point 5 has the default size, of which nothing is kept */
    text wanted = ids_of(s), bytes = { .data = NULL };
    assert_true(space_write_drawn(s, 7, &bytes, &e) && space_read_drawn(s, bytes.data, bytes.length));
    d.calls = 0;
    text whole = ids_of(s);
    assert_string_equal(whole.data, wanted.data);
    assert_int_equal(d.calls, 1);
    text_free(&whole);
    text_free(&wanted);
    text_free(&bytes);
    space_free(s);

    s = make(&d, "each(size >= 3)", 8);
    wanted = ids_of(s);
    assert_true(space_write_drawn(s, 5, &bytes, &e));
    assert_true(space_read_drawn(s, bytes.data, bytes.length));
    d.calls = 0;
    text kept = ids_of(s);
    assert_string_equal(kept.data, wanted.data);
    assert_int_equal(d.calls, 3); /* points 5 to 7 */
    text_free(&kept);
    space_free(s);

    s = make(&d, "each(size >= 4)", 8); /* rules out some of them: they are drawn */
    text_free(&wanted);
    wanted = ids_of(s);
    assert_true(space_read_drawn(s, bytes.data, bytes.length));
    kept = ids_of(s);
    assert_string_equal(kept.data, wanted.data);
    text_free(&kept);
    text_free(&wanted);
    text_free(&bytes);
    d.again = true;
    assert_false(space_write_drawn(s, 5, &bytes, &e));
    assert_non_null(strstr(e.text, "1000 draws for point 0 gave nothing"));
    text_free(&bytes);
    space_free(s);
}

/* Bytes that are no points, and points that are none of this space: these are drawn. */
static void what_is_kept_is_checked(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        bool fine;
    } given[] = {
        { "", 0, false },
        { "\2\1", 2, false },                                    /* fewer sizes than points, */
        { "\1\4\2\1\10", 5, false },                             /* a point that is too short, */
        { "\1\2\2\1\10", 5, false },                             /* and too long */
        { "\377\377\377\377\377\377\377\377\377\1", 10, false }, /* more points than bytes */
        { "\2\377\377\377\377\377\377\377\377\377\1\3\2\1\10", 14, false },
        { "\1\3\2\1\10", 5, true },    /* size = 4 */
        { "\1\3\3\1\10", 5, true },    /* an axis that there is not, */
        { "\1\2\1\2", 4, true },       /* one that is not drawn, */
        { "\1\4\2\2\10\10", 6, true }, /* more elements than rank says, */
        { "\1\3\2\1\200", 5, true },   /* a number without an end, */
        { "\1\2\2\1", 4, true },       /* a value that is missing, */
        { "\1\3\2\177\10", 5, true },  /* and a vector that is too long */
    };
    for (size_t i = 0; i < sizeof given / sizeof given[0]; ++i) {
        drawer d = { 0 };
        space *s = make(&d, NULL, 1);
        if (space_read_drawn(s, given[i].bytes, given[i].size) != given[i].fine)
            fail_msg("bytes %zu are %s", i, given[i].fine ? "refused" : "accepted");
        text ids = ids_of(s);
        assert_string_equal(ids.data, i == 6 ? "0 dml.slice1:drawn:size=4\n" : "0 dml.slice1:drawn:size=0\n");
        assert_int_equal(d.calls, i == 6 ? 0 : 1);
        text_free(&ids);
        space_free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_taken_in_turn_and_the_rest_is_drawn),
        cmocka_unit_test(a_point_is_found_by_its_id),
        cmocka_unit_test(what_predicates_rule_out_is_drawn_again),
        cmocka_unit_test(points_are_counted_without_drawing_them),
        cmocka_unit_test(points_that_are_kept_are_not_drawn_again),
        cmocka_unit_test(what_is_kept_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
