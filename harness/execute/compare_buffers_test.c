/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/compare_buffers.h"

#include "harness/model/sparse.h"
#include "harness/model/tensor.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ROOM   512
#define CANARY 16

/* Two tensors of an identity, or three of a generator, in plain memory: the comparison needs no arena. */
typedef struct bench {
    const ts_operator *op;
    ts_descriptor d;
    arena_place places[TS_MAX_TENSORS];
    unsigned char golden[TS_MAX_TENSORS][ROOM], subject[TS_MAX_TENSORS][ROOM];
} bench;

static void place(bench *b, unsigned t, uint64_t total)
{
    b->d.tensors[t].total_bytes = total;
    b->places[t] =
        (arena_place){ b->golden[t] + CANARY, b->subject[t] + CANARY, (size_t)total, CANARY, CANARY, false, false };
    assert_true(total + 2 * CANARY <= ROOM);
}

/* strides may be NULL: packed. Both tensors have these sizes, and all buffers are equal. */
static void set_up(bench *b, const char *op, uint32_t dtype, uint32_t rank, const uint64_t *sizes,
                   const uint64_t *strides)
{
    memset(b, 0, sizeof *b);
    b->op = operators_find(op);
    assert_non_null(b->op);
    operator_begin(&b->d, b->op);
    for (unsigned t = 0; t < b->op->tensor_count; ++t) {
        uint64_t total;
        tensor_init(&b->d.tensors[t], dtype, rank, sizes);
        if (strides)
            memcpy(b->d.tensors[t].strides, strides, rank * sizeof *strides);
        assert_true(tensor_min_bytes(&b->d.tensors[t], &total));
        place(b, t, total);
        for (size_t i = 0; i < ROOM; ++i)
            b->golden[t][i] = b->subject[t][i] = (unsigned char)(i * 7 + t);
    }
}

static void matrix(bench *b)
{
    static const uint64_t sizes[] = { 2, 3 };
    set_up(b, "dml.element_wise_identity", TS_FLOAT16, 2, sizes, NULL);
}

static judgement judged_with(const bench *b, const ts_marks *marks)
{
    judgement j;
    memset(&j, 0xFF, sizeof j); /* previous contents must not matter */
    compare_buffers_explain(b->op, &b->d, b->places, marks, &j);
    if (compare_buffers_equal(b->op, &b->d, b->places)) {
        assert_int_equal(j.verdict, VERDICT_PASS);
        assert_false(j.gap_write || j.open_differs);
    }
    return j;
}

enum { MOST_MARKED = 16 };

/* map: NULL, or MOST_MARKED bytes, one for each element of tensor 1, not 0 where it is undefined. */
static judgement judged(const bench *b, const uint8_t *map)
{
    uint8_t undefined[MOST_MARKED] = { 0 };
    ts_marks marks[TS_MAX_TENSORS] = { { NULL, 0 } };
    if (!map)
        return judged_with(b, NULL);
    tensor_element_count(&b->d.tensors[1], &marks[1].capacity);
    assert_true(marks[1].capacity <= sizeof undefined);
    for (uint64_t i = 0; i < marks[1].capacity; ++i)
        undefined[i] = map[i] ? TS_UNDEFINED : TS_ONE_ANSWER;
    marks[1].map = undefined;
    return judged_with(b, marks);
}

static void equal_regions_pass(void **state)
{
    (void)state;
    bench b;
    matrix(&b);
    assert_true(compare_buffers_equal(b.op, &b.d, b.places));
    judgement j = judged(&b, NULL);
    assert_int_equal(j.tensor, -1);
    assert_int_equal(j.differing, 0);
    assert_int_equal(j.outside_bytes, 0);
}

/* A difference in any byte of the region is detected. */
static void every_byte_counts(void **state)
{
    (void)state;
    for (unsigned t = 0; t < 2; ++t)
        for (int64_t at = -CANARY; at < 12 + CANARY; ++at) {
            bench b;
            matrix(&b);
            b.places[t].subject[at] ^= 0x40;
            assert_false(compare_buffers_equal(b.op, &b.d, b.places));
            judgement j = judged(&b, NULL);
            assert_int_equal(j.tensor, t);
            if (at < 0 || at >= 12) {
                assert_int_equal(j.verdict, VERDICT_WROTE_OUTSIDE);
                assert_int_equal(j.outside, at);
                assert_int_equal(j.outside_bytes, 1);
                continue;
            }
            assert_int_equal(j.verdict, t == 0 ? VERDICT_MODIFIED_INPUT : VERDICT_MISMATCH);
            assert_int_equal(j.offset, at / 2);
            assert_int_equal(j.coord[0], at / 6);
            assert_int_equal(j.coord[1], at / 2 % 3);
            assert_int_equal(j.differing, 1);
            assert_int_equal(j.expected ^ j.actual, at % 2 ? 0x4000 : 0x40);
            assert_int_equal(j.expected & 0xFF, b.places[t].golden[at / 2 * 2]);
        }
}

static void the_first_difference_is_reported_and_all_are_counted(void **state)
{
    (void)state;
    bench b;
    matrix(&b);
    b.places[1].subject[4] ^= 1; /* [0,2] */
    b.places[1].subject[5] ^= 1; /* the same element */
    b.places[1].subject[6] ^= 1; /* [1,0] */
    b.places[1].subject[11] ^= 1;
    judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_MISMATCH);
    assert_int_equal(j.differing, 3);
    assert_int_equal(j.offset, 2);
    assert_int_equal(j.coord[0], 0);
    assert_int_equal(j.coord[1], 2);
    matrix(&b);
    b.places[0].subject[-3] ^= 1;
    b.places[0].subject[-1] ^= 1;
    b.places[0].subject[12] ^= 1;
    j = judged(&b, NULL);
    assert_int_equal(j.outside, -3);
    assert_int_equal(j.outside_bytes, 3);
}

static void the_most_severe_verdict_is_reported(void **state)
{
    (void)state;
    bench b;
    matrix(&b);
    b.places[0].subject[0] ^= 1;
    b.places[1].subject[0] ^= 1;
    judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_MODIFIED_INPUT);
    assert_int_equal(j.tensor, 0);
    assert_int_equal(j.differing, 1);
    b.places[1].subject[12] ^= 1;
    j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_WROTE_OUTSIDE);
    assert_int_equal(j.tensor, 1);
    assert_int_equal(j.outside, 12);
    assert_int_equal(j.differing, 0);
}

/* Elements at 0, 2, 4 and 9, 11, 13: the bytes between them are gaps. */
static const uint64_t gap_sizes[] = { 2, 3 }, gap_strides[] = { 9, 2 };

static void gaps_of_outputs_are_observed(void **state)
{
    (void)state;
    static const unsigned offsets[] = { 0, 2, 4, 9, 11, 13 };
    for (unsigned element = 0; element < 14; ++element) {
        bench b;
        bool addressed = false;
        set_up(&b, "dml.element_wise_identity", TS_UINT32, 2, gap_sizes, gap_strides);
        assert_int_equal(b.places[1].bytes, 56);
        b.places[1].subject[element * 4 + 1] ^= 1;
        judgement j = judged(&b, NULL);
        for (unsigned i = 0; i < 6; ++i)
            if (offsets[i] == element) {
                addressed = true;
                assert_int_equal(j.coord[0], i / 3);
                assert_int_equal(j.coord[1], i % 3);
                assert_int_equal(j.offset, element);
            }
        assert_int_equal(j.verdict, addressed ? VERDICT_MISMATCH : VERDICT_PASS);
        assert_int_equal(j.gap_write, !addressed);
    }
}

static void writing_a_gap_of_an_input_is_a_failure(void **state)
{
    (void)state;
    bench b;
    set_up(&b, "dml.element_wise_identity", TS_UINT32, 2, gap_sizes, gap_strides);
    b.places[0].subject[5] ^= 1;
    judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_MODIFIED_INPUT);
    assert_int_equal(j.tensor, 0);
    assert_int_equal(j.differing, 0); /* no element */
    b.places[0].subject[36] ^= 1;     /* [1,0], an element */
    j = judged(&b, NULL);
    assert_int_equal(j.differing, 1);
    assert_int_equal(j.offset, 9);
}

/* The size of a tensor is rounded up to four bytes. */
static void the_padding_after_the_last_element_is_a_gap(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 3 };
    bench b;
    set_up(&b, "dml.element_wise_identity", TS_UINT8, 1, sizes, NULL);
    assert_int_equal(b.places[1].bytes, 4);
    b.places[1].subject[3] ^= 1;
    judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_PASS);
    assert_true(j.gap_write);
}

static void broadcast_inputs_are_compared_by_element(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 4, 2 }, strides[] = { 0, 1 };
    bench b;
    set_up(&b, "dml.element_wise_identity", TS_INT64, 2, sizes, strides);
    assert_int_equal(b.places[0].bytes, 16);
    b.places[0].subject[8] ^= 1;
    judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_MODIFIED_INPUT);
    assert_int_equal(j.coord[0], 0);
    assert_int_equal(j.coord[1], 1);
    assert_int_equal(j.differing, 4); /* four coordinates read it */
}

/* An element that so many coordinates read is compared once: walking through them takes minutes. */
static void a_long_broadcast_is_compared_once(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { UINT64_C(1) << 38, 2 }, strides[] = { 0, 1 };
    bench b;
    set_up(&b, "dml.element_wise_identity", TS_INT64, 2, sizes, strides);
    b.places[0].subject[8] ^= 1;
    const judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_MODIFIED_INPUT);
    assert_int_equal(j.coord[0], 0);
    assert_int_equal(j.coord[1], 1);
    assert_int_equal(j.differing, UINT64_C(1) << 38);
}

static void undefined_elements_may_differ(void **state)
{
    (void)state;
    const uint8_t map[MOST_MARKED] = { 0, 1, 0, 0, 1, 0 };
    bench b;
    matrix(&b);
    b.places[1].subject[2] ^= 1;
    b.places[1].subject[9] ^= 1;
    judgement j = judged(&b, map);
    assert_int_equal(j.verdict, VERDICT_PASS);
    assert_true(j.open_differs);
    assert_false(j.gap_write);
    assert_int_equal(j.differing, 0);
    assert_int_equal(judged(&b, NULL).verdict, VERDICT_MISMATCH);
    b.places[1].subject[10] ^= 1; /* the next element */
    j = judged(&b, map);
    assert_int_equal(j.verdict, VERDICT_MISMATCH);
    assert_int_equal(j.offset, 5);
    assert_int_equal(j.differing, 1);
    matrix(&b);
    b.places[0].subject[2] ^= 1; /* the map applies to the output only */
    assert_int_equal(judged(&b, map).verdict, VERDICT_MODIFIED_INPUT);
}

/* The generator has two outputs, the second of them optional. */
static void every_output_is_compared(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 6 };
    const uint8_t map[MOST_MARKED] = { 1, 1, 1, 1, 1, 1 };
    bench b;
    set_up(&b, "dml.random_generator", TS_UINT32, 1, sizes, NULL);
    b.places[2].subject[20] ^= 1;
    judgement j = judged(&b, map);
    assert_int_equal(j.verdict, VERDICT_MISMATCH); /* the map is that of the first output */
    assert_int_equal(j.tensor, 2);
    assert_int_equal(j.offset, 5);
    b.places[1].subject[0] ^= 1;
    j = judged(&b, NULL);
    assert_int_equal(j.tensor, 1);
    assert_int_equal(j.differing, 1);
    set_up(&b, "dml.random_generator", TS_UINT32, 1, sizes, NULL);
    b.places[2].subject[20] ^= 1;
    b.places[2].subject[-1] ^= 1;
    b.d.tensors[2].given = 0; /* absent: its place belongs to another case */
    assert_true(compare_buffers_equal(b.op, &b.d, b.places));
    assert_int_equal(judged(&b, NULL).verdict, VERDICT_PASS);
}

/* Any output may have undefined elements, which are numbered in row-major order whatever the strides are. */
static void undefined_elements_of_any_output_may_differ(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 2, 3 }, strides[] = { 1, 2 };
    uint8_t map[6] = { 0, TS_UNDEFINED, 0, 0, 0, 0 }; /* [0,1], at offset 2 */
    ts_marks marks[TS_MAX_TENSORS] = { [2] = { map, sizeof map } };
    bench b;
    set_up(&b, "dml.random_generator", TS_UINT32, 2, sizes, strides);
    b.places[2].subject[2 * 4] ^= 1;
    judgement j = judged_with(&b, marks);
    assert_int_equal(j.verdict, VERDICT_PASS);
    assert_true(j.open_differs);
    b.places[2].subject[1 * 4] ^= 1; /* [1,0] */
    j = judged_with(&b, marks);
    assert_int_equal(j.verdict, VERDICT_MISMATCH);
    assert_int_equal(j.differing, 1);
    assert_int_equal(j.offset, 1);
    assert_false(j.several);
    set_up(&b, "dml.random_generator", TS_UINT32, 2, sizes, strides);
    b.places[1].subject[2 * 4] ^= 1; /* the same element of the other output */
    assert_int_equal(judged_with(&b, marks).verdict, VERDICT_MISMATCH);
}

/* Element k of output 1 may have the value k or 100 + k. */
static void allow_two(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *answers)
{
    assert_int_equal(tensor, 1);
    operator_allow_bits(answers, tensor_number(&d->tensors[tensor], coord));
    operator_allow_bits(answers, 100 + tensor_number(&d->tensors[tensor], coord));
}

static void one_of_several_answers_is_right(void **state)
{
    (void)state;
    uint8_t map[6] = { 0, 0, 0, TS_SEVERAL, 0, 0 };
    ts_marks marks[TS_MAX_TENSORS] = { [1] = { map, sizeof map } };
    bench b;
    matrix(&b);
    ts_operator op = *b.op;
    op.answers = allow_two;
    b.d.op = b.op = &op;
    for (uint16_t value = 0; value < 200; ++value) {
        const uint16_t golden = 3;
        memcpy(b.places[1].golden + 6, &golden, sizeof golden);
        memcpy(b.places[1].subject + 6, &value, sizeof value);
        const judgement j = judged_with(&b, marks);
        const bool right = value == 3 || value == 103;
        assert_int_equal(j.verdict, right ? VERDICT_PASS : VERDICT_MISMATCH);
        assert_int_equal(j.open_differs, value == 103);
        assert_int_equal(j.several, !right);
        assert_int_equal(j.differing, !right);
        assert_int_equal(judged_with(&b, NULL).verdict, value == 3 ? VERDICT_PASS : VERDICT_MISMATCH);
    }
}

static void tensors_without_elements_have_canaries(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 2, 0 };
    bench b;
    set_up(&b, "dml.element_wise_identity", TS_FLOAT32, 2, sizes, NULL);
    assert_int_equal(b.places[1].bytes, 0);
    assert_int_equal(judged(&b, NULL).verdict, VERDICT_PASS);
    for (int64_t at = -CANARY; at < CANARY; ++at) {
        b.places[1].subject[at] ^= 1;
        judgement j = judged(&b, NULL);
        assert_int_equal(j.verdict, VERDICT_WROTE_OUTSIDE);
        assert_int_equal(j.outside, at);
        assert_int_equal(j.outside_bytes, 1);
        b.places[1].subject[at] ^= 1;
    }
    place(&b, 1, 8); /* a buffer larger than the tensor */
    b.places[1].subject[7] ^= 1;
    judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_PASS);
    assert_true(j.gap_write);
}

/* The elements in the middle of a long dimension are not checked, and would take minutes to walk through. */
static void of_sparse_tensors_the_checked_elements_are_compared(void **state)
{
    (void)state;
    enum { LONG = 4 * SPARSE_LONG };
    static unsigned char golden[LONG + 2 * CANARY], subject[LONG + 2 * CANARY];
    static const uint64_t sizes[] = { 1, 8 };
    bench b;
    set_up(&b, "dml.element_wise_identity", TS_UINT8, 2, sizes, NULL);
    b.d.tensors[0].sizes[1] = b.d.tensors[0].total_bytes = LONG;
    b.places[0] = (arena_place){ golden + CANARY, subject + CANARY, LONG, CANARY, CANARY, true, false };
    subject[CANARY + LONG / 2] = 1;
    subject[CANARY + LONG - 2] = 2;
    const judgement j = judged(&b, NULL);
    assert_int_equal(j.verdict, VERDICT_MODIFIED_INPUT);
    assert_int_equal(j.differing, 1);
    assert_int_equal(j.offset, LONG - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_regions_pass),
        cmocka_unit_test(every_byte_counts),
        cmocka_unit_test(the_first_difference_is_reported_and_all_are_counted),
        cmocka_unit_test(the_most_severe_verdict_is_reported),
        cmocka_unit_test(gaps_of_outputs_are_observed),
        cmocka_unit_test(writing_a_gap_of_an_input_is_a_failure),
        cmocka_unit_test(the_padding_after_the_last_element_is_a_gap),
        cmocka_unit_test(broadcast_inputs_are_compared_by_element),
        cmocka_unit_test(a_long_broadcast_is_compared_once),
        cmocka_unit_test(undefined_elements_may_differ),
        cmocka_unit_test(every_output_is_compared),
        cmocka_unit_test(undefined_elements_of_any_output_may_differ),
        cmocka_unit_test(one_of_several_answers_is_right),
        cmocka_unit_test(tensors_without_elements_have_canaries),
        cmocka_unit_test(of_sparse_tensors_the_checked_elements_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
