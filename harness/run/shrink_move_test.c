/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/shrink_move.h"

#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static case_file *file;
static case_test *test;

/* The drawn test of DML_SLICE1. */
static int load(void **state)
{
    char path[1024];
    error e;
    (void)state;
    const ts_operator *op = operators_find("dml.slice1");
    if (!op || !casefile_path(op, path, sizeof path, &e) || !(file = casefile_load(path, &e)))
        return -1;
    for (size_t i = 0; i < file->test_count; ++i)
        if (strcmp(file->tests[i].name, "drawn") == 0)
            test = &file->tests[i];
    return test ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    casefile_free(file);
    return 0;
}

static void read_point(const char *parameters, expr_value *values)
{
    error e;
    memset(values, 0, EXPR_MAX_SLOTS * sizeof *values);
    if (!space_parse_values(test->space, parameters, values, &e))
        fail_msg("%s", e.text);
}

/* The points that were offered, a line each. */
typedef struct offered {
    const expr_value *from;
    size_t count, most;
    char text[1 << 20];
} offered;

static bool take(void *context, const expr_value *values)
{
    offered *o = context;
    space_cursor *c = malloc(sizeof *c);
    char id[CASE_ID_SIZE];
    error e;
    assert_true(shrink_is_simpler(test->space, values, o->from));
    assert_false(shrink_is_simpler(test->space, o->from, values));
    if (space_place(c, test->space, values, 0, &e)) {
        space_format_id(c, id, sizeof id);
        const size_t used = strlen(o->text);
        snprintf(o->text + used, sizeof o->text - used, "%s\n", strrchr(id, ':') + 1);
    }
    free(c);
    return ++o->count < o->most;
}

/* The text is static: all groups of a point. */
static offered *offers(const char *parameters, size_t most)
{
    static offered o;
    static expr_value values[EXPR_MAX_SLOTS];
    read_point(parameters, values);
    o = (offered){ .from = values, .most = most };
    const unsigned groups = shrink_groups(test->space, values);
    for (unsigned g = 0; g < groups && shrink_moves(test, values, g, take, &o); ++g)
        continue;
    return &o;
}

static void has(const offered *o, const char *point)
{
    char line[CASE_ID_SIZE];
    snprintf(line, sizeof line, "%s\n", point);
    const char *at = strstr(o->text, line);
    while (at && at != o->text && at[-1] != '\n')
        at = strstr(at + 1, line);
    if (!at)
        fail_msg("'%s' was not offered", point);
}

static void every_move_makes_a_point_simpler(void **state)
{
    (void)state;
    const offered *o = offers("dtype=u8,in_layout=strides,fill=bits,in_extra=17,size=9.1.40.6,offset=2.0.1.0,"
                              "window=6.1.30.6,stride=2.1.-3.1,out_size=3.1.10.6,in_stride=1.9.9.400",
                              SIZE_MAX);
    assert_in_range(o->count, 100, 100000);
}

static void structure_is_removed_as_a_whole(void **state)
{
    (void)state;
    const offered *o = offers("rank=2,in_layout=strides,size=9.40,offset=2.1,window=6.30,stride=2.-3,out_size=3.10,"
                              "in_stride=64.1",
                              SIZE_MAX);
    has(o, "rank=1,in_layout=strides,size=9,offset=2,window=6,stride=2,in_stride=64");
    has(o, "rank=1,in_layout=strides,size=40,offset=1,window=30,stride=-3,out_size=10,in_stride=1");
    has(o, "rank=2,size=9.40,offset=2.1,window=6.30,stride=2.-3,out_size=3.10,in_stride=64.1"); /* packed */
    has(o, "rank=2,in_layout=strides,size=9.40,offset=2.1,window=6.30,stride=2.-3,out_size=3.10,in_stride=40.1");
    has(o, "rank=2,in_layout=strides,size=1.40,offset=0.1,window=1.30,stride=1.-3,out_size=1.10,in_stride=0.1");
}

static void values_move_alone_and_together(void **state)
{
    (void)state;
    const offered *o = offers("rank=1,in_extra=1000,size=40,offset=6,window=30,stride=-3,out_size=10", SIZE_MAX);
    has(o, "rank=1,size=40,offset=6,window=30,stride=-3,out_size=10");               /* the default */
    has(o, "rank=1,in_extra=500,size=40,offset=6,window=30,stride=-3,out_size=10");  /* half */
    has(o, "rank=1,in_extra=999,size=40,offset=6,window=30,stride=-3,out_size=10");  /* the neighbour */
    has(o, "rank=1,in_extra=1000,size=39,offset=6,window=30,stride=-3,out_size=10"); /* one vector, */
    has(o, "rank=1,in_extra=1000,size=39,offset=5,window=30,stride=-3,out_size=10"); /* two, */
    has(o, "rank=1,in_extra=1000,size=39,offset=6,window=29,stride=-3,out_size=9");  /* three */
    has(o, "rank=1,in_extra=1000,size=40,offset=6,window=30,stride=3,out_size=10");  /* the sign */
    has(o, "rank=1,in_extra=1000,size=8,offset=6,window=8,stride=-3,out_size=8");    /* no size above a bound */
}

static void the_simplest_point_has_no_moves(void **state)
{
    (void)state;
    assert_null(strstr(offers("rank=1,size=1,window=1,out_size=1", SIZE_MAX)->text, "rank=1"));
    assert_int_equal(offers("rank=2,size=9.9", 5)->count, 5); /* as many as are wanted */
}

static void the_axes_of_an_id_are_counted(void **state)
{
    expr_value values[EXPR_MAX_SLOTS];
    (void)state;
    read_point("", values);
    assert_int_equal(shrink_named_axes(test->space, values), 0);
    read_point("rank=2,size=3.3,offset=0.1", values);
    assert_int_equal(shrink_named_axes(test->space, values), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_makes_a_point_simpler), cmocka_unit_test(structure_is_removed_as_a_whole),
        cmocka_unit_test(values_move_alone_and_together),   cmocka_unit_test(the_simplest_point_has_no_moves),
        cmocka_unit_test(the_axes_of_an_id_are_counted),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
