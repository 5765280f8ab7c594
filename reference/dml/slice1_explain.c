/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/slice1.h"
#include "reference/dml_explain.h"

#include <inttypes.h>

enum { IN, OUT };

#define SHOWN_INDICES 6 /* per axis */

static int64_t start_of(const ts_dml_slice1 *a, uint32_t i)
{
    return (int64_t)a->InputWindowOffsets[i] + (a->InputWindowStrides[i] < 0 ? (int64_t)a->InputWindowSizes[i] - 1 : 0);
}

static uint64_t magnitude(int32_t stride)
{
    return (uint64_t)(stride < 0 ? -(int64_t)stride : stride);
}

/* The input index of output index o, mod 2^64. */
static uint64_t index_of(const ts_dml_slice1 *a, uint32_t i, uint64_t o)
{
    return (uint64_t)start_of(a, i) + (uint64_t)(int64_t)a->InputWindowStrides[i] * o;
}

static void describe_indices(ts_explanation *x, const ts_dml_slice1 *a, uint32_t i, uint64_t count)
{
    char text[256] = "";
    for (uint64_t o = 0; o < count; ++o) {
        if (o == SHOWN_INDICES && count > SHOWN_INDICES + 2) {
            explain_append(text, sizeof text, ", ...");
            o = count - 1;
        }
        explain_append(text, sizeof text, "%s%" PRIu64, o ? ", " : "", index_of(a, i, o));
    }
    explain_show(x, "index along axis %u: %s", i, text);
}

static void describe_count(ts_explanation *x, const ts_dml_slice1 *a, uint32_t i, uint64_t out)
{
    uint32_t window = a->InputWindowSizes[i];
    uint64_t step = magnitude(a->InputWindowStrides[i]), most = 1 + ((uint64_t)window - 1) / step;
    explain_say(x,
                "Steps of %" PRIu64 " through %u element%s reach at most 1 + (%u - 1) / %" PRIu64 " = %" PRIu64
                " of them (the division rounds down). OutputTensor.Sizes[%u] = %" PRIu64 " %s",
                step, window, window == 1 ? "" : "s", window, step, most, i, out,
                out == most  ? "takes them all."
                : out == 0   ? "would take none, but no size may be 0: this breaks BUF-06."
                : out < most ? "takes the first of them, which is legal."
                             : "exceeds that: this breaks SL-08.");
    if (out >= 1 && out <= most)
        describe_indices(x, a, i, out);
}

static void describe_axis(ts_explanation *x, const ts_dml_slice1 *a, uint32_t i, uint64_t in, uint64_t out)
{
    uint32_t offset = a->InputWindowOffsets[i], window = a->InputWindowSizes[i];
    int32_t stride = a->InputWindowStrides[i];
    uint64_t end = (uint64_t)offset + window;
    if (offset == 0 && window == in && stride == 1 && out == in && in > 0) {
        if (in == 1)
            explain_step(x, "SL-10", "Axis %u: its only element", i);
        else
            explain_step(x, "SL-10", "Axis %u: all %" PRIu64 " elements in order", i, in);
        explain_say(x, "The window is the whole axis and the stride 1: output index o%u is input index o%u.", i, i);
        return;
    }
    explain_step(x, "SL-05 SL-06 SL-07 SL-08 SL-10", "Axis %u: a window of %u from %u, stride %d", i, window, offset,
                 stride);
    if (window == 0)
        explain_say(x, "The window has no element: InputWindowSizes[%u] = 0 breaks SL-06.", i);
    else
        explain_say(
            x, "The window covers the elements %u to %" PRIu64 " of the input's %" PRIu64 ": %u + %u = %" PRIu64 " %s.",
            offset, end - 1, in, offset, window, end,
            end <= in ? "does not exceed that" : "exceeds that, which breaks SL-05");
    if (stride == 0)
        explain_say(x, "A stride of 0 would never reach another element: InputWindowStrides[%u] = 0 breaks SL-07.", i);
    if (window == 0 || stride == 0)
        return;
    if (stride > 0)
        explain_say(
            x,
            "The stride is positive: copying starts at the window's first element, %u, and moves forwards by %" PRIu64
            ".",
            offset, magnitude(stride));
    else
        explain_say(x,
                    "The stride is negative: copying starts at the window's last element, %u + %u - 1 = %" PRId64
                    ", and moves backwards by %" PRIu64 ".",
                    offset, window, start_of(a, i), magnitude(stride));
    describe_count(x, a, i, out);
}

/* "3 - 2*o2" */
static void index_formula(const ts_dml_slice1 *a, uint32_t i, char *text, size_t room)
{
    int64_t start = start_of(a, i);
    int32_t stride = a->InputWindowStrides[i];
    if (start != 0 || stride < 0)
        explain_append(text, room, "%" PRId64 " %c ", start, stride < 0 ? '-' : '+');
    if (magnitude(stride) != 1)
        explain_append(text, room, "%" PRIu64 "*", magnitude(stride));
    explain_append(text, room, "o%u", i);
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, d);
    e->from = IN;
    e->addresses = dml_explain_addresses(d);
    for (uint32_t i = 0; i < a->DimensionCount; ++i) {
        e->from_coord[i] = index_of(a, i, e->to_coord[i]);
        e->outside = e->outside || e->to_coord[i] > UINT32_MAX || e->from_coord[i] >= d->tensors[IN].sizes[i] ||
                     e->from_coord[i] - a->InputWindowOffsets[i] >= a->InputWindowSizes[i];
    }
    return true;
}

ts_explain dml_slice1_explain;
void dml_slice1_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    uint32_t dims = a->DimensionCount;
    char outputs[128] = "", inputs[640] = "";
    bool copies = true;
    explain_step(x, "SL-03 SL-04", "%u ax%s, each with its own window and stride", dims, dims == 1 ? "is" : "es");
    explain_say(x, "On every axis a window (offset and size, in elements) selects a part of InputTensor, and a "
                   "stride defines the steps through it. The axes are independent: an output element has one "
                   "index from each.");
    if (in->rank != dims || out->rank != dims || dims < 1 || dims > TS_SLICE1_DIMS ||
        (in->given & out->given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
        explain_say(x,
                    "DimensionCount = %u, but InputTensor has %u and OutputTensor %u dimensions. All three must be the "
                    "same number, 1 to 8, and the tensors must have sizes. The explanation ends here.",
                    dims, in->rank, out->rank);
        return;
    }
    explain_show(x, "axis    input size      offset      window      stride  output size");
    for (uint32_t i = 0; i < dims; ++i)
        explain_show(x, "%4u  %12" PRIu64 "  %10u  %10u  %10d  %11" PRIu64, i, in->sizes[i], a->InputWindowOffsets[i],
                     a->InputWindowSizes[i], a->InputWindowStrides[i], out->sizes[i]);
    for (uint32_t i = 0; i < dims; ++i) {
        describe_axis(x, a, i, in->sizes[i], out->sizes[i]);
        copies = copies && a->InputWindowSizes[i] != 0 && a->InputWindowStrides[i] != 0;
        explain_append(outputs, sizeof outputs, "%so%u", i ? "," : "", i);
        explain_append(inputs, sizeof inputs, "%s", i ? ", " : "");
        index_formula(a, i, inputs, sizeof inputs);
    }
    dml_explain_strided(x, d);
    explain_step(x, "SL-10 SL-11", "Each element");
    if (!copies) {
        explain_say(x, "With an empty window or a stride of 0 no element can be copied.");
        return;
    }
    explain_show(x, "OutputTensor[%s] = InputTensor[%s]", outputs, inputs);
    explain_elements(x, d, OUT, source, d);
}
