/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_elements.h"
#include "reference/dml_explain.h"
#include "reference/dml_index_explain.h"

#include <inttypes.h>

enum { IN, INDICES, OUT };

/* GE-06 and GE-07. False if the sizes do not fit. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d, uint32_t axis)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    bool fits = true;
    explain_step(x, "GE-06 GE-07", "The shape: that of the indices");
    explain_say(x,
                "IndicesTensor has one index for each element of the output. It has InputTensor's sizes in every "
                "dimension but the axis, where it may have any number of elements: %" PRIu64 " here.",
                indices->sizes[axis]);
    for (uint32_t i = 0; i < in->rank; ++i)
        if (i != axis && indices->sizes[i] != in->sizes[i]) {
            explain_say(x,
                        "IndicesTensor.Sizes[%u] = %" PRIu64 " is not InputTensor.Sizes[%u] = %" PRIu64
                        ": this breaks GE-06.",
                        i, indices->sizes[i], i, in->sizes[i]);
            fits = false;
        }
    const bool same = memcmp(indices->sizes, out->sizes, in->rank * sizeof in->sizes[0]) == 0;
    explain_show(x, "expected      %s", explain_list(indices->sizes, indices->rank).text);
    explain_show(x, "OutputTensor  %s%s", explain_list(out->sizes, out->rank).text,
                 same ? "" : "  differs: this breaks GE-07");
    return fits && same;
}

static void describe_formula(ts_explanation *x, uint32_t dims, uint32_t axis)
{
    char outputs[128] = "", inputs[128] = "";
    for (uint32_t i = 0; i < dims; ++i) {
        explain_append(outputs, sizeof outputs, "%so%u", i ? "," : "", i);
        if (i == axis)
            explain_append(inputs, sizeof inputs, "%sk", i ? "," : "");
        else
            explain_append(inputs, sizeof inputs, "%so%u", i ? "," : "", i);
    }
    explain_step(x, "GE-08", "From a coordinate of the output to its index");
    explain_say(x, "The index at the output's own coordinate replaces the coordinate along the axis. All other "
                   "coordinates stay.");
    explain_show(x, "k = IndicesTensor[%s]", outputs);
    explain_show(x, "OutputTensor[%s] = InputTensor[%s]", outputs, inputs);
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, d)->Axis;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    e->via = INDICES;
    e->addresses = dml_explain_addresses(d);
    memcpy(e->via_coord, e->to_coord, in->rank * sizeof e->to_coord[0]);
    if (!indices->data)
        return true;
    const explained_index v = dml_explained_index(indices, e->via_coord, in->sizes[axis]);
    e->from = IN;
    e->undefined = !v.inside;
    memcpy(e->from_coord, e->to_coord, in->rank * sizeof e->to_coord[0]);
    e->from_coord[axis] = v.taken;
    return true;
}

ts_explain dml_gather_elements_explain;
void dml_gather_elements_explain(const ts_descriptor *d, ts_explanation *x)
{
    const uint32_t axis = TS_ATTRS(ts_dml_gather_elements, d)->Axis;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const uint32_t dims = in->rank;
    explain_step(x, "GE-02 GE-05", "Gathering elements along axis %u", axis);
    explain_say(x, "Each element of the output is picked from the line of InputTensor that runs along the axis through "
                   "its own coordinate. The index at that coordinate says which element of the line.");
    explain_show(x, "InputTensor    %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "IndicesTensor  %s", explain_list(indices->sizes, indices->rank).text);
    explain_show(x, "Axis = %u", axis);
    if (!dml_explain_same_rank(x, d))
        return;
    if (axis >= dims) {
        explain_say(x, "The tensors have %u dimensions, so Axis must be 0 to %u. The explanation ends here.", dims,
                    dims - 1);
        return;
    }
    if (!describe_shape(x, d, axis))
        return;
    dml_explain_strided(x, d);
    describe_formula(x, dims, axis);
    dml_explain_indices(x, indices, 0, &in->sizes[axis], 1, "GE-09 GE-10", "E-GE-2");
    explain_step(x, "GE-08 GE-11", "Each element");
    explain_elements(x, d, OUT, source, d);
}
