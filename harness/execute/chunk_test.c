/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/chunk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void make(chunk *c)
{
    error e;
    chunk_init(c);
    c->first = 100;
    for (uint64_t i = 0; i < 20; ++i)
        assert_true(chunk_add(c, 100 + 2 * i, TS_FLOAT32, TS_LEVEL_4_0, i == 7 ? VERDICT_CRASH : VERDICT_PASS, &e));
    c->last = 139;
    c->tainted = c->suspected = true;
    c->candidate = 141;
    snprintf(c->suspicion, sizeof c->suspicion, "ended in SIGBUS");
    chunk_break(c, "SL-05", true);
    chunk_break(c, "SL-05", false);
    chunk_observation *o = chunk_observe(c, "gap-write");
    o->cases = 3;
    snprintf(o->example, sizeof o->example, "an id");
    store_finding *f = chunk_add_finding(c);
    f->index = 114;
    f->verdict = VERDICT_CRASH;
    f->case_id = strdup("an id");
    f->detail = strdup("");
    f->class = strdup("dml.slice1 f32.4 f32.4");
    f->stands_for = 3;
    f->other_data = true;
}

static void chunks_are_encoded_and_decoded(void **state)
{
    (void)state;
    chunk c, d;
    wire w = { 0 };
    make(&c);
    chunk_encode(&c, &w);
    assert_true(chunk_decode(&d, &w, 100, 150));
    assert_int_equal(d.cases, 20);
    assert_memory_equal(d.verdicts, c.verdicts, 20);
    assert_memory_equal(d.hash, c.hash, sizeof c.hash);
    assert_int_equal(d.last, 139);
    assert_true(d.tainted && d.suspected && !d.ended && !d.stalled);
    assert_int_equal(d.candidate, 141);
    assert_string_equal(d.suspicion, "ended in SIGBUS");
    assert_int_equal(d.tallies[0].cases[VERDICT_PASS], 19);
    assert_int_equal(d.broken[0].cases, 2);
    assert_int_equal(d.broken[0].refused, 1);
    assert_string_equal(d.broken[0].clause, "SL-05");
    assert_string_equal(d.observations[0].kind, "gap-write");
    assert_string_equal(d.observations[0].example, "an id");
    assert_int_equal(d.finding_count, 1);
    assert_string_equal(d.findings[0].case_id, "an id");
    assert_string_equal(d.findings[0].detail, "");
    assert_null(d.findings[0].tensors);
    assert_ptr_equal(chunk_find_class(&d, "dml.slice1 f32.4 f32.4", VERDICT_CRASH), &d.findings[0]);
    assert_null(chunk_find_class(&d, "dml.slice1 f32.4 f32.4", VERDICT_HANG));
    assert_int_equal(d.findings[0].stands_for, 3);
    assert_true(d.findings[0].other_data);
    chunk_clear(&c);
    chunk_clear(&d);
    wire_free(&w);
}

/* A backend may have overwritten the memory of its worker: a broken message is refused. */
static void broken_messages_are_refused(void **state)
{
    (void)state;
    chunk c, d;
    wire w = { 0 };
    make(&c);
    chunk_encode(&c, &w);
    const size_t size = w.size;
    for (size_t n = 0; n < size; ++n) { /* truncated */
        w.size = n;
        w.at = 0;
        w.broken = false;
        assert_false(chunk_decode(&d, &w, 100, 150));
        chunk_clear(&d);
    }
    w.size = size;
    unsigned refused = 0;
    for (size_t n = 0; n < size; ++n) { /* one byte changed: refused, or a valid chunk */
        w.bytes[n] ^= 0x81;
        w.at = 0;
        w.broken = false;
        if (chunk_decode(&d, &w, 100, 150)) {
            assert_true(d.cases <= 50 && d.last <= 150);
            for (size_t i = 0; i < d.cases; ++i)
                assert_true(d.verdicts[i] > VERDICT_NONE && d.verdicts[i] < VERDICT_COUNT);
        } else {
            ++refused;
        }
        chunk_clear(&d);
        w.bytes[n] ^= 0x81;
    }
    assert_true(refused > 100);
    w.at = 0;
    w.broken = false;
    assert_false(chunk_decode(&d, &w, 100, 120)); /* other cases than requested */
    chunk_clear(&d);
    chunk_clear(&c);
    wire_free(&w);
}

static void a_verdict_is_changed(void **state)
{
    (void)state;
    chunk c, d;
    error e;
    make(&c);
    chunk_change(&c, 3, 106, TS_FLOAT32, TS_LEVEL_4_0, VERDICT_WROTE_OUTSIDE);
    chunk_init(&d);
    for (uint64_t i = 0; i < 20; ++i)
        assert_true(chunk_add(&d, 100 + 2 * i, TS_FLOAT32, TS_LEVEL_4_0,
                              i == 7   ? VERDICT_CRASH
                              : i == 3 ? VERDICT_WROTE_OUTSIDE
                                       : VERDICT_PASS,
                              &e));
    assert_memory_equal(c.verdicts, d.verdicts, 20);
    assert_memory_equal(c.hash, d.hash, sizeof c.hash);
    assert_memory_equal(c.tallies[0].cases, d.tallies[0].cases, sizeof c.tallies[0].cases);
    chunk_clear(&c);
    chunk_clear(&d);
}

/* Illegal cases may state any number as a data type: those that are none are counted together. */
static void unknown_types_take_no_room(void **state)
{
    (void)state;
    chunk c;
    error e;
    chunk_init(&c);
    for (uint32_t i = 0; i < 1000; ++i)
        assert_true(chunk_add(&c, i, 14 + i * 4294901, 0, VERDICT_PASS, &e));
    assert_in_range(c.tally_count, 1, TS_DTYPE_COUNT);
    chunk_clear(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_are_encoded_and_decoded),
        cmocka_unit_test(a_verdict_is_changed),
        cmocka_unit_test(broken_messages_are_refused),
        cmocka_unit_test(unknown_types_take_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
