/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ONNX models of one node, and tensors, as the bytes of ONNX's protobuf messages: what the backend hands to ONNX
 * Runtime and what `touchstone export --onnx` writes. Knows no runtime.
 */
#ifndef TOUCHSTONE_ONNX_MODEL_H
#define TOUCHSTONE_ONNX_MODEL_H

#include "backends/backend.h"

#include <stdbool.h>

#define ONNX_OPSET      13 /* the versions of Slice, Gather and Identity; the later ones only add data types */
#define ONNX_IR_VERSION 7  /* that of the release which brought this opset */
#define ONNX_MAX_INPUTS 5
#define ONNX_MOST_FLAGS 2

/* Bytes that grow. Start from zeros; `failed` where memory ran out. The owner frees `data`. */
typedef struct onnx_bytes {
    unsigned char *data;
    size_t size, capacity;
    bool failed;
} onnx_bytes;

/* An input or output of the node and of its graph. */
typedef struct onnx_value {
    const char *name;     /* "": an optional input that is left out */
    uint32_t dtype;       /* ts_dtype */
    const int64_t *sizes; /* NULL: the graph does not say, and the model serves any shape */
    uint32_t rank;
    const int64_t *constant; /* the elements of a list of INT64, or a scalar (rank 0), that is part of the graph; NULL:
                                an input of it */
} onnx_value;

/* A model of one node. */
typedef struct onnx_model {
    const char *op;        /* "Slice" */
    const char *axis_name; /* of the attribute that has the axis: "axis"; NULL: there is none */
    int64_t axis;
    const char *flags[ONNX_MOST_FLAGS]; /* the names of further attributes, which are 1; others NULL */
    const char *word_name, *word;       /* of an attribute that is a text, and the text; NULL: there is none */
    uint32_t input_count;
    onnx_value inputs[ONNX_MAX_INPUTS];
    onnx_value output;
} onnx_model;

/* TensorProto.DataType, which is also ONNXTensorElementDataType; 0 where ONNX has no such type. */
uint32_t onnx_dtype(uint32_t dtype);

/* Bytes of an element of one of the types above; 0 for types of less than a byte. */
uint32_t onnx_element_bytes(uint32_t dtype);

/* Add a ModelProto. */
void onnx_write_model(onnx_bytes *out, const onnx_model *model);

/* Add a TensorProto of packed little-endian data. */
void onnx_write_tensor(onnx_bytes *out, const onnx_value *value, const void *data, size_t size);

#endif
