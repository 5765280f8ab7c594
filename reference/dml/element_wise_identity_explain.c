/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml_explain.h"

enum { IN, OUT };

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    e->from = IN;
    e->addresses = true;
    memcpy(e->from_coord, e->to_coord, sizeof e->from_coord);
    for (uint32_t i = 0; i < d->tensors[IN].rank; ++i)
        e->outside = e->outside || e->from_coord[i] >= d->tensors[IN].sizes[i];
    return true;
}

ts_explain dml_element_wise_identity_explain;
void dml_element_wise_identity_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    explain_step(x, "EI-05 EI-02 EI-03 EI-04", "Every element keeps its coordinate");
    explain_say(x,
                "The operator copies each element to the same coordinate. Both tensors have the same type and sizes, "
                "but their memory layouts may differ: packed or padded, in another order of the axes, or (in the "
                "input) broadcast. No bit of an element changes, NaN payloads included.");
    explain_show(x, "InputTensor   %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "OutputTensor  %s", explain_list(out->sizes, out->rank).text);
    dml_explain_layout(x, d, IN);
    dml_explain_layout(x, d, OUT);
    explain_step(x, "EI-05 EI-06", "Each element");
    if (in->rank != out->rank || in->rank < 1 || in->rank > TS_MAX_DIMS || !(in->given & TS_GIVEN_TENSOR) ||
        !(out->given & TS_GIVEN_TENSOR))
        explain_say(
            x, "The two tensors do not have the same dimensions, so coordinates of one do not exist in the other.");
    else
        explain_elements(x, d, OUT, source, d);
}
