/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/join.h"
#include "reference/dml_explain.h"

#include <inttypes.h>

/* The input that an element of the output comes from, and the element. */
static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_dml_join *a = TS_ATTRS(ts_dml_join, d);
    uint64_t start = 0;
    e->addresses = dml_explain_addresses(d);
    memcpy(e->from_coord, e->to_coord, sizeof e->from_coord);
    for (unsigned k = 0; k < a->InputCount && k < TS_JOIN_MAX_INPUTS; ++k) {
        const ts_tensor *in = &d->tensors[k];
        if (in->rank != d->tensors[TS_JOIN_OUTPUT].rank)
            return false;
        e->from = (int)k;
        e->from_coord[a->Axis] = e->to_coord[a->Axis] - start;
        if (e->from_coord[a->Axis] < in->sizes[a->Axis])
            break;
        start += in->sizes[a->Axis];
    }
    const ts_tensor *in = &d->tensors[e->from];
    for (uint32_t i = 0; i < in->rank; ++i)
        e->outside = e->outside || e->from_coord[i] >= in->sizes[i];
    return true;
}

ts_explain dml_join_explain;
void dml_join_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_join *a = TS_ATTRS(ts_dml_join, d);
    const ts_tensor *out = &d->tensors[TS_JOIN_OUTPUT];
    const unsigned count = a->InputCount < TS_JOIN_MAX_INPUTS ? a->InputCount : TS_JOIN_MAX_INPUTS;
    uint64_t start = 0;
    explain_step(x, "JO-05 JO-02 JO-03 JO-04", "The inputs lie one behind the other along dimension %u", a->Axis);
    explain_say(
        x,
        "Axis = %u is the dimension along which the %u input%s joined. All tensors have the same type and number "
        "of dimensions, and the sizes of all other dimensions are equal.",
        a->Axis, a->InputCount, a->InputCount == 1 ? " is" : "s are");
    if (count == 0 || out->rank < 1 || out->rank > TS_MAX_DIMS || a->Axis >= out->rank) {
        explain_say(x, "There is no input, or no such dimension, so no element of the output has a source.");
        return;
    }
    explain_step(x, "JO-06 JO-07", "What each input contributes");
    for (unsigned k = 0; k < count; ++k) {
        const ts_tensor *in = &d->tensors[k];
        const uint64_t size = a->Axis < in->rank ? in->sizes[a->Axis] : 0;
        explain_show(x, "InputTensors[%u]  %s  is OutputTensor[.., %" PRIu64 " to %" PRIu64 ", ..] in dimension %u", k,
                     explain_list(in->sizes, in->rank).text, start, size ? start + size - 1 : start, a->Axis);
        start += size;
    }
    explain_show(x, "OutputTensor     %s  has %" PRIu64 " elements there, the inputs together %" PRIu64,
                 explain_list(out->sizes, out->rank).text, out->sizes[a->Axis], start);
    dml_explain_strided(x, d);
    explain_step(x, "JO-08 JO-09", "Each element");
    explain_elements(x, d, TS_JOIN_OUTPUT, source, d);
}
