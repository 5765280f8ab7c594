/* SPDX-License-Identifier: Apache-2.0 */
/* Legal descriptors that are refused, and illegal ones that are accepted. */
#include "backends/planted/planted.h"
#include "reference/dml/gather.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

/* Is this clause the only one that is broken? */
static bool breaks_only(const ts_report *report, const char *clause)
{
    unsigned broken = 0;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_result result = report->items[i].result;
        if (result != TS_RESULT_INVALID && result != TS_RESULT_UNSUPPORTED_FL)
            continue;
        if (strcmp(report->items[i].clause, clause) != 0)
            return false;
        ++broken;
    }
    return broken > 0 && report->dropped == 0;
}

static bool legal(const ts_report *report)
{
    return !fault_refuses(report);
}

/* ---- refused ----------------------------------------------------------------------------------------------------- */

static bool long_dimension(const fault_call *call, const ts_report *report)
{
    bool fits = true;
    for (uint32_t i = 0; i < call->in->rank && i < TS_MAX_DIMS; ++i)
        fits = fits && call->in->sizes[i] <= INT32_MAX;
    return legal(report) && fits;
}

static bool reversed_crop(const fault_call *call, const ts_report *report)
{
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    if (!legal(report))
        return false;
    for (uint32_t i = 0; i < call->out->rank; ++i) {
        const int64_t step = s->InputWindowStrides[i];
        if (step < 0 && call->out->sizes[i] < 1 + (s->InputWindowSizes[i] - 1) / (uint64_t)-step)
            return false;
    }
    return true;
}

static bool ones_left(const fault_call *call, const ts_report *report)
{
    const uint32_t picks = TS_ATTRS(ts_dml_gather, call->d)->IndexDimensions;
    uint32_t ones = 0;
    while (ones < call->in->rank && ones < TS_MAX_DIMS && call->in->sizes[ones] == 1)
        ++ones;
    return legal(report) && !(picks >= 3 && ones > picks - 1);
}

static bool zero_stride_of_one(const fault_call *call, const ts_report *report)
{
    const ts_tensor *t = call->out;
    if (!legal(report))
        return false;
    for (uint32_t i = 0; i + 1 < t->rank && (t->given & TS_GIVEN_STRIDES); ++i)
        if (t->sizes[i] == 1 && t->strides[i] == 0)
            return false;
    return true;
}

static bool state_rank(const fault_call *call, const ts_report *report)
{
    return legal(report) && !(call->in->rank < call->out->rank && call->out->rank > 4);
}

static bool smallest_int64(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    if (!legal(report))
        return false;
    for (uint32_t i = 0; i < s->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (s->end[i] == INT64_MIN && s->stride[i] < -1)
            return false;
    return true;
}

static bool wide_and_strided(const fault_call *call, const ts_report *report)
{
    const ts_tensor *t = call->in;
    return legal(report) && !(tensor_element_bytes(t->dtype) == 8 && t->rank >= 5 && t->strides[t->rank - 1] > 1 &&
                              t->sizes[t->rank - 1] > 1);
}

/* ---- accepted ---------------------------------------------------------------------------------------------------- */

static bool beyond_window(const fault_call *call, const ts_report *report)
{
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    if (legal(report) || !breaks_only(report, "SL-08"))
        return legal(report);
    for (uint32_t i = 0; i < call->out->rank && i < TS_MAX_DIMS; ++i) {
        const int64_t step = s->InputWindowStrides[i];
        if (call->out->sizes[i] > 1 + (call->in->sizes[i] - 1) / (uint64_t)(step < 0 ? -step : step))
            return false;
    }
    return true;
}

/* The buffer is as large as dimension 0 needs, which is the outermost in most tensors. */
static bool first_is_outermost(const fault_call *call, const ts_report *report)
{
    if (legal(report) || !breaks_only(report, "BUF-10"))
        return legal(report);
    for (unsigned i = 0; i < call->d->op->tensor_count; ++i) {
        const ts_tensor *t = &call->d->tensors[i];
        if ((t->given & TS_GIVEN_TENSOR) &&
            t->total_bytes < t->sizes[0] * t->strides[0] * tensor_element_bytes(t->dtype))
            return false;
    }
    return true;
}

static bool one_more_index_dimension(const fault_call *call, const ts_report *report)
{
    const uint32_t picks = TS_ATTRS(ts_dml_gather, call->d)->IndexDimensions;
    return legal(report) || (breaks_only(report, "GA-06") && picks == call->in->rank + 1);
}

static bool shrinks_uncounted(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    uint32_t shrinks = 0;
    for (uint32_t i = 0; i < s->shrink_axis_mask_count && i < s->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        shrinks += s->shrink_axis_mask[i];
    return legal(report) || (breaks_only(report, "SS-06") && shrinks > 0 && s->begin_count - shrinks <= call->in->rank);
}

/* The extent of a tensor in elements is summed as int32 where strides are given. */
static bool extent_in_32_bits(const fault_call *call, const ts_report *report)
{
    if (legal(report) || !breaks_only(report, "BUF-11"))
        return legal(report);
    for (unsigned i = 0; i < call->d->op->tensor_count; ++i) {
        const ts_tensor *t = &call->d->tensors[i];
        uint64_t count = 0;
        if ((t->given & TS_GIVEN_TENSOR) && tensor_element_count(t, &count) && count > UINT32_MAX)
            return false;
    }
    return true;
}

static const fault rows[] = {
    { "refuse-long-dimension", ON_SLICES | ON_GATHER, ACCEPTANCE, "a dimension of 2^31 elements or more is refused",
      .judge = long_dimension },
    { "refuse-reversed-crop", ON_SLICE1, ACCEPTANCE,
      "fewer elements than the window has steps are refused in reversed dimensions", .judge = reversed_crop },
    { "refuse-ones-left", ON_GATHER, ACCEPTANCE,
      "three index dimensions and more are refused if more leading ones could be cropped", .judge = ones_left },
    { "refuse-zero-stride-one", ON_ALL, ACCEPTANCE,
      "an output with a stride of 0 is refused although the dimension has one element", .judge = zero_stride_of_one },
    { "refuse-state-rank", ON_RANDOM, ACCEPTANCE,
      "an output of five dimensions and more is refused if the state has fewer", .judge = state_rank },
    { "refuse-smallest-end", ON_STRIDED, ACCEPTANCE, "an end of INT64_MIN is refused with steps below -1",
      .judge = smallest_int64 },
    { "refuse-wide-strided", ON_COPIES, ACCEPTANCE,
      "64-bit elements that are not next to each other are refused from five dimensions on",
      .judge = wide_and_strided },
    { "accept-beyond-window", ON_SLICE1, REFUSAL, "the output may be as large as the input allows, not the window",
      .judge = beyond_window },
    { "accept-first-outermost", ON_DML, REFUSAL, "a buffer is large enough if dimension 0 fits",
      .judge = first_is_outermost },
    { "accept-index-dimension", ON_GATHER, REFUSAL, "IndexDimensions may be one more than there are dimensions",
      .judge = one_more_index_dimension },
    { "accept-many-shrinks", ON_STRIDED, REFUSAL, "steps that remove a dimension do not count as dimensions",
      .judge = shrinks_uncounted },
    { "accept-wide-extent", ON_DML, REFUSAL, "a tensor may span 2^32 elements and more if it has fewer",
      .judge = extent_in_32_bits },
};

const fault_table planted_judged = { rows, sizeof rows / sizeof *rows };
