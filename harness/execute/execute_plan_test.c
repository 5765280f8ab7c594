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

/* A backend that can pass on only some of the calls that break a clause answers yes to query_clause, and TS_UNSUPPORTED
   to the others: only these are not judged. */
static void calls_of_a_clause_that_the_backend_does_not_refuse_are_judged(void **state)
{
    static const char gather[] = "local op = operator 'dml.gather'\n"
                                 "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\n"
                                 "op:axis 'size' { 3, 2, 5, per = 'rank' }\n"
                                 "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                                 "          IndicesTensor = { Sizes = 'size', Data = '0' },\n"
                                 "          Axis = 'rank - 1', IndexDimensions = 'rank' }\n"
                                 "op:invalid 'GA-05' { 'too large', size = '*', change = { Axis = 'rank' } }\n";
    case_file *file = load(gather);
    (void)state;
    for (uint32_t batch = 1; batch <= 4; ++batch) {
        fake f;
        outcome o;
        fake_open(&f, UNSUPPORTED, batch);
        f.only = 3;
        run(&f, test_named(file, "invalid-GA-05"), &o);
        assert_int_equal(o.total, 3);
        assert_int_equal(o.verdicts[0], VERDICT_UNSUPPORTED);
        assert_int_equal(o.verdicts[1], VERDICT_PASS);
        assert_int_equal(o.verdicts[2], VERDICT_PASS);
        clear(&o);
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

/* The calls before a case of a drawn test: the backend refuses those that are illegal, and the case itself passes. */
static void calls_before_a_drawn_case_are_made(void **state)
{
    (void)state;
    static const char drawn[] =
        "local any = op:family()\n"
        "any:axis 'rank' { 2, 1 }\nany:axis 'dtype' { 'f32' }\nany:axis 'size' { 3, per = 'rank' }\n"
        "any:axis 'before' { 'data', 'size', 'refused', 'swapped', 'others' }\n"
        "any:axis 'times' { 0 }\nany:axis 'how' { all.hows }\nany:axis 'which' { 0 }\n"
        "any:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
        "           OutputTensor = { Sizes = 'size' } }\n"
        "any:test 'after' { 'a', preceded = true, each = { 'dtype', 'rank' }, rank = '*',\n"
        "  cases = { full = 2 }, draw = function(r, c) return { size = { 2, c.rank == 2 and 5 or nil },\n"
        "    before = '%s', how = '%s', times = 3 } end }\n";
    static const struct {
        const char *before, *how;
        uint64_t least, most; /* calls, of two cases: variants that have no legal types or sizes may be left out */
    } rows[] = { { "data", "default", 8, 8 },    { "size", "swap", 8, 8 },       { "size", "negated", 2, 8 },
                 { "refused", "default", 8, 8 }, { "swapped", "default", 8, 8 }, { "others", "default", 2, 8 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[8192], test[4096];
        snprintf(test, sizeof test, drawn, rows[i].before, rows[i].how);
        snprintf(text, sizeof text, "%s%s", identity, test);
        case_file *file = load(text);
        fake f;
        outcome o;
        fake_open(&f, RIGHT, 4);
        run(&f, test_named(file, "after"), &o);
        assert_int_equal(o.cases[VERDICT_PASS], 2);
        assert_in_range(f.calls, rows[i].least, rows[i].most);
        assert_int_equal(f.largest, 1);
        clear(&o);
        casefile_free(file);
    }
}

/* No call before a case says that there are more tensors than a list can have; one with fewer is made. */
static void no_call_before_a_case_exceeds_a_list(void **state)
{
    (void)state;
    static const char joined[] =
        "local op = operator 'dml.join'\nlocal any = op:family()\n"
        "any:axis 'rank' { 1 }\nany:axis 'dtype' { 'f32' }\nany:axis 'size' { 1, per = 'rank' }\n"
        "any:axis 'count' { 2, 16, 17 }\nany:axis 'before' { 'count' }\n"
        "any:axis 'times' { 0 }\nany:axis 'how' { all.hows }\nany:axis 'which' { 0 }\n"
        "local inputs = {}\n"
        "for k = 1, 16 do inputs[k] = { Present = 'count >= ' .. k, DataType = 'dtype', Sizes = 'size' } end\n"
        "any:bind { InputTensors = inputs, OutputTensor = { DataType = 'dtype' }, InputCount = 'count', Axis = '0' }\n"
        "any:test 'after' { 'a', preceded = true, each = { 'dtype', 'rank', 'count' }, count = { 16 }, cases = { full = 1 },\n"
        "  draw = function(r, c) return { before = 'count', how = '%s', times = 1 } end }\n";
    for (unsigned near = 0; near <= 1; ++near) {
        char text[4096];
        snprintf(text, sizeof text, joined, near ? "near" : "one");
        case_file *file = load(text);
        fake f;
        outcome o;
        fake_open(&f, RIGHT, 1);
        run(&f, test_named(file, "after"), &o);
        assert_int_equal(o.cases[VERDICT_PASS], 1);
        assert_int_equal(f.calls, near ? 1 : 2);
        clear(&o);
        casefile_free(file);
    }
}

/* The call before a case does not depend on what of the test is in the tier, or on what a query selects. */
static void the_call_before_a_case_is_that_of_the_whole_test(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s%s", identity,
             "op:test 'other' { 'a', after = { 'other' }, rank = { 1 }, size = { 3, 2, 1 } }\n");
    for (unsigned how = 0; how < 3; ++how) {
        case_file *file = load(text);
        case_test *t = test_named(file, "other");
        const uint64_t first = 0;
        fake f;
        outcome o;
        error e;
        assert_true(how != 1 || space_choose(t->space, &first, 1, &e));
        assert_true(how != 2 || space_filter(t->space, "size[1] == 3", "test", &e));
        fake_open(&f, RIGHT, 4);
        run(&f, t, &o);
        assert_int_equal(o.cases[VERDICT_PASS], how ? 1 : 3);
        assert_int_equal(f.size_count, how ? 2 : 6);
        assert_int_equal(f.sizes[0], 2);
        assert_int_equal(f.sizes[1], 3);
        clear(&o);
        casefile_free(file);
    }
}

/* The cases of a test that only asks have no data; to refuse them is a failure. */
static void descriptors_that_are_only_asked_about(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s%s", identity,
             "op:limit 'BUF-11' { 'a', asked = true, rank = { 1 }, size = { 4294967295, 3 } }\n");
    case_file *file = load(text);
    static const struct {
        fault fault;
        verdict expected;
    } rows[] = { { RIGHT, VERDICT_PASS }, { REFUSE, VERDICT_REJECTED_VALID } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        fake f;
        outcome o;
        fake_open(&f, rows[i].fault, 1);
        run(&f, test_named(file, "legal-BUF-11"), &o);
        assert_int_equal(o.planned, 2);
        assert_int_equal(o.cases[rows[i].expected], 2);
        clear(&o);
    }
    casefile_free(file);
}

/* In a worker, a process executes one case of a fresh test, and then asks to be replaced. Elsewhere they follow each
   other. */
static void each_fresh_case_needs_a_process(void **state)
{
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, "%s%s", identity,
             "op:test 'fresh' { 'a', fresh = true, rank = { 1 }, size = { 3, 2, 1 } }\n");
    case_file *file = load(text);
    const case_test *t = test_named(file, "fresh");
    for (int isolated = 0; isolated <= 1; ++isolated) {
        const execute_options options = { .level = TS_LEVEL_6_4, .isolated = isolated != 0 };
        fake f;
        error e;
        uint64_t at = 0;
        fake_open(&f, RIGHT, 4);
        for (unsigned process = 0; process < (isolated ? 3 : 1); ++process) {
            executor *x = execute_open(&f.plugin, &options, &e);
            assert_non_null(x);
            for (int again = 0; again <= isolated && at < 3; ++again) { /* nothing is executed the second time */
                const execute_range range = { .first = at, .end = 3, .max_cases = 100 };
                chunk c;
                chunk_init(&c);
                if (!execute_run(x, t, &range, &c, &e))
                    fail_msg("%s", e.text);
                assert_int_equal(c.cases, isolated ? !again : 3);
                assert_int_equal(c.retired, isolated && c.last < 3);
                assert_int_equal(c.ended, c.last == 3);
                at = c.last;
                chunk_clear(&c);
            }
            execute_close(x);
        }
        assert_int_equal(at, 3);
        assert_int_equal(f.calls, 3);
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
        cmocka_unit_test(calls_of_a_clause_that_the_backend_does_not_refuse_are_judged),
        cmocka_unit_test(a_missing_attribute_that_is_refused_is_not_planned),
        cmocka_unit_test(vast_cases_of_a_packing_backend_are_not_planned),
        cmocka_unit_test(unsupported_data_types_are_not_planned),
        cmocka_unit_test(no_call_before_a_case_exceeds_a_list),
        cmocka_unit_test(calls_before_a_drawn_case_are_made),
        cmocka_unit_test(the_call_before_a_case_is_that_of_the_whole_test),
        cmocka_unit_test(descriptors_that_are_only_asked_about),
        cmocka_unit_test(each_fresh_case_needs_a_process),
        cmocka_unit_test(cases_are_gated_by_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
