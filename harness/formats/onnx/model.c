/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/onnx/model.h"

#include <stdlib.h>
#include <string.h>

/* The numbers of the fields, from onnx.proto. */
enum { MODEL_IR_VERSION = 1, MODEL_PRODUCER = 2, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum { OPSET_VERSION = 2 };
enum { GRAPH_NODE = 1, GRAPH_NAME = 2, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12 };
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_OP = 4, NODE_ATTRIBUTE = 5 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_INT = 3,
    ATTRIBUTE_TEXT = 4,
    ATTRIBUTE_TYPE = 20,
    ATTRIBUTE_IS_INT = 2,
    ATTRIBUTE_IS_TEXT = 3
};
enum { VALUE_NAME = 1, VALUE_TYPE = 2 };
enum { TYPE_TENSOR = 1, TYPE_ELEMENT = 1, TYPE_SHAPE = 2, SHAPE_DIM = 1, DIM_VALUE = 1 };
enum { TENSOR_DIMS = 1, TENSOR_TYPE = 2, TENSOR_NAME = 8, TENSOR_RAW = 9 };

uint32_t onnx_dtype(uint32_t dtype)
{
    static const uint8_t types[TS_DTYPE_COUNT] = {
        [TS_FLOAT32] = 1, [TS_UINT8] = 2,   [TS_INT8] = 3,      [TS_UINT16] = 4,   [TS_INT16] = 5,
        [TS_INT32] = 6,   [TS_INT64] = 7,   [TS_BOOLEAN] = 9,   [TS_FLOAT16] = 10, [TS_FLOAT64] = 11,
        [TS_UINT32] = 12, [TS_UINT64] = 13, [TS_BFLOAT16] = 16, [TS_UINT4] = 21,   [TS_INT4] = 22,
    };
    return dtype < TS_DTYPE_COUNT ? types[dtype] : 0;
}

uint32_t onnx_element_bytes(uint32_t dtype)
{
    static const uint8_t bytes[TS_DTYPE_COUNT] = {
        [TS_FLOAT32] = 4, [TS_UINT8] = 1,  [TS_INT8] = 1,     [TS_UINT16] = 2,  [TS_INT16] = 2,
        [TS_INT32] = 4,   [TS_INT64] = 8,  [TS_BOOLEAN] = 1,  [TS_FLOAT16] = 2, [TS_FLOAT64] = 8,
        [TS_UINT32] = 4,  [TS_UINT64] = 8, [TS_BFLOAT16] = 2,
    };
    return dtype < TS_DTYPE_COUNT ? bytes[dtype] : 0;
}

/* ---- protobuf's wire: tags, varints, and messages behind their length ------------------------------------------ */

static void add(onnx_bytes *b, const void *data, size_t n)
{
    if (b->size + n > b->capacity) {
        size_t capacity = (b->size + n) * 2;
        unsigned char *grown = realloc(b->data, capacity);
        if (!grown) {
            b->failed = true;
            return;
        }
        b->data = grown;
        b->capacity = capacity;
    }
    if (n > 0)
        memcpy(b->data + b->size, data, n);
    b->size += n;
}

static void add_varint(onnx_bytes *b, uint64_t value)
{
    unsigned char bytes[10];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[n++] = (unsigned char)(value | 0x80);
    bytes[n++] = (unsigned char)value;
    add(b, bytes, n);
}

static void add_int(onnx_bytes *b, uint32_t field, int64_t value)
{
    add_varint(b, (uint64_t)field << 3);
    add_varint(b, (uint64_t)value);
}

static void add_block(onnx_bytes *b, uint32_t field, const void *data, size_t n)
{
    add_varint(b, (uint64_t)field << 3 | 2);
    add_varint(b, n);
    add(b, data, n);
}

static void add_text(onnx_bytes *b, uint32_t field, const char *text)
{
    add_block(b, field, text, strlen(text));
}

/* A message inside another: written by itself first, because its length comes before it. */
static void add_message(onnx_bytes *b, uint32_t field, onnx_bytes *message)
{
    b->failed |= message->failed;
    add_block(b, field, message->data, message->size);
    free(message->data);
    *message = (onnx_bytes){ 0 };
}

/* ---- the messages ---------------------------------------------------------------------------------------------- */

static void add_value(onnx_bytes *graph, uint32_t field, const onnx_value *v)
{
    onnx_bytes value = { 0 }, type = { 0 }, tensor = { 0 }, shape = { 0 }, dim = { 0 };
    add_int(&tensor, TYPE_ELEMENT, onnx_dtype(v->dtype));
    if (v->sizes) {
        for (uint32_t i = 0; i < v->rank; ++i) {
            add_int(&dim, DIM_VALUE, v->sizes[i]);
            add_message(&shape, SHAPE_DIM, &dim);
        }
        add_message(&tensor, TYPE_SHAPE, &shape);
    }
    add_message(&type, TYPE_TENSOR, &tensor);
    add_text(&value, VALUE_NAME, v->name);
    add_message(&value, VALUE_TYPE, &type);
    add_message(graph, field, &value);
}

static void add_constant(onnx_bytes *graph, const onnx_value *v)
{
    onnx_bytes tensor = { 0 };
    size_t size = sizeof *v->constant;
    for (uint32_t i = 0; i < v->rank; ++i)
        size *= (size_t)v->sizes[i];
    onnx_write_tensor(&tensor, v, v->constant, size);
    add_message(graph, GRAPH_INITIALIZER, &tensor);
}

static void add_input(onnx_bytes *graph, const onnx_value *v)
{
    if (v->constant)
        add_constant(graph, v);
    else if (*v->name)
        add_value(graph, GRAPH_INPUT, v);
}

static void add_attribute(onnx_bytes *node, const char *name, int64_t value)
{
    onnx_bytes attribute = { 0 };
    add_text(&attribute, ATTRIBUTE_NAME, name);
    add_int(&attribute, ATTRIBUTE_INT, value);
    add_int(&attribute, ATTRIBUTE_TYPE, ATTRIBUTE_IS_INT);
    add_message(node, NODE_ATTRIBUTE, &attribute);
}

static void add_word(onnx_bytes *node, const char *name, const char *word)
{
    onnx_bytes attribute = { 0 };
    add_text(&attribute, ATTRIBUTE_NAME, name);
    add_text(&attribute, ATTRIBUTE_TEXT, word);
    add_int(&attribute, ATTRIBUTE_TYPE, ATTRIBUTE_IS_TEXT);
    add_message(node, NODE_ATTRIBUTE, &attribute);
}

void onnx_write_model(onnx_bytes *out, const onnx_model *model)
{
    onnx_bytes graph = { 0 }, node = { 0 }, opset = { 0 };
    for (uint32_t i = 0; i < model->input_count; ++i)
        add_text(&node, NODE_INPUT, model->inputs[i].name);
    add_text(&node, NODE_OUTPUT, model->output.name);
    add_text(&node, NODE_OP, model->op);
    if (model->axis_name)
        add_attribute(&node, model->axis_name, model->axis);
    for (uint32_t i = 0; i < ONNX_MOST_FLAGS; ++i)
        if (model->flags[i])
            add_attribute(&node, model->flags[i], 1);
    if (model->word_name)
        add_word(&node, model->word_name, model->word);
    add_message(&graph, GRAPH_NODE, &node);
    add_text(&graph, GRAPH_NAME, "touchstone");
    for (uint32_t i = 0; i < model->input_count; ++i)
        add_input(&graph, &model->inputs[i]);
    add_value(&graph, GRAPH_OUTPUT, &model->output);

    add_int(out, MODEL_IR_VERSION, ONNX_IR_VERSION);
    add_text(out, MODEL_PRODUCER, "touchstone");
    add_message(out, MODEL_GRAPH, &graph);
    add_int(&opset, OPSET_VERSION, ONNX_OPSET);
    add_message(out, MODEL_OPSET, &opset);
}

void onnx_write_tensor(onnx_bytes *out, const onnx_value *value, const void *data, size_t size)
{
    for (uint32_t i = 0; i < value->rank; ++i)
        add_int(out, TENSOR_DIMS, value->sizes[i]);
    add_int(out, TENSOR_TYPE, onnx_dtype(value->dtype));
    add_text(out, TENSOR_NAME, value->name);
    add_block(out, TENSOR_RAW, data, size);
}
