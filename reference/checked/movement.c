/* SPDX-License-Identifier: Apache-2.0 */
/* Operators that move, repeat, fill or convert elements. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_CAST_OPERATOR_DESC ---- */
static const ts_tensor_decl cast_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row cast_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS | T_I16 | T_I8 | T_U16 | T_U8 }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 4, 4, DML_8_TYPES | T_I64 | T_U64 }) } },
    { TS_LEVEL_3_1, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause cast_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DimensionCount", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
};
static const checked_rule cast_rules[] = {
    { "OP-06", checked_same_rank, .tensors = 0x3 },
    { "OP-07", checked_same_sizes, .tensors = 0x3 },
};
const checked_operator checked_dml_cast =
    CHECKED("cast", "CAST", 61, "tt", cast_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS, cast_support, cast_clauses,
            CHECKED_RULES(cast_rules));

/* ---- DML_DIAGONAL_MATRIX_OPERATOR_DESC ---- */
static const ts_tensor_decl diagonal_matrix_tensors[] = {
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct diagonal_matrix {
    int32_t Offset;
    float Value;
} diagonal_matrix;
static const ts_attr_decl diagonal_matrix_attrs[] = {
    CHECKED_I32(diagonal_matrix, Offset),
    CHECKED_F32(diagonal_matrix, Value),
};
static const ts_support_row diagonal_matrix_support[] = {
    { TS_LEVEL_2_0, { { 4, 4, DML_FLOATS } } },
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_4_0, { { 2, 4, DML_8_TYPES } } },
    { TS_LEVEL_5_1, { { 2, 4, DML_11_TYPES } } },
};
static const ts_clause diagonal_matrix_clauses[] = {
    CHECKED_CLAUSES,
};
const checked_operator checked_dml_diagonal_matrix =
    CHECKED("diagonal_matrix", "DIAGONAL_MATRIX", 93, "taa", diagonal_matrix_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(diagonal_matrix_attrs, diagonal_matrix), diagonal_matrix_support, diagonal_matrix_clauses,
            CHECKED_NO_RULES);

/* ---- DML_DIAGONAL_MATRIX1_OPERATOR_DESC ---- */
static const ts_tensor_decl diagonal_matrix1_tensors[] = {
    CHECKED_OPTIONAL_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct diagonal_matrix1 {
    uint32_t ValueDataType;
    uint64_t Value;
    int32_t DiagonalFillBegin, DiagonalFillEnd;
} diagonal_matrix1;
static const ts_attr_decl diagonal_matrix1_attrs[] = {
    CHECKED_ENUM(diagonal_matrix1, ValueDataType, checked_data_types),
    CHECKED_UNION(diagonal_matrix1, Value, ValueDataType),
    CHECKED_I32(diagonal_matrix1, DiagonalFillBegin),
    CHECKED_I32(diagonal_matrix1, DiagonalFillEnd),
};
static const ts_support_row diagonal_matrix1_support[] = {
    { TS_LEVEL_5_1, { CHECKED_2({ 2, 4, DML_11_TYPES }) } },
};
static const ts_clause diagonal_matrix1_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_OBSERVED("OP-08", "InputTensor and OutputTensor have the same Sizes",
                     "the page requires one DimensionCount; its formula reads the input at the output's coordinates"),
    CHECKED_CLAUSE("OP-09", "ValueDataType = OutputTensor.DataType", "ValueDataType"),
};
static const checked_rule diagonal_matrix1_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_same_sizes, .tensors = 0x3 },
    { "OP-09", checked_names_type, .tensors = 0x2, .attr = 0 },
};
const checked_operator checked_dml_diagonal_matrix1 =
    CHECKED("diagonal_matrix1", "DIAGONAL_MATRIX1", 163, "ttaaaa", diagonal_matrix1_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(diagonal_matrix1_attrs, diagonal_matrix1), diagonal_matrix1_support, diagonal_matrix1_clauses,
            CHECKED_RULES(diagonal_matrix1_rules));

/* ---- DML_DYNAMIC_QUANTIZE_LINEAR_OPERATOR_DESC ---- */
static const ts_tensor_decl dynamic_quantize_linear_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
    CHECKED_OUTPUT("OutputScaleTensor"),
    CHECKED_OUTPUT("OutputZeroPointTensor"),
};
static const ts_support_row dynamic_quantize_linear_support[] = {
    { TS_LEVEL_4_0, { { 1, 8, DML_FLOATS }, { 1, 8, T_I8 | T_U8 }, { 1, 8, T_F32 }, { 1, 8, T_I8 | T_U8 } } },
};
static const ts_clause dynamic_quantize_linear_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "OutputTensor and OutputZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, OutputTensor, OutputScaleTensor and OutputZeroPointTensor have the same "
                   "DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "OutputScaleTensor and OutputZeroPointTensor have one element", "OutputScaleTensor"),
};
static const checked_rule dynamic_quantize_linear_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xa },
    { "OP-07", checked_same_rank, .tensors = 0xf },
    { "OP-08", checked_same_sizes, .tensors = 0x3 },
    { "OP-09", checked_one_element, .tensors = 0xc },
};
const checked_operator checked_dml_dynamic_quantize_linear =
    CHECKED("dynamic_quantize_linear", "DYNAMIC_QUANTIZE_LINEAR", 148, "tttt", dynamic_quantize_linear_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, dynamic_quantize_linear_support, dynamic_quantize_linear_clauses,
            CHECKED_RULES(dynamic_quantize_linear_rules));

/* ---- DML_FILL_VALUE_CONSTANT_OPERATOR_DESC ---- */
typedef struct fill_value_constant {
    uint32_t ValueDataType;
    uint64_t Value;
} fill_value_constant;
static const ts_attr_decl fill_value_constant_attrs[] = {
    CHECKED_ENUM(fill_value_constant, ValueDataType, checked_data_types),
    CHECKED_UNION(fill_value_constant, Value, ValueDataType),
};
static const ts_support_row fill_value_constant_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_4_0, { { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES } } },
};
static const ts_clause fill_value_constant_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "ValueDataType = OutputTensor.DataType", "ValueDataType"),
};
static const checked_rule fill_value_constant_rules[] = {
    { "OP-06", checked_names_type, .tensors = 0x1, .attr = 0 },
};
const checked_operator checked_dml_fill_value_constant =
    CHECKED("fill_value_constant", "FILL_VALUE_CONSTANT", 103, "taa", diagonal_matrix_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(fill_value_constant_attrs, fill_value_constant), fill_value_constant_support,
            fill_value_constant_clauses, CHECKED_RULES(fill_value_constant_rules));

/* ---- DML_FILL_VALUE_SEQUENCE_OPERATOR_DESC ---- */
typedef struct fill_value_sequence {
    uint32_t ValueDataType;
    uint64_t ValueStart, ValueDelta;
} fill_value_sequence;
static const ts_attr_decl fill_value_sequence_attrs[] = {
    CHECKED_ENUM(fill_value_sequence, ValueDataType, checked_data_types),
    CHECKED_UNION(fill_value_sequence, ValueStart, ValueDataType),
    CHECKED_UNION(fill_value_sequence, ValueDelta, ValueDataType),
};
static const ts_support_row fill_value_sequence_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_4_0, { { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_5_0, { { 1, 8, DML_8_TYPES | T_I64 | T_U64 } } },
};
const checked_operator checked_dml_fill_value_sequence =
    CHECKED("fill_value_sequence", "FILL_VALUE_SEQUENCE", 104, "taaa", diagonal_matrix_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(fill_value_sequence_attrs, fill_value_sequence), fill_value_sequence_support,
            fill_value_constant_clauses, CHECKED_RULES(fill_value_constant_rules));

/* ---- DML_PADDING_OPERATOR_DESC ---- */
typedef struct padding {
    uint32_t PaddingMode;
    float PaddingValue;
    uint32_t DimensionCount, StartPadding[TS_MAX_DIMS], EndPadding[TS_MAX_DIMS];
} padding;
static const ts_attr_decl padding_attrs[] = {
    CHECKED_ENUM(padding, PaddingMode, checked_padding_mode),
    CHECKED_F32(padding, PaddingValue),
    CHECKED_COUNTER(padding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, padding, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, padding, EndPadding, DimensionCount),
};
static const ts_support_row padding_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 5, DML_8_TYPES }) } },
    { TS_LEVEL_3_1, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause padding_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputTensor.DimensionCount", "DimensionCount"),
    CHECKED_CLAUSE("OP-09", "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + StartPadding[i] + EndPadding[i]",
                   "OutputTensor"),
    CHECKED_CLAUSE("OP-10", "PaddingMode SYMMETRIC needs feature level 3_0, WRAP 6_4", "PaddingMode"),
};
static const checked_rule padding_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 2 },
    { "OP-09", checked_padded, .tensors = 0x3 },
    { "OP-10", checked_padding_level, .attr = 0 },
};
const checked_operator checked_dml_padding =
    CHECKED("padding", "PADDING", 64, "ttaaaaa", cast_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(padding_attrs, padding),
            padding_support, padding_clauses, CHECKED_RULES(padding_rules));

/* ---- DML_PADDING1_OPERATOR_DESC ---- */
typedef struct padding1 {
    uint32_t PaddingMode, PaddingValueDataType;
    uint64_t PaddingValue;
    uint32_t DimensionCount, StartPadding[TS_MAX_DIMS], EndPadding[TS_MAX_DIMS];
} padding1;
static const ts_attr_decl padding1_attrs[] = {
    CHECKED_ENUM(padding1, PaddingMode, checked_padding_mode),
    CHECKED_ENUM(padding1, PaddingValueDataType, checked_data_types),
    CHECKED_UNION(padding1, PaddingValue, PaddingValueDataType),
    CHECKED_COUNTER(padding1, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, padding1, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, padding1, EndPadding, DimensionCount),
};
static const ts_support_row padding1_support[] = {
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause padding1_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputTensor.DimensionCount", "DimensionCount"),
    CHECKED_CLAUSE("OP-09", "OutputTensor.Sizes[i] = InputTensor.Sizes[i] + StartPadding[i] + EndPadding[i]",
                   "OutputTensor"),
    CHECKED_CLAUSE("OP-10", "PaddingMode SYMMETRIC needs feature level 3_0, WRAP 6_4", "PaddingMode"),
    CHECKED_CLAUSE("OP-11", "PaddingValueDataType = OutputTensor.DataType", "PaddingValueDataType"),
};
static const checked_rule padding1_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 3 },
    { "OP-09", checked_padded, .tensors = 0x3 },
    { "OP-10", checked_padding_level, .attr = 0 },
    { "OP-11", checked_names_type, .tensors = 0x2, .attr = 1 },
};
const checked_operator checked_dml_padding1 =
    CHECKED("padding1", "PADDING1", 155, "ttaaaaaa", cast_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(padding1_attrs, padding1), padding1_support, padding1_clauses, CHECKED_RULES(padding1_rules));

/* ---- DML_REVERSE_SUBSEQUENCES_OPERATOR_DESC ---- */
static const ts_tensor_decl reverse_subsequences_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("SequenceLengthsTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct reverse_subsequences {
    uint32_t Axis;
} reverse_subsequences;
static const ts_attr_decl reverse_subsequences_attrs[] = {
    CHECKED_U32(reverse_subsequences, Axis),
};
static const ts_support_row reverse_subsequences_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES }, { 4, 4, T_U32 }, { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_3_0, { { 4, 5, DML_8_TYPES }, { 4, 5, T_U32 }, { 4, 5, DML_8_TYPES } } },
    { TS_LEVEL_4_0, { { 1, 8, DML_8_TYPES }, { 1, 8, T_U32 }, { 1, 8, DML_8_TYPES } } },
    { TS_LEVEL_5_0, { { 1, 8, DML_11_TYPES }, { 1, 8, T_U64 | T_U32 }, { 1, 8, DML_11_TYPES } } },
};
static const ts_clause reverse_subsequences_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, SequenceLengthsTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "Axis < InputTensor.DimensionCount", "Axis"),
    CHECKED_CLAUSE("OP-10", "SequenceLengthsTensor.Sizes[Axis] = 1, and else the sizes of InputTensor",
                   "SequenceLengthsTensor"),
};
static const checked_rule reverse_subsequences_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_rank, .tensors = 0x7 },
    { "OP-08", checked_same_sizes, .tensors = 0x5 },
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 0 },
    { "OP-10", checked_one_along, .tensors = 0x3, .attr = 0 },
};
const checked_operator checked_dml_reverse_subsequences =
    CHECKED("reverse_subsequences", "REVERSE_SUBSEQUENCES", 106, "ttta", reverse_subsequences_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(reverse_subsequences_attrs, reverse_subsequences), reverse_subsequences_support,
            reverse_subsequences_clauses, CHECKED_RULES(reverse_subsequences_rules));

/* ---- DML_SLICE_OPERATOR_DESC ---- */
typedef struct slice {
    uint32_t DimensionCount, Offsets[TS_MAX_DIMS], Sizes[TS_MAX_DIMS], Strides[TS_MAX_DIMS];
} slice;
static const ts_attr_decl slice_attrs[] = {
    CHECKED_COUNTER(slice, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, slice, Offsets, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, slice, Sizes, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, slice, Strides, DimensionCount),
};
static const ts_support_row slice_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 5, DML_FLOATS | T_I32 | T_I16 | T_U32 | T_U16 }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 5, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause slice_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "Offsets[i] + (Sizes[i] - 1) * Strides[i] < InputTensor.Sizes[i], and OutputTensor.Sizes "
                   "= Sizes",
                   "Offsets"),
    CHECKED_CLAUSE("OP-09", "DimensionCount = InputTensor.DimensionCount", "DimensionCount"),
    CHECKED_IMPLIED("OP-10", "Sizes[i] >= 1", "Sizes",
                    "Sizes are those of OutputTensor, and no tensor has a size of 0"),
    CHECKED_DECISION_REFUSED("OP-11", "Strides[i] >= 1",
                             "the page neither allows nor forbids a stride of 0, and its formula has a value for it"),
    CHECKED_OBSERVED("OP-12", "Strides[i] < 2^31", "the page sets no limit"),
};
static const checked_rule slice_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_sliced, .tensors = 0x3 },
    { "OP-09", checked_counts_dims, .tensors = 0x1, .attr = 0 },
    { "OP-10", checked_at_least, .attr = 2, .number = 1 },
    { "OP-11", checked_at_least, .attr = 3, .number = 1 },
    { "OP-12", checked_bits, .attr = 3, .number = 31 },
};
const checked_operator checked_dml_slice =
    CHECKED("slice", "SLICE", 60, "ttaaaa", cast_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(slice_attrs, slice),
            slice_support, slice_clauses, CHECKED_RULES(slice_rules));

/* ---- DML_SLICE_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl slice_grad_tensors[] = {
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
typedef struct slice_grad {
    uint32_t DimensionCount, InputWindowOffsets[TS_MAX_DIMS], InputWindowSizes[TS_MAX_DIMS];
    int32_t InputWindowStrides[TS_MAX_DIMS];
} slice_grad;
static const ts_attr_decl slice_grad_attrs[] = {
    CHECKED_COUNTER(slice_grad, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, slice_grad, InputWindowOffsets, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, slice_grad, InputWindowSizes, DimensionCount),
    CHECKED_LIST(TS_ATTR_I32, slice_grad, InputWindowStrides, DimensionCount),
};
static const ts_support_row slice_grad_support[] = {
    { TS_LEVEL_3_0, { CHECKED_2({ 4, 5, DML_8_TYPES }) } },
    { TS_LEVEL_3_1, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause slice_grad_clauses[] = {
    CHECKED_COMPARABLE("InputGradientTensor and OutputGradientTensor"),
    CHECKED_CLAUSE("OP-08", "the window of sizes of at least 1 and of strides other than 0 is in "
                   "OutputGradientTensor, and InputGradientTensor has at most its sizes",
                   "InputWindowOffsets"),
    CHECKED_CLAUSE("OP-09", "DimensionCount = OutputGradientTensor.DimensionCount", "DimensionCount"),
};
static const checked_rule slice_grad_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_slice_grad, .tensors = 0x3 },
    { "OP-09", checked_counts_dims, .tensors = 0x2, .attr = 0 },
};
const checked_operator checked_dml_slice_grad =
    CHECKED("slice_grad", "SLICE_GRAD", 135, "ttaaaa", slice_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(slice_grad_attrs, slice_grad), slice_grad_support, slice_grad_clauses,
            CHECKED_RULES(slice_grad_rules));

/* ---- DML_SPLIT_OPERATOR_DESC ---- */
static const ts_tensor_decl split_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    TS_TENSOR_LIST("OutputTensors", "OutputTensors", TS_OUTPUT),
};
static const ts_tensor_list split_lists[] = {
    { "OutputTensors", "OutputTensors", 1, TS_MAX_LISTED, 0 },
};
typedef struct split {
    uint32_t OutputCount, Axis;
} split;
static const ts_attr_decl split_attrs[] = {
    CHECKED_COUNTER(split, OutputCount),
    CHECKED_U32(split, Axis),
};
static const ts_support_row split_support[] = {
    { TS_LEVEL_1_0, { { 4, 4, DML_FLOATS | T_I32 | T_I16 | T_U32 | T_U16 },
        TS_FOR_LIST({ 4, 4, DML_FLOATS | T_I32 | T_I16 | T_U32 | T_U16 }) } },
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES }, TS_FOR_LIST({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { { 1, 8, DML_8_TYPES }, TS_FOR_LIST({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_4_1, { { 1, 8, DML_11_TYPES }, TS_FOR_LIST({ 1, 8, DML_11_TYPES }) } },
};
static const ts_clause split_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensors"),
    CHECKED_CLAUSE("OP-08", "OutputCount >= 1", "OutputCount"),
    CHECKED_CLAUSE("OP-09", "Axis < InputTensor.DimensionCount", "Axis"),
    CHECKED_CLAUSE("OP-10", "the sizes of OutputTensors are those of InputTensor, and add up to it along Axis",
                   "OutputTensors"),
};
static const checked_rule split_rules[] = {
    CHECKED_COMPARABLE_RULES(0x1ffff),
    { "OP-08", checked_at_least, .attr = 0, .number = 1 },
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 1 },
    { "OP-10", checked_splits, .attr = 0 },
};
const checked_operator checked_dml_split =
    CHECKED("split", "SPLIT", 62, "tata", split_tensors, CHECKED_LISTS(split_lists), CHECKED_ATTRS(split_attrs, split),
            split_support, split_clauses, CHECKED_RULES(split_rules));

/* ---- DML_TILE_OPERATOR_DESC ---- */
typedef struct tile {
    uint32_t RepeatsCount, Repeats[TS_MAX_DIMS];
} tile;
static const ts_attr_decl tile_attrs[] = {
    CHECKED_COUNTER(tile, RepeatsCount),
    CHECKED_LIST(TS_ATTR_U32, tile, Repeats, RepeatsCount),
};
static const ts_support_row tile_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_1, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
static const ts_clause tile_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "RepeatsCount = InputTensor.DimensionCount", "RepeatsCount"),
    CHECKED_CLAUSE("OP-09", "Repeats[i] >= 1", "Repeats"),
    CHECKED_CLAUSE("OP-10", "OutputTensor.Sizes[i] = InputTensor.Sizes[i] * Repeats[i]", "OutputTensor"),
};
static const checked_rule tile_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 0 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_tiled, .tensors = 0x3 },
};
const checked_operator checked_dml_tile =
    CHECKED("tile", "TILE", 70, "ttaa", cast_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(tile_attrs, tile), tile_support,
            tile_clauses, CHECKED_RULES(tile_rules));

/* ---- DML_VALUE_SCALE_2D_OPERATOR_DESC ---- */
typedef struct value_scale_2d {
    float Scale;
    uint32_t ChannelCount;
    float Bias[TS_MAX_DIMS];
} value_scale_2d;
static const ts_attr_decl value_scale_2d_attrs[] = {
    CHECKED_F32(value_scale_2d, Scale),
    CHECKED_COUNTER(value_scale_2d, ChannelCount),
    CHECKED_LIST(TS_ATTR_F32, value_scale_2d, Bias, ChannelCount),
};
static const ts_support_row value_scale_2d_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
};
static const ts_clause value_scale_2d_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputTensor.Sizes = { BatchCount, ChannelCount, Height, Width }", "InputTensor"),
    CHECKED_CLAUSE("OP-09", "InputTensor.Sizes = { N, 1, H, W } or { N, 3, H, W }", "InputTensor"),
};
static const checked_rule value_scale_2d_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_sizes, .tensors = 0x3 },
    { "OP-08", checked_shape, .tensors = 0x1, .shape = "{ BatchCount, ChannelCount, Height, Width }" },
    { "OP-09", checked_shape, .tensors = 0x1, .shape = "{ N, 1, H, W } or { N, 3, H, W }" },
};
const checked_operator checked_dml_value_scale_2d =
    CHECKED("value_scale_2d", "VALUE_SCALE_2D", 65, "ttaaa", cast_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(value_scale_2d_attrs, value_scale_2d), value_scale_2d_support, value_scale_2d_clauses,
            CHECKED_RULES(value_scale_2d_rules));
