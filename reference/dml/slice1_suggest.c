/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/slice1.h"
#include "reference/dml_suggest.h"

enum { IN, OUT };

ts_suggest dml_slice1_suggest_dims, dml_slice1_suggest_window, dml_slice1_suggest_window_size,
    dml_slice1_suggest_stride, dml_slice1_suggest_output;

/* The output and the window get the dimension count of the input, or the input and the window that of the output. */
void dml_slice1_suggest_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    if (v->tensor >= 0) { /* it is not in the support table */
        suggest_supported_dims(d, v, out);
        return;
    }
    for (unsigned as = IN; as <= OUT; ++as) {
        const uint32_t rank = d->tensors[as].rank, other = d->tensors[as == IN ? OUT : IN].rank;
        suggest_or(out);
        if (TS_ATTRS(ts_dml_slice1, d)->DimensionCount != rank)
            suggest_length(d, out, "DimensionCount", rank);
        if (other != rank)
            suggest_tensor_number(out, SUGGEST_DIMS, as == IN ? 1u << OUT : 1u << IN, rank, rank);
    }
}

void dml_slice1_suggest_window(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    unsigned i = mention_index(d, v, "InputWindowOffsets");
    uint64_t size = d->tensors[IN].sizes[i % TS_MAX_DIMS];
    uint64_t offset = (uint64_t)suggest_attr(d, "InputWindowOffsets", i);
    uint64_t window = (uint64_t)suggest_attr(d, "InputWindowSizes", i);
    const bool smaller = offset < size, moved = window >= 1 && window <= size;
    if (smaller)
        suggest_value(d, out, "InputWindowSizes", i, 1, (int64_t)(size - offset));
    suggest_or(out);
    if (moved)
        suggest_value(d, out, "InputWindowOffsets", i, 0, (int64_t)(size - window));
    if (smaller || moved || size == 0)
        return;
    suggest_value(d, out, "InputWindowOffsets", i, 0, 0);
    suggest_value(d, out, "InputWindowSizes", i, 1, (int64_t)size);
}

void dml_slice1_suggest_window_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    unsigned i = mention_index(d, v, "InputWindowSizes");
    uint64_t size = d->tensors[IN].sizes[i % TS_MAX_DIMS];
    uint64_t offset = (uint64_t)suggest_attr(d, "InputWindowOffsets", i);
    suggest_value(d, out, "InputWindowSizes", i, 1, offset < size ? (int64_t)(size - offset) : 1);
}

void dml_slice1_suggest_stride(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    static const int64_t strides[] = { 1, -1 };
    suggest_values(d, out, "InputWindowStrides", mention_index(d, v, "InputWindowStrides"), strides, 2);
}

void dml_slice1_suggest_output(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    unsigned i = v->axis >= 0 ? (unsigned)v->axis : 0;
    int64_t window = suggest_attr(d, "InputWindowSizes", i), stride = suggest_attr(d, "InputWindowStrides", i);
    if (window <= 0)
        return;
    if (stride != 0)
        window = 1 + (window - 1) / (stride < 0 ? -stride : stride);
    suggest_size(out, 1u << OUT, i, 1, (uint64_t)window);
}
