/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of one tensor, element by element. */
#include "reference/checked/checked.h"

/* clang-format off */

/* ---- DML_ELEMENT_WISE_ABS_OPERATOR_DESC ---- */
static const ts_tensor_decl in_out_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct scale_bias {
    float ScaleBias[2];
} scale_bias;
static const ts_attr_decl scale_bias_attrs[] = {
    CHECKED_RECORD(TS_ATTR_F32, scale_bias, ScaleBias, checked_scale_bias, true),
};
static const ts_support_row abs_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_FLOATS | T_I32 | T_I16 | T_I8 }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS | T_I32 | T_I16 | T_I8 }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_FLOATS | T_I64 | T_I32 | T_I16 | T_I8 }) } },
};
static const ts_clause abs_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    CHECKED_OBSERVED("OP-09", "ScaleBias is null where InputTensor.DataType has 64 bits",
                     "the page describes ScaleBias without regard to types"),
};
static const checked_rule abs_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
    { "OP-09", checked_scale, .tensors = 0x1, .attr = 0 },
};
const checked_operator checked_dml_element_wise_abs =
    CHECKED("element_wise_abs", "ELEMENT_WISE_ABS", 2, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), abs_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ACOS_OPERATOR_DESC ---- */
static const ts_support_row acos_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_element_wise_acos =
    CHECKED("element_wise_acos", "ELEMENT_WISE_ACOS", 3, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ACOSH_OPERATOR_DESC ---- */
static const ts_support_row acosh_support[] = {
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_element_wise_acosh =
    CHECKED("element_wise_acosh", "ELEMENT_WISE_ACOSH", 86, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ASIN_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_asin =
    CHECKED("element_wise_asin", "ELEMENT_WISE_ASIN", 5, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ASINH_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_asinh =
    CHECKED("element_wise_asinh", "ELEMENT_WISE_ASINH", 85, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ATAN_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_atan =
    CHECKED("element_wise_atan", "ELEMENT_WISE_ATAN", 6, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ATANH_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_atanh =
    CHECKED("element_wise_atanh", "ELEMENT_WISE_ATANH", 87, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_CEIL_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_ceil =
    CHECKED("element_wise_ceil", "ELEMENT_WISE_CEIL", 7, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_CLIP_OPERATOR_DESC ---- */
typedef struct clip {
    float ScaleBias[2], Min, Max;
} clip;
static const ts_attr_decl clip_attrs[] = {
    CHECKED_RECORD(TS_ATTR_F32, clip, ScaleBias, checked_scale_bias, true),
    CHECKED_F32(clip, Min),
    CHECKED_F32(clip, Max),
};
static const ts_support_row clip_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_element_wise_clip =
    CHECKED("element_wise_clip", "ELEMENT_WISE_CLIP", 8, "ttaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(clip_attrs, clip), clip_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_CLIP1_OPERATOR_DESC ---- */
typedef struct clip1 {
    float ScaleBias[2];
    uint32_t MinMaxDataType;
    uint64_t Min, Max;
} clip1;
static const ts_attr_decl clip1_attrs[] = {
    CHECKED_RECORD(TS_ATTR_F32, clip1, ScaleBias, checked_scale_bias, true),
    CHECKED_ENUM(clip1, MinMaxDataType, checked_data_types),
    CHECKED_UNION(clip1, Min, MinMaxDataType),
    CHECKED_UNION(clip1, Max, MinMaxDataType),
};
static const ts_support_row clip1_support[] = {
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
static const ts_clause clip1_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-09", "MinMaxDataType = OutputTensor.DataType", "MinMaxDataType"),
    CHECKED_OBSERVED("OP-10", "ScaleBias is null where InputTensor.DataType has 64 bits",
                     "the page describes ScaleBias without regard to types"),
};
static const checked_rule clip1_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
    { "OP-09", checked_names_type, .tensors = 0x2, .attr = 1 },
    { "OP-10", checked_scale, .tensors = 0x1, .attr = 0 },
};
const checked_operator checked_dml_element_wise_clip1 =
    CHECKED("element_wise_clip1", "ELEMENT_WISE_CLIP1", 153, "ttaaaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(clip1_attrs, clip1), clip1_support, clip1_clauses, CHECKED_RULES(clip1_rules));

/* ---- DML_ELEMENT_WISE_CLIP_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl clip_grad_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
typedef struct clip_grad {
    float Min, Max;
} clip_grad;
static const ts_attr_decl clip_grad_attrs[] = {
    CHECKED_F32(clip_grad, Min),
    CHECKED_F32(clip_grad, Max),
};
static const ts_support_row clip_grad_support[] = {
    { TS_LEVEL_3_1, { CHECKED_3({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_5_0, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
static const ts_clause clip_grad_clauses[] = {
    CHECKED_ALIKE("InputTensor, InputGradientTensor and OutputGradientTensor"),
};
static const checked_rule clip_grad_rules[] = {
    CHECKED_ALIKE_RULES(0x7),
};
const checked_operator checked_dml_element_wise_clip_grad =
    CHECKED("element_wise_clip_grad", "ELEMENT_WISE_CLIP_GRAD", 142, "tttaa", clip_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(clip_grad_attrs, clip_grad), clip_grad_support, clip_grad_clauses,
            CHECKED_RULES(clip_grad_rules));

/* ---- DML_ELEMENT_WISE_CLIP_GRAD1_OPERATOR_DESC ---- */
typedef struct clip_grad1 {
    uint32_t MinMaxDataType;
    uint64_t Min, Max;
} clip_grad1;
static const ts_attr_decl clip_grad1_attrs[] = {
    CHECKED_ENUM(clip_grad1, MinMaxDataType, checked_data_types),
    CHECKED_UNION(clip_grad1, Min, MinMaxDataType),
    CHECKED_UNION(clip_grad1, Max, MinMaxDataType),
};
static const ts_support_row clip_grad1_support[] = {
    { TS_LEVEL_5_0, { CHECKED_3({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
static const ts_clause clip_grad1_clauses[] = {
    CHECKED_ALIKE("InputTensor, InputGradientTensor and OutputGradientTensor"),
    CHECKED_CLAUSE("OP-09", "MinMaxDataType = OutputGradientTensor.DataType", "MinMaxDataType"),
};
static const checked_rule clip_grad1_rules[] = {
    CHECKED_ALIKE_RULES(0x7),
    { "OP-09", checked_names_type, .tensors = 0x4, .attr = 0 },
};
const checked_operator checked_dml_element_wise_clip_grad1 =
    CHECKED("element_wise_clip_grad1", "ELEMENT_WISE_CLIP_GRAD1", 154, "tttaaa", clip_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(clip_grad1_attrs, clip_grad1), clip_grad1_support, clip_grad1_clauses,
            CHECKED_RULES(clip_grad1_rules));

/* ---- DML_ELEMENT_WISE_CONSTANT_POW_OPERATOR_DESC ---- */
typedef struct constant_pow {
    float ScaleBias[2], Exponent;
} constant_pow;
static const ts_attr_decl constant_pow_attrs[] = {
    CHECKED_RECORD(TS_ATTR_F32, constant_pow, ScaleBias, checked_scale_bias, true),
    CHECKED_F32(constant_pow, Exponent),
};
const checked_operator checked_dml_element_wise_constant_pow =
    CHECKED("element_wise_constant_pow", "ELEMENT_WISE_CONSTANT_POW", 26, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(constant_pow_attrs, constant_pow), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_COS_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_cos =
    CHECKED("element_wise_cos", "ELEMENT_WISE_COS", 9, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_COSH_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_cosh =
    CHECKED("element_wise_cosh", "ELEMENT_WISE_COSH", 83, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ERF_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_erf =
    CHECKED("element_wise_erf", "ELEMENT_WISE_ERF", 81, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_EXP_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_exp =
    CHECKED("element_wise_exp", "ELEMENT_WISE_EXP", 11, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_FLOOR_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_floor =
    CHECKED("element_wise_floor", "ELEMENT_WISE_FLOOR", 12, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_LOG_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_log =
    CHECKED("element_wise_log", "ELEMENT_WISE_LOG", 13, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_NEGATE_OPERATOR_DESC ---- */
static const ts_support_row negate_support[] = {
    { TS_LEVEL_5_0, { CHECKED_2({ 1, 8, DML_FLOATS | T_I64 | T_I32 | T_I16 | T_I8 }) } },
};
static const ts_clause negate_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
};
static const checked_rule negate_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
};
const checked_operator checked_dml_element_wise_negate =
    CHECKED("element_wise_negate", "ELEMENT_WISE_NEGATE", 156, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            negate_support, negate_clauses, CHECKED_RULES(negate_rules));

/* ---- DML_ELEMENT_WISE_RECIP_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_recip =
    CHECKED("element_wise_recip", "ELEMENT_WISE_RECIP", 27, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_ROUND_OPERATOR_DESC ---- */
typedef struct round {
    uint32_t RoundingMode;
} round;
static const ts_attr_decl round_attrs[] = {
    CHECKED_ENUM(round, RoundingMode, checked_rounding_mode),
};
static const ts_support_row round_support[] = {
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_element_wise_round =
    CHECKED("element_wise_round", "ELEMENT_WISE_ROUND", 99, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(round_attrs, round), round_support, negate_clauses, CHECKED_RULES(negate_rules));

/* ---- DML_ELEMENT_WISE_SIGN_OPERATOR_DESC ---- */
static const ts_support_row sign_support[] = {
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
    { TS_LEVEL_4_1, { CHECKED_2({ 1, 8, DML_8_TYPES | T_I64 | T_U64 }) } },
};
const checked_operator checked_dml_element_wise_sign =
    CHECKED("element_wise_sign", "ELEMENT_WISE_SIGN", 79, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            sign_support, negate_clauses, CHECKED_RULES(negate_rules));

/* ---- DML_ELEMENT_WISE_SIN_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_sin =
    CHECKED("element_wise_sin", "ELEMENT_WISE_SIN", 28, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_SINH_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_sinh =
    CHECKED("element_wise_sinh", "ELEMENT_WISE_SINH", 82, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_SQRT_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_sqrt =
    CHECKED("element_wise_sqrt", "ELEMENT_WISE_SQRT", 29, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_TAN_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_tan =
    CHECKED("element_wise_tan", "ELEMENT_WISE_TAN", 31, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acos_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_TANH_OPERATOR_DESC ---- */
const checked_operator checked_dml_element_wise_tanh =
    CHECKED("element_wise_tanh", "ELEMENT_WISE_TANH", 84, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scale_bias_attrs, scale_bias), acosh_support, abs_clauses, CHECKED_RULES(abs_rules));

/* ---- DML_ELEMENT_WISE_THRESHOLD_OPERATOR_DESC ---- */
typedef struct threshold {
    float ScaleBias[2], Min;
} threshold;
static const ts_attr_decl threshold_attrs[] = {
    CHECKED_RECORD(TS_ATTR_F32, threshold, ScaleBias, checked_scale_bias, true),
    CHECKED_F32(threshold, Min),
};
static const ts_support_row threshold_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
};
const checked_operator checked_dml_element_wise_threshold =
    CHECKED("element_wise_threshold", "ELEMENT_WISE_THRESHOLD", 32, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(threshold_attrs, threshold), threshold_support, abs_clauses, CHECKED_RULES(abs_rules));
