/* SPDX-License-Identifier: Apache-2.0 */
/* Cases that fail with a fault of the backend `faulty` are shrunk. The cases are those of the suite. */
#include "harness/run/shrink.h"
#include "harness/run/worker_spawn.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Large drawn cases, one of each operator. */
#define SLICE                                                                                                          \
    "dml.slice1:drawn:dtype=u16,in_layout=strides,fill=bits,in_extra=17,size=9.1.6.40,offset=2.0.0.1,"                 \
    "window=6.1.6.30,stride=2.1.1.-3,out_size=3.1.6.7,in_stride=2000.0.300.7"
#define IDENTITY                                                                                                       \
    "dml.element_wise_identity:drawn:rank=3,in_layout=strides,out_layout=strides,fill=bits,out_extra=1025,"            \
    "size=7.5.33,in_stride=1.640.16,out_stride=512.64.1"

/* Shrink a case with a fault. The caller clears c->finding. */
static bool shrink(const char *id, const char *fault, uint64_t limit, shrink_case *c, error *e)
{
    const ts_option option = { "fault", fault };
    const run_options o = { .backend = "faulty",
                            .backend_options = &option,
                            .backend_option_count = 1,
                            .queries = &id,
                            .query_count = 1,
                            .tier = TIER_EXHAUSTIVE,
                            .decisions = TS_DECISIONS_BINDING, /* BUF-12 is one */
                            .workers = 1,
                            .repeat = 1,
                            .limits = { .seconds = strstr(fault, "hang") ? 0.1 : 10, .losses = 100 },
                            .command = "shrink" };
    *c = (shrink_case){ .limit = limit };
    return shrink_one(&o, c, e);
}

static void shrunk(const char *id, const char *fault, verdict v, shrink_case *c)
{
    error e;
    if (!shrink(id, fault, SHRINK_LIMIT, c, &e))
        fail_msg("%s: %s", fault, e.text);
    if (c->outcome != SHRINK_DONE || c->seen.verdict != v)
        fail_msg("%s: outcome %d, %s", fault, (int)c->outcome, verdict_name(c->seen.verdict));
    assert_in_range(c->executions, 1, SHRINK_LIMIT);
    assert_non_null(c->finding.detail);
    assert_string_equal(c->finding.case_id, c->to);
    assert_non_null(strstr(c->finding.reproducer, c->to));
    assert_int_equal(c->finding.verdict, v);
}

/* Each fault leaves what it needs, and no more. */
static void what_a_fault_needs_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *id, *fault, *has;
        verdict verdict;
        unsigned rank;
        uint64_t elements;
    } rows[] = {
        { SLICE, "reverse-start", ",stride=-1", VERDICT_MISMATCH, 1, 8 },
        { SLICE, "sign-ignored", ",stride=-1", VERDICT_MISMATCH, 1, 8 },
        { IDENTITY, "vector-tail", ":rank=1,size=1", VERDICT_MISMATCH, 1, 2 },
        { IDENTITY, "output-strides-ignored", ",out_stride=2", VERDICT_MISMATCH, 1, 4 },
        { IDENTITY, "write-past-end", ":rank=1,size=1", VERDICT_WROTE_OUTSIDE, 1, 2 },
        { IDENTITY, "input-stride-outer", ",in_stride=2", VERDICT_MISMATCH, 1, 6 },
        { IDENTITY, "tail-64", ":rank=2,", VERDICT_MISMATCH, 2, 256 },
        { IDENTITY, "reject-strided", ":rank=1,in_layout=strides,size=2", VERDICT_REJECTED_VALID, 1, 4 },
        { IDENTITY, "input-modified", ":rank=1,size=1", VERDICT_MODIFIED_INPUT, 1, 2 },
        { "dml.element_wise_identity:drawn:rank=7,dtype=u8,size=2.1.3.1.2.1.2", "reject-rank-7", ":rank=7,size=1.1.1",
          VERDICT_REJECTED_VALID, 7, 2 },
        { "openvino.gather_nd_8:drawn:dims=3,rank=3,batch=1,in_layout=strides,out_rank=3,size=2.3.5,index_size=2.4.1,"
          "out_size=2.4.5,in_stride=30.10.2",
          "last-element", "dims=1,rank=1,out_rank=0,size=1,index_size=1", VERDICT_MISMATCH, 1, 3 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        shrink_case c;
        shrunk(rows[i].id, rows[i].fault, rows[i].verdict, &c);
        if (!strstr(c.to, rows[i].has) || c.to_size.rank != rows[i].rank || c.to_size.elements > rows[i].elements ||
            c.to_size.elements > c.from_size.elements)
            fail_msg("%s was shrunk to %s, with %u dimensions and %llu elements", rows[i].fault, c.to, c.to_size.rank,
                     (unsigned long long)c.to_size.elements);
        store_finding_clear(&c.finding);
    }
}

/* The tensors of a sparse case may have any size, but a simpler case writes no more elements than a quick one. */
static void a_sparse_case_stays_quick(void **state)
{
    (void)state;
    shrink_case c;
    error e;
    assert_true(
        shrink("dml.gather:drawn_sparse:rank=3,axis=2,pattern=cycle,first=2147483640,period=3,size=1.1.2147483648",
               "index-byte", 8, &c, &e));
    assert_int_equal(c.outcome, SHRINK_DONE);
    assert_in_range(c.to_size.elements, 1, c.from_size.elements);
    store_finding_clear(&c.finding);
}

static void cases_of_other_tests_become_drawn_ones(void **state)
{
    (void)state;
    shrink_case c;
    shrunk("dml.slice1:examples:example=2", "reverse-start", VERDICT_MISMATCH, &c);
    assert_non_null(strstr(c.to, "dml.slice1:drawn:rank=1,"));
    assert_int_equal(c.from_size.rank, 4);
    store_finding_clear(&c.finding);
}

/* Shrink the first case that fails with a fault of one case in a hundred. It is the same one with each such fault, so
   that the search goes on where it ended: each step starts a process. */
static void shrink_rare(const char *fault, uint64_t limit, shrink_case *c)
{
    static int size = 2;
    for (; size < 1000; ++size) {
        static char id[200];
        error e;
        snprintf(id, sizeof id, "dml.element_wise_identity:drawn:rank=2,fill=bits,size=%d.3", size);
        if (!shrink(id, fault, 1, c, &e))
            fail_msg("%s: %s", fault, e.text);
        if (c->outcome != SHRINK_DONE)
            continue;
        store_finding_clear(&c->finding);
        assert_true(shrink(id, fault, limit, c, &e));
        assert_int_equal(c->outcome, SHRINK_DONE);
        return;
    }
    fail_msg("%s: no case fails", fault);
}

static void a_crash_stays_the_same_crash(void **state)
{
    (void)state;
    static const struct {
        const char *fault, *how;
    } rows[] = { { "process-crash", "ended in SIGSEGV" },
                 { "process-abort", "ended in SIGABRT" },
                 { "process-exit", "ended with exit status" } };
    shrink_case c;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        shrink_rare(rows[i].fault, 60, &c);
        assert_int_equal(c.seen.verdict, VERDICT_CRASH);
        if (!strstr(c.seen.how, rows[i].how) || !strstr(c.finding.detail, rows[i].how))
            fail_msg("%s: '%s', '%s'", rows[i].fault, c.seen.how, c.finding.detail);
        assert_in_range(c.executions, 2, 60);
        store_finding_clear(&c.finding);
    }
    shrunk(IDENTITY, "process-always", VERDICT_CRASH, &c);
    assert_non_null(strstr(c.to, ":rank=1,size=1"));
    store_finding_clear(&c.finding);
}

static void a_hang_ends_at_the_limit(void **state)
{
    (void)state;
    shrink_case c;
    shrink_rare("process-hang", 8, &c);
    assert_int_equal(c.seen.verdict, VERDICT_HANG);
    assert_in_range(c.executions, 2, 8);
    store_finding_clear(&c.finding);
}

/* What is accepted breaks the clause of its test, before and after. */
static void an_accepted_illegal_case_keeps_its_clause(void **state)
{
    (void)state;
    shrink_case c;
    shrunk("dml.slice1:invalid-SL-07:in_layout=padded,broken=1", "accept-zero-step", VERDICT_ACCEPTED_INVALID, &c);
    assert_string_equal(c.finding.clause, "SL-07");
    store_finding_clear(&c.finding);
    shrunk("dml.element_wise_identity:invalid-BUF-12-drawn-out:dtype=i8,out_layout=strides,fill=special,"
           "in_alignment=2048,size=129.1.1.1,in_stride=2.1.1.1,out_stride=1.1.1.1,broken=1,by=0",
           "accept-overlap", VERDICT_ACCEPTED_INVALID, &c);
    assert_string_equal(c.finding.clause, "BUF-12");
    assert_int_equal(c.to_size.rank, 1);
    store_finding_clear(&c.finding);
}

static void irregular_failures_end_cleanly(void **state)
{
    (void)state;
    static const char *const faults[] = { "flaky-quarter", "sometimes", "every-other", "order-after-two" };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i) {
        shrink_case c;
        error e;
        if (!shrink(IDENTITY, faults[i], 100, &c, &e))
            fail_msg("%s: %s", faults[i], e.text);
        assert_in_range(c.executions, 1, 100);
        assert_true(c.outcome == SHRINK_DONE || c.outcome == SHRINK_PASSES || c.outcome == SHRINK_UNSTABLE);
        store_finding_clear(&c.finding);
    }
}

/* An end of the largest integer, which no step may double. */
static void the_ends_of_the_type_are_shrunk(void **state)
{
    (void)state;
    shrink_case c;
    shrunk("openvino.strided_slice:boundary:length=65537,long=1,size=1.1,end=9223372036854775807", "offset-16",
           VERDICT_MISMATCH, &c);
    store_finding_clear(&c.finding);
}

static void the_limit_counts_executions(void **state)
{
    (void)state;
    shrink_case c;
    error e;
    for (uint64_t limit = 1; limit < 6; limit += 2) {
        assert_true(shrink(SLICE, "reverse-start", limit, &c, &e));
        assert_int_equal(c.outcome, SHRINK_DONE);
        assert_in_range(c.executions, 1, limit);
        assert_true(c.limited);
        if (limit == 1)
            assert_string_equal(c.to, SLICE);
        store_finding_clear(&c.finding);
    }
}

static void the_same_case_is_found_again(void **state)
{
    (void)state;
    shrink_case a, b;
    shrunk(SLICE, "reverse-start", VERDICT_MISMATCH, &a);
    shrunk(SLICE, "reverse-start", VERDICT_MISMATCH, &b);
    assert_string_equal(a.to, b.to);
    assert_int_equal(a.executions, b.executions);
    store_finding_clear(&a.finding);
    shrunk(b.to, "reverse-start", VERDICT_MISMATCH, &a);
    assert_string_equal(a.to, b.to);
    store_finding_clear(&a.finding);
    store_finding_clear(&b.finding);
}

static void a_passing_case_and_wrong_ids_are_told(void **state)
{
    (void)state;
    shrink_case c;
    error e;
    assert_true(shrink(IDENTITY, "none", SHRINK_LIMIT, &c, &e));
    assert_int_equal(c.outcome, SHRINK_PASSES);
    assert_int_equal(c.seen.verdict, VERDICT_PASS);
    assert_false(shrink("dml.slice1:exhaustive", "none", SHRINK_LIMIT, &c, &e));
    assert_non_null(strstr(e.text, "names no single case"));
    assert_false(shrink("dml.slice1:drawn:size=1", "none", SHRINK_LIMIT, &c, &e));
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_fault_needs_is_left),
        cmocka_unit_test(a_sparse_case_stays_quick),
        cmocka_unit_test(cases_of_other_tests_become_drawn_ones),
        cmocka_unit_test(a_crash_stays_the_same_crash),
        cmocka_unit_test(a_hang_ends_at_the_limit),
        cmocka_unit_test(an_accepted_illegal_case_keeps_its_clause),
        cmocka_unit_test(irregular_failures_end_cleanly),
        cmocka_unit_test(the_ends_of_the_type_are_shrunk),
        cmocka_unit_test(the_limit_counts_executions),
        cmocka_unit_test(the_same_case_is_found_again),
        cmocka_unit_test(a_passing_case_and_wrong_ids_are_told),
    };
    worker_run_if_spawned();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
