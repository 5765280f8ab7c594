/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of two tensors, element by element. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_ELEMENT_WISE_ADD_OPERATOR_DESC ---- */
static const ts_tensor_decl a_b_out_tensors[] = {
    CHECKED_INPUT("ATensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row add_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 5, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_4_1, { CHECKED_3({ 1, 8, DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32 }) } },
    { TS_LEVEL_5_1, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
static const ts_clause add_clauses[] = {
    CHECKED_ALIKE("ATensor, BTensor and OutputTensor"),
};
static const checked_rule add_rules[] = {
    CHECKED_ALIKE_RULES(0x7),
};
const checked_operator checked_dml_element_wise_add =
    CHECKED("element_wise_add", "ELEMENT_WISE_ADD", 4, "ttt", a_b_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            add_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_ADD1_OPERATOR_DESC ---- */
typedef struct add1 {
    ts_nested_operator FusedActivation;
} add1;
static const ts_attr_decl add1_attrs[] = {
    CHECKED_FUSED(add1, FusedActivation, checked_fusable_any),
};
static const ts_support_row add1_support[] = {
    { TS_LEVEL_2_0, { CHECKED_3({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause add1_clauses[] = {
    CHECKED_ALIKE("ATensor, BTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-09", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
};
static const checked_rule add1_rules[] = {
    CHECKED_ALIKE_RULES(0x7),
    { "OP-09", checked_fusable, .attr = 0 },
};
const checked_operator checked_dml_element_wise_add1 =
    CHECKED("element_wise_add1", "ELEMENT_WISE_ADD1", 89, "ttta", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(add1_attrs, add1), add1_support, add1_clauses, CHECKED_RULES(add1_rules));

/* ---- DML_ELEMENT_WISE_ATAN_YX_OPERATOR_DESC ---- */
static const ts_support_row atan_yx_support[] = {
    { TS_LEVEL_3_1, { CHECKED_3({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_element_wise_atan_yx =
    CHECKED("element_wise_atan_yx", "ELEMENT_WISE_ATAN_YX", 141, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, atan_yx_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_DIFFERENCE_SQUARE_OPERATOR_DESC ---- */
static const ts_support_row difference_square_support[] = {
    { TS_LEVEL_3_1, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_U32 }) } },
};
const checked_operator checked_dml_element_wise_difference_square =
    CHECKED("element_wise_difference_square", "ELEMENT_WISE_DIFFERENCE_SQUARE", 143, "ttt", a_b_out_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, difference_square_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_DIVIDE_OPERATOR_DESC ---- */
static const ts_support_row divide_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 4, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_5_1, { CHECKED_3({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_6_0, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_element_wise_divide =
    CHECKED("element_wise_divide", "ELEMENT_WISE_DIVIDE", 10, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, divide_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_MAX_OPERATOR_DESC ---- */
static const ts_support_row max_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_5_0, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_element_wise_max =
    CHECKED("element_wise_max", "ELEMENT_WISE_MAX", 21, "ttt", a_b_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            max_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_MEAN_OPERATOR_DESC ---- */
static const ts_support_row mean_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 4, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_U32 }) } },
};
const checked_operator checked_dml_element_wise_mean =
    CHECKED("element_wise_mean", "ELEMENT_WISE_MEAN", 22, "ttt", a_b_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            mean_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_MIN_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_min =
    CHECKED("element_wise_min", "ELEMENT_WISE_MIN", 23, "ttt", a_b_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            max_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_MODULUS_FLOOR_OPERATOR_DESC ---- */
static const ts_support_row modulus_floor_support[] = {
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_6_0, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_element_wise_modulus_floor =
    CHECKED("element_wise_modulus_floor", "ELEMENT_WISE_MODULUS_FLOOR", 102, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, modulus_floor_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_MODULUS_TRUNCATE_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_modulus_truncate =
    CHECKED("element_wise_modulus_truncate", "ELEMENT_WISE_MODULUS_TRUNCATE", 101, "ttt", a_b_out_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, modulus_floor_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_MULTIPLY_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_multiply =
    CHECKED("element_wise_multiply", "ELEMENT_WISE_MULTIPLY", 24, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, add_support, add_clauses, CHECKED_RULES(add_rules));

/* ---- DML_ELEMENT_WISE_POW_OPERATOR_DESC ---- */
static const ts_tensor_decl pow_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("ExponentTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct pow {
    float ScaleBias[2];
} pow;
static const ts_attr_decl pow_attrs[] = {
    CHECKED_RECORD(TS_ATTR_F32, pow, ScaleBias, checked_scale_bias, true),
};
static const ts_support_row pow_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_8_TYPES }) } },
};
static const ts_clause pow_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, ExponentTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor, ExponentTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "ExponentTensor may have another DataType than InputTensor from feature level 3_0 on",
                   "ExponentTensor"),
    CHECKED_OBSERVED("OP-10", "ScaleBias is null where InputTensor.DataType has 64 bits",
                     "the page describes ScaleBias without regard to types"),
};
static const checked_rule pow_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_same_sizes, .tensors = 0x7 },
    { "OP-09", checked_same_type, .tensors = 0x3, .until = TS_LEVEL_3_0 },
    { "OP-10", checked_scale, .tensors = 0x1, .attr = 0 },
};
const checked_operator checked_dml_element_wise_pow =
    CHECKED("element_wise_pow", "ELEMENT_WISE_POW", 25, "ttta", pow_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(pow_attrs, pow), pow_support, pow_clauses, CHECKED_RULES(pow_rules));

/* ---- DML_ELEMENT_WISE_SUBTRACT_OPERATOR_DESC ---- */
static const ts_support_row subtract_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_3({ 4, 4, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_U32 }) } },
    { TS_LEVEL_4_1, { CHECKED_3({ 1, 8, DML_FLOATS | T_I64 | T_I32 | T_U64 | T_U32 }) } },
    { TS_LEVEL_5_1, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_element_wise_subtract =
    CHECKED("element_wise_subtract", "ELEMENT_WISE_SUBTRACT", 30, "ttt", a_b_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, subtract_support, add_clauses, CHECKED_RULES(add_rules));
