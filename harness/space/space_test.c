/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces against a naive enumeration: nested loops over all values, every predicate evaluated at the end. */
#include "harness/base/array.h"
#include "harness/space/space_fixture.h"

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

/* The id of the case with all defaults ends in a word; a colon alone, as ids once had, is read as well. */
static void test_all_defaults_have_a_word(void **state)
{
    (void)state;
    space *s = make(&specs[SPECS - 1]);
    space_cursor c;
    char id[512];
    error e;
    uint64_t word = 1, nothing = 2;
    assert_true(space_parse_id(s, "default", &word, &e));
    assert_true(space_parse_id(s, "", &nothing, &e));
    assert_int_equal(word, nothing);
    assert_true(space_start(&c, s, word, word + 1, NULL, NULL));
    space_format_id(&c, id, sizeof id);
    assert_string_equal(strrchr(id, ':'), ":default");
    assert_string_equal(space_parameters_of_id(id), "");
    assert_string_equal(space_parameters_of_id("a:t:size=1"), "size=1");
    assert_null(space_parameters_of_id("a"));
    assert_false(space_parse_id(s, "defaults", &word, &e));
    assert_non_null(strstr(e.text, "'defaults' is no parameter; expected axis=value, or default alone"));
    assert_false(space_parse_id(s, "default,size=1", &word, &e));
    space_free(s);
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
            char little[8]; /* as snprintf: truncated, but the full length is returned */
            assert_int_equal(space_format_id(&c, little, sizeof little), length);
            assert_int_equal(strlen(little), 7);
        }
        space_free(s);
    }
}

/* A walk of any range visits exactly the points of the range. */
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

/* The changed slots that the cursor reports suffice to derive a point from the previous one. */
static void test_changes_are_reported(void **state)
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

/* A walk over the whole space visits what another space does of which nothing is ruled out. */
static void assert_same_walk(const space *s, const space *plain)
{
    space_cursor c, all;
    bool more = space_start_whole(&c, s, 0, NULL, NULL);
    for (bool any = space_start(&all, plain, 0, UINT64_MAX, NULL, NULL); any; any = space_next(&all)) {
        assert_true(more);
        assert_int_equal(c.index, all.index);
        more = space_next(&c);
    }
    assert_false(more);
}

/* Of chosen points, the walk visits exactly those that the predicates allow, from any start. */
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
        assert_same_walk(s, plain);
        assert_true(space_filter(s, "1 == 2", "test", &e));
        assert_same_walk(s, plain);
        space_free(s);
        space_free(plain);
    }
}

typedef struct gate {
    uint64_t asked;
    int64_t let[SPACE_MAX_INNER]; /* the first axis' value, by combination of the inner axes */
} gate;

/* Accepts every second value of the first axis. */
static bool odd_gate(void *context, const expr_value *values, unsigned inner)
{
    gate *g = context;
    ++g->asked;
    g->let[inner] = values[0].v[0];
    return values[0].v[0] % 2 != 0;
}

static void check_gates_and_filters(size_t order)
{
    static const char *const filters[] = { "dtype == f16", "rank in {1, 3} and each(size >= 2)", "any(stride <= 0)" };
    space *s = make_order(order);
    uint64_t expected = 0, count = 0, gated = 0;
    space_cursor c;
    error e;
    for (bool more = space_start(&c, s, 0, UINT64_MAX, NULL, NULL); more; more = space_next(&c))
        gated += c.values[0].v[0] % 2 != 0;
    gate g = { 0 };
    assert_true(space_count(s, 0, UINT64_MAX, odd_gate, &g, &count, &e));
    assert_int_equal(count, gated);
    assert_true(g.asked > 0 && g.asked < 40); /* once per class, not once per point */
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
        space_cursor same; /* a filter changes no index */
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

/* A query with one alternative is decided as early as predicates are; counting and walking agree. */
static void test_one_filter(void **state)
{
    static const char *const filters[] = { "dtype == f16",
                                           "sum(size) >= 4 and each(stride < 0)",
                                           "size[1] == 2",
                                           "rank > 1 and stride[2] == 1 or flag == 1",
                                           "rank == 9",
                                           "dtype == u8 or any(stride < 0)",
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
        if (expected > 2) { /* ranges that begin and end inside a block that is counted at once */
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

/* Where no predicate is undecided, points are counted by multiplication. */
static void test_counting_large_spaces(void **state)
{
    const spec large = { "large",
                         { { .name = "rank", SCALAR, .fallback = 8, VALUES(8, 12) },
                           { .name = "kind", SCALAR, .fallback = 0, VALUES(0, 1, 2) },
                           { .name = "size", .per = 0, .fallback = 1, VALUES(1, 2, 3, 4) } },
                         3,
                         { "kind ~= 1 or rank == 8", "each(size >= 2)" } };
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk_equals_nested_loops),
        cmocka_unit_test(test_all_defaults_have_a_word),
        cmocka_unit_test(test_index_and_id_give_each_other),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_changes_are_reported),
        cmocka_unit_test(test_chosen_points),
        cmocka_unit_test(test_gates_and_filters),
        cmocka_unit_test(test_one_filter),
        cmocka_unit_test(test_counting_large_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
