/* SPDX-License-Identifier: Apache-2.0 */
/* Which cases are planned. */
#include "harness/execute/execute_testing.h"

/* Of the three examples, each in eleven types, the backend must refuse one, and one is ambiguous. */
static void a_clause_that_the_backend_cannot_show_is_not_planned(void **state)
{
    (void)state;
    case_file *file = load(identity);
    static const char *const hidden[] = { NULL, "EI-03", "EI-04" };
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; ++i) {
        fake f;
        outcome o;
        fake_open(&f, RIGHT, 1);
        f.hidden = hidden[i];
        run(&f, test_named(file, "examples"), &o);
        assert_int_equal(o.total, i == 2 ? 22 : 33);
        assert_int_equal(o.planned, o.total);
        assert_int_equal(o.cases[VERDICT_PASS], i == 2 ? 11 : 22);
        assert_true(f.clauses > 0);
        clear(&o);
    }
    casefile_free(file);
}

/* A backend whose interface cannot leave out an attribute refuses the class; other illegal descriptors are planned. */
static void a_missing_attribute_that_is_refused_is_not_planned(void **state)
{
    static const char gather[] = "local op = operator 'dml.gather'\n"
                                 "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
                                 "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                                 "          IndicesTensor = { Sizes = 'size', Data = '0' },\n"
                                 "          Axis = 'rank - 1', IndexDimensions = 'rank' }\n"
                                 "op:test 'one' { 'one' }\n"
                                 "op:invalid 'GA-01' { 'without', change = { Axis = { Present = '0' } } }\n"
                                 "op:invalid 'GA-05' { 'too large', change = { Axis = 'rank' } }\n";
    static const char *const tests[] = { "one", "invalid-GA-01", "invalid-GA-05" };
    case_file *file = load(gather);
    (void)state;
    for (uint32_t needs = 0; needs <= 1; ++needs)
        for (unsigned i = 0; i < 3; ++i) {
            const case_test *t = test_named(file, tests[i]);
            const uint64_t planned = i == 1 && needs ? 0 : 1;
            fake f;
            outcome o;
            error e;
            fake_open(&f, RIGHT, 4);
            f.needs = needs;
            run(&f, t, &o);
            assert_int_equal(o.planned, planned);
            assert_int_equal(o.cases[VERDICT_PASS], planned);
            clear(&o);
            const execute_options options = { .level = TS_LEVEL_6_4 };
            executor *x = execute_open(&f.plugin, &options, &e);
            assert_true(x && execute_count(x, t, 0, space_points(t->space), &o.planned, &e));
            if (!planned)
                assert_string_equal(execute_refused(x)->text, "\ndml.gather f32.1 u32.1 f32.1 -Axis\n");
            else
                assert_null(execute_refused(x)->text);
            execute_close(x);
        }
    casefile_free(file);
}

/* Two cases are vast and two are not. */
static void vast_cases_of_a_packing_backend_are_not_planned(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s%s", identity,
             "op:test 'vast' { 'a', vast = true, rank = { 1 }, size = { 3, 2 } }\n");
    case_file *file = load(text);
    for (uint32_t packs = 0; packs <= 1; ++packs) {
        fake f;
        outcome vast, one;
        fake_open(&f, RIGHT, 1);
        f.plugin.info.packs = packs;
        run(&f, test_named(file, "vast"), &vast);
        run(&f, test_named(file, "one"), &one);
        assert_int_equal(vast.cases[VERDICT_PASS], packs ? 0 : 2);
        assert_int_equal(vast.planned, packs ? 0 : 2);
        assert_int_equal(one.cases[VERDICT_PASS], 2);
        clear(&vast);
        clear(&one);
    }
    casefile_free(file);
}

static void unsupported_data_types_are_not_planned(void **state)
{
    (void)state;
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    fake f;
    outcome all, some;
    fake_open(&f, RIGHT, 7);
    run(&f, t, &all);
    assert_int_equal(f.queries, 8); /* one for each class: four types, two ranks */
    fake_open(&f, RIGHT, 7);
    f.refused = TS_FLOAT16;
    run(&f, t, &some);
    assert_int_equal(some.planned, all.planned / 4 * 3);
    assert_int_equal(some.cases[VERDICT_PASS], some.planned);
    for (size_t i = 0; i < some.first.tally_count; ++i)
        assert_int_not_equal(some.first.tallies[i].dtype, TS_FLOAT16);
    clear(&all);
    clear(&some);
    casefile_free(file);
}

static void cases_are_gated_by_level(void **state)
{
    (void)state;
    static const struct {
        ts_level level;
        unsigned types; /* of f32, f16, u8, i64, at rank 1 and 2 */
    } rows[] = { { TS_LEVEL_6_4, 4 }, { TS_LEVEL_4_1, 4 }, { TS_LEVEL_4_0, 3 }, { TS_LEVEL_3_0, 3 }, { 0, 4 } };
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    uint64_t each = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        execute_options options = { .level = rows[i].level };
        fake f;
        outcome o;
        fake_open(&f, RIGHT, 1);
        run_limited(&f, t, &options, 1, 1000, &o);
        each = each ? each : o.planned / 4;
        assert_int_equal(o.planned, each * rows[i].types);
        assert_int_equal(o.cases[VERDICT_PASS], o.planned);
        assert_int_equal(o.first.tally_count, rows[i].types);
        for (size_t k = 0; k < o.first.tally_count; ++k)
            assert_int_equal(o.first.tallies[k].level,
                             o.first.tallies[k].dtype == TS_INT64 ? TS_LEVEL_4_1 : TS_LEVEL_3_0);
        clear(&o);
    }
    execute_options old = { .level = TS_LEVEL_2_1 }; /* which has no such ranks */
    fake f;
    outcome o;
    fake_open(&f, RIGHT, 1);
    run_limited(&f, t, &old, 1, 1000, &o);
    assert_int_equal(o.planned, 0);
    assert_int_equal(f.calls, 0);
    clear(&o);
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clause_that_the_backend_cannot_show_is_not_planned),
        cmocka_unit_test(a_missing_attribute_that_is_refused_is_not_planned),
        cmocka_unit_test(vast_cases_of_a_packing_backend_are_not_planned),
        cmocka_unit_test(unsupported_data_types_are_not_planned),
        cmocka_unit_test(cases_are_gated_by_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
