/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/call_of.h"
#include "harness/formats/onnx/translate.h"
#include "harness/model/operator.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/dml/space_to_depth1.h"
#include "reference/openvino/strided_slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_slice1_ends_at_the_size_of_the_output(void **state)
{
    (void)state;
    ts_tensor tensors[2];
    onnx_call c;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 2, (const uint64_t[]){ 9, 9 });
    tensor_init(&tensors[1], TS_FLOAT32, 2, (const uint64_t[]){ 2, 4 });
    const ts_dml_slice1 a = { 2, { 1, 0 }, { 8, 8 }, { 3, -2 } };
    const ts_call call = call_of("dml.slice1", &a, sizeof a, 15, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.op, ONNX_SLICE);
    assert_int_equal(c.starts, 2);
    assert_int_equal(c.start[0], 1);
    assert_int_equal(c.end[0], 5);
    assert_int_equal(c.start[1], 7);
    assert_int_equal(c.end[1], 0);
    assert_int_equal(c.step[1], -2);
}

static void test_slice1_to_the_first_element_ends_before_all(void **state)
{
    (void)state;
    ts_tensor tensors[2];
    onnx_call c;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 1, (const uint64_t[]){ 4 });
    tensor_init(&tensors[1], TS_FLOAT32, 1, (const uint64_t[]){ 4 });
    const ts_dml_slice1 a = { 1, { 0 }, { 4 }, { -1 } };
    ts_call call = call_of("dml.slice1", &a, sizeof a, 15, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    assert_true(c.end[0] == INT64_MIN); /* -1 would be the last element */
    call.attrs_given = 7;               /* a null list */
    assert_false(onnx_translate(&call, &c, &why));
}

static void test_gather_loses_leading_ones(void **state)
{
    (void)state;
    ts_tensor tensors[3];
    onnx_call c;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 4, (const uint64_t[]){ 1, 1, 5, 6 });
    tensor_init(&tensors[1], TS_INT32, 4, (const uint64_t[]){ 1, 2, 3, 4 });
    tensor_init(&tensors[2], TS_FLOAT32, 4, (const uint64_t[]){ 2, 3, 4, 6 });
    ts_dml_gather a = { 2, 3 };
    const ts_call call = call_of("dml.gather", &a, sizeof a, 3, tensors, 3);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.axis, 0);
    assert_int_equal(c.data.rank, 2);
    assert_int_equal(c.data.sizes[0], 5);
    assert_int_equal(c.indices.rank, 3);
    assert_int_equal(c.indices.sizes[0], 2);
    assert_int_equal(c.output.rank, 4);
    a.IndexDimensions = 4; /* data has fewer leading ones */
    assert_false(onnx_translate(&call, &c, &why));
}

static void test_gather_of_one_index(void **state)
{
    (void)state;
    ts_tensor tensors[3];
    onnx_call c;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 2, (const uint64_t[]){ 5, 6 });
    tensor_init(&tensors[1], TS_INT32, 2, (const uint64_t[]){ 1, 1 });
    tensor_init(&tensors[2], TS_FLOAT32, 2, (const uint64_t[]){ 1, 6 });
    const ts_dml_gather a = { 0, 0 };
    const ts_call call = call_of("dml.gather", &a, sizeof a, 3, tensors, 3);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.indices.rank, 0);
    assert_int_equal(c.output.rank, 1);
    assert_int_equal(c.output.sizes[0], 6);
}

static void test_gather_elements_keeps_its_shapes(void **state)
{
    (void)state;
    ts_tensor tensors[3];
    onnx_call c;
    onnx_model m;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 3, (const uint64_t[]){ 1, 5, 6 });
    tensor_init(&tensors[1], TS_INT32, 3, (const uint64_t[]){ 1, 5, 2 });
    tensor_init(&tensors[2], TS_FLOAT32, 3, (const uint64_t[]){ 1, 5, 2 });
    const ts_dml_gather_elements a = { 2 };
    ts_call call = call_of("dml.gather_elements", &a, sizeof a, 1, tensors, 3);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.axis, 2);
    assert_int_equal(c.data.rank, 3);
    assert_int_equal(c.indices.sizes[2], 2);
    assert_int_equal(c.output.rank, 3);
    onnx_describe(&c, TS_FLOAT32, TS_INT32, &m);
    assert_string_equal(m.op, "GatherElements");
    assert_null(m.inputs[1].sizes);
    int64_t counts[ONNX_LISTS];
    onnx_state_shapes(&c, &m, counts);
    assert_int_equal(m.inputs[1].rank, 3);
    assert_int_equal(m.inputs[1].sizes[2], 2);
    assert_int_equal(m.input_count, 2);
    assert_int_equal(m.axis, 2);
    call.attrs_given = 0; /* Axis is not stated */
    assert_false(onnx_translate(&call, &c, &why));
}

static void test_sums_have_their_axis_in_the_model(void **state)
{
    (void)state;
    ts_tensor tensors[2];
    onnx_call c;
    onnx_model m;
    const char *why;
    int64_t counts[ONNX_LISTS];
    for (unsigned i = 0; i < 2; ++i)
        tensor_init(&tensors[i], TS_INT64, 3, (const uint64_t[]){ 1, 5, 6 });
    ts_dml_cumulative_summation a = { 2, TS_AXIS_DECREASING, 7 };
    ts_call call = call_of("dml.cumulative_summation", &a, sizeof a, 7, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    onnx_describe(&c, TS_INT64, 0, &m);
    onnx_state_shapes(&c, &m, counts);
    assert_string_equal(m.op, "CumSum");
    assert_int_equal(m.input_count, 2);
    assert_int_equal(m.inputs[0].rank, 3);
    assert_string_equal(m.inputs[1].name, "axis");
    assert_int_equal(m.inputs[1].rank, 0);
    assert_int_equal(*m.inputs[1].constant, 2);
    assert_string_equal(m.flags[0], "exclusive");
    assert_string_equal(m.flags[1], "reverse");
    a = (ts_dml_cumulative_summation){ 1, TS_AXIS_INCREASING, 0 };
    assert_true(onnx_translate(&call, &c, &why));
    onnx_describe(&c, TS_INT64, 0, &m);
    assert_null(m.flags[0]);
    assert_null(m.flags[1]);
    a.AxisDirection = 2;
    assert_false(onnx_translate(&call, &c, &why));
}

static void test_scatter_elements_has_three_inputs(void **state)
{
    (void)state;
    static const char *const names[] = { "data", "indices", "updates" };
    static const uint32_t types[] = { TS_FLOAT16, TS_INT64, TS_FLOAT16 };
    ts_tensor tensors[4];
    onnx_call c;
    onnx_model m;
    const char *why;
    for (unsigned i = 0; i < 4; ++i)
        tensor_init(&tensors[i], i == 1 ? TS_INT64 : TS_FLOAT16, 2, (const uint64_t[]){ i == 1 || i == 2 ? 3 : 5, 6 });
    const ts_dml_scatter_elements a = { 0 };
    ts_call call = call_of("dml.scatter_elements", &a, sizeof a, 1, tensors, 4);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.op, ONNX_SCATTER_ELEMENTS);
    assert_true(c.output_fits);
    onnx_describe(&c, TS_FLOAT16, TS_INT64, &m);
    assert_string_equal(m.op, "ScatterElements");
    assert_true(m.axis_name && m.axis == 0);
    assert_int_equal(m.input_count, 3);
    for (unsigned i = 0; i < 3; ++i) {
        assert_string_equal(m.inputs[i].name, names[i]);
        assert_int_equal(m.inputs[i].dtype, types[i]);
        assert_int_equal(onnx_input_shape(&c, i)->rank, 2);
        assert_int_equal(onnx_input_shape(&c, i)->sizes[0], i ? 3 : 5);
    }
    assert_int_equal(c.output.sizes[0], 5);
    call.attrs_given = 0; /* Axis is not stated */
    assert_false(onnx_translate(&call, &c, &why));
    call.attrs_given = 1;
    tensors[2].sizes[0] = UINT64_MAX;
    assert_false(onnx_translate(&call, &c, &why));
}

static void test_scatter_nd_drops_leading_ones(void **state)
{
    (void)state;
    static const uint64_t sizes[4][4] = { { 1, 5, 6, 7 }, { 1, 1, 9, 2 }, { 1, 1, 9, 7 }, { 1, 5, 6, 7 } };
    static const uint32_t ranks[] = { 3, 2, 2 };
    ts_tensor tensors[4];
    onnx_call c;
    onnx_model m;
    const char *why;
    for (unsigned i = 0; i < 4; ++i)
        tensor_init(&tensors[i], i == 1 ? TS_INT64 : TS_UINT8, 4, sizes[i]);
    ts_dml_scatter_nd a = { 3, 2 };
    ts_call call = call_of("dml.scatter_nd", &a, sizeof a, 3, tensors, 4);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.op, ONNX_SCATTER_ND);
    onnx_describe(&c, TS_UINT8, TS_INT64, &m);
    assert_string_equal(m.op, "ScatterND");
    assert_null(m.axis_name);
    assert_true(onnx_takes_indices(c.op, TS_INT64));
    assert_false(onnx_takes_indices(c.op, TS_INT32));
    for (unsigned i = 0; i < 3; ++i) {
        const onnx_shape *shape = onnx_input_shape(&c, i);
        assert_int_equal(shape->rank, ranks[i]);
        assert_int_equal(shape->sizes[shape->rank - 1], sizes[i][3]);
    }
    assert_int_equal(c.output.rank, 3);
    tensors[2].sizes[1] = 2; /* no leading one */
    assert_false(onnx_translate(&call, &c, &why));
    tensors[2].sizes[1] = 1;
    a.InputDimensionCount = 2; /* 5 does not count */
    assert_false(onnx_translate(&call, &c, &why));
    a.InputDimensionCount = 0;
    assert_false(onnx_translate(&call, &c, &why));
}

static void test_space_to_depth_has_one_order(void **state)
{
    (void)state;
    ts_tensor tensors[2];
    onnx_call c;
    onnx_model m;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 4, (const uint64_t[]){ 1, 2, 6, 9 });
    tensor_init(&tensors[1], TS_FLOAT32, 4, (const uint64_t[]){ 1, 18, 2, 3 });
    ts_dml_space_to_depth1 a = { 3, TS_DEPTH_COLUMN_ROW };
    ts_call call = call_of("dml.space_to_depth1", &a, sizeof a, 3, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.op, ONNX_SPACE_TO_DEPTH);
    assert_true(c.output_fits);
    assert_int_equal(c.output.sizes[1], 18);
    onnx_describe(&c, TS_FLOAT32, 0, &m);
    assert_string_equal(m.op, "SpaceToDepth");
    assert_string_equal(m.axis_name, "blocksize");
    assert_int_equal(m.axis, 3);
    assert_int_equal(m.input_count, 1);
    a.Order = TS_COLUMN_ROW_DEPTH;
    assert_false(onnx_translate(&call, &c, &why));
    assert_non_null(strstr(why, "DEPTH_COLUMN_ROW"));
    a.Order = TS_DEPTH_COLUMN_ROW;
    call.attrs_given = TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE;
    assert_false(onnx_translate(&call, &c, &why));
    call = call_of("dml.space_to_depth", &a, sizeof(ts_dml_space_to_depth), 1, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    assert_int_equal(c.op, ONNX_SPACE_TO_DEPTH);
}

static void test_depth_to_space_has_a_mode(void **state)
{
    (void)state;
    static const char *const modes[] = { "DCR", "CRD" };
    ts_tensor tensors[2];
    onnx_call c;
    onnx_model m;
    const char *why;
    tensor_init(&tensors[0], TS_FLOAT32, 4, (const uint64_t[]){ 1, 18, 2, 3 });
    tensor_init(&tensors[1], TS_FLOAT32, 4, (const uint64_t[]){ 1, 2, 6, 9 });
    for (uint32_t order = TS_DEPTH_COLUMN_ROW; order <= TS_COLUMN_ROW_DEPTH; ++order) {
        const ts_dml_depth_to_space1 a = { 3, order };
        const ts_call call = call_of("dml.depth_to_space1", &a, sizeof a, 3, tensors, 2);
        assert_true(onnx_translate(&call, &c, &why));
        onnx_describe(&c, TS_FLOAT32, 0, &m);
        assert_string_equal(m.op, "DepthToSpace");
        assert_string_equal(m.word_name, "mode");
        assert_string_equal(m.word, modes[order]);
        assert_int_equal(m.axis, 3);
    }
    const ts_dml_depth_to_space a = { 3 };
    const ts_call call = call_of("dml.depth_to_space", &a, sizeof a, 1, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    assert_false(c.columns_first);
}

static void test_masks_are_resolved(void **state)
{
    (void)state;
    ts_tensor tensors[2];
    onnx_call c;
    const char *why;
    ts_shape shape;
    /* data[-1, newaxis, ..., 5:2:-1] with begin of the last one masked */
    tensor_init(&tensors[0], TS_UINT8, 3, (const uint64_t[]){ 2, 3, 7 });
    tensor_init(&tensors[1], TS_UINT8, 3, (const uint64_t[]){ 1, 3, 4 });
    const ts_openvino_strided_slice a = { .begin_count = 4,
                                          .end_count = 4,
                                          .stride_count = 4,
                                          .begin_mask_count = 4,
                                          .new_axis_mask_count = 2,
                                          .shrink_axis_mask_count = 1,
                                          .ellipsis_mask_count = 3,
                                          .begin = { -1, 9, 9, 5 },
                                          .end = { 9, 9, 9, 2 },
                                          .stride = { 1, 1, 1, -1 },
                                          .begin_mask = { 0, 0, 0, 1 },
                                          .new_axis_mask = { 0, 1 },
                                          .shrink_axis_mask = { 1 },
                                          .ellipsis_mask = { 0, 0, 1 } };
    const ts_call call = call_of("openvino.strided_slice", &a, sizeof a, 255, tensors, 2);
    assert_true(onnx_translate(&call, &c, &why));
    assert_true(c.output_fits);
    assert_int_equal(c.starts, 3);
    assert_int_equal(c.start[0], -1);
    assert_true(c.end[0] == INT64_MAX);
    assert_int_equal(c.start[1], 0);
    assert_true(c.end[1] == INT64_MAX);
    assert_true(c.start[2] == INT64_MAX);
    assert_int_equal(c.end[2], 2);
    assert_int_equal(c.output.rank, 3);
    assert_int_equal(c.output.sizes[0], 1);
    assert_int_equal(c.output.sizes[1], 3);
    onnx_output_shape(&c, &c.output, &shape);
    assert_int_equal(shape.rank, 3);
    for (unsigned i = 0; i < 3; ++i)
        assert_int_equal(shape.sizes[i], tensors[1].sizes[i]);
    tensors[1].sizes[0] = 2; /* a new axis has one element */
    assert_true(onnx_translate(&call, &c, &why));
    assert_false(c.output_fits);
}

/* SLICE's steps as starts inside of the data: from the end, in front of it, behind it. */
static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        int64_t start, step, count, size;
        onnx_range range;
    } rows[] = {
        { 1, 2, 3, 9, { 1, 3, 2 } },         { -2, -1, 2, 5, { 3, 2, -1 } }, { INT64_MAX, -2, 3, 5, { 4, 3, -2 } },
        { INT64_MIN, 1, 4, 5, { 0, 4, 1 } }, { 4, -7, 1, 5, { 4, 1, 1 } },   { 5, 1, 0, 5, { 0, 0, 1 } },
        { 0, -1, 0, 0, { 0, 0, 1 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        const onnx_call c = { .data = { 2, { rows[i].size, 6 } },
                              .output = { 2, { rows[i].count, 6 } },
                              .starts = 1,
                              .ends = 1,
                              .steps = 1,
                              .start = { rows[i].start },
                              .step = { rows[i].step } };
        const onnx_range r = onnx_range_of(&c, 0), whole = onnx_range_of(&c, 1);
        assert_int_equal(r.start, rows[i].range.start);
        assert_int_equal(r.count, rows[i].range.count);
        assert_int_equal(r.step, rows[i].range.step);
        assert_true(whole.start == 0 && whole.count == 6 && whole.step == 1);
    }
}

static void test_clauses(void **state)
{
    (void)state;
    assert_true(onnx_shows_clause("dml.slice1", "SL-07"));
    assert_false(onnx_shows_clause("dml.slice1", "SL-0"));
    assert_false(onnx_shows_clause("dml.slice1", "BUF-12"));
    assert_true(onnx_shows_clause("dml.scatter_elements", "SE-07"));
    assert_false(onnx_shows_clause("dml.scatter_elements", "SE-06")); /* ONNX states no sizes beside the axis */
    assert_true(onnx_refuses_clause("dml.space_to_depth1", "SD1-05"));
    assert_false(onnx_shows_clause("dml.space_to_depth1", "SD1-04")); /* ONNX has no Order */
    assert_false(onnx_shows_clause("dml.nothing", "SL-07"));
}

static bool holds(const onnx_bytes *bytes, const unsigned char *part, size_t size)
{
    for (size_t i = 0; i + size <= bytes->size; ++i)
        if (memcmp(bytes->data + i, part, size) == 0)
            return true;
    return false;
}

static void test_model_is_protobuf(void **state)
{
    (void)state;
    static const unsigned char head[] = "\x08\x07\x12\x0a"
                                        "touchstone\x3a"; /* ir_version 7, producer_name, graph */
    static const unsigned char node[] = "\x0a\x04"
                                        "data\x12\x06"
                                        "output\x22\x08"
                                        "Identity";
    static const unsigned char shape[] = "\x12\x0a\x0a\x08\x08\x01\x12\x04\x0a\x02\x08\x03"; /* f32 [3] */
    static const unsigned char opset[] = "\x42\x02\x10\x0d";
    onnx_bytes bytes = { 0 };
    const int64_t sizes[] = { 3 };
    onnx_model model = { .op = "Identity",
                         .input_count = 1,
                         .inputs = { { .name = "data", .dtype = TS_FLOAT32, .sizes = sizes, .rank = 1 } },
                         .output = { .name = "output", .dtype = TS_FLOAT32 } };
    onnx_write_model(&bytes, &model);
    assert_false(bytes.failed);
    assert_memory_equal(bytes.data, head, sizeof head - 1);
    assert_true(holds(&bytes, node, sizeof node - 1));
    assert_true(holds(&bytes, shape, sizeof shape - 1));
    assert_memory_equal(bytes.data + bytes.size - 4, opset, 4);
    free(bytes.data);

    static const unsigned char tensor[] = "\x08\x03\x10\x01\x42\x04"
                                          "data"
                                          "\x4a\x0c"
                                          "0123456789ab";
    bytes = (onnx_bytes){ 0 };
    onnx_write_tensor(&bytes, &model.inputs[0], "0123456789ab", 12);
    assert_int_equal(bytes.size, sizeof tensor - 1);
    assert_memory_equal(bytes.data, tensor, sizeof tensor - 1);
    free(bytes.data);
}

static void test_a_constant_is_no_input(void **state)
{
    (void)state;
    static const unsigned char initializer[] = "\x2a\x1e\x08\x02\x10\x07\x42\x06" /* dims [2], INT64, name */
                                               "starts\x4a\x10"
                                               "\x03\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff";
    static const unsigned char input[] = "\x5a"; /* the first byte of each graph input; none of the other bytes is it */
    const int64_t count = 2, values[] = { 3, -1 };
    const onnx_model model = { .op = "Slice",
                               .input_count = 1,
                               .inputs = { { "starts", TS_INT64, &count, 1, values } },
                               .output = { .name = "output", .dtype = TS_FLOAT32 } };
    onnx_bytes bytes = { 0 };
    onnx_write_model(&bytes, &model);
    assert_true(holds(&bytes, initializer, sizeof initializer - 1));
    assert_false(holds(&bytes, input, 1));
    free(bytes.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slice1_ends_at_the_size_of_the_output),
        cmocka_unit_test(test_slice1_to_the_first_element_ends_before_all),
        cmocka_unit_test(test_gather_loses_leading_ones),
        cmocka_unit_test(test_gather_of_one_index),
        cmocka_unit_test(test_masks_are_resolved),
        cmocka_unit_test(test_gather_elements_keeps_its_shapes),
        cmocka_unit_test(test_sums_have_their_axis_in_the_model),
        cmocka_unit_test(test_scatter_elements_has_three_inputs),
        cmocka_unit_test(test_space_to_depth_has_one_order),
        cmocka_unit_test(test_depth_to_space_has_a_mode),
        cmocka_unit_test(test_scatter_nd_drops_leading_ones),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_clauses),
        cmocka_unit_test(test_model_is_protobuf),
        cmocka_unit_test(test_a_constant_is_no_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
