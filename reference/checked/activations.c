/* SPDX-License-Identifier: Apache-2.0 */
/* Activation functions. */
#include "reference/checked/checked.h"

#include <inttypes.h>

/* clang-format off */

/* ---- DML_ACTIVATION_CELU_OPERATOR_DESC ---- */
static const ts_tensor_decl in_out_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
typedef struct alpha {
    float Alpha;
} alpha;
static const ts_attr_decl alpha_attrs[] = {
    CHECKED_F32(alpha, Alpha),
};
static const ts_support_row celu_support[] = {
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
static const ts_clause celu_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
};
static const checked_rule celu_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
};
const checked_operator checked_dml_activation_celu =
    CHECKED("activation_celu", "ACTIVATION_CELU", 128, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_attrs, alpha), celu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_ELU_OPERATOR_DESC ---- */
static const ts_support_row elu_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_activation_elu =
    CHECKED("activation_elu", "ACTIVATION_ELU", 35, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_attrs, alpha), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_GELU_OPERATOR_DESC ---- */
static const ts_support_row gelu_support[] = {
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_activation_gelu =
    CHECKED("activation_gelu", "ACTIVATION_GELU", 157, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            gelu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_HARD_SIGMOID_OPERATOR_DESC ---- */
typedef struct alpha_beta {
    float Alpha, Beta;
} alpha_beta;
static const ts_attr_decl alpha_beta_attrs[] = {
    CHECKED_F32(alpha_beta, Alpha),
    CHECKED_F32(alpha_beta, Beta),
};
const checked_operator checked_dml_activation_hard_sigmoid =
    CHECKED("activation_hard_sigmoid", "ACTIVATION_HARD_SIGMOID", 37, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_beta_attrs, alpha_beta), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_HARD_SWISH_OPERATOR_DESC ---- */
static const ts_support_row hard_swish_support[] = {
    { TS_LEVEL_6_2, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
};
const checked_operator checked_dml_activation_hard_swish =
    CHECKED("activation_hard_swish", "ACTIVATION_HARD_SWISH", 168, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_beta_attrs, alpha_beta), hard_swish_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_HARDMAX_OPERATOR_DESC ---- */
/* The dimensions that count are those behind the leading ones of size 1. */
static void check_two_dims(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    const ts_tensor *t = &d->tensors[0];
    uint32_t i = 0;
    while (i < t->rank && i < TS_MAX_DIMS && t->sizes[i] == 1)
        ++i;
    if (t->rank - i > 2)
        checked_violate(rule, report, 0, (int)i,
                        "InputTensor.Sizes[%u] = %" PRIu64 " is before the last two dimensions, and not 1", i,
                        t->sizes[i]);
}
static const ts_clause hardmax_clauses[] = {
    CHECKED_ALIKE("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-09", "InputTensor has at most two dimensions behind leading ones of size 1", "InputTensor"),
};
static const checked_rule hardmax_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
    { "OP-09", check_two_dims, .tensors = 0x1 },
};
const checked_operator checked_dml_activation_hardmax =
    CHECKED("activation_hardmax", "ACTIVATION_HARDMAX", 36, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            elu_support, hardmax_clauses, CHECKED_RULES(hardmax_rules));

/* ---- DML_ACTIVATION_HARDMAX1_OPERATOR_DESC ---- */
typedef struct axes {
    uint32_t AxisCount, Axes[TS_MAX_DIMS];
} axes;
static const ts_attr_decl axes_attrs[] = {
    CHECKED_COUNTER(axes, AxisCount),
    CHECKED_LIST(TS_ATTR_U32, axes, Axes, AxisCount),
};
static const ts_clause hardmax1_clauses[] = {
    CHECKED_ALIKE_AXES("InputTensor and OutputTensor"),
    CHECKED_CLAUSE("OP-09", "Axes[i] < InputTensor.DimensionCount", "Axes"),
};
static const checked_rule hardmax1_rules[] = {
    CHECKED_ALIKE_RULES(0x3),
    { "OP-09", checked_axis, .tensors = 0x1, .attr = 1 },
};
const checked_operator checked_dml_activation_hardmax1 =
    CHECKED("activation_hardmax1", "ACTIVATION_HARDMAX1", 160, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(axes_attrs, axes), gelu_support, hardmax1_clauses, CHECKED_RULES(hardmax1_rules));

/* ---- DML_ACTIVATION_IDENTITY_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_identity =
    CHECKED("activation_identity", "ACTIVATION_IDENTITY", 38, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_LEAKY_RELU_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_leaky_relu =
    CHECKED("activation_leaky_relu", "ACTIVATION_LEAKY_RELU", 39, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_attrs, alpha), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_LINEAR_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_linear =
    CHECKED("activation_linear", "ACTIVATION_LINEAR", 40, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_beta_attrs, alpha_beta), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_LOG_SOFTMAX_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_log_softmax =
    CHECKED("activation_log_softmax", "ACTIVATION_LOG_SOFTMAX", 41, "tt", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, elu_support, hardmax_clauses, CHECKED_RULES(hardmax_rules));

/* ---- DML_ACTIVATION_LOG_SOFTMAX1_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_log_softmax1 =
    CHECKED("activation_log_softmax1", "ACTIVATION_LOG_SOFTMAX1", 159, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(axes_attrs, axes), gelu_support, hardmax1_clauses, CHECKED_RULES(hardmax1_rules));

/* ---- DML_ACTIVATION_PARAMETERIZED_RELU_OPERATOR_DESC ---- */
static const ts_tensor_decl parameterized_relu_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("SlopeTensor"),
    CHECKED_OUTPUT("OutputTensor"),
};
static const ts_support_row parameterized_relu_support[] = {
    { TS_LEVEL_1_0, { CHECKED_3({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_0, { CHECKED_3({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_I16 | T_I8 }) } },
};
static const ts_clause parameterized_relu_clauses[] = {
    CHECKED_ALIKE("InputTensor, SlopeTensor and OutputTensor"),
};
static const checked_rule parameterized_relu_rules[] = {
    CHECKED_ALIKE_RULES(0x7),
};
const checked_operator checked_dml_activation_parameterized_relu =
    CHECKED("activation_parameterized_relu", "ACTIVATION_PARAMETERIZED_RELU", 42, "ttt", parameterized_relu_tensors,
            CHECKED_NO_LISTS, CHECKED_NO_ATTRS, parameterized_relu_support, parameterized_relu_clauses,
            CHECKED_RULES(parameterized_relu_rules));

/* ---- DML_ACTIVATION_PARAMETRIC_SOFTPLUS_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_parametric_softplus =
    CHECKED("activation_parametric_softplus", "ACTIVATION_PARAMETRIC_SOFTPLUS", 43, "ttaa", in_out_tensors,
            CHECKED_NO_LISTS, CHECKED_ATTRS(alpha_beta_attrs, alpha_beta), elu_support, celu_clauses,
            CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_RELU_OPERATOR_DESC ---- */
static const ts_support_row relu_support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 8, DML_FLOATS | T_I32 | T_I16 | T_I8 }) } },
};
const checked_operator checked_dml_activation_relu =
    CHECKED("activation_relu", "ACTIVATION_RELU", 44, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            relu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_RELU_GRAD_OPERATOR_DESC ---- */
static const ts_tensor_decl relu_grad_tensors[] = {
    CHECKED_INPUT("InputTensor"),
    CHECKED_INPUT("InputGradientTensor"),
    CHECKED_OUTPUT("OutputGradientTensor"),
};
static const ts_support_row relu_grad_support[] = {
    { TS_LEVEL_3_0, { CHECKED_3({ 1, 8, DML_FLOATS }) } },
    { TS_LEVEL_4_0, { CHECKED_3({ 1, 8, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_3({ 1, 8, DML_FLOATS | T_I32 | T_I16 | T_I8 }) } },
};
static const ts_clause relu_grad_clauses[] = {
    CHECKED_ALIKE("InputTensor, InputGradientTensor and OutputGradientTensor"),
};
const checked_operator checked_dml_activation_relu_grad =
    CHECKED("activation_relu_grad", "ACTIVATION_RELU_GRAD", 129, "ttt", relu_grad_tensors, CHECKED_NO_LISTS,
            CHECKED_NO_ATTRS, relu_grad_support, relu_grad_clauses, CHECKED_RULES(parameterized_relu_rules));

/* ---- DML_ACTIVATION_SCALED_ELU_OPERATOR_DESC ---- */
typedef struct scaled_elu {
    float Alpha, Gamma;
} scaled_elu;
static const ts_attr_decl scaled_elu_attrs[] = {
    CHECKED_F32(scaled_elu, Alpha),
    CHECKED_F32(scaled_elu, Gamma),
};
const checked_operator checked_dml_activation_scaled_elu =
    CHECKED("activation_scaled_elu", "ACTIVATION_SCALED_ELU", 45, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(scaled_elu_attrs, scaled_elu), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_SCALED_TANH_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_scaled_tanh =
    CHECKED("activation_scaled_tanh", "ACTIVATION_SCALED_TANH", 46, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_beta_attrs, alpha_beta), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_SHRINK_OPERATOR_DESC ---- */
typedef struct shrink {
    float Bias, Threshold;
} shrink;
static const ts_attr_decl shrink_attrs[] = {
    CHECKED_F32(shrink, Bias),
    CHECKED_F32(shrink, Threshold),
};
static const ts_support_row shrink_support[] = {
    { TS_LEVEL_2_0, { CHECKED_2({ 4, 5, DML_FLOATS }) } },
    { TS_LEVEL_3_0, { CHECKED_2({ 1, 8, DML_FLOATS }) } },
    { TS_LEVEL_5_1, { CHECKED_2({ 1, 8, DML_8_TYPES }) } },
};
const checked_operator checked_dml_activation_shrink =
    CHECKED("activation_shrink", "ACTIVATION_SHRINK", 90, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(shrink_attrs, shrink), shrink_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_SIGMOID_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_sigmoid =
    CHECKED("activation_sigmoid", "ACTIVATION_SIGMOID", 47, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_SOFTMAX_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_softmax =
    CHECKED("activation_softmax", "ACTIVATION_SOFTMAX", 48, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            elu_support, hardmax_clauses, CHECKED_RULES(hardmax_rules));

/* ---- DML_ACTIVATION_SOFTMAX1_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_softmax1 =
    CHECKED("activation_softmax1", "ACTIVATION_SOFTMAX1", 158, "ttaa", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(axes_attrs, axes), gelu_support, hardmax1_clauses, CHECKED_RULES(hardmax1_rules));

/* ---- DML_ACTIVATION_SOFTPLUS_OPERATOR_DESC ---- */
typedef struct softplus {
    float Steepness;
} softplus;
static const ts_attr_decl softplus_attrs[] = {
    CHECKED_F32(softplus, Steepness),
};
const checked_operator checked_dml_activation_softplus =
    CHECKED("activation_softplus", "ACTIVATION_SOFTPLUS", 49, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(softplus_attrs, softplus), elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_SOFTSIGN_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_softsign =
    CHECKED("activation_softsign", "ACTIVATION_SOFTSIGN", 50, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_SWISH_OPERATOR_DESC ---- */
typedef struct swish {
    float SigmoidInputScale;
} swish;
static const ts_attr_decl swish_attrs[] = {
    CHECKED_F32(swish, SigmoidInputScale),
};
const checked_operator checked_dml_activation_swish =
    CHECKED("activation_swish", "ACTIVATION_SWISH", 167, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(swish_attrs, swish), hard_swish_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_TANH_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_tanh =
    CHECKED("activation_tanh", "ACTIVATION_TANH", 51, "tt", in_out_tensors, CHECKED_NO_LISTS, CHECKED_NO_ATTRS,
            elu_support, celu_clauses, CHECKED_RULES(celu_rules));

/* ---- DML_ACTIVATION_THRESHOLDED_RELU_OPERATOR_DESC ---- */
const checked_operator checked_dml_activation_thresholded_relu =
    CHECKED("activation_thresholded_relu", "ACTIVATION_THRESHOLDED_RELU", 52, "tta", in_out_tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(alpha_attrs, alpha), elu_support, celu_clauses, CHECKED_RULES(celu_rules));
