/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/slice1.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

enum { IN };

ts_suggest dml_slice1_suggest_dims, dml_slice1_suggest_window, dml_slice1_suggest_window_size,
    dml_slice1_suggest_stride, dml_slice1_suggest_output;

void dml_slice1_suggest_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "one DimensionCount for both tensors and the window, such as that of InputTensor: %u",
                d->tensors[IN].rank);
}

void dml_slice1_suggest_window(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    unsigned i = mention_index(d, v, "InputWindowOffsets");
    uint64_t size = d->tensors[IN].sizes[i % TS_MAX_DIMS];
    uint64_t offset = (uint64_t)suggest_attr(d, "InputWindowOffsets", i);
    uint64_t window = (uint64_t)suggest_attr(d, "InputWindowSizes", i);
    bool smaller = offset < size, moved = window >= 1 && window <= size;
    if (smaller)
        suggest_add_range(out, 1, size - offset, "InputWindowSizes[%u]", i);
    if (moved)
        suggest_add_range(out, 0, size - window, "%sInputWindowOffsets[%u]", smaller ? ", or " : "", i);
    if (!smaller && !moved)
        suggest_add(out, "InputWindowOffsets[%u] + InputWindowSizes[%u] <= %" PRIu64, i, i, size);
}

void dml_slice1_suggest_window_size(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    unsigned i = mention_index(d, v, "InputWindowSizes");
    uint64_t size = d->tensors[IN].sizes[i % TS_MAX_DIMS];
    uint64_t offset = (uint64_t)suggest_attr(d, "InputWindowOffsets", i);
    if (offset < size)
        suggest_add_range(out, 1, size - offset, "InputWindowSizes[%u]", i);
    else
        suggest_add(out, "InputWindowSizes[%u] >= 1, within the input", i);
}

void dml_slice1_suggest_stride(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "InputWindowStrides[%u] of any value but 0", mention_index(d, v, "InputWindowStrides"));
}

void dml_slice1_suggest_output(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    unsigned i = v->axis >= 0 ? (unsigned)v->axis : 0;
    int64_t window = suggest_attr(d, "InputWindowSizes", i), stride = suggest_attr(d, "InputWindowStrides", i);
    if (window <= 0)
        return;
    if (stride != 0)
        window = 1 + (window - 1) / (stride < 0 ? -stride : stride);
    suggest_add_range(out, 1, (uint64_t)window, "OutputTensor.Sizes[%u]", i);
    if (stride == 0) /* SL-07 is broken as well: the stride that allows most */
        suggest_add(out, ", by the stride that it gets");
}
