/* SPDX-License-Identifier: Apache-2.0 */
/* Convolution, and the blocks that it is made of. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_CONVOLUTION_OPERATOR_DESC ---- */
static const ts_tensor_decl convolution_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("FilterTensor"),
    CHECKED_OPTIONAL_INPUT("BiasTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct convolution {
    uint32_t Mode, Direction, DimensionCount, Strides[TS_MAX_DIMS], Dilations[TS_MAX_DIMS];
    uint32_t StartPadding[TS_MAX_DIMS], EndPadding[TS_MAX_DIMS], OutputPadding[TS_MAX_DIMS], GroupCount;
    ts_nested_operator FusedActivation;
} convolution;
static const ts_attr_decl convolution_attrs[] = {
    CHECKED_ENUM(convolution, Mode, checked_convolution_mode),
    CHECKED_ENUM(convolution, Direction, checked_convolution_direction),
    CHECKED_COUNTER(convolution, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution, Dilations, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution, EndPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution, OutputPadding, DimensionCount),
    CHECKED_U32(convolution, GroupCount),
    CHECKED_FUSED(convolution, FusedActivation, checked_fusable_convolution),
};
static const ts_support_row convolution_support[] = {
    { TS_LEVEL_1_0, { CHECKED_4({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_4_0, { CHECKED_4({ 3, 5, DML_FLOATS }) } },
};
static const ts_clause convolution_clauses[] = {
    CHECKED_COMPARABLE("InputTensor, FilterTensor, BiasTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_DECISION("OP-09", "Strides[i] >= 1",
                     "the page has no formula of the output's size that a stride of 0 would leave without a value"),
    CHECKED_DECISION("OP-10", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the filter, and does not exclude 0"),
    CHECKED_DECISION_REFUSED("OP-11", "GroupCount >= 1",
                             "the page calls it the number of groups, and does not exclude 0"),
    CHECKED_DECISION_REFUSED("OP-12", "channels of InputTensor, FilterTensor and OutputTensor agree, by groups",
                             "the page names the sizes of each tensor, and relates neither the filter's to the groups "
                             "nor the output's channels to the filter's"),
    CHECKED_WARNING("OP-13", "the spatial sizes of OutputTensor are those of the convolution",
                    "the page has no formula of the output's spatial sizes"),
    CHECKED_OBSERVED("OP-14", "OutputPadding[i] < OutputTensor.Sizes[i + 2]", "the page sets OutputPadding no limit"),
    CHECKED_CLAUSE("OP-15", "BiasTensor.Sizes = { 1, C, [1], [1], 1 }", "BiasTensor"),
    CHECKED_CLAUSE("OP-16", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
    CHECKED_FUSED_SCALE("OP-17", "OP-18"),
    CHECKED_CLAUSE("OP-19", "OutputTensor.Sizes[0] = InputTensor.Sizes[0], the BatchCount", "OutputTensor"),
};
static const checked_rule convolution_rules[] = {
    CHECKED_COMPARABLE_RULES(0xf),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 2, .number = 2 },
    { "OP-09", checked_at_least, .attr = 3, .number = 1 },
    { "OP-10", checked_at_least, .attr = 4, .number = 1 },
    { "OP-11", checked_at_least, .attr = 8, .number = 1 },
    { "OP-12", checked_convolved, .attr = 0, .number = 1 },
    { "OP-13", checked_convolved_sizes, .warns = true },
    { "OP-14", checked_output_padding, .attr = 0 },
    { NULL, checked_shape, .tensors = 0x8, .shape = "{ N, C, [D], [H], W }" },
    { "OP-15", checked_shape, .tensors = 0x4, .shape = "{ 1, C, [1], [1], 1 }" },
    { "OP-16", checked_fusable, .attr = 9 },
    CHECKED_FUSED_SCALE_RULES("OP-17", "OP-18", 9),
    { "OP-19", checked_one_batch, .tensors = 0x9 },
};
const checked_operator checked_dml_convolution =
    CHECKED("convolution", "CONVOLUTION", 53, "ttttaaaaaaaaaa", convolution_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(convolution_attrs, convolution), convolution_support, convolution_clauses,
            CHECKED_RULES(convolution_rules));

/* ---- DML_CONVOLUTION_INTEGER_OPERATOR_DESC ---- */
static const ts_tensor_decl convolution_integer_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OPTIONAL_INPUT("InputZeroPointTensor"),
    CHECKED_INPUT("FilterTensor"),
    CHECKED_OPTIONAL_INPUT("FilterZeroPointTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct convolution_integer {
    uint32_t DimensionCount, Strides[TS_MAX_DIMS], Dilations[TS_MAX_DIMS], StartPadding[TS_MAX_DIMS];
    uint32_t EndPadding[TS_MAX_DIMS], GroupCount;
} convolution_integer;
static const ts_attr_decl convolution_integer_attrs[] = {
    CHECKED_COUNTER(convolution_integer, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution_integer, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution_integer, Dilations, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution_integer, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, convolution_integer, EndPadding, DimensionCount),
    CHECKED_U32(convolution_integer, GroupCount),
};
static const ts_support_row convolution_integer_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 },
        { 4, 4, T_I32 } } },
    { TS_LEVEL_4_0, { { 3, 4, T_I8 | T_U8 }, { 1, 4, T_I8 | T_U8 }, { 3, 4, T_I8 | T_U8 }, { 1, 4, T_I8 | T_U8 },
        { 3, 4, T_I32 } } },
};
static const ts_clause convolution_integer_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and InputZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "FilterTensor and FilterZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "InputZeroPointTensor and FilterZeroPointTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "InputTensor, FilterTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_DECISION("OP-11", "Strides[i] >= 1",
                     "the page has no formula of the output's size that a stride of 0 would leave without a value"),
    CHECKED_DECISION("OP-12", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the filter, and does not exclude 0"),
    CHECKED_DECISION("OP-13", "GroupCount >= 1", "the page calls it the number of groups, and does not exclude 0"),
    CHECKED_DECISION("OP-14", "channels of InputTensor, FilterTensor and OutputTensor agree, by groups",
                     "the page names the sizes of each tensor, and relates neither the filter's to the groups nor "
                     "the output's channels to the filter's"),
    CHECKED_WARNING("OP-15", "the spatial sizes of OutputTensor are those of the convolution",
                    "the page has no formula of the output's spatial sizes"),
    CHECKED_CLAUSE("OP-16", "InputZeroPointTensor has one element", "InputZeroPointTensor"),
    CHECKED_CLAUSE("OP-17", "FilterZeroPointTensor.Sizes = { 1, 1, 1, 1 } or { 1, C, 1, 1 }", "FilterZeroPointTensor"),
    CHECKED_CLAUSE("OP-18", "OutputTensor.Sizes[0] = InputTensor.Sizes[0], the BatchCount", "OutputTensor"),
};
static const checked_rule convolution_integer_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_type, .tensors = 0xc },
    { "OP-08", checked_same_rank, .tensors = 0xa },
    { "OP-09", checked_same_rank, .tensors = 0x15 },
    { "OP-10", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-11", checked_at_least, .attr = 1, .number = 1 },
    { "OP-12", checked_at_least, .attr = 2, .number = 1 },
    { "OP-13", checked_at_least, .attr = 5, .number = 1 },
    { "OP-14", checked_convolved, .attr = 0, .number = 1 },
    { "OP-15", checked_convolved_sizes, .warns = true },
    { "OP-16", checked_one_element, .tensors = 0x2 },
    { NULL, checked_shape, .tensors = 0x10, .shape = "{ N, C, [H], W }" },
    { "OP-17", checked_shape, .tensors = 0x8, .shape = "{ 1, 1, 1, 1 } or { 1, C, 1, 1 }" },
    { "OP-18", checked_one_batch, .tensors = 0x11 },
};
const checked_operator checked_dml_convolution_integer =
    CHECKED("convolution_integer", "CONVOLUTION_INTEGER", 119, "tttttaaaaaa", convolution_integer_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(convolution_integer_attrs, convolution_integer),
            convolution_integer_support, convolution_integer_clauses, CHECKED_RULES(convolution_integer_rules));

/* ---- DML_FOLD_OPERATOR_DESC ---- */
static const ts_tensor_decl fold_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct fold {
    uint32_t DimensionCount, WindowSizes[TS_MAX_DIMS], Strides[TS_MAX_DIMS], Dilations[TS_MAX_DIMS];
    uint32_t StartPadding[TS_MAX_DIMS], EndPadding[TS_MAX_DIMS];
} fold;
static const ts_attr_decl fold_attrs[] = {
    CHECKED_COUNTER(fold, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, fold, WindowSizes, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, fold, Strides, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, fold, Dilations, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, fold, StartPadding, DimensionCount),
    CHECKED_LIST(TS_ATTR_U32, fold, EndPadding, DimensionCount),
};
static const ts_support_row fold_support[] = {
    { TS_LEVEL_6_4, { CHECKED_2({ 3, 8, DML_11_TYPES }) } },
};
static const ts_clause fold_clauses[] = {
    CHECKED_CLAUSES_UNTYPED,
    CHECKED_OBSERVED("OP-06", "InputTensor and OutputTensor have the same DataType",
                     "the page's support table names no data types, and no sentence relates them"),
    CHECKED_IMPLIED("OP-07", "DimensionCount >= 1", "Description",
                    "the output is (N,C,OutputSize[0],...), and has 3 to 8 dimensions by the support table"),
    CHECKED_IMPLIED("OP-08", "Strides[i] >= 1", "Description",
                    "BlocksPerDimension divides by the stride, and has no value for 0"),
    CHECKED_IMPLIED("OP-09", "WindowSizes[i] >= 1", "Description",
                    "the size C*product(WindowSizes) would be 0, which no tensor has"),
    CHECKED_CLAUSE("OP-10", "InputTensor.Sizes = { N, C*product(WindowSizes), number of windows } of OutputTensor",
                   "InputTensor"),
    CHECKED_IMPLIED("OP-11", "InputTensor.DimensionCount = 3, OutputTensor.DimensionCount = DimensionCount + 2",
                    "Examples", "the shapes of the description and all three examples; the constraint of equal "
                    "DimensionCounts contradicts them"),
    CHECKED_OBSERVED("OP-12", "Strides[i], Dilations[i], StartPadding[i] and EndPadding[i] < 2^16",
                     "the page sets no limit"),
};
static const checked_rule fold_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_at_least, .attr = 0, .number = 1 },
    { "OP-08", checked_at_least, .attr = 2, .number = 1 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_unfolded, .attr = 1, .number = 0 },
    { "OP-11", checked_rank, .tensors = 0x1, .number = 3 },
    { "OP-11", checked_counts_dims, .tensors = 0x2, .attr = 0, .number = 2 },
    { "OP-12", checked_bits, .attr = 2, .number = 16 },
    { "OP-12", checked_bits, .attr = 3, .number = 16 },
    { "OP-12", checked_bits, .attr = 4, .number = 16 },
    { "OP-12", checked_bits, .attr = 5, .number = 16 },
};
const checked_operator checked_dml_fold =
    CHECKED("fold", "FOLD", 176, "ttaaaaaa", fold_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(fold_attrs, fold),
            fold_support, fold_clauses, CHECKED_RULES(fold_rules));

/* ---- DML_QUANTIZED_LINEAR_CONVOLUTION_OPERATOR_DESC ---- */
static const ts_tensor_decl quantized_linear_convolution_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputScaleTensor"),
    CHECKED_OPTIONAL_INPUT("InputZeroPointTensor"),
    CHECKED_INPUT("FilterTensor"),
    CHECKED_INPUT("FilterScaleTensor"),
    CHECKED_OPTIONAL_INPUT("FilterZeroPointTensor"),
    CHECKED_OPTIONAL_INPUT("BiasTensor"),
    CHECKED_INPUT("OutputScaleTensor"),
    CHECKED_OPTIONAL_INPUT("OutputZeroPointTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row quantized_linear_convolution_support[] = {
    { TS_LEVEL_2_1, { { 4, 4, T_I8 | T_U8 }, { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I8 | T_U8 },
        { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 }, { 4, 4, T_I32 }, { 4, 4, T_F32 }, { 4, 4, T_I8 | T_U8 },
        { 4, 4, T_I8 | T_U8 } } },
    { TS_LEVEL_4_0, { { 3, 4, T_I8 | T_U8 }, { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 3, 4, T_I8 | T_U8 },
        { 3, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 3, 4, T_I32 }, { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 },
        { 3, 4, T_I8 | T_U8 } } },
    { TS_LEVEL_5_2, { { 3, 4, T_I8 | T_U8 }, { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 3, 4, T_I8 | T_U8 },
        { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 }, { 3, 4, T_I32 }, { 1, 4, T_F32 }, { 1, 4, T_I8 | T_U8 },
        { 3, 4, T_I8 | T_U8 } } },
};
static const ts_clause quantized_linear_convolution_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and InputZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "FilterTensor and FilterZeroPointTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "OutputZeroPointTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "InputTensor, FilterTensor, BiasTensor and OutputTensor have the same DimensionCount",
                   "Tensor constraints"),
    CHECKED_OBSERVED("OP-10", "all tensors have the same DimensionCount",
                     "the page requires it of InputTensor, FilterTensor, BiasTensor and OutputTensor only"),
    CHECKED_CLAUSE("OP-11", "DimensionCount = InputTensor.DimensionCount - 2", "DimensionCount"),
    CHECKED_DECISION("OP-12", "Strides[i] >= 1",
                     "the page has no formula of the output's size that a stride of 0 would leave without a value"),
    CHECKED_DECISION("OP-13", "Dilations[i] >= 1",
                     "the page calls a dilation the step between elements of the filter, and does not exclude 0"),
    CHECKED_DECISION("OP-14", "GroupCount >= 1", "the page calls it the number of groups, and does not exclude 0"),
    CHECKED_DECISION("OP-15", "batches and channels of InputTensor, FilterTensor and OutputTensor agree, by groups",
                     "the page names the sizes of each tensor, and relates neither the filter's to the groups nor "
                     "the output's channels to the filter's"),
    CHECKED_WARNING("OP-16", "the spatial sizes of OutputTensor are those of the convolution",
                    "the page has no formula of the output's spatial sizes"),
    CHECKED_CLAUSE("OP-17", "InputScaleTensor, InputZeroPointTensor, OutputScaleTensor and OutputZeroPointTensor "
                   "have one element",
                   "InputScaleTensor"),
    CHECKED_CLAUSE("OP-18", "FilterScaleTensor and FilterZeroPointTensor.Sizes = { 1, 1, 1, 1 } or { 1, C, 1, 1 }",
                   "FilterScaleTensor"),
    CHECKED_CLAUSE("OP-19", "BiasTensor.Sizes = { 1, C, [1], 1 }", "BiasTensor"),
    CHECKED_OBSERVED("OP-20", "a zero point has the Sizes of its scale",
                     "the page gives a scale and a zero point two shapes each, and does not relate them"),
};
static const checked_rule quantized_linear_convolution_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x5 },
    { "OP-07", checked_same_type, .tensors = 0x28 },
    { "OP-08", checked_same_type, .tensors = 0x300 },
    { "OP-09", checked_same_rank, .tensors = 0x249 },
    { "OP-10", checked_same_rank, .tensors = 0x3ff },
    { "OP-11", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-12", checked_at_least, .attr = 1, .number = 1 },
    { "OP-13", checked_at_least, .attr = 2, .number = 1 },
    { "OP-14", checked_at_least, .attr = 5, .number = 1 },
    { "OP-15", checked_convolved, .attr = 0 },
    { "OP-16", checked_convolved_sizes, .warns = true },
    { "OP-17", checked_one_element, .tensors = 0x186 },
    { NULL, checked_shape, .tensors = 0x200, .shape = "{ N, C, [H], W }" },
    { "OP-18", checked_shape, .tensors = 0x30, .shape = "{ 1, 1, 1, 1 } or { 1, C, 1, 1 }" },
    { "OP-19", checked_shape, .tensors = 0x40, .shape = "{ 1, C, [1], 1 }" },
    { "OP-20", checked_same_sizes, .tensors = 0x30 },
};
const checked_operator checked_dml_quantized_linear_convolution =
    CHECKED("quantized_linear_convolution", "QUANTIZED_LINEAR_CONVOLUTION", 120, "ttttttttttaaaaaa",
            quantized_linear_convolution_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(convolution_integer_attrs, convolution_integer), quantized_linear_convolution_support,
            quantized_linear_convolution_clauses, CHECKED_RULES(quantized_linear_convolution_rules));

/* ---- DML_UNFOLD_OPERATOR_DESC ---- */
static const ts_clause unfold_clauses[] = {
    CHECKED_CLAUSES_UNTYPED,
    CHECKED_OBSERVED("OP-06", "InputTensor and OutputTensor have the same DataType",
                     "the page's support table names no data types, and no sentence relates them"),
    CHECKED_CLAUSE("OP-07", "DimensionCount >= 1", "DimensionCount"),
    CHECKED_IMPLIED("OP-08", "Strides[i] >= 1", "Description",
                    "BlocksPerDimension divides by the stride, and has no value for 0"),
    CHECKED_IMPLIED("OP-09", "WindowSizes[i] >= 1", "Description",
                    "the size C*product(WindowSizes) would be 0, which no tensor has"),
    CHECKED_CLAUSE("OP-10", "OutputTensor.Sizes = { N, C*product(WindowSizes), number of windows } of InputTensor",
                   "OutputTensor"),
    CHECKED_IMPLIED("OP-11", "OutputTensor.DimensionCount = 3, InputTensor.DimensionCount = DimensionCount + 2",
                    "Examples", "the shapes of the description and both examples; the constraint of equal "
                    "DimensionCounts contradicts them"),
    CHECKED_OBSERVED("OP-12", "Strides[i], Dilations[i], StartPadding[i] and EndPadding[i] < 2^16",
                     "the page sets no limit"),
};
static const checked_rule unfold_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_at_least, .attr = 0, .number = 1 },
    { "OP-08", checked_at_least, .attr = 2, .number = 1 },
    { "OP-09", checked_at_least, .attr = 1, .number = 1 },
    { "OP-10", checked_unfolded, .attr = 0, .number = 1 },
    { "OP-11", checked_rank, .tensors = 0x2, .number = 3 },
    { "OP-11", checked_counts_dims, .tensors = 0x1, .attr = 0, .number = 2 },
    { "OP-12", checked_bits, .attr = 2, .number = 16 },
    { "OP-12", checked_bits, .attr = 3, .number = 16 },
    { "OP-12", checked_bits, .attr = 4, .number = 16 },
    { "OP-12", checked_bits, .attr = 5, .number = 16 },
};
const checked_operator checked_dml_unfold =
    CHECKED("unfold", "UNFOLD", 177, "ttaaaaaa", fold_tensors, CHECKED_NO_LISTS, CHECKED_ATTRS(fold_attrs, fold),
            fold_support, unfold_clauses, CHECKED_RULES(unfold_rules));
