/* SPDX-License-Identifier: Apache-2.0 */
/* The second set: legal descriptors refused, illegal ones accepted, and reported faults of values. */
#include "backends/planted/second.h"
#include "reference/dml/gather.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

static bool legal(const ts_report *report)
{
    return !fault_refuses(report);
}

static bool strided(const ts_tensor *t)
{
    ts_tensor packed = *t;
    if (!(t->given & TS_GIVEN_STRIDES) || t->rank > TS_MAX_DIMS)
        return false;
    tensor_pack(&packed);
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > 1 && t->strides[i] != packed.strides[i])
            return true;
    return false;
}

/* ---- invented: refused ------------------------------------------------------------------------------------------- */

static bool strides_in_one(const fault_call *call, const ts_report *report)
{
    return legal(report) && ((call->in->given ^ call->out->given) & TS_GIVEN_STRIDES) == 0;
}

static bool step_beyond_window(const fault_call *call, const ts_report *report)
{
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    if (!legal(report))
        return false;
    for (uint32_t i = 0; i < call->out->rank; ++i) {
        const int64_t step = s->InputWindowStrides[i];
        if ((step < 0 ? -step : step) > (int64_t)s->InputWindowSizes[i])
            return false;
    }
    return true;
}

static bool has_bit(const ts_descriptor *d, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t i)
{
    return (d->attrs_given >> attr & 1u) && i < count && i < TS_STRIDED_SLICE_STEPS && mask[i] == 1;
}

static bool masked_shrink(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    for (uint32_t i = 0; legal(report) && i < s->begin_count; ++i)
        if (has_bit(call->d, 6, s->shrink_axis_mask, s->shrink_axis_mask_count, i) &&
            has_bit(call->d, 3, s->begin_mask, s->begin_mask_count, i))
            return false;
    return legal(report);
}

static bool equal_strides(const fault_call *call, const ts_report *report)
{
    const ts_tensor *t = call->in;
    for (uint32_t i = 1; legal(report) && i < t->rank; ++i)
        for (uint32_t k = 0; k < i; ++k)
            if (t->sizes[i] > 1 && t->sizes[k] > 1 && t->strides[i] == t->strides[k] && t->strides[i] > 0)
                return false;
    return legal(report);
}

/* ---- invented: accepted ------------------------------------------------------------------------------------------ */

static bool first_window(const fault_call *call, const ts_report *report)
{
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    if (legal(report) || !second_breaks_only(report, "SL-05"))
        return legal(report);
    return (uint64_t)s->InputWindowOffsets[0] + s->InputWindowSizes[0] <= call->in->sizes[0];
}

/* The size of a buffer is rounded up to 64 bytes, as those are that the library allocates. */
static bool rounded_total(const fault_call *call, const ts_report *report)
{
    if (legal(report) || !second_breaks_only(report, "BUF-10"))
        return legal(report);
    for (unsigned i = 0; i < call->d->op->tensor_count; ++i) {
        const ts_tensor *t = &call->d->tensors[i];
        uint64_t bytes = 0;
        if ((t->given & TS_GIVEN_TENSOR) && (!tensor_min_bytes(t, &bytes) || bytes > (t->total_bytes + 63) / 64 * 64))
            return false;
    }
    return true;
}

static bool axis_of_rank(const fault_call *call, const ts_report *report)
{
    return legal(report) ||
           (second_breaks_only(report, "GA-05") && TS_ATTRS(ts_dml_gather, call->d)->Axis == call->in->rank);
}

/* ---- reported: refused ------------------------------------------------------------------------------------------- */

static bool cut_channels(const fault_call *call, const ts_report *report)
{
    const ts_tensor *t = call->in;
    return legal(report) && !(t->rank == 4 && (t->given & TS_GIVEN_STRIDES) && t->sizes[1] > 1 && t->sizes[2] > 1 &&
                              t->strides[1] < t->strides[2] && t->strides[1] > 0 && t->sizes[2] % 32 != 0);
}

static bool no_elements(const fault_call *call, const ts_report *report)
{
    return legal(report) && !(call->out->rank > 1 && fault_count(call->out) == 0);
}

static bool fifth_cut(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    return legal(report) && !(call->in->rank == 5 && s->begin_count == 5 && call->out->rank == 5 &&
                              call->out->sizes[4] < call->in->sizes[4]);
}

static bool reverses(const fault_call *call)
{
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    const ts_openvino_strided_slice *o = TS_ATTRS(ts_openvino_strided_slice, call->d);
    bool any = false;
    for (uint32_t i = 0; call->on == ON_SLICE1 && i < call->in->rank; ++i)
        any = any || s->InputWindowStrides[i] < 0;
    for (uint32_t i = 0; call->on == ON_STRIDED && (call->d->attrs_given >> 2 & 1u) && i < o->stride_count; ++i)
        any = any || o->stride[i] < 0;
    return any;
}

static bool reversed_bytes(const fault_call *call, const ts_report *report)
{
    return legal(report) && !(tensor_element_bytes(call->in->dtype) == 1 && strided(call->in) && reverses(call));
}

/* ---- reported: accepted ------------------------------------------------------------------------------------------ */

static bool broadcasts(const ts_tensor *t)
{
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        if (t->sizes[i] > 1 && t->strides[i] == 0)
            return true;
    return false;
}

static bool broadcast_output(const fault_call *call, const ts_report *report)
{
    return legal(report) || (second_breaks_only(report, "BUF-12") && broadcasts(call->out));
}

static bool overlapping_output(const fault_call *call, const ts_report *report)
{
    return legal(report) || (second_breaks_only(report, "BUF-12") && !broadcasts(call->out));
}

/* ---- reported: values -------------------------------------------------------------------------------------------- */

static void one_nan(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    uint16_t half;
    (void)context;
    (void)number;
    memcpy(&half, element, bytes);
    if ((half & 0x7c00) == 0x7c00 && (half & 0x03ff) != 0)
        half = 0x7fff;
    memcpy(element, &half, bytes);
}

static void packed_lists(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_FLOAT16 && !strided(call->in) && !strided(call->out))
        fault_each(call->out, one_nan, NULL);
}

static void no_sign(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const ts_tensor *t = context;
    const uint64_t width = reported_size(t, 0), height = reported_size(t, 1);
    uint16_t half;
    memcpy(&half, element, bytes);
    if (half == 0x8000 && number % width < fault_floor(width, 32) && number / width % height < fault_floor(height, 32))
        half = 0;
    memcpy(element, &half, bytes);
}

static void unpacked_tiles(const fault_call *call)
{
    ts_tensor out = *call->out;
    fault_run_right(call);
    if (out.dtype == TS_FLOAT16 && reported_size(&out, 0) >= 32 && reported_size(&out, 1) >= 32)
        fault_each(call->out, no_sign, &out);
}

static const fault rows[] = {
    { "second-refuse-one-strided", ON_EVERY_COPY, ACCEPTANCE,
      "strides in the input and none in the output, or the reverse, are refused", .judge = strides_in_one },
    { "second-refuse-long-step", ON_SLICE1, ACCEPTANCE, "a step that is larger than its window is refused",
      .judge = step_beyond_window },
    { "second-refuse-masked-shrink", ON_STRIDED, ACCEPTANCE, "a shrunk dimension that also has begin_mask is refused",
      .judge = masked_shrink },
    { "second-refuse-diagonal", ON_EVERY_COPY, ACCEPTANCE, "two dimensions of the input with one stride are refused",
      .judge = equal_strides },
    { "second-accept-later-window", ON_SLICE1, REFUSAL, "only the first dimension is asked whether its window fits",
      .judge = first_window },
    { "second-accept-rounded", ON_BUFFERS, REFUSAL,
      "the size of a buffer is rounded up to 64 bytes before it is judged", .judge = rounded_total },
    { "second-accept-axis", ON_GATHER, REFUSAL, "an axis that is the number of dimensions is accepted",
      .judge = axis_of_rank },
    { "second-tt-channels", ON_EVERY_COPY, ACCEPTANCE,
      "exchanged inner dimensions that are no multiple of a tile are refused (tt-metal issue 13005)",
      .judge = cut_channels },
    { "second-slang-empty", ON_STRIDED, ACCEPTANCE,
      "an empty tensor of several dimensions is refused (slang issue 9096)", .judge = no_elements },
    { "second-timvx-fifth", ON_STRIDED, ACCEPTANCE, "a slice of the fifth dimension is refused (TIM-VX issue 213)",
      .judge = fifth_cut },
    { "second-pytorch-flip-bytes", ON_SLICES, ACCEPTANCE,
      "bytes of an input that is not packed are not reversed, but refused (pytorch issue 52062)",
      .judge = reversed_bytes },
    { "second-pytorch-broadcast-output", ON_BUFFERS, REFUSAL,
      "an output with a stride of 0 is accepted (pytorch issue 23063)", .judge = broadcast_output },
    { "second-pytorch-bizarre", ON_BUFFERS, REFUSAL,
      "an output whose strides make elements share addresses is accepted (pytorch issue 107110)",
      .judge = overlapping_output },
    { "second-pytorch-nan", ON_IDENTITY, VALUES,
      "all NaNs of packed half floats are copied as one (pytorch issue 159333)", .execute = packed_lists },
    { "second-tt-zero", ON_COPIES, VALUES,
      "in whole tiles, negative zeros of half floats lose their sign (tt-metal issue 13953)",
      .execute = unpacked_tiles },
};

const fault_table planted_second_judged = { rows, sizeof rows / sizeof *rows };
