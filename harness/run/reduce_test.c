/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/reduce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static space *s;

/* rank 2 or 1; dtype f32, f16 or u8; size 3, 1 or 4 per rank. */
static int make(void **state)
{
    (void)state;
    static const int64_t ranks[] = { 2, 1 }, dtypes[] = { 10, 11, 12 }, sizes[] = { 3, 1, 4 };
    static const char *const names[] = { "f32", "f16", "u8" };
    const space_axis axes[] = {
        { .name = "rank", .per = SPACE_SCALAR, .fallback = 2, .values = ranks, .count = 2 },
        { .name = "dtype",
          .per = SPACE_SCALAR,
          .fallback = 10,
          .values = dtypes,
          .count = 3,
          .symbols = names,
          .symbol_values = dtypes,
          .symbol_count = 3 },
        { .name = "size", .per = 0, .fallback = 3, .values = sizes, .count = 3 },
    };
    error e;
    s = space_new("some.op", "pairwise");
    for (size_t i = 0; i < sizeof axes / sizeof *axes; ++i)
        if (!space_add_axis(s, &axes[i], &e))
            return -1;
    return space_where(s, "each(size > 1) or rank == 1", "here", &e) && space_close(s, &e) && space_cover(s, 2, &e)
               ? 0
               : -1;
}

static int free_space(void **state)
{
    (void)state;
    space_free(s);
    return 0;
}

static void has_points(reduce_points *p, const char *expected)
{
    if (strcmp(p->text ? p->text : "", expected) != 0)
        fail_msg("\"%s\", expected \"%s\"", p->text ? p->text : "", expected);
    reduce_points_clear(p);
}

static void points_become_simpler(void **state)
{
    (void)state;
    reduce_points p = { .text = NULL };
    char out[REDUCE_TEXT];
    reduce_simpler(s, "", &p);
    has_points(&p, "");
    reduce_simpler(s, "dtype=f16,size=4.3", &p); /* one element differs: the same as the whole vector */
    assert_int_equal(p.count, 2);
    has_points(&p, "size=4.3\ndtype=f16");
    reduce_simpler(s, "dtype=f16,size=4.1", &p);
    assert_int_equal(p.count, 4);
    const bool some[] = { true, false, true, false };
    reduce_together(s, "dtype=f16,size=4.1", &p, some, out, sizeof out);
    assert_string_equal(out, "size=3.1");
    const bool rest[] = { false, false, true, true };
    reduce_together(s, "dtype=f16,size=4.1", &p, rest, out, sizeof out);
    assert_string_equal(out, "dtype=f16");
    assert_true(reduce_points_at(&p, 3, out, sizeof out));
    assert_string_equal(out, "dtype=f16,size=4.3");
    assert_false(reduce_points_at(&p, 4, out, sizeof out));
    has_points(&p, "size=4.1\ndtype=f16\ndtype=f16,size=3.1\ndtype=f16,size=4.3");
}

static void defaults_are_tried_otherwise(void **state)
{
    (void)state;
    reduce_points p = { .text = NULL };
    size_t slots[2 * SPACE_MAX_AXES];
    reduce_otherwise(s, "size=4.3", &p, slots);
    assert_int_equal(p.count, 3);
    assert_int_equal(slots[0], 0);
    assert_int_equal(slots[1], 1);
    assert_int_equal(slots[2], 1);
    has_points(&p, "size=4.3,rank=1\nsize=4.3,dtype=f16\nsize=4.3,dtype=u8");
}

static void conditions_are_those_of_a_point(void **state)
{
    (void)state;
    char out[REDUCE_TEXT];
    space_cursor *c = calloc(1, sizeof *c);
    error e;
    reduce_conditions(s, "dtype=f16,size=3.4", 1, out, sizeof out);
    assert_string_equal(out, "dtype=f16 and size[2]=4 and rank=2");
    reduce_conditions(s, "", 0, out, sizeof out);
    assert_string_equal(out, "");
    assert_true(space_point(c, s, "dtype=f16,size=4.4", 5, &e));
    assert_true(reduce_meets(c, "dtype=f16,size=3.4", 1));
    assert_true(reduce_meets(c, "", 0));
    assert_false(reduce_meets(c, "dtype=u8", 0));
    assert_true(space_point(c, s, "rank=1,size=4", 5, &e));
    assert_false(reduce_meets(c, "size=3.4", 0));
    assert_false(reduce_meets(c, "", 1));
    free(c);
}

/* Points that are no rows of a covering space can be executed, if its predicates allow them. */
static void any_legal_point_has_a_cursor(void **state)
{
    (void)state;
    space_cursor *c = calloc(1, sizeof *c);
    char id[CASE_ID_SIZE];
    error e;
    unsigned points = 0;
    uint64_t row;
    static const char *const types[] = { "", "dtype=f16,", "dtype=u8," };
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned k = 0; k < 4; ++k) {
            char parameters[64], expected[CASE_ID_SIZE];
            snprintf(parameters, sizeof parameters, "%ssize=%d.%d", types[i], k & 1 ? 4 : 3, k & 2 ? 4 : 3);
            assert_true(space_point(c, s, parameters, 7, &e));
            assert_int_equal(c->index, 7);
            assert_true(c->new_class);
            space_format_id(c, id, sizeof id);
            if (k) {
                snprintf(expected, sizeof expected, "some.op:pairwise:%s", parameters);
                assert_string_equal(id, expected);
            }
            points += !space_parse_id(s, parameters, &row, &e);
        }
    assert_true(points > 0);                            /* some are no rows */
    assert_false(space_point(c, s, "size=1.4", 7, &e)); /* ruled out */
    assert_false(space_point(c, s, "size=7.4", 7, &e));
    assert_false(space_point(c, s, "size=4", 7, &e));
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_become_simpler),
        cmocka_unit_test(defaults_are_tried_otherwise),
        cmocka_unit_test(conditions_are_those_of_a_point),
        cmocka_unit_test(any_legal_point_has_a_cursor),
    };
    return cmocka_run_group_tests(tests, make, free_space);
}
