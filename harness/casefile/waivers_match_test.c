/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/waivers_match.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void make_waivers(waivers *w, const char *const *queries, size_t count)
{
    error e = { .text = "" };
    *w = (waivers){ .list = calloc(count, sizeof *w->list), .count = count };
    assert_non_null(w->list);
    for (size_t i = 0; i < count; ++i)
        if (!query_parse(queries[i], &w->list[i].query, &e))
            fail_msg("%s", e.text);
}

static void waivers_match_by_query_and_day(void **state)
{
    (void)state;
    static const int64_t values[] = { 0, 1, 2 };
    struct case_file owner = { .op = operators_find("dml.slice1") };
    case_test t = { .file = &owner, .name = (char[]){ "small" } };
    waivers w;
    error e = { .text = "" };
    space_cursor c;
    size_t count;
    t.space = space_new("dml.slice1", "small");
    space_axis axis = { .name = "x", .per = SPACE_SCALAR, .values = values, .count = 3 };
    assert_true(space_add_axis(t.space, &axis, &e) && space_close(t.space, &e));
    static const char *const queries[] = { "dml.slice1:* where x == 1", "dml.slice1:small:x=1", "*:* where x == 2",
                                           "dml.gather:*", "* where other == 1" };
    make_waivers(&w, queries, 5);
    w.list[0].expired = true;
    waivers_at *a = waivers_open(&w, &t, &e);
    assert_non_null(a);
    assert_int_equal(waivers_count(a), 3);
    assert_true(space_start(&c, t.space, 0, 3, NULL, NULL));
    assert_null(waivers_find(a, c.index, c.values));
    assert_true(space_next(&c));
    assert_ptr_equal(waivers_find(a, c.index, c.values), &w.list[1]); /* the first has expired */
    const size_t *matches = waivers_match(a, c.index, c.values, &count);
    assert_int_equal(count, 2); /* the expired one, too */
    assert_int_equal(matches[0], 0);
    assert_int_equal(matches[1], 1);
    assert_true(space_next(&c));
    assert_ptr_equal(waivers_find(a, c.index, c.values), &w.list[2]);
    assert_int_equal(*waivers_match(a, c.index, c.values, &count), 2);
    assert_int_equal(count, 1);
    waivers_close(a);
    free(w.list);
    space_free(t.space);
}

/* ---- many waivers: the same as to evaluate each ---- */

static unsigned state_of_chance = 1;

static unsigned chance(unsigned n)
{
    state_of_chance = state_of_chance * 1664525u + 1013904223u;
    return (state_of_chance >> 16) % n;
}

static bool matches_alone(const waiver *w, const space *s, uint64_t index, const expr_value *values)
{
    error e;
    uint64_t named;
    bool failed = false, holds = true;
    if (w->query.exact && (!space_parse_id(s, w->query.parameters, &named, &e) || named != index))
        return false;
    if (*w->query.predicate) {
        expr_scope scope = *space_scope(s);
        scope.relaxed = true;
        expr *x = expr_compile(w->query.predicate, &scope, "test", &e);
        if (!x)
            fail_msg("%s", e.text);
        holds = expr_eval(x, values, &failed) != 0 && !failed;
        expr_free(x);
    }
    return holds;
}

static void check_case(waivers_at *a, const waivers *w, const space *s, const space_cursor *c)
{
    size_t count, next = 0;
    const waiver *first = NULL;
    const size_t *matches = waivers_match(a, c->index, c->values, &count);
    for (size_t i = 0; i < w->count; ++i) {
        const bool expected = matches_alone(&w->list[i], s, c->index, c->values);
        if (expected != (next < count && matches[next] == i))
            fail_msg("'%s' at index %d: expected %d", w->list[i].query.text, (int)c->index, expected);
        next += expected;
        if (expected && !first && !w->list[i].expired)
            first = &w->list[i];
    }
    assert_int_equal(next, count);
    assert_ptr_equal(waivers_find(a, c->index, c->values), first);
}

static void many_waivers_match_as_each_of_them_would(void **state)
{
    (void)state;
    enum { MANY = 300 };
    static const int64_t ranks[] = { 1, 2, 3 }, numbers[] = { 0, 1, 2 }, sizes[] = { 1, 2, 4 };
    static const char *const conditions[] = {
        "x == %u",
        "rank == %u",
        "size[1] == %u",
        "len(size) == 2 and size[2] == %u",
        "x < size[1] + %u",
        "x == 1 or x == %u",
        "sum(size) == %u",
        "size[3] == %u",
        "rank > 2 and size[3] == %u",
        "7 // (x - 1) > %u",
        "not (x in {%u})",
        "each(size >= %u)",
        "any(size == %u)",
        "1 == %u",
    };
    char texts[MANY][256];
    const char *queries[MANY];
    for (size_t i = 0; i < MANY; ++i) {
        size_t used = 0;
        if (i % 4 == 0) {
            snprintf(texts[i], sizeof texts[i], "dml.slice1:small:rank=2,x=%u,size=%u.1%s", 1 + chance(2),
                     2 + 2 * chance(2), chance(2) ? "" : " where size[1] == 4");
        } else {
            used = (size_t)snprintf(texts[i], sizeof texts[i], "dml.slice1:*");
            for (unsigned k = 0, n = chance(4); k < n; ++k) {
                used += (size_t)snprintf(texts[i] + used, sizeof texts[i] - used, k ? " and " : " where ");
                used += (size_t)snprintf(texts[i] + used, sizeof texts[i] - used,
                                         conditions[chance(sizeof conditions / sizeof *conditions)], chance(4));
            }
        }
        queries[i] = texts[i];
    }
    struct case_file owner = { .op = operators_find("dml.slice1") };
    case_test t = { .file = &owner, .name = (char[]){ "small" }, .space = space_new("dml.slice1", "small") };
    const space_axis axes[] = {
        { .name = "rank", .per = SPACE_SCALAR, .fallback = 1, .values = ranks, .count = 3 },
        { .name = "x", .per = SPACE_SCALAR, .values = numbers, .count = 3 },
        { .name = "size", .per = 0, .fallback = 1, .values = sizes, .count = 3 },
    };
    error e = { .text = "" };
    for (size_t i = 0; i < 3; ++i)
        assert_true(space_add_axis(t.space, &axes[i], &e));
    assert_true(space_close(t.space, &e));
    for (size_t count = 10; count <= MANY; count += MANY - 10) { /* few are evaluated one by one */
        waivers w;
        space_cursor c;
        size_t cases = 0;
        make_waivers(&w, queries, count);
        for (size_t i = 0; i < count; ++i)
            w.list[i].expired = i % 3 == 0;
        waivers_at *a = waivers_open(&w, &t, &e);
        assert_non_null(a);
        assert_true(space_start(&c, t.space, 0, space_points(t.space), NULL, NULL));
        do {
            check_case(a, &w, t.space, &c);
            ++cases;
        } while (space_next(&c));
        assert_int_equal(cases, 3 * (3 + 9 + 27));
        waivers_close(a);
        free(w.list);
    }
    space_free(t.space);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waivers_match_by_query_and_day),
        cmocka_unit_test(many_waivers_match_as_each_of_them_would),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
