/* SPDX-License-Identifier: Apache-2.0 */
/* The spaces that the tests of this room enumerate, written as data. */
#ifndef TOUCHSTONE_SPACE_FIXTURE_H
#define TOUCHSTONE_SPACE_FIXTURE_H

#include "harness/space/space.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST_PREDICATES 8

/* A space written down as data. */
typedef struct spec {
    const char *name;
    space_axis axes[10];
    size_t axis_count;
    const char *predicates[MOST_PREDICATES];
} spec;

#define VALUES(...) .values = (const int64_t[]){ __VA_ARGS__ }, .count = sizeof((int64_t[]){ __VA_ARGS__ }) / 8
#define SCALAR      .per = SPACE_SCALAR

static const char *const dtype_names[] = { "f32", "f16", "u8" };
static const int64_t dtype_values[] = { 1, 2, 5 };
static const char *const kind_names[] = { "range", "new", "all" };
static const int64_t kind_values[] = { 100, 200, 300 };

static const spec specs[] = {
    { "slices", /* two length axes' worth of vectors, predicates of every kind */
      { { .name = "dtype",
          SCALAR,
          .fallback = 1,
          VALUES(1, 5, 2),
          .symbols = dtype_names,
          .symbol_values = dtype_values,
          .symbol_count = 3 },
        { .name = "rank", SCALAR, .fallback = 2, VALUES(2, 1, 3) },
        { .name = "flag", SCALAR, .fallback = 0, VALUES(0, 1) },
        { .name = "size", .per = 1, .fallback = 3, VALUES(3, 1, 2) },
        { .name = "offset", .per = 1, .fallback = 0, VALUES(0, 1, 2) },
        { .name = "stride", .per = 1, .fallback = 1, VALUES(1, -1) } },
      6,
      { "each(offset < size)", "rank <= 2 or each(size <= 2)", "dtype ~= 'u8' or flag == 0", "sum(size) <= 5",
        "flag == 0 or each(offset == 0 and stride == 1)", "size[rank] >= 1" } },
    { "steps", /* two groups of different lengths, one of them maybe empty; positions; names in a vector */
      { { .name = "rank", SCALAR, .fallback = 1, VALUES(1, 2) },
        { .name = "steps", SCALAR, .fallback = 1, VALUES(1, 0, 2) },
        { .name = "long", SCALAR, .fallback = 0, VALUES(0, 1, 2) },
        { .name = "size", .per = 0, .fallback = 2, VALUES(2, 3) },
        { .name = "kind",
          .per = 1,
          .fallback = 100,
          VALUES(100, 200, 300),
          .symbols = kind_names,
          .symbol_values = kind_values,
          .symbol_count = 3 },
        { .name = "begin", .per = 1, .fallback = 0, VALUES(0, 1, INT64_MIN, INT64_MAX) },
        { .name = "at", .per = 0, .fallback = 1, VALUES(1), .position = true },
        { .name = "nth", .per = 1, .fallback = 1, VALUES(1), .position = true } },
      8,
      { "long <= rank", "each(at ~= long or size == 3)", "count(kind == 'range') <= rank",
        "each(kind ~= 'new' or begin == 0)", "steps == 0 or begin[1] ~= 1 or size[rank] == 3",
        "each(nth ~= 2 or kind ~= 'all')" } },
    { "fixed", /* fixed vectors, one of one element, without any length axis */
      { { .name = "counter", .per = SPACE_FIXED, .fixed = 3, .fallback = 0, VALUES(0, 1, -1) },
        { .name = "mode", SCALAR, .fallback = 7, VALUES(7, 8) },
        { .name = "key", .per = SPACE_FIXED, .fixed = 1, .fallback = 5, VALUES(5, 6) },
        { .name = "carry", .per = SPACE_FIXED, .fixed = 3, .fallback = 0, VALUES(0, 1) } },
      4,
      { "any(counter ~= carry)", "mode == 7 or each(carry == 0)", "key[1] == 5 or counter[3] == -1" } },
    { "scalars",
      { { .name = "a", SCALAR, .fallback = 1, VALUES(1, 2, 3) }, { .name = "b", SCALAR, VALUES(0, 4) } },
      2,
      { "a ~= 2 or b == 4" } },
    { "guarded", /* predicates that fail where others, declared later, rule the point out */
      { { .name = "rank", SCALAR, .fallback = 2, VALUES(2, 1, 3) },
        { .name = "mode", SCALAR, .fallback = 0, VALUES(0, 1, 2) },
        { .name = "size", .per = 0, .fallback = 1, VALUES(1, 0, 2) } },
      3,
      { "size[3] == 1 or mode == 1 and size[1] == 2", "rank == 3", "4 // size[2] >= 3 or sum(size) == 5", "size[2] > 0",
        "mode < 2 or max(size) == 1 and size[2] == size[3]" } },
    { "free",
      { { .name = "n", SCALAR, .fallback = 2, VALUES(2, 1, 3) }, { .name = "v", .per = 0, VALUES(0, 1, 2) } },
      2,
      { NULL } },
};
#define SPECS (sizeof specs / sizeof specs[0])

static inline space *open_spec(const spec *x)
{
    error e;
    space *s = space_new("op.name", x->name);
    assert_non_null(s);
    for (size_t i = 0; i < x->axis_count; ++i)
        assert_true(space_add_axis(s, &x->axes[i], &e));
    return s;
}

static inline space *make_as(const spec *x, bool inner)
{
    error e;
    space *s = open_spec(x);
    if (inner)
        space_allow_inner(s);
    for (size_t i = 0; i < MOST_PREDICATES && x->predicates[i]; ++i)
        if (!space_where(s, x->predicates[i], "here", &e))
            fail_msg("%s", e.text);
    if (!space_close(s, &e))
        fail_msg("%s", e.text);
    return s;
}

static inline space *make(const spec *x)
{
    return make_as(x, false);
}

/* Each space in both orders. */
#define ORDERS (2 * SPECS)
static inline space *make_order(size_t k)
{
    return make_as(&specs[k / 2], k % 2);
}

#endif
