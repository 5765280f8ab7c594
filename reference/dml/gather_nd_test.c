/* SPDX-License-Identifier: Apache-2.0 */
/* GATHER_ND and GATHER_ND1. */
#include "reference/dml/gather_nd_shared.h"
#include "reference/expect_clause.h"
#include "reference/index_cases.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { IN, INDICES, OUT };

static void set_counts(ts_descriptor *d, uint32_t input, uint32_t indices, uint32_t batch)
{
    operator_set_attr(d, 0, (const int64_t[]){ input }, 1);
    operator_set_attr(d, 1, (const int64_t[]){ indices }, 1);
    if (d->op->attr_count > 2)
        operator_set_attr(d, 2, (const int64_t[]){ batch }, 1);
}

/* A descriptor with the output that shape computes. */
static ts_descriptor make(const char *name, uint32_t dtype, uint32_t rank, const uint64_t *in, uint32_t index_type,
                          const uint64_t *indices, const uint32_t counts[3])
{
    ts_descriptor d;
    uint64_t sizes[TS_MAX_DIMS];
    operator_begin(&d, operators_find(name));
    set_counts(&d, counts[0], counts[1], counts[2]);
    tensor_init(&d.tensors[IN], dtype, rank, in);
    tensor_init(&d.tensors[INDICES], index_type, rank, indices);
    assert_true(d.op->shape(&d));
    memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
    tensor_init(&d.tensors[OUT], dtype, rank, sizes);
    return d;
}

#define COUNTS(...) ((const uint32_t[3]){ __VA_ARGS__ })

static const char *const names[] = { "dml.gather_nd", "dml.gather_nd1" };

static ts_descriptor small(const char *name)
{
    return make(name, TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 1, 5, 2), COUNTS(3, 2));
}

/* Expect a clause by its number: "ND-05" or "ND1-05". */
static void expect_number(const ts_descriptor *d, unsigned number, ts_result result)
{
    char id[16];
    snprintf(id, sizeof id, "%s-%02u", d->op->attr_count > 2 ? "ND1" : "ND", number);
    expect_clause(d, id, result);
}

static uint64_t run(ts_descriptor *d, void *in, void *indices, void *out)
{
    ts_unspecified unspecified = { 0 };
    d->tensors[IN].data = in;
    d->tensors[INDICES].data = indices;
    d->tensors[OUT].data = out;
    d->op->run(d, &unspecified);
    return unspecified.count;
}

/* As printed, and with leading ones to four dimensions, as level 2_1 requires. */
static void the_examples_of_the_pages(void **state)
{
    (void)state;
    float in[12], out[6];
    for (unsigned i = 0; i < 12; ++i)
        in[i] = (float)i;
    for (unsigned k = 0; k < 2; ++k) {
        ts_descriptor d = make(names[k], TS_FLOAT32, 2, SIZES(2, 2), TS_UINT32, SIZES(2, 1), COUNTS(2, 2));
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(run(&d, in, (uint32_t[]){ 1, 0 }, out), 0);
        assert_memory_equal(out, ((float[]){ 2, 3, 0, 1 }), 16);
        d = make(names[k], TS_FLOAT32, 4, SIZES(1, 2, 2, 2), TS_UINT32, SIZES(1, 1, 2, 2), COUNTS(3, 2));
        d.feature_level = k ? TS_LEVEL_3_0 : TS_LEVEL_2_1;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(run(&d, in, (uint32_t[]){ 0, 1, 1, 0 }, out), 0);
        assert_memory_equal(out, ((float[]){ 2, 3, 4, 5 }), 16);
    }
    ts_descriptor d = make(names[1], TS_FLOAT32, 4, SIZES(1, 3, 2, 2), TS_UINT32, SIZES(1, 3, 2, 2), COUNTS(3, 3, 1));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(1, 1, 3, 2), 32);
    assert_int_equal(run(&d, in, (uint32_t[]){ 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 0 }, out), 0);
    assert_memory_equal(out, ((float[]){ 0, 3, 7, 4, 9, 10 }), 24);
}

static void the_sizes_of_the_text(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; ++k) {
        ts_descriptor d =
            make(names[k], TS_FLOAT32, 5, SIZES(3, 4, 5, 6, 7), TS_UINT32, SIZES(1, 1, 1, 2, 3), COUNTS(5, 3));
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(1, 1, 2, 6, 7), 40);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 5, SIZES(1, 2, 5, 6, 7)); /* as the formula gives them */
        expect_number(&d, 10, TS_RESULT_INVALID);
    }
}

static void levels_types_and_dimensions(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; ++k) {
        ts_descriptor d = small(names[k]);
        d.feature_level = k ? TS_LEVEL_3_0 : TS_LEVEL_2_1;
        expect_clause(&d, NULL, TS_RESULT_NONE);
        d.feature_level = k ? TS_LEVEL_2_1 : TS_LEVEL_2_0;
        expect_number(&d, 1, TS_RESULT_UNSUPPORTED_FL);
        for (unsigned i = 0; i < 3; ++i) {
            d = small(names[k]);
            memset(&d.tensors[i], 0, sizeof d.tensors[i]);
            expect_number(&d, 1, TS_RESULT_INVALID);
            d = small(names[k]);
            tensor_init(&d.tensors[i], i == INDICES ? TS_UINT32 : TS_FLOAT32, 3, SIZES(2, 5, 4));
            expect_number(&d, 2, TS_RESULT_INVALID);
        }
        for (unsigned i = 0; i < d.op->attr_count; ++i) {
            d = small(names[k]);
            d.attrs_given &= ~(1u << i);
            expect_number(&d, 1, TS_RESULT_INVALID);
        }
        d = small(names[k]);
        d.tensors[OUT].dtype = TS_INT32;
        expect_number(&d, 3, TS_RESULT_INVALID);
        d = small(names[k]);
        d.tensors[INDICES].dtype = TS_FLOAT32;
        expect_number(&d, 4, TS_RESULT_INVALID);
        d = make(names[k], TS_INT64, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 1, 5, 2), COUNTS(3, 2));
        d.feature_level = TS_LEVEL_4_0;
        expect_number(&d, 3, TS_RESULT_UNSUPPORTED_FL);
    }
    ts_descriptor d = small(names[0]);
    d.tensors[INDICES].dtype = TS_INT32;
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, "ND-04", TS_RESULT_UNSUPPORTED_FL);
    d = make(names[0], TS_FLOAT32, 2, SIZES(3, 4), TS_UINT32, SIZES(5, 2), COUNTS(2, 2));
    d.feature_level = TS_LEVEL_2_1;
    expect_clause(&d, "ND-02", TS_RESULT_UNSUPPORTED_FL);
}

static void counts_of_dimensions(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; ++k) {
        ts_descriptor d = small(names[k]);
        const uint32_t wrong[] = { 0, 5, UINT32_MAX };
        for (unsigned i = 0; i < 3; ++i) {
            set_counts(&d, wrong[i], 2, 0);
            expect_number(&d, 5, TS_RESULT_INVALID);
            set_counts(&d, 3, wrong[i], 0);
            expect_number(&d, 6, TS_RESULT_INVALID);
        }
        set_counts(&d, 4, 2, 0); /* the leading one counts: the tuples pick from it, and more is left */
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, SIZES(1, 5, 3, 4));
        expect_clause(&d, NULL, TS_RESULT_NONE);
        set_counts(&d, 2, 2, 0);
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, SIZES(1, 1, 1, 5));
        expect_number(&d, 7, TS_RESULT_OPEN); /* a 2 that does not count */
        d = small(names[k]);
        set_counts(&d, 3, 1, 0);
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, SIZES(1, 1, 1, 4));
        expect_number(&d, 8, TS_RESULT_OPEN); /* a 5 that does not count */
        d = make(names[k], TS_FLOAT32, 3, SIZES(1, 1, 4), TS_UINT32, SIZES(1, 5, 1), COUNTS(1, 2));
        expect_clause(&d, NULL, TS_RESULT_NONE);
        tensor_init(&d.tensors[INDICES], TS_UINT32, 3, SIZES(1, 5, 2));
        expect_clause(&d, k ? "ND1-18" : "ND-15", TS_RESULT_OPEN);
        tensor_init(&d.tensors[INDICES], TS_UINT32, 3, SIZES(1, 5, 3)); /* as many as the tensors have dimensions */
        expect_clause(&d, k ? "ND1-18" : "ND-15", TS_RESULT_OPEN);
        tensor_init(&d.tensors[INDICES], TS_UINT32, 3, SIZES(1, 5, 4));
        expect_number(&d, 9, TS_RESULT_INVALID);
        d = make(names[k], TS_FLOAT32, 3, SIZES(2, 3, 4), TS_UINT32, SIZES(1, 5, 1), COUNTS(3, 2));
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(5, 3, 4), 24);
        set_counts(&d, 3, 3, 0); /* {1,5,3,4} has too many dimensions, though one of them is 1 */
        assert_false(d.op->shape(&d));
        expect_number(&d, 10, TS_RESULT_INVALID);
    }
}

/* These counts break two clauses, the second one with these words. */
static void expect_counts(ts_descriptor *d, uint32_t input, uint32_t indices, uint32_t batch, const char *first,
                          const char *second, const char *words)
{
    ts_report report = { .count = 0 };
    set_counts(d, input, indices, batch);
    operator_check(d, &report);
    assert_int_equal(report.count, 2);
    assert_string_equal(report.items[0].clause, first);
    assert_string_equal(report.items[1].clause, second);
    assert_non_null(strstr(report.items[1].text, words));
}

static void batches(void **state)
{
    (void)state;
    ts_descriptor d = make(names[1], TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 2, 5, 1), COUNTS(3, 3, 1));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_memory_equal(d.tensors[OUT].sizes, SIZES(1, 2, 5, 4), 32);
    tensor_init(&d.tensors[INDICES], TS_UINT32, 4, SIZES(1, 3, 5, 1));
    tensor_init(&d.tensors[OUT], TS_FLOAT32, 4, SIZES(1, 3, 5, 4));
    expect_clause(&d, "ND1-16", TS_RESULT_OPEN);
    d = make(names[1], TS_FLOAT32, 4, SIZES(1, 2, 3, 4), TS_UINT32, SIZES(1, 2, 3, 1), COUNTS(3, 3, 2));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    set_counts(&d, 3, 3, 3);
    expect_clause(&d, "ND1-17", TS_RESULT_OPEN);
    set_counts(&d, 4, 3, 3);
    expect_clause(&d, "ND1-17", TS_RESULT_OPEN);
    set_counts(&d, 4, 4, 4);
    expect_clause(&d, "ND1-15", TS_RESULT_INVALID);
    set_counts(&d, 3, 4, UINT32_MAX);
    expect_clause(&d, "ND1-15", TS_RESULT_INVALID);
    expect_counts(&d, 5, 3, 3, "ND1-05", "ND1-17",
                  "BatchDimensionCount = 3 is not below InputDimensionCount = 5 and IndicesDimensionCount = 3");
    expect_counts(&d, 3, 5, 3, "ND1-06", "ND1-17",
                  "BatchDimensionCount = 3 is not below InputDimensionCount = 3 and IndicesDimensionCount = 5");
    expect_counts(&d, 5, 0, 3, "ND1-05", "ND1-06", ""); /* no count bounds the batch */
    d = make(names[1], TS_FLOAT32, 3, SIZES(2, 3, 4), TS_UINT32, SIZES(2, 5, 2), COUNTS(3, 3, 1));
    expect_clause(&d, NULL, TS_RESULT_NONE);
    tensor_init(&d.tensors[INDICES], TS_UINT32, 3, SIZES(2, 5, 3));
    expect_clause(&d, "ND1-18", TS_RESULT_OPEN);
    d.decisions = TS_DECISIONS_BINDING;
    expect_clause(&d, "ND1-18", TS_RESULT_INVALID);
}

/* Negative indices count from the end; those beyond their dimension are clamped, and their elements marked undefined.
 */
static void indices_of_every_type(void **state)
{
    (void)state;
    for (unsigned i = 0; i < INDEX_CASES; ++i)
        for (unsigned k = 0; k < 2; ++k) {
            uint8_t in[10] = { 9, 9, 9, 9, 9, 0, 1, 2, 3, 4 }, out[2] = { 0 };
            uint64_t index[4] = { 0, 0, 0, 0 };
            ts_descriptor d = make(names[k], TS_UINT8, 2, SIZES(2, 5), index_cases[i].dtype, SIZES(2, 2), COUNTS(2, 2));
            const size_t bytes = tensor_element_bytes(index_cases[i].dtype);
            memcpy((unsigned char *)index + 2 * bytes, (uint64_t[]){ 1 }, bytes); /* the second tuple */
            memcpy((unsigned char *)index + 3 * bytes, &index_cases[i].bits, bytes);
            assert_int_equal(run(&d, in, index, out), index_cases[i].marked);
            assert_memory_equal(out, ((uint8_t[]){ 9, index_cases[i].expected }), 2);
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
        const uint32_t batch = n % 2 ? draw[0] % 2 : 0, tuple = 1 + draw[1] % 2, behind = draw[2] % 2;
        const uint32_t array = draw[3] % 2, input = batch + tuple + behind, indices = batch + array + 1, rank = 5;
        uint64_t in[TS_MAX_DIMS], index[TS_MAX_DIMS];
        for (uint32_t i = 0; i < rank; ++i) {
            in[i] = i + input < rank ? 1 : 1 + draw[4 + i] % 3;
            index[i] = i + indices < rank ? 1 : 1 + draw[9 + i] % 3;
        }
        for (uint32_t i = 0; i < batch; ++i)
            index[rank - indices + i] = in[rank - input + i];
        index[rank - 1] = tuple;
        uint64_t batch_count = 1, tuples = 1, block = 1, picked = 1;
        for (uint32_t i = rank - input; i < rank; ++i)
            *(i < rank - input + batch ? &batch_count : i < rank - behind ? &picked : &block) *= in[i];
        for (uint32_t i = rank - indices + batch; i + 1 < rank; ++i)
            tuples *= index[i];
        ts_descriptor d = make(names[n % 2], TS_UINT16, rank, in, TS_INT64, index, COUNTS(input, indices, batch));
        expect_clause(&d, NULL, TS_RESULT_NONE);
        uint16_t data[81], out[81], expected[81];
        int64_t data_of_indices[54];
        for (unsigned i = 0; i < 81; ++i)
            data[i] = (uint16_t)(i * 31);
        for (uint64_t b = 0; b < batch_count; ++b)
            for (uint64_t j = 0; j < tuples; ++j) {
                uint64_t flat = 0;
                for (uint32_t k = 0; k < tuple; ++k) {
                    const uint64_t size = in[rank - input + batch + k], at = (b * 5 + j * 3 + k + draw[20]) % size;
                    flat = flat * size + at;
                    data_of_indices[(b * tuples + j) * tuple + k] =
                        (int64_t)at - (draw[21 + k] % 2 ? (int64_t)size : 0);
                }
                for (uint64_t x = 0; x < block; ++x)
                    expected[(b * tuples + j) * block + x] = data[(b * picked + flat) * block + x];
            }
        assert_int_equal(run(&d, data, data_of_indices, out), 0);
        assert_memory_equal(out, expected, batch_count * tuples * block * sizeof *out);
    }
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint32_t in[64], out[64], index[64] = { 0 };
    ts_descriptor d = make(names[1], TS_UINT32, 2, SIZES(3, 4), TS_UINT32, SIZES(3, 1), COUNTS(2, 2, 1));
    for (unsigned i = 0; i < 64; ++i)
        in[i] = out[i] = 100 + i;
    memcpy(d.tensors[IN].strides, SIZES(1, 3), 16);      /* transposed */
    memcpy(d.tensors[INDICES].strides, SIZES(5, 2), 16); /* padded */
    memcpy(d.tensors[OUT].strides, SIZES(7, 2), 16);
    d.tensors[INDICES].total_bytes = d.tensors[OUT].total_bytes = sizeof out;
    for (unsigned y = 0; y < 3; ++y)
        index[5 * y] = 3 - y;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, in, index, out), 0);
    for (unsigned y = 0; y < 3; ++y) {
        assert_int_equal(out[2 * y], in[y + 3 * (3 - y)]);
        assert_int_equal(out[2 * y + 1], 100 + 2 * y + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_pages),
        cmocka_unit_test(the_sizes_of_the_text),
        cmocka_unit_test(levels_types_and_dimensions),
        cmocka_unit_test(counts_of_dimensions),
        cmocka_unit_test(batches),
        cmocka_unit_test(indices_of_every_type),
        cmocka_unit_test(random_cases_agree_with_flat_tuples),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
