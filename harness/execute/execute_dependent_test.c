/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs whose shape depends on data: what a backend has to report, and what is compared. */
#include "harness/execute/execute_testing.h"

#include "backends/backend.h"

typedef enum mistake {
    NO_MISTAKE,
    SILENT,      /* reports no shape */
    SHORT,       /* one element that is not zero too few */
    LONG,        /* one too many */
    ROWS,        /* one dimension of data too many */
    DIMS,        /* another number of dimensions */
    NO_DIMS,     /* more dimensions than there may be */
    BEHIND,      /* writes behind the elements, within the bytes of the tensor */
    OUTSIDE,     /* and behind the bytes */
    WRONG,       /* the last element is wrong */
    SPREAD,      /* the rows lie as far apart as those of the largest shape */
    IN_TURN,     /* reports another wrong shape each time */
    REFUSES,     /* refuses the call and reports nothing */
    REFUSES_LATE /* refuses it and reports a wrong shape */
} mistake;

typedef struct teller {
    fake f;
    mistake what;
    uint64_t calls, marked; /* marked: calls whose output says that its shape depends on data */
    uint64_t told;          /* calls whose shape had the right sizes already, left by an earlier call */
} teller;

/* Run the reference, with rows that lie as far apart as those of the largest shape. */
static void run_spread(ts_descriptor *d)
{
    ts_tensor *out = &d->tensors[1];
    unsigned char *to = out->data, *from = malloc(out->total_bytes);
    const size_t bytes = tensor_element_bytes(out->dtype);
    assert_non_null(from);
    out->data = from;
    d->op->run(d, NULL);
    for (uint64_t row = 0; row < out->sizes[0]; ++row)
        memcpy(to + row * out->sizes[1] * bytes, from + row * out->reported->sizes[1] * bytes,
               out->reported->sizes[1] * bytes);
    free(from);
    out->data = to;
}

static ts_status tamper(const teller *t, const ts_tensor *out)
{
    ts_shape *shape = out->reported;
    unsigned char *data = out->data;
    const uint64_t used = shape->sizes[0] * shape->sizes[1] * tensor_element_bytes(out->dtype);
    switch (t->what) {
    case SILENT: shape->rank = TS_RANK_UNREPORTED; break;
    case SHORT: --shape->sizes[1]; break;
    case LONG: ++shape->sizes[1]; break;
    case ROWS: ++shape->sizes[0]; break;
    case DIMS: shape->rank = 1; break;
    case NO_DIMS: shape->rank = TS_MAX_DIMS + 1; break;
    case BEHIND: data[used] ^= 1; break;
    case OUTSIDE: ((volatile unsigned char *)data)[out->total_bytes] = 0xA5; break; /* without reading it */
    case WRONG: data[used - tensor_element_bytes(out->dtype)] ^= 1; break;
    case IN_TURN: shape->sizes[1] += 1 + t->calls % 3; break;
    case REFUSES: shape->rank = TS_RANK_UNREPORTED; return TS_REJECTED;
    case REFUSES_LATE: ++shape->sizes[1]; return TS_REJECTED;
    case SPREAD:
    case NO_MISTAKE: break;
    }
    return TS_OK;
}

static ts_status tell_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    teller *t = self;
    for (size_t i = 0; i < n; ++i) {
        ts_descriptor d;
        t->calls++;
        assert_true(operator_of_call(&d, operators_find(calls[i].op), &calls[i]));
        t->marked += d.tensors[0].data_dependent == 0 && d.tensors[1].data_dependent == 1u << 1;
        status[i] = TS_OK;
        if (calls[i].flags & TS_CALL_DESCRIPTOR_ONLY)
            continue; /* no data, no shape */
        const ts_shape before = *d.tensors[1].reported;
        if (t->what == SPREAD)
            run_spread(&d);
        else
            d.op->run(&d, NULL);
        t->told += memcmp(before.sizes, d.tensors[1].reported->sizes, 2 * sizeof before.sizes[0]) == 0;
        status[i] = tamper(t, &d.tensors[1]);
    }
    return TS_OK;
}

static ts_status tell_query(void *self, const ts_call *shape, void **token)
{
    assert_int_equal(ts_call_tensor(shape, 1)->data_dependent, 1u << 1);
    *token = self;
    return TS_OK;
}

static const ts_backend telling = {
    .struct_size = sizeof(ts_backend), .abi = TS_BACKEND_ABI, .query = tell_query, .submit = tell_submit
};

static const char cases[] = "local op = operator 'openvino.non_zero_3'\n"
                            "op:axis 'rank' { 2, 3, 1 }\n"
                            "op:axis 'dtype' { 'f32', 'u8', 'i64' }\n"
                            "op:axis 'size' { 4, 2, per = 'rank' }\n"
                            "op:bind { data = { DataType = 'dtype', Sizes = 'size', Data = 'i % 2' },\n"
                            "          output = { DataType = 11 } }\n"
                            "op:test 'halves' { 'every other element', rank = '*', dtype = '*', size = { 4, 2 },\n"
                            "                   where = 'any(size ~= 2)' }\n"
                            "op:test 'rows' { 'several rows', rank = { 2, 3 }, dtype = '*' }\n"
                            "op:test 'asked' { 'only asked', rank = '*', asked = true }\n"
                            "op:example 'page' { data = { type = 'u8', shape = { 2, 2 }, data = { 1, 0, 1, 1 } },\n"
                            "                    output = { type = 'i64', data = { 0, 1, 1, 0, 0, 1 } } }\n";

/* Run a test with a mistake in every case, and expect this verdict of all, with a finding whose words are these. */
static void expect(mistake what, const char *test, verdict expected, const char *clause, const char *words)
{
    case_file *file = load(cases);
    teller t = { .what = what };
    outcome o;
    fake_open(&t.f, RIGHT, 4);
    t.f.plugin.backend = &telling;
    t.f.plugin.self = &t;
    run(&t.f, test_named(file, test), &o);
    /* None is left out: the output has two dimensions, whatever data has. */
    const space *points = test_named(file, test)->space;
    uint64_t cases_of_test = 0;
    error e;
    assert_true(space_count(points, 0, space_points(points), NULL, NULL, &cases_of_test, &e));
    assert_int_equal(o.total, cases_of_test);
    assert_true(o.total > 0);
    if (o.cases[expected] != o.total)
        fail_msg("mistake %d: %s for the first of %u cases, expected %s", (int)what,
                 verdict_name((verdict)o.verdicts[0]), (unsigned)o.total, verdict_name(expected));
    assert_int_equal(t.marked, t.calls);
    assert_int_equal(t.told, 0);
    assert_int_equal(o.findings > 0, verdict_fails(expected));
    if (words && !strstr(o.first.findings[0].detail, words))
        fail_msg("mistake %d: '%s' is not in '%s'", (int)what, words, o.first.findings[0].detail);
    if (clause)
        assert_string_equal(o.first.findings[0].clause, clause);
    assert_int_equal(observed(&o.first, "gap-write") != NULL, what == BEHIND);
    clear(&o);
    casefile_free(file);
}

static void the_right_shape_passes(void **state)
{
    (void)state;
    expect(NO_MISTAKE, "halves", VERDICT_PASS, NULL, NULL);
    expect(NO_MISTAKE, "examples", VERDICT_PASS, NULL, NULL);
    expect(SILENT, "asked", VERDICT_PASS, NULL, NULL); /* a call without data has no shape */
}

static void another_shape_is_a_mismatch(void **state)
{
    (void)state;
    expect(SILENT, "halves", VERDICT_MISMATCH, "NZ3-07",
           "the backend reports no shape for output, whose shape depends on data; by the specification its sizes are "
           "[2,8].");
    expect(SHORT, "halves", VERDICT_MISMATCH, "NZ3-07",
           "the backend reports the sizes [2,7] for output; by the specification they are [2,8].");
    expect(LONG, "halves", VERDICT_MISMATCH, "NZ3-07", "the sizes [2,9] for output");
    expect(ROWS, "halves", VERDICT_MISMATCH, "NZ3-07", "the sizes [3,8] for output");
    expect(DIMS, "halves", VERDICT_MISMATCH, "NZ3-07", "the sizes [2] for output");
    expect(NO_DIMS, "halves", VERDICT_MISMATCH, "NZ3-07",
           "the backend reports 17 dimensions for output; by the specification its sizes are [2,8].");
}

static void a_refusal_needs_no_shape(void **state)
{
    (void)state;
    expect(REFUSES, "halves", VERDICT_REJECTED_VALID, NULL, "refuses it");
    expect(REFUSES_LATE, "halves", VERDICT_MISMATCH, "NZ3-07", "the sizes [2,9] for output");
}

static void elements_are_compared_in_the_true_shape(void **state)
{
    (void)state;
    expect(WRONG, "halves", VERDICT_MISMATCH, "NZ3-09", "output[1,7] is ");
    expect(SPREAD, "rows", VERDICT_MISMATCH, "NZ3-09", "as if the rows lay as far apart as those of the largest shape");
}

static void bytes_behind_the_shape_are_a_gap(void **state)
{
    (void)state;
    expect(BEHIND, "halves", VERDICT_PASS, NULL, NULL);
    expect(OUTSIDE, "halves", VERDICT_WROTE_OUTSIDE, NULL, NULL);
}

static void shapes_that_change_are_nondeterministic(void **state)
{
    (void)state;
    expect(IN_TURN, "halves", VERDICT_NONDETERMINISTIC, "ABI-06", "the reported shape of output was [2,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_right_shape_passes),           cmocka_unit_test(another_shape_is_a_mismatch),
        cmocka_unit_test(a_refusal_needs_no_shape),         cmocka_unit_test(elements_are_compared_in_the_true_shape),
        cmocka_unit_test(bytes_behind_the_shape_are_a_gap), cmocka_unit_test(shapes_that_change_are_nondeterministic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
