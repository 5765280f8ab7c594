/* SPDX-License-Identifier: Apache-2.0 */
/* Covering spaces: their rows show every combination that the predicates allow. */
#include "harness/space/space_fixture.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_that_is_possible_is_covered),
        cmocka_unit_test(test_covering_is_deterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
