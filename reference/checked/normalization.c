/* SPDX-License-Identifier: Apache-2.0 */
/* Normalization, and the optimizer. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_ADAM_OPTIMIZER_OPERATOR_DESC ---- */
static const ts_tensor_decl adam_optimizer_tensors[] = {
    CHECKED_INPUT("InputParametersTensor"),
    CHECKED_INPUT("InputFirstMomentTensor"),
    CHECKED_INPUT("InputSecondMomentTensor"),
    CHECKED_INPUT("GradientTensor"),
    CHECKED_INPUT("TrainingStepTensor"),
    CHECKED_OUTPUT("OutputParametersTensor"),
    CHECKED_OUTPUT("OutputFirstMomentTensor"),
    CHECKED_OUTPUT("OutputSecondMomentTensor"),
};
typedef struct adam_optimizer {
    float LearningRate, Beta1, Beta2, Epsilon;
} adam_optimizer;
static const ts_attr_decl adam_optimizer_attrs[] = {
    CHECKED_F32(adam_optimizer, LearningRate),
    CHECKED_F32(adam_optimizer, Beta1),
    CHECKED_F32(adam_optimizer, Beta2),
    CHECKED_F32(adam_optimizer, Epsilon),
};
static const ts_support_row adam_optimizer_support[] = {
    { TS_LEVEL_3_0, { { 1, 8, DML_FLOATS }, { 1, 8, DML_FLOATS }, { 1, 8, DML_FLOATS }, { 1, 8, DML_FLOATS },
        { 1, 8, T_U32 }, { 1, 8, DML_FLOATS }, { 1, 8, DML_FLOATS }, { 1, 8, DML_FLOATS } } },
};
static const ts_clause adam_optimizer_clauses[] = {
    CHECKED_ALIKE("all tensors but TrainingStepTensor"),
    CHECKED_CLAUSE("OP-09", "TrainingStepTensor has one element", "TrainingStepTensor"),
};
static const checked_rule adam_optimizer_rules[] = {
    CHECKED_ALIKE_RULES(0xef),
    { "OP-09", checked_one_element, .tensors = 0x10 },
};
const checked_operator checked_dml_adam_optimizer =
    CHECKED("adam_optimizer", "ADAM_OPTIMIZER", 136, "ttttttttaaaa", adam_optimizer_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(adam_optimizer_attrs, adam_optimizer), adam_optimizer_support, adam_optimizer_clauses,
            CHECKED_RULES(adam_optimizer_rules));

/* ---- DML_BATCH_NORMALIZATION_OPERATOR_DESC ---- */
static const ts_tensor_decl batch_normalization_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("MeanTensor"),
    CHECKED_INPUT("VarianceTensor"),
    CHECKED_INPUT("ScaleTensor"),
    CHECKED_INPUT("BiasTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct batch_normalization {
    uint32_t Spatial;
    float Epsilon;
    ts_nested_operator FusedActivation;
} batch_normalization;
static const ts_attr_decl batch_normalization_attrs[] = {
    CHECKED_BOOL(batch_normalization, Spatial),
    CHECKED_F32(batch_normalization, Epsilon),
    CHECKED_FUSED(batch_normalization, FusedActivation, checked_fusable_any),
};
static const ts_support_row batch_normalization_support[] = {
    { TS_LEVEL_1_0, { CHECKED_6({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_1, { CHECKED_6({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause batch_normalization_clauses[] = {
    CHECKED_COMPARABLE("all tensors"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "each size of MeanTensor, VarianceTensor, ScaleTensor and BiasTensor is 1 or that of "
                   "InputTensor",
                   "MeanTensor"),
    CHECKED_CLAUSE("OP-10", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
};
static const checked_rule batch_normalization_rules[] = {
    CHECKED_COMPARABLE_RULES(0x3f),
    { "OP-08", checked_same_sizes, .tensors = 0x21 },
    { "OP-09", checked_broadcasts, .tensors = 0x1f },
    { "OP-10", checked_fusable, .attr = 2 },
};
const checked_operator checked_dml_batch_normalization =
    CHECKED("batch_normalization", "BATCH_NORMALIZATION", 72, "ttttttaaa", batch_normalization_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(batch_normalization_attrs, batch_normalization),
            batch_normalization_support, batch_normalization_clauses, CHECKED_RULES(batch_normalization_rules));

/* ---- DML_BATCH_NORMALIZATION_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl batch_normalization_grad_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_INPUT("MeanTensor"),
    CHECKED_INPUT("VarianceTensor"),
    CHECKED_INPUT("ScaleTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
    CHECKED_OUTPUT("OutputScaleGradientTensor"),
    CHECKED_OUTPUT("OutputBiasGradientTensor"),
};
typedef struct batch_normalization_grad {
    float Epsilon;
} batch_normalization_grad;
static const ts_attr_decl batch_normalization_grad_attrs[] = {
    CHECKED_F32(batch_normalization_grad, Epsilon),
};
static const ts_support_row batch_normalization_grad_support[] = {
    { TS_LEVEL_3_1, { CHECKED_8({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause batch_normalization_grad_clauses[] = {
    CHECKED_COMPARABLE("all tensors"),
    CHECKED_CLAUSE("OP-08", "MeanTensor, VarianceTensor, ScaleTensor, OutputScaleGradientTensor and "
                   "OutputBiasGradientTensor have the same Sizes",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "InputTensor, InputGradientTensor and OutputGradientTensor have the same Sizes",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "each size of MeanTensor, VarianceTensor and ScaleTensor is 1 or that of InputTensor",
                   "MeanTensor"),
};
static const checked_rule batch_normalization_grad_rules[] = {
    CHECKED_COMPARABLE_RULES(0xff),
    { "OP-08", checked_same_sizes, .tensors = 0xdc },
    { "OP-09", checked_same_sizes, .tensors = 0x23 },
    { "OP-10", checked_broadcasts, .tensors = 0x1d },
};
const checked_operator checked_dml_batch_normalization_grad =
    CHECKED("batch_normalization_grad", "BATCH_NORMALIZATION_GRAD", 146, "tttttttta", batch_normalization_grad_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(batch_normalization_grad_attrs, batch_normalization_grad),
            batch_normalization_grad_support, batch_normalization_grad_clauses,
            CHECKED_RULES(batch_normalization_grad_rules));

/* ---- DML_BATCH_NORMALIZATION_TRAINING_OPERATOR_DESC ---- */
static const ts_tensor_decl batch_normalization_training_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("ScaleTensor"),
    CHECKED_INPUT("BiasTensor"),
    CHECKED_OPTIONAL_INPUT("FusedAddTensor"),
    CHECKED_OUTPUT("OutputTensor"),
    CHECKED_OUTPUT("OutputMeanTensor"),
    CHECKED_OUTPUT("OutputVarianceTensor"),
};
typedef struct batch_normalization_training {
    float Epsilon;
    ts_nested_operator FusedActivation;
} batch_normalization_training;
static const ts_attr_decl batch_normalization_training_attrs[] = {
    CHECKED_F32(batch_normalization_training, Epsilon),
    CHECKED_FUSED(batch_normalization_training, FusedActivation, checked_fusable_any),
};
static const ts_support_row batch_normalization_training_support[] = {
    { TS_LEVEL_4_1, { CHECKED_7({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause batch_normalization_training_clauses[] = {
    CHECKED_COMPARABLE("all tensors"),
    CHECKED_CLAUSE("OP-08", "ScaleTensor, BiasTensor, OutputMeanTensor and OutputVarianceTensor have the same Sizes",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-09", "InputTensor, FusedAddTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-10", "each size of ScaleTensor and BiasTensor is 1 or that of InputTensor", "ScaleTensor"),
    CHECKED_CLAUSE("OP-11", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
};
static const checked_rule batch_normalization_training_rules[] = {
    CHECKED_COMPARABLE_RULES(0x7f),
    { "OP-08", checked_same_sizes, .tensors = 0x66 },
    { "OP-09", checked_same_sizes, .tensors = 0x19 },
    { "OP-10", checked_broadcasts, .tensors = 0x7 },
    { "OP-11", checked_fusable, .attr = 1 },
};
const checked_operator checked_dml_batch_normalization_training =
    CHECKED("batch_normalization_training", "BATCH_NORMALIZATION_TRAINING", 151, "tttttttaa",
            batch_normalization_training_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(batch_normalization_training_attrs, batch_normalization_training),
            batch_normalization_training_support, batch_normalization_training_clauses,
            CHECKED_RULES(batch_normalization_training_rules));

/* ---- DML_BATCH_NORMALIZATION_TRAINING_GRAD_OPERATOR_DESC ---- */
static const ts_support_row batch_normalization_training_grad_support[] = {
    { TS_LEVEL_4_1, { CHECKED_8({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_batch_normalization_training_grad =
    CHECKED("batch_normalization_training_grad", "BATCH_NORMALIZATION_TRAINING_GRAD", 152, "tttttttta",
            batch_normalization_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(batch_normalization_grad_attrs, batch_normalization_grad),
            batch_normalization_training_grad_support, batch_normalization_grad_clauses,
            CHECKED_RULES(batch_normalization_grad_rules));

/* ---- DML_LOCAL_RESPONSE_NORMALIZATION_OPERATOR_DESC ---- */
static const ts_tensor_decl local_response_normalization_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct local_response_normalization {
    uint32_t CrossChannel, LocalSize;
    float Alpha, Beta, Bias;
} local_response_normalization;
static const ts_attr_decl local_response_normalization_attrs[] = {
    CHECKED_BOOL(local_response_normalization, CrossChannel),
    CHECKED_U32(local_response_normalization, LocalSize),
    CHECKED_F32(local_response_normalization, Alpha),
    CHECKED_F32(local_response_normalization, Beta),
    CHECKED_F32(local_response_normalization, Bias),
};
static const ts_support_row local_response_normalization_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
};
static const ts_clause local_response_normalization_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "LocalSize >= 1", "LocalSize"),
};
static const checked_rule local_response_normalization_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x3 },
    { "OP-07", checked_same_sizes, .tensors = 0x3 },
    { "OP-08", checked_at_least, .attr = 1, .number = 1 },
};
const checked_operator checked_dml_local_response_normalization =
    CHECKED("local_response_normalization", "LOCAL_RESPONSE_NORMALIZATION", 74, "ttaaaaa",
            local_response_normalization_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(local_response_normalization_attrs, local_response_normalization),
            local_response_normalization_support, local_response_normalization_clauses,
            CHECKED_RULES(local_response_normalization_rules));

/* ---- DML_LOCAL_RESPONSE_NORMALIZATION_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl local_response_normalization_grad_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
static const ts_support_row local_response_normalization_grad_support[] = {
    { TS_LEVEL_3_1, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
};
static const ts_clause local_response_normalization_grad_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor, InputGradientTensor and OutputGradientTensor have the same DataType",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor, InputGradientTensor and OutputGradientTensor have the same Sizes",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "LocalSize >= 1", "LocalSize"),
};
static const checked_rule local_response_normalization_grad_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0x7 },
    { "OP-07", checked_same_sizes, .tensors = 0x7 },
    { "OP-08", checked_at_least, .attr = 1, .number = 1 },
};
const checked_operator checked_dml_local_response_normalization_grad =
    CHECKED("local_response_normalization_grad", "LOCAL_RESPONSE_NORMALIZATION_GRAD", 144, "tttaaaaa",
            local_response_normalization_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(local_response_normalization_attrs, local_response_normalization),
            local_response_normalization_grad_support, local_response_normalization_grad_clauses,
            CHECKED_RULES(local_response_normalization_grad_rules));

/* ---- DML_LP_NORMALIZATION_OPERATOR_DESC ---- */
typedef struct lp_normalization {
    uint32_t Axis;
    float Epsilon;
    uint32_t P;
} lp_normalization;
static const ts_attr_decl lp_normalization_attrs[] = {
    CHECKED_U32(lp_normalization, Axis),
    CHECKED_F32(lp_normalization, Epsilon),
    CHECKED_U32(lp_normalization, P),
};
static const ts_support_row lp_normalization_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_1, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause lp_normalization_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-09", "Axis < InputTensor.DimensionCount", "Axis"),
    CHECKED_CLAUSE("OP-10", "P is 1 or 2", "P"),
};
static const checked_rule lp_normalization_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 0 },
    { "OP-10", checked_p, .attr = 0 },
};
const checked_operator checked_dml_lp_normalization =
    CHECKED("lp_normalization", "LP_NORMALIZATION", 75, "ttaaa", local_response_normalization_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(lp_normalization_attrs, lp_normalization), lp_normalization_support, lp_normalization_clauses,
            CHECKED_RULES(lp_normalization_rules));

/* ---- DML_MEAN_VARIANCE_NORMALIZATION_OPERATOR_DESC ---- */
static const ts_tensor_decl mean_variance_normalization_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OPTIONAL_INPUT("ScaleTensor"),
    CHECKED_OPTIONAL_INPUT("BiasTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct mean_variance_normalization {
    uint32_t CrossChannel, NormalizeVariance;
    float Epsilon;
    ts_nested_operator FusedActivation;
} mean_variance_normalization;
static const ts_attr_decl mean_variance_normalization_attrs[] = {
    CHECKED_BOOL(mean_variance_normalization, CrossChannel),
    CHECKED_BOOL(mean_variance_normalization, NormalizeVariance),
    CHECKED_F32(mean_variance_normalization, Epsilon),
    CHECKED_FUSED(mean_variance_normalization, FusedActivation, checked_fusable_any),
};
static const ts_support_row mean_variance_normalization_support[] = {
    { TS_LEVEL_1_0, { CHECKED_4({ 4, 4, DML_FLOATS }) } },
};
static const ts_clause mean_variance_normalization_clauses[] = {
    CHECKED_CLAUSES,
    CHECKED_CLAUSE("OP-06", "InputTensor, ScaleTensor, BiasTensor and OutputTensor have the same DataType",
                   "Tensor constraints"),
    CHECKED_CLAUSE("OP-07", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_CLAUSE("OP-08", "each size of ScaleTensor and BiasTensor is 1 or that of InputTensor", "ScaleTensor"),
    CHECKED_CLAUSE("OP-09", "ScaleTensor and BiasTensor are given together; each may be given alone from feature "
                   "level 5_2 on",
                   "ScaleTensor"),
    CHECKED_CLAUSE("OP-10", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
};
static const checked_rule mean_variance_normalization_rules[] = {
    { "OP-06", checked_same_type, .tensors = 0xf },
    { "OP-07", checked_same_sizes, .tensors = 0x9 },
    { "OP-08", checked_broadcasts, .tensors = 0x7 },
    { "OP-09", checked_all_given, .tensors = 0x6, .until = TS_LEVEL_5_2 },
    { "OP-10", checked_fusable, .attr = 3 },
};
const checked_operator checked_dml_mean_variance_normalization =
    CHECKED("mean_variance_normalization", "MEAN_VARIANCE_NORMALIZATION", 73, "ttttaaaa",
            mean_variance_normalization_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(mean_variance_normalization_attrs, mean_variance_normalization),
            mean_variance_normalization_support, mean_variance_normalization_clauses,
            CHECKED_RULES(mean_variance_normalization_rules));

/* ---- DML_MEAN_VARIANCE_NORMALIZATION1_OPERATOR_DESC ---- */
typedef struct mean_variance_normalization1 {
    uint32_t AxisCount, Axes[TS_MAX_DIMS], NormalizeVariance;
    float Epsilon;
    ts_nested_operator FusedActivation;
} mean_variance_normalization1;
static const ts_attr_decl mean_variance_normalization1_attrs[] = {
    CHECKED_COUNTER(mean_variance_normalization1, AxisCount),
    CHECKED_LIST(TS_ATTR_U32, mean_variance_normalization1, Axes, AxisCount),
    CHECKED_BOOL(mean_variance_normalization1, NormalizeVariance),
    CHECKED_F32(mean_variance_normalization1, Epsilon),
    CHECKED_FUSED(mean_variance_normalization1, FusedActivation, checked_fusable_any),
};
static const ts_support_row mean_variance_normalization1_support[] = {
    { TS_LEVEL_2_1, { CHECKED_4({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_1, { CHECKED_4({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause mean_variance_normalization1_clauses[] = {
    CHECKED_COMPARABLE_AXES("InputTensor, ScaleTensor, BiasTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-08", "InputTensor and OutputTensor have the same Sizes", "Tensor constraints"),
    CHECKED_IMPLIED("OP-09", "Axes[i] < InputTensor.DimensionCount", "Axes",
                    "the axes are dimensions of the input, of which there is none from DimensionCount on"),
    CHECKED_CLAUSE("OP-10", "each size of ScaleTensor and BiasTensor is 1 or that of InputTensor", "ScaleTensor"),
    CHECKED_CLAUSE("OP-11", "ScaleTensor and BiasTensor are given together; each may be given alone from feature "
                   "level 5_2 on",
                   "ScaleTensor"),
    CHECKED_CLAUSE("OP-12", "FusedActivation may be fused here, has neither InputTensor nor OutputTensor, and has "
                   "all other fields",
                   "FusedActivation"),
};
static const checked_rule mean_variance_normalization1_rules[] = {
    CHECKED_COMPARABLE_RULES(0xf),
    { "OP-08", checked_same_sizes, .tensors = 0x9 },
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 1 },
    { "OP-10", checked_broadcasts, .tensors = 0x7 },
    { "OP-11", checked_all_given, .tensors = 0x6, .until = TS_LEVEL_5_2 },
    { "OP-12", checked_fusable, .attr = 4 },
};
const checked_operator checked_dml_mean_variance_normalization1 =
    CHECKED("mean_variance_normalization1", "MEAN_VARIANCE_NORMALIZATION1", 115, "ttttaaaaa",
            mean_variance_normalization_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(mean_variance_normalization1_attrs, mean_variance_normalization1),
            mean_variance_normalization1_support, mean_variance_normalization1_clauses,
            CHECKED_RULES(mean_variance_normalization1_rules));

/* ---- DML_MEAN_VARIANCE_NORMALIZATION2_OPERATOR_DESC ---- */
typedef struct mean_variance_normalization2 {
    uint32_t AxisCount, Axes[TS_MAX_DIMS], UseMean, UseVariance;
    float Epsilon;
    ts_nested_operator FusedActivation;
} mean_variance_normalization2;
static const ts_attr_decl mean_variance_normalization2_attrs[] = {
    CHECKED_COUNTER(mean_variance_normalization2, AxisCount),
    CHECKED_LIST(TS_ATTR_U32, mean_variance_normalization2, Axes, AxisCount),
    CHECKED_BOOL(mean_variance_normalization2, UseMean),
    CHECKED_BOOL(mean_variance_normalization2, UseVariance),
    CHECKED_F32(mean_variance_normalization2, Epsilon),
    CHECKED_FUSED(mean_variance_normalization2, FusedActivation, checked_fusable_any),
};
static const ts_support_row mean_variance_normalization2_support[] = {
    { TS_LEVEL_6_3, { CHECKED_4({ 1, 8, DML_FLOATS }) } },
};
static const checked_rule mean_variance_normalization2_rules[] = {
    CHECKED_COMPARABLE_RULES(0xf),
    { "OP-08", checked_same_sizes, .tensors = 0x9 },
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 1 },
    { "OP-10", checked_broadcasts, .tensors = 0x7 },
    { "OP-11", checked_all_given, .tensors = 0x6, .until = TS_LEVEL_5_2 },
    { "OP-12", checked_fusable, .attr = 5 },
};
const checked_operator checked_dml_mean_variance_normalization2 =
    CHECKED("mean_variance_normalization2", "MEAN_VARIANCE_NORMALIZATION2", 171, "ttttaaaaaa",
            mean_variance_normalization_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(mean_variance_normalization2_attrs, mean_variance_normalization2),
            mean_variance_normalization2_support, mean_variance_normalization1_clauses,
            CHECKED_RULES(mean_variance_normalization2_rules));
