/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute.h"

#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "harness/model/value.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- a backend of our own, in process: the reference with one fault ---- */

typedef enum fault {
    RIGHT,
    WRONG_BITS,   /* the last element has one bit flipped */
    UNWRITTEN,    /* the last element is left as it was */
    COMPUTED,     /* the last element holds bits that no input has */
    MOVED,        /* the last element comes from element `from` of the input's buffer */
    UNSTEADY,     /* the last element is another one each time */
    CHANGE_INPUT, /* the input's first element is flipped */
    CHANGE_GAP,   /* the input's second byte behind its first element is flipped */
    WRITE_GAP,    /* and the same of the output */
    WRITE_BEHIND, /* one byte beyond the output */
    WRITE_BEFORE, /* one byte before it */
    READ_BEHIND,  /* one byte beyond the input */
    READ_BEFORE,
    ABORT,
    CHANGE_OR_ABORT, /* what `only` hits ends it, the others have their input flipped */
    LOSE,            /* device lost, with a note */
    FAIL,            /* an error without one */
    FORGET,          /* the status is not set */
    GARBAGE,         /* it is set to no status there is */
    BIGINT_BATCH,    /* submit itself says that nothing worked */
    REFUSE,
    REFUSE_SHAPE, /* refused, and the shape that it found was wrong */
    ACCEPT,       /* whatever the descriptor is */
    UNSUPPORTED,
    SHAPE, /* reports another shape */
    RANK   /* reports another number of dimensions */
} fault;

typedef struct fake {
    fault fault;
    uint64_t only;    /* elements of the inputs that are hit; 0: all */
    uint64_t from;    /* of MOVED */
    uint32_t refused; /* data type that query does not take */
    uint32_t needs;   /* attributes without which it takes none */
    uint64_t calls, queries, largest;
    unsigned submissions;
    plugin plugin;
    const char *hidden; /* a clause that it cannot show */
    unsigned clauses;   /* that it was asked about */
} fake;

static unsigned char *element(const ts_tensor *t, uint64_t offset)
{
    return (unsigned char *)t->data + offset * tensor_element_bytes(t->dtype);
}

/* Compiled as it stands, so that the access itself is the fault. */
static volatile unsigned char sink;

static ts_status answer(fake *f, const ts_call *call)
{
    ts_descriptor d;
    ts_report report = { 0 };
    const ts_operator *op = operators_find(call->op);
    operator_begin(&d, op);
    for (uint32_t i = 0; i < call->tensor_count; ++i)
        d.tensors[i] = *ts_call_tensor(call, i);
    memcpy(d.attrs, call->attrs, call->attrs_size);
    d.attrs_given = call->attrs_given;
    d.profile = call->profile;
    d.feature_level = call->feature_level;
    op->check(&d, &report);
    bool legal = !operator_graver(report.worst, TS_RESULT_UNSPECIFIED);
    if (call->flags & TS_CALL_DESCRIPTOR_ONLY) {
        assert_null(d.tensors[0].data);
        if (f->fault == LOSE)
            return TS_LOST;
        return legal || f->fault == ACCEPT ? TS_OK : TS_REJECTED;
    }
    assert_true(legal); /* nothing else may be executed */
    const ts_tensor *in = &d.tensors[0], *out = &d.tensors[call->tensor_count - 1];
    uint64_t count, last, in_bytes = in->total_bytes, out_bytes = out->total_bytes;
    size_t size = tensor_element_bytes(out->dtype);
    unsigned char before[8];
    tensor_element_count(in, &count);
    tensor_span_elements(out, &last);
    --last;
    memcpy(before, element(out, last), size);
    op->run(&d, NULL);
    if (f->fault == CHANGE_OR_ABORT && f->only != count) {
        element(in, 0)[0] ^= 1;
        return TS_OK;
    }
    if (f->only && f->only != count)
        return TS_OK;
    switch (f->fault) {
    case WRONG_BITS: element(out, last)[0] ^= 1; break;
    case UNWRITTEN: memcpy(element(out, last), before, size); break;
    case COMPUTED: memset(element(out, last), 0xEE, size); break;
    case MOVED: memcpy(element(out, last), element(in, f->from), size); break;
    case UNSTEADY: memset(element(out, last), 0x80 | (int)(f->calls % 64), size); break;
    case CHANGE_INPUT: element(in, 0)[0] ^= 1; break;
    case CHANGE_GAP: element(in, 1)[0] ^= 1; break;
    case WRITE_GAP: element(out, 1)[0] ^= 1; break;
    case WRITE_BEHIND: ((volatile unsigned char *)out->data)[out_bytes] = 0xA5; break;
    case WRITE_BEFORE: ((volatile unsigned char *)out->data)[-1] = 0xA5; break;
    case READ_BEHIND: sink = ((volatile unsigned char *)in->data)[in_bytes]; break;
    case READ_BEFORE: sink = ((volatile unsigned char *)in->data)[-1]; break;
    case ABORT:
    case CHANGE_OR_ABORT: raise(SIGABRT); break;
    case LOSE: f->plugin.host.note(f->plugin.host.context, "the cable is out"); return TS_LOST;
    case FAIL: return TS_ERROR;
    case GARBAGE: return (ts_status)77;
    case REFUSE: return TS_REJECTED;
    case UNSUPPORTED: return TS_UNSUPPORTED;
    case REFUSE_SHAPE:
    case SHAPE:
        out->reported->rank = out->rank;
        memcpy(out->reported->sizes, out->sizes, sizeof out->sizes);
        out->reported->sizes[0] += 1;
        return f->fault == SHAPE ? TS_OK : TS_REJECTED;
    case RANK: out->reported->rank = 0; break;
    default: break;
    }
    return TS_OK;
}

static ts_status fake_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    fake *f = self;
    f->submissions++;
    f->largest = n > f->largest ? n : f->largest;
    for (size_t i = 0; i < n; ++i) {
        f->calls++;
        assert_ptr_equal(calls[i].token, f); /* what query answered comes back */
        ts_status s = answer(f, &calls[i]);
        if (f->fault != FORGET)
            status[i] = s;
    }
    return f->fault == BIGINT_BATCH ? TS_ERROR : TS_OK;
}

static ts_status fake_query(void *self, const ts_call *shape, void **token)
{
    fake *f = self;
    f->queries++;
    *token = f;
    assert_true(shape->flags & TS_CALL_DESCRIPTOR_ONLY);
    if ((shape->attrs_given & f->needs) != f->needs)
        return TS_UNSUPPORTED;
    return f->refused && ts_call_tensor(shape, 0)->dtype == f->refused ? TS_UNSUPPORTED : TS_OK;
}

static ts_status fake_query_clause(void *self, const char *op, const char *clause)
{
    fake *f = self;
    f->clauses++;
    assert_non_null(operators_find(op));
    return f->hidden && strcmp(clause, f->hidden) == 0 ? TS_UNSUPPORTED : TS_OK;
}

static void take_note(void *context, const char *text)
{
    plugin *p = context;
    snprintf(p->note, sizeof p->note, "%s", text);
}

static const ts_backend fake_backend = {
    .struct_size = sizeof(ts_backend),
    .abi = TS_BACKEND_ABI,
    .query = fake_query,
    .submit = fake_submit,
    .query_clause = fake_query_clause,
};

static void fake_open(fake *f, fault what, uint32_t batch)
{
    platform_heed_faults(); /* cmocka puts its own handlers in place for each test */
    memset(f, 0, sizeof *f);
    f->fault = what;
    f->plugin.backend = &fake_backend;
    f->plugin.self = f;
    f->plugin.info.preferred_batch = batch;
    f->plugin.host = (ts_host){ .struct_size = sizeof(ts_host), .context = &f->plugin, .note = take_note };
}

/* ---- case files of our own ---- */

static case_file *load(const char *text)
{
    char path[] = "/tmp/execute_test_XXXXXX";
    error e = { .text = "" };
    assert_int_equal(testing_file(path, text, strlen(text)), 0);
    case_file *file = casefile_load(path, &e);
    unlink(path);
    if (!file)
        fail_msg("%s", e.text);
    return file;
}

static case_test *test_named(case_file *file, const char *name)
{
    for (size_t i = 0; i < file->test_count; ++i)
        if (strcmp(file->tests[i].name, name) == 0) {
            error e;
            assert_true(casefile_prepare(&file->tests[i], &e));
            return &file->tests[i];
        }
    fail_msg("no test %s", name);
    return NULL;
}

static const char identity[] = "local op = operator 'dml.element_wise_identity'\n"
                               "op:axis 'rank' { 2, 1, 3, 4 }\n"
                               "op:axis 'dtype' { 'f32', 'f16', 'u8', 'i64' }\n"
                               "op:axis 'layout' { 'packed', 'gaps' }\n"
                               "op:axis 'size' { 3, 1, 2, 5, per = 'rank' }\n"
                               "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size', Layout = 'layout' },\n"
                               "          OutputTensor = { Sizes = 'size', Layout = 'layout' } }\n"
                               "op:test 'small' { 'small tensors', rank = { 2, 1 }, size = { 3, 1, 2 }, dtype = '*',\n"
                               "                  where = 'size ~= 1 or rank == 1' }\n"
                               "op:test 'gaps' { 'with gaps', rank = { 1 }, layout = { 'gaps' }, size = { 3, 2, 5 } }\n"
                               "op:test 'one' { 'two cases', rank = { 1 }, size = { 3, 2 } }\n"
                               "local four = { DataType = 'FLOAT32', Sizes = { 4 }, data = { 1, 2, 3, 4 } }\n"
                               "op:example 'right' { InputTensor = four, OutputTensor = four }\n"
                               "op:example 'wrong-sizes' { invalid = 'EI-04', InputTensor = four,\n"
                               "  OutputTensor = { DataType = 'FLOAT32', Sizes = { 3 } } }\n"
                               "op:example 'unclear' { ambiguous = 'E-XX-1', InputTensor = four,\n"
                               "  OutputTensor = { DataType = 'FLOAT32', Sizes = { 4 } } }\n";

typedef struct outcome {
    uint64_t cases[VERDICT_COUNT], total, planned, chunks;
    uint64_t hash[2], findings, tallied;
    uint8_t verdicts[4096];
    chunk last; /* the last chunk, still held */
    chunk first;
} outcome;

static void clear(outcome *o)
{
    chunk_clear(&o->first);
    chunk_clear(&o->last);
}

static void run_limited(fake *f, const case_test *t, const execute_options *options, uint64_t findings, uint64_t step,
                        outcome *o)
{
    error e = { .text = "" };
    memset(o, 0, sizeof *o);
    chunk_init(&o->first);
    chunk_init(&o->last);
    executor *x = execute_open(&f->plugin, options, &e);
    assert_non_null(x);
    if (!execute_count(x, t, 0, space_points(t->space), &o->planned, &e))
        fail_msg("%s", e.text);
    bool ended = false;
    for (uint64_t at = 0; !ended && o->planned; ++o->chunks) {
        chunk c;
        chunk_init(&c);
        const execute_range range = {
            .first = at, .end = space_points(t->space), .max_cases = step, .findings = findings - o->findings
        };
        if (!execute_run(x, t, &range, &c, &e))
            fail_msg("%s", e.text);
        assert_int_equal(c.first, at);
        assert_true(c.last > at && c.cases <= step);
        for (size_t i = 0; i < c.cases; ++i) {
            o->cases[c.verdicts[i]]++;
            assert_true(o->total < sizeof o->verdicts);
            o->verdicts[o->total++] = c.verdicts[i];
        }
        for (size_t i = 0; i < c.tally_count; ++i)
            for (int v = 0; v < VERDICT_COUNT; ++v)
                o->tallied += c.tallies[i].cases[v];
        o->hash[0] += c.hash[0];
        o->hash[1] += c.hash[1];
        o->findings += c.finding_count;
        at = c.last;
        ended = c.ended;
        if (o->chunks == 0) {
            o->first = c;
        } else {
            chunk_clear(&o->last);
            o->last = c;
        }
    }
    execute_close(x);
    assert_int_equal(o->total, o->planned); /* what is counted is what is run */
    assert_int_equal(o->tallied, o->total);
}

static void run(fake *f, const case_test *t, outcome *o)
{
    execute_options options = { .level = TS_LEVEL_6_4, .reproduce = "-b fake" };
    run_limited(f, t, &options, 1000, 100000, o);
}

/* The fault in every case of a test; each of them must get this verdict. Batches make no difference. */
static void every_case_gets(fault what, const char *test, verdict expected)
{
    case_file *file = load(identity);
    for (uint32_t batch = 1; batch <= 7; batch += 6) {
        fake f;
        outcome o;
        fake_open(&f, what, batch);
        run(&f, test_named(file, test), &o);
        assert_true(o.total > 1);
        if (o.cases[expected] != o.total)
            fail_msg("fault %d, batch %u: %s for the first of %u cases, expected %s", (int)what, (unsigned)batch,
                     verdict_name((verdict)o.verdicts[0]), (unsigned)o.total, verdict_name(expected));
        assert_int_equal(o.findings, verdict_fails(expected) ? o.total : 0);
        clear(&o);
    }
    casefile_free(file);
}

static void right_answers_pass(void **state)
{
    (void)state;
    every_case_gets(RIGHT, "small", VERDICT_PASS);
    every_case_gets(RIGHT, "gaps", VERDICT_PASS);
}

static void every_wrong_answer_has_its_verdict(void **state)
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
    every_case_gets(BIGINT_BATCH, "small", VERDICT_LOST);
    every_case_gets(REFUSE, "small", VERDICT_REJECTED_VALID);
    every_case_gets(UNSUPPORTED, "small", VERDICT_UNSUPPORTED);
}

/* Of the three examples, each in eleven types, one is to be refused and one is not judged. */
static void what_cannot_be_shown_is_not_planned(void **state)
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

/* Two cases are vast and two are not. */
/* A structure has no room for a number that is not there; its other illegal descriptors are planned. */
static void what_cannot_be_left_out_is_not_planned(void **state)
{
    static const char gather[] =
        "local op = operator 'dml.gather'\n"
        "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
        "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, IndicesTensor = { Sizes = 'size', Data = '0' },\n"
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

static void what_would_fill_memory_packed_is_not_planned(void **state)
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

static void a_wrong_shape_is_a_mismatch(void **state)
{
    (void)state;
    every_case_gets(REFUSE_SHAPE, "small", VERDICT_MISMATCH);
    every_case_gets(SHAPE, "small", VERDICT_MISMATCH);
    every_case_gets(RANK, "small", VERDICT_MISMATCH);
}

/* Half of the tensors end at a guard page and half begin at one, so that a read on either side is seen by half. */
static void reads_outside_meet_a_guard(void **state)
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

static void a_gap_written_is_an_observation(void **state)
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
    clear(&o);
    casefile_free(file);
}

/* Only the cases with six elements are wrong: the others must not suffer from being in the same batch. */
static void a_fault_costs_its_own_case_only(void **state)
{
    (void)state;
    static const fault faults[] = { WRONG_BITS, UNSTEADY, CHANGE_INPUT, WRITE_BEHIND, ABORT, LOSE, REFUSE };
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        uint64_t failed = 0;
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake f;
            outcome o;
            fake_open(&f, faults[i], batch);
            f.only = 6;
            run(&f, t, &o);
            assert_int_equal(f.largest, batch);
            uint64_t wrong = o.total - o.cases[VERDICT_PASS];
            assert_true(wrong > 0 && wrong < o.total);
            assert_true(batch == 1 || wrong == failed);
            failed = wrong;
            assert_int_equal(o.findings, wrong);
            for (size_t k = 0; k < o.first.finding_count; ++k) /* sizes 3.2 and 2.3, said or by default */
                assert_non_null(strstr(o.first.findings[k].descriptor, "\"Sizes\":["));
            clear(&o);
        }
    }
    casefile_free(file);
}

/* A batch that ended is repeated case by case, from untouched buffers: a flip must not be flipped back. */
static void an_ended_batch_leaves_no_traces(void **state)
{
    (void)state;
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    uint64_t ended = 0;
    for (uint32_t batch = 1; batch <= 7; batch += 6) {
        fake f;
        outcome o;
        fake_open(&f, CHANGE_OR_ABORT, batch);
        f.only = 6;
        run(&f, t, &o);
        assert_true(o.cases[VERDICT_CRASH] > 0);
        assert_true(batch == 1 || o.cases[VERDICT_CRASH] == ended);
        ended = o.cases[VERDICT_CRASH];
        assert_int_equal(o.cases[VERDICT_MODIFIED_INPUT], o.total - ended);
        clear(&o);
    }
    casefile_free(file);
}

static void batches_and_chunks_change_nothing(void **state)
{
    (void)state;
    static const fault faults[] = { RIGHT, WRONG_BITS, UNSTEADY, WRITE_BEHIND, READ_BEHIND, ABORT, REFUSE };
    static const uint64_t steps[] = { 1, 3, 1000 };
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    uint64_t different[sizeof faults / sizeof faults[0]];
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; ++i) {
        outcome reference;
        bool have = false;
        for (size_t s = 0; s < 3; ++s)
            for (uint32_t batch = 1; batch <= 7; batch += 6) {
                execute_options options = { .level = TS_LEVEL_6_4 };
                fake f;
                outcome o;
                fake_open(&f, faults[i], batch);
                f.only = 6;
                run_limited(&f, t, &options, 2, steps[s], &o);
                assert_true(o.chunks >= o.total / steps[s]);
                clear(&o);
                if (!have)
                    reference = o;
                have = true;
                assert_int_equal(o.total, reference.total);
                assert_memory_equal(o.verdicts, reference.verdicts, o.total);
                assert_int_equal(o.hash[0], reference.hash[0]);
                assert_int_equal(o.hash[1], reference.hash[1]);
                assert_true(o.findings <= 2); /* of all chunks together */
            }
        different[i] = reference.hash[0];
    }
    assert_int_not_equal(different[0], different[1]);
    assert_int_not_equal(different[1], different[2]);
    assert_int_not_equal(different[2], different[6]);
    casefile_free(file);
}

static void findings_are_limited(void **state)
{
    (void)state;
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    for (uint64_t limit = 0; limit <= 5; limit += 5) {
        execute_options options = { .level = TS_LEVEL_6_4 };
        fake f;
        outcome o;
        fake_open(&f, WRONG_BITS, 7);
        run_limited(&f, t, &options, limit, 4, &o);
        assert_int_equal(o.findings, limit);
        assert_int_equal(o.cases[VERDICT_MISMATCH], o.total);
        if (limit == 0) /* executed again together, since none has to be told in full */
            assert_int_equal(f.submissions, 2 * o.chunks);
        clear(&o);
        for (uint32_t batch = 1; batch <= 7; batch += 6) {
            fake_open(&f, UNSTEADY, batch); /* told apart even where nothing is kept */
            run_limited(&f, t, &options, limit, 4, &o);
            assert_int_equal(o.findings, limit);
            assert_int_equal(o.cases[VERDICT_NONDETERMINISTIC], o.total);
            clear(&o);
        }
    }
    casefile_free(file);
}

static void what_the_backend_cannot_do_is_not_planned(void **state)
{
    (void)state;
    case_file *file = load(identity);
    case_test *t = test_named(file, "small");
    fake f;
    outcome all, some;
    fake_open(&f, RIGHT, 7);
    run(&f, t, &all);
    assert_int_equal(f.queries, 8); /* once for each class: four types, two ranks */
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
    execute_options old = { .level = TS_LEVEL_2_1 }; /* these ranks do not exist there */
    fake f;
    outcome o;
    fake_open(&f, RIGHT, 1);
    run_limited(&f, t, &old, 1, 1000, &o);
    assert_int_equal(o.planned, 0);
    assert_int_equal(f.calls, 0);
    clear(&o);
    casefile_free(file);
}

static const chunk_observation *observed(const chunk *c, const char *kind)
{
    for (size_t i = 0; i < c->observation_count; ++i)
        if (strcmp(c->observations[i].kind, kind) == 0)
            return &c->observations[i];
    return NULL;
}

/* Examples come with every data type, eleven of them: legal, illegal and undecided. */
static void examples_are_judged_as_they_claim(void **state)
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
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    chunk_clear(&c);
    execute_close(x);
    casefile_free(file);
}

/* What is wrong with the suite itself is no verdict about a backend. */
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

/* GA-12: an index beyond the axis leaves its elements undefined; nobody is blamed, and it is written down. */
static void undefined_elements_are_not_judged(void **state)
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

/* The element that was really read is named for every data type, also where the type cannot number them all. */
static void sources_are_traced(void **state)
{
    (void)state;
    static const char strided[] =
        "local op = operator 'openvino.strided_slice'\n"
        "op:axis 'rank' { 1 }\nop:axis 'dtype' { all.dtypes }\nop:axis 'size' { 300, 3000, 100, per = 'rank' }\n"
        "op:bind { data = { DataType = 'dtype', Sizes = 'size' }, begin = 'size - size', ['end'] = 'size' }\n"
        "op:test 't' { 't', dtype = '*', size = '*' }\n";
    case_file *file = load(strided);
    case_test *t = test_named(file, "t");
    executor *x;
    fake f;
    space_cursor at;
    error e = { .text = "" };
    execute_options options = { .level = 0 };
    unsigned types = 0, like_poison = 0;
    for (bool more = space_start(&at, t->space, 0, space_points(t->space), NULL, NULL); more; more = space_next(&at)) {
        uint32_t dtype = (uint32_t)at.values[1].v[0];
        uint64_t size = (uint64_t)at.values[2].v[0];
        uint64_t wanted = fill_element(FILL_INJECTIVE, dtype, size - 1, 0), from = size - 30;
        if (size == 100 && tensor_element_bytes(dtype) == 1 && dtype != TS_BOOLEAN && (at.index & 1)) {
            from = 0x34 - 1; /* numbered with the very bits that the outputs are poisoned with */
            ++like_poison;
        }
        while (fill_element(FILL_INJECTIVE, dtype, from, 0) == wanted) /* else there is nothing to see */
            --from;
        for (unsigned what = 0; what < 3; ++what) {
            static const fault faults[] = { MOVED, UNWRITTEN, COMPUTED };
            static const char *const words[] = { "", "never written: it still holds the poison",
                                                 "no element of data: computed, or read from elsewhere" };
            char source[128], place[64], needed[256];
            chunk c;
            fake_open(&f, faults[what], 1);
            f.from = from;
            chunk_init(&c);
            x = execute_open(&f.plugin, &options, &e);
            const execute_range range = { .first = at.index, .end = at.index + 1, .max_cases = 1, .findings = 1 };
            if (!execute_run(x, t, &range, &c, &e))
                fail_msg("%s", e.text);
            assert_int_equal(c.verdicts[0], VERDICT_MISMATCH);
            const store_finding *g = &c.findings[0];
            snprintf(source, sizeof source, "%s", words[what]);
            if (faults[what] == MOVED)
                snprintf(source, sizeof source, "data[%u]", (unsigned)from);
            snprintf(place, sizeof place, "[%u]", (unsigned)(size - 1));
            snprintf(needed, sizeof needed, "It should come from data[%u]; what came is %s", (unsigned)(size - 1),
                     source);
            assert_string_equal(g->dtype, tensor_dtype(dtype)->id);
            assert_string_equal(g->element, place);
            if (!g->source || strcmp(g->source, source) != 0 || !strstr(g->detail, needed))
                fail_msg("%s of %u: source \"%s\", detail \"%s\"; expected \"%s\"", g->dtype, (unsigned)size,
                         g->source ? g->source : "none", g->detail, needed);
            chunk_clear(&c);
            execute_close(x);
        }
        ++types;
    }
    assert_int_equal(types, 3 * 13);
    assert_true(like_poison > 0);
    casefile_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_answers_pass),
        cmocka_unit_test(every_wrong_answer_has_its_verdict),
        cmocka_unit_test(what_cannot_be_shown_is_not_planned),
        cmocka_unit_test(what_cannot_be_left_out_is_not_planned),
        cmocka_unit_test(what_would_fill_memory_packed_is_not_planned),
        cmocka_unit_test(a_wrong_shape_is_a_mismatch),
        cmocka_unit_test(reads_outside_meet_a_guard),
        cmocka_unit_test(a_gap_written_is_an_observation),
        cmocka_unit_test(a_fault_costs_its_own_case_only),
        cmocka_unit_test(an_ended_batch_leaves_no_traces),
        cmocka_unit_test(batches_and_chunks_change_nothing),
        cmocka_unit_test(findings_are_limited),
        cmocka_unit_test(what_the_backend_cannot_do_is_not_planned),
        cmocka_unit_test(cases_are_gated_by_level),
        cmocka_unit_test(examples_are_judged_as_they_claim),
        cmocka_unit_test(mistakes_of_the_suite_are_errors),
        cmocka_unit_test(undefined_elements_are_not_judged),
        cmocka_unit_test(sources_are_traced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
