/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "reports/explain_print.h"
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "reference/dml/gather.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* ---- telling ----------------------------------------------------------------------------------------------- */

static uint64_t seed = 20240229;

static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * UINT64_C(0x2545F4914F6CDD1D);
}

static uint32_t below(uint32_t n)
{
    return (uint32_t)((random_bits() >> 16) % n);
}

/* Read a descriptor with inputs (or "null") and give its explanation as text, to be freed, with its lines joined: where
   they are broken is nothing that a test should know. */
static char *told(const char *operator_name, const char *descriptor, const char *inputs)
{
    const ts_operator *op = operators_find(operator_name);
    json_t *json = json_loads(descriptor, 0, NULL), *data = json_loads(inputs, JSON_DECODE_ANY, NULL);
    ts_descriptor d;
    evaluation v;
    ts_explanation x;
    error e = { .text = "" };
    assert_non_null(json);
    if (!descriptor_from_json(op, json, &d, NULL, &e))
        fail_msg("%s", e.text);
    if (json_is_object(data)) {
        assert_true(evaluate_begin(&v, &d, NULL, &e) && evaluate_fill(&v, data, &e));
    } else {
        memset(&v, 0, sizeof v);
        v.descriptor = d;
        op->check(&v.descriptor, &v.report);
        v.status = v.report.worst == TS_RESULT_INVALID ? EVALUATE_INVALID : EVALUATE_OK;
    }
    explain_begin(&x, 12);
    op->explain(&v.descriptor, &x);
    FILE *file = platform_temporary_file();
    assert_non_null(file);
    assert_true(explain_print_text(file, &(explain_heading){ .name = "here" }, &v, &x, &e));
    char *text = testing_end_text(file);
    explain_end(&x);
    evaluate_end(&v);
    json_decref(json);
    json_decref(data);
    char *to = text;
    for (const char *from = text; *from; ++from) {
        bool broken = *from == '\n' && strncmp(from + 1, "    ", 4) == 0 && from[5] != ' ' && from[5] != 0;
        if (broken)
            from += 4;
        *to++ = broken ? ' ' : *from;
    }
    *to = 0;
    return text;
}

static void expect(const char *operator_name, const char *descriptor, const char *inputs, const char *const *fragments)
{
    char *text = told(operator_name, descriptor, inputs);
    for (; *fragments; ++fragments) {
        if (!strstr(text, *fragments))
            fail_msg("\"%s\" is not told:\n%s", *fragments, text);
    }
    free(text);
}

#define EXPECT(op, descriptor, inputs, ...) expect(op, descriptor, inputs, (const char *const[]){ __VA_ARGS__, NULL })

#define SIXTEEN "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16]"

static void slice1_is_told(void **state)
{
    (void)state;
    EXPECT("dml.slice1",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [1,1,4,4] }, \"OutputTensor\": { \"Sizes\": "
           "[1,1,2,2] }, \"InputWindowOffsets\": [0,0,0,1], \"InputWindowSizes\": [1,1,4,3],"
           "\"InputWindowStrides\": [1,1,-2,2] }",
           "{ \"InputTensor\": " SIXTEEN " }", "0 + 4 - 1 = 3", "1 + (4 - 1) / 2 = 2", "index along axis 2: 3, 1",
           "index along axis 3: 1, 3\n", "OutputTensor[o0,o1,o2,o3] = InputTensor[o0, o1, 3 - 2*o2, 1 + 2*o3]",
           "OutputTensor[0,0,0,0] = InputTensor[0,0,3,1] = 14\n", "OutputTensor[0,0,1,1] = InputTensor[0,0,1,3] = 8",
           "SL-08: 1 <= OutputTensor.Sizes[i]");
    EXPECT("dml.slice1",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [4] }, \"OutputTensor\": { \"Sizes\": [2] },"
           "\"InputWindowOffsets\": [3], \"InputWindowSizes\": [2], \"InputWindowStrides\": [1] }",
           "null", "invalid", "3 + 2 = 5 exceeds them, which breaks SL-05", "InputTensor[4], which does not exist");
    EXPECT("dml.slice1",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [4] }, \"OutputTensor\": { \"Sizes\": [2] },"
           "\"InputWindowOffsets\": [0], \"InputWindowSizes\": [0], \"InputWindowStrides\": [0] }",
           "null", "breaks SL-06", "breaks SL-07", "no element can be copied");
}

static void gather_is_told(void **state)
{
    (void)state;
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [1,3,3] }, \"IndicesTensor\": { \"DataType\":"
           "\"UINT32\", \"Sizes\": [1,1,2] }, \"Axis\": 2, \"IndexDimensions\": 2 }",
           "{ \"InputTensor\": [1,2,3,4,5,6,7,8,9], \"IndicesTensor\": [0,2] }", "{1,3} ++ {1,2} ++ {}",
           "expected      {3,1,2}", "k = IndicesTensor[0,o1,o2]",
           "OutputTensor[2,0,1] = InputTensor[0,2,2] = 9  by IndicesTensor[0,0,1] = 2");
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [3] }, \"IndicesTensor\": { \"DataType\":"
           "\"INT32\", \"Sizes\": [4] }, \"Axis\": 0, \"IndexDimensions\": 1 }",
           "{ \"InputTensor\": [5,6,7], \"IndicesTensor\": [-1,3,-4,0] }", "-1 + 3 = 2", "3: outside, not defined",
           "-4: outside, not defined; clamped: 0", "OutputTensor[1] is not defined",
           "OutputTensor[3] = InputTensor[0]");
    /* Example 3 as it is printed. */
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"FLOAT32\", \"Sizes\": [3,2] }, \"IndicesTensor\": { \"DataType\":"
           "\"UINT32\", \"Sizes\": [1,2] }, \"OutputTensor\": { \"Sizes\": [3,2] }, \"Axis\": 1,"
           "\"IndexDimensions\": 2 }",
           "null", "invalid", "GA-08  broken", "this breaks GA-08");
    EXPECT("dml.gather",
           "{ \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [2,2] }, \"IndicesTensor\": { \"DataType\":"
           "\"INT32\", \"Sizes\": [2,1] }, \"OutputTensor\": { \"Sizes\": [2,1] }, \"Axis\": 1,"
           "\"IndexDimensions\": 1 }",
           "null", "E-GA-9", "OutputTensor[0,0] is not defined");
}

static void random_generator_is_told(void **state)
{
    (void)state;
    EXPECT("dml.random_generator",
           "{ \"InputStateTensor\": { \"DataType\": \"UINT32\", \"Sizes\": [6] }, \"OutputTensor\": { \"Sizes\": [8] },"
           "\"OutputStateTensor\": {}, \"Type\": 0 }",
           "{ \"InputStateTensor\": [4294967295,0,0,0,1,2] }", "8 outputs from 2 blocks",
           "block 1  counter 00000000'00000000'00000001'00000000  outputs 4 to 7",
           "692858e1  f906bbe0  fc4d241f  46ba3cd1", "OutputTensor[7] = word 3 of block 1 = 0x6b2f71c5",
           "word 0  ffffffff + 00000002 + carry 0 = 00000001, carry 1",
           "word 1  00000000 + 00000000 + carry 1 = 00000001, carry 0",
           "next   00000001  00000001  00000000  00000000  00000001  00000002");
    EXPECT("dml.random_generator",
           "{ \"InputStateTensor\": { \"DataType\": \"UINT32\", \"Sizes\": [6] }, \"OutputTensor\": { \"Sizes\": [5] },"
           "\"Type\": 0 }",
           "null", "a state of zeros, as an example", "6627e8d5  e169c58d  bc57ac4c  9b00dbd8", "  output 4",
           "OutputStateTensor is absent", "OutputTensor[4] = word 0 of block 1 = 0xf8e4cca4");
}

static void identity_is_told(void **state)
{
    (void)state;
    EXPECT("dml.element_wise_identity",
           "{ \"InputTensor\": { \"DataType\": \"UINT8\", \"Sizes\": [2,3], \"Strides\": [0,1] }, \"OutputTensor\": {"
           "\"Strides\": [5,1] } }",
           "{ \"InputTensor\": { \"raw\": \"01020300\" } }", "broadcast", "is element 5*i0 + i1 of the buffer",
           "OutputTensor[1,2] at 7 = InputTensor[1,2] at 2 = 3");
}

static void strided_slice_is_told(void **state)
{
    (void)state;
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [2,3,4] }, \"begin\": [1,1,123], \"end\": [0,0,2],"
           "\"stride\": [1,1,-1], \"begin_mask\": [0,1,1], \"end_mask\": [1,1,1], \"new_axis_mask\": [0,0,0,0,0] }",
           "null", "begin[2] = 123 is not read", "end = -1, one before", "count = (3 - -1 - 1) / 1 + 1 = 4",
           "expected  {1,3,4}", "output[o0,o1,o2] = data[1, o1, 3 - o2]", "data[begin:end:stride] does in Python",
           "without that place element 0", "data[1:, :, ::-1]", "InputWindowStrides = {1,1,-1}",
           "those from 3 on belong to no step", "output[0,2,3] = data[1,2,0]");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [2,4] }, \"begin\": [1234,0,-1,0], \"end\": [1234,2,9876,4],"
           "\"stride\": [132,1,241,1], \"new_axis_mask\": [1,0,1,0] }",
           "null", "expected  {1,2,1,4}", "data[np.newaxis, 0:2, np.newaxis, 0:4]", "read as {1,2,1,4}");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [10,10,10,10,10,10,10,10,10,10] }, \"begin\": [2,1,10,10],"
           "\"end\": [123,1,10,5], \"stride\": [1,-1,1,1], \"begin_mask\": [0,0,1,1], \"end_mask\": [1,1,0,0],"
           "\"new_axis_mask\": [0,0,1], \"ellipsis_mask\": [0,1] }",
           "null", "10 dimensions of data minus 2 consumed", "expected  {8,10,10,10,10,10,10,10,10,1,5}",
           "data[2:, ..., np.newaxis, :5]", "10 dimensions");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4] }, \"begin\": [-9], \"end\": [-9], \"stride\": [-1] }",
           "null", "-5 is outside of [0, 3] and is silently clamped to 0", "profiles differ", "output[0] = data[0]",
           "data[0:-9:-1]");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4] }, \"begin\": [-9], \"end\": [-9], \"stride\": [-1],"
           "\"profile\": \"numpy\" }",
           "null", "clamped to -1", "it is empty", "nothing is copied", "DirectML has no tensors without elements");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4,2] }, \"begin\": [7,0], \"end\": [0,1], \"stride\": [1,0],"
           "\"output\": { \"shape\": [2] }, \"shrink_axis_mask\": [1] }",
           "null", "invalid", "7 is no element of 0 to 3", "stride[1] = 0 breaks SS-10", "A step is broken");
    EXPECT("openvino.strided_slice",
           "{ \"data\": { \"type\": \"i32\", \"shape\": [4,2] }, \"begin\": [0,0], \"end\": [1,1],"
           "\"output\": { \"shape\": [2] }, \"ellipsis_mask\": [1,1] }",
           "null", "invalid", "SS-04  broken", "the explanation ends here");
}

/* ---- explanations agree with the reference ------------------------------------------------------------------- */

static void random_tensor(ts_descriptor *d, unsigned k, uint32_t dtype, uint32_t rank, uint32_t most)
{
    uint64_t sizes[TS_MAX_DIMS];
    for (uint32_t i = 0; i < rank; ++i)
        sizes[i] = 1 + below(most);
    tensor_init(&d->tensors[k], dtype, rank, sizes);
}

/* Give outputs the shape that follows, and some tensors strides twice as wide as packed. False where none follows. */
static bool finish(ts_descriptor *d, bool strides)
{
    if (!d->op->shape(d))
        return false;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        ts_tensor *t = &d->tensors[k];
        uint64_t sizes[TS_MAX_DIMS], bytes;
        memcpy(sizes, t->sizes, sizeof sizes);
        if (!(t->given & TS_GIVEN_TENSOR))
            continue;
        tensor_init(t, t->dtype, t->rank, sizes);
        if (!strides || below(3))
            continue;
        t->given |= TS_GIVEN_STRIDES;
        for (uint32_t i = 0; i < t->rank; ++i)
            t->strides[i] *= 2;
        if (tensor_min_bytes(t, &bytes))
            t->total_bytes = bytes;
    }
    return true;
}

static void set(ts_descriptor *d, const char *name, const int64_t *values, size_t count)
{
    assert_true(operator_set_attr(d, (unsigned)operator_attr_index(d->op, name), values, count));
}

static bool random_slice1(ts_descriptor *d)
{
    uint32_t rank = 1 + below(4);
    int64_t offset[4], window[4], stride[4];
    random_tensor(d, 0, TS_UINT16, rank, 6);
    for (uint32_t i = 0; i < rank; ++i) {
        uint32_t size = (uint32_t)d->tensors[0].sizes[i];
        offset[i] = below(size);
        window[i] = 1 + below(size - (uint32_t)offset[i]);
        stride[i] = (int64_t)(1 + below(4)) * (below(2) ? 1 : -1);
    }
    set(d, "InputWindowOffsets", offset, rank);
    set(d, "InputWindowSizes", window, rank);
    set(d, "InputWindowStrides", stride, rank);
    tensor_init(&d->tensors[1], TS_UINT16, rank, d->tensors[0].sizes);
    return finish(d, true);
}

static bool random_gather(ts_descriptor *d)
{
    static const uint32_t types[] = { TS_UINT32, TS_INT32, TS_UINT64, TS_INT64 };
    uint32_t rank = 1 + below(4);
    random_tensor(d, 0, TS_UINT16, rank, 4);
    random_tensor(d, 1, types[below(4)], rank, 3);
    int64_t axis = below(rank), count = below(rank + 1);
    for (uint32_t i = 0; i < rank; ++i) {
        if (i + 1 < (uint32_t)count)
            d->tensors[0].sizes[i] = 1;
        if (i + (uint32_t)count < rank)
            d->tensors[1].sizes[i] = 1;
    }
    set(d, "Axis", &axis, 1);
    set(d, "IndexDimensions", &count, 1);
    tensor_init(&d->tensors[2], TS_UINT16, rank, d->tensors[0].sizes);
    return finish(d, true);
}

static bool random_generator(ts_descriptor *d)
{
    int64_t type = 0;
    uint64_t six = 6;
    set(d, "Type", &type, 1);
    tensor_init(&d->tensors[0], TS_UINT32, 1, &six);
    random_tensor(d, 1, TS_UINT32, 1 + below(4), 4);
    if (below(2))
        tensor_init(&d->tensors[2], TS_UINT32, 1, &six);
    return finish(d, true);
}

static bool random_identity(ts_descriptor *d)
{
    random_tensor(d, 0, TS_UINT16, 1 + below(4), 4);
    tensor_init(&d->tensors[1], TS_UINT16, d->tensors[0].rank, d->tensors[0].sizes);
    return finish(d, true);
}

static bool random_strided_slice(ts_descriptor *d)
{
    static const char *const masks[] = { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                         "ellipsis_mask" };
    uint32_t rank = 1 + below(4), m = below(6);
    int64_t begin[6], end[6], stride[6], bits[6];
    random_tensor(d, 0, TS_UINT16, rank, 5);
    for (uint32_t i = 0; i < m; ++i) {
        begin[i] = (int64_t)below(17) - 8;
        end[i] = (int64_t)below(17) - 8;
        stride[i] = (int64_t)(1 + below(3)) * (below(2) ? 1 : -1);
    }
    set(d, "begin", begin, m);
    set(d, "end", end, m);
    if (below(4))
        set(d, "stride", stride, m);
    for (size_t k = 0; k < 5; ++k) {
        for (uint32_t i = 0; i < 6; ++i)
            bits[i] = below(k < 2 ? 3 : 6) == 0;
        if (below(2))
            set(d, masks[k], bits, below(7));
    }
    if (below(2))
        d->profile = TS_PROFILE_NUMPY;
    tensor_init(&d->tensors[1], TS_UINT16, 0, d->tensors[0].sizes);
    return finish(d, false);
}

/* Every element that the JSON tells must be what `run` brings there, and none may be missing. */
static void compare(const evaluation *v, const json_t *record)
{
    const ts_descriptor *d = &v->descriptor;
    int to = d->op->tensors[1].role == TS_OUTPUT ? 1 : 2;
    const ts_tensor *out = &d->tensors[to], *in = &d->tensors[0];
    size_t i, k, told_elements = 0;
    json_t *step, *element;
    uint64_t count = 0;
    json_array_foreach(json_object_get(record, "steps"), i, step)
    {
        json_array_foreach(json_object_get(step, "elements"), k, element)
        {
            size_t bytes = tensor_element_bytes(out->dtype);
            const unsigned char *actual =
                (unsigned char *)out->data + (size_t)json_integer_value(json_object_get(element, "out_offset")) * bytes;
            if (json_object_get(element, "in")) {
                assert_memory_equal(actual,
                                    (unsigned char *)in->data +
                                        (size_t)json_integer_value(json_object_get(element, "in_offset")) * bytes,
                                    bytes);
            } else {
                uint32_t word;
                memcpy(&word, actual, sizeof word);
                assert_true((json_int_t)word == json_integer_value(json_object_get(element, "value")));
            }
            told_elements++;
        }
    }
    assert_true(tensor_element_count(out, &count));
    assert_int_equal(told_elements, count);
}

/* Numbers behind a word of a told line, such as "InputWindowOffsets = {0,1}". */
static size_t numbers(const json_t *step, const char *word, int64_t *values)
{
    size_t i, count = 0;
    json_t *line;
    json_array_foreach(json_object_get(step, "text"), i, line)
    {
        const char *text = json_string_value(line), *at = strchr(text, '{');
        if (strncmp(text, word, strlen(word)) != 0 || !at)
            continue;
        for (char *end; *at != '}'; at = end)
            values[count++] = strtoll(at + 1, &end, 10);
        return count;
    }
    return 0;
}

/* The SLICE1 that is told of a StridedSlice must bring the same elements. Returns whether one is told. */
static bool compare_slice1(const evaluation *v, const json_t *record)
{
    static const char *const attrs[] = { "InputWindowOffsets", "InputWindowSizes", "InputWindowStrides" };
    const json_t *steps = json_object_get(record, "steps"), *step = json_array_get(steps, json_array_size(steps) - 1);
    ts_descriptor d;
    evaluation slice;
    error e;
    int64_t values[TS_MAX_DIMS];
    uint64_t sizes[TS_MAX_DIMS];
    size_t rank = numbers(step, "OutputTensor.Sizes", values);
    const ts_tensor *data = &v->descriptor.tensors[0], *out = &v->descriptor.tensors[1];
    if (rank == 0)
        return false;
    operator_begin(&d, operators_find("dml.slice1"));
    for (size_t i = 0; i < rank; ++i)
        sizes[i] = (uint64_t)values[i];
    tensor_init(&d.tensors[0], TS_UINT16, data->rank, data->sizes);
    tensor_init(&d.tensors[1], TS_UINT16, (uint32_t)rank, sizes);
    for (size_t k = 0; k < 3; ++k) {
        assert_int_equal(numbers(step, attrs[k], values), rank);
        set(&d, attrs[k], values, rank);
    }
    assert_true(evaluate_begin(&slice, &d, NULL, &e));
    assert_int_equal(slice.status, EVALUATE_OK);
    memcpy(slice.descriptor.tensors[0].data, data->data, (size_t)data->total_bytes);
    assert_true(evaluate_run(&slice, &e));
    uint64_t count = 0;
    assert_true(tensor_element_count(out, &count));
    assert_memory_equal(slice.descriptor.tensors[1].data, out->data, count * sizeof(uint16_t));
    evaluate_end(&slice);
    return true;
}

/* Injective values; indices that are inside, outside and negative. */
static void fill(const evaluation *v)
{
    for (unsigned k = 0; k < v->descriptor.op->tensor_count; ++k) {
        const ts_tensor *t = &v->descriptor.tensors[k];
        unsigned char *bytes = t->data;
        for (uint64_t i = 0; bytes && v->descriptor.op->tensors[k].role == TS_INPUT && i < t->total_bytes; ++i)
            bytes[i] = (unsigned char)random_bits();
        uint64_t size = bytes && k == 1 ? tensor_element_bytes(t->dtype) : 0;
        for (uint64_t i = 0; size && i + size <= t->total_bytes; i += size) {
            int64_t index = (int64_t)below(9) - 4;
            if (v->descriptor.op->tensors[k].role == TS_INPUT && below(8))
                memcpy(bytes + i, &index, size); /* little-endian */
        }
        for (uint64_t i = 0; bytes && k == 0 && t->dtype == TS_UINT16 && 2 * i < t->total_bytes; ++i)
            memcpy(bytes + 2 * i, &(uint16_t){ (uint16_t)i }, 2);
    }
}

static void explanations_agree_with_the_reference(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool (*make)(ts_descriptor *d);
    } operators[] = { { "dml.slice1", random_slice1 },
                      { "dml.gather", random_gather },
                      { "dml.random_generator", random_generator },
                      { "dml.element_wise_identity", random_identity },
                      { "openvino.strided_slice", random_strided_slice } };
    for (size_t k = 0; k < sizeof operators / sizeof operators[0]; ++k) {
        unsigned legal = 0, bridged = 0;
        for (unsigned n = 0; n < 3000; ++n) {
            ts_descriptor d;
            evaluation v;
            ts_explanation x;
            error e;
            operator_begin(&d, operators_find(operators[k].name));
            if (!operators[k].make(&d))
                continue;
            assert_true(evaluate_begin(&v, &d, NULL, &e));
            if (v.status == EVALUATE_OK) {
                fill(&v);
                explain_begin(&x, UINT32_MAX);
                d.op->explain(&v.descriptor, &x);
                json_t *record = explain_print_json(&(explain_heading){ .name = "here" }, &v, &x);
                assert_non_null(record);
                assert_true(evaluate_run(&v, &e));
                compare(&v, record);
                bridged += d.op->openvino_types && compare_slice1(&v, record);
                json_decref(record);
                explain_end(&x);
                legal++;
            }
            evaluate_end(&v);
        }
        assert_true(legal > 500);
        if (k == 4)
            assert_true(bridged > 200);
    }
}

/* ---- garbage ----------------------------------------------------------------------------------------------- */

/* A value at or near what arithmetic trips over. */
static uint64_t edge(void)
{
    static const uint64_t edges[] = { 0,
                                      1,
                                      2,
                                      3,
                                      8,
                                      16,
                                      17,
                                      INT32_MAX,
                                      UINT64_C(0x80000000),
                                      UINT32_MAX,
                                      (uint64_t)INT64_MAX,
                                      UINT64_C(1) << 63,
                                      UINT64_MAX,
                                      UINT64_MAX - 1 };
    return below(4) ? edges[below(sizeof edges / sizeof edges[0])] : random_bits();
}

static void spoil(ts_descriptor *d)
{
    for (unsigned n = 0, times = 1 + below(6); n < times; ++n) {
        ts_tensor *t = &d->tensors[below(d->op->tensor_count)];
        uint32_t i = below(TS_MAX_DIMS);
        switch (below(9)) {
        case 0: t->rank = (uint32_t)edge(); break;
        case 1: t->dtype = (uint32_t)edge(); break;
        case 2: t->given = below(16); break;
        case 3: t->sizes[i] = edge(); break;
        case 4: t->strides[i] = edge(); break;
        case 5: t->total_bytes = edge(); break;
        case 6: d->attrs_given = (uint32_t)edge(); break;
        case 7: memcpy(d->attrs + 4 * below((uint32_t)d->op->attrs_size / 4), &(uint64_t){ edge() }, 4); break;
        default: d->attrs[below((uint32_t)d->op->attrs_size)] = (unsigned char)edge(); break;
        }
    }
}

static void check_citations(const ts_operator *op, const ts_explanation *x)
{
    for (size_t i = 0; i < x->count; ++i) {
        char list[128];
        snprintf(list, sizeof list, "%s", x->items[i].clauses ? x->items[i].clauses : "");
        for (char *id = strtok(list, " "); id; id = strtok(NULL, " "))
            assert_non_null(operator_clause(op, id));
    }
}

static void garbage_is_told_as_far_as_it_goes(void **state)
{
    (void)state;
    static bool (*const make[])(ts_descriptor *) = { random_identity, random_gather, random_generator, random_slice1,
                                                     random_strided_slice };
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    FILE *nowhere = fopen(testing_null(), "w");
    assert_int_equal(count, sizeof make / sizeof make[0]);
    for (unsigned n = 0; n < 20000; ++n) {
        evaluation v = { .status = EVALUATE_INVALID };
        ts_descriptor *d = &v.descriptor;
        ts_explanation x;
        error e;
        operator_begin(d, all[n % count]);
        (void)make[n % count](d);
        spoil(d);
        d->op->check(d, &v.report);
        explain_begin(&x, 1 + below(20));
        d->op->explain(d, &x);
        assert_true(x.count > 0 && x.items[0].kind == EXPLAIN_STEP);
        check_citations(d->op, &x);
        assert_true(explain_print_text(nowhere, &(explain_heading){ .name = "here" }, &v, &x, &e));
        json_t *record = explain_print_json(&(explain_heading){ .name = "here" }, &v, &x);
        assert_non_null(record);
        json_decref(record);
        explain_end(&x);
    }
    fclose(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slice1_is_told),
        cmocka_unit_test(gather_is_told),
        cmocka_unit_test(random_generator_is_told),
        cmocka_unit_test(identity_is_told),
        cmocka_unit_test(strided_slice_is_told),
        cmocka_unit_test(explanations_agree_with_the_reference),
        cmocka_unit_test(garbage_is_told_as_far_as_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
