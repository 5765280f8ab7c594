/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of judgment: legal descriptors refused, illegal ones accepted, shapes inferred wrongly. */
#include "backends/faulty/fault.h"
#include "reference/openvino/strided_slice.h"

/* ---- refusing what is legal -------------------------------------------------------------------------------------- */

static bool rank_7(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && call->out->rank != 7;
}

static bool rank_6_up(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && call->out->rank < 6;
}

static bool strided_input(const fault_call *call, const ts_report *report)
{
    ts_tensor packed = *call->in;
    if (fault_refuses(report))
        return false;
    tensor_pack(&packed);
    for (uint32_t i = 0; i < packed.rank; ++i)
        if (packed.sizes[i] > 1 && packed.strides[i] != call->in->strides[i])
            return false;
    return true;
}

static bool loose_total(const fault_call *call, const ts_report *report)
{
    uint64_t bytes = 0;
    return !fault_refuses(report) && tensor_min_bytes(call->out, &bytes) && call->out->total_bytes == bytes;
}

static bool size_one(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && fault_count(call->out) != 1;
}

static bool eight_bit(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && tensor_element_bytes(call->out->dtype) != 1;
}

/* ---- accepting what is not --------------------------------------------------------------------------------------- */

/* Accept a descriptor that violates only these clauses, a comma-separated list of ids. */
static bool forgives(const ts_report *report, const char *clauses)
{
    if (report->dropped > 0)
        return false;
    for (unsigned i = 0; i < report->count; ++i) {
        const ts_violation *v = &report->items[i];
        if (v->result != TS_RESULT_INVALID && v->result != TS_RESULT_UNSUPPORTED_FL)
            continue;
        if (!strstr(clauses, v->clause))
            return false;
    }
    return true;
}

#define DEFINE_FORGIVING(name, clauses)                                                                                \
    static bool name(const fault_call *call, const ts_report *report)                                                  \
    {                                                                                                                  \
        (void)call;                                                                                                    \
        return forgives(report, clauses);                                                                              \
    }
DEFINE_FORGIVING(accept_overrun, "SL-05")
DEFINE_FORGIVING(accept_zero_step, "SL-07,SS-10")
DEFINE_FORGIVING(accept_large_output, "SL-08")
DEFINE_FORGIVING(accept_short_buffer, "BUF-10")
DEFINE_FORGIVING(accept_overlap, "BUF-12")
DEFINE_FORGIVING(accept_alignment, "BUF-14")
DEFINE_FORGIVING(accept_flags, "BUF-03,BUF-04")
DEFINE_FORGIVING(accept_axis, "GA-05")
DEFINE_FORGIVING(accept_gather_shape, "GA-09")
DEFINE_FORGIVING(accept_generator, "RG-02")
DEFINE_FORGIVING(accept_state_shape, "RG-04,RG-05")
DEFINE_FORGIVING(accept_mask, "SS-02")
DEFINE_FORGIVING(accept_two_ellipses, "SS-04")
DEFINE_FORGIVING(accept_shrink, "SS-09")

static bool accept_any_level(const fault_call *call, const ts_report *report)
{
    (void)call;
    return report->worst != TS_RESULT_INVALID;
}

/* A 32-bit sum of offset and window wraps, so that an illegal window seems legal. */
static bool accept_wrapped(const fault_call *call, const ts_report *report)
{
    (void)call;
    for (unsigned i = 0; i < report->count; ++i)
        if (strcmp(report->items[i].clause, "SL-05") == 0 && report->items[i].axis >= 0) {
            const unsigned axis = (unsigned)report->items[i].axis;
            const int64_t offset = operator_attr_value(call->d, 1, axis);
            const int64_t window = operator_attr_value(call->d, 2, axis);
            if ((uint32_t)(offset + window) > call->in->sizes[axis])
                return false;
        }
    return forgives(report, "SL-05");
}

/* ---- inferring shapes ---------------------------------------------------------------------------------------- */

static void shape_last(const fault_call *call, ts_shape *shape)
{
    (void)call;
    if (shape->rank > 0)
        shape->sizes[shape->rank - 1] += 1;
}

static void shape_shrunk(const fault_call *call, ts_shape *shape)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    for (uint32_t i = 0; i < s->shrink_axis_mask_count && i < TS_STRIDED_SLICE_STEPS; ++i)
        if (s->shrink_axis_mask[i] == 1 && shape->rank < TS_MAX_DIMS) {
            shape->sizes[shape->rank++] = 1; /* the axis is kept with size 1 */
            return;
        }
}

/* `end` is treated as inclusive: one more element in each range that ends before the edge. */
static void shape_inclusive(const fault_call *call, ts_shape *shape)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, call->d);
    if (s->begin_count == 0 || shape->rank == 0 || call->in->rank == 0)
        return;
    if (shape->sizes[0] > 0 && shape->sizes[0] < call->in->sizes[0])
        shape->sizes[0] += 1;
}

static void shape_empty(const fault_call *call, ts_shape *shape)
{
    (void)call;
    for (uint32_t i = 0; i < shape->rank; ++i)
        if (shape->sizes[i] == 0)
            shape->sizes[i] = 1; /* a sentence of the page: begin equal to end adds one element */
}

static const fault rows[] = {
    { "reject-rank-7", ON_ALL, "a switch over the rank has no case for 7", 0, rank_7, 0 },
    { "reject-rank-6-up", ON_ALL, "the limit of five dimensions of older levels still applies", 0, rank_6_up, 0 },
    { "reject-strided", ON_AFFINE | ON_GATHER, "only packed inputs are accepted", 0, strided_input, 0 },
    { "reject-loose-total", ON_ALL, "TotalTensorSizeInBytes must be the minimum exactly", 0, loose_total, 0 },
    { "reject-size-one", ON_ALL, "an output of one element is refused", 0, size_one, 0 },
    { "reject-8-bit", ON_COPIES, "8-bit types are missing in the table", 0, eight_bit, 0 },
    { "accept-overrun", ON_SLICE1, "a window beyond the input is accepted", 0, accept_overrun, 0 },
    { "accept-wrapped", ON_SLICE1, "offset plus window is checked in 32 bits, where it wraps", 0, accept_wrapped, 0 },
    { "accept-zero-step", ON_SLICES, "a stride of 0 is accepted", 0, accept_zero_step, 0 },
    { "accept-large-output", ON_SLICE1, "the output may be larger than the number of samples", 0, accept_large_output,
      0 },
    { "accept-short-buffer", ON_DML, "TotalTensorSizeInBytes is not checked", 0, accept_short_buffer, 0 },
    { "accept-overlap", ON_DML, "an output may overlap itself", 0, accept_overlap, 0 },
    { "accept-alignment", ON_DML, "GuaranteedBaseOffsetAlignment is not checked", 0, accept_alignment, 0 },
    { "accept-flags", ON_DML, "the tensor's flags are not checked", 0, accept_flags, 0 },
    { "accept-level", ON_DML, "feature levels are not checked", 0, accept_any_level, 0 },
    { "accept-axis", ON_GATHER, "an axis beyond the last dimension is accepted", 0, accept_axis, 0 },
    { "accept-gather-shape", ON_GATHER, "the output's sizes are not checked", 0, accept_gather_shape, 0 },
    { "accept-generator", ON_RANDOM, "an unknown generator is accepted", 0, accept_generator, 0 },
    { "accept-state-shape", ON_RANDOM, "the sizes of the state are not checked", 0, accept_state_shape, 0 },
    { "accept-mask", ON_STRIDED, "mask values other than 0 and 1 are accepted", 0, accept_mask, 0 },
    { "accept-two-ellipses", ON_STRIDED, "a second ellipsis is accepted", 0, accept_two_ellipses, 0 },
    { "accept-shrink", ON_STRIDED, "a shrunk axis may begin outside the data", 0, accept_shrink, 0 },
    { "shape-last", ON_STRIDED, "the last size is inferred one too large", 0, 0, shape_last },
    { "shape-shrunk", ON_STRIDED, "a shrunk axis stays in the shape", 0, 0, shape_shrunk },
    { "end-inclusive", ON_STRIDED, "end is taken as inclusive when the shape is inferred", 0, 0, shape_inclusive },
    { "shape-empty", ON_STRIDED, "an empty range is inferred as one element", 0, 0, shape_empty },
};

const fault_table fault_judgment = { rows, sizeof rows / sizeof *rows };
