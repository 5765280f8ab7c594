/* SPDX-License-Identifier: Apache-2.0 */
/* Quantization, element by element. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_ELEMENT_WISE_DEQUANTIZE_LINEAR_OPERATOR_DESC ---- */
static const ts_tensor_decl dequantize_linear_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("ScaleTensor"),
    CHECKED_OPTIONAL_INPUT("ZeroPointTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row dequantize_linear_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, T_U8 }, { 4, 4, T_F32 }, { 4, 4, T_U8 }, { 4, 4, T_F32 } } },
    { TS_LEVEL_2_1, { { 4, 4, DML_INTEGERS_32 }, { 4, 4, T_F32 }, { 4, 4, DML_INTEGERS_32 }, { 4, 4, T_F32 } } },
    { TS_LEVEL_3_0, { { 1, 8, DML_INTEGERS_32 }, { 1, 8, T_F32 }, { 1, 8, DML_INTEGERS_32 }, { 1, 8, T_F32 } } },
    { TS_LEVEL_6_0, { { 1, 8, DML_INTEGERS_32 }, { 1, 8, DML_FLOATS }, { 1, 8, DML_INTEGERS_32 },
        { 1, 8, DML_FLOATS } } },
    { TS_LEVEL_6_2, { { 1, 8, DML_INTEGERS_32 }, { 1, 8, DML_FLOATS }, { 1, 8, DML_INTEGERS_32 },
        { 1, 8, DML_FLOATS } } },
};
static const ts_clause dequantize_linear_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and ZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ScaleTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor, ScaleTensor, ZeroPointTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "InputTensor, ScaleTensor, ZeroPointTensor and OutputTensor have the same Sizes",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "ZeroPointTensor may be missing from feature level 6_2 on", "ZeroPointTensor"),
};
static const checked_rule dequantize_linear_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_type, .tensors = 0xa },
    { "OP-08", checked_same_rank, .tensors = 0xf },
    { "OP-09", checked_same_sizes, .tensors = 0xf },
    { "OP-10", checked_all_given, .tensors = 0x5, .until = TS_LEVEL_6_2 },
};
const checked_operator checked_dml_element_wise_dequantize_linear =
    CHECKED("element_wise_dequantize_linear", "ELEMENT_WISE_DEQUANTIZE_LINEAR", 34, "tttt", dequantize_linear_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, dequantize_linear_support, dequantize_linear_clauses,
            CHECKED_RULES(dequantize_linear_rules));

/* ---- DML_ELEMENT_WISE_QUANTIZE_LINEAR_OPERATOR_DESC ---- */
static const ts_support_row quantize_linear_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, T_F32 }, { 4, 4, T_F32 }, { 4, 4, T_U8 }, { 4, 4, T_U8 } } },
    { TS_LEVEL_2_1, { { 4, 4, T_F32 | T_I32 }, { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 } } },
    { TS_LEVEL_3_0, { { 1, 8, T_F32 | T_I32 }, { 1, 8, T_F32 }, { 1, 8, T_I8 | T_U8 }, { 1, 8, T_I8 | T_U8 } } },
    { TS_LEVEL_6_0, { { 1, 8, DML_FLOATS | T_I32 }, { 1, 8, DML_FLOATS }, { 1, 8, T_I8 | T_U8 },
        { 1, 8, T_I8 | T_U8 } } },
    { TS_LEVEL_6_2, { { 1, 8, DML_FLOATS | T_I32 }, { 1, 8, DML_FLOATS }, { 1, 8, T_I8 | T_U8 },
        { 1, 8, T_I8 | T_U8 } } },
};
static const ts_clause quantize_linear_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ZeroPointTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, ScaleTensor, ZeroPointTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor, ScaleTensor, ZeroPointTensor and OutputTensor have the same Sizes",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "ScaleTensor.DataType = InputTensor.DataType, or FLOAT32 where that is INT32",
                   "ScaleTensor"),
    CHECKED_CLAUSE("OP-10", "ZeroPointTensor may be missing from feature level 6_2 on", "ZeroPointTensor"),
};
static const checked_rule quantize_linear_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xc },
    { "OP-07", checked_same_rank, .tensors = 0xf },
    { "OP-08", checked_same_sizes, .tensors = 0xf },
    { "OP-09", checked_scale_of, .tensors = 0x3 },
    { "OP-10", checked_all_given, .tensors = 0x5, .until = TS_LEVEL_6_2 },
};
const checked_operator checked_dml_element_wise_quantize_linear =
    CHECKED("element_wise_quantize_linear", "ELEMENT_WISE_QUANTIZE_LINEAR", 33, "tttt", dequantize_linear_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, quantize_linear_support, quantize_linear_clauses,
            CHECKED_RULES(quantize_linear_rules));

/* ---- DML_ELEMENT_WISE_QUANTIZED_LINEAR_ADD_OPERATOR_DESC ---- */
static const ts_tensor_decl quantized_linear_add_tensors[] = {
    CHECKED_INPUT("ATensor"),
    CHECKED_INPUT("AScaleTensor"),
    CHECKED_OPTIONAL_INPUT("AZeroPointTensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_INPUT("BScaleTensor"),
    CHECKED_OPTIONAL_INPUT("BZeroPointTensor"),
    CHECKED_INPUT("OutputScaleTensor"),
    CHECKED_OPTIONAL_INPUT("OutputZeroPointTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row quantized_linear_add_support[] = {
    { TS_LEVEL_4_0, { { 1, 8, T_I8 | T_U8 }, { 1, 8, T_F32 }, { 1, 8, T_I8 | T_U8 }, { 1, 8, T_I8 | T_U8 },
        { 1, 8, T_F32 }, { 1, 8, T_I8 | T_U8 }, { 1, 8, T_F32 }, { 1, 8, T_I8 | T_U8 }, { 1, 8, T_I8 | T_U8 } } },
};
static const ts_clause quantized_linear_add_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ATensor and AZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "BTensor and BZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "OutputZeroPointTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "all tensors have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "ATensor, BTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-11", "AScaleTensor, BScaleTensor and OutputScaleTensor have one element", "AScaleTensor"),
    CHECKED_CLAUSE("OP-12", "AZeroPointTensor, BZeroPointTensor and OutputZeroPointTensor have one element",
                   "AZeroPointTensor"),
};
static const checked_rule quantized_linear_add_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_type, .tensors = 0x28 },
    { "OP-08", checked_same_type, .tensors = 0x180 },
    { "OP-09", checked_same_rank, .tensors = 0x1ff },
    { "OP-10", checked_same_sizes, .tensors = 0x109 },
    { "OP-11", checked_one_element, .tensors = 0x52 },
    { "OP-12", checked_one_element, .tensors = 0xa4 },
};
const checked_operator checked_dml_element_wise_quantized_linear_add =
    CHECKED("element_wise_quantized_linear_add", "ELEMENT_WISE_QUANTIZED_LINEAR_ADD", 147, "ttttttttt",
            quantized_linear_add_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS, quantized_linear_add_support,
            quantized_linear_add_clauses, CHECKED_RULES(quantized_linear_add_rules));
