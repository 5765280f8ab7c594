/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/strided_slice.h"
#include "harness/model/loops.h"

ts_find_sources loops_openvino_strided_slice;

static bool has_bit(const ts_descriptor *d, uint32_t given, const uint8_t *mask, uint32_t count, uint32_t k)
{
    return (d->attrs_given & given) && k < count && k < TS_STRIDED_SLICE_STEPS && mask[k] == 1;
}

void loops_openvino_strided_slice(const ts_descriptor *d, uint32_t rank, ts_loop *dims)
{
    const ts_openvino_strided_slice *a = TS_ATTRS(ts_openvino_strided_slice, d);
    const ts_tensor *data = &d->tensors[0];
    uint32_t taken = 0, at = 0, out = 0; /* dimensions of data that steps take; the next one; the output's next one */
    bool expanded = false;
    for (uint32_t pass = 0; pass < 2; ++pass)
        for (uint32_t k = 0; k < a->begin_count && k < TS_STRIDED_SLICE_STEPS; ++k) {
            const bool ellipsis =
                has_bit(d, TS_STRIDED_SLICE_GIVEN_ELLIPSIS_MASK, a->ellipsis_mask, a->ellipsis_mask_count, k);
            const bool added = !ellipsis && has_bit(d, TS_STRIDED_SLICE_GIVEN_NEW_AXIS_MASK, a->new_axis_mask,
                                                    a->new_axis_mask_count, k);
            const bool shrunk =
                has_bit(d, TS_STRIDED_SLICE_GIVEN_SHRINK_AXIS_MASK, a->shrink_axis_mask, a->shrink_axis_mask_count, k);
            if (pass == 0) {
                taken += !ellipsis && !added;
            } else if (ellipsis) {
                for (uint32_t n = taken; n < data->rank && out < rank; ++n)
                    dims[out++].from = (int64_t)data->strides[at++];
                expanded = true;
            } else if (added) {
                ++out;
            } else if (shrunk) {
                ++at;
            } else if (at < data->rank && out < rank) {
                const int64_t step = d->attrs_given & TS_STRIDED_SLICE_GIVEN_STRIDE ? a->stride[k] : 1;
                dims[out++].from = ts_loop_times(step, data->strides[at++]);
            }
        }
    for (; !expanded && at < data->rank && out < rank; ++at)
        dims[out++].from = (int64_t)data->strides[at];
}
