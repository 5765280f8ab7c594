/* SPDX-License-Identifier: Apache-2.0 */
/* Reported faults of what is accepted and refused, and of the values of elements. */
#include "backends/planted/reported.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

/* ---- acceptance -------------------------------------------------------------------------------------------------- */

static bool has_bit(const ts_descriptor *d, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t i)
{
    return (d->attrs_given >> attr & 1u) && i < count && i < TS_STRIDED_SLICE_STEPS && mask[i] == 1;
}

static const ts_openvino_strided_slice *lists(const fault_call *call)
{
    return TS_ATTRS(ts_openvino_strided_slice, call->d);
}

static bool shrink_last(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = lists(call);
    for (uint32_t i = 0; i < s->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (has_bit(call->d, 6, s->shrink_axis_mask, s->shrink_axis_mask_count, i) && s->begin[i] == -1)
            return false;
    return !fault_refuses(report);
}

static bool shrink_stride(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = lists(call);
    for (uint32_t i = 0; i < s->stride_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (has_bit(call->d, 6, s->shrink_axis_mask, s->shrink_axis_mask_count, i) &&
            (call->d->attrs_given >> 2 & 1u) && s->stride[i] < 0)
            return false;
    return !fault_refuses(report);
}

static bool late_new_axis(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = lists(call);
    for (uint32_t i = call->in->rank; i < s->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (has_bit(call->d, 5, s->new_axis_mask, s->new_axis_mask_count, i))
            return false;
    return !fault_refuses(report);
}

static bool channels_16(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && (call->out->rank > TS_MAX_DIMS || reported_size(call->out, 2) <= UINT16_MAX);
}

static bool rank_4(const fault_call *call, const ts_report *report)
{
    const ts_tensor *t = call->on == ON_RANDOM ? call->out : call->in;
    return !fault_refuses(report) && (t->rank <= 4 || !(t->given & TS_GIVEN_STRIDES));
}

/* ---- refusal ----------------------------------------------------------------------------------------------------- */

/* Are all violations of one of two clauses? */
static bool only(const ts_report *report, const char *clause, const char *other)
{
    for (unsigned i = 0; i < report->count && i < TS_MAX_VIOLATIONS; ++i)
        if (report->items[i].result != TS_RESULT_WARNING && strcmp(report->items[i].clause, clause) != 0 &&
            strcmp(report->items[i].clause, other) != 0)
            return false;
    return report->dropped == 0;
}

static bool wrapped_count(const fault_call *call, const ts_report *report)
{
    const ts_tensor *t = call->on == ON_RANDOM ? call->out : call->in;
    uint64_t count = 1, exact;
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        count *= t->sizes[i];
    if (fault_refuses(report) && t->rank <= TS_MAX_DIMS && !tensor_element_count(t, &exact) && count > 0 &&
        count <= UINT32_MAX)
        return only(report, "BUF-10", "BUF-11");
    return !fault_refuses(report);
}

static bool unequal_lists(const fault_call *call, const ts_report *report)
{
    const ts_openvino_strided_slice *s = lists(call);
    if (fault_refuses(report) && s->begin_count == s->end_count && s->stride_count > s->begin_count)
        return only(report, "SS-01", "SS-01");
    return !fault_refuses(report);
}

static bool signed_sum(const fault_call *call, const ts_report *report)
{
    const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
    if (!fault_refuses(report))
        return true;
    for (uint32_t i = 0; i < s->DimensionCount && i < TS_SLICE1_DIMS && i < call->in->rank; ++i) {
        const int32_t end = (int32_t)(s->InputWindowOffsets[i] + s->InputWindowSizes[i]);
        if (end > 0 && (uint64_t)end > call->in->sizes[i])
            return false;
    }
    return only(report, "SL-05", "SL-05");
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

static bool transposes(const fault_call *call, uint64_t least)
{
    const ts_tensor *in = call->in;
    return in->rank >= 2 && in->strides[in->rank - 1] > in->strides[in->rank - 2] && in->strides[in->rank - 2] > 0 &&
           reported_size(in, 0) >= least && reported_size(in, 1) >= least;
}

static void round_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    const uint32_t dtype = *(const uint32_t *)context;
    int32_t word;
    (void)number;
    memcpy(&word, element, bytes);
    const float rounded = dtype == TS_INT32 ? (float)word : (float)(uint32_t)word;
    const uint32_t back = (uint32_t)(uint64_t)(int64_t)rounded;
    memcpy(element, &back, bytes);
}

static void through_float(const fault_call *call)
{
    uint32_t dtype = call->out->dtype;
    fault_run_right(call);
    if ((dtype == TS_INT32 || dtype == TS_UINT32) && transposes(call, 2))
        fault_each(call->out, round_word, &dtype);
}

static void cut_word(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    uint32_t word;
    (void)context;
    (void)number;
    memcpy(&word, element, bytes);
    word &= ~UINT32_C(0x1fff);
    memcpy(element, &word, bytes);
}

static void tensor_float(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_INT32 && transposes(call, 32))
        fault_each(call->out, cut_word, NULL);
}

static void signal_to_infinity(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    uint16_t half;
    (void)context;
    (void)number;
    memcpy(&half, element, bytes);
    if ((half & 0x7c00) == 0x7c00 && (half & 0x03ff) != 0 && !(half & 0x0200))
        half &= 0xfc00;
    memcpy(element, &half, bytes);
}

static void narrowed(const fault_call *call)
{
    fault_run_right(call);
    if (call->out->dtype == TS_FLOAT16)
        fault_each(call->out, signal_to_infinity, NULL);
}

static void flush(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    uint32_t word;
    (void)context;
    (void)number;
    memcpy(&word, element, bytes);
    if (!(word & 0x7f800000))
        word &= 0x80000000;
    memcpy(element, &word, bytes);
}

static void flushed_later(const fault_call *call)
{
    fault_run_right(call);
    if (call->number > 0 && call->out->dtype == TS_FLOAT32)
        fault_each(call->out, flush, NULL);
}

static const fault rows[] = {
    { "tvm-shrink-last", ON_STRIDED, ACCEPTANCE,
      "a shrunk dimension whose begin is -1 is refused, for it ends at 0 (tvm issue 5172)", .judge = shrink_last },
    { "tosa-shrink-stride", ON_STRIDED, ACCEPTANCE,
      "a negative stride of a shrunk dimension, which is ignored, is refused (tensorflow pull request 54228)",
      .judge = shrink_stride },
    { "openvino-late-new-axis", ON_STRIDED, ACCEPTANCE,
      "a new axis at a step beyond the dimensions of the data is refused (openvino pull request 12442)",
      .judge = late_new_axis },
    { "directml-channels", ON_DML, ACCEPTANCE,
      "more than 65,535 at the third place from the end are refused (DirectML issue 650)", .judge = channels_16 },
    { "ort-rank-5", ON_ALL, ACCEPTANCE,
      "more than four dimensions are refused if they have strides (onnxruntime pull request 18027)", .judge = rank_4 },
    { "cupy-wrapped-count", ON_RANDOM | ON_IDENTITY, REFUSAL,
      "sizes whose product wraps to a small number are accepted (cupy issue 5737)", .judge = wrapped_count },
    { "onert-unequal-lists", ON_STRIDED, REFUSAL,
      "more strides than begins and ends are accepted (Samsung/ONE issue 2648)", .judge = unequal_lists },
    { "tflite-signed-sum", ON_SLICE1, REFUSAL,
      "a window whose end overflows 31 bits is accepted (tensorflow pull request 126106)", .judge = signed_sum },
    { "tfjs-through-float", ON_COPIES, VALUES,
      "transposed integers pass through single precision (tfjs pull request 8616)", .execute = through_float },
    { "tt-int32-tiles", ON_COPIES, VALUES, "transposed tiles of 32-bit integers keep 19 bits (tt-metal issue 19950)",
      .execute = tensor_float },
    { "universal-signaling", ON_COPIES, VALUES,
      "signaling NaNs of half precision become infinities (stillwater-sc/universal issue 1303)", .execute = narrowed },
    { "inductor-flush", ON_COPIES, HISTORY,
      "after a first call, denormal numbers are flushed to zero (pytorch issue 126848)", .execute = flushed_later },
};

const fault_table planted_reported_judged = { rows, sizeof rows / sizeof *rows };
