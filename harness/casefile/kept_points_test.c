/* SPDX-License-Identifier: Apache-2.0 */
/* Kept points are the points that would be drawn. */
#include "harness/casefile/kept_points.h"

#include "harness/casefile/casefile_draw.h"
#include "harness/casefile/plan.h"
#include "harness/casefile/suite_digest.h"
#include "harness/testing/platform_testing.h"
#include "harness/testing/sanitizer.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static case_file *load(const ts_operator *op, char sources[SUITE_DIGEST_SIZE])
{
    const quick_cases none = { .count = 0 };
    char path[512], digest[SUITE_DIGEST_SIZE];
    error e;
    assert_true(casefile_path(op, path, sizeof path, &e));
    assert_true(suite_operator_digest(op, path, &none, digest, sources, &e));
    case_file *f = casefile_load_of(path, op, &e);
    assert_non_null(f);
    return f;
}

/* The id of the last point that tier quick has of a drawn test. */
static void last_id(const case_test *t, uint64_t seed, char *id, size_t size)
{
    space_cursor c;
    const uint64_t last = t->draws[TIER_QUICK] - 1;
    case_draw_set_seed(t->draw, seed);
    assert_true(space_start(&c, t->space, last, last + 1, NULL, NULL));
    space_format_id(&c, id, size);
}

#if !defined(_WIN32) /* a cross-build keeps none */
/* With another seed, points would be others if they were drawn. Some tests draw the same from any seed. */
static void the_build_keeps_the_points_of_all_operators(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count; i += UNDER_SANITIZER ? 4 : 1) {
        char sources[SUITE_DIGEST_SIZE], kept[CASE_ID_SIZE], drawn[CASE_ID_SIZE], other[CASE_ID_SIZE];
        case_file *f = load(all[i], sources), *again = load(all[i], sources);
        size_t different = 0;
        kept_points_load(f, sources);
        for (size_t t = 0; t < f->test_count; ++t) {
            if (!f->tests[t].draw || f->tests[t].draws[TIER_QUICK] == 0)
                continue;
            last_id(&f->tests[t], 7, kept, sizeof kept);
            last_id(&again->tests[t], 0, drawn, sizeof drawn);
            last_id(&again->tests[t], 7, other, sizeof other);
            assert_string_equal(kept, drawn);
            different += strcmp(drawn, other) != 0;
        }
        /* Members of a family have fewer drawn tests in tier quick. */
        if (different < (operators_family(all[i]) ? 3 : 10))
            fail_msg("%s: %zu of its drawn tests show that points are kept", all[i]->name, different);
        casefile_free(f);
        casefile_free(again);
    }
}
#endif

static void points_of_other_sources_are_not_used(void **state)
{
    (void)state;
    size_t count;
    const ts_operator *op = operators_all(&count)[0];
    char sources[SUITE_DIGEST_SIZE], before[CASE_ID_SIZE], after[CASE_ID_SIZE];
    case_file *f = load(op, sources);
    size_t t = 0;
    while (!f->tests[t].draw || f->tests[t].draws[TIER_QUICK] < 2)
        ++t;
    last_id(&f->tests[t], 7, before, sizeof before);
    sources[0] = sources[0] == '0' ? '1' : '0';
    kept_points_load(f, sources);
    last_id(&f->tests[t], 7, after, sizeof after);
    assert_string_equal(after, before);
    casefile_free(f);
}

/* The id of the last case of IDENTITY's drawn test in tier quick. */
static void planned_id(uint64_t seed, char *id, size_t size)
{
    static const char *const queries[] = { "dml.element_wise_identity:drawn" };
    const plan_options options = { .tier = TIER_QUICK, .seed = seed };
    plan p;
    error e;
    space_cursor c;
    if (!plan_make_with(&p, queries, 1, &options, &e))
        fail_msg("%s", e.text);
    assert_int_equal(p.item_count, 1);
    const case_test *t = p.items[0].test;
    const uint64_t last = t->draws[TIER_QUICK] - 1;
    assert_true(space_start(&c, t->space, last, last + 1, NULL, NULL));
    space_format_id(&c, id, size);
    plan_free(&p);
}

static void a_plan_with_another_seed_draws_its_points(void **state)
{
    (void)state;
    char first[CASE_ID_SIZE], other[CASE_ID_SIZE], drawn[CASE_ID_SIZE], sources[SUITE_DIGEST_SIZE];
    planned_id(0, first, sizeof first);
    planned_id(7, other, sizeof other);
    case_file *f = load(operators_find("dml.element_wise_identity"), sources);
    size_t t = 0;
    while (strcmp(f->tests[t].name, "drawn") != 0)
        ++t;
    last_id(&f->tests[t], 0, drawn, sizeof drawn);
    assert_string_equal(first, drawn);
    last_id(&f->tests[t], 7, drawn, sizeof drawn);
    assert_string_equal(other, drawn);
    assert_string_not_equal(first, other);
    casefile_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#if !defined(_WIN32)
        cmocka_unit_test(the_build_keeps_the_points_of_all_operators),
#endif
        cmocka_unit_test(points_of_other_sources_are_not_used),
        cmocka_unit_test(a_plan_with_another_seed_draws_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
