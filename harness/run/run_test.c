/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/testing/run_rig.h"

static const char *output; /* the run file of every test */

static int set_up_cases(void **state)
{
    (void)state;
    static char path[sizeof folder + 16];
    if (set_up_with("local op = operator 'dml.element_wise_identity'\n"
                    "op:axis 'rank' { 1, 2 }\nop:axis 'dtype' { 'f32', 'u8', 'i64' }\n"
                    "op:axis 'size' { 3, 1, 2, per = 'rank' }\n"
                    "op:axis 'fill' { 'injective', 'special' }\n"
                    "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Fill = 'fill' },\n"
                    "          OutputTensor = { Sizes = 'size' } }\n"
                    "op:test 'fast' { 'fast', tier = 'quick', size = '*' }\n"
                    "op:test 'small' { 'small', rank = '*', dtype = '*', size = '*' }\n"
                    "op:test 'slow' { 'slow', tier = 'exhaustive', size = '*', fill = '*' }\n") != 0)
        return -1;
    snprintf(path, sizeof path, "%s", in_folder("out.run"));
    output = path;
    return write_cases("dml.slice1",
                       "local op = operator 'dml.slice1'\n"
                       "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, 4, per = 'rank' }\n"
                       "op:axis 'stride' { 1, -1, per = 'rank' }\n"
                       "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                       "          InputWindowOffsets = 'size - size',\n"
                       "          InputWindowSizes = 'size', InputWindowStrides = 'stride' }\n"
                       "op:test 'small' { 'small', size = '*', stride = '*' }\n") |
           write_cases("dml.gather",
                       "local op = operator 'dml.gather'\n"
                       "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
                       "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                       "          IndicesTensor = { Sizes = 'size', Data = 'i' },\n"
                       "          Axis = 'rank - 1', IndexDimensions = 'rank' }\n"
                       "op:test 'one' { 'one' }\n") |
           write_cases("dml.random_generator",
                       "local op = operator 'dml.random_generator'\n"
                       "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'u32' }\nop:axis 'size' { 3, per = 'rank' }\n"
                       "op:bind { InputStateTensor = { DataType = 'dtype', Sizes = 'size - size + 6' },\n"
                       "          OutputTensor = { Sizes = 'size' }, Type = 'rank - 1' }\n"
                       "op:test 'one' { 'one' }\n") |
           write_cases("openvino.strided_slice",
                       "local op = operator 'openvino.strided_slice'\n"
                       "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
                       "op:bind { data = { DataType = 'dtype', Sizes = 'size' }, begin = 'size - size',\n"
                       "          ['end'] = 'size' }\n"
                       "op:test 'one' { 'one' }\n");
}

static int no_output(void **state)
{
    (void)state;
    unlink(output);
    return 0;
}

static run_options options_of(const char *backend, const char *const *query)
{
    run_options o = options_for(NULL, 2);
    o.backend = backend;
    o.queries = query;
    o.query_count = query ? 1 : 0;
    o.limits.seconds = 10;
    o.output = output;
    return o;
}

static void refuses(const run_options *o, const char *expected)
{
    run_result r;
    error e = { .text = "" };
    assert_false(run_execute(o, &r, &e));
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_int_equal(r.ran, 0);
}

static bool exists(void)
{
    return access(output, F_OK) == 0;
}

/* ---- the content of a run file ---- */

typedef struct content {
    uint64_t planned, planes, tallied[VERDICT_COUNT], findings, tests;
    char names[512];
    char reproducer[512], clause[64];
} content;

static bool each_test(void *context, const store_test *t)
{
    content *c = context;
    c->planned += t->planned;
    c->tests++;
    size_t used = strlen(c->names);
    snprintf(c->names + used, sizeof c->names - used, "%s %s %llu;", t->name, t->tier, (unsigned long long)t->planned);
    return true;
}

static bool each_tally(void *context, const store_tally *t)
{
    ((content *)context)->tallied[t->verdict] += t->cases;
    return true;
}

static bool each_plane(void *context, const store_plane *p)
{
    ((content *)context)->planes += p->cases;
    return true;
}

static bool each_finding(void *context, const store_finding *f)
{
    content *c = context;
    if (c->findings++ == 0) {
        snprintf(c->reproducer, sizeof c->reproducer, "%s", f->reproducer);
        snprintf(c->clause, sizeof c->clause, "%s", f->clause ? f->clause : "none");
    }
    return true;
}

static content read_run(const run_result *r, const char *expected_state)
{
    error e = { .text = "" };
    content c = { .planned = 0 };
    store *s = store_open(output, &e);
    if (!s)
        fail_msg("%s", e.text);
    assert_string_equal(store_get(s, STORE_STATE), expected_state);
    assert_string_equal(store_get(s, STORE_DIGEST), r->digest);
    assert_string_equal(store_get(s, STORE_SUITE_DIGEST), r->suite_digest);
    assert_true(store_each_test(s, each_test, &c, &e));
    assert_true(store_each_tally(s, each_tally, &c, &e));
    assert_true(store_each_finding(s, 0, 0, each_finding, &c, &e));
    for (uint64_t t = 1; t <= c.tests; ++t)
        assert_true(store_each_plane(s, (int64_t)t, each_plane, &c, &e));
    store_close(s);
    assert_int_equal(c.planned, r->planned);
    assert_int_equal(c.planes, r->ran);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        assert_int_equal(c.tallied[v], r->cases[v]);
    return c;
}

/* ---- tests ---- */

static void a_correct_backend_conforms(void **state)
{
    (void)state;
    run_options o = options_of("cpu", identity);
    run_result r = ran(&o);
    assert_int_equal(r.planned, 3 + 3 * (3 + 9));
    assert_int_equal(r.ran, r.planned);
    assert_int_equal(r.cases[VERDICT_PASS], r.planned);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    assert_false(r.interrupted);
    assert_int_equal(strlen(r.digest), 32);
    content c = read_run(&r, "complete");
    assert_string_equal(c.names, "dml.element_wise_identity:fast quick 3;dml.element_wise_identity:small full 36;");
    assert_int_equal(c.findings, 0);
}

static void everything_runs_without_a_query(void **state)
{
    (void)state;
    run_options o = options_of("cpu", NULL);
    static const char *const declared[] = { "dml.element_wise_*:legal", "dml.element_wise_*:invalid",
                                            "dml.*_to_*:legal", "dml.*_to_*:invalid" };
    run_options of_declarations = options_of("cpu", declared);
    of_declarations.query_count = sizeof declared / sizeof *declared;
    const uint64_t checked = ran(&of_declarations).planned;
    run_result r = ran(&o);
    assert_true(checked > 0);
    assert_int_equal(r.planned, checked + 39 + 4 + 3);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    read_run(&r, "complete");
}

static void the_digest_depends_on_every_result(void **state)
{
    (void)state;
    static const char *const others[] = { "dml.element_wise_identity:small", "dml.element_wise_identity:fast" };
    run_options o = options_of("cpu", identity);
    run_result first = ran(&o);
    no_output(NULL);
    run_result second = ran(&o);
    assert_string_equal(first.digest, second.digest);
    assert_string_equal(first.suite_digest, second.suite_digest);
    no_output(NULL);
    const ts_option harmless = { "fault", "accept-flags" }, fault = { "fault", "reject-size-one" };
    o.backend = "faulty"; /* the digest depends on the results, not on the backend */
    o.backend_options = &harmless;
    o.backend_option_count = 1;
    second = ran(&o);
    assert_string_equal(first.digest, second.digest);
    no_output(NULL);
    o.backend_options = &fault;
    second = ran(&o);
    assert_string_not_equal(first.digest, second.digest);
    assert_string_equal(first.suite_digest, second.suite_digest);
    for (size_t i = 0; i < 2; ++i) {
        no_output(NULL);
        o = options_of("cpu", &others[i]);
        second = ran(&o);
        assert_string_not_equal(first.digest, second.digest);
    }
}

static void a_faulty_backend_fails(void **state)
{
    (void)state;
    const ts_option fault = { "fault", "reject-size-one" };
    run_options o = options_of("faulty", identity);
    o.backend_options = &fault;
    o.backend_option_count = 1;
    run_result r = ran(&o);
    /* One of three in `fast`, and of each type one of three and one of nine in `small`. */
    assert_int_equal(r.cases[VERDICT_REJECTED_VALID], 1 + 3 * 2);
    assert_int_equal(r.cases[VERDICT_PASS], r.planned - 7);
    assert_int_equal(run_status(&r), EXIT_FAILURES);
    content c = read_run(&r, "complete");
    assert_int_equal(c.findings, 7);
    assert_string_equal(c.reproducer, "touchstone run 'dml.element_wise_identity:fast:size=1' -b faulty --backend-opt "
                                      "fault=reject-size-one");
    no_output(NULL);
    o.max_findings = 2; /* of each test */
    r = ran(&o);
    assert_int_equal(r.cases[VERDICT_REJECTED_VALID], 7);
    assert_int_equal(read_run(&r, "complete").findings, 1 + 2);
}

static void a_reproducer_runs_its_case(void **state)
{
    (void)state;
    static const char *const id = "dml.element_wise_identity:fast:size=1";
    const ts_option fault = { "fault", "reject-size-one" };
    run_options o = options_of("faulty", &id);
    o.tier = TIER_QUICK;
    o.backend_options = &fault;
    o.backend_option_count = 1;
    run_result r = ran(&o);
    assert_int_equal(r.planned, 1);
    assert_int_equal(r.cases[VERDICT_REJECTED_VALID], 1);
}

static void a_run_is_judged_at_its_level(void **state)
{
    (void)state;
    run_options o = options_of("cpu", identity);
    o.level = TS_LEVEL_4_0; /* no 64-bit types there */
    run_result r = ran(&o);
    assert_int_equal(r.planned, 3 + 2 * 12);
    error e;
    store *s = store_open(output, &e);
    assert_non_null(s);
    assert_string_equal(store_get(s, STORE_LEVEL), "4_0");
    store_close(s);
}

static void unsupported_cases_are_not_planned(void **state)
{
    (void)state;
    run_options o = options_of("example", identity); /* f32 only */
    run_result r = ran(&o);
    assert_int_equal(r.planned, 3 + 12);
    assert_int_equal(run_status(&r), EXIT_CONFORMANT);
    static const char *const gather = "dml.gather";
    no_output(NULL);
    o.queries = &gather;
    r = ran(&o); /* the backend supports no case: that is not conformant */
    assert_int_equal(r.planned, 0);
    assert_int_equal(run_status(&r), EXIT_NOT_RUN);
    assert_false(exists());
}

static void an_empty_plan_makes_no_file(void **state)
{
    (void)state;
    static const char *const queries[] = { "dml.gather", "dml.element_wise_identity:small where rank == 5" };
    for (size_t i = 0; i < 2; ++i) {
        run_options o = options_of("cpu", &queries[i]);
        o.tier = TIER_QUICK;
        run_result r = ran(&o);
        assert_int_equal(r.planned, 0);
        assert_int_equal(r.ran, 0);
        assert_int_equal(run_status(&r), EXIT_NOT_RUN);
        assert_false(exists());
    }
}

static void an_existing_output_is_not_overwritten(void **state)
{
    (void)state;
    char text[16] = "";
    assert_int_equal(testing_write(output, "precious"), 0);
    run_options o = options_of("cpu", identity);
    refuses(&o, "out.run");
    FILE *f = fopen(output, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "precious");
    no_output(NULL);
    run_result first = ran(&o);
    refuses(&o, "out.run"); /* nor is a finished run */
    read_run(&first, "complete");
}

static void errors_leave_no_file(void **state)
{
    (void)state;
    static const char *const unknown = "dml.slice7";
    run_options o = options_of("nonesuch", identity);
    refuses(&o, "there is no backend 'nonesuch'");
    assert_false(exists());
    o = options_of("cpu", &unknown);
    refuses(&o, "there is no operator 'dml.slice7'");
    assert_false(exists());
    const ts_option option = { "colour", "red" };
    o = options_of("cpu", identity);
    o.backend_options = &option;
    o.backend_option_count = 1;
    refuses(&o, "colour");
    assert_false(exists());
    o = options_of("cpu", identity);
    o.output = "/nowhere/at/all.run";
    refuses(&o, "/nowhere/at/all.run");
}

static exit_status status_of(uint64_t planned, uint64_t count, verdict v, uint64_t passed)
{
    run_result r = { .planned = planned, .ran = count + passed };
    r.cases[v] += count;
    r.cases[VERDICT_PASS] += passed;
    return run_status(&r);
}

static void a_result_has_an_exit_status(void **state)
{
    (void)state;
    assert_int_equal(status_of(3, 0, VERDICT_MISMATCH, 3), EXIT_CONFORMANT);
    assert_int_equal(status_of(0, 0, VERDICT_MISMATCH, 0), EXIT_NOT_RUN);
    assert_int_equal(status_of(3, 0, VERDICT_MISMATCH, 2), EXIT_NOT_RUN);
    assert_int_equal(status_of(3, 1, VERDICT_UNSUPPORTED, 2), EXIT_NOT_RUN);
    assert_int_equal(status_of(3, 1, VERDICT_AMBIGUOUS, 2), EXIT_CONFORMANT);
    assert_int_equal(status_of(3, 3, VERDICT_AMBIGUOUS, 0), EXIT_NOT_RUN); /* nothing was judged */
    assert_int_equal(status_of(3, 1, VERDICT_NOT_JUDGED, 2), EXIT_CONFORMANT);
    assert_int_equal(status_of(3, 3, VERDICT_NOT_JUDGED, 0), EXIT_NOT_RUN);
    assert_int_equal(status_of(3, 1, VERDICT_WAIVED, 2), EXIT_CONFORMANT);
    for (int v = VERDICT_MISMATCH; v <= VERDICT_LOST; ++v) {
        assert_int_equal(status_of(3, 1, (verdict)v, 2), EXIT_FAILURES);
        assert_int_equal(status_of(9, 1, (verdict)v, 2),
                         EXIT_FAILURES); /* failures matter more than cases that did not run */
    }
}

/* The last test, because an interrupted process stays interrupted. */
static void a_run_interrupted_before_its_first_case_makes_no_file(void **state)
{
    (void)state;
    run_options o = options_of("cpu", identity);
    run_interrupt();
    run_result r = ran(&o);
    assert_true(r.interrupted);
    assert_int_equal(r.ran, 0);
    assert_int_equal(run_status(&r), EXIT_NOT_RUN);
    assert_int_not_equal(access(output, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_correct_backend_conforms, no_output),
        cmocka_unit_test_setup(everything_runs_without_a_query, no_output),
        cmocka_unit_test_setup(the_digest_depends_on_every_result, no_output),
        cmocka_unit_test_setup(a_faulty_backend_fails, no_output),
        cmocka_unit_test_setup(a_reproducer_runs_its_case, no_output),
        cmocka_unit_test_setup(a_run_is_judged_at_its_level, no_output),
        cmocka_unit_test_setup(unsupported_cases_are_not_planned, no_output),
        cmocka_unit_test_setup(an_empty_plan_makes_no_file, no_output),
        cmocka_unit_test_setup(an_existing_output_is_not_overwritten, no_output),
        cmocka_unit_test_setup(errors_leave_no_file, no_output),
        cmocka_unit_test_setup(a_result_has_an_exit_status, no_output),
        cmocka_unit_test_setup(a_run_interrupted_before_its_first_case_makes_no_file, no_output),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, set_up_cases, tear_down);
}
