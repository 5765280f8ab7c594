/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of the audit beside the reference where their paths change: around the sizes of vectors and tiles, beyond
 * the limits of a dispatch, with bases of every alignment, and again after other calls. random_test.c of the cpu
 * backend runs on them as well.
 */
#include "audit/kernels/divmod.h"
#include "audit/kernels/plan_cache.h"
#include "backends/kernels/kernels_testing.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/dml/blocks.h"
#include "reference/openvino/strided_slice.h"

/* ---- parts ------------------------------------------------------------------------------------------------------- */

static void check_division(uint32_t n, uint32_t by)
{
    const divisor d = divisor_of(by);
    uint32_t rest;
    assert_int_equal(divisor_split(&d, n, &rest), n / by);
    assert_int_equal(rest, n % by);
}

static void test_divisors(void **state)
{
    (void)state;
    for (uint32_t bit = 0; bit < 31; ++bit) {
        for (uint32_t near = 0; near < 5; ++near) {
            const uint32_t by = (1u << bit) + near < 3 ? 1 : (1u << bit) + near - 2;
            for (uint32_t i = 0; i < 2000; ++i)
                check_division((uint32_t)testing_random(&seed) >> (1 + below(30)), by);
            for (uint32_t multiple = by; multiple < INT32_MAX - by && multiple / by < 200; multiple += by) {
                check_division(multiple, by);
                check_division(multiple - 1, by);
            }
            check_division(INT32_MAX, by);
            check_division(INT32_MAX / by * by, by);
            check_division(INT32_MAX / by * by - 1, by);
        }
    }
}

/* Eight keys stay; a ninth takes the place of the one that was not used for longest. */
static void test_plan_cache(void **state)
{
    (void)state;
    static plan_cache cache;
    plan_key keys[PLAN_SLOTS + 1] = { { .count = 0 } };
    uint32_t slots[PLAN_SLOTS];
    bool found;
    for (uint32_t k = 0; k <= PLAN_SLOTS; ++k)
        plan_key_list(&keys[k], (const uint64_t[]){ 7, k, 9 }, 3);
    for (uint32_t k = 0; k < PLAN_SLOTS; ++k) {
        slots[k] = plan_cache_slot(&cache, &keys[k], &found);
        assert_false(found);
    }
    for (uint32_t k = 0; k < PLAN_SLOTS; ++k) {
        if (k == 3)
            continue;
        assert_int_equal(plan_cache_slot(&cache, &keys[k], &found), slots[k]);
        assert_true(found);
    }
    assert_int_equal(plan_cache_slot(&cache, &keys[PLAN_SLOTS], &found), slots[3]);
    assert_false(found);
    plan_cache_slot(&cache, &keys[4], &found);
    assert_true(found);
    plan_cache_slot(&cache, &keys[3], &found);
    assert_false(found);
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

static void test_identity(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3000; ++i) {
        ts_descriptor d;
        uint64_t sizes[TS_MAX_DIMS];
        const uint32_t rank = 1 + below(6), dtype = some_type();
        operator_begin(&d, operators_find("dml.element_wise_identity"));
        some_sizes(rank, sizes);
        some_tensor(&d.tensors[0], dtype, rank, sizes, false);
        some_tensor(&d.tensors[1], dtype, rank, sizes, true);
        run_both(&d, 0);
        run_both(&d, 0); /* the same plan */
    }
}

/* The window moves between two calls, and nothing else. */
static void test_slice1(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        ts_dml_slice1 a;
        uint64_t in[TS_MAX_DIMS], out[TS_MAX_DIMS];
        const uint32_t rank = 1 + below(5), dtype = some_type();
        memset(&a, 0, sizeof a);
        operator_begin(&d, operators_find("dml.slice1"));
        some_sizes(rank, in);
        a.DimensionCount = rank;
        for (uint32_t k = 0; k < rank; ++k) {
            const uint32_t step = below(2) ? 1 : 1 + below(3), size = (uint32_t)in[k];
            a.InputWindowSizes[k] = below(2) || size == 1 ? size : size - 1;
            a.InputWindowStrides[k] = below(3) ? (int32_t)step : -(int32_t)step;
            out[k] = 1 + (a.InputWindowSizes[k] - 1) / step;
        }
        some_tensor(&d.tensors[0], dtype, rank, in, false);
        some_tensor(&d.tensors[1], dtype, rank, out, true);
        d.attrs_given = 15;
        for (uint32_t moved = 0; moved < 2; ++moved) {
            for (uint32_t k = 0; k < rank; ++k)
                a.InputWindowOffsets[k] = moved && a.InputWindowSizes[k] < in[k];
            memcpy(d.attrs, &a, sizeof a);
            run_both(&d, 0);
        }
    }
}

static void test_gather(void **state)
{
    (void)state;
    static const uint32_t index_types[] = { TS_INT32, TS_UINT32, TS_INT64, TS_UINT64 };
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        uint64_t in[TS_MAX_DIMS] = { below(2) ? 1 : 2 + below(5), 40 + below(20), some_size(50) };
        const uint64_t indices[TS_MAX_DIMS] = { 1, 1, below(4) ? some_size(600) : 1024 + below(1100) };
        const uint32_t pattern = below(4), dtype = some_type();
        if (pattern == 2)
            in[2] = 1 + below(3); /* runs */
        operator_begin(&d, operators_find("dml.gather"));
        const ts_dml_gather a = { 1, 1 };
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 3;
        some_tensor(&d.tensors[0], dtype, 3, in, false);
        some_tensor(&d.tensors[1], index_types[pattern ? 0 : below(4)], 3, indices, false);
        d.tensors[2].dtype = dtype;
        assert_true(d.op->shape(&d));
        some_tensor(&d.tensors[2], dtype, 3, d.tensors[2].sizes, true);
        run_both(&d, pattern);
    }
}

/* The axis before, between and behind other dimensions; batches of indices and their rests; threads. */
static void test_gather_elements(void **state)
{
    (void)state;
    static const uint32_t index_types[] = { TS_INT32, TS_UINT32, TS_INT64, TS_UINT64 };
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        uint64_t in[TS_MAX_DIMS] = { below(2) ? 1 : 2 + below(4), 1 + below(9), some_size(300) }, indices[TS_MAX_DIMS];
        const ts_dml_gather_elements a = { below(3) };
        const uint32_t dtype = some_type();
        memcpy(indices, in, sizeof in);
        if (below(3))
            indices[a.Axis] = some_size(a.Axis == 2 ? 600 : 30);
        operator_begin(&d, operators_find("dml.gather_elements"));
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 1;
        some_tensor(&d.tensors[0], dtype, 3, in, false);
        some_tensor(&d.tensors[1], index_types[below(4)], 3, indices, false);
        some_tensor(&d.tensors[2], dtype, 3, indices, true);
        run_both(&d, below(2) ? 0 : 1 + below(3));
    }
}

/* Batches, an array of tuples, and blocks of every kind; threads where all is dense. */
static void test_gather_nd(void **state)
{
    (void)state;
    static const uint32_t index_types[] = { TS_INT32, TS_UINT32, TS_INT64, TS_UINT64 };
    for (uint32_t i = 0; i < 3000; ++i) {
        ts_descriptor d;
        const uint32_t batches = below(3), tuple = 1 + below(3), block = below(3), rank = 8;
        const uint32_t input = batches + tuple + block, indices = batches + 1 + below(3), dtype = some_type();
        const bool batched = batches > 0 || below(2);
        uint64_t in[TS_MAX_DIMS], index[TS_MAX_DIMS];
        for (uint32_t k = 0; k < rank; ++k)
            in[k] = index[k] = 1;
        for (uint32_t k = 0; k < input; ++k)
            in[rank - input + k] = k + 1 < input ? 1 + below(5) : some_size(40);
        for (uint32_t k = 0; k + 1 < indices; ++k)
            index[rank - indices + k] = k < batches ? in[rank - input + k] : below(2) ? 1 + below(5) : some_size(300);
        index[rank - 1] = tuple;
        operator_begin(&d, operators_find(batched ? "dml.gather_nd1" : "dml.gather_nd"));
        const ts_dml_gather_nd1 a = { input, indices, batches };
        memcpy(d.attrs, &a, batched ? sizeof a : sizeof(ts_dml_gather_nd));
        d.attrs_given = batched ? 7 : 3;
        some_tensor(&d.tensors[0], dtype, rank, in, false);
        some_tensor(&d.tensors[1], index_types[below(4)], rank, index, false);
        d.tensors[2].dtype = dtype;
        assert_true(d.op->shape(&d));
        some_tensor(&d.tensors[2], dtype, rank, d.tensors[2].sizes, true);
        run_both(&d, below(2) ? 0 : 1 + below(3));
    }
}

/* Indices are inside of the axis, and several updates fall on an element, of which the last one remains. */
static void test_scatter_elements(void **state)
{
    (void)state;
    static const uint32_t index_types[] = { TS_INT32, TS_INT64, TS_UINT32, TS_UINT64 };
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        uint64_t in[TS_MAX_DIMS] = { below(2) ? 1 : 2 + below(4), 1 + below(9), some_size(300) }, indices[TS_MAX_DIMS];
        const ts_dml_scatter_elements a = { below(3) };
        const uint32_t dtype = some_type(), pattern = 1 + below(3);
        in[a.Axis] = 40 + below(a.Axis == 2 ? 600 : 20);
        memcpy(indices, in, sizeof in);
        indices[a.Axis] = 1 + below((uint32_t)in[a.Axis]);
        operator_begin(&d, operators_find("dml.scatter_elements"));
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 1;
        some_tensor(&d.tensors[0], dtype, 3, in, false);
        some_tensor(&d.tensors[1], index_types[below(pattern == 3 ? 2 : 4)], 3, indices, false);
        some_tensor(&d.tensors[2], dtype, 3, indices, false);
        some_tensor(&d.tensors[3], dtype, 3, in, true);
        run_both(&d, pattern);
    }
}

/* An array of tuples and blocks of every kind, of which several fall on the same elements; threads where all is dense.
 */
static void test_scatter_nd(void **state)
{
    (void)state;
    static const uint32_t index_types[] = { TS_INT32, TS_INT64, TS_UINT32, TS_UINT64 };
    for (uint32_t i = 0; i < 3000; ++i) {
        ts_descriptor d;
        const uint32_t tuple = 1 + below(3), block = below(3), rank = 8, input = tuple + block;
        const uint32_t indices = 1 + below(3), dtype = some_type(),
                       pattern = tuple > 1 ? 1 + 2 * below(2) : 1 + below(3);
        uint64_t in[TS_MAX_DIMS], index[TS_MAX_DIMS], update[TS_MAX_DIMS];
        for (uint32_t k = 0; k < rank; ++k)
            in[k] = index[k] = update[k] = 1;
        for (uint32_t k = 0; k < input; ++k)
            in[rank - input + k] = tuple == 1 && k == 0 ? 40 + below(5)
                                   : k < tuple          ? 7 + below(5)
                                                        : some_size(k + 1 < input ? 4 : 40);
        for (uint32_t k = 0; k + 1 < indices; ++k)
            index[rank - indices + k] = below(2) ? 1 + below(5) : some_size(300);
        index[rank - 1] = tuple;
        memcpy(update + rank - block, in + rank - block, block * sizeof *in);
        memcpy(update + rank - block - (indices - 1), index + rank - indices, (indices - 1) * sizeof *in);
        operator_begin(&d, operators_find("dml.scatter_nd"));
        const ts_dml_scatter_nd a = { input, indices };
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 3;
        some_tensor(&d.tensors[0], dtype, rank, in, false);
        some_tensor(&d.tensors[1], index_types[below(pattern == 3 ? 2 : 4)], rank, index, false);
        some_tensor(&d.tensors[2], dtype, rank, update, false);
        some_tensor(&d.tensors[3], dtype, rank, in, true);
        run_both(&d, pattern);
    }
}

static void test_random_generator(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 1000; ++i) {
        ts_descriptor d;
        uint64_t sizes[TS_MAX_DIMS];
        const uint32_t rank = 1 + below(3);
        operator_begin(&d, operators_find("dml.random_generator"));
        some_sizes(rank, sizes);
        tensor_init(&d.tensors[0], TS_UINT32, 1, (const uint64_t[]){ 6 });
        some_tensor(&d.tensors[1], TS_UINT32, rank, sizes, true);
        tensor_init(&d.tensors[2], TS_UINT32, 1, (const uint64_t[]){ 6 });
        d.attrs_given = 1;
        run_both(&d, 0);
    }
}

static void test_strided_slice(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3000; ++i) {
        ts_descriptor d;
        ts_openvino_strided_slice a;
        uint64_t sizes[TS_MAX_DIMS];
        const uint32_t rank = 1 + below(6), steps = below(rank + 1);
        memset(&a, 0, sizeof a);
        operator_begin(&d, operators_find("openvino.strided_slice"));
        some_sizes(rank, sizes);
        a.begin_count = a.end_count = a.stride_count = a.ellipsis_mask_count = a.new_axis_mask_count = steps;
        for (uint32_t k = 0; k < steps; ++k) {
            a.begin[k] = (int64_t)below(5) - 2;
            a.end[k] = below(2) ? INT64_MAX : INT64_MIN;
            a.stride[k] = a.end[k] > 0 ? 1 + below(3) : -(int64_t)(1 + below(3));
            a.new_axis_mask[k] = below(12) == 0;
        }
        if (steps > 0 && below(3) == 0)
            a.ellipsis_mask[below(steps)] = 1;
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 255;
        some_tensor(&d.tensors[0], some_type(), rank, sizes, false);
        d.tensors[1].dtype = d.tensors[0].dtype;
        assert_true(d.op->shape(&d));
        some_tensor(&d.tensors[1], d.tensors[0].dtype, d.tensors[1].rank, d.tensors[1].sizes, true);
        run_both(&d, 0);
    }
}

/* Rows of blocks around the sizes of vectors, and many short ones, in both orders and directions. */
static void test_blocks(void **state)
{
    static const char *const names[] = { "dml.space_to_depth1", "dml.depth_to_space1", "dml.space_to_depth",
                                         "dml.depth_to_space" };
    (void)state;
    for (uint32_t i = 0; i < 6000; ++i) {
        ts_descriptor d;
        const ts_dml_space_to_depth1 a = { below(4) ? 1 + below(4) : 1 + below(9), below(2) };
        const uint64_t block = a.BlockSize, columns = below(2) ? 1 + below(9) : some_size(40);
        const uint64_t channels = below(4) ? 1 + below(9) : some_size(40), batches = 1 + below(3);
        const uint64_t flat[] = { batches, channels, (1 + below(5)) * block, columns * block };
        const uint64_t deep[] = { batches, channels * block * block, flat[2] / block, columns };
        const bool to_depth = i % 2 == 0;
        const uint32_t dtype = some_type();
        operator_begin(&d, operators_find(names[i % 4]));
        memcpy(d.attrs, &a, d.op->attrs_size);
        d.attrs_given = (1u << d.op->attr_count) - 1;
        some_tensor(&d.tensors[0], dtype, 4, to_depth ? flat : deep, false);
        some_tensor(&d.tensors[1], dtype, 4, to_depth ? deep : flat, true);
        run_both(&d, 0);
        run_both(&d, 0); /* the same plan */
    }
}

/* Floats that are 0 or 1, whose sums are exact in any order. */
static void fill_summands(const ts_descriptor *d, uint32_t pattern)
{
    const ts_tensor *in = &d->tensors[0];
    const size_t width = tensor_element_bytes(in->dtype);
    const uint64_t one = in->dtype == TS_FLOAT16 ? 0x3C00 : 0x3F800000;
    for (uint64_t i = 0; i < in->total_bytes / width; ++i) {
        const uint64_t bits = below(1 + pattern) ? one : 0;
        memcpy((unsigned char *)in->data + i * width, &bits, width);
    }
}

static void fill_nothing(const ts_descriptor *d, uint32_t pattern)
{
    (void)d;
    (void)pattern;
}

/* Lines around the sizes of vectors and groups, along each dimension and in both directions, dense ones and others. */
static void test_cumulative_summation(void **state)
{
    (void)state;
    static const uint32_t types[] = { TS_INT32, TS_UINT32, TS_INT64, TS_UINT64, TS_FLOAT32, TS_FLOAT16 };
    for (uint32_t i = 0; i < 4000; ++i) {
        ts_descriptor d;
        uint64_t sizes[TS_MAX_DIMS];
        const uint32_t rank = 1 + below(4), dtype = types[below(6)];
        const ts_dml_cumulative_summation a = { below(rank), below(2), below(3) };
        some_sizes(rank, sizes);
        if (dtype == TS_FLOAT16)
            sizes[a.Axis] = sizes[a.Axis] < 2000 ? sizes[a.Axis] : 2000; /* larger sums are rounded */
        operator_begin(&d, operators_find("dml.cumulative_summation"));
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 7;
        some_tensor(&d.tensors[0], dtype, rank, sizes, false);
        some_tensor(&d.tensors[1], dtype, rank, sizes, true);
        void (*fill)(const ts_descriptor *, uint32_t) =
            dtype == TS_FLOAT16 || dtype == TS_FLOAT32 ? fill_summands : fill_nothing;
        run_filled(&d, fill, 1 + below(3));
        run_filled(&d, fill, 1); /* the same plan */
    }
}

/* Several times the groups of a long row whose sums are kept at once, and a remainder. */
static void test_long_sums(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 4; ++i) {
        ts_descriptor d;
        const ts_dml_cumulative_summation a = { 1, i % 2, i / 2 };
        operator_begin(&d, operators_find("dml.cumulative_summation"));
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = 7;
        for (uint32_t t = 0; t < 2; ++t)
            tensor_init(&d.tensors[t], TS_INT64, 2, (const uint64_t[]){ 2, 39000 + i });
        run_both(&d, 0);
    }
}

/* More than 65,535 groups in each dimension of a dispatch, and a remainder. */
static void test_dispatch_limits(void **state)
{
    (void)state;
    static const uint64_t sizes[][4] = { { 1, 3, 65539, 3 }, { 1, 65539, 3, 2 }, { 3, 65539, 29, 3 } };
    for (uint32_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        ts_descriptor d;
        operator_begin(&d, operators_find("dml.element_wise_identity"));
        for (uint32_t t = 0; t < 2; ++t) {
            ts_tensor *tensor = &d.tensors[t];
            tensor_init(tensor, TS_UINT8, 4, sizes[i]);
            uint64_t stride = 2;
            for (uint32_t k = 4; k-- > 0; stride = stride * sizes[i][k] + t)
                tensor->strides[k] = stride;
            tensor->given |= TS_GIVEN_STRIDES;
            assert_true(tensor_min_bytes(tensor, &tensor->total_bytes));
        }
        run_both(&d, 0);
    }
}

/* A reset forgets plans and scratch memory, also twice and between calls. */
static void test_reset(void **state)
{
    for (size_t k = 0; kernel_operators[k]; ++k) {
        kernel_operators[k]->reset();
        kernel_operators[k]->reset();
    }
    test_dispatch_limits(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_divisors),        cmocka_unit_test(test_plan_cache),
        cmocka_unit_test(test_identity),        cmocka_unit_test(test_slice1),
        cmocka_unit_test(test_gather),          cmocka_unit_test(test_strided_slice),
        cmocka_unit_test(test_reset),           cmocka_unit_test(test_random_generator),
        cmocka_unit_test(test_gather_elements), cmocka_unit_test(test_scatter_elements),
        cmocka_unit_test(test_scatter_nd),      cmocka_unit_test(test_gather_nd),
        cmocka_unit_test(test_blocks),          cmocka_unit_test(test_cumulative_summation),
        cmocka_unit_test(test_long_sums),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
