/* SPDX-License-Identifier: Apache-2.0 */
/* Spaces, predicates and ids that are wrong, and the messages about them. */
#include "harness/space/space_fixture.h"

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

/* Those of the test's tensors and examples count as well. */
static void test_many_predicates(void **state)
{
    error e;
    int count = 0;
    (void)state;
    space *s = open_spec(&specs[0]);
    while (space_where(s, "rank > 0", "file.lua:3", &e))
        ++count;
    assert_in_range(count, 32, 64);
    expect_text(&e, "file.lua:3: with 'rank > 0', ");
    expect_text(&e, " has more than 64 conditions in all");
    space_free(s);
}

static void test_wrong_predicates(void **state)
{
    static const struct {
        const char *predicate, *text;
        bool at_close;
    } rows[] = {
        { "each(offset < sizes)", "sizes", false },
        { "size + 1", "no truth value", false },
        { "size <", "size <", false },
        { "each(size // offset == 1)", "divides by zero", true },
        { "each(size > 9)", "leave no combination", true },
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
    /* A division by zero during a walk ends the walk with an error. */
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
    /* Only position axes: there is nothing to enumerate. */
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
        { "sizes=3", "no axis 'sizes' (did you mean 'size'?); it has dtype, rank" },
        { "dtype=f64", "'f64' is no value of axis 'dtype' (did you mean 'f32'?); it has f32, u8, f16" },
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
        cmocka_unit_test(test_wrong_axes),
        cmocka_unit_test(test_wrong_predicates),
        cmocka_unit_test(test_many_predicates),
        cmocka_unit_test(test_wrong_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
