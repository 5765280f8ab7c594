/* SPDX-License-Identifier: Apache-2.0 */
/* Products of matrices, and attention. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_GEMM_OPERATOR_DESC ---- */
static const ts_tensor_decl gemm_tensors[] = {
    CHECKED_INPUT("ATensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_OPTIONAL_INPUT("CTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct gemm {
    uint32_t TransA, TransB;
    float Alpha, Beta;
    ts_nested_operator FusedActivation;
} gemm;
static const ts_attr_decl gemm_attrs[] = {
    CHECKED_ENUM(gemm, TransA, checked_matrix_transform),
    CHECKED_ENUM(gemm, TransB, checked_matrix_transform),
    CHECKED_F32(gemm, Alpha),
    CHECKED_F32(gemm, Beta),
    CHECKED_FUSED(gemm, FusedActivation, checked_fusable_gemm),
};
static const ts_support_row gemm_support[] = {
    { TS_LEVEL_1_0, { CHECKED_4({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_4_0, { CHECKED_4({ 2, 4, DML_FLOATS }) } },
};
static const ts_clause gemm_clauses[] = {
    CHECKED_COMPARABLE("ATensor, BTensor, CTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "CTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "A, B and the output are matrices that can be multiplied, as TransA and TransB say, in "
                   "equal batches",
                   "ATensor"),
    CHECKED_CLAUSE("OP-10", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
    CHECKED_FUSED_SCALE("OP-11", "OP-12"),
};
static const checked_rule gemm_rules[] = {
    CHECKED_COMPARABLE_RULES(0xf),
    { "OP-08", checked_same_sizes, .tensors = 0xc },
    { "OP-09", checked_multiplied, .attr = 0 },
    { "OP-10", checked_fusable, .attr = 4 },
    CHECKED_FUSED_SCALE_RULES("OP-11", "OP-12", 4),
};
const checked_operator checked_dml_gemm =
    CHECKED("gemm", "GEMM", 54, "ttttaaaaa", gemm_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(gemm_attrs, gemm),
            gemm_support, gemm_clauses, CHECKED_RULES(gemm_rules));

/* ---- DML_MATRIX_MULTIPLY_INTEGER_OPERATOR_DESC ---- */
static const ts_tensor_decl matrix_multiply_integer_tensors[] = {
    CHECKED_INPUT("ATensor"),
    CHECKED_OPTIONAL_INPUT("AZeroPointTensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_OPTIONAL_INPUT("BZeroPointTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row matrix_multiply_integer_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 },
        { 4, 4, T_I32 } } },
    { TS_LEVEL_4_0, { { 2, 4, T_I8 | T_U8 }, { 1, 4, T_I8 | T_U8 }, { 2, 4, T_I8 | T_U8 }, { 2, 4, T_I8 | T_U8 },
        { 2, 4, T_I32 } } },
    { TS_LEVEL_5_2, { { 2, 4, T_I8 | T_U8 }, { 1, 4, T_I8 | T_U8 }, { 2, 4, T_I8 | T_U8 }, { 1, 4, T_I8 | T_U8 },
        { 2, 4, T_I32 } } },
};
static const ts_clause matrix_multiply_integer_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "BTensor and BZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ATensor and AZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "ATensor, BTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "A, B and the output are matrices that can be multiplied, in equal batches", "ATensor"),
    CHECKED_CLAUSE("OP-10", "AZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], [M], 1 }",
                   "AZeroPointTensor"),
    CHECKED_CLAUSE("OP-11", "BZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], [1], N }",
                   "BZeroPointTensor"),
};
static const checked_rule matrix_multiply_integer_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xc },
    { "OP-07", checked_same_type, .tensors = 0x3 },
    { "OP-08", checked_same_rank, .tensors = 0x15 },
    { "OP-09", checked_multiplied, .attr = 0 },
    { NULL, checked_shape, .tensors = 0x10, .shape = "{ [Batch], [Channel], M, N }" },
    { "OP-10", checked_shape, .tensors = 0x2, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [M], 1 }" },
    { "OP-11", checked_shape, .tensors = 0x8, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [1], N }" },
};
const checked_operator checked_dml_matrix_multiply_integer =
    CHECKED("matrix_multiply_integer", "MATRIX_MULTIPLY_INTEGER", 117, "ttttt", matrix_multiply_integer_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, matrix_multiply_integer_support, matrix_multiply_integer_clauses,
            CHECKED_RULES(matrix_multiply_integer_rules));

/* ---- DML_MATRIX_MULTIPLY_INTEGER_TO_FLOAT_OPERATOR_DESC ---- */
static const ts_tensor_decl matrix_multiply_integer_to_float_tensors[] = {
    CHECKED_INPUT("ATensor"),
    CHECKED_INPUT("AScaleTensor"),
    CHECKED_OPTIONAL_INPUT("AZeroPointTensor"),
    CHECKED_INPUT("BTensor"),
    CHECKED_INPUT("BScaleTensor"),
    CHECKED_OPTIONAL_INPUT("BZeroPointTensor"),
    CHECKED_OPTIONAL_INPUT("BiasTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row matrix_multiply_integer_to_float_support[] = {
    { TS_LEVEL_6_2, { { 2, 4, DML_INTEGERS_32 }, { 1, 4, DML_FLOATS }, { 1, 4, DML_INTEGERS_32 },
        { 2, 4, DML_INTEGERS_32 }, { 1, 4, DML_FLOATS }, { 1, 4, DML_INTEGERS_32 }, { 2, 4, DML_FLOATS },
        { 2, 4, DML_FLOATS } } },
};
static const ts_clause matrix_multiply_integer_to_float_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ATensor, AZeroPointTensor, BTensor and BZeroPointTensor have the same DataType",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "AScaleTensor, BScaleTensor, BiasTensor and OutputTensor have the same DataType",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "AScaleTensor, AZeroPointTensor, BScaleTensor and BZeroPointTensor have the same "
                   "DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "ATensor, BTensor, BiasTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "BiasTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-11", "A, B and the output are matrices that can be multiplied, in equal batches", "ATensor"),
    CHECKED_CLAUSE("OP-12", "AScaleTensor and AZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], [M], 1 }",
                   "AScaleTensor"),
    CHECKED_CLAUSE("OP-13", "BScaleTensor and BZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], [1], N }",
                   "BScaleTensor"),
    CHECKED_OBSERVED("OP-14", "a zero point has the Sizes of its scale",
                     "the page gives a scale and a zero point two shapes each, and does not relate them"),
};
static const checked_rule matrix_multiply_integer_to_float_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x2d },
    { "OP-07", checked_same_type, .tensors = 0xd2 },
    { "OP-08", checked_same_rank, .tensors = 0x36 },
    { "OP-09", checked_same_rank, .tensors = 0xc9 },
    { "OP-10", checked_same_sizes, .tensors = 0xc0 },
    { "OP-11", checked_multiplied, .attr = 0 },
    { NULL, checked_shape, .tensors = 0x80, .shape = "{ [Batch], [Channel], M, N }" },
    { "OP-12", checked_shape, .tensors = 0x6, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [M], 1 }" },
    { "OP-13", checked_shape, .tensors = 0x30, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [1], N }" },
    { "OP-14", checked_same_sizes, .tensors = 0x6 },
    { "OP-14", checked_same_sizes, .tensors = 0x30 },
};
const checked_operator checked_dml_matrix_multiply_integer_to_float =
    CHECKED("matrix_multiply_integer_to_float", "MATRIX_MULTIPLY_INTEGER_TO_FLOAT", 170, "tttttttt",
            matrix_multiply_integer_to_float_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            matrix_multiply_integer_to_float_support, matrix_multiply_integer_to_float_clauses,
            CHECKED_RULES(matrix_multiply_integer_to_float_rules));

/* ---- DML_QUANTIZED_LINEAR_MATRIX_MULTIPLY_OPERATOR_DESC ---- */
static const ts_tensor_decl quantized_linear_matrix_multiply_tensors[] = {
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
static const ts_support_row quantized_linear_matrix_multiply_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, T_I8 | T_U8 }, { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 },
        { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 } } },
    { TS_LEVEL_4_0, { { 2, 4, T_I8 | T_U8 }, { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 2, 4, T_I8 | T_U8 },
        { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 2, 4, T_I8 | T_U8 } } },
};
static const ts_clause quantized_linear_matrix_multiply_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ATensor and AZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "BTensor and BZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "OutputZeroPointTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "AScaleTensor, AZeroPointTensor, BScaleTensor, BZeroPointTensor, OutputScaleTensor and "
                   "OutputZeroPointTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "ATensor, BTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-11", "A, B and the output are matrices that can be multiplied, in equal batches", "ATensor"),
    CHECKED_CLAUSE("OP-12", "AScaleTensor and AZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], [M], 1 }",
                   "AScaleTensor"),
    CHECKED_CLAUSE("OP-13", "BScaleTensor and BZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], [1], N }",
                   "BScaleTensor"),
    CHECKED_CLAUSE("OP-14", "OutputScaleTensor and OutputZeroPointTensor.Sizes = { [1], [1], [1], 1 } or { [1], [1], "
                   "[M], 1 }",
                   "OutputScaleTensor"),
    CHECKED_OBSERVED("OP-15", "a zero point has the Sizes of its scale",
                     "the page gives a scale and a zero point two shapes each, and does not relate them"),
};
static const checked_rule quantized_linear_matrix_multiply_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_type, .tensors = 0x28 },
    { "OP-08", checked_same_type, .tensors = 0x180 },
    { "OP-09", checked_same_rank, .tensors = 0xf6 },
    { "OP-10", checked_same_rank, .tensors = 0x109 },
    { "OP-11", checked_multiplied, .attr = 0 },
    { NULL, checked_shape, .tensors = 0x100, .shape = "{ [Batch], [Channel], M, N }" },
    { "OP-12", checked_shape, .tensors = 0x6, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [M], 1 }" },
    { "OP-13", checked_shape, .tensors = 0x30, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [1], N }" },
    { "OP-14", checked_shape, .tensors = 0xc0, .shape = "{ [1], [1], [1], 1 } or { [1], [1], [M], 1 }" },
    { "OP-15", checked_same_sizes, .tensors = 0x6 },
    { "OP-15", checked_same_sizes, .tensors = 0x30 },
    { "OP-15", checked_same_sizes, .tensors = 0xc0 },
};
const checked_operator checked_dml_quantized_linear_matrix_multiply =
    CHECKED("quantized_linear_matrix_multiply", "QUANTIZED_LINEAR_MATRIX_MULTIPLY", 118, "ttttttttt",
            quantized_linear_matrix_multiply_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            quantized_linear_matrix_multiply_support, quantized_linear_matrix_multiply_clauses,
            CHECKED_RULES(quantized_linear_matrix_multiply_rules));
