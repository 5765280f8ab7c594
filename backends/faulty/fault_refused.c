/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptors that are large or rare: legal ones refused, and illegal ones accepted because a check is narrower than
   the clause. */
#include "backends/faulty/fault.h"
#include "reference/dml/gather.h"
#include "reference/dml/random_generator.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

/* ---- refusing what is legal -------------------------------------------------------------------------------------- */

#define DEFINE_REFUSING(name, condition)                                                                               \
    static bool name(const fault_call *call, const ts_report *report)                                                  \
    {                                                                                                                  \
        return !fault_refuses(report) && !(condition);                                                                 \
    }

static bool any_alignment_over(const fault_call *call, uint32_t most)
{
    for (unsigned t = 0; t < call->d->op->tensor_count; ++t)
        if (call->d->tensors[t].alignment > most)
            return true;
    return false;
}

static bool doubled(const fault_call *call)
{
    for (unsigned t = 0; t < call->d->op->tensor_count; ++t) {
        uint64_t bytes = 0;
        if (tensor_min_bytes(&call->d->tensors[t], &bytes) && call->d->tensors[t].total_bytes >= 2 * bytes + 64)
            return true;
    }
    return false;
}

/* Do elements of one row of the output lie between those of another one? */
static bool interleaves(const fault_call *call)
{
    const ts_tensor *t = call->out;
    for (uint32_t i = 0; i < t->rank; ++i)
        for (uint32_t k = 0; k < t->rank; ++k)
            if (t->sizes[i] > 1 && t->sizes[k] > 1 && t->strides[i] < t->strides[k] &&
                t->strides[k] < (t->sizes[i] - 1) * t->strides[i])
                return true;
    return false;
}

static bool any_stride_over(const fault_call *call, uint64_t most)
{
    for (unsigned t = 0; t < call->d->op->tensor_count; ++t)
        for (uint32_t i = 0; i < call->d->tensors[t].rank; ++i)
            if (call->d->tensors[t].strides[i] > most)
                return true;
    return false;
}

static bool steps_over(const fault_call *call, int64_t most)
{
    if (call->on == ON_SLICE1) {
        const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
        for (uint32_t i = 0; i < call->in->rank; ++i)
            if (s->InputWindowStrides[i] > most || s->InputWindowStrides[i] < -most)
                return true;
        return false;
    }
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    for (uint32_t i = 0; i < s->stride_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (s->stride[i] > most || s->stride[i] < -most)
            return true;
    return false;
}

static bool all_broadcast(const fault_call *call)
{
    for (uint32_t i = 0; i < call->in->rank; ++i)
        if (call->in->sizes[i] > 1 && call->in->strides[i] != 0)
            return false;
    return fault_count(call->out) > 1;
}

static bool state_strided(const fault_call *call)
{
    return call->in->rank > 0 && call->in->strides[call->in->rank - 1] != 1;
}

DEFINE_REFUSING(reject_owned, call->in->flags & 1)
DEFINE_REFUSING(reject_alignment, any_alignment_over(call, 256))
DEFINE_REFUSING(reject_double_total, doubled(call))
DEFINE_REFUSING(reject_interleaved, interleaves(call))
DEFINE_REFUSING(reject_wide_stride, any_stride_over(call, INT32_MAX))
DEFINE_REFUSING(reject_many_elements, fault_count(call->out) > 1 << 20)
DEFINE_REFUSING(reject_far_step, steps_over(call, INT32_MAX / 2))
DEFINE_REFUSING(reject_all_broadcast, all_broadcast(call))
DEFINE_REFUSING(reject_steps, TS_ATTRS(ts_openvino_strided_slice, call->d)->begin_count > 12)
DEFINE_REFUSING(reject_empty, fault_count(call->out) == 0)
DEFINE_REFUSING(reject_no_indices, TS_ATTRS(ts_dml_gather, call->d)->IndexDimensions == 0)
DEFINE_REFUSING(reject_all_indices, TS_ATTRS(ts_dml_gather, call->d)->IndexDimensions == call->in->rank)
DEFINE_REFUSING(reject_state_stride, state_strided(call))

/* ---- accepting what is not --------------------------------------------------------------------------------------- */

/* Does the check that is too narrow miss this violation? */
typedef bool (*missing)(const fault_call *call, const ts_violation *v);

/* Accept a descriptor if the check misses each of its violations. */
static bool misses(const fault_call *call, const ts_report *report, missing one)
{
    if (report->dropped > 0)
        return false;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        const bool fatal = operator_graver(v->result, TS_RESULT_UNSPECIFIED);
        if (fatal && !one(call, v))
            return false;
    }
    return true;
}

static bool is(const ts_violation *v, const char *clause)
{
    return strcmp(v->clause, clause) == 0;
}

static const ts_tensor *tensor_of(const fault_call *call, const ts_violation *v)
{
    return v->tensor < 0 ? call->out : &call->d->tensors[v->tensor];
}

static bool has_no_zero_stride(const ts_tensor *t)
{
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
        if (t->sizes[i] > 1 && t->strides[i] == 0)
            return false;
    return true;
}

static bool overlap(const fault_call *call, const ts_violation *v)
{
    return is(v, "BUF-12") && has_no_zero_stride(tensor_of(call, v));
}

static bool short_if_strided(const fault_call *call, const ts_violation *v)
{
    uint64_t bytes = 0;
    if (!is(v, "BUF-10"))
        return false;
    ts_tensor packed = *tensor_of(call, v);
    tensor_pack(&packed);
    return tensor_min_bytes(&packed, &bytes) && bytes <= packed.total_bytes;
}

static bool short_in_32(const fault_call *call, const ts_violation *v)
{
    uint64_t bytes = 0;
    return is(v, "BUF-10") && tensor_min_bytes(tensor_of(call, v), &bytes) && bytes >> 32 != 0 &&
           (uint32_t)bytes <= tensor_of(call, v)->total_bytes;
}

static bool high_alignment(const fault_call *call, const ts_violation *v)
{
    return is(v, "BUF-14") && tensor_of(call, v)->alignment > 4096;
}

static bool high_flags(const fault_call *call, const ts_violation *v)
{
    return is(v, "BUF-03") && (tensor_of(call, v)->flags & 255) < 2;
}

static bool zero_step_inside(const fault_call *call, const ts_violation *v)
{
    (void)call;
    return (is(v, "SL-07") || is(v, "SS-10")) && v->axis > 0;
}

static bool far_overrun(const fault_call *call, const ts_violation *v)
{
    if (!is(v, "SL-05") || v->axis < 0)
        return false;
    return TS_ATTRS(ts_dml_slice1, call->d)->InputWindowOffsets[v->axis] > INT32_MAX;
}

static bool negative_axis(const fault_call *call, const ts_violation *v)
{
    const bool concerns = is(v, "GA-05") || is(v, "GA-06") || is(v, "GA-08") || is(v, "GA-09") || is(v, "GE-05") ||
                          is(v, "SE-05") || is(v, "CS-05");
    const int axis = operator_attr_index(call->d->op, "Axis");
    return concerns && operator_attr_value(call->d, (unsigned)axis, 0) > INT32_MAX;
}

static bool shape_by_count(const fault_call *call, const ts_violation *v)
{
    ts_descriptor right = *call->d;
    return is(v, call->d->op->shape_clause) && right.op->shape(&right) &&
           fault_count(&right.tensors[call->out - call->d->tensors]) == fault_count(call->out);
}

static bool sizes_by_count(const fault_call *call, const ts_violation *v)
{
    return (is(v, "EI-04") || is(v, "CS-04")) && fault_count(call->in) == fault_count(call->out);
}

static bool type_in_a_byte(const fault_call *call, const ts_violation *v)
{
    return is(v, "RG-02") && (TS_ATTRS(ts_dml_random_generator, call->d)->Type & 255) == 0;
}

static bool state_of_more(const fault_call *call, const ts_violation *v)
{
    const ts_tensor *t = tensor_of(call, v);
    return (is(v, "RG-04") || is(v, "RG-05")) && t->rank > 0 && t->rank <= TS_MAX_DIMS && t->sizes[t->rank - 1] > 6;
}

static bool far_shrink(const fault_call *call, const ts_violation *v)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    bool far = false;
    for (uint32_t i = 0; i < s->begin_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        far = far || s->begin[i] > INT32_MAX || s->begin[i] < INT32_MIN;
    return is(v, "SS-09") && far;
}

static bool late_mask(const fault_call *call, const ts_violation *v)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    return is(v, "SS-02") && s->begin_mask_count > 0 && s->begin_mask[0] < 2 && s->end_mask[0] < 2 &&
           s->new_axis_mask[0] < 2 && s->shrink_axis_mask[0] < 2 && s->ellipsis_mask[0] < 2;
}

/* Is the call legal without a leading size of 1 of one tensor? */
static bool accept_leading(const fault_call *call, const ts_report *report)
{
    bool accepted = !fault_refuses(report);
    for (unsigned t = 0; !accepted && t < call->d->op->tensor_count; ++t) {
        ts_descriptor d = *call->d;
        ts_tensor *x = &d.tensors[t];
        if (!(x->given & TS_GIVEN_TENSOR) || x->rank < 2 || x->rank > TS_MAX_DIMS || x->sizes[0] != 1)
            continue;
        memmove(x->sizes, x->sizes + 1, (x->rank - 1) * sizeof *x->sizes);
        memmove(x->strides, x->strides + 1, (x->rank - 1) * sizeof *x->strides);
        --x->rank;
        ts_report without;
        memset(&without, 0, sizeof without);
        d.op->check(&d, &without);
        accepted = !fault_refuses(&without);
    }
    return accepted;
}

static bool rounded_up(const fault_call *call, const ts_violation *v)
{
    if (!is(v, "SL-08"))
        return false;
    const ts_dml_slice1 *a = TS_ATTRS(ts_dml_slice1, call->d);
    for (uint32_t i = 0; i < call->out->rank; ++i) {
        const int64_t stride = a->InputWindowStrides[i], step = stride < 0 ? -stride : stride;
        if (step < 3 ? call->out->sizes[i] > (a->InputWindowSizes[i] - 1) / (uint64_t)step + 1
                     : call->out->sizes[i] > a->InputWindowSizes[i] / (uint64_t)step + 1)
            return false;
    }
    return true;
}

#define DEFINE_MISSING(name, one)                                                                                      \
    static bool name(const fault_call *call, const ts_report *report)                                                  \
    {                                                                                                                  \
        return misses(call, report, one);                                                                              \
    }
DEFINE_MISSING(accept_strided_overlap, overlap)
DEFINE_MISSING(accept_short_strided, short_if_strided)
DEFINE_MISSING(accept_short_32, short_in_32)
DEFINE_MISSING(accept_high_alignment, high_alignment)
DEFINE_MISSING(accept_high_flags, high_flags)
DEFINE_MISSING(accept_zero_step_inside, zero_step_inside)
DEFINE_MISSING(accept_far_overrun, far_overrun)
DEFINE_MISSING(accept_negative_axis, negative_axis)
DEFINE_MISSING(accept_shape_count, shape_by_count)
DEFINE_MISSING(accept_size_count, sizes_by_count)
DEFINE_MISSING(accept_generator_byte, type_in_a_byte)
DEFINE_MISSING(accept_long_state, state_of_more)
DEFINE_MISSING(accept_far_shrink, far_shrink)
DEFINE_MISSING(accept_late_mask, late_mask)
DEFINE_MISSING(accept_rounded_up, rounded_up)

static const fault rows[] = {
    { "reject-owned", ON_DML, ACCEPTANCE, "an input that is OWNED_BY_DML is refused", .judge = reject_owned },
    { "reject-alignment", ON_DML, ACCEPTANCE, "a guaranteed alignment of more than 256 bytes is refused",
      .judge = reject_alignment },
    { "reject-double-total", ON_DML, ACCEPTANCE, "a buffer of more than twice the need is refused",
      .judge = reject_double_total },
    { "reject-interleaved", ON_ALL, ACCEPTANCE, "an output whose rows are interleaved is refused",
      .judge = reject_interleaved },
    { "reject-wide-stride", ON_DML, ACCEPTANCE, "a stride beyond int32 is refused, even of a dimension of one element",
      .judge = reject_wide_stride },
    { "reject-many-elements", ON_ALL, ACCEPTANCE, "more than 2^20 elements are refused",
      .judge = reject_many_elements },
    { "reject-far-step", ON_SLICES, ACCEPTANCE, "strides of a window beyond 2^30 are refused",
      .judge = reject_far_step },
    { "reject-all-broadcast", ON_COPIES, ACCEPTANCE, "an input of one element that is broadcast everywhere is refused",
      .judge = reject_all_broadcast },
    { "reject-steps", ON_STRIDED, ACCEPTANCE, "more than 12 slicing steps are refused", .judge = reject_steps },
    { "reject-empty", ON_STRIDED, ACCEPTANCE, "an empty output is refused", .judge = reject_empty },
    { "reject-no-indices", ON_GATHER, ACCEPTANCE, "IndexDimensions of 0 is refused", .judge = reject_no_indices },
    { "reject-all-indices", ON_GATHER, ACCEPTANCE, "as many IndexDimensions as dimensions are refused",
      .judge = reject_all_indices },
    { "reject-state-stride", ON_RANDOM, ACCEPTANCE, "a state whose words do not lie side by side is refused",
      .judge = reject_state_stride },
    { "accept-strided-overlap", ON_DML, REFUSAL, "only a stride of 0 counts as an overlap of the output with itself",
      .judge = accept_strided_overlap },
    { "accept-short-strided", ON_DML, REFUSAL, "a buffer that would suffice without the strides is accepted",
      .judge = accept_short_strided },
    { "accept-short-32", ON_DML, REFUSAL, "the bytes that a tensor needs are counted in 32 bits",
      .judge = accept_short_32 },
    { "accept-high-alignment", ON_DML, REFUSAL, "alignments beyond 4,096 are not checked to be a power of two",
      .judge = accept_high_alignment },
    { "accept-high-flags", ON_DML, REFUSAL, "only the low byte of the flags is checked", .judge = accept_high_flags },
    { "accept-zero-step-inside", ON_SLICES, REFUSAL, "a stride of 0 is refused in the first dimension only",
      .judge = accept_zero_step_inside },
    { "accept-far-overrun", ON_SLICE1, REFUSAL, "the end of a window is checked in signed 32 bits",
      .judge = accept_far_overrun },
    { "accept-negative-axis", ON_AXIS | ON_CUMULATIVE_SUMMATION, REFUSAL,
      "an axis beyond int32 is compared as a negative number", .judge = accept_negative_axis },
    { "accept-shape-count", ON_INDEXED, REFUSAL, "of the output's sizes only the number of elements is checked",
      .judge = accept_shape_count },
    { "accept-size-count", ON_IDENTITY | ON_CUMULATIVE_SUMMATION, REFUSAL,
      "of the two tensors' sizes only the numbers of elements are compared", .judge = accept_size_count },
    { "accept-generator-byte", ON_RANDOM, REFUSAL, "only the low byte of the generator's type is checked",
      .judge = accept_generator_byte },
    { "accept-long-state", ON_RANDOM, REFUSAL, "a state of more than six words is accepted",
      .judge = accept_long_state },
    { "accept-far-shrink", ON_STRIDED, REFUSAL, "a begin beyond 32 bits of a shrunk axis is not checked",
      .judge = accept_far_shrink },
    { "accept-late-mask", ON_STRIDED, REFUSAL, "masks are checked in their first element only",
      .judge = accept_late_mask },
    { "accept-leading", ON_SLICE1 | ON_IDENTITY | ON_SCATTER_UPDATE | ON_SCATTER_ELEMENTS_UPDATE | ON_SCATTER_ND_UPDATE,
      REFUSAL, "a leading size of 1 too many is accepted", .judge = accept_leading },
    { "accept-rounded-up", ON_SLICE1, REFUSAL, "an output of one element more is accepted, where steps are 3 and more",
      .judge = accept_rounded_up },
};

const fault_table fault_refused = { rows, sizeof rows / sizeof *rows };
