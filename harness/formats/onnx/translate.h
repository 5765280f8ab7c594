/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call of the suite as an operator of ONNX with its shapes, attributes and lists. The translation sees no data and
 * knows no runtime, so that `touchstone export --onnx` writes the same model that the backend runs.
 *
 *   dml.slice1               Slice: starts, ends and steps from the window; each end from the size of the output,
 *                            which may be shorter than the window allows
 *   dml.gather               Gather: without the leading ones that make the three ranks equal
 *   dml.gather_elements      GatherElements
 *   dml.gather_nd, dml.gather_nd1
 *                            GatherND: without the leading ones that make the three ranks equal
 *   dml.scatter_elements     ScatterElements, without the attribute `reduction`
 *   dml.scatter_nd           ScatterND, without the attribute `reduction`; the dimensions that do not count are dropped
 *   dml.space_to_depth1      SpaceToDepth, which has no attribute for the order: DEPTH_COLUMN_ROW
 *   openvino.strided_slice   Slice: masked begins and ends are replaced by sentinels, a shrunk axis is a step of one
 *                            element; the axes that new_axis adds and shrink_axis drops have one element, and are in
 *                            the sizes of the suite's output only
 *   dml.element_wise_identity  Identity
 *   dml.cumulative_summation   CumSum: the axis is a scalar that is part of the model
 */
#ifndef TOUCHSTONE_ONNX_TRANSLATE_H
#define TOUCHSTONE_ONNX_TRANSLATE_H

#include "harness/formats/onnx/model.h"

#define ONNX_MAX_STEPS (2 * TS_MAX_DIMS)

typedef enum onnx_op {
    ONNX_SLICE,
    ONNX_GATHER,
    ONNX_GATHER_ELEMENTS,
    ONNX_GATHER_ND,
    ONNX_SCATTER_ELEMENTS,
    ONNX_SCATTER_ND,
    ONNX_IDENTITY,
    ONNX_CUM_SUM,
    ONNX_SPACE_TO_DEPTH,
    ONNX_DEPTH_TO_SPACE,
    ONNX_OPS
} onnx_op;

#define ONNX_MOST_TENSORS 3 /* that are inputs */
#define ONNX_LISTS        3 /* of ONNX_SLICE: starts, ends and steps */

/* What an operator of ONNX takes. */
typedef struct onnx_form {
    const char *name;
    uint32_t tensors;        /* inputs that are tensors of the call: the first ones of data, indices and updates */
    bool lists;              /* the inputs starts, ends and steps behind them */
    const char *axis;        /* the name of the attribute that has the axis, or another integer; NULL: there is none */
    int64_t least;           /* the least value that this attribute may have */
    const char *axis_scalar; /* the name of the input behind the tensors that has it, or NULL */
} onnx_form;

const onnx_form *onnx_form_of(onnx_op op);

/* The names of the inputs that are tensors, in order: "data", "indices", "updates". */
extern const char *const onnx_tensor_names[ONNX_MOST_TENSORS];

/* Has the operator an input of indices behind its data, and such an attribute? */
static inline bool onnx_has_indices(onnx_op op)
{
    return onnx_form_of(op)->tensors > 1;
}

/* Does the operator take indices of this type? */
bool onnx_takes_indices(onnx_op op, uint32_t dtype);

/* A tensor's shape in ONNX. Its elements in row-major order are those of the suite's tensor. */
typedef struct onnx_shape {
    uint32_t rank;
    int64_t sizes[TS_MAX_DIMS];
} onnx_shape;

typedef struct onnx_call {
    onnx_op op;
    onnx_shape data, indices, updates, output;
    int64_t axis;                 /* of an operator that has one; of ONNX_GATHER_ND its batch dimensions, of
                                     ONNX_SPACE_TO_DEPTH and its inverse the rows of a block */
    bool exclusive, reverse;      /* of ONNX_CUM_SUM */
    bool columns_first;           /* of ONNX_DEPTH_TO_SPACE: its mode is CRD, not DCR */
    uint32_t starts, ends, steps; /* ONNX_SLICE: values in each list; axes are 0, 1, ... */
    int64_t start[ONNX_MAX_STEPS];
    int64_t end[ONNX_MAX_STEPS];
    int64_t step[ONNX_MAX_STEPS];
    uint32_t extents;               /* values in the list: 0, or `steps` */
    int64_t extent[ONNX_MAX_STEPS]; /* of the window that a step goes through, which may exceed its last element */
    bool output_fits; /* the output's descriptor has one element along each axis that new_axis adds, and as many axes as
                         there are: `output` is its shape. Else the library determines the shape. */
    uint32_t added;   /* bit i: axis i of the suite's output is a new one; */
    uint32_t dropped; /* bit i: axis i of ONNX's output is not in the suite's */
} onnx_call;

/* What ONNX_SLICE takes along an axis of data: `count` elements from `start` on, `step` apart. All of them are inside;
   the step of one element or none is 1. */
typedef struct onnx_range {
    int64_t start, count, step;
} onnx_range;
onnx_range onnx_range_of(const onnx_call *call, uint32_t axis);

/* The shape of input i of those that are tensors. */
const onnx_shape *onnx_input_shape(const onnx_call *call, uint32_t i);

/* Set *op to the ONNX operator of an operator of the suite; false where it has no translation. */
bool onnx_translates(const char *operator_name, onnx_op *op);

/* The name of operator i of those that have a translation, from 0; NULL behind the last one. */
const char *onnx_translated(size_t i);

/* Translate a call. False where the operator has no translation, or ONNX cannot express the call: null pointers, ranks
   and lists beyond the suite's own, a GATHER whose extra dimensions are not leading ones, and an order of
   SPACE_TO_DEPTH1 that SpaceToDepth does not have; *why is set to the reason, a static string. */
bool onnx_translate(const ts_call *call, onnx_call *out, const char **why);

/* Describe the model: the node's operator, and the names and types of its inputs ("data", "starts", ...) and output.
   Updates and the output have the data's type. The model refers to the call where an input has the axis. */
void onnx_describe(const onnx_call *call, uint32_t dtype, uint32_t index_dtype, onnx_model *model);

/* Let the inputs of a described model state the sizes that they have in the call. `counts` is memory for the sizes of
   the lists. The model refers to it and to the call. */
void onnx_state_shapes(const onnx_call *call, onnx_model *model, int64_t counts[ONNX_LISTS]);

/* The values of a list of ONNX_SLICE: 0 starts, 1 ends, 2 steps. */
const int64_t *onnx_list_values(const onnx_call *call, uint32_t list);

/* Convert the shape of ONNX's output to that of the suite's: without the dropped axes, with the new ones. */
void onnx_output_shape(const onnx_call *call, const onnx_shape *found, ts_shape *shape);

/* Is the clause about something that the ONNX operator has, too? Then the library has to refuse cases that break it. */
bool onnx_shows_clause(const char *operator_name, const char *clause);

/* Does a model, with its inputs, break a rule of ONNX where a case breaks the clause? Fewer clauses than above: a model
   can declare a wrong shape of its output, but runtimes may take their own instead. */
bool onnx_refuses_clause(const char *operator_name, const char *clause);

#endif
