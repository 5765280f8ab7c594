/* SPDX-License-Identifier: Apache-2.0 */
/* Resampling, and regions of interest. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_RESAMPLE_OPERATOR_DESC ---- */
static const ts_tensor_decl resample_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct resample {
    uint32_t InterpolationMode, ScaleCount;
    float Scales[TS_MAX_DIMS];
} resample;
static const ts_attr_decl resample_attrs[] = {
    CHECKED_ENUM(resample, InterpolationMode, checked_interpolation_mode),
    CHECKED_COUNTER(resample, ScaleCount),
    CHECKED_LIST(TS_ATTR_F32, resample, Scales, ScaleCount),
};
static const ts_support_row resample_support[] = {
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 4, DML_FLOATS }) } },
    { TS_LEVEL_6_2, { CHECKED_2({ 1, 4, DML_FLOATS | T_I8 | T_U8 }) } },
};
static const ts_clause resample_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "ScaleCount = InputTensor.DimensionCount", "ScaleCount"),
    CHECKED_OBSERVED("OP-09", "Scales[i] >= 2^-23", "the page sets a scale no lower limit"),
};
static const checked_rule resample_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 1 },
    { "OP-09", checked_scales, .attr = 2 },
};
const checked_operator checked_dml_resample =
    CHECKED("resample", "RESAMPLE", 96, "ttaaa", resample_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(resample_attrs, resample), resample_support, resample_clauses, CHECKED_RULES(resample_rules));

/* ---- DML_RESAMPLE1_OPERATOR_DESC ---- */
typedef struct resample1 {
    uint32_t InterpolationMode, DimensionCount;
    float Scales[TS_MAX_DIMS], InputPixelOffsets[TS_MAX_DIMS], OutputPixelOffsets[TS_MAX_DIMS];
} resample1;
static const ts_attr_decl resample1_attrs[] = {
    CHECKED_ENUM(resample1, InterpolationMode, checked_interpolation_mode),
    CHECKED_COUNTER(resample1, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample1, Scales, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample1, InputPixelOffsets, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample1, OutputPixelOffsets, DimensionCount),
};
static const ts_support_row resample1_support[] = {
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 4, DML_FLOATS }) } },
    { TS_LEVEL_6_2, { CHECKED_2({ 1, 4, DML_FLOATS | T_I8 | T_U8 }) } },
};
static const ts_clause resample1_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputTensor.DimensionCount", "DimensionCount"),
    CHECKED_OBSERVED("OP-09", "Scales[i] >= 2^-23", "the page sets a scale no lower limit"),
};
const checked_operator checked_dml_resample1 =
    CHECKED("resample1", "RESAMPLE1", 116, "ttaaaaa", resample_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(resample1_attrs, resample1), resample1_support, resample1_clauses,
            CHECKED_RULES(resample_rules));

/* ---- DML_RESAMPLE2_OPERATOR_DESC ---- */
typedef struct resample2 {
    uint32_t InterpolationMode, RoundingDirection, DimensionCount;
    float Scales[TS_MAX_DIMS], InputPixelOffsets[TS_MAX_DIMS], OutputPixelOffsets[TS_MAX_DIMS];
} resample2;
static const ts_attr_decl resample2_attrs[] = {
    CHECKED_ENUM(resample2, InterpolationMode, checked_interpolation_mode),
    CHECKED_ENUM(resample2, RoundingDirection, checked_axis_direction),
    CHECKED_COUNTER(resample2, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample2, Scales, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample2, InputPixelOffsets, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample2, OutputPixelOffsets, DimensionCount),
};
static const ts_support_row resample2_support[] = {
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 4, DML_FLOATS }) } },
    { TS_LEVEL_6_2, { CHECKED_2({ 1, 4, DML_FLOATS | T_I8 | T_U8 }) } },
};
static const checked_rule resample2_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { "OP-08", checked_counts_dims, .tensors = 0x1, .attr = 2 },
    { "OP-09", checked_scales, .attr = 3 },
};
const checked_operator checked_dml_resample2 =
    CHECKED("resample2", "RESAMPLE2", 161, "ttaaaaaa", resample_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(resample2_attrs, resample2), resample2_support, resample1_clauses,
            CHECKED_RULES(resample2_rules));

/* ---- DML_RESAMPLE3_OPERATOR_DESC ---- */
typedef struct resample3 {
    uint32_t InterpolationMode, RoundingDirection, DimensionCount;
    float Scales[TS_MAX_DIMS], InputPixelOffsets[TS_MAX_DIMS], OutputPixelOffsets[TS_MAX_DIMS];
    uint32_t Antialiased;
} resample3;
static const ts_attr_decl resample3_attrs[] = {
    CHECKED_ENUM(resample3, InterpolationMode, checked_interpolation_mode),
    CHECKED_ENUM(resample3, RoundingDirection, checked_axis_direction),
    CHECKED_COUNTER(resample3, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample3, Scales, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample3, InputPixelOffsets, DimensionCount),
    CHECKED_LIST(TS_ATTR_F32, resample3, OutputPixelOffsets, DimensionCount),
    CHECKED_BOOL(resample3, Antialiased),
};
static const ts_support_row resample3_support[] = {
    { TS_LEVEL_6_4, { CHECKED_2({ 1, 4, DML_FLOATS | T_I8 | T_U8 }) } },
};
const checked_operator checked_dml_resample3 =
    CHECKED("resample3", "RESAMPLE3", 175, "ttaaaaaaa", resample_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(resample3_attrs, resample3), resample3_support, resample1_clauses,
            CHECKED_RULES(resample2_rules));

/* ---- DML_RESAMPLE_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl resample_grad_tensors[] = {
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
static const ts_support_row resample_grad_support[] = {
    { TS_LEVEL_3_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 4, DML_FLOATS }) } },
};
static const ts_clause resample_grad_clauses[] = {
    CHECKED_COMPARABLE("InputGradientTensor and OutputGradientTensor"),
    CHECKED_CLAUSE("OP-08", "DimensionCount = InputGradientTensor.DimensionCount", "DimensionCount"),
    CHECKED_OBSERVED("OP-09", "Scales[i] >= 2^-23", "the page sets a scale no lower limit"),
};
const checked_operator checked_dml_resample_grad =
    CHECKED("resample_grad", "RESAMPLE_GRAD", 134, "ttaaaaa", resample_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(resample1_attrs, resample1), resample_grad_support, resample_grad_clauses,
            CHECKED_RULES(resample_rules));

/* ---- DML_RESAMPLE_GRAD1_OPERATOR_DESC ---- */
static const ts_support_row resample_grad1_support[] = {
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 4, DML_FLOATS }) } },
};
const checked_operator checked_dml_resample_grad1 =
    CHECKED("resample_grad1", "RESAMPLE_GRAD1", 162, "ttaaaaaa", resample_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(resample2_attrs, resample2), resample_grad1_support, resample_grad_clauses,
            CHECKED_RULES(resample2_rules));

/* ---- DML_ROI_ALIGN_OPERATOR_DESC ---- */
static const ts_tensor_decl roi_align_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("ROITensor"),
    CHECKED_INPUT("BatchIndicesTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct roi_align {
    uint32_t ReductionFunction, InterpolationMode;
    float SpatialScaleX, SpatialScaleY, OutOfBoundsInputValue;
    uint32_t MinimumSamplesPerOutput, MaximumSamplesPerOutput;
} roi_align;
static const ts_attr_decl roi_align_attrs[] = {
    CHECKED_ENUM(roi_align, ReductionFunction, checked_reduce_function),
    CHECKED_ENUM(roi_align, InterpolationMode, checked_interpolation_mode),
    CHECKED_F32(roi_align, SpatialScaleX),
    CHECKED_F32(roi_align, SpatialScaleY),
    CHECKED_F32(roi_align, OutOfBoundsInputValue),
    CHECKED_U32(roi_align, MinimumSamplesPerOutput),
    CHECKED_U32(roi_align, MaximumSamplesPerOutput),
};
static const ts_support_row roi_align_support[] = {
    { TS_LEVEL_3_0, { { 4, 4, DML_FLOATS }, { 2, 4, DML_FLOATS }, { 1, 4, T_U32 }, { 4, 4, DML_FLOATS } } },
    { TS_LEVEL_5_0, { { 4, 4, DML_FLOATS }, { 2, 4, DML_FLOATS }, { 1, 4, T_U64 | T_U32 }, { 4, 4, DML_FLOATS } } },
};
static const ts_clause roi_align_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor, ROITensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ROITensor.Sizes = { [1], [1], NumROIs, 4 }", "ROITensor"),
    CHECKED_CLAUSE("OP-08", "BatchIndicesTensor.Sizes = { [1], [1], [1], NumROIs }", "BatchIndicesTensor"),
    CHECKED_CLAUSE("OP-09", "OutputTensor.Sizes = { NumROIs, C, OutputHeight, OutputWidth }", "OutputTensor"),
    CHECKED_CLAUSE("OP-10", "ReductionFunction is AVERAGE or MAX", "ReductionFunction"),
    CHECKED_OBSERVED("OP-11", "1 <= MinimumSamplesPerOutput <= MaximumSamplesPerOutput",
                     "the page clamps to both bounds, and does not say what they are where the order is reversed"),
    CHECKED_OBSERVED("OP-12", "SpatialScaleX and SpatialScaleY are neither negative nor infinite",
                     "the page does not restrict the scale"),
};
static const checked_rule roi_align_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xb },
    { "OP-07", checked_shape, .tensors = 0x2, .shape = "{ [1], [1], NumROIs, 4 }" },
    { "OP-08", checked_shape, .tensors = 0x4, .shape = "{ [1], [1], [1], NumROIs }" },
    { NULL, checked_shape, .tensors = 0x1, .shape = "{ N, C, InputHeight, InputWidth }" },
    { "OP-09", checked_shape, .tensors = 0x8, .shape = "{ NumROIs, C, OutputHeight, OutputWidth }" },
    { "OP-10", checked_reduction, .attr = 0 },
    { "OP-11", checked_samples, .attr = 0 },
    { "OP-12", checked_spatial_scale, .attr = 2 },
    { "OP-12", checked_spatial_scale, .attr = 3 },
};
const checked_operator checked_dml_roi_align =
    CHECKED("roi_align", "ROI_ALIGN", 139, "ttttaaaaaaa", roi_align_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(roi_align_attrs, roi_align), roi_align_support, roi_align_clauses,
            CHECKED_RULES(roi_align_rules));

/* ---- DML_ROI_ALIGN1_OPERATOR_DESC ---- */
typedef struct roi_align1 {
    uint32_t ReductionFunction, InterpolationMode;
    float SpatialScaleX, SpatialScaleY, InputPixelOffset, OutputPixelOffset, OutOfBoundsInputValue;
    uint32_t MinimumSamplesPerOutput, MaximumSamplesPerOutput, AlignRegionsToCorners;
} roi_align1;
static const ts_attr_decl roi_align1_attrs[] = {
    CHECKED_ENUM(roi_align1, ReductionFunction, checked_reduce_function),
    CHECKED_ENUM(roi_align1, InterpolationMode, checked_interpolation_mode),
    CHECKED_F32(roi_align1, SpatialScaleX),
    CHECKED_F32(roi_align1, SpatialScaleY),
    CHECKED_F32(roi_align1, InputPixelOffset),
    CHECKED_F32(roi_align1, OutputPixelOffset),
    CHECKED_F32(roi_align1, OutOfBoundsInputValue),
    CHECKED_U32(roi_align1, MinimumSamplesPerOutput),
    CHECKED_U32(roi_align1, MaximumSamplesPerOutput),
    CHECKED_BOOL(roi_align1, AlignRegionsToCorners),
};
static const ts_support_row roi_align1_support[] = {
    { TS_LEVEL_4_0, { { 4, 4, DML_FLOATS }, { 2, 4, DML_FLOATS }, { 1, 4, T_U32 }, { 4, 4, DML_FLOATS } } },
    { TS_LEVEL_5_0, { { 4, 4, DML_FLOATS }, { 2, 4, DML_FLOATS }, { 1, 4, T_U64 | T_U32 }, { 4, 4, DML_FLOATS } } },
};
const checked_operator checked_dml_roi_align1 =
    CHECKED("roi_align1", "ROI_ALIGN1", 149, "ttttaaaaaaaaaa", roi_align_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(roi_align1_attrs, roi_align1), roi_align1_support, roi_align_clauses,
            CHECKED_RULES(roi_align_rules));

/* ---- DML_ROI_ALIGN_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl roi_align_grad_tensors[] = {
    CHECKED_OPTIONAL_INPUT("InputTensor"),
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_INPUT("ROITensor"),
    CHECKED_INPUT("BatchIndicesTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputGradientTensor"),
    CHECKED_OPTIONAL_OUTPUT("OutputROIGradientTensor"),
};
typedef struct roi_align_grad {
    uint32_t ReductionFunction, InterpolationMode;
    float SpatialScaleX, SpatialScaleY, InputPixelOffset, OutputPixelOffset;
    uint32_t MinimumSamplesPerOutput, MaximumSamplesPerOutput, AlignRegionsToCorners;
} roi_align_grad;
static const ts_attr_decl roi_align_grad_attrs[] = {
    CHECKED_ENUM(roi_align_grad, ReductionFunction, checked_reduce_function),
    CHECKED_ENUM(roi_align_grad, InterpolationMode, checked_interpolation_mode),
    CHECKED_F32(roi_align_grad, SpatialScaleX),
    CHECKED_F32(roi_align_grad, SpatialScaleY),
    CHECKED_F32(roi_align_grad, InputPixelOffset),
    CHECKED_F32(roi_align_grad, OutputPixelOffset),
    CHECKED_U32(roi_align_grad, MinimumSamplesPerOutput),
    CHECKED_U32(roi_align_grad, MaximumSamplesPerOutput),
    CHECKED_BOOL(roi_align_grad, AlignRegionsToCorners),
};
static const ts_support_row roi_align_grad_support[] = {
    { TS_LEVEL_4_1, { { 4, 4, DML_FLOATS }, { 4, 4, DML_FLOATS }, { 2, 4, DML_FLOATS }, { 1, 4, T_U32 },
        { 4, 4, DML_FLOATS }, { 2, 4, DML_FLOATS } } },
};
static const ts_clause roi_align_grad_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor, InputGradientTensor, ROITensor, OutputGradientTensor and "
                   "OutputROIGradientTensor have the same DataType",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ROITensor and OutputROIGradientTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "at least one of OutputGradientTensor and OutputROIGradientTensor is given",
                   "OutputGradientTensor"),
    CHECKED_CLAUSE("OP-09", "ReductionFunction is AVERAGE or MAX", "ReductionFunction"),
    CHECKED_OBSERVED("OP-10", "1 <= MinimumSamplesPerOutput <= MaximumSamplesPerOutput",
                     "the page clamps to both bounds, and does not say what they are where the order is reversed"),
    CHECKED_CLAUSE("OP-11", "ROITensor.Sizes = { [1], [1], NumROIs, 4 }", "ROITensor"),
    CHECKED_CLAUSE("OP-12", "BatchIndicesTensor.Sizes = { [1], [1], [1], NumROIs }", "BatchIndicesTensor"),
    CHECKED_CLAUSE("OP-13", "InputGradientTensor.Sizes = { NumROIs, C, OutputHeight, OutputWidth }",
                   "InputGradientTensor"),
    CHECKED_CLAUSE("OP-14", "OutputGradientTensor.Sizes = { N, C, InputHeight, InputWidth }", "OutputGradientTensor"),
    CHECKED_CLAUSE("OP-15", "InputTensor.Sizes = { N, C, InputHeight, InputWidth }", "InputTensor"),
    CHECKED_OBSERVED("OP-16", "SpatialScaleX and SpatialScaleY are neither negative nor infinite",
                     "the page does not restrict the scale"),
    CHECKED_CLAUSE("OP-17", "InputTensor is given where OutputROIGradientTensor is, and where ReductionFunction is MAX",
                   "InputTensor"),
};
static const checked_rule roi_align_grad_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x37 },
    { "OP-07", checked_same_sizes, .tensors = 0x24 },
    { "OP-08", checked_any_given, .tensors = 0x30 },
    { "OP-09", checked_reduction, .attr = 0 },
    { "OP-10", checked_samples, .attr = 0 },
    { "OP-11", checked_shape, .tensors = 0x4, .shape = "{ [1], [1], NumROIs, 4 }" },
    { "OP-12", checked_shape, .tensors = 0x8, .shape = "{ [1], [1], [1], NumROIs }" },
    { "OP-13", checked_shape, .tensors = 0x2, .shape = "{ NumROIs, C, OutputHeight, OutputWidth }" },
    { "OP-14", checked_shape, .tensors = 0x10, .shape = "{ N, C, InputHeight, InputWidth }" },
    { "OP-15", checked_shape, .tensors = 0x1, .shape = "{ N, C, InputHeight, InputWidth }" },
    { "OP-16", checked_spatial_scale, .attr = 2 },
    { "OP-16", checked_spatial_scale, .attr = 3 },
    { "OP-17", checked_roi_input, .attr = 0 },
};
const checked_operator checked_dml_roi_align_grad =
    CHECKED("roi_align_grad", "ROI_ALIGN_GRAD", 150, "ttttttaaaaaaaaa", roi_align_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(roi_align_grad_attrs, roi_align_grad), roi_align_grad_support, roi_align_grad_clauses,
            CHECKED_RULES(roi_align_grad_rules));

/* ---- DML_ROI_POOLING_OPERATOR_DESC ---- */
static const ts_tensor_decl roi_pooling_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("ROITensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct roi_pooling {
    float SpatialScale;
    uint32_t PooledSize[2];
} roi_pooling;
static const ts_attr_decl roi_pooling_attrs[] = {
    CHECKED_F32(roi_pooling, SpatialScale),
    CHECKED_RECORD(TS_ATTR_U32, roi_pooling, PooledSize, checked_size_2d, false),
};
static const ts_support_row roi_pooling_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
};
static const ts_clause roi_pooling_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor, ROITensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "ROITensor.Sizes = { [1], [1], NumROIs, 5 }", "ROITensor"),
    CHECKED_CLAUSE("OP-08", "OutputTensor.Sizes = { NumROIs, C, PooledSize.Height, PooledSize.Width }", "OutputTensor"),
};
static const checked_rule roi_pooling_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x7 },
    { "OP-07", checked_shape, .tensors = 0x2, .shape = "{ [1], [1], NumROIs, 5 }" },
    { NULL, checked_shape, .tensors = 0x1, .shape = "{ N, C, H, W }" },
    { "OP-08", checked_shape, .tensors = 0x4, .shape = "{ NumROIs, C, PooledSize.Height, PooledSize.Width }" },
};
const checked_operator checked_dml_roi_pooling =
    CHECKED("roi_pooling", "ROI_POOLING", 59, "tttaa", roi_pooling_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(roi_pooling_attrs, roi_pooling), roi_pooling_support, roi_pooling_clauses,
            CHECKED_RULES(roi_pooling_rules));

/* ---- DML_UPSAMPLE_2D_OPERATOR_DESC ---- */
typedef struct upsample_2d {
    uint32_t ScaleSize[2], InterpolationMode;
} upsample_2d;
static const ts_attr_decl upsample_2d_attrs[] = {
    CHECKED_RECORD(TS_ATTR_U32, upsample_2d, ScaleSize, checked_size_2d, false),
    CHECKED_ENUM(upsample_2d, InterpolationMode, checked_interpolation_mode),
};
static const ts_support_row upsample_2d_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
};
static const ts_clause upsample_2d_clauses[] = {
    CHECKED_COMPARABLE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "OutputTensor.Sizes = { N, C, [D], H*ScaleSize.Height, W*ScaleSize.Width }",
                   "OutputTensor"),
};
static const checked_rule upsample_2d_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3),
    { NULL, checked_shape, .tensors = 0x1, .shape = "{ N, C, [D], H, W }" },
    { "OP-08", checked_shape, .tensors = 0x2, .shape = "{ N, C, [D], H*ScaleSize.Height, W*ScaleSize.Width }" },
};
const checked_operator checked_dml_upsample_2d =
    CHECKED("upsample_2d", "UPSAMPLE_2D", 66, "ttaa", resample_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(upsample_2d_attrs, upsample_2d), upsample_2d_support, upsample_2d_clauses,
            CHECKED_RULES(upsample_2d_rules));
