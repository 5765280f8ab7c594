/* SPDX-License-Identifier: Apache-2.0 */
/* StridedSlice-1 and SLICE1 as STRIDED_SLICE: three constant lists, and masks whose bits are those of OpenVINO. */
#include "backends/fetched/window.h"
#include "backends/litert/node.h"
#include "reference/openvino/strided_slice.h"

enum { BEGIN, END, STRIDE };
enum { BEGIN_MASK, END_MASK, ELLIPSIS_MASK, NEW_AXIS_MASK, SHRINK_AXIS_MASK, OFFSET, OPTIONS };

static void make_slice(node *n, const ts_tensor *in)
{
    n->operation = NODE_STRIDED_SLICE;
    n->options_type = NODE_STRIDED_SLICE_OPTIONS;
    n->option_count = OPTIONS;
    n->list_count = STRIDE + 1;
    n->in[n->input_count++] = in;
}

/* False where a value needs more than 32 bits. */
static bool take_list(node *n, uint32_t list, const int64_t *values, uint32_t count)
{
    n->list_sizes[list] = count;
    for (uint32_t i = 0; i < count; ++i) {
        if (values[i] < INT32_MIN || values[i] > INT32_MAX)
            return false;
        n->lists[list][i] = (int32_t)values[i];
    }
    return true;
}

/* What is behind the last step has no meaning (SS-03). */
static int32_t mask_of(const uint8_t *mask, uint32_t count, bool given, uint32_t steps)
{
    int32_t bits = 0;
    for (uint32_t i = 0; given && i < count && i < steps; ++i)
        bits |= (int32_t)(mask[i] != 0) << i;
    return bits;
}

/* Does a step go backwards from a begin before the first element? OpenVINO begins at the first element then, and
   TensorFlow Lite before it, as NumPy (E-SS-6). */
static bool begins_before(const node *n)
{
    const ts_tensor *in = n->in[0];
    const int32_t *begin = n->lists[BEGIN], *stride = n->lists[STRIDE];
    const uint32_t steps = n->list_sizes[BEGIN], ellipsis = (uint32_t)n->options[ELLIPSIS_MASK];
    const uint32_t axes = (uint32_t)n->options[NEW_AXIS_MASK], shrinks = (uint32_t)n->options[SHRINK_AXIS_MASK];
    uint32_t real = 0, dimension = 0;
    for (uint32_t i = 0; i < steps; ++i)
        real += !(ellipsis >> i & 1) && !(axes >> i & 1);
    for (uint32_t i = 0; i < steps && dimension < in->rank; ++i) {
        if (ellipsis >> i & 1) {
            dimension += in->rank > real ? in->rank - real : 0;
        } else if (!(axes >> i & 1)) {
            if (!(shrinks >> i & 1) && stride[i] < 0 && !((uint32_t)n->options[BEGIN_MASK] >> i & 1) &&
                begin[i] + (int64_t)in->sizes[dimension] < 0)
                return true;
            ++dimension;
        }
    }
    return false;
}

/* Would the kernel take more steps for dimensions than there are? An ellipsis takes one at least, so that one which
   stands for none moves the steps behind it. The sizes of these are then read from other memory, and elements may be
   written to it. */
static bool steps_beyond(const node *n)
{
    const uint32_t rank = n->in[0]->rank, steps = n->list_sizes[BEGIN];
    const uint32_t ellipsis = (uint32_t)n->options[ELLIPSIS_MASK];
    const uint32_t axes = (uint32_t)n->options[NEW_AXIS_MASK] & ~ellipsis;
    uint32_t added = 0, place = 0, dimensions = 0;
    for (uint32_t i = 0; i < steps; ++i)
        added += axes >> i & 1;
    for (uint32_t i = 0; i < steps && place < rank + added; ++i) {
        uint32_t taken = 1;
        if (ellipsis >> i & 1 && rank + added > steps)
            taken += rank + added - steps;
        dimensions += axes >> i & 1 ? 0 : taken;
        place += taken;
    }
    return dimensions > rank;
}

ts_status node_strided_slice(const ts_call *call, node *n, const char **reason)
{
    const ts_openvino_strided_slice *a = call->attrs;
    const uint32_t given = call->attrs_given, lists = TS_STRIDED_SLICE_GIVEN_BEGIN | TS_STRIDED_SLICE_GIVEN_END;
    const uint32_t strides = given & TS_STRIDED_SLICE_GIVEN_STRIDE ? a->stride_count : a->begin_count;
    if ((given & lists) != lists || a->begin_count > NODE_STEPS || a->end_count > NODE_STEPS || strides > NODE_STEPS ||
        a->begin_count == 0 || a->end_count == 0 || strides == 0) {
        *reason = "a constant of TensorFlow Lite has at least one element, and the adapter has room for 16";
        return TS_UNSUPPORTED;
    }
    make_slice(n, ts_call_tensor(call, 0));
    static const int64_t ones[NODE_STEPS] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
    const int64_t *stride = given & TS_STRIDED_SLICE_GIVEN_STRIDE ? a->stride : ones;
    if (!take_list(n, BEGIN, a->begin, a->begin_count) || !take_list(n, END, a->end, a->end_count) ||
        !take_list(n, STRIDE, stride, strides)) {
        *reason = "STRIDED_SLICE has lists of INT32";
        return TS_UNSUPPORTED;
    }
    const uint32_t steps = a->begin_count;
    n->options[BEGIN_MASK] =
        mask_of(a->begin_mask, a->begin_mask_count, given & TS_STRIDED_SLICE_GIVEN_BEGIN_MASK, steps);
    n->options[END_MASK] = mask_of(a->end_mask, a->end_mask_count, given & TS_STRIDED_SLICE_GIVEN_END_MASK, steps);
    n->options[ELLIPSIS_MASK] =
        mask_of(a->ellipsis_mask, a->ellipsis_mask_count, given & TS_STRIDED_SLICE_GIVEN_ELLIPSIS_MASK, steps);
    n->options[NEW_AXIS_MASK] =
        mask_of(a->new_axis_mask, a->new_axis_mask_count, given & TS_STRIDED_SLICE_GIVEN_NEW_AXIS_MASK, steps);
    n->options[SHRINK_AXIS_MASK] =
        mask_of(a->shrink_axis_mask, a->shrink_axis_mask_count, given & TS_STRIDED_SLICE_GIVEN_SHRINK_AXIS_MASK, steps);
    if (call->profile == TS_PROFILE_DEFAULT && begins_before(n)) {
        *reason = "STRIDED_SLICE clamps the begin of a negative stride as NumPy: ask for it by --profile numpy";
        return TS_UNSUPPORTED;
    }
    if (steps_beyond(n) && !(call->flags & TS_CALL_DESCRIPTOR_ONLY)) {
        *reason = "not executed: STRIDED_SLICE would take the ellipsis for a dimension and write to other memory";
        return TS_UNSUPPORTED;
    }
    return TS_OK;
}

/* STRIDED_SLICE has a range where SLICE1 has a window; the end of the range follows from the size of the output. An
   illegal window has no range. */
ts_status node_slice1(const ts_call *call, node *n, const char **reason)
{
    const ts_dml_slice1 *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    *reason = "refused by the adapter: STRIDED_SLICE cannot express this window";
    if ((call->attrs_given & 0xE) != 0xE || in->rank != out->rank || in->dtype != out->dtype ||
        a->DimensionCount != in->rank)
        return TS_REJECTED;
    make_slice(n, in);
    for (uint32_t i = 0; i < in->rank; ++i) {
        int64_t start, stop;
        if (!window_range(a, i, in->sizes[i], out->sizes[i], &start, &stop))
            return TS_REJECTED;
        if (in->sizes[i] >= INT32_MAX) {
            *reason = "STRIDED_SLICE has lists of INT32";
            return TS_UNSUPPORTED;
        }
        n->lists[BEGIN][i] = (int32_t)start;
        n->lists[END][i] = (int32_t)stop;
        n->lists[STRIDE][i] = a->InputWindowStrides[i];
    }
    for (uint32_t k = BEGIN; k <= STRIDE; ++k)
        n->list_sizes[k] = in->rank;
    return TS_OK;
}
