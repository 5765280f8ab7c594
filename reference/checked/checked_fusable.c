/* SPDX-License-Identifier: Apache-2.0 */
/* Which operators may be fused into which: the page "Using fused operators for improved performance" and the history of
   feature levels, of which 6_0 adds ELEMENT_WISE_CLIP and 6_1 SOFTMAX and SOFTMAX1, to convolutions and products of
   matrices. Which ones a recurrent network takes is not said; we take those of the page. */
#include "reference/checked/checked.h"

extern const checked_operator checked_dml_activation_celu;
extern const checked_operator checked_dml_activation_elu;
extern const checked_operator checked_dml_activation_gelu;
extern const checked_operator checked_dml_activation_hard_sigmoid;
extern const checked_operator checked_dml_activation_identity;
extern const checked_operator checked_dml_activation_leaky_relu;
extern const checked_operator checked_dml_activation_linear;
extern const checked_operator checked_dml_activation_parametric_softplus;
extern const checked_operator checked_dml_activation_relu;
extern const checked_operator checked_dml_activation_scaled_elu;
extern const checked_operator checked_dml_activation_scaled_tanh;
extern const checked_operator checked_dml_activation_shrink;
extern const checked_operator checked_dml_activation_sigmoid;
extern const checked_operator checked_dml_activation_softmax;
extern const checked_operator checked_dml_activation_softmax1;
extern const checked_operator checked_dml_activation_softplus;
extern const checked_operator checked_dml_activation_softsign;
extern const checked_operator checked_dml_activation_tanh;
extern const checked_operator checked_dml_activation_thresholded_relu;
extern const checked_operator checked_dml_element_wise_clip;

/* What every operator with a FusedActivation takes. */
#define FUSED_BY_ALL                                                                                                   \
    &checked_dml_activation_celu.op, &checked_dml_activation_elu.op, &checked_dml_activation_gelu.op,                  \
        &checked_dml_activation_hard_sigmoid.op, &checked_dml_activation_identity.op,                                  \
        &checked_dml_activation_leaky_relu.op, &checked_dml_activation_linear.op,                                      \
        &checked_dml_activation_parametric_softplus.op, &checked_dml_activation_relu.op,                               \
        &checked_dml_activation_scaled_elu.op, &checked_dml_activation_scaled_tanh.op,                                 \
        &checked_dml_activation_shrink.op, &checked_dml_activation_sigmoid.op, &checked_dml_activation_softplus.op,    \
        &checked_dml_activation_softsign.op, &checked_dml_activation_tanh.op,                                          \
        &checked_dml_activation_thresholded_relu.op

const ts_operator *const checked_fusable_any[] = { FUSED_BY_ALL, NULL };

const ts_operator *const checked_fusable_convolution[] = {
    FUSED_BY_ALL,
    &checked_dml_element_wise_clip.op,
    NULL,
};

const ts_operator *const checked_fusable_gemm[] = {
    FUSED_BY_ALL,
    &checked_dml_activation_softmax.op,
    &checked_dml_activation_softmax1.op,
    &checked_dml_element_wise_clip.op,
    NULL,
};

/* The level from which on an operator may be fused: that of the history, or that from which on it exists. */
ts_level checked_fused_from(const ts_operator *fused)
{
    const ts_level exists = fused->support[0].level;
    const ts_level allowed =
        fused == &checked_dml_element_wise_clip.op                                                    ? TS_LEVEL_6_0
        : fused == &checked_dml_activation_softmax.op || fused == &checked_dml_activation_softmax1.op ? TS_LEVEL_6_1
                                                                                                      : TS_LEVEL_1_0;
    return allowed > exists ? allowed : exists;
}

/* The ScaleBias of a fused activation, { Scale, Bias }. False where it has none, or one that changes nothing. */
static bool fused_scale(const ts_descriptor *d, unsigned attr, float values[2])
{
    const ts_nested_operator nested = operator_nested(d, attr, 0);
    ts_descriptor inner;
    if (!(d->attrs_given >> attr & 1) || !operator_of_nested(&inner, &d->op->attrs[attr], &nested))
        return false;
    const int k = operator_attr_index(inner.op, "ScaleBias");
    if (k < 0 || !(inner.attrs_given >> k & 1))
        return false;
    for (unsigned i = 0; i < 2; ++i) {
        const uint32_t bits = (uint32_t)operator_attr_value(&inner, (unsigned)k, i);
        memcpy(&values[i], &bits, sizeof bits);
    }
    return values[0] != 1 || values[1] != 0;
}

void checked_fused_scale_refused(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    float v[2];
    if (fused_scale(d, rule->attr, v) && v[0] != 1 && v[1] != 0)
        checked_violate(
            rule, report, -1, -1,
            "FusedActivation.ScaleBias = { Scale = %g, Bias = %g }: DirectML 1.15.4 refuses it, and ignores "
            "one with a Scale of 1 or a Bias of 0",
            (double)v[0], (double)v[1]);
}

void checked_fused_scale_ignored(const ts_descriptor *d, const checked_rule *rule, ts_report *report)
{
    float v[2];
    if (fused_scale(d, rule->attr, v) && (v[0] == 1 || v[1] == 0))
        checked_violate(rule, report, -1, -1,
                        "FusedActivation.ScaleBias = { Scale = %g, Bias = %g }: DirectML 1.15.4 accepts and ignores it",
                        (double)v[0], (double)v[1]);
}
