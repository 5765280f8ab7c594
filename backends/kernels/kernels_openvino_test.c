/* SPDX-License-Identifier: Apache-2.0 */
/* As kernels_test.c, for OpenVINO's operators with indices, and for JOIN. Where a specification leaves open what an
   index beyond the axis selects, there is none. */
#include "backends/kernels/kernels_testing.h"
#include "reference/dml/join.h"
#include "reference/openvino/gather_7.h"
#include "reference/openvino/non_zero_3.h"

enum { MOST_INPUTS = 5 };

/* `count` sizes of which one may be long, so that few tensors exceed the budget. */
static void few_sizes(uint64_t *sizes, uint32_t count, uint64_t most)
{
    for (uint32_t k = 0; k < count; ++k)
        sizes[k] = 1 + below(4);
    if (count > 0)
        sizes[below(count)] = some_size(most);
}

/* Make the output that the other tensors and the attributes of a descriptor imply, and run it. */
static void finish(ts_descriptor *d, uint32_t out, uint32_t pattern)
{
    d->tensors[out].dtype = d->tensors[0].dtype;
    assert_true(d->op->shape(d));
    some_tensor(&d->tensors[out], d->tensors[out].dtype, d->tensors[out].rank, d->tensors[out].sizes, true);
    run_both(d, pattern);
    run_both(d, pattern); /* the same plan */
}

/* All versions, with batches; indices beyond the axis of Gather-8. */
static void test_gather(void **state)
{
    (void)state;
    static const char *const names[] = { "openvino.gather_1", "openvino.gather_7", "openvino.gather_8" };
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        const uint32_t version = below(3), batch = version == 0 ? 0 : below(3), axis = batch + below(2);
        const uint32_t rank = axis + 1 + below(3), array = batch + below(3);
        uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
        few_sizes(in, rank, 40);
        in[axis] = version == 2 && below(2) ? 1 + below(60) : 40 + below(20);
        few_sizes(indices, array, below(4) ? 80 : 1100);
        memcpy(indices, in, batch * sizeof *in);
        operator_begin(&d, operators_find(names[version]));
        const bool end = below(2);
        const ts_openvino_gather_7 a = { end ? (int64_t)axis - rank : axis,
                                         end && array > batch && array - batch <= rank ? (int64_t)batch - array
                                                                                       : batch };
        memcpy(d.attrs, &a, version == 0 ? sizeof a.axis : sizeof a);
        d.attrs_given = version == 0 ? 1 : 3;
        some_tensor(&d.tensors[0], some_type(), rank, in, false);
        some_tensor(&d.tensors[1], below(2) ? TS_INT32 : TS_INT64, array, indices, false);
        finish(&d, 2, version == 2 ? below(4) : 1 + below(2));
    }
}

/* The output of GatherND-5 has one dimension for all batches. */
static void test_gather_nd(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        const uint32_t batch = below(4), tuple = 1 + below(2), block = below(2), rank = batch + tuple + block;
        const uint32_t array = batch + 1 + below(2);
        uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
        few_sizes(in, rank, 20);
        few_sizes(indices, array, 300);
        for (uint32_t k = 0; k < tuple; ++k)
            in[batch + k] = 4 + below(3);
        memcpy(indices, in, batch * sizeof *in);
        indices[array - 1] = tuple;
        operator_begin(&d, operators_find(below(2) ? "openvino.gather_nd_5" : "openvino.gather_nd_8"));
        memcpy(d.attrs, &(int64_t){ batch }, sizeof(int64_t));
        d.attrs_given = batch > 0;
        some_tensor(&d.tensors[0], some_type(), rank, in, false);
        some_tensor(&d.tensors[1], below(2) ? TS_INT32 : TS_INT64, array, indices, false);
        finish(&d, 2, 1);
    }
}

/* Indices of all types; fewer of them than elements beside the axis. */
static void test_scatter_elements(void **state)
{
    (void)state;
    static const uint32_t types[] = {
        TS_INT8, TS_UINT8, TS_INT16, TS_UINT16, TS_INT32, TS_UINT32, TS_INT64, TS_UINT64
    };
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        const uint32_t rank = 1 + below(3), axis = below(rank), dtype = some_type();
        const bool whole = below(2);
        uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS];
        few_sizes(in, rank, 300);
        in[axis] = 40 + below(300);
        for (uint32_t k = 0; k < rank; ++k)
            indices[k] = whole && k != axis ? in[k] : 1 + below((uint32_t)in[k]);
        operator_begin(&d, operators_find("openvino.scatter_elements_update_3"));
        memcpy(d.attrs, &(int64_t){ below(2) ? (int64_t)axis - rank : axis }, sizeof(int64_t));
        d.attrs_given = 1;
        some_tensor(&d.tensors[0], dtype, rank, in, false);
        some_tensor(&d.tensors[1], types[below(8)], rank, indices, false);
        some_tensor(&d.tensors[2], dtype, rank, indices, false);
        finish(&d, 3, 1 + below(2));
    }
}

static void test_scatter_update(void **state)
{
    (void)state;
    static const uint32_t types[] = {
        TS_INT8, TS_UINT8, TS_INT16, TS_UINT16, TS_INT32, TS_UINT32, TS_INT64, TS_UINT64
    };
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        const uint32_t axis = below(3), rank = axis + 1 + below(3), array = below(3), dtype = some_type();
        uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS], updates[TS_MAX_DIMS];
        few_sizes(in, rank, 40);
        in[axis] = 40 + below(20);
        few_sizes(indices, array, below(4) ? 80 : 600);
        memcpy(updates, in, axis * sizeof *in);
        memcpy(updates + axis, indices, array * sizeof *in);
        memcpy(updates + axis + array, in + axis + 1, (rank - axis - 1) * sizeof *in);
        operator_begin(&d, operators_find("openvino.scatter_update"));
        memcpy(d.attrs, &(int64_t){ below(2) ? (int64_t)axis - rank : axis }, sizeof(int64_t));
        d.attrs_given = 1;
        some_tensor(&d.tensors[0], dtype, rank, in, false);
        some_tensor(&d.tensors[1], types[below(8)], array, indices, false);
        some_tensor(&d.tensors[2], dtype, rank + array - 1, updates, false);
        finish(&d, 3, 1 + below(2));
    }
}

/* Tuples of every length, also without indices. */
static void test_scatter_nd(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2000; ++i) {
        ts_descriptor d;
        const uint32_t tuple = below(3), rank = tuple + 1 + below(2), array = 1 + below(3), dtype = some_type();
        uint64_t in[TS_MAX_DIMS], indices[TS_MAX_DIMS], updates[TS_MAX_DIMS];
        few_sizes(in, rank, 20);
        for (uint32_t k = 0; k < tuple; ++k)
            in[k] = 4 + below(3);
        few_sizes(indices, array, 100);
        indices[array - 1] = tuple;
        memcpy(updates, indices, (array - 1) * sizeof *in);
        memcpy(updates + array - 1, in + tuple, (rank - tuple) * sizeof *in);
        operator_begin(&d, operators_find("openvino.scatter_nd_update_3"));
        some_tensor(&d.tensors[0], dtype, rank, in, false);
        some_tensor(&d.tensors[1], below(2) ? TS_INT32 : TS_INT64, array, indices, false);
        some_tensor(&d.tensors[2], dtype, array - 1 + rank - tuple, updates, false);
        finish(&d, 3, 1);
    }
}

/* Parents within the beams, lengths about MAX_TIME, and ids of which some are end_token. */
static void fill_tree(const ts_descriptor *d, uint32_t pattern)
{
    for (unsigned t = 0; t < 4; ++t) {
        const ts_tensor *tensor = &d->tensors[t];
        const size_t width = tensor_element_bytes(tensor->dtype);
        for (uint64_t i = 0; i < tensor->total_bytes / width; ++i) {
            const uint64_t value = t == 1   ? testing_random(&seed) % d->tensors[0].sizes[2]
                                   : t == 2 ? testing_random(&seed) % (d->tensors[0].sizes[0] + 2)
                                            : testing_random(&seed) % (pattern + 1);
            memcpy((unsigned char *)tensor->data + width * i, &value, width);
        }
    }
}

/* Threads, rows, and beams that do not fit scratch memory. */
static void test_gather_tree(void **state)
{
    (void)state;
    static const uint32_t types[] = { TS_INT32, TS_INT32, TS_INT64, TS_UINT16, TS_INT16 };
    for (uint32_t i = 0; i < 1000; ++i) {
        ts_descriptor d;
        const uint32_t dtype = types[below(5)];
        const uint64_t sizes[TS_MAX_DIMS] = { 1 + below(9), 1 + below(9),
                                              i % 250 == 0 ? 7000 + below(700) : 1 + below(99) };
        operator_begin(&d, operators_find("openvino.gather_tree"));
        some_tensor(&d.tensors[0], dtype, 3, sizes, false);
        some_tensor(&d.tensors[1], dtype, 3, sizes, false);
        some_tensor(&d.tensors[2], dtype, 1, sizes + 1, false);
        tensor_init(&d.tensors[3], dtype, 0, sizes);
        some_tensor(&d.tensors[4], dtype, 3, sizes, true);
        run_filled(&d, fill_tree, 1 + below(30));
    }
}

/* None, every, or one of 2, 5 and so on elements of data is not zero; of floats, zeros have either sign. */
static void fill_zeros(const ts_descriptor *d, uint32_t pattern)
{
    const ts_tensor *data = &d->tensors[0];
    const size_t width = tensor_element_bytes(data->dtype);
    const uint64_t sign = UINT64_C(1) << (8 * width - 1);
    const bool is_float = tensor_dtype(data->dtype)->is_float;
    for (uint64_t i = 0; i < data->total_bytes / width; ++i) {
        const uint64_t zero = is_float && below(2) ? sign : 0, other = UINT64_C(1) << below((uint32_t)(8 * width - 1));
        const bool set = pattern > 0 && below(pattern) == 0;
        memcpy((unsigned char *)data->data + width * i, set ? &other : &zero, width);
    }
}

/* Lines, groups of threads, rows, and bits in the order of memory. Of a million elements, groups are larger. */
static void test_non_zero(void **state)
{
    (void)state;
    static const uint32_t types[] = { TS_UINT8,   TS_INT16, TS_FLOAT16, TS_BFLOAT16,
                                      TS_FLOAT32, TS_INT32, TS_FLOAT64, TS_INT64 };
    for (uint32_t i = 0; i < 3000; ++i) {
        static const uint32_t patterns[] = { 0, 1, 2, 5, 40, 3000 };
        ts_descriptor d;
        const ts_openvino_non_zero_3 a = { below(2) };
        const uint32_t rank = i % 1000 == 0 ? 2 : below(5);
        uint64_t sizes[TS_MAX_DIMS] = { 1100, 1000 };
        if (i % 1000 != 0 && rank > 0)
            some_sizes(rank, sizes);
        if (rank > 0 && below(50) == 0)
            sizes[below(rank)] = 0;
        operator_begin(&d, operators_find("openvino.non_zero_3"));
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE;
        some_tensor(&d.tensors[0], types[below(8)], rank, sizes, false);
        if (below(2))
            tensor_init(&d.tensors[0], d.tensors[0].dtype, rank, sizes);
        assert_true(d.op->shape(&d));
        memcpy(sizes, d.tensors[1].sizes, sizeof sizes);
        tensor_init(&d.tensors[1], a.output_type == TS_NON_ZERO_3_I32 ? TS_INT32 : TS_INT64, 2, sizes);
        const uint32_t pattern = patterns[below(6)];
        run_filled(&d, fill_zeros, pattern);
        run_filled(&d, fill_zeros, pattern); /* the same plan */
    }
}

/* Vectors, threads and blocks of dense tensors, and copies of others. */
static void test_join(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3000; ++i) {
        ts_descriptor d;
        const ts_dml_join a = { 1 + below(MOST_INPUTS), below(3) };
        const uint32_t dtype = some_type();
        const bool equal = below(2), packed = below(2);
        uint64_t sizes[TS_MAX_DIMS], sum = 0;
        few_sizes(sizes, 3, 300);
        operator_begin(&d, operators_find("dml.join"));
        memcpy(d.attrs, &a, sizeof a);
        d.attrs_given = TS_JOIN_GIVEN_INPUT_COUNT | TS_JOIN_GIVEN_AXIS;
        for (uint32_t k = 0; k < a.InputCount; ++k) {
            sizes[a.Axis] = equal && k > 0 ? sizes[a.Axis] : below(3) ? 1 + below(4) : some_size(60);
            sum += sizes[a.Axis];
            some_tensor(&d.tensors[k], dtype, 3, sizes, false);
            if (packed)
                tensor_init(&d.tensors[k], dtype, 3, sizes);
        }
        sizes[a.Axis] = sum;
        some_tensor(&d.tensors[TS_JOIN_OUTPUT], dtype, 3, sizes, true);
        if (packed)
            tensor_init(&d.tensors[TS_JOIN_OUTPUT], dtype, 3, sizes);
        run_both(&d, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gather),
        cmocka_unit_test(test_gather_nd),
        cmocka_unit_test(test_scatter_elements),
        cmocka_unit_test(test_scatter_update),
        cmocka_unit_test(test_scatter_nd),
        cmocka_unit_test(test_gather_tree),
        cmocka_unit_test(test_join),
        cmocka_unit_test(test_non_zero),
    };
    return cmocka_run_group_tests(tests, NULL, forget);
}
