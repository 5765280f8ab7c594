/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/region.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const dtypes[] = { "f16", "f32", "bf16", "u8", "in-place", "and" };
static const int64_t numbers[] = { 0, 1, 2, 3, 4, 5 };
static const int64_t ranks[] = { 1, 2, 3 }, sizes[] = { 3, 1, 2, 4 }, strides[] = { 1, -1, 2, -2 };

static space *make_space(void)
{
    error e;
    space *s = space_new("some.op", "test");
    assert_non_null(s);
    const space_axis axes[] = {
        { .name = "rank", .per = SPACE_SCALAR, .fallback = 1, .values = ranks, .count = 3 },
        { .name = "dtype",
          .per = SPACE_SCALAR,
          .values = numbers,
          .count = 6,
          .symbols = dtypes,
          .symbol_values = numbers,
          .symbol_count = 6 },
        { .name = "extra", .per = SPACE_SCALAR, .values = numbers, .count = 6 },
        { .name = "size", .per = 0, .fallback = 3, .values = sizes, .count = 4 },
        { .name = "stride", .per = 0, .fallback = 1, .values = strides, .count = 4 },
    };
    for (size_t i = 0; i < sizeof axes / sizeof *axes; ++i)
        assert_true(space_add_axis(s, &axes[i], &e));
    assert_true(space_close(s, &e));
    return s;
}

static expr *compile(const space *s, const char *text)
{
    error e;
    expr_scope scope = *space_scope(s);
    scope.relaxed = true;
    expr *x = expr_compile(text, &scope, "test", &e);
    if (!x)
        fail_msg("%s", e.text);
    return x;
}

static bool holds(const expr *x, const space_cursor *c)
{
    bool failed = false;
    return expr_eval(x, c->values, &failed) != 0 && !failed;
}

/* The region of the points where `truth` holds. */
static region *find(const space *s, const char *truth)
{
    error e;
    expr *x = compile(s, truth);
    region *r = region_new(s, &e);
    space_cursor c;
    assert_non_null(r);
    for (bool more = space_start(&c, s, 0, space_points(s), NULL, NULL); more; more = space_next(&c))
        region_add(r, c.values, holds(x, &c));
    do {
        assert_true(region_learn(r, &e));
        for (bool more = space_start(&c, s, 0, space_points(s), NULL, NULL); more; more = space_next(&c))
            region_check(r, c.values, holds(x, &c));
    } while (region_again(r));
    expr_free(x);
    return r;
}

static void finds(const char *truth, const char *expected)
{
    space *s = make_space();
    region *r = find(s, truth);
    if (region_count(r) != 1 || !region_exact(r) || strcmp(region_at(r, 0).predicate, expected) != 0)
        fail_msg("%s: %zu parts, '%s', %llu missed, %llu others", truth, region_count(r), region_at(r, 0).predicate,
                 (unsigned long long)region_missed(r), (unsigned long long)region_others(r));
    assert_int_equal(region_at(r, 0).inside, region_inside(r));
    region_free(r);
    space_free(s);
}

static void conjunctions_are_found(void **state)
{
    (void)state;
    finds("dtype == f32", "dtype == f32");
    finds("dtype in {f16, bf16} and rank == 2", "rank == 2 and dtype in {f16, bf16}");
    finds("dtype ~= u8", "dtype ~= u8");
    finds("any(stride < 0)", "any(stride < 0)");
    finds("not each(size ~= 2)", "any(size == 2)");
    finds("each(stride > 0) and extra == 5", "extra == 5 and each(stride > 0)");
    finds("each(size in {1, 2}) and rank == 3", "rank == 3 and each(size <= 2)");
    finds("stride[rank] == 2", "stride[rank] == 2");
    finds("size[1] == 4 and dtype == f16", "dtype == f16 and size[1] == 4");
    finds("extra <= 3", "extra <= 3");
}

static void names_are_quoted_where_necessary(void **state)
{
    (void)state;
    finds("dtype == 'in-place'", "dtype == \"in-place\"");
    finds("dtype == 'and'", "dtype == \"and\"");
}

static void all_points_give_the_empty_predicate(void **state)
{
    (void)state;
    finds("rank >= 1", "");
}

static void a_union_is_found_as_exact_parts(void **state)
{
    (void)state;
    space *s = make_space();
    region *r = find(s, "dtype == f16 and rank == 3 or dtype == u8 and extra == 2");
    assert_true(region_exact(r));
    assert_true(region_count(r) == 2);
    uint64_t inside = region_at(r, 0).inside + region_at(r, 1).inside;
    assert_int_equal(inside, region_inside(r));
    region_free(r);
    space_free(s);
}

static void an_approximate_result_counts_its_errors(void **state)
{
    (void)state;
    space *s = make_space();
    region *r = find(s, "(sum(size) + sum(stride) * 3 + extra * 5) % 7 == 2");
    assert_false(region_exact(r));
    assert_true(region_count(r) >= 1);
    assert_true(region_missed(r) + region_others(r) > 0);
    uint64_t inside = region_missed(r);
    for (size_t i = 0; i < region_count(r); ++i)
        inside += region_at(r, i).inside;
    assert_int_equal(inside, region_inside(r));
    region_free(r);
    space_free(s);
}

static void a_single_point_is_found(void **state)
{
    (void)state;
    space *s = make_space();
    region *r = find(s, "rank == 1 and dtype == u8 and extra == 4 and each(size == 4) and each(stride == -2)");
    assert_true(region_exact(r));
    assert_int_equal(region_inside(r), 1);
    region_free(r);
    space_free(s);
}

static void the_same_points_give_the_same_predicates(void **state)
{
    (void)state;
    space *s = make_space();
    region *a = find(s, "max(size) == 4 and dtype == f16 or stride[1] == -2 and extra == 1");
    region *b = find(s, "max(size) == 4 and dtype == f16 or stride[1] == -2 and extra == 1");
    assert_int_equal(region_count(a), region_count(b));
    for (size_t i = 0; i < region_count(a); ++i)
        assert_string_equal(region_at(a, i).predicate, region_at(b, i).predicate);
    region_free(a);
    region_free(b);
    space_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conjunctions_are_found),
        cmocka_unit_test(names_are_quoted_where_necessary),
        cmocka_unit_test(all_points_give_the_empty_predicate),
        cmocka_unit_test(a_union_is_found_as_exact_parts),
        cmocka_unit_test(an_approximate_result_counts_its_errors),
        cmocka_unit_test(a_single_point_is_found),
        cmocka_unit_test(the_same_points_give_the_same_predicates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
