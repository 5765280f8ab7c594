/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of the suite in ONNX's words: which operator, with which shapes, attributes and lists. Sees no data and knows
 * no runtime, so that `touchstone export --onnx` shows the very thing that the backend runs.
 *
 *   dml.slice1               Slice: starts, ends and steps from the window; each end from the size of the output,
 *                            which may be shorter than the window allows
 *   dml.gather               Gather: without the leading ones that make the three ranks equal
 *   openvino.strided_slice   Slice: masked begins and ends are replaced by sentinels, a shrunk axis is a step of one
 *                            element; the axes that new_axis adds and shrink_axis drops have one element, and stand in
 *                            the sizes of the suite's output alone
 *   dml.element_wise_identity  Identity
 */
#ifndef TOUCHSTONE_ONNX_TRANSLATE_H
#define TOUCHSTONE_ONNX_TRANSLATE_H

#include "harness/formats/onnx/model.h"

#define ONNX_MAX_STEPS (2 * TS_MAX_DIMS)

typedef enum onnx_op { ONNX_SLICE, ONNX_GATHER, ONNX_IDENTITY } onnx_op;

/* A tensor's shape as ONNX sees it. Its elements, in row-major order, are those of the suite's. */
typedef struct onnx_shape {
    uint32_t rank;
    int64_t sizes[TS_MAX_DIMS];
} onnx_shape;

typedef struct onnx_call {
    onnx_op op;
    onnx_shape data, indices, output;
    int64_t axis;                 /* ONNX_GATHER */
    uint32_t starts, ends, steps; /* ONNX_SLICE: values in each list; axes are 0, 1, ... */
    int64_t start[ONNX_MAX_STEPS];
    int64_t end[ONNX_MAX_STEPS];
    int64_t step[ONNX_MAX_STEPS];
    bool output_fits; /* the output's descriptor has one element along each axis that new_axis adds, and as many axes as
                         there are: `output` is its shape. Else the library has to say what the shape is. */
    uint32_t added;   /* bit i: axis i of the suite's output is a new one; */
    uint32_t dropped; /* bit i: axis i of ONNX's output is not in the suite's */
} onnx_call;

/* Which of them an operator of the suite becomes; false where it has no translation. */
bool onnx_translates(const char *operator_name, onnx_op *op);

/* Put a call into ONNX's words. False for what they cannot express: null pointers, ranks and lists beyond the suite's
   own, a GATHER whose ranks are not those of leading ones; *why is set to the reason, a static string. */
bool onnx_translate(const ts_call *call, onnx_call *out, const char **why);

/* The lists' names and those of the tensors, in the order of the node's inputs: "data", "starts", ... */
void onnx_describe(const onnx_call *call, uint32_t dtype, uint32_t index_dtype, onnx_model *model);

/* What shape the suite's output has where ONNX's is `found`: without the dropped axes, with the new ones. */
void onnx_output_shape(const onnx_call *call, const onnx_shape *found, ts_shape *shape);

/* Does a clause of an operator speak of something that its ONNX form has too, so that it is the library that refuses
   what breaks it? */
bool onnx_shows_clause(const char *operator_name, const char *clause);

#endif
