/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "harness/model/value.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SLICE1_TENSORS                                                                                                 \
    "'InputTensor': { 'DataType': 'FLOAT32', 'Sizes': [1,1,4,4] }, 'OutputTensor': { 'Sizes': [1,1,2,2] }"
#define SLICE1_ARRAYS "'InputWindowOffsets': [0,0,0,1], 'InputWindowSizes': [1,1,4,3], 'InputWindowStrides': [1,1,-2,2]"

/* Parse JSON written with single quotes, so that it reads in C. */
static json_t *parse(const char *text)
{
    char *copy = strdup(text);
    json_error_t problem;
    for (char *c = copy; *c; ++c)
        *c = *c == '\'' ? '"' : *c;
    json_t *json = json_loads(copy, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &problem);
    if (!json)
        fail_msg("%s: %s", copy, problem.text);
    free(copy);
    return json;
}

static bool read(const char *op, const char *text, ts_descriptor *d, error *e)
{
    json_t *json = parse(text);
    assert_non_null(operators_find(op));
    bool ok = descriptor_from_json(operators_find(op), json, d, NULL, e);
    json_decref(json);
    return ok;
}

static ts_descriptor accepts(const char *op, const char *text)
{
    ts_descriptor d;
    error e = { .text = "" };
    if (!read(op, text, &d, &e))
        fail_msg("%s: %s", text, e.text);
    return d;
}

static void refuses(const char *op, const char *text, const char *first, const char *second)
{
    ts_descriptor d;
    error e = { .text = "" };
    if (read(op, text, &d, &e))
        fail_msg("accepted: %s", text);
    if (!strstr(e.text, first) || !strstr(e.text, second))
        fail_msg("\"%s\" has not both \"%s\" and \"%s\"", e.text, first, second);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
}

/* ---- descriptors ------------------------------------------------------------------------------------------- */

static void fields_are_stored(void **state)
{
    (void)state;
    ts_descriptor d = accepts("dml.slice1", "{" SLICE1_TENSORS "," SLICE1_ARRAYS ", 'feature_level': '3_0' }");
    assert_int_equal(d.tensors[0].dtype, TS_FLOAT32);
    assert_int_equal(d.tensors[0].rank, 4);
    assert_int_equal(d.tensors[0].given, TS_GIVEN_ALL);
    assert_int_equal(d.tensors[0].sizes[3], 4);
    assert_int_equal(d.tensors[0].strides[0], 16);
    assert_int_equal(d.tensors[0].total_bytes, 64);
    assert_int_equal(d.tensors[1].dtype, TS_FLOAT32);
    assert_int_equal(d.tensors[1].total_bytes, 16);
    assert_int_equal(d.feature_level, TS_LEVEL_3_0);
    int strides = operator_attr_index(d.op, "InputWindowStrides"), count = operator_attr_index(d.op, "DimensionCount");
    assert_int_equal(operator_attr_value(&d, (unsigned)strides, 2), -2);
    assert_int_equal(operator_attr_value(&d, (unsigned)count, 0), 4);

    d = accepts("dml.slice1", "{ 'in': { 'DataType': 'DML_TENSOR_DATA_TYPE_FLOAT16', 'Sizes': [2,3], 'Strides': [5,1],"
                              "'TotalTensorSizeInBytes': 32, 'GuaranteedBaseOffsetAlignment': 64,"
                              "'Flags': 'DML_TENSOR_FLAG_OWNED_BY_DML' },"
                              "'offset': [0,0], 'window': [2,3], 'stride': [1,1], 'DimensionCount': 2 }");
    assert_int_equal(d.tensors[0].dtype, TS_FLOAT16);
    assert_int_equal(d.tensors[0].given, TS_GIVEN_ALL | TS_GIVEN_STRIDES);
    assert_int_equal(d.tensors[0].strides[0], 5);
    assert_int_equal(d.tensors[0].total_bytes, 32);
    assert_int_equal(d.tensors[0].alignment, 64);
    assert_int_equal(d.tensors[0].flags, 1);
    assert_int_equal(d.tensors[1].rank, 2); /* the omitted output is what shape says */
    assert_int_equal(d.tensors[1].sizes[1], 3);
    assert_int_equal(d.tensors[1].dtype, TS_FLOAT16);

    d = accepts("openvino.strided_slice",
                "{ 'data': { 'type': 'i32', 'shape': [2,3,4] }, 'begin': [1,1,123], 'end': [0,0,2], 'stride': [1,1,-1],"
                "'begin_mask': [0,true,1.0], 'end_mask': [1,1,1], 'profile': 'numpy' }");
    assert_int_equal(d.profile, TS_PROFILE_NUMPY);
    assert_int_equal(d.tensors[1].rank, 3);
    assert_int_equal(d.tensors[1].sizes[0], 1);
    assert_int_equal(d.tensors[1].sizes[2], 4);
    assert_int_equal(operator_attr_value(&d, (unsigned)operator_attr_index(d.op, "begin"), 2), 123);

    d = accepts("dml.random_generator", "{ 'InputStateTensor': { 'DataType': 'UINT32', 'Sizes': [1,1,1,6] },"
                                        "'OutputTensor': { 'Sizes': [3] }, 'OutputStateTensor': {}, 'Type': 0 }");
    assert_int_equal(d.tensors[2].sizes[3], 6);
}

static void null_is_absent(void **state)
{
    (void)state;
    ts_descriptor d = accepts("dml.slice1", "{" SLICE1_TENSORS ", 'InputWindowOffsets': null,"
                                            "'InputWindowSizes': [1,1,4,3], 'InputWindowStrides': [1,1,1,1] }");
    assert_false(d.attrs_given >> operator_attr_index(d.op, "InputWindowOffsets") & 1);
    assert_true(d.attrs_given >> operator_attr_index(d.op, "InputWindowSizes") & 1);
    d = accepts("dml.slice1", "{ 'InputTensor': null, 'OutputTensor': null }");
    assert_int_equal(d.tensors[0].given | d.tensors[1].given, 0);
    d = accepts("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': null, 'DimensionCount': 4 } }");
    assert_int_equal(d.tensors[0].given, TS_GIVEN_TENSOR | TS_GIVEN_DESC);
    assert_int_equal(d.tensors[0].rank, 4);
    d = accepts("dml.slice1", "{ 'InputTensor': { 'Type': 'BUFFER', 'Desc': { 'DataType': 1, 'Sizes': [7] } },"
                              "'OutputTensor': { 'Desc': null } }");
    assert_int_equal(d.tensors[0].sizes[0], 7);
    assert_int_equal(d.tensors[1].given, TS_GIVEN_TENSOR);
    d = accepts("dml.random_generator", "{ 'OutputTensor': { 'DataType': 'UINT32', 'Sizes': [3] } }");
    assert_int_equal(d.tensors[2].given, 0);
}

/* A descriptor may state values that the specification forbids: check reports them. */
static void garbage_is_stored(void **state)
{
    (void)state;
    ts_descriptor d = accepts("dml.slice1", "{ 'InputTensor': { 'DataType': 77, 'Sizes': [0, 9000000000] },"
                                            "'InputWindowOffsets': [4294967295], 'InputWindowSizes': [0],"
                                            "'InputWindowStrides': [-2147483648] }");
    assert_int_equal(d.tensors[0].dtype, 77);
    assert_int_equal(d.tensors[0].sizes[1], 9000000000);
    assert_int_equal(d.tensors[0].total_bytes, 0);
    d = accepts("dml.slice1", "{ 'InputTensor': { 'DataType': 'UNKNOWN', 'Sizes': ['18446744073709551615'],"
                              "'Flags': 6, 'TotalTensorSizeInBytes': 3 } }");
    assert_true(d.tensors[0].sizes[0] == UINT64_MAX);
    assert_int_equal(d.tensors[0].dtype, TS_DTYPE_UNKNOWN);
    assert_int_equal(d.tensors[0].given, TS_GIVEN_ALL);
    d = accepts("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'DimensionCount': 4000000000,"
                              "'Sizes': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }, 'DimensionCount': 17,"
                              "'InputWindowSizes': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }");
    assert_int_equal(d.tensors[0].rank, 4000000000);
    assert_int_equal(operator_attr_count(&d, (unsigned)operator_attr_index(d.op, "InputWindowSizes")), 17);
    d = accepts("openvino.strided_slice", "{ 'data': { 'type': 'f32', 'shape': [0] }, 'begin': [-9223372036854775808],"
                                          "'begin_mask': [255] }");
    assert_true(operator_attr_value(&d, (unsigned)operator_attr_index(d.op, "begin"), 0) == INT64_MIN);
}

static void round_trips(void **state)
{
    (void)state;
    static const struct {
        const char *op, *text;
    } descriptors[] = {
        { "dml.slice1", "{" SLICE1_TENSORS "," SLICE1_ARRAYS "}" },
        { "dml.slice1", "{" SLICE1_TENSORS "," SLICE1_ARRAYS ", 'DimensionCount': 4, 'feature_level': '2_1' }" },
        { "dml.slice1", "{ 'InputTensor': null, 'DimensionCount': 3, 'OutputTensor': { 'Desc': null } }" },
        { "dml.slice1", "{ 'InputTensor': { 'DataType': 99, 'Sizes': null, 'DimensionCount': 3, 'Flags': 7 } }" },
        { "dml.slice1", "{ 'InputTensor': { 'DataType': 'i4', 'Sizes': ['18446744073709551615', 2], 'Strides': [0, 1],"
                        "'TotalTensorSizeInBytes': 5, 'GuaranteedBaseOffsetAlignment': 3, 'Flags': 1 } }" },
        { "dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'DimensionCount': 4000000000,"
                        "'Sizes': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }, 'DimensionCount': 17,"
                        "'InputWindowSizes': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }" },
        { "dml.gather", "{ 'InputTensor': { 'DataType': 'FLOAT16', 'Sizes': [3,2] }, 'Axis': 0, 'IndexDimensions': 1,"
                        "'IndicesTensor': { 'DataType': 'INT64', 'Sizes': [1,4] } }" },
        { "dml.gather", "{ 'Axis': null }" },
        { "dml.random_generator", "{ 'InputStateTensor': { 'DataType': 'UINT32', 'Sizes': [1,1,1,6] },"
                                  "'OutputTensor': { 'Sizes': [3] }, 'OutputStateTensor': {}, 'Type': 1 }" },
        { "dml.element_wise_identity", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [2,3], 'Strides': [0,1] } }" },
        { "openvino.strided_slice", "{ 'data': { 'type': 'boolean', 'shape': [2,3,4], 'strides': [100, 4, 1] },"
                                    "'begin': [1], 'end': [-9223372036854775808], 'ellipsis_mask': [0,2],"
                                    "'new_axis_mask': [], 'profile': 'numpy' }" },
    };
    for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; ++i) {
        ts_descriptor d = accepts(descriptors[i].op, descriptors[i].text), again;
        error e = { .text = "" };
        json_t *json = descriptor_to_json(&d);
        assert_non_null(json);
        char *text = json_dumps(json, 0);
        if (!descriptor_from_json(d.op, json, &again, NULL, &e) || memcmp(&d, &again, sizeof d) != 0)
            fail_msg("%s comes back as %s: %s", descriptors[i].text, text, e.text);
        free(text);
        json_decref(json);
    }
}

/* Numbers that no field can hold are violations; the field receives the nearest value that fits. */
static void out_of_range_numbers_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *op, *text, *first; /* the first violation */
        unsigned count;
    } descriptors[] = {
        { "dml.slice1", "{" SLICE1_TENSORS "," SLICE1_ARRAYS ", 'DimensionCount': 4294967296 }",
          "DimensionCount = 4294967296 is out of range: 0 to 4294967295; judged as the number of values", 1 },
        { "dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': null, 'DimensionCount': -1, 'Flags': -2 } }",
          "InputTensor.DimensionCount = -1 is out of range: 0 to 4294967295; judged as 0", 2 },
        { "dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': ['18446744073709551616', 4294967296, 1] } }",
          "InputTensor.Sizes[0] = 18446744073709551616 is out of range: 0 to 4294967295; judged as 18446744073709551615",
          2 },
        { "dml.slice1", "{ 'InputTensor': { 'DataType': -1, 'Sizes': [1], 'Strides': [-1] } }",
          "InputTensor.DataType = -1 is out of range: 0 to 4294967295; judged as 0", 2 },
        { "openvino.strided_slice",
          "{ 'data': { 'type': 'f32', 'shape': [18446744073709551615.0] }, 'begin': [1e19],"
          "'end': [1], 'begin_mask': [0, 256] }",
          "data.shape[0] = 1.8446744073709552e+19 is out of range: 0 to 18446744073709551615; judged as "
          "18446744073709551615",
          3 },
        { "openvino.strided_slice",
          "{ 'data': { 'type': 'f32', 'shape': [4] }, 'begin': [1], 'end': [2],"
          "'end_mask': [-1] }",
          "end_mask[0] = -1 is neither 0 nor 1", 1 },
    };
    for (size_t i = 0; i < sizeof descriptors / sizeof descriptors[0]; ++i) {
        ts_descriptor d;
        ts_report found = { 0 };
        error e;
        json_t *json = parse(descriptors[i].text);
        const ts_operator *op = operators_find(descriptors[i].op);
        if (!descriptor_from_json(op, json, &d, &found, &e))
            fail_msg("%s: %s", descriptors[i].text, e.text);
        json_decref(json);
        assert_true(found.count > 0);
        assert_string_equal(found.items[0].text, descriptors[i].first);
        assert_int_equal(found.count, descriptors[i].count);
        assert_int_equal(found.worst, TS_RESULT_INVALID);
        for (unsigned k = 0; k < found.count; ++k)
            assert_non_null(operator_clause(op, found.items[k].clause));
    }
}

static void default_values_are_not_written(void **state)
{
    (void)state;
    ts_descriptor d = accepts("dml.slice1", "{" SLICE1_TENSORS "," SLICE1_ARRAYS "}");
    json_t *json = descriptor_to_json(&d),
           *expected = parse("{'InputTensor': { 'DataType': 'FLOAT32', 'Sizes': [1,1,4,4] },"
                             "'OutputTensor': { 'DataType': 'FLOAT32', 'Sizes': [1,1,2,2] }," SLICE1_ARRAYS "}");
    assert_true(json_equal(json, expected));
    json_decref(json);
    json_decref(expected);
}

static void mistakes_are_named(void **state)
{
    (void)state;
    refuses("dml.slice1", "{ 'InputWindowOffset': [0] }", "did you mean \"InputWindowOffsets\"?", "InputWindowStrides");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataTyp': 'f32', 'Sizes': [1] } }", "\"DataType\"?",
            "GuaranteedBaseOffsetAlignment");
    refuses("openvino.strided_slice", "{ 'data': { 'tipe': 'f32' } }", "\"type\"?", "shape");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'FLOAT23', 'Sizes': [1] } }", "InputTensor.DataType",
            "\"FLOAT32\"?");
    refuses("dml.slice1", "{ 'InputTensor': { 'Type': 'FLOAT32', 'Sizes': [1] } }", "InputTensor.Type", "DataType");
    refuses("dml.slice1", "{ 'InputTensor': { 'Sizes': [1] } }", "InputTensor", "DataType is missing");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32' } }", "InputTensor", "Sizes is missing");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'dtype': 'f32', 'Sizes': [1] } }", "InputTensor",
            "twice");
    refuses("dml.slice1", "{ 'InputTensor': null, 'in': null }", "in", "twice");
    refuses("dml.slice1", "{ 'InputTensor': 3 }", "InputTensor: expected a record", "an integer");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1, -2] } }", "InputTensor.Sizes[1] = -2",
            "out of range");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1, 'x'] } }", "Sizes[1]", "a string");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': 4 } }", "Sizes", "a list of integers");
    /* what is no number of JSON is none here, in no field */
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1, '2'] } }",
            "InputTensor.Sizes[1]: expected an integer", "a string");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [true] } }",
            "InputTensor.Sizes[0]: expected an integer", "a truth value");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1], 'Strides': ['0x2'] } }",
            "InputTensor.Strides[0]: expected an integer", "a string");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1], 'TotalTensorSizeInBytes': '0x10' } }",
            "InputTensor.TotalTensorSizeInBytes: expected an integer", "a string");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1], 'DimensionCount': true } }",
            "InputTensor.DimensionCount: expected an integer", "a truth value");
    refuses("dml.gather", "{ 'Axis': true }", "Axis: expected an integer", "a truth value");
    refuses("dml.gather", "{ 'Axis': '0x1' }", "Axis: expected an integer", "a string");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] } }",
            "17 values", "up to 16");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1,2], 'DimensionCount': 3 } }",
            "DimensionCount is 3", "2 values");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1,2], 'Strides': [1] } }",
            "Strides has 1 value,", "Sizes has 2");
    refuses("dml.slice1", "{ 'InputTensor': { 'DataType': 'f32', 'Sizes': [1], 'Flags': 'OWNED' } }",
            "InputTensor.Flags", "OWNED_BY_DML");
    refuses("dml.slice1", "{ 'InputWindowOffsets': [0, 4294967296] }", "InputWindowOffsets[1] = 4294967296",
            "0 to 4294967295");
    refuses("dml.slice1", "{ 'InputWindowOffsets': [0, 1.5] }", "InputWindowOffsets[1]", "a fraction");
    refuses("dml.slice1", "{ 'InputWindowOffsets': 1 }", "InputWindowOffsets", "a list of integers");
    refuses("dml.slice1", "{ 'DimensionCount': [1] }", "DimensionCount", "a list");
    refuses("dml.slice1", "{ 'InputWindowOffsets': [0,0], 'InputWindowSizes': [1] }", "InputWindowOffsets has 2 values",
            "InputWindowSizes has 1");
    refuses("dml.slice1", "{ 'DimensionCount': 3, 'InputWindowSizes': [1] }", "DimensionCount is 3", "has 1 value");
    refuses("dml.slice1", "{ 'InputWindowSizes': [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1] }", "17 values", "up to 16");
    refuses("dml.slice1", "{ 'profile': 'numpy' }", "no profile \"numpy\"", "default");
    refuses("openvino.strided_slice", "{ 'profile': 'nunpy' }", "\"numpy\"?", "openvino");
    refuses("openvino.strided_slice", "{ 'feature_level': '4_1' }", "openvino.strided_slice", "no feature levels");
    refuses("dml.slice1", "{ 'feature_level': '4_7' }", "no feature level \"4_7\"", "6_4");
    refuses("dml.slice1", "{ 'feature_level': true }", "feature_level", "4_1");
    refuses("dml.random_generator", "{ 'InputStateTensor': { 'DataType': 'UINT32', 'Sizes': [1,1,1,6] } }",
            "OutputTensor", "leaves it open");
    refuses("dml.slice1", "[1]", "dml.slice1", "a record");
}

/* An enumeration that the declaration names. */
static void enumerations_have_names(void **state)
{
    (void)state;
    static const char *const names[] = { "DML_MODE_NONE", "DML_MODE_FAST_4X32", NULL };
    static const ts_attr_decl attrs[] = { { .name = "Mode", .alias = "mode", .capacity = 1, .names = names } };
    static const ts_operator op = { .name = "test.op", .attr_count = 1, .attrs = attrs, .attrs_size = 4 };
    static const char *const spellings[] = { "{'Mode': 'DML_MODE_FAST_4X32'}", "{'Mode': 'FAST_4X32'}", "{'mode': 1}" };
    ts_descriptor d;
    error e = { .text = "" };
    for (size_t i = 0; i < 3; ++i) {
        json_t *json = parse(spellings[i]);
        assert_true(descriptor_from_json(&op, json, &d, NULL, &e));
        assert_int_equal(operator_attr_value(&d, 0, 0), 1);
        json_decref(json);
    }
    json_t *json = descriptor_to_json(&d);
    assert_string_equal(json_string_value(json_object_get(json, "Mode")), "DML_MODE_FAST_4X32");
    json_decref(json);
    json = parse("{'Mode': 'AST_4X32'}");
    assert_false(descriptor_from_json(&op, json, &d, NULL, &e));
    assert_non_null(strstr(e.text, "DML_MODE_NONE, DML_MODE_FAST_4X32"));
    json_decref(json);
}

/* ---- data -------------------------------------------------------------------------------------------------- */

/* Read data into a tensor of this type with the given sizes and strides (NULL: packed). */
static bool read_data(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes, const uint64_t *strides,
                      const char *text, error *e)
{
    static unsigned char memory[256];
    json_t *json = parse(text);
    memset(memory, 0, sizeof memory);
    tensor_init(t, dtype, rank, sizes);
    if (strides) {
        memcpy(t->strides, strides, rank * sizeof *strides);
        tensor_min_bytes(t, &t->total_bytes);
    }
    t->data = memory;
    bool ok = descriptor_data_from_json(t, "x", json, e);
    json_decref(json);
    return ok;
}

static void data_is(uint32_t dtype, const char *text, uint64_t bits)
{
    ts_tensor t;
    error e = { .text = "" };
    char list[64];
    snprintf(list, sizeof list, "[%s]", text);
    if (!read_data(&t, dtype, 1, (uint64_t[]){ 1 }, NULL, list, &e))
        fail_msg("%s: %s", text, e.text);
    assert_true(value_bits(dtype, t.data) == bits);
    json_t *json = descriptor_data_to_json(&t);
    memset(t.data, 0, 8);
    assert_true(descriptor_data_from_json(&t, "x", json, &e));
    assert_true(value_bits(dtype, t.data) == bits);
    json_decref(json);
}

static void data_is_refused(uint32_t dtype, const char *text, const char *word)
{
    ts_tensor t;
    error e = { .text = "" };
    if (read_data(&t, dtype, 1, (uint64_t[]){ 2 }, NULL, text, &e))
        fail_msg("accepted: %s", text);
    if (!strstr(e.text, word))
        fail_msg("\"%s\" has no \"%s\"", e.text, word);
}

static void elements_are_exact(void **state)
{
    (void)state;
    data_is(TS_FLOAT32, "1", 0x3F800000);
    data_is(TS_FLOAT32, "-0.0", 0x80000000);
    data_is(TS_FLOAT32, "0.1", 0x3DCCCCCD);
    data_is(TS_FLOAT32, "16777217", 0x4B800000);
    data_is(TS_FLOAT32, "'inf'", 0x7F800000);
    data_is(TS_FLOAT32, "'-inf'", 0xFF800000);
    data_is(TS_FLOAT32, "'nan(0x7f800001)'", 0x7F800001);
    data_is(TS_FLOAT32, "'0xffc12345'", 0xFFC12345);
    data_is(TS_FLOAT16, "'nan(0x7e01)'", 0x7E01);
    data_is(TS_FLOAT16, "65504", 0x7BFF);
    data_is(TS_BFLOAT16, "'0x7fc1'", 0x7FC1);
    data_is(TS_FLOAT64, "'nan(0xfff0000000000001)'", 0xFFF0000000000001);
    data_is(TS_FLOAT64, "5e-324", 1);
    data_is(TS_UINT64, "'18446744073709551615'", UINT64_MAX);
    data_is(TS_UINT64, "9223372036854775807", INT64_MAX);
    data_is(TS_UINT64, "18446744073709549568.0", UINT64_MAX - 2047);
    data_is(TS_INT64, "-9223372036854775808", (uint64_t)INT64_MIN);
    data_is(TS_INT64, "9007199254740993", 9007199254740993);
    data_is(TS_INT8, "-128", 0x80);
    data_is(TS_INT32, "'-5'", 0xFFFFFFFB);
    data_is(TS_UINT32, "4294967295.0", 0xFFFFFFFF);
    data_is(TS_BOOLEAN, "true", 1);
    data_is(TS_BOOLEAN, "'false'", 0);
    data_is(TS_BOOLEAN, "'0x02'", 2);
}

static void bad_data_is_named(void **state)
{
    (void)state;
    data_is_refused(TS_UINT8, "[1, 256]", "element 1 is 256");
    data_is_refused(TS_UINT8, "[-1, 0]", "no value of u8");
    data_is_refused(TS_UINT64, "[-1, 0]", "no value of u64");
    data_is_refused(TS_UINT64, "['18446744073709551616', 0]", "no value of u64");
    data_is_refused(TS_INT32, "[1.5, 0]", "element 0 is 1.5");
    data_is_refused(TS_INT32, "['nan', 0]", "no value of i32");
    data_is_refused(TS_FLOAT16, "['nan(0x3c00)', 0]", "no value of f16");
    data_is_refused(TS_FLOAT16, "['0x12345', 0]", "no value of f16");
    data_is_refused(TS_FLOAT32, "['1.5x', 0]", "1.5x");
    data_is_refused(TS_FLOAT32, "['', 0]", "no value of f32");
    data_is_refused(TS_FLOAT32, "[null, 0]", "null");
    data_is_refused(TS_FLOAT32, "[{}, 0]", "{}");
    data_is_refused(TS_FLOAT32, "[1]", "1 numbers, expected 2");
    data_is_refused(TS_FLOAT32, "[[1,2],[3]]", "3 numbers, expected 2");
    data_is_refused(TS_FLOAT32, "7", "a list of 2 numbers");
    data_is_refused(TS_FLOAT32, "{ 'raw': '00' }", "1 raw bytes, expected 8");
    data_is_refused(TS_FLOAT32, "{ 'raw': '0' }", "odd number");
    data_is_refused(TS_FLOAT32, "{ 'raw': '00000000zz000000' }", "raw byte 4");
    data_is_refused(TS_UINT8, "{ 'raw': '00' }", "1 raw bytes, expected 2 or 4");
}

static void layouts_are_followed(void **state)
{
    (void)state;
    ts_tensor t;
    error e = { .text = "" };
    assert_true(read_data(&t, TS_UINT8, 2, (uint64_t[]){ 2, 3 }, (uint64_t[]){ 1, 2 }, "[[1,2,3],[4,5,6]]", &e));
    assert_memory_equal(t.data, "\x01\x04\x02\x05\x03\x06\x00\x00", 8);
    assert_true(read_data(&t, TS_UINT8, 2, (uint64_t[]){ 2, 3 }, (uint64_t[]){ 0, 1 }, "[1,2,3,1,2,3]", &e));
    assert_memory_equal(t.data, "\x01\x02\x03\x00", 4);
    assert_false(read_data(&t, TS_UINT8, 2, (uint64_t[]){ 2, 3 }, (uint64_t[]){ 0, 1 }, "[1,2,3,1,9,3]", &e));
    assert_non_null(strstr(e.text, "element 1 shares its address"));
    assert_true(read_data(&t, TS_UINT8, 2, (uint64_t[]){ 2, 3 }, (uint64_t[]){ 0, 1 }, "{ 'raw': '0aFF03' }", &e));
    assert_memory_equal(t.data, "\x0a\xff\x03\x00", 4);
    assert_true(read_data(&t, TS_UINT8, 0, NULL, NULL, "7", &e));
    assert_memory_equal(t.data, "\x07", 1);
    assert_true(read_data(&t, TS_UINT8, 1, (uint64_t[]){ 0 }, NULL, "[]", &e));
    json_t *json = descriptor_data_to_json(&t);
    assert_int_equal(json_array_size(json), 0);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_stored),
        cmocka_unit_test(null_is_absent),
        cmocka_unit_test(garbage_is_stored),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(out_of_range_numbers_are_found),
        cmocka_unit_test(default_values_are_not_written),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(enumerations_have_names),
        cmocka_unit_test(elements_are_exact),
        cmocka_unit_test(bad_data_is_named),
        cmocka_unit_test(layouts_are_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
