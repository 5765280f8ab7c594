/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions, sums along an axis, and searches. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_ARGMAX_OPERATOR_DESC ---- */
static const ts_tensor_decl in_out_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct argmax {
    uint32_t AxisCount, Axes[TS_MAX_DIMS], AxisDirection;
} argmax;
static const ts_attr_decl argmax_attrs[] = {
    CHECKED_COUNTER(argmax, AxisCount),
    CHECKED_LIST(TS_ATTR_U32, argmax, Axes, AxisCount),
    CHECKED_ENUM(argmax, AxisDirection, checked_axis_direction),
};
static const ts_support_row argmax_support[] = {
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES }, { 1, 8, T_I64 | T_I32 | T_U64 | T_U32 } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_8_TYPES | T_I64 | T_U64 }, { 1, 8, T_I64 | T_I32 | T_U64 | T_U32 } } },
};
static const ts_clause argmax_clauses[] = {
    CHECKED_CLAUSES_AXES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "Axes[i] < InputTensor.DimensionCount", "Axes"),
    CHECKED_CLAUSE("OP-08", "OutputTensor has size 1 along Axes, and else the sizes of InputTensor", "OutputTensor"),
};
static const checked_rule argmax_rules[] = {
    { "OP-06", checked_same_rank, .tensors = 0x3 },
    { "OP-07", checked_axis, .tensors = 0x1, .attr = 1 },
    { "OP-08", checked_reduced, .tensors = 0x3, .attr = 1 },
};
const checked_operator checked_dml_argmax =
    CHECKED("argmax", "ARGMAX", 138, "ttaaa", in_out_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(argmax_attrs, argmax),
            argmax_support, argmax_clauses, CHECKED_RULES(argmax_rules));

/* ---- DML_ARGMIN_OPERATOR_DESC ---- */
const checked_operator checked_dml_argmin =
    CHECKED("argmin", "ARGMIN", 137, "ttaaa", in_out_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(argmax_attrs, argmax),
            argmax_support, argmax_clauses, CHECKED_RULES(argmax_rules));

/* ---- DML_CUMULATIVE_PRODUCT_OPERATOR_DESC ---- */
typedef struct cumulative_product {
    uint32_t Axis, AxisDirection, HasExclusiveProduct;
} cumulative_product;
static const ts_attr_decl cumulative_product_attrs[] = {
    CHECKED_U32(cumulative_product, Axis),
    CHECKED_ENUM(cumulative_product, AxisDirection, checked_axis_direction),
    CHECKED_BOOL(cumulative_product, HasExclusiveProduct),
};
static const ts_support_row cumulative_product_support[] = {
    { TS_LEVEL_3_1, { CHECKED_2({ 4, 4, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_4_0, { CHECKED_2({ 1, 8, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32 }) } },
};
static const ts_clause cumulative_product_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-09", "Axis < InputTensor.DimensionCount", "Axis"),
};
static const checked_rule cumulative_product_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 0 },
};
const checked_operator checked_dml_cumulative_product =
    CHECKED("cumulative_product", "CUMULATIVE_PRODUCT", 145, "ttaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(cumulative_product_attrs, cumulative_product), cumulative_product_support,
            cumulative_product_clauses, CHECKED_RULES(cumulative_product_rules));

/* ---- DML_NONZERO_COORDINATES_OPERATOR_DESC ---- */
static const ts_tensor_decl nonzero_coordinates_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputCountTensor"),
    CHECKED_OUTPUT("OutputCoordinatesTensor"),
};
static const ts_support_row nonzero_coordinates_support[] = {
    { TS_LEVEL_3_0, { { 4, 5, DML_8_TYPES }, { 4, 5, T_U32 }, { 4, 5, T_U32 } } },
    { TS_LEVEL_4_0, { { 1, 8, DML_8_TYPES }, { 1, 8, T_U32 }, { 2, 8, T_U32 } } },
};
static const ts_clause nonzero_coordinates_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputCoordinatesTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "OutputCountTensor has one element", "OutputCountTensor"),
    CHECKED_CLAUSE("OP-08", "OutputCoordinatesTensor.Sizes = { 1, ..., elements of InputTensor, n }, where n is at "
                   "least its DimensionCount without leading ones",
                   "OutputCoordinatesTensor"),
};
static const checked_rule nonzero_coordinates_rules[] = {
    { "OP-06", checked_same_rank, .tensors = 0x5 },
    { "OP-07", checked_one_element, .tensors = 0x2 },
    { "OP-08", checked_coordinates, .tensors = 0x5 },
};
const checked_operator checked_dml_nonzero_coordinates =
    CHECKED("nonzero_coordinates", "NONZERO_COORDINATES", 133, "ttt", nonzero_coordinates_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, nonzero_coordinates_support, nonzero_coordinates_clauses,
            CHECKED_RULES(nonzero_coordinates_rules));

/* ---- DML_ONE_HOT_OPERATOR_DESC ---- */
static const ts_tensor_decl one_hot_tensors[] = {
    CHECKED_INPUT("IndicesTensor"),
    CHECKED_INPUT("ValuesTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct one_hot {
    uint32_t Axis;
} one_hot;
static const ts_attr_decl one_hot_attrs[] = {
    CHECKED_U32(one_hot, Axis),
};
static const ts_support_row one_hot_support[] = {
    { TS_LEVEL_2_0, { { 4, 4, T_U32 }, { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS } } },
    { TS_LEVEL_2_1, { { 4, 4, T_U32 }, { 4, 4, DML_8_TYPES }, { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_3_0, { { 1, 8, T_I64 | T_I32 | T_U64 | T_U32 }, { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, T_I64 | T_I32 | T_U64 | T_U32 }, { 1, 8, DML_11_TYPES }, { 1, 8, DML_11_TYPES } } },
};
static const ts_clause one_hot_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ValuesTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "IndicesTensor, ValuesTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "ValuesTensor has at least two elements", "ValuesTensor"),
    CHECKED_CLAUSE("OP-09", "Axis < OutputTensor.DimensionCount", "Axis"),
    CHECKED_CLAUSE("OP-10", "IndicesTensor and OutputTensor have the same Sizes but along Axis", "IndicesTensor"),
    CHECKED_CLAUSE("OP-11", "IndicesTensor.Sizes[Axis] = 1", "IndicesTensor"),
};
static const checked_rule one_hot_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x6 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_two_values, .tensors = 0x2 },
    { "OP-09", checked_axis, .tensors = 0x4, .attr = 0 },
    { "OP-10", checked_alike_but, .tensors = 0x5, .attr = 0 },
    { "OP-11", checked_one_axis, .tensors = 0x1, .attr = 0 },
};
const checked_operator checked_dml_one_hot =
    CHECKED("one_hot", "ONE_HOT", 95, "ttta", one_hot_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(one_hot_attrs, one_hot),
            one_hot_support, one_hot_clauses, CHECKED_RULES(one_hot_rules));

/* ---- DML_REDUCE_OPERATOR_DESC ---- */
typedef struct reduce {
    uint32_t Function, AxisCount, Axes[TS_MAX_DIMS];
} reduce;
static const ts_attr_decl reduce_attrs[] = {
    CHECKED_ENUM(reduce, Function, checked_reduce_function),
    CHECKED_COUNTER(reduce, AxisCount),
    CHECKED_LIST(TS_ATTR_U32, reduce, Axes, AxisCount),
};
static const ts_support_row reduce_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS | T_U32 } } },
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES }, { 4, 4, DML_FLOATS | T_I32 | T_U32 } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES | T_I64 | T_U64 } } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
static const ts_clause reduce_clauses[] = {
    CHECKED_CLAUSES_AXES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType, unless Function is ARGMIN or ARGMAX",
                   "InputTensor"),
    CHECKED_CLAUSE("OP-07", "the DataTypes are those of the Function: its own table", "Tensor support"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "Axes[i] < InputTensor.DimensionCount", "Axes"),
    CHECKED_CLAUSE("OP-10", "OutputTensor has size 1 along Axes, and else the sizes of InputTensor", "OutputTensor"),
};
static const checked_rule reduce_rules[] = {
    { "OP-06", checked_reduced_equal, .tensors = 0x3 },
    { "OP-07", checked_reduced_types, .tensors = 0x3 },
    { "OP-08", checked_same_rank, .tensors = 0x3 },
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 2 },
    { "OP-10", checked_reduced, .tensors = 0x3, .attr = 2 },
};
const checked_operator checked_dml_reduce =
    CHECKED("reduce", "REDUCE", 55, "attaa", in_out_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(reduce_attrs, reduce),
            reduce_support, reduce_clauses, CHECKED_RULES(reduce_rules));

/* ---- DML_TOP_K_OPERATOR_DESC ---- */
static const ts_tensor_decl top_k_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputValueTensor"),
    CHECKED_OUTPUT("OutputIndexTensor"),
};
typedef struct top_k {
    uint32_t Axis, K;
} top_k;
static const ts_attr_decl top_k_attrs[] = {
    CHECKED_U32(top_k, Axis),
    CHECKED_U32(top_k, K),
};
static const ts_support_row top_k_support[] = {
    { TS_LEVEL_2_0, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 4, 4, T_U32 } } },
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES }, { 4, 4, DML_8_TYPES }, { 4, 4, T_U32 } } },
    { TS_LEVEL_3_1, { { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES }, { 1, 8, T_U32 } } },
    { TS_LEVEL_5_0, { { 1, 8, DML_8_TYPES | T_I64 | T_U64 }, { 1, 8, DML_8_TYPES | T_I64 | T_U64 },
        { 1, 8, T_U64 | T_U32 } } },
};
static const ts_clause top_k_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputValueTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, OutputValueTensor and OutputIndexTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "Axis < InputTensor.DimensionCount", "Axis"),
    CHECKED_CLAUSE("OP-09", "K >= 1", "K"),
    CHECKED_CLAUSE("OP-10", "K <= InputTensor.Sizes[Axis]", "K"),
    CHECKED_CLAUSE("OP-11", "OutputValueTensor.Sizes[Axis] = K, and else the sizes of InputTensor",
                   "OutputValueTensor"),
    CHECKED_CLAUSE("OP-12", "OutputIndexTensor.Sizes[Axis] = K, and else the sizes of InputTensor",
                   "OutputIndexTensor"),
};
static const checked_rule top_k_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_axis, .tensors = 0x1, .attr = 0 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_k, .tensors = 0x1 },
    { "OP-11", checked_top_k, .tensors = 0x3, .attr = 0 },
    { "OP-12", checked_top_k, .tensors = 0x5, .attr = 0 },
};
const checked_operator checked_dml_top_k =
    CHECKED("top_k", "TOP_K", 71, "tttaa", top_k_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(top_k_attrs, top_k),
            top_k_support, top_k_clauses, CHECKED_RULES(top_k_rules));

/* ---- DML_TOP_K1_OPERATOR_DESC ---- */
typedef struct top_k1 {
    uint32_t Axis, K, AxisDirection;
} top_k1;
static const ts_attr_decl top_k1_attrs[] = {
    CHECKED_U32(top_k1, Axis),
    CHECKED_U32(top_k1, K),
    CHECKED_ENUM(top_k1, AxisDirection, checked_axis_direction),
};
static const ts_support_row top_k1_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES }, { 4, 4, DML_8_TYPES }, { 4, 4, T_U32 } } },
    { TS_LEVEL_3_1, { { 1, 8, DML_8_TYPES }, { 1, 8, DML_8_TYPES }, { 1, 8, T_U32 } } },
    { TS_LEVEL_5_0, { { 1, 8, DML_8_TYPES | T_I64 | T_U64 }, { 1, 8, DML_8_TYPES | T_I64 | T_U64 },
        { 1, 8, T_U64 | T_U32 } } },
};
const checked_operator checked_dml_top_k1 =
    CHECKED("top_k1", "TOP_K1", 112, "tttaaa", top_k_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(top_k1_attrs, top_k1),
            top_k1_support, top_k_clauses, CHECKED_RULES(top_k_rules));
