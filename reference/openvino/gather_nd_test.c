/* SPDX-License-Identifier: Apache-2.0 */
/* GatherND-5 and GatherND-8. */
#include "reference/expect_clause.h"
#include "reference/openvino/gather_nd_shared.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { DATA, INDICES, OUT };

/* A descriptor with the output that shape computes, if it computes one. */
static ts_descriptor make(unsigned version, uint32_t dtype, uint32_t rank, const uint64_t *data, uint32_t index_type,
                          uint32_t index_rank, const uint64_t *indices, int64_t batch)
{
    ts_descriptor d;
    uint64_t sizes[TS_MAX_DIMS];
    operator_begin(&d, operators_find(version == 5 ? "openvino.gather_nd_5" : "openvino.gather_nd_8"));
    operator_set_attr(&d, 0, &batch, 1);
    tensor_init(&d.tensors[DATA], dtype, rank, data);
    tensor_init(&d.tensors[INDICES], index_type, index_rank, indices);
    if (d.op->shape(&d)) {
        memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
        tensor_init(&d.tensors[OUT], dtype, d.tensors[OUT].rank, sizes);
    }
    return d;
}

static ts_descriptor small(unsigned version)
{
    return make(version, TS_FLOAT32, 4, SIZES(2, 3, 4, 5), TS_INT32, 4, SIZES(2, 3, 6, 1), 2);
}

/* Expect a clause by its number: "ND5-05" or "ND8-05". */
static void expect_number(const ts_descriptor *d, unsigned number, ts_result result)
{
    char id[16];
    snprintf(id, sizeof id, "ND%s-%02u", d->op->name + strlen("openvino.gather_nd_"), number);
    expect_clause(d, id, result);
}

/* Returns how many elements are undefined. Where there are some, the call may fail. */
static uint64_t run(ts_descriptor *d, void *data, void *indices, void *out)
{
    ts_unspecified unspecified = { 0 };
    d->tensors[DATA].data = data;
    d->tensors[INDICES].data = indices;
    d->tensors[OUT].data = out;
    d->op->run(d, &unspecified);
    assert_int_equal(unspecified.may_fail, unspecified.count > 0);
    return unspecified.count;
}

static void the_examples_of_the_pages(void **state)
{
    (void)state;
    float data[24], out[8];
    for (unsigned i = 0; i < 24; ++i)
        data[i] = (float)(i + 1);
    for (unsigned v = 5; v <= 8; v += 3) {
        ts_descriptor d = make(v, TS_FLOAT32, 2, SIZES(2, 2), TS_INT32, 2, SIZES(2, 2), 0);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, 1);
        assert_int_equal(run(&d, data, (int32_t[]){ 0, 0, 1, 0 }, out), 0);
        assert_memory_equal(out, ((float[]){ 1, 3 }), 8);
        d = make(v, TS_FLOAT32, 2, SIZES(2, 2), TS_INT32, 3, SIZES(2, 1, 1), 0);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 1, 2), 24);
        assert_int_equal(run(&d, data, (int32_t[]){ 1, 0 }, out), 0);
        assert_memory_equal(out, ((float[]){ 3, 4, 1, 2 }), 16);
        d = make(v, TS_FLOAT32, 2, SIZES(2, 2), TS_INT64, 2, SIZES(2, 1), 1);
        assert_int_equal(d.tensors[OUT].rank, 1);
        assert_int_equal(run(&d, data, (int64_t[]){ 1, 0 }, out), 0);
        assert_memory_equal(out, ((float[]){ 2, 3 }), 8);
        d = make(v, TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 2, SIZES(2, 1), 1);
        assert_int_equal(run(&d, data, (int32_t[]){ 1, 0 }, out), 0);
        assert_memory_equal(out, ((float[]){ 5, 6, 7, 8, 13, 14, 15, 16 }), 32);
        d = make(v, TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 4, SIZES(2, 3, 1, 1), 2);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, v == 5 ? 2 : 3);
        assert_memory_equal(d.tensors[OUT].sizes, v == 5 ? SIZES(6, 1) : SIZES(2, 3, 1), v == 5 ? 16 : 24);
        assert_int_equal(run(&d, data, (int32_t[]){ 1, 0, 2, 0, 2, 2 }, out), 0);
        assert_memory_equal(out, ((float[]){ 2, 5, 11, 13, 19, 23 }), 24);
        d = make(v, TS_FLOAT32, 4, SIZES(1000, 256, 10, 15), TS_INT32, 3, SIZES(25, 125, 3), 0);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(25, 125, 15), 24);
        d = make(v, TS_FLOAT32, 4, SIZES(30, 2, 100, 35), TS_INT32, 4, SIZES(30, 2, 3, 1), 2);
        assert_memory_equal(d.tensors[OUT].sizes, v == 5 ? SIZES(60, 3, 35) : SIZES(30, 2, 3, 35), v == 5 ? 24 : 32);
    }
    ts_descriptor d = make(8, TS_FLOAT32, 4, SIZES(1, 2, 2, 4), TS_INT32, 4, SIZES(1, 2, 2, 1), 3);
    assert_int_equal(run(&d, data, (int32_t[]){ 1, 0, 3, 2 }, out), 0);
    assert_memory_equal(out, ((float[]){ 2, 5, 12, 15 }), 16);
}

static void tensors_types_and_dimensions(void **state)
{
    (void)state;
    const uint64_t ones[9] = { 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    for (unsigned v = 5; v <= 8; v += 3) {
        ts_descriptor d = small(v);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        for (unsigned i = 0; i < 3; ++i) {
            d = small(v);
            memset(&d.tensors[i], 0, sizeof d.tensors[i]);
            expect_number(&d, 1, TS_RESULT_INVALID);
            d = small(v);
            d.tensors[i].given &= ~(uint32_t)TS_GIVEN_SIZES;
            expect_number(&d, 1, TS_RESULT_INVALID);
            d = small(v);
            d.tensors[i].total_bytes -= 1;
            expect_number(&d, 5, TS_RESULT_INVALID);
        }
        d = small(v);
        d.tensors[OUT].dtype = TS_INT32;
        expect_number(&d, 3, TS_RESULT_INVALID);
        d = small(v);
        static const uint32_t integers[] = { TS_INT8,  TS_INT16,  TS_INT32,  TS_INT64,
                                             TS_UINT8, TS_UINT16, TS_UINT32, TS_UINT64 };
        for (size_t i = 0; i < sizeof integers / sizeof integers[0]; ++i) {
            d.tensors[INDICES].dtype = integers[i];
            d.tensors[INDICES].total_bytes = 1000;
            expect_clause(&d, NULL, TS_RESULT_NONE);
        }
        static const uint32_t others[] = { TS_FLOAT16, TS_BFLOAT16, TS_FLOAT32, TS_FLOAT64, TS_BOOLEAN };
        for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
            d.tensors[INDICES].dtype = others[i];
            expect_number(&d, 4, TS_RESULT_INVALID);
        }
        d = make(v, TS_BOOLEAN, 8, ones, TS_INT64, 8, ones, 0); /* as many dimensions as are judged */
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, 14);
        for (unsigned i = DATA; i <= INDICES; ++i) {
            ts_descriptor beyond = d;
            tensor_init(&beyond.tensors[i], i == DATA ? TS_BOOLEAN : TS_INT64, 9, ones);
            expect_number(&beyond, 2, TS_RESULT_UNSUPPORTED_FL);
            assert_false(d.op->shape(&beyond));
            tensor_init(&beyond.tensors[i], i == DATA ? TS_BOOLEAN : TS_INT64, 0, ones);
            expect_number(&beyond, 2, TS_RESULT_INVALID);
            assert_false(d.op->shape(&beyond));
        }
    }
}

static void batches_and_tuples(void **state)
{
    (void)state;
    static const struct {
        int64_t batch;
        uint64_t tuple;
        unsigned clause; /* 0: none */
    } cases[] = { { 0, 1, 0 },
                  { 0, 4, 0 },
                  { 0, 5, 8 },
                  { 0, 0, 15 },
                  { 1, 3, 0 },
                  { 1, 4, 8 },
                  { 2, 2, 0 },
                  { 3, 1, 6 },
                  { -1, 1, 6 },
                  { INT64_MIN, 1, 6 },
                  { INT64_C(1) << 32, 1, 6 } };
    for (unsigned v = 5; v <= 8; v += 3) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            ts_descriptor d =
                make(v, TS_INT8, 4, SIZES(2, 2, 2, 2), TS_INT32, 3, SIZES(2, 2, cases[i].tuple), cases[i].batch);
            if (cases[i].clause == 0) {
                expect_clause(&d, NULL, TS_RESULT_NONE);
                continue;
            }
            tensor_init(&d.tensors[OUT], TS_INT8, 0, NULL);
            expect_number(&d, cases[i].clause, TS_RESULT_INVALID);
        }
        ts_descriptor d = small(v);
        tensor_init(&d.tensors[DATA], TS_FLOAT32, 4, SIZES(2, 4, 4, 5));
        expect_number(&d, 7, TS_RESULT_INVALID);
        tensor_init(&d.tensors[DATA], TS_FLOAT32, 4, SIZES(2, 1, 4, 5));
        expect_clause(&d, NULL, TS_RESULT_NONE);
        tensor_init(&d.tensors[DATA], TS_FLOAT32, 4, SIZES(2, 0, 4, 5));
        expect_number(&d, 7, TS_RESULT_INVALID);
        d = small(v);
        tensor_init(&d.tensors[OUT], TS_FLOAT32, v == 5 ? 4 : 3, v == 5 ? SIZES(2, 3, 6, 5) : SIZES(6, 6, 5));
        expect_number(&d, 9, TS_RESULT_INVALID);
        d = small(v);
        d.tensors[OUT].sizes[1] -= 1;
        expect_number(&d, 9, TS_RESULT_INVALID);
        d = small(v);
        d.attrs_given = 0; /* an absent batch_dims is 0, whatever the member is */
        assert_true(d.op->shape(&d));
        assert_int_equal(d.tensors[OUT].rank, 6);
    }
    ts_descriptor d = make(5, TS_INT8, 3, SIZES(UINT64_C(1) << 40, UINT64_C(1) << 40, 2), TS_INT32, 3,
                           SIZES(UINT64_C(1) << 40, UINT64_C(1) << 40, 1), 2);
    assert_false(d.op->shape(&d)); /* 2^80 batches */
}

static void indices_of_every_value(void **state)
{
    (void)state;
    static const int64_t beyond[] = { 5, 6, -6, INT32_MAX, INT32_MIN, (INT64_C(1) << 32) + 2, INT64_MAX, INT64_MIN };
    uint8_t data[] = { 10, 11, 12, 13, 14 };
    for (unsigned v = 5; v <= 8; v += 3)
        for (size_t i = 0; i < sizeof beyond / sizeof beyond[0]; ++i)
            for (unsigned k = 0; k < 2; ++k) { /* the first index of a tuple, and the second one */
                uint8_t out[2] = { 9, 9 };
                int64_t index[] = { 0, 4, 0, 0 };
                ts_descriptor d = make(v, TS_UINT8, 2, k ? SIZES(1, 5) : SIZES(5, 5), TS_INT64, 2, SIZES(2, 2), 0);
                uint8_t all[25] = { 10, 11, 12, 13, 14 };
                index[2 + k] = beyond[i];
                assert_int_equal(run(&d, k ? data : all, index, out), 1);
                assert_memory_equal(out, ((uint8_t[]){ 14, 0 }), 2);
            }
    uint8_t out = 9;
    ts_descriptor d = make(8, TS_UINT8, 1, SIZES(0), TS_INT32, 1, SIZES(1), 0);
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, data, (int32_t[]){ 0 }, &out), 1);
    assert_int_equal(out, 0);
    d = make(5, TS_UINT8, 2, SIZES(5, 1), TS_INT32, 2, SIZES(0, 1), 0);
    assert_int_equal(run(&d, data, data, data), 0);
}

/* The same index in every type that holds it. GatherND-8 counts negative ones from the end (ND8-14); GatherND-5 leaves
   them undefined. */
static void indices_of_every_type(void **state)
{
    (void)state;
    static const uint32_t types[] = {
        TS_INT8, TS_INT16, TS_INT32, TS_INT64, TS_UINT8, TS_UINT16, TS_UINT32, TS_UINT64
    };
    uint8_t data[200], out;
    for (unsigned i = 0; i < 200; ++i)
        data[i] = (uint8_t)i;
    for (unsigned v = 5; v <= 8; v += 3)
        for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i)
            for (int64_t index = -200; index < 200; ++index) {
                const bool is_signed = i < 4, narrow = types[i] == TS_INT8 || types[i] == TS_UINT8;
                if ((!is_signed && index < 0) || (is_signed && narrow && (index < -128 || index > 127)))
                    continue;
                ts_descriptor d = make(v, TS_UINT8, 1, SIZES(200), types[i], 1, SIZES(1), 0);
                assert_int_equal(run(&d, data, (int64_t[]){ index }, &out), v == 5 && index < 0);
                assert_int_equal(out, index >= 0 ? index : v == 8 ? index + 200 : 0);
            }
    ts_descriptor d = make(8, TS_UINT8, 1, SIZES(200), TS_UINT64, 1, SIZES(1), 0);
    assert_int_equal(run(&d, data, (uint64_t[]){ UINT64_MAX }, &out), 1); /* no -1 */
    d = make(8, TS_UINT8, 1, SIZES(200), TS_UINT8, 1, SIZES(1), 0);
    assert_int_equal(run(&d, data, (uint8_t[]){ 255 }, &out), 1);
}

/* ND5-16, ND8-16: a single batch of either tensor, or of both in different dimensions. */
static void a_single_batch_is_broadcast(void **state)
{
    (void)state;
    uint8_t data[] = { 1, 2, 3, 4, 5, 6 }, out[4];
    for (unsigned v = 5; v <= 8; v += 3) {
        ts_descriptor d = make(v, TS_UINT8, 2, SIZES(1, 3), TS_INT32, 2, SIZES(2, 1), 1);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2), 8);
        assert_int_equal(run(&d, data, (int32_t[]){ 2, 0 }, out), 0);
        assert_memory_equal(out, ((uint8_t[]){ 3, 1 }), 2);
        d = make(v, TS_UINT8, 2, SIZES(2, 3), TS_INT32, 2, SIZES(1, 1), 1);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2), 8);
        assert_int_equal(run(&d, data, (int32_t[]){ 1 }, out), 0);
        assert_memory_equal(out, ((uint8_t[]){ 2, 5 }), 2);
        d = make(v, TS_UINT8, 3, SIZES(2, 1, 3), TS_INT32, 3, SIZES(1, 2, 1), 2);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, v == 5 ? 1 : 2);
        assert_memory_equal(d.tensors[OUT].sizes, v == 5 ? SIZES(4) : SIZES(2, 2), v == 5 ? 8 : 16);
        assert_int_equal(run(&d, data, (int32_t[]){ 0, 2 }, out), 0);
        assert_memory_equal(out, ((uint8_t[]){ 1, 3, 4, 6 }), 4);
        d = make(v, TS_UINT8, 2, SIZES(0, 3), TS_INT32, 2, SIZES(1, 1), 1);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(0), 8);
    }
}

/* A second formula: both tensors as batches of rows, and a tuple as one number. */
static void random_cases_agree_with_flat_tuples(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned n = 0; n < 20000; ++n) {
        uint32_t draw[24];
        for (unsigned i = 0; i < 24; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (uint32_t)(seed >> 40);
        }
        const uint32_t batch = draw[0] % 3, tuple = 1 + draw[1] % 2, behind = draw[2] % 2, array = draw[3] % 2;
        const uint32_t rank = batch + tuple + behind, index_rank = batch + array + 1;
        uint64_t sizes[TS_MAX_DIMS], index_sizes[TS_MAX_DIMS], batches = 1, tuples = 1, picked = 1, block = 1;
        for (uint32_t i = 0; i < rank; ++i) {
            sizes[i] = 1 + draw[4 + i] % 3;
            *(i < batch ? &batches : i < batch + tuple ? &picked : &block) *= sizes[i];
        }
        memcpy(index_sizes, sizes, batch * sizeof sizes[0]);
        if (array)
            tuples = index_sizes[batch] = 1 + draw[12] % 3;
        index_sizes[index_rank - 1] = tuple;
        ts_descriptor d = make(n % 2 ? 5 : 8, TS_UINT16, rank, sizes, TS_INT64, index_rank, index_sizes, batch);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        uint16_t data[243], out[81], expected[81];
        int64_t index[54];
        for (unsigned i = 0; i < 243; ++i)
            data[i] = (uint16_t)(i * 31);
        for (uint64_t b = 0; b < batches; ++b)
            for (uint64_t j = 0; j < tuples; ++j) {
                uint64_t flat = 0;
                for (uint32_t k = 0; k < tuple; ++k) {
                    const uint64_t size = sizes[batch + k], at = (b * 5 + j * 3 + k + draw[20]) % size;
                    flat = flat * size + at;
                    index[(b * tuples + j) * tuple + k] = (int64_t)at;
                }
                for (uint64_t x = 0; x < block; ++x)
                    expected[(b * tuples + j) * block + x] = data[(b * picked + flat) * block + x];
            }
        assert_int_equal(run(&d, data, index, out), 0);
        assert_memory_equal(out, expected, batches * tuples * block * sizeof *out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_pages),
        cmocka_unit_test(tensors_types_and_dimensions),
        cmocka_unit_test(batches_and_tuples),
        cmocka_unit_test(indices_of_every_value),
        cmocka_unit_test(indices_of_every_type),
        cmocka_unit_test(a_single_batch_is_broadcast),
        cmocka_unit_test(random_cases_agree_with_flat_tuples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
