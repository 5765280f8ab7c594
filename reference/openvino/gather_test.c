/* SPDX-License-Identifier: Apache-2.0 */
/* Gather-1, Gather-7 and Gather-8. */
#include "reference/expect_clause.h"
#include "reference/openvino/gather_shared.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { DATA, INDICES, OUT };

static const char *const names[] = { "openvino.gather_1", "openvino.gather_7", "openvino.gather_8" };
enum { GATHER_1, GATHER_7, GATHER_8 }; /* in names */

/* Set the attributes, of which Gather-1 has the first. */
static void set(ts_descriptor *d, int64_t axis, int64_t batch)
{
    operator_set_attr(d, 0, &axis, 1);
    if (d->op->attr_count > 1)
        operator_set_attr(d, 1, &batch, 1);
}

/* A descriptor with the output that shape computes, if it computes one. */
static ts_descriptor make(unsigned name, uint32_t dtype, uint32_t rank, const uint64_t *data, uint32_t index_type,
                          uint32_t index_rank, const uint64_t *indices, int64_t axis, int64_t batch)
{
    ts_descriptor d;
    uint64_t sizes[TS_MAX_DIMS];
    operator_begin(&d, operators_find(names[name]));
    set(&d, axis, batch);
    tensor_init(&d.tensors[DATA], dtype, rank, data);
    tensor_init(&d.tensors[INDICES], index_type, index_rank, indices);
    if (d.op->shape(&d)) {
        memcpy(sizes, d.tensors[OUT].sizes, sizeof sizes);
        tensor_init(&d.tensors[OUT], dtype, d.tensors[OUT].rank, sizes);
    }
    return d;
}

static ts_descriptor small(unsigned name)
{
    return make(name, TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 2, SIZES(2, 5), 1, 1);
}

/* Expect a clause by its number: "G1-05", "G7-05" or "G8-05". */
static void expect_number(const ts_descriptor *d, unsigned number, ts_result result)
{
    char id[16];
    snprintf(id, sizeof id, "G%s-%02u", d->op->name + strlen("openvino.gather_"), number);
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
    float data[40], out[24];
    for (unsigned i = 0; i < 40; ++i)
        data[i] = (float)(i + 1);
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k) {
        ts_descriptor d = make(k, TS_FLOAT32, 1, SIZES(5), TS_INT32, 1, SIZES(3), 0, 0);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(run(&d, data, (int32_t[]){ 0, 0, 4 }, out), 0);
        assert_memory_equal(out, ((float[]){ 1, 1, 5 }), 12);
        d = make(k, TS_FLOAT32, 4, SIZES(6, 12, 10, 24), TS_INT32, 4, SIZES(15, 4, 20, 28), 1, 0);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, 7);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(6, 15, 4, 20, 28, 10, 24), 56);
    }
    for (unsigned k = GATHER_7; k <= GATHER_8; ++k) {
        for (int64_t batch = -1; batch <= 1; batch += 2) { /* examples 5 and 2 */
            ts_descriptor d = make(k, TS_FLOAT32, 2, SIZES(2, 5), TS_INT32, 2, SIZES(2, 3), 1, batch);
            expect_clause(&d, NULL, TS_RESULT_NONE);
            assert_int_equal(run(&d, data, (int32_t[]){ 0, 0, 4, 4, 0, 0 }, out), 0);
            assert_memory_equal(out, ((float[]){ 1, 1, 5, 10, 6, 6 }), 24);
        }
        ts_descriptor d = make(k, TS_FLOAT32, 3, SIZES(2, 2, 5), TS_INT64, 3, SIZES(2, 2, 3), 2, 2);
        assert_int_equal(run(&d, data, (int64_t[]){ 0, 0, 4, 4, 0, 0, 1, 2, 4, 4, 3, 2 }, out), 0);
        assert_memory_equal(out, ((float[]){ 1, 1, 5, 10, 6, 6, 12, 13, 15, 20, 19, 18 }), 48);
        d = make(k, TS_FLOAT32, 4, SIZES(2, 1, 5, 4), TS_INT32, 2, SIZES(2, 3), 2, 1);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 1, 3, 4), 32);
        assert_int_equal(run(&d, data, (int32_t[]){ 1, 2, 4, 4, 3, 2 }, out), 0);
        assert_memory_equal(out, ((float[]){ 5,  6,  7,  8,  9,  10, 11, 12, 17, 18, 19, 20,
                                             37, 38, 39, 40, 33, 34, 35, 36, 29, 30, 31, 32 }),
                            96);
        d = make(k, TS_FLOAT32, 3, SIZES(2, 64, 128), TS_INT32, 3, SIZES(2, 32, 21), 1, 1);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 32, 21, 128), 32);
    }
    ts_descriptor d = make(GATHER_8, TS_FLOAT32, 1, SIZES(5), TS_INT32, 1, SIZES(3), 0, 0);
    assert_int_equal(run(&d, data, (int32_t[]){ 0, -2, -1 }, out), 0);
    assert_memory_equal(out, ((float[]){ 1, 4, 5 }), 12);
    assert_int_equal(run(&d, data, (int32_t[]){ 3, 10, -20 }, out), 0);
    assert_memory_equal(out, ((float[]){ 4, 0, 0 }), 12);
}

static void tensors_types_and_dimensions(void **state)
{
    (void)state;
    const uint64_t ones[16] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k) {
        ts_descriptor d = small(k);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        for (unsigned i = 0; i < 3; ++i) {
            d = small(k);
            memset(&d.tensors[i], 0, sizeof d.tensors[i]);
            expect_number(&d, 1, TS_RESULT_INVALID);
            d = small(k);
            d.tensors[i].given &= ~(uint32_t)TS_GIVEN_SIZES;
            expect_number(&d, 1, TS_RESULT_INVALID);
            d = small(k);
            d.tensors[i].total_bytes -= 1;
            expect_number(&d, 5, TS_RESULT_INVALID);
            d.tensors[i].given |= TS_GIVEN_STRIDES;
            d.tensors[i].strides[0] = UINT64_MAX / 2;
            d.tensors[i].total_bytes = UINT64_MAX;
            expect_number(&d, 5, TS_RESULT_INVALID);
        }
        d = small(k);
        d.attrs_given = 0;
        expect_number(&d, 1, TS_RESULT_INVALID);
        d = small(k);
        d.tensors[OUT].dtype = TS_INT32;
        expect_number(&d, 3, TS_RESULT_INVALID);
        d = small(k);
        d.tensors[DATA].dtype = d.tensors[OUT].dtype = TS_UINT4; /* any type: a limit of ours */
        expect_number(&d, 3, TS_RESULT_UNSUPPORTED_FL);
        d = small(k);
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
        d = make(k, TS_BOOLEAN, 8, ones, TS_INT64, 8, ones, 7, 0); /* as many dimensions as are judged */
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, 15);
        for (unsigned i = DATA; i <= INDICES; ++i) {
            ts_descriptor beyond = d;
            tensor_init(&beyond.tensors[i], i == DATA ? TS_BOOLEAN : TS_INT64, 9, ones);
            expect_number(&beyond, 2, TS_RESULT_UNSUPPORTED_FL);
            assert_false(d.op->shape(&beyond));
            beyond = d;
            beyond.tensors[i].given |= TS_GIVEN_STRIDES;
            beyond.tensors[i].sizes[0] = UINT64_MAX;
            beyond.tensors[i].strides[0] = 0;
            expect_number(&beyond, 2, TS_RESULT_UNSUPPORTED_FL);
        }
        tensor_init(&d.tensors[DATA], TS_BOOLEAN, 0, ones);
        expect_number(&d, 2, TS_RESULT_INVALID);
    }
}

static void axes(void **state)
{
    (void)state;
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k) {
        for (int64_t axis = -4; axis <= 3; ++axis) {
            ts_descriptor d = make(k, TS_FLOAT32, 3, SIZES(2, 3, 4), TS_INT32, 1, SIZES(7), axis, 0);
            if (axis == -4 || axis == 3) {
                expect_number(&d, 1, TS_RESULT_INVALID); /* there is no output */
                tensor_init(&d.tensors[OUT], TS_FLOAT32, 3, SIZES(2, 3, 7));
                expect_number(&d, 6, TS_RESULT_INVALID);
                continue;
            }
            uint64_t sizes[] = { 2, 3, 4 };
            sizes[axis < 0 ? axis + 3 : axis] = 7;
            expect_clause(&d, NULL, TS_RESULT_NONE);
            assert_memory_equal(d.tensors[OUT].sizes, sizes, sizeof sizes);
        }
        ts_descriptor d = small(k);
        set(&d, INT64_MIN, 0);
        expect_number(&d, 6, TS_RESULT_INVALID);
        set(&d, INT64_MAX, 0);
        expect_number(&d, 6, TS_RESULT_INVALID);
        d = make(k, TS_FLOAT32, 2, SIZES(3, 4), TS_INT32, 0, NULL, -1, 0); /* a single index removes the axis */
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(d.tensors[OUT].rank, 1);
        assert_int_equal(d.tensors[OUT].sizes[0], 3);
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 2, SIZES(3, 1));
        expect_number(&d, 7, TS_RESULT_INVALID);
        tensor_init(&d.tensors[OUT], TS_FLOAT32, 1, SIZES(4));
        expect_number(&d, 7, TS_RESULT_INVALID);
    }
}

static void batches(void **state)
{
    (void)state;
    static const struct {
        uint32_t rank, index_rank;
        int64_t axis, batch;
        unsigned clause; /* 0: none */
    } cases[] = {
        { 3, 3, 2, 2, 0 },
        { 3, 3, 2, -1, 0 },
        { 3, 3, 2, -3, 0 },
        { 3, 3, 2, 3, 13 },
        { 3, 3, 2, 4, 12 },
        { 3, 3, 2, -4, 12 },
        { 3, 3, 1, 2, 13 },
        { 3, 3, -2, 2, 13 },
        { 3, 2, 2, 2, 0 },
        { 3, 2, 2, 3, 12 },
        { 3, 2, 2, -2, 0 },
        { 3, 2, 2, -3, 12 },
        { 2, 3, 1, 1, 0 },
        { 2, 3, 1, 3, 12 },
        { 2, 3, 1, -2, 0 },
        { 2, 3, 1, -3, 12 },
        { 2, 3, 0, -2, 13 },
        { 2, 0, 0, 0, 0 },
        { 2, 0, 0, 1, 12 },
        { 2, 0, 1, -1, 12 },
        { 3, 3, 2, INT64_MIN, 12 },
        { 3, 3, 2, INT64_MAX, 12 },
        { 3, 3, 2, INT64_C(1) << 32, 12 },
    };
    for (unsigned k = GATHER_7; k <= GATHER_8; ++k) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            ts_descriptor d = make(k, TS_INT8, cases[i].rank, SIZES(2, 2, 2), TS_INT32, cases[i].index_rank,
                                   SIZES(2, 2, 2), cases[i].axis, cases[i].batch);
            if (cases[i].clause == 0) {
                expect_clause(&d, NULL, TS_RESULT_NONE);
                continue;
            }
            tensor_init(&d.tensors[OUT], TS_INT8, 0, NULL);
            expect_number(&d, cases[i].clause, TS_RESULT_INVALID);
        }
        ts_descriptor d = small(k);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 5, 4), 24);
        tensor_init(&d.tensors[INDICES], TS_INT32, 2, SIZES(1, 5));
        expect_number(&d, 14, TS_RESULT_INVALID);
        d = small(k);
        d.attrs_given = 1; /* an absent batch_dims is 0, whatever the member is */
        assert_true(d.op->shape(&d));
        assert_int_equal(d.tensors[OUT].rank, 4);
        assert_memory_equal(d.tensors[OUT].sizes, SIZES(2, 2, 5, 4), 32);
    }
}

/* Indices beyond an axis of five elements: whether each selects one, and whether what it gives is undefined. */
static void indices_of_every_value(void **state)
{
    (void)state;
    static const struct {
        int64_t index;
        uint8_t expected[3];
        bool marked[3];
    } cases[] = {
        { 0, { 10, 10, 10 }, { 0, 0, 0 } },
        { 4, { 14, 14, 14 }, { 0, 0, 0 } },
        { 5, { 0, 0, 0 }, { 1, 1, 0 } },
        { -1, { 0, 0, 14 }, { 1, 1, 0 } },
        { -5, { 0, 0, 10 }, { 1, 1, 0 } },
        { -6, { 0, 0, 0 }, { 1, 1, 0 } },
        { INT32_MAX, { 0, 0, 0 }, { 1, 1, 0 } },
        { INT32_MIN, { 0, 0, 0 }, { 1, 1, 0 } },
        { (INT64_C(1) << 32) + 2, { 0, 0, 0 }, { 1, 1, 0 } }, /* all 64 bits count */
        { INT64_MAX, { 0, 0, 0 }, { 1, 1, 0 } },
        { INT64_MIN, { 0, 0, 0 }, { 1, 1, 0 } },
    };
    uint8_t data[] = { 10, 11, 12, 13, 14 };
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k)
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
            uint8_t out[2] = { 9, 9 };
            ts_descriptor d = make(k, TS_UINT8, 1, SIZES(5), TS_INT64, 1, SIZES(2), 0, 0);
            assert_int_equal(run(&d, data, (int64_t[]){ 2, cases[i].index }, out), cases[i].marked[k]);
            assert_memory_equal(out, ((uint8_t[]){ 12, cases[i].expected[k] }), 2);
            if (cases[i].index != (int32_t)cases[i].index)
                continue;
            d = make(k, TS_UINT8, 1, SIZES(5), TS_INT32, 0, NULL, 0, 0);
            assert_int_equal(run(&d, data, (int32_t[]){ (int32_t)cases[i].index }, out), cases[i].marked[k]);
            assert_int_equal(out[0], cases[i].expected[k]);
        }
}

/* An unsigned index is never negative, however many of its bits are set. */
static void unsigned_indices(void **state)
{
    (void)state;
    static const uint32_t types[] = { TS_UINT8, TS_UINT16, TS_UINT32, TS_UINT64 };
    uint8_t data[256], out;
    for (unsigned i = 0; i < 256; ++i)
        data[i] = (uint8_t)i;
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k)
        for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
            ts_descriptor d = make(k, TS_UINT8, 1, SIZES(256), types[i], 1, SIZES(1), 0, 0);
            assert_int_equal(run(&d, data, (uint64_t[]){ 200 }, &out), 0);
            assert_int_equal(out, 200);
            assert_int_equal(run(&d, data, (uint64_t[]){ UINT64_MAX }, &out), k != GATHER_8 && types[i] != TS_UINT8);
            assert_int_equal(out, types[i] == TS_UINT8 ? 255 : 0);
        }
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k) {
        ts_descriptor d = make(k, TS_UINT8, 1, SIZES(256), TS_INT8, 1, SIZES(1), 0, 0);
        assert_int_equal(run(&d, data, (int8_t[]){ -128 }, &out), k != GATHER_8);
        assert_int_equal(out, k == GATHER_8 ? 128 : 0);
    }
}

/* An axis without elements has none that an index selects; without indices, there is no output. */
static void tensors_without_elements(void **state)
{
    (void)state;
    for (unsigned k = GATHER_1; k <= GATHER_8; ++k) {
        uint32_t out[2] = { 9, 9 };
        ts_descriptor d = make(k, TS_UINT32, 1, SIZES(0), TS_INT32, 1, SIZES(1), 0, 0);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        assert_int_equal(run(&d, out, (int32_t[]){ 0 }, out), k != GATHER_8);
        assert_memory_equal(out, ((uint32_t[]){ 0, 9 }), 8);
        d = make(k, TS_UINT32, 1, SIZES(5), TS_INT32, 2, SIZES(2, 0), 0, 0);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        out[0] = 9;
        assert_int_equal(run(&d, out, out, out), 0);
        assert_int_equal(out[0], 9);
    }
}

/* A second formula: data as batches of rows of blocks, and indices as batches of a list. */
static void random_cases_agree_with_nested_loops(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (unsigned n = 0; n < 20000; ++n) {
        uint32_t draw[16];
        for (unsigned i = 0; i < 16; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            draw[i] = (uint32_t)(seed >> 40);
        }
        const uint32_t batch = n % 3 ? draw[0] % 2 : 0, before = draw[1] % 2, behind = draw[2] % 2, many = draw[3] % 3;
        const uint32_t rank = batch + before + 1 + behind, axis = batch + before;
        uint64_t sizes[TS_MAX_DIMS], indices[TS_MAX_DIMS];
        uint64_t batches = 1, rows = 1, block = 1, picks = 1;
        for (uint32_t i = 0; i < rank; ++i) {
            sizes[i] = 1 + draw[4 + i] % 3;
            *(i < batch ? &batches : i < axis ? &rows : i > axis ? &block : &(uint64_t){ 1 }) *= sizes[i];
        }
        for (uint32_t i = 0; i < batch + many; ++i) {
            indices[i] = i < batch ? sizes[i] : 1 + draw[9 + i] % 3;
            picks *= i < batch ? 1 : indices[i];
        }
        ts_descriptor d = make(n % 3, TS_UINT16, rank, sizes, TS_INT64, batch + many, indices, axis, batch);
        expect_clause(&d, NULL, TS_RESULT_NONE);
        uint16_t data[81], out[256], expected[256];
        int64_t index[27];
        for (unsigned i = 0; i < 81; ++i)
            data[i] = (uint16_t)(i * 31);
        for (uint64_t i = 0; i < batches * picks; ++i)
            index[i] = (int64_t)((draw[15] + 5 * i) % sizes[axis]);
        uint64_t at = 0;
        for (uint64_t b = 0; b < batches; ++b)
            for (uint64_t r = 0; r < rows; ++r)
                for (uint64_t p = 0; p < picks; ++p)
                    for (uint64_t x = 0; x < block; ++x)
                        expected[at++] =
                            data[((b * rows + r) * sizes[axis] + (uint64_t)index[b * picks + p]) * block + x];
        assert_int_equal(run(&d, data, index, out), 0);
        assert_memory_equal(out, expected, at * sizeof *out);
    }
}

static void layouts_change_addresses_only(void **state)
{
    (void)state;
    uint32_t data[64], out[64];
    int32_t index[64] = { 0 };
    ts_descriptor d = make(GATHER_8, TS_UINT32, 2, SIZES(3, 4), TS_INT32, 2, SIZES(3, 1), 1, 1);
    for (unsigned i = 0; i < 64; ++i)
        data[i] = out[i] = 100 + i;
    memcpy(d.tensors[DATA].strides, SIZES(1, 3), 16);    /* transposed */
    memcpy(d.tensors[INDICES].strides, SIZES(5, 2), 16); /* padded */
    memcpy(d.tensors[OUT].strides, SIZES(7, 2), 16);
    d.tensors[INDICES].total_bytes = d.tensors[OUT].total_bytes = sizeof out;
    for (unsigned y = 0; y < 3; ++y)
        index[5 * y] = (int32_t)y - 2;
    expect_clause(&d, NULL, TS_RESULT_NONE);
    assert_int_equal(run(&d, data, index, out), 0);
    const unsigned picked[] = { 2, 3, 0 };
    for (unsigned y = 0; y < 3; ++y) {
        assert_int_equal(out[7 * y], data[y + 3 * picked[y]]);
        assert_int_equal(out[7 * y + 1], 100 + 7 * y + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_examples_of_the_pages),
        cmocka_unit_test(tensors_types_and_dimensions),
        cmocka_unit_test(axes),
        cmocka_unit_test(batches),
        cmocka_unit_test(indices_of_every_value),
        cmocka_unit_test(unsigned_indices),
        cmocka_unit_test(tensors_without_elements),
        cmocka_unit_test(random_cases_agree_with_nested_loops),
        cmocka_unit_test(layouts_change_addresses_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
