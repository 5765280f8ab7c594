/* SPDX-License-Identifier: Apache-2.0 */
/* For tests of the executor: a faulty backend in the same process, case files, and a way to run a test. */
#ifndef TOUCHSTONE_EXECUTE_TESTING_H
#define TOUCHSTONE_EXECUTE_TESTING_H

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

/* ---- a backend in this process: the reference with one fault ---- */

typedef enum fault {
    RIGHT,
    WRONG_BITS,   /* the last element has one bit flipped */
    UNWRITTEN,    /* the last element is left as it was */
    CLEARED,      /* the output is cleared before the input is read */
    COMPUTED,     /* the last element holds bits that no input has */
    MOVED,        /* the last element comes from element `from` of the input's buffer */
    CHANGED,      /* the bits of all elements of the (packed) output are changed by `change` */
    UNSTEADY,     /* the last element differs each time */
    CHANGE_INPUT, /* the input's first element is flipped */
    CHANGE_GAP,   /* the input's second byte behind its first element is flipped */
    WRITE_GAP,    /* and the same of the output */
    WRITE_BEHIND, /* one byte beyond the output */
    WRITE_BEFORE, /* one byte before it */
    READ_BEHIND,  /* one byte beyond the input */
    READ_BEFORE,
    ABORT,
    CHANGE_OR_ABORT, /* abort in the cases that `only` selects, flip the input of the others */
    LOSE,            /* device lost, with a note */
    FAIL,            /* an error without one */
    FORGET,          /* the status is not set */
    GARBAGE,         /* the status is set to an unknown value */
    FAIL_BATCH,      /* submit itself returns an error */
    REFUSE,
    REFUSE_SHAPE, /* refuses, and reports a wrong shape */
    ACCEPT,       /* accepts every descriptor, and executes it */
    UNSUPPORTED,
    SHAPE, /* reports another shape */
    RANK   /* reports another number of dimensions */
} fault;

/* An element of CHANGED, with its right bits. */
typedef struct fake_element {
    uint32_t dtype;
    uint64_t bits, number;
    uint64_t calls; /* of the backend so far */
} fake_element;

typedef struct fake {
    fault fault;
    uint64_t only;                             /* the fault is in cases whose input has so many elements; 0: in all */
    uint64_t from;                             /* of MOVED */
    uint64_t (*change)(const fake_element *e); /* of CHANGED */
    uint32_t refused;                          /* data type that query refuses */
    uint32_t unasked;                          /* data type about which query ends in SIGABRT */
    uint32_t needs;                            /* attributes without which query refuses */
    uint64_t calls, queries, largest;
    uint64_t sizes[8]; /* the first of the input of the first calls that were executed, */
    size_t size_count; /* and so many of them */
    unsigned submissions;
    plugin plugin;
    const char *hidden; /* a clause that query_clause refuses */
    unsigned clauses;   /* calls of query_clause */
} fake;

static inline unsigned char *element(const ts_tensor *t, uint64_t offset)
{
    return (unsigned char *)t->data + offset * tensor_element_bytes(t->dtype);
}

static inline void change_elements(const fake *f, const ts_tensor *out)
{
    uint64_t count;
    tensor_span_elements(out, &count);
    for (uint64_t i = 0; i < count; ++i) {
        const fake_element e = { out->dtype, value_bits(out->dtype, element(out, i)), i, f->calls };
        value_store_bits(out->dtype, element(out, i), f->change(&e));
    }
}

/* Volatile, so that the compiler keeps the faulty access. */
static volatile unsigned char sink;

static inline ts_status run_call(fake *f, const ts_call *call)
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
    operator_check(&d, &report);
    bool legal = !operator_graver(report.worst, TS_RESULT_UNSPECIFIED);
    if (call->flags & TS_CALL_DESCRIPTOR_ONLY) {
        assert_null(d.tensors[0].data);
        if (f->fault == LOSE)
            return TS_LOST;
        if (!legal && f->fault == UNSUPPORTED && d.tensors[0].sizes[0] == f->only)
            return TS_UNSUPPORTED;
        return (legal && f->fault != REFUSE) || f->fault == ACCEPT ? TS_OK : TS_REJECTED;
    }
    assert_false(operator_graver(report.worst, TS_RESULT_OPEN)); /* no other descriptor may be executed */
    if (!legal && f->fault == RIGHT)
        return TS_REJECTED;
    const ts_tensor *in = &d.tensors[0], *out = &d.tensors[call->tensor_count - 1];
    uint64_t count, last, in_bytes = in->total_bytes, out_bytes = out->total_bytes;
    size_t size = tensor_element_bytes(out->dtype);
    unsigned char before[8];
    tensor_element_count(in, &count);
    tensor_span_elements(out, &last);
    --last;
    memcpy(before, element(out, last), size);
    if (f->fault == CLEARED)
        memset(out->data, 0, out_bytes);
    op->run(&d, NULL);
    if (f->size_count < sizeof f->sizes / sizeof f->sizes[0])
        f->sizes[f->size_count++] = in->sizes[0];
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
    case CHANGED: change_elements(f, out); break;
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

static inline ts_status fake_submit(void *self, const ts_call *calls, size_t n, ts_status *status)
{
    fake *f = self;
    f->submissions++;
    f->largest = n > f->largest ? n : f->largest;
    for (size_t i = 0; i < n; ++i) {
        f->calls++;
        assert_ptr_equal(calls[i].token, f); /* the token that query returned */
        ts_status s = run_call(f, &calls[i]);
        if (f->fault != FORGET)
            status[i] = s;
    }
    return f->fault == FAIL_BATCH ? TS_ERROR : TS_OK;
}

static inline ts_status fake_query(void *self, const ts_call *shape, void **token)
{
    fake *f = self;
    f->queries++;
    *token = f;
    assert_true(shape->flags & TS_CALL_DESCRIPTOR_ONLY);
    if (f->unasked && ts_call_tensor(shape, 0)->dtype == f->unasked)
        raise(SIGABRT);
    if ((shape->attrs_given & f->needs) != f->needs)
        return TS_UNSUPPORTED;
    return f->refused && ts_call_tensor(shape, 0)->dtype == f->refused ? TS_UNSUPPORTED : TS_OK;
}

static inline ts_status fake_query_clause(void *self, const char *op, const char *clause)
{
    fake *f = self;
    f->clauses++;
    assert_non_null(operators_find(op));
    return f->hidden && strcmp(clause, f->hidden) == 0 ? TS_UNSUPPORTED : TS_OK;
}

static inline void take_note(void *context, const char *text)
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

static inline void fake_open(fake *f, fault what, uint32_t batch)
{
    platform_install_fault_handlers(); /* cmocka installs its own handlers for each test */
    memset(f, 0, sizeof *f);
    f->fault = what;
    f->plugin.backend = &fake_backend;
    f->plugin.self = f;
    f->plugin.info.preferred_batch = batch;
    f->plugin.info.in_place = 1;
    f->plugin.host = (ts_host){ .struct_size = sizeof(ts_host), .context = &f->plugin, .note = take_note };
}

/* ---- case files ---- */

static inline case_file *load(const char *text)
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

static inline case_test *test_named(case_file *file, const char *name)
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
                               "                  where = 'any(size ~= 1) or rank == 1' }\n"
                               "op:test 'gaps' { 'with gaps', rank = { 1 }, layout = { 'gaps' }, size = { 3, 2, 5 } }\n"
                               "op:test 'shared' { 'in place', in_place = true, rank = { 2, 1 }, size = { 3, 2 },\n"
                               "                   layout = '*', dtype = '*' }\n"
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
    chunk last; /* the last chunk */
    chunk first;
} outcome;

static inline void clear(outcome *o)
{
    chunk_clear(&o->first);
    chunk_clear(&o->last);
}

static inline void run_limited(fake *f, const case_test *t, const execute_options *options, uint64_t findings,
                               uint64_t step, outcome *o)
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
    assert_int_equal(o->total, o->planned); /* as many cases are planned as are run */
    assert_int_equal(o->tallied, o->total);
}

static inline void run(fake *f, const case_test *t, outcome *o)
{
    execute_options options = { .level = TS_LEVEL_6_4, .reproduce = "-b fake" };
    run_limited(f, t, &options, 1000, 100000, o);
}

static inline const chunk_observation *observed(const chunk *c, const char *kind)
{
    for (size_t i = 0; i < c->observation_count; ++i)
        if (strcmp(c->observations[i].kind, kind) == 0)
            return &c->observations[i];
    return NULL;
}

/* Run a test with the fault in every case: each case must get this verdict, whatever the size of the batch. */
static inline void every_case_gets(fault what, const char *test, verdict expected)
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

#endif
