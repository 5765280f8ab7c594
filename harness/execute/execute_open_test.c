/* SPDX-License-Identifier: Apache-2.0 */
/* Cases whose descriptor breaks a clause that binds nobody: executed where the reference computes what they mean, and
   failed for nothing but the contract. */
#include "harness/execute/execute_testing.h"

/* BUF-22: the page allows an alignment of 4, and DirectML refuses it. */
#define ALIGNED(name, size)                                                                                            \
    "op:invalid 'BUF-22' { 'aligned to 4', name = '" name "', size = { " size " },\n"                                  \
    "                      change = { InputTensor = { Alignment = '4' } } }\n"

static const char aligned[] = "local op = operator 'dml.element_wise_identity'\n"
                              "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'u8' }\n"
                              "op:axis 'size' { 3, 1048577, per = 'rank' }\n"
                              "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                              "          OutputTensor = { Sizes = 'size' } }\n" ALIGNED("small", "3")
                                  ALIGNED("large", "1048577");

static void run_open(fake *f, case_file *file, const char *test, ts_decisions decisions, uint64_t repeat, outcome *o)
{
    const execute_options options = {
        .level = TS_LEVEL_6_4, .reproduce = "-b fake", .decisions = decisions, .repeat = repeat
    };
    run_limited(f, test_named(file, test), &options, 1000, 100000, o);
    assert_int_equal(o->total, 1);
}

static void expect_kind(const outcome *o, const char *kind)
{
    if (!kind) {
        assert_int_equal(o->first.observation_count, 0);
        return;
    }
    assert_int_equal(o->first.observation_count, 1);
    assert_string_equal(o->first.observations[0].kind, kind);
}

static void values_of_what_breaks_an_open_clause_are_recorded(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        uint64_t repeat;
        verdict verdict;
        const char *kind;
    } rows[] = {
        { RIGHT, 1, VERDICT_AMBIGUOUS, "BUF-14: refused" },
        { ACCEPT, 1, VERDICT_AMBIGUOUS, "BUF-14: accepted: our decision" },
        { ACCEPT, 3, VERDICT_AMBIGUOUS, "BUF-14: accepted: our decision" },
        { WRONG_BITS, 1, VERDICT_AMBIGUOUS, "BUF-14: accepted: other than our decision (other values)" },
        { UNWRITTEN, 1, VERDICT_AMBIGUOUS, "BUF-14: accepted: other than our decision (not written)" },
        { SHAPE, 1, VERDICT_AMBIGUOUS, "BUF-14: accepted: other than our decision (sizes [4])" },
        { REFUSE, 1, VERDICT_AMBIGUOUS, "BUF-14: refused" },
        { UNSUPPORTED, 1, VERDICT_UNSUPPORTED, NULL },
        /* The contract holds of every call that is accepted. */
        { WRITE_BEHIND, 1, VERDICT_WROTE_OUTSIDE, NULL },
        { CHANGE_INPUT, 1, VERDICT_MODIFIED_INPUT, NULL },
        { ABORT, 1, VERDICT_CRASH, NULL },
        { LOSE, 1, VERDICT_LOST, NULL },
        { FAIL, 1, VERDICT_LOST, NULL },
    };
    case_file *file = load(aligned);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake f;
            outcome o;
            fake_open(&f, rows[i].fault, batch);
            run_open(&f, file, "invalid-BUF-22-small", TS_DECISIONS_OPEN, rows[i].repeat, &o);
            if (o.verdicts[0] != rows[i].verdict)
                fail_msg("row %zu, batch %u: %s, expected %s", i, (unsigned)batch, verdict_name((verdict)o.verdicts[0]),
                         verdict_name(rows[i].verdict));
            expect_kind(&o, rows[i].kind);
            clear(&o);
        }
    casefile_free(file);
}

static void where_decisions_bind_it_is_only_asked_about(void **state)
{
    (void)state;
    static const struct {
        fault fault;
        verdict verdict;
    } rows[] = { { RIGHT, VERDICT_PASS }, { ACCEPT, VERDICT_ACCEPTED_INVALID } };
    case_file *file = load(aligned);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fake f;
        outcome o;
        fake_open(&f, rows[i].fault, 1);
        run_open(&f, file, "invalid-BUF-22-small", TS_DECISIONS_BINDING, 1, &o);
        assert_int_equal(o.verdicts[0], rows[i].verdict);
        assert_int_equal(f.size_count, 0); /* nothing was executed */
        expect_kind(&o, NULL);
        clear(&o);
    }
    casefile_free(file);
}

/* ScatterUpdate-3 of boolean, SU3-15, with so many updates more than indices: SU3-07. */
static case_file *scatter_of(const char *data, unsigned more)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "local op = operator 'openvino.scatter_update'\n"
        "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
        "op:axis 'index_dtype' { 'i32' }\nop:axis 'by' { 15 }\n"
        "op:bind { data = { DataType = 'dtype', Sizes = 'size', Data = '%s' },\n"
        "          indices = { DataType = 'index_dtype', Sizes = 'size', Data = 'i' },\n"
        "          updates = { DataType = 'dtype', Sizes = 'size' }, axis = '0',\n"
        "          output = { DataType = 'dtype', Sizes = 'size' } }\n"
        "local changed = { DataType = 'by', TotalTensorSizeInBytes = '64' }\n"
        "local updates = { DataType = 'by', Sizes = 'size + %u', TotalTensorSizeInBytes = '64' }\n"
        "op:invalid 'SU3-15' { 'boolean', change = { data = changed, updates = updates, output = changed } }\n",
        data, more);
    return load(text);
}

/* Not what is too large, what the reference gives no meaning, what breaks more, or what has no data. */
static void what_cannot_be_computed_is_only_asked_about(void **state)
{
    (void)state;
    static const char overlapping[] =
        "local op = operator 'dml.element_wise_identity'\n"
        "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
        "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, OutputTensor = { Sizes = 'size' } }\n"
        "op:invalid 'BUF-12' { 'one address', change = { OutputTensor = { Strides = '0 * size' } } }\n";
    const struct {
        case_file *file;
        const char *test, *kind;
    } rows[] = {
        { load(aligned), "invalid-BUF-22-large", "BUF-14: accepted" },
        { load(overlapping), "invalid-BUF-12", "BUF-12: accepted" },
        { scatter_of("i % 2", 0), "invalid-SU3-15", "E-SU3-6: accepted: our decision" },
        { scatter_of("i + 1", 0), "invalid-SU3-15", "E-SU3-6: accepted" },
        { scatter_of("i % 2", 1), "invalid-SU3-15", "E-SU3-6: accepted" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        fake f;
        outcome o;
        fake_open(&f, ACCEPT, 1);
        run_open(&f, rows[i].file, rows[i].test, TS_DECISIONS_OPEN, 1, &o);
        assert_int_equal(o.verdicts[0], VERDICT_AMBIGUOUS);
        expect_kind(&o, rows[i].kind);
        clear(&o);
        casefile_free(rows[i].file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_what_breaks_an_open_clause_are_recorded),
        cmocka_unit_test(where_decisions_bind_it_is_only_asked_about),
        cmocka_unit_test(what_cannot_be_computed_is_only_asked_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
