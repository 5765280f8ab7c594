/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of single cases. */
#include "harness/execute/execute_testing.h"

static void correct_outputs_pass(void **state)
{
    (void)state;
    every_case_gets(RIGHT, "small", VERDICT_PASS);
    every_case_gets(RIGHT, "gaps", VERDICT_PASS);
}

static void every_fault_has_its_verdict(void **state)
{
    (void)state;
    every_case_gets(WRONG_BITS, "small", VERDICT_MISMATCH);
    every_case_gets(UNWRITTEN, "small", VERDICT_MISMATCH);
    every_case_gets(COMPUTED, "small", VERDICT_MISMATCH);
    every_case_gets(UNSTEADY, "small", VERDICT_NONDETERMINISTIC);
    every_case_gets(CHANGE_INPUT, "small", VERDICT_MODIFIED_INPUT);
    every_case_gets(CHANGE_GAP, "gaps", VERDICT_MODIFIED_INPUT);
    every_case_gets(WRITE_BEHIND, "small", VERDICT_WROTE_OUTSIDE);
    every_case_gets(WRITE_BEFORE, "small", VERDICT_WROTE_OUTSIDE);
    every_case_gets(ABORT, "small", VERDICT_CRASH);
    every_case_gets(LOSE, "small", VERDICT_LOST);
    every_case_gets(FAIL, "small", VERDICT_LOST);
    every_case_gets(FORGET, "small", VERDICT_LOST);
    every_case_gets(GARBAGE, "small", VERDICT_LOST);
    every_case_gets(FAIL_BATCH, "small", VERDICT_LOST);
    every_case_gets(REFUSE, "small", VERDICT_REJECTED_VALID);
    every_case_gets(UNSUPPORTED, "small", VERDICT_UNSUPPORTED);
}

/* The backend cannot be asked about a class: each of its cases fails, and the finding of the first stands for all. */
static void a_query_that_fails_is_one_finding_of_its_class(void **state)
{
    (void)state;
    case_file *file = load(identity);
    fake f;
    outcome o;
    fake_open(&f, RIGHT, 7);
    f.unasked = TS_FLOAT16;
    run(&f, test_named(file, "small"), &o);
    assert_true(o.cases[VERDICT_CRASH] > 2);
    assert_int_equal(o.cases[VERDICT_PASS] + o.cases[VERDICT_CRASH], o.total);
    assert_int_equal(o.findings, 2); /* of one and of two dimensions */
    const store_finding *one = &o.first.findings[0], *other = &o.first.findings[1];
    assert_string_equal(one->class, "dml.element_wise_identity f16.2 f16.2");
    assert_string_equal(other->class, "dml.element_wise_identity f16.1 f16.1");
    assert_int_equal(one->stands_for + other->stands_for, o.cases[VERDICT_CRASH]);
    assert_non_null(strstr(one->detail, "when it was asked whether it supports such cases"));
    clear(&o);
    execute_options options = { .level = TS_LEVEL_6_4, .reproduce = "-b fake" };
    run_limited(&f, test_named(file, "small"), &options, 0, 100000, &o); /* without room for findings of single cases */
    assert_int_equal(o.first.finding_count, 2);
    clear(&o);
    casefile_free(file);
}

static void a_wrong_shape_is_a_mismatch(void **state)
{
    (void)state;
    every_case_gets(REFUSE_SHAPE, "small", VERDICT_MISMATCH);
    every_case_gets(SHAPE, "small", VERDICT_MISMATCH);
    every_case_gets(RANK, "small", VERDICT_MISMATCH);
}

/* Half of the tensors end at a guard page, and half begin at one: each half detects reads on one side. */
static void reads_outside_hit_a_guard_page(void **state)
{
    (void)state;
    static const fault sides[] = { READ_BEHIND, READ_BEFORE };
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    for (unsigned side = 0; side < 2; ++side)
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake f;
            outcome o;
            fake_open(&f, sides[side], batch);
            run(&f, t, &o);
            assert_true(o.cases[VERDICT_READ_OUTSIDE] >= o.total / 3);
            assert_true(o.cases[VERDICT_PASS] >= o.total / 3);
            assert_int_equal(o.cases[VERDICT_READ_OUTSIDE] + o.cases[VERDICT_PASS], o.total);
            clear(&o);
        }
    casefile_free(file);
}

/* An output in the memory of the input: what is cleared first is lost, and a changed input is no fault. */
static void in_place_the_output_has_the_input_s_memory(void **state)
{
    (void)state;
    every_case_gets(RIGHT, "shared", VERDICT_PASS);
    every_case_gets(CLEARED, "small", VERDICT_PASS);
    every_case_gets(CLEARED, "shared", VERDICT_MISMATCH);
    every_case_gets(WRONG_BITS, "shared", VERDICT_MISMATCH);
    every_case_gets(UNSTEADY, "shared", VERDICT_NONDETERMINISTIC);
    every_case_gets(WRITE_BEHIND, "shared", VERDICT_WROTE_OUTSIDE);
    every_case_gets(WRITE_BEFORE, "shared", VERDICT_WROTE_OUTSIDE);
    case_file *file = load(identity);
    fake f;
    outcome o;
    fake_open(&f, RIGHT, 1);
    f.plugin.info.in_place = 0;
    run(&f, test_named(file, "shared"), &o);
    assert_int_equal(o.total, 0);
    clear(&o);
    casefile_free(file);
}

static void writing_a_gap_is_an_observation(void **state)
{
    (void)state;
    case_file *file = load(identity);
    fake f;
    outcome o;
    fake_open(&f, WRITE_GAP, 7);
    run(&f, test_named(file, "gaps"), &o);
    assert_int_equal(o.cases[VERDICT_PASS], o.total);
    assert_int_equal(o.first.observation_count, 1);
    assert_string_equal(o.first.observations[0].kind, "gap-write");
    assert_int_equal(o.first.observations[0].cases, o.total);
    assert_non_null(strstr(o.first.observations[0].example, "dml.element_wise_identity:gaps:"));
    assert_string_equal(o.first.observations[0].detail,
                        "1 byte in gaps of OutputTensor changed, the first at byte 4. It is directly behind "
                        "OutputTensor[0] and holds 0xca.");
    clear(&o);
    casefile_free(file);
}

/* Each example is executed with eleven data types. */
static void examples_are_legal_illegal_or_ambiguous(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        verdict right, wrong_sizes, unclear;
        const char *kind;
    } rows[] = {
        { RIGHT, VERDICT_PASS, VERDICT_PASS, VERDICT_AMBIGUOUS, "E-XX-1: our decision" },
        { ACCEPT, VERDICT_PASS, VERDICT_ACCEPTED_INVALID, VERDICT_AMBIGUOUS, "E-XX-1: our decision" },
        { WRONG_BITS, VERDICT_MISMATCH, VERDICT_PASS, VERDICT_AMBIGUOUS,
          "E-XX-1: other than our decision (other values)" },
        { UNWRITTEN, VERDICT_MISMATCH, VERDICT_PASS, VERDICT_AMBIGUOUS,
          "E-XX-1: other than our decision (not written)" },
        { SHAPE, VERDICT_MISMATCH, VERDICT_PASS, VERDICT_AMBIGUOUS, "E-XX-1: other than our decision (sizes [5])" },
        { REFUSE, VERDICT_REJECTED_VALID, VERDICT_PASS, VERDICT_AMBIGUOUS, "E-XX-1: refused" },
        { WRITE_BEHIND, VERDICT_WROTE_OUTSIDE, VERDICT_PASS, VERDICT_WROTE_OUTSIDE, NULL },
        { CHANGE_INPUT, VERDICT_MODIFIED_INPUT, VERDICT_PASS, VERDICT_MODIFIED_INPUT, NULL },
        { LOSE, VERDICT_LOST, VERDICT_LOST, VERDICT_LOST, NULL },
        { ABORT, VERDICT_CRASH, VERDICT_PASS, VERDICT_CRASH, NULL },
    };
    case_file *file = load(identity);
    case_test *t = test_named(file, "examples");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake f;
            outcome o;
            fake_open(&f, rows[i].fault, batch);
            run(&f, t, &o);
            assert_int_equal(o.total, 3 * 11);
            const verdict expected[] = { rows[i].right, rows[i].wrong_sizes, rows[i].unclear };
            for (unsigned k = 0; k < o.total; ++k)
                if (o.verdicts[k] != expected[k / 11])
                    fail_msg("fault %d, batch %u, case %u: %s, expected %s", (int)rows[i].fault, (unsigned)batch, k,
                             verdict_name((verdict)o.verdicts[k]), verdict_name(expected[k / 11]));
            const chunk_observation *seen = rows[i].kind ? observed(&o.first, rows[i].kind) : NULL;
            if (rows[i].kind) {
                assert_non_null(seen);
                assert_int_equal(seen->cases, 11);
            } else {
                assert_int_equal(o.first.observation_count, 0);
            }
            clear(&o);
        }
    casefile_free(file);
}

/* G1-02: the page of Gather-1 allows data of any number of dimensions. */
static void a_case_beyond_a_limit_of_ours_is_recorded(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        const char *kind;
    } rows[] = {
        { RIGHT, "G1-02: refused, beyond what Touchstone judges" },
        { ACCEPT, "G1-02: accepted, beyond what Touchstone judges" },
    };
    case_file *file = load("local op = operator 'openvino.gather_1'\n"
                           "op:axis 'rank' { 2 }\nop:axis 'dtype' { 'f32' }\nop:axis 'index_dtype' { 'i32' }\n"
                           "op:axis 'size' { 3, per = 'rank' }\n"
                           "op:bind { data = { DataType = 'dtype', Sizes = 'size' },\n"
                           "  indices = { DataType = 'index_dtype', Sizes = 'size', Data = '0 * i' },\n"
                           "  axis = '0' }\n"
                           "op:invalid 'G1-02' { 'nine dimensions', change = { data = { DimensionCount = 9 } } }\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fake f;
        outcome o;
        fake_open(&f, rows[i].fault, 7);
        run(&f, test_named(file, "invalid-G1-02"), &o);
        assert_int_equal(o.total, 1);
        assert_int_equal(o.cases[VERDICT_AMBIGUOUS], 1);
        assert_int_equal(o.first.observation_count, 1);
        assert_string_equal(o.first.observations[0].kind, rows[i].kind);
        clear(&o);
    }
    casefile_free(file);
}

static void fails_with(const char *text, const char *test, const char *expected)
{
    case_file *file = load(text);
    case_test *t = test_named(file, test);
    execute_options options = { .level = TS_LEVEL_6_4 };
    error e = { .text = "" };
    fake f;
    chunk c;
    fake_open(&f, WRONG_BITS, 1);
    executor *x = execute_open(&f.plugin, &options, &e);
    chunk_init(&c);
    const execute_range range = { .end = space_points(t->space), .max_cases = 1000, .findings = 1 };
    assert_false(execute_run(x, t, &range, &c, &e));
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" does not contain \"%s\"", e.text, expected);
    chunk_clear(&c);
    execute_close(x);
    casefile_free(file);
}

/* A mistake of the suite is an error, not a verdict about the backend. */
static void mistakes_of_the_suite_are_errors(void **state)
{
    (void)state;
    fails_with("local op = operator 'dml.element_wise_identity'\n"
               "local four = { DataType = 'FLOAT32', Sizes = { 4 }, data = { 1, 2, 3, 4 } }\n"
               "op:example 'typo' { InputTensor = four,\n"
               "  OutputTensor = { DataType = 'FLOAT32', Sizes = { 4 }, data = { 1, 2, 3, 5 } } }\n",
               "examples", "example 'typo': the reference does not give the OutputTensor that the page shows");
    fails_with("local op = operator 'dml.element_wise_identity'\n"
               "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 0, per = 'rank' }\n"
               "op:bind { InputTensor = { DataType = 'dtype', Sizes = '1 // size' } }\n"
               "op:test 't' { 't', rank = '*' }\n",
               "t", "divides by zero");
}

/* GA-12: an index beyond the axis leaves elements undefined. They are an observation, and no failure. */
static void undefined_elements_are_not_compared(void **state)
{
    (void)state;
    static const char gather[] =
        "local op = operator 'dml.gather'\n"
        "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
        "op:axis 'index' { 2, 9 }\n"
        "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
        "  IndicesTensor = { DataType = 'index // index + 2', Sizes = 'size', Data = 'i * index // 2' },\n"
        "  Axis = 'rank - 1', IndexDimensions = 'rank' }\n"
        "op:test 't' { 't', index = '*' }\n";
    case_file *file = load(gather);
    case_test *t = test_named(file, "t");
    for (uint32_t batch = 1; batch <= 7; batch += 6) {
        fake f;
        outcome o;
        fake_open(&f, RIGHT, batch);
        run(&f, t, &o);
        assert_int_equal(o.cases[VERDICT_PASS], 2);
        assert_int_equal(o.first.observation_count, 1);
        assert_int_equal(observed(&o.first, "E-GA-10: our decision (clamped index)")->cases, 1);
        clear(&o);
        fake_open(&f, WRONG_BITS, batch); /* the last element: undefined in the second case only */
        run(&f, t, &o);
        assert_int_equal(o.verdicts[0], VERDICT_MISMATCH);
        assert_int_equal(o.verdicts[1], VERDICT_PASS);
        assert_int_equal(observed(&o.first, "E-GA-10: other than our decision (other values)")->cases, 1);
        clear(&o);
    }
    casefile_free(file);
}

/* SU3-11: with an index beyond the axis, the call may fail. If it does not, its elements are undefined, but neither its
   shape nor the memory around it. */
static void a_call_that_may_fail_is_judged_otherwise(void **state)
{
    (void)state;
    static const char scatter[] = "local op = operator 'openvino.scatter_update'\n"
                                  "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'index_dtype' { 'i32' }\n"
                                  "op:axis 'size' { 3, per = 'rank' }\nop:axis 'index' { 2, 9 }\n"
                                  "op:bind { data = { DataType = 'dtype', Sizes = 'size' },\n"
                                  "  indices = { DataType = 'index_dtype', Sizes = 'size', Data = 'i * index // 2' },\n"
                                  "  updates = { DataType = 'dtype', Sizes = 'size' }, axis = '0' }\n"
                                  "op:test 't' { 't', index = '*' }\n";
    static const struct {
        fault fault;
        verdict inside, beyond;
    } rows[] = {
        { RIGHT, VERDICT_PASS, VERDICT_PASS },
        { REFUSE, VERDICT_REJECTED_VALID, VERDICT_AMBIGUOUS },
        { WRONG_BITS, VERDICT_MISMATCH, VERDICT_PASS },
        { SHAPE, VERDICT_MISMATCH, VERDICT_MISMATCH },
        { WRITE_BEHIND, VERDICT_WROTE_OUTSIDE, VERDICT_WROTE_OUTSIDE },
        { ABORT, VERDICT_CRASH, VERDICT_CRASH },
    };
    case_file *file = load(scatter);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake f;
            outcome o;
            fake_open(&f, rows[i].fault, batch);
            run(&f, test_named(file, "t"), &o);
            assert_int_equal(o.total, 2);
            assert_int_equal(o.verdicts[0], rows[i].inside);
            assert_int_equal(o.verdicts[1], rows[i].beyond);
            clear(&o);
        }
    casefile_free(file);
}

/* The verdicts of a test's cases, executed so often. */
static void judge_unjudged(case_file *file, fault made, const char *test, uint64_t repeat, outcome *o)
{
    const execute_options options = { .level = TS_LEVEL_6_4, .reproduce = "-b fake", .repeat = repeat };
    fake f;
    fake_open(&f, made, 7);
    run_limited(&f, test_named(file, test), &options, 1000, 100000, o);
}

/* Of a data type that is not judged, a case never passes, and nothing but its values is open. */
static void a_type_that_is_not_judged_never_passes(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        uint64_t repeat;
        verdict legal, invalid;
    } rows[] = {
        { RIGHT, 1, VERDICT_NOT_JUDGED, VERDICT_PASS },
        { RIGHT, 3, VERDICT_NOT_JUDGED, VERDICT_PASS },
        { WRONG_BITS, 1, VERDICT_NOT_JUDGED, VERDICT_PASS },
        { WRONG_BITS, 3, VERDICT_NOT_JUDGED, VERDICT_PASS },
        { UNSTEADY, 1, VERDICT_NOT_JUDGED, VERDICT_PASS },
        { UNSTEADY, 3, VERDICT_NONDETERMINISTIC, VERDICT_PASS },
        { REFUSE, 1, VERDICT_REJECTED_VALID, VERDICT_PASS },
        { ACCEPT, 1, VERDICT_NOT_JUDGED, VERDICT_ACCEPTED_INVALID },
        { UNSUPPORTED, 1, VERDICT_UNSUPPORTED, VERDICT_PASS },
        { SHAPE, 1, VERDICT_MISMATCH, VERDICT_PASS },
        { WRITE_BEHIND, 1, VERDICT_WROTE_OUTSIDE, VERDICT_PASS },
        { CHANGE_INPUT, 1, VERDICT_MODIFIED_INPUT, VERDICT_PASS },
        { LOSE, 1, VERDICT_LOST, VERDICT_LOST },
        { ABORT, 1, VERDICT_CRASH, VERDICT_PASS },
    };
    case_file *file =
        load("local op = operator 'dml.element_wise_identity'\n"
             "op:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, 2, per = 2 }\n"
             "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
             "          OutputTensor = { Sizes = 'size' } }\n"
             "op:test 'legal' { 'executed', size = { 3, 2 } }\n"
             "op:test 'asked' { 'only accepted', asked = true, size = { 3, 2 } }\n"
             "op:invalid 'EI-04' { 'another size', change = { OutputTensor = { Sizes = 'size + 1' } } }\n");
    ts_operator op = *file->op;
    op.unjudged = TS_DTYPE_BIT(TS_FLOAT32);
    file->op = &op;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        outcome o;
        judge_unjudged(file, rows[i].fault, "legal", rows[i].repeat, &o);
        assert_int_equal(o.cases[rows[i].legal], 4);
        assert_int_equal(o.total, 4);
        clear(&o);
        judge_unjudged(file, rows[i].fault, "invalid-EI-04", rows[i].repeat, &o);
        assert_int_equal(o.verdicts[0], rows[i].invalid);
        clear(&o);
    }
    outcome o;
    judge_unjudged(file, RIGHT, "asked", 1, &o);
    assert_int_equal(o.cases[VERDICT_NOT_JUDGED], 4);
    clear(&o);
    op.unjudged = TS_DTYPE_BIT(TS_FLOAT16); /* another type */
    judge_unjudged(file, RIGHT, "legal", 1, &o);
    assert_int_equal(o.cases[VERDICT_PASS], 4);
    clear(&o);
    casefile_free(file);
}

/* An example that the page prints is judged in the type of the page; no other example of the type is, nor the same
   example in another type that is not judged. */
static void a_printed_example_is_judged_in_its_own_type(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        verdict printed;
    } rows[] = {
        { RIGHT, VERDICT_PASS },
        { WRONG_BITS, VERDICT_MISMATCH },
        { REFUSE, VERDICT_REJECTED_VALID },
        { UNSUPPORTED, VERDICT_UNSUPPORTED },
    };
    case_file *file = load("local op = operator 'dml.element_wise_identity'\n"
                           "local page = { DataType = 'FLOAT32', Sizes = { 3 }, data = { 1, 2, 3 } }\n"
                           "op:example 'page' { InputTensor = page, OutputTensor = page, printed = true }\n"
                           "op:example 'ours' { InputTensor = page, OutputTensor = page }\n");
    ts_operator op = *file->op;
    op.unjudged = TS_DTYPE_BIT(TS_FLOAT32) | TS_DTYPE_BIT(TS_FLOAT16);
    file->op = &op;
    for (size_t i = 0; i < file->example_count; ++i)
        file->examples[i].descriptor.op = &op;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        outcome o;
        judge_unjudged(file, rows[i].fault, "examples", 1, &o);
        assert_int_equal(o.verdicts[0], rows[i].printed);
        /* Of FLOAT32 and FLOAT16, the other three are not judged. */
        const bool fine = rows[i].fault == RIGHT || rows[i].fault == WRONG_BITS;
        assert_int_equal(o.cases[VERDICT_NOT_JUDGED], fine ? 3 : 0);
        clear(&o);
    }
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(correct_outputs_pass),
        cmocka_unit_test(every_fault_has_its_verdict),
        cmocka_unit_test(a_query_that_fails_is_one_finding_of_its_class),
        cmocka_unit_test(a_wrong_shape_is_a_mismatch),
        cmocka_unit_test(reads_outside_hit_a_guard_page),
        cmocka_unit_test(in_place_the_output_has_the_input_s_memory),
        cmocka_unit_test(writing_a_gap_is_an_observation),
        cmocka_unit_test(examples_are_legal_illegal_or_ambiguous),
        cmocka_unit_test(a_case_beyond_a_limit_of_ours_is_recorded),
        cmocka_unit_test(mistakes_of_the_suite_are_errors),
        cmocka_unit_test(undefined_elements_are_not_compared),
        cmocka_unit_test(a_call_that_may_fail_is_judged_otherwise),
        cmocka_unit_test(a_type_that_is_not_judged_never_passes),
        cmocka_unit_test(a_printed_example_is_judged_in_its_own_type),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
