/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces against a naive enumeration: nested loops over all values, every predicate evaluated at the end. */
#include "harness/base/array.h"
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
      { "offset < size", "rank <= 2 or size <= 2", "dtype ~= 'u8' or flag == 0", "sum(size) <= 5",
        "flag == 0 or offset == 0 and stride == 1", "size[rank] >= 1" } },
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
      { "long <= rank", "eq(at, long) <= eq(size, 3)", "count(eq(kind, 'range')) <= rank",
        "ne(kind, 'new') + eq(begin, 0) >= 1", "steps == 0 or begin[1] ~= 1 or size[rank] == 3",
        "pick(eq(nth, 2), ne(kind, 'all'), 1) == 1" } },
    { "fixed", /* fixed vectors, one of one element, without any length axis */
      { { .name = "counter", .per = SPACE_FIXED, .fixed = 3, .fallback = 0, VALUES(0, 1, -1) },
        { .name = "mode", SCALAR, .fallback = 7, VALUES(7, 8) },
        { .name = "key", .per = SPACE_FIXED, .fixed = 1, .fallback = 5, VALUES(5, 6) },
        { .name = "carry", .per = SPACE_FIXED, .fixed = 3, .fallback = 0, VALUES(0, 1) } },
      4,
      { "counter ~= carry", "mode == 7 or carry == 0", "key[1] == 5 or counter[3] == -1" } },
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

static space *open_spec(const spec *x)
{
    error e;
    space *s = space_new("op.name", x->name);
    assert_non_null(s);
    for (size_t i = 0; i < x->axis_count; ++i)
        assert_true(space_add_axis(s, &x->axes[i], &e));
    return s;
}

static space *make_as(const spec *x, bool inner)
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

static space *make(const spec *x)
{
    return make_as(x, false);
}

/* Each space in both orders. */
#define ORDERS (2 * SPECS)
static space *make_order(size_t k)
{
    return make_as(&specs[k / 2], k % 2);
}

/* ---- the naive enumeration --------------------------------------------------------------------------------------- */

typedef struct naive {
    const spec *x;
    expr *predicates[MOST_PREDICATES];
    expr_value values[EXPR_MAX_SLOTS];
    char **ids; /* of the legal points */
    size_t count, capacity;
} naive;

static void keep_if_legal(naive *n, const space *s)
{
    space_cursor c; /* only to format an id */
    char id[512];
    bool failed = false;
    for (size_t i = 0; i < MOST_PREDICATES && n->predicates[i]; ++i) {
        bool this_failed = false;
        if (!expr_eval(n->predicates[i], n->values, &this_failed) && !this_failed)
            return;
        failed = failed || this_failed;
    }
    assert_false(failed); /* a predicate may fail only where another does not hold */
    memset(&c, 0, sizeof c);
    c.space = s;
    memcpy(c.values, n->values, sizeof c.values);
    space_format_id(&c, id, sizeof id);
    assert_true(array_reserve(&n->ids, &n->capacity, n->count + 1, sizeof *n->ids));
    n->ids[n->count++] = strdup(id);
}

static void loop(naive *n, const space *s, size_t axis, uint32_t element)
{
    if (axis == n->x->axis_count) {
        keep_if_legal(n, s);
        return;
    }
    const space_axis *a = &n->x->axes[axis];
    expr_value *v = &n->values[axis];
    v->length = a->per == SPACE_SCALAR ? 1 : a->per == SPACE_FIXED ? a->fixed : (uint32_t)n->values[a->per].v[0];
    if (element == v->length) {
        loop(n, s, axis + 1, 0);
        return;
    }
    for (size_t i = 0; i < a->count; ++i) {
        v->v[element] = a->position ? element + 1 : a->values[i];
        loop(n, s, axis, element + 1);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void enumerate(naive *n, const spec *x, const space *s)
{
    error e;
    memset(n, 0, sizeof *n);
    n->x = x;
    for (size_t i = 0; i < MOST_PREDICATES && x->predicates[i]; ++i) {
        n->predicates[i] = expr_compile(x->predicates[i], space_scope(s), "here", &e);
        assert_non_null(n->predicates[i]);
    }
    loop(n, s, 0, 0);
    qsort(n->ids, n->count, sizeof *n->ids, by_text);
    for (size_t i = 1; i < n->count; ++i)
        assert_string_not_equal(n->ids[i - 1], n->ids[i]); /* an id belongs to one point */
}

static void forget(naive *n)
{
    for (size_t i = 0; i < n->count; ++i)
        free(n->ids[i]);
    free(n->ids);
    for (size_t i = 0; i < MOST_PREDICATES; ++i)
        expr_free(n->predicates[i]);
}

static bool knows(const naive *n, const char *id)
{
    return bsearch(&id, n->ids, n->count, sizeof *n->ids, by_text) != NULL;
}

/* ---- walking
 * --------------------------------------------------------------------------------------------------------- */

static void test_walk_equals_nested_loops(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; ++k) {
        space *s = make_order(k);
        naive n;
        space_cursor c;
        size_t count = 0;
        uint64_t before = 0;
        enumerate(&n, &specs[k / 2], s);
        assert_true(n.count > 1);
        for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
            char id[512];
            space_format_id(&c, id, sizeof id);
            if (!knows(&n, id))
                fail_msg("%s is no legal point", id);
            assert_true(count == 0 || c.index > before);
            assert_true(c.index < space_points(s));
            before = c.index;
            ++count;
        }
        assert_null(c.failed);
        assert_int_equal(count, n.count); /* ids are unique and indices ascend, so no point is missing */
        forget(&n);
        space_free(s);
    }
}

static void test_index_and_id_give_each_other(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; ++k) {
        space *s = make_order(k);
        space_cursor c, again;
        for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
            char id[512], same[512];
            uint64_t index = 0;
            error e;
            int length = space_format_id(&c, id, sizeof id);
            assert_int_equal(length, strlen(id));
            if (!space_parse_id(s, strchr(strchr(id, ':') + 1, ':') + 1, &index, &e))
                fail_msg("%s: %s", id, e.text);
            assert_int_equal(index, c.index);
            assert_true(space_start(&again, s, index, index + 1, NULL, NULL));
            space_format_id(&again, same, sizeof same);
            assert_string_equal(same, id);
            char little[8]; /* as snprintf: cut off, and the length all the same */
            assert_int_equal(space_format_id(&c, little, sizeof little), length);
            assert_int_equal(strlen(little), 7);
        }
        space_free(s);
    }
}

/* Starting anywhere, up to anywhere, gives just the points in between. */
static void test_ranges(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; ++k) {
        space *s = make_order(k);
        uint64_t points = space_points(s), sum = 0, all = 0, part;
        error e;
        assert_true(space_count(s, 0, UINT64_MAX, NULL, NULL, &all, &e));
        uint64_t step = points / 97 + 1;
        for (uint64_t first = 0; first < points; first += step) {
            space_cursor c;
            uint64_t walked = 0;
            for (bool more = space_start(&c, s, first, first + step, NULL, NULL); more; more = space_next(&c)) {
                assert_true(c.index >= first && c.index < first + step);
                ++walked;
            }
            assert_true(space_count(s, first, first + step, NULL, NULL, &part, &e));
            assert_int_equal(part, walked);
            sum += part;
        }
        assert_int_equal(sum, all);
        assert_true(space_count(s, points, UINT64_MAX, NULL, NULL, &part, &e));
        assert_int_equal(part, 0);
        space_free(s);
    }
}

/* What the cursor says has changed is enough to know the point from the one before. */
static void test_changes_are_told(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; ++k) {
        space *s = make_order(k);
        space_cursor c;
        expr_value known[EXPR_MAX_SLOTS];
        bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL);
        assert_true(c.new_class);
        memcpy(known, c.values, sizeof known);
        while ((more = space_next(&c))) {
            for (size_t a = 0; a < space_axis_count(s) && !c.new_class; ++a) {
                const space_axis *axis = space_axis_at(s, a);
                assert_int_equal(known[a].length, c.values[a].length);
                uint32_t same =
                    c.changed >> a & 1 ? axis->per == SPACE_SCALAR ? 0 : c.changed_element : c.values[a].length;
                for (uint32_t i = 0; i < same; ++i)
                    assert_int_equal(known[a].v[i], c.values[a].v[i]);
            }
            memcpy(known, c.values, sizeof known);
        }
        space_free(s);
    }
}

/* Chosen points, some of which predicates rule out: exactly the legal ones, from anywhere on. */
static void test_chosen_points(void **state)
{
    (void)state;
    for (size_t k = 0; k < ORDERS; ++k) {
        space *s = make_order(k), *plain = make_order(k);
        uint64_t chosen[64], n = 0, expected = 0, count;
        space_cursor c, all;
        error e;
        for (uint64_t i = 0; i < space_points(s) && n < 64; i += 1 + i % 5)
            chosen[n++] = i;
        assert_true(space_choose(s, chosen, n, &e));
        bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL);
        for (uint64_t i = 0; i < n; ++i) {
            if (!space_start(&all, plain, chosen[i], chosen[i] + 1, NULL, NULL))
                continue;
            assert_true(more);
            assert_int_equal(c.index, chosen[i]);
            assert_int_equal(c.values[0].v[0], all.values[0].v[0]);
            more = space_next(&c);
            ++expected;
        }
        assert_false(more);
        assert_true(space_count(s, 0, UINT64_MAX, NULL, NULL, &count, &e));
        assert_int_equal(count, expected);
        assert_true(space_choose(s, NULL, 0, &e));
        assert_false(space_start(&c, s, 0, UINT64_MAX, NULL, NULL));
        space_free(s);
        space_free(plain);
    }
}

typedef struct gate {
    uint64_t asked;
    int64_t let[SPACE_MAX_INNER]; /* the first axis' value, by combination of the inner axes */
} gate;

/* Lets every second value of the first axis through. */
static bool odd_gate(void *context, const expr_value *values, unsigned inner)
{
    gate *g = context;
    ++g->asked;
    g->let[inner] = values[0].v[0];
    return values[0].v[0] % 2 != 0;
}

static void check_gates_and_filters(size_t order)
{
    static const char *const filters[] = { "dtype == f16", "rank in {1, 3} and size >= 2", "not (stride > 0)" };
    space *s = make_order(order);
    uint64_t expected = 0, count = 0, gated = 0;
    space_cursor c;
    error e;
    for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c))
        gated += c.values[0].v[0] % 2 != 0;
    gate g = { 0 };
    assert_true(space_count(s, 0, UINT64_MAX, odd_gate, &g, &count, &e));
    assert_int_equal(count, gated);
    assert_true(g.asked > 0 && g.asked < 40); /* once a class, not once a point */
    for (bool more = space_start(&c, s, 0, UINT64_MAX, odd_gate, &g); more; more = space_next(&c))
        assert_int_equal(g.let[c.inner], c.values[0].v[0]);

    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; ++i)
        assert_true(space_filter(s, filters[i], "query", &e));
    space *plain = make_order(order);
    for (bool more = space_start(&c, plain, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
        bool large = c.values[1].v[0] != 2, backward = false;
        for (uint32_t i = 0; i < c.values[3].length; ++i) {
            large = large && c.values[3].v[i] >= 2;
            backward = backward || c.values[5].v[i] < 0;
        }
        expected += c.values[0].v[0] == 2 || large || backward;
    }
    count = 0;
    for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
        space_cursor same; /* a filter renumbers nothing */
        assert_true(space_start(&same, plain, c.index, c.index + 1, NULL, NULL));
        char id[512], plain_id[512];
        space_format_id(&c, id, sizeof id);
        space_format_id(&same, plain_id, sizeof plain_id);
        assert_string_equal(id, plain_id);
        ++count;
    }
    assert_int_equal(count, expected);
    assert_true(space_count(s, 0, UINT64_MAX, NULL, NULL, &count, &e));
    assert_int_equal(count, expected);
    space_free(plain);
    space_free(s);
}

static void test_gates_and_filters(void **state)
{
    (void)state;
    check_gates_and_filters(0);
    check_gates_and_filters(1);
}

/* A query of one alternative is decided as early as predicates are, and counted as it is walked. */
static void test_one_filter(void **state)
{
    static const char *const filters[] = { "dtype == f16",
                                           "sum(size) >= 4 and stride < 0",
                                           "size[1] == 2",
                                           "rank > 1 and stride[2] == 1 or flag == 1",
                                           "rank == 9",
                                           "dtype == u8 or stride < 0",
                                           "flag == 1 and size[rank] == 2" };
    (void)state;
    for (size_t k = 0; k < 2 * sizeof filters / sizeof filters[0]; ++k) {
        space *plain = make_order(k % 2), *filtered = make_order(k % 2);
        const size_t i = k / 2;
        expr_scope scope = *space_scope(plain);
        error e;
        scope.relaxed = true;
        expr *x = expr_compile(filters[i], &scope, "query", &e);
        assert_non_null(x);
        assert_true(space_filter(filtered, filters[i], "query", &e));
        space_cursor all, some;
        uint64_t expected = 0, count;
        bool more = space_start(&some, filtered, 0, UINT64_MAX, NULL, NULL);
        for (bool next = space_start(&all, plain, 0, UINT64_MAX, NULL, NULL); next; next = space_next(&all)) {
            bool failed = false;
            if (!expr_eval(x, all.values, &failed))
                continue;
            assert_false(failed);
            assert_true(more);
            assert_int_equal(some.index, all.index);
            more = space_next(&some);
            ++expected;
        }
        assert_false(more);
        assert_true(space_count(filtered, 0, UINT64_MAX, NULL, NULL, &count, &e));
        assert_int_equal(count, expected);
        if (expected > 2) { /* ranges that begin and end inside what is counted at once */
            uint64_t middle = space_points(plain) / 2 + 1, rest;
            assert_true(space_count(filtered, 0, middle, NULL, NULL, &count, &e));
            assert_true(space_count(filtered, middle, UINT64_MAX, NULL, NULL, &rest, &e));
            assert_int_equal(count + rest, expected);
        }
        expr_free(x);
        space_free(plain);
        space_free(filtered);
    }
}

/* Counting by multiplication where nothing is left to decide. */
static void test_counting_large_spaces(void **state)
{
    const spec large = { "large",
                         { { .name = "rank", SCALAR, .fallback = 8, VALUES(8, 12) },
                           { .name = "kind", SCALAR, .fallback = 0, VALUES(0, 1, 2) },
                           { .name = "size", .per = 0, .fallback = 1, VALUES(1, 2, 3, 4) } },
                         3,
                         { "kind ~= 1 or rank == 8", "size >= 2" } };
    space *s = make(&large);
    uint64_t count, eight = 6561, twelve = 531441;
    error e;
    (void)state;
    assert_int_equal(space_points(s), 3 * eight + 3 * twelve);
    assert_true(space_count(s, 0, UINT64_MAX, NULL, NULL, &count, &e));
    assert_int_equal(count, 3 * eight + 2 * twelve);
    assert_true(space_count(s, 10, 3 * eight + 5, NULL, NULL, &count, &e));
    assert_int_equal(count, 3 * eight - 5);
    space_free(s);
}

/* ---- covering -------------------------------------------------------------------------------------------------------
 */

/* The number of a parameter's value, for each element of each axis; SPACE_MAX_DIGITS * 8 is room for all. */
static unsigned parameters_of(const space *s, const space_cursor *c, int64_t *values)
{
    unsigned n = 0;
    for (size_t a = 0; a < space_axis_count(s); ++a)
        for (uint32_t i = 0; i < c->values[a].length && !space_axis_at(s, a)->position; ++i)
            values[n++] = c->values[a].v[i];
    return n;
}

/* The rows of a covering space: their blocks and the values of their parameters. */
typedef struct row_list {
    size_t count;
    unsigned *blocks;
    int64_t (*values)[64];
} row_list;

static row_list rows_of(const space *rows, const space *all)
{
    const size_t most = 4000;
    row_list list = { 0, calloc(most, sizeof *list.blocks), calloc(most, sizeof *list.values) };
    space_cursor c;
    error e;
    assert_non_null(list.blocks);
    assert_non_null(list.values);
    for (bool more = space_start(&c, rows, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
        char id[512];
        uint64_t index;
        assert_true(list.count < most);
        list.blocks[list.count] = c.at.block;
        parameters_of(rows, &c, list.values[list.count++]);
        space_format_id(&c, id, sizeof id);
        if (!space_parse_id(all, strchr(strchr(id, ':') + 1, ':') + 1, &index, &e))
            fail_msg("%s is no legal point: %s", id, e.text);
        assert_true(space_parse_id(rows, strchr(strchr(id, ':') + 1, ':') + 1, &index, &e));
        assert_int_equal(index, c.index);
    }
    assert_int_equal(list.count, space_points(rows));
    return list;
}

/* Does a row of the block have the values of these parameters? p == q and q == r are allowed. */
static bool is_shown(const row_list *list, unsigned block, const int64_t *values, unsigned p, unsigned q, unsigned r)
{
    for (size_t i = 0; i < list->count; ++i)
        if (list->blocks[i] == block && list->values[i][p] == values[p] && list->values[i][q] == values[q] &&
            list->values[i][r] == values[r])
            return true;
    return false;
}

/* Every pair, and every triple, that some legal point of a block shows is shown by some row of the same block. */
static void test_all_that_is_possible_is_covered(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2 * SPECS; ++k) {
        const unsigned strength = 2 + k % 2;
        space *all = make(&specs[k / 2]), *rows = make(&specs[k / 2]);
        error e;
        uint64_t legal = 0;
        assert_true(space_cover(rows, strength, &e));
        assert_true(space_is_covering(rows) && !space_is_covering(all));
        row_list list = rows_of(rows, all);
        space_cursor c;
        for (bool more = space_start(&c, all, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
            int64_t values[64];
            unsigned n = parameters_of(all, &c, values);
            ++legal;
            for (unsigned p = 0; p < n; ++p)
                for (unsigned q = p; q < n; ++q)
                    for (unsigned r = q; r < (strength == 2 ? q + 1 : n); ++r)
                        if (!is_shown(&list, c.at.block, values, p, q, r)) {
                            char id[512];
                            space_format_id(&c, id, sizeof id);
                            fail_msg("strength %u: no row shows parameters %u, %u and %u of %s", strength, p, q, r, id);
                        }
        }
        assert_true(list.count <= legal);
        free(list.blocks);
        free(list.values);
        space_free(all);
        space_free(rows);
    }
}

static void test_covering_is_deterministic(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2 * SPECS; ++k) {
        space *a = make(&specs[k / 2]), *b = make(&specs[k / 2]);
        space_cursor x, y;
        error e;
        assert_true(space_cover(a, 2 + k % 2, &e) && space_cover(b, 2 + k % 2, &e));
        assert_int_equal(space_points(a), space_points(b));
        bool more = space_start(&x, a, 0, UINT64_MAX, NULL, NULL);
        assert_true(space_start(&y, b, 0, UINT64_MAX, NULL, NULL) == more);
        while (more) {
            assert_memory_equal(x.values, y.values, sizeof x.values);
            more = space_next(&x);
            assert_true(space_next(&y) == more);
        }
        space_free(a);
        space_free(b);
    }
}

/* ---- mistakes -----------------------------------------------------------------------------------------------------
 */

static void expect_text(const error *e, const char *part)
{
    if (!strstr(e->text, part))
        fail_msg("message '%s' does not say '%s'", e->text, part);
    assert_int_equal(e->status, EXIT_BAD_USAGE);
}

static void test_wrong_axes(void **state)
{
    const struct {
        space_axis axis;
        const char *text;
    } rows[] = {
        { { .name = "rank", SCALAR, VALUES(1) }, "declared twice" },
        { { .name = "none", SCALAR, .values = NULL, .count = 0 }, "has no values" },
        { { .name = "wide", .per = SPACE_FIXED, .fixed = 17, VALUES(1) }, "17 elements" },
        { { .name = "narrow", .per = SPACE_FIXED, .fixed = 0, VALUES(1) }, "0 elements" },
        { { .name = "far", .per = 9, VALUES(1) }, "must be a scalar axis declared before" },
        { { .name = "deep", .per = 1, VALUES(1) }, "must be a scalar axis declared before" },
        { { .name = "huge", .per = 2, VALUES(1) }, "outside 0 to 16" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const spec base = { "wrong",
                            { { .name = "rank", SCALAR, VALUES(1, 2) },
                              { .name = "size", .per = 0, VALUES(1) },
                              { .name = "count", SCALAR, VALUES(1, 17) } },
                            3,
                            { NULL } };
        error e;
        space *s = open_spec(&base);
        assert_false(space_add_axis(s, &rows[i].axis, &e));
        expect_text(&e, rows[i].text);
        space_free(s);
    }
}

static void test_wrong_predicates(void **state)
{
    static const struct {
        const char *predicate, *text;
        bool at_close;
    } rows[] = {
        { "offset < sizes", "sizes", false },
        { "size + 1", "no truth value", false },
        { "size <", "size <", false },
        { "size // offset == 1", "divides by zero", true },
        { "size > 9", "leave no combination", true },
    };
    error e;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        space *s = open_spec(&specs[0]);
        bool fine = space_where(s, rows[i].predicate, "file:12", &e);
        assert_true(fine == rows[i].at_close);
        if (fine)
            assert_false(space_close(s, &e));
        else
            expect_text(&e, "file:12");
        expect_text(&e, rows[i].text);
        space_free(s);
    }
    /* What divides by zero in the midst of a walk ends the walk, and says so. */
    static const char *const failing[] = { "10 // sum(offset) >= 0", "flag == 0 or 10 // sum(offset) >= 0" };
    space *s;
    for (size_t k = 0; k < 4; ++k) {
        uint64_t count;
        space_cursor c;
        s = open_spec(&specs[0]);
        if (k % 2)
            space_allow_inner(s);
        assert_true(space_where(s, failing[k / 2], "here", &e));
        assert_true(space_close(s, &e));
        assert_false(space_count(s, 0, UINT64_MAX, NULL, NULL, &count, &e));
        expect_text(&e, failing[k / 2]);
        bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL);
        while (more)
            more = space_next(&c);
        assert_non_null(c.failed);
        space_free(s);
    }
    /* Only positions per something: there is nothing to enumerate. */
    s = space_new("op", "test");
    assert_true(space_add_axis(s, &specs[4].axes[0], &e));
    assert_true(space_add_axis(s, &(space_axis){ .name = "at", .per = 0, VALUES(1), .position = true }, &e));
    assert_false(space_close(s, &e));
    expect_text(&e, "positions");
    space_free(s);
    /* A space too large to be numbered. */
    const spec vast = { "vast",
                        { { .name = "n", SCALAR, VALUES(16) },
                          { .name = "v", .per = 0, VALUES(1, 2, 3, 4, 5, 6, 7, 8) },
                          { .name = "w", .per = 0, VALUES(1, 2, 3, 4, 5, 6, 7, 8) } },
                        3,
                        { NULL } };
    s = make(&vast);
    assert_true(space_points(s) >= UINT64_C(1) << 62); /* the loader refuses it, unless it is covered */
    assert_true(space_cover(s, 2, &e));
    assert_true(space_points(s) < 400);
    assert_false(space_cover(s, 4, &e));
    expect_text(&e, "strength 4; 2 (every pair) or 3 (every triple)");
    space_free(s);
}

static void test_wrong_ids(void **state)
{
    static const struct {
        const char *parameters, *text;
    } rows[] = {
        { "sizes=3", "no axis 'sizes'; it has dtype, rank" },
        { "dtype=f64", "'f64' is no value of axis 'dtype'; it has f32, u8, f16" },
        { "rank=7", "axis 'rank' does not take 7 in this test; it takes 2, 1, 3" },
        { "rank=x", "'x' is no value of axis 'rank'" },
        { "rank=2,rank=2", "given twice" },
        { "rank", "expected axis=value" },
        { "size=3", "takes 2 values joined by '.'" },
        { "size=3.1.1", "takes 2 values joined by '.'" },
        { "size=3.1.", "takes 2 values joined by '.'" },
        { "size=3.9", "axis 'size' does not take 9 in this test" },
        { "size=1.1,offset=1.0", "at dimension 0 are ruled out" },
        { "size=3.3", "ruled out by the test's predicates" },
        { "rank=99", "99" },
    };
    space *s = make(&specs[0]), *steps = make(&specs[1]);
    uint64_t index;
    error e;
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        if (space_parse_id(s, rows[i].parameters, &index, &e))
            fail_msg("'%s' is accepted", rows[i].parameters);
        expect_text(&e, rows[i].text);
    }
    assert_false(space_parse_id(steps, "at=1", &index, &e)); /* positions are no parameters */
    expect_text(&e, "no axis 'at'");
    assert_null(strstr(e.text, "nth"));
    space_free(steps);
    assert_true(space_cover(s, 2, &e));
    uint64_t missing = 0;
    space *all = make(&specs[0]);
    space_cursor c;
    for (bool more = space_start(&c, all, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c)) {
        char id[512];
        space_format_id(&c, id, sizeof id);
        if (!space_parse_id(s, strchr(strchr(id, ':') + 1, ':') + 1, &index, &e)) {
            expect_text(&e, "not among the");
            ++missing;
        }
    }
    assert_true(missing > 0);
    space_free(all);
    space_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_equals_nested_loops),
        cmocka_unit_test(test_index_and_id_give_each_other),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_changes_are_told),
        cmocka_unit_test(test_chosen_points),
        cmocka_unit_test(test_gates_and_filters),
        cmocka_unit_test(test_one_filter),
        cmocka_unit_test(test_counting_large_spaces),
        cmocka_unit_test(test_all_that_is_possible_is_covered),
        cmocka_unit_test(test_covering_is_deterministic),
        cmocka_unit_test(test_wrong_axes),
        cmocka_unit_test(test_wrong_predicates),
        cmocka_unit_test(test_wrong_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
