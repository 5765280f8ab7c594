/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "reference/dml_explain.h"

#include <inttypes.h>
#include <stdio.h>

enum { IN, INDICES, OUT };

/* An index as its tensor holds it. */
typedef struct index_value {
    bool negative; /* value is meant as an int64_t */
    uint64_t value;
    uint64_t taken; /* counted from the start of the axis, clamped to it */
    bool inside;    /* it needed no clamping */
    char text[24];  /* as written */
} index_value;

static bool signed_type(uint32_t dtype)
{
    return dtype == TS_INT32 || dtype == TS_INT64;
}

static index_value index_at(const ts_tensor *indices, const uint64_t *coord, uint64_t n)
{
    index_value v = { .value = 0 };
    const void *p = tensor_at(indices, coord);
    int32_t narrow = 0;
    uint32_t unsigned_narrow = 0;
    if (indices->dtype == TS_INT32) {
        memcpy(&narrow, p, sizeof narrow);
        v.value = (uint64_t)(int64_t)narrow;
    } else if (indices->dtype == TS_UINT32) {
        memcpy(&unsigned_narrow, p, sizeof unsigned_narrow);
        v.value = unsigned_narrow;
    } else {
        memcpy(&v.value, p, sizeof v.value);
    }
    v.negative = signed_type(indices->dtype) && v.value >> 63;
    if (v.negative) {
        uint64_t back = 0 - v.value; /* its magnitude */
        v.inside = back <= n;
        v.taken = v.inside ? n - back : 0;
        snprintf(v.text, sizeof v.text, "-%" PRIu64, back);
    } else {
        v.inside = v.value < n;
        v.taken = v.inside ? v.value : n - 1;
        snprintf(v.text, sizeof v.text, "%" PRIu64, v.value);
    }
    return v;
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static uint32_t leading_ones(const ts_tensor *t)
{
    uint32_t n = 0;
    while (n < t->rank && t->sizes[n] == 1)
        ++n;
    return n;
}

static void tell_index_dimensions(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *indices = &d->tensors[INDICES];
    uint32_t dims = indices->rank, count = a->IndexDimensions;
    explain_step(x, "GA-06 GA-07", "The indices: the last %u dimension%s of IndicesTensor", count,
                 count == 1 ? "" : "s");
    explain_say(x,
                "IndicesTensor has %u dimensions only because every tensor has. IndexDimensions = %u says how many "
                "of them, from the last, are meant: %s.",
                dims, count,
                count ? explain_list(indices->sizes + (dims - count), count).text : "none, so it is one single index");
    for (uint32_t i = 0; i + count < dims; ++i)
        if (indices->sizes[i] != 1) {
            explain_say(x,
                        "IndicesTensor.Sizes[%u] = %" PRIu64 " precedes them and is not 1. The text does not "
                        "define this, and implementations differ (ledger: E-GA-9): the call is legal, and no "
                        "element of its output is defined. What follows takes the first of each.",
                        i, indices->sizes[i]);
            return;
        }
    if (count + 1 == dims)
        explain_say(x, "The dimension before them is 1, as it should be.");
    else if (count < dims)
        explain_say(x, "The %u dimensions before them are all 1, as they should be.", dims - count);
}

/* GA-08 and GA-09. False where no output shape follows. */
static bool tell_shape(ts_explanation *x, const ts_descriptor *d)
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
    explain_step(x, "GA-09 GA-08", "The shape: the gathered axis gives way to the index dimensions");
    explain_say(x, "InputTensor's sizes before the axis, then the index dimensions, then InputTensor's sizes behind "
                   "the axis:");
    explain_show(x, "%s%s ++ %s ++ %s", count ? "" : "{1} ++ ", explain_list(in->sizes, a->Axis).text,
                 explain_list(indices->sizes + (dims - count), count).text,
                 explain_list(in->sizes + a->Axis + 1, behind).text);
    if (count == 0)
        explain_say(x, "The single index removes the axis, so a leading 1 keeps the number of dimensions at %u.", dims);
    if (count > 1) {
        uint32_t ones = leading_ones(in);
        explain_say(x,
                    "These are %u dimensions, %u more than every tensor has. What can make room are the leading "
                    "sizes of 1 of InputTensor that lie before the axis: it starts with %u of them, and Axis = %u.",
                    n, count - 1, ones, a->Axis);
        if (count - 1 > ones || count - 1 > a->Axis) {
            explain_say(x, "That is not enough for %u: this breaks GA-08, and there is no output shape.", count - 1);
            return false;
        }
        explain_say(x, "The first %u %s dropped.", count - 1, count == 2 ? "is" : "are");
    }
    explain_show(x, "expected      %s", explain_list(full + (n - dims), dims).text);
    explain_show(x, "OutputTensor  %s%s", explain_list(out->sizes, out->rank).text,
                 memcmp(full + (n - dims), out->sizes, dims * sizeof full[0]) ? "  differs: this breaks GA-09" : "");
    return memcmp(full + (n - dims), out->sizes, dims * sizeof full[0]) == 0;
}

/* ---- elements ---------------------------------------------------------------------------------------------- */

/* GA-10: which coordinate of the output is coordinate i before cropping: "o2", or "0" where it was dropped. */
static const char *full_name(uint32_t count, uint32_t i, char text[8])
{
    if (count > 0 && i + 1 < count)
        return "0";
    snprintf(text, 8, "o%u", count == 0 ? i + 1 : i + 1 - count);
    return text;
}

static uint64_t full_value(uint32_t count, uint32_t i, const uint64_t *o)
{
    return count == 0 ? o[i + 1] : i + 1 < count ? 0 : o[i + 1 - count];
}

static void tell_formula(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    uint32_t dims = d->tensors[IN].rank, count = a->IndexDimensions;
    char outputs[128] = "", at[128] = "", inputs[256] = "", name[8];
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(outputs, sizeof outputs, "%so%u", i ? "," : "", i);
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(at, sizeof at, "%s%s", i ? "," : "",
                       i + count < dims ? "0" : full_name(count, a->Axis + i + count - dims, name));
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(inputs, sizeof inputs, "%s%s", i ? ", " : "",
                       i == a->Axis ? "k" : full_name(count, i < a->Axis ? i : i + count - 1, name));
    explain_step(x, "GA-10", "From a coordinate of the output to its index");
    explain_say(x, "The output's coordinate is read in the same three parts: what stands before the axis, the part "
                   "that looks up the index, and what stands behind. The index k takes the axis' place.");
    explain_show(x, "k = IndicesTensor[%s]", at);
    explain_show(x, "OutputTensor[%s] = InputTensor[%s]", outputs, inputs);
}

static void tell_values(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_gather *a = TS_ATTRS(ts_dml_gather, d);
    const ts_tensor *indices = &d->tensors[INDICES];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, n = d->tensors[IN].sizes[a->Axis], told = 0;
    uint32_t dims = indices->rank, from = dims - a->IndexDimensions;
    bool more = true;
    explain_step(x, "GA-11 GA-12", "What an index means on an axis of %" PRIu64 " element%s", n, n == 1 ? "" : "s");
    if (signed_type(indices->dtype))
        explain_say(x,
                    "The indices are signed: one below 0 counts from the end, so %" PRIu64
                    " is added to it, and -1 is the last element.",
                    n);
    else
        explain_say(x, "The indices are unsigned: none is negative, and the largest value of the type is not -1, but "
                       "far beyond the axis.");
    explain_say(x,
                "What is then outside of [0, %" PRIu64 ") must neither fail nor fault, and which value it brings is "
                "not defined. The reference clamps to the edge of the axis; other answers are not held against "
                "anybody (ledger: E-GA-10).",
                n);
    if (!indices->data) {
        explain_say(x, "No values of the indices are given here, so the elements below name the index that decides "
                       "them.");
        return;
    }
    for (; more && told < x->most; ++told) {
        index_value v = index_at(indices, coord, n);
        char at[160] = "";
        for (uint32_t i = 0; i < dims; ++i)
            explain_append(at, sizeof at, "%s%" PRIu64, i ? "," : "", coord[i]);
        if (v.negative && v.inside)
            explain_show(x, "IndicesTensor[%s] = %s: %s + %" PRIu64 " = %" PRIu64, at, v.text, v.text, n, v.taken);
        else if (v.inside)
            explain_show(x, "IndicesTensor[%s] = %s", at, v.text);
        else
            explain_show(x, "IndicesTensor[%s] = %s: outside, not defined; clamped: %" PRIu64, at, v.text, v.taken);
        uint32_t i = dims; /* the next index, the leading dimensions left at 0 */
        while (i > from && ++coord[i - 1] == indices->sizes[i - 1])
            coord[--i] = 0;
        more = i > from;
    }
    if (more)
        explain_show(x, "and so on");
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
    index_value v = index_at(indices, e->via_coord, in->sizes[a->Axis]);
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
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint32_t dims = in->rank;
    explain_step(x, "GA-02 GA-05 GA-06", "Gathering along axis %u", a->Axis);
    explain_say(x, "IndicesTensor holds numbers of slices of InputTensor along one axis. The output strings those "
                   "slices together in the order in which the indices name them; a slice may be named twice or not at "
                   "all.");
    explain_show(x, "InputTensor    %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "IndicesTensor  %s", explain_list(indices->sizes, indices->rank).text);
    explain_show(x, "Axis = %u, IndexDimensions = %u", a->Axis, a->IndexDimensions);
    if (indices->rank != dims || out->rank != dims || dims < 1 || dims > TS_MAX_DIMS ||
        (in->given & indices->given & out->given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
        explain_say(x,
                    "All three tensors have to have the same number of dimensions, D; they have %u, %u and %u. The "
                    "explanation ends here.",
                    dims, indices->rank, out->rank);
        return;
    }
    if (a->Axis >= dims || a->IndexDimensions > dims) {
        explain_say(x,
                    "There are %u dimensions, so the axis has to be one of 0 to %u, and at most %u dimensions can "
                    "be index dimensions. The explanation ends here.",
                    dims, dims - 1, dims);
        return;
    }
    tell_index_dimensions(x, d);
    if (!tell_shape(x, d))
        return;
    dml_explain_strided(x, d);
    tell_formula(x, d);
    tell_values(x, d);
    explain_step(x, "GA-10 GA-13", "Each element");
    explain_elements(x, d, OUT, source, d);
}
