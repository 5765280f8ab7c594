/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "reference/dml_explain.h"
#include "reference/dml_index_explain.h"

#include <inttypes.h>
#include <stdio.h>

enum { IN, INDICES, OUT };

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static uint32_t leading_ones(const ts_tensor *t)
{
    uint32_t n = 0;
    while (n < t->rank && t->sizes[n] == 1)
        ++n;
    return n;
}

static void describe_index_dimensions(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *indices = &d->tensors[INDICES];
    uint32_t dims = indices->rank, count = a->IndexDimensions;
    explain_step(x, "GA-06 GA-07", "The indices: the last %u dimension%s of IndicesTensor", count,
                 count == 1 ? "" : "s");
    explain_say(x,
                "IndicesTensor has %u dimension%s because all tensors have the same number of dimensions. "
                "IndexDimensions = %u is the number of them that count, from the last: %s.",
                dims, dims == 1 ? "" : "s", count,
                count ? explain_list(indices->sizes + (dims - count), count).text
                      : "none, so there is one single index");
    for (uint32_t i = 0; i + count < dims; ++i)
        if (indices->sizes[i] != 1) {
            explain_say(
                x,
                "IndicesTensor.Sizes[%u] = %" PRIu64 " precedes them and is not 1. The text does not "
                "define this, and implementations differ (ledger: E-GA-9): it is open whether the call is "
                "legal, and no element of its output is defined. The rest of this explanation uses coordinate 0 there.",
                i, indices->sizes[i]);
            return;
        }
    if (count + 1 == dims)
        explain_say(x, "The dimension before them is 1, as it should be.");
    else if (count < dims)
        explain_say(x, "The %u dimensions before them are all 1, as they should be.", dims - count);
}

/* GA-08 and GA-09. False if the output has no shape, or another one than OutputTensor. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint32_t dims = in->rank, count = a->IndexDimensions, n = 0, behind = dims - a->Axis - 1;
    uint64_t full[3 * TS_MAX_DIMS];
    if (count == 0)
        full[n++] = 1;
    memcpy(full + n, in->sizes, a->Axis * sizeof full[0]);
    n += a->Axis;
    memcpy(full + n, indices->sizes + (dims - count), count * sizeof full[0]);
    n += count;
    memcpy(full + n, in->sizes + a->Axis + 1, behind * sizeof full[0]);
    n += behind;
    explain_step(x, "GA-09 GA-08 GA-14", "The shape: the index dimensions replace the gathered axis");
    explain_say(x, "The output has InputTensor's sizes before the axis, then the index dimensions, then InputTensor's "
                   "sizes behind the axis:");
    explain_show(x, "%s%s ++ %s ++ %s", count ? "" : "{1} ++ ", explain_list(in->sizes, a->Axis).text,
                 explain_list(indices->sizes + (dims - count), count).text,
                 explain_list(in->sizes + a->Axis + 1, behind).text);
    if (count == 0)
        explain_say(x, "The single index removes the axis, so a leading 1 keeps the number of dimensions at %u.", dims);
    if (count > 1) {
        uint32_t ones = leading_ones(in);
        explain_say(x,
                    "These are %u dimensions, %u more than the tensors have. Only leading sizes of 1 of InputTensor "
                    "that precede the axis can be dropped: InputTensor starts with %u of them, and Axis = %u.",
                    n, count - 1, ones, a->Axis);
        if (count - 1 > ones || count - 1 > a->Axis) {
            explain_say(x, "Fewer than %u can be dropped: this breaks GA-08, and the output has no shape.", count - 1);
            return false;
        }
        explain_say(x, "The first %u %s dropped.", count - 1, count == 2 ? "is" : "are");
    }
    explain_show(x, "expected      %s", explain_list(full + (n - dims), dims).text);
    const uint64_t *expected = full + (n - dims);
    const bool same = memcmp(expected, out->sizes, dims * sizeof *expected) == 0;
    const bool first_alone = count == 0 && memcmp(expected + 1, out->sizes + 1, (dims - 1) * sizeof *expected) == 0;
    explain_show(x, "OutputTensor  %s%s", explain_list(out->sizes, out->rank).text,
                 same          ? ""
                 : first_alone ? "  its first size differs: this breaks GA-14"
                               : "  differs: this breaks GA-09");
    return same;
}

/* ---- elements ---------------------------------------------------------------------------------------------- */

/* GA-10: the name of coordinate i before cropping, as a coordinate of the output: "o2", or "0" if it was dropped. */
static const char *full_name(uint32_t count, uint32_t i, char text[16])
{
    if (count > 0 && i + 1 < count)
        return "0";
    snprintf(text, 16, "o%u", count == 0 ? i + 1 : i + 1 - count);
    return text;
}

static uint64_t full_value(uint32_t count, uint32_t i, const uint64_t *o)
{
    return count == 0 ? o[i + 1] : i + 1 < count ? 0 : o[i + 1 - count];
}

static void describe_formula(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    uint32_t dims = d->tensors[IN].rank, count = a->IndexDimensions;
    char outputs[128] = "", at[128] = "", inputs[256] = "", name[16];
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(outputs, sizeof outputs, "%so%u", i ? "," : "", i);
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(at, sizeof at, "%s%s", i ? "," : "",
                       i + count < dims ? "0" : full_name(count, a->Axis + i + count - dims, name));
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(inputs, sizeof inputs, "%s%s", i ? ", " : "",
                       i == a->Axis ? "k" : full_name(count, i < a->Axis ? i : i + count - 1, name));
    explain_step(x, "GA-10", "From a coordinate of the output to its index");
    explain_say(x, "The output's coordinate has the same three parts: the coordinates before the axis, those that look "
                   "up the index k, and those behind the axis. In InputTensor, k is the coordinate along the axis.");
    explain_show(x, "k = IndicesTensor[%s]", at);
    explain_show(x, "OutputTensor[%s] = InputTensor[%s]", outputs, inputs);
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint32_t dims = in->rank, count = a->IndexDimensions;
    e->via = INDICES;
    e->addresses = dml_explain_addresses(d);
    for (uint32_t i = 0; i < count; ++i)
        e->via_coord[dims - count + i] = full_value(count, a->Axis + i, e->to_coord);
    for (uint32_t i = 0; i + count < dims; ++i)
        e->undefined = e->undefined || indices->sizes[i] != 1; /* GA-07 */
    if (!indices->data)
        return true;
    const explained_index v = dml_explained_index(indices, e->via_coord, in->sizes[a->Axis]);
    e->from = IN;
    e->undefined = e->undefined || !v.inside;
    for (uint32_t i = 0; i < dims; ++i)
        e->from_coord[i] = i == a->Axis ? v.taken : full_value(count, i < a->Axis ? i : i + count - 1, e->to_coord);
    return true;
}

ts_explain dml_gather_explain;
void dml_gather_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint32_t dims = in->rank;
    explain_step(x, "GA-02 GA-05 GA-06", "Gathering along axis %u", a->Axis);
    explain_say(x, "Each index in IndicesTensor selects a slice of InputTensor along one axis. The output contains the "
                   "selected slices in the order of the indices; a slice may be selected several times or not at all.");
    explain_show(x, "InputTensor    %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "IndicesTensor  %s", explain_list(indices->sizes, indices->rank).text);
    explain_show(x, "Axis = %u, IndexDimensions = %u", a->Axis, a->IndexDimensions);
    if (!dml_explain_same_rank(x, d))
        return;
    if (a->Axis >= dims || a->IndexDimensions > dims) {
        explain_say(x,
                    "The tensors have %u dimensions, so Axis must be 0 to %u, and IndexDimensions at most %u. The "
                    "explanation ends here.",
                    dims, dims - 1, dims);
        return;
    }
    describe_index_dimensions(x, d);
    if (!describe_shape(x, d))
        return;
    dml_explain_strided(x, d);
    describe_formula(x, d);
    dml_explain_indices(x, indices, dims - a->IndexDimensions, &in->sizes[a->Axis], 1, "GA-11 GA-12", "E-GA-10");
    explain_step(x, "GA-10 GA-13", "Each element");
    explain_elements(x, d, OUT, source, d);
}
