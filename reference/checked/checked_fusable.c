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
