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

bool fault_forgives(const ts_report *report, const char *clauses)
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
        return fault_forgives(report, clauses);                                                                        \
    }
DEFINE_FORGIVING(accept_overrun, "SL-05")
DEFINE_FORGIVING(accept_zero_step, "SL-07,SS-10")
DEFINE_FORGIVING(accept_large_output, "SL-08")
DEFINE_FORGIVING(accept_short_buffer, "BUF-10")
DEFINE_FORGIVING(accept_overlap, "BUF-12")
DEFINE_FORGIVING(accept_alignment, "BUF-14")
DEFINE_FORGIVING(accept_flags, "BUF-03,BUF-04")
DEFINE_FORGIVING(accept_axis, "GA-05,GE-05,SE-05,CS-05")
DEFINE_FORGIVING(accept_gather_shape, "GA-09,GE-07,SE-08,SN-11,ND-10,ND1-10")
DEFINE_FORGIVING(accept_updates, "SE-07,SN-10")
DEFINE_FORGIVING(accept_counts, "SN-05,SN-06,ND-05,ND-06,ND1-05,ND1-06")
DEFINE_FORGIVING(accept_tuple, "SN-09,ND-09,ND1-09")
DEFINE_FORGIVING(accept_batch_count, "ND1-15")
DEFINE_FORGIVING(accept_batch_sizes, "ND1-16")
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
    return fault_forgives(report, "SL-05");
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

/* ---- shapes that depend on data ---- */

static void shape_more(const fault_call *call, ts_shape *shape)
{
    (void)call;
    ++shape->sizes[shape->rank - 1];
}

static void shape_less(const fault_call *call, ts_shape *shape)
{
    (void)call;
    if (shape->sizes[shape->rank - 1] > 0)
        --shape->sizes[shape->rank - 1];
}

static void shape_largest(const fault_call *call, ts_shape *shape)
{
    memcpy(shape->sizes, call->out->sizes, shape->rank * sizeof shape->sizes[0]);
}

static void shape_missing(const fault_call *call, ts_shape *shape)
{
    (void)call;
    shape->rank = TS_RANK_UNREPORTED;
}

static bool accept_shape(const fault_call *call, const ts_report *report)
{
    return fault_forgives(report, call->d->op->shape_clause);
}

static const fault rows[] = {
    { "reject-rank-7", ON_ALL, ACCEPTANCE, "a switch over the rank has no case for 7", .judge = rank_7, .dims = 7 },
    { "reject-rank-6-up", ON_ALL, ACCEPTANCE, "the limit of five dimensions of older levels still applies",
      .judge = rank_6_up, .dims = 6 },
    { "reject-strided", ON_AFFINE | ON_GATHER | ON_CUMULATIVE_SUMMATION, ACCEPTANCE, "only packed inputs are accepted",
      .judge = strided_input },
    { "reject-loose-total", ON_ALL, ACCEPTANCE, "TotalTensorSizeInBytes must be the minimum exactly",
      .judge = loose_total },
    { "reject-size-one", ON_ALL, ACCEPTANCE, "an output of one element is refused", .judge = size_one },
    { "reject-8-bit", ON_COPIES, ACCEPTANCE, "8-bit types are missing in the table", .judge = eight_bit },
    { "accept-overrun", ON_SLICE1, REFUSAL, "a window beyond the input is accepted", .judge = accept_overrun },
    { "accept-wrapped", ON_SLICE1, REFUSAL, "offset plus window is checked in 32 bits, where it wraps",
      .judge = accept_wrapped },
    { "accept-zero-step", ON_SLICES, REFUSAL, "a stride of 0 is accepted", .judge = accept_zero_step },
    { "accept-large-output", ON_SLICE1, REFUSAL, "the output may be larger than the number of samples",
      .judge = accept_large_output },
    { "accept-short-buffer", ON_DML, REFUSAL, "TotalTensorSizeInBytes is not checked", .judge = accept_short_buffer },
    { "accept-overlap", ON_DML, REFUSAL, "an output may overlap itself", .judge = accept_overlap },
    { "accept-alignment", ON_DML, REFUSAL, "GuaranteedBaseOffsetAlignment is not checked", .judge = accept_alignment },
    { "accept-flags", ON_DML, REFUSAL, "the tensor's flags are not checked", .judge = accept_flags },
    { "accept-level", ON_DML, REFUSAL, "feature levels are not checked", .judge = accept_any_level },
    { "accept-axis", ON_AXIS | ON_CUMULATIVE_SUMMATION, REFUSAL, "an axis beyond the last dimension is accepted",
      .judge = accept_axis },
    { "accept-gather-shape", ON_INDEXED, REFUSAL, "the output's sizes are not checked", .judge = accept_gather_shape },
    { "accept-updates", ON_SCATTERS, REFUSAL, "the sizes of the updates are not checked", .judge = accept_updates },
    { "accept-counts", ON_TUPLES, REFUSAL, "the counts of dimensions are not checked", .judge = accept_counts },
    { "accept-tuple", ON_TUPLES, REFUSAL, "a tuple may have more indices than the input has dimensions",
      .judge = accept_tuple },
    { "accept-batch-count", ON_GATHER_ND1, REFUSAL, "BatchDimensionCount is not checked", .judge = accept_batch_count },
    { "accept-batch-sizes", ON_GATHER_ND1, REFUSAL, "the input's batches may be others than those of the indices",
      .judge = accept_batch_sizes },
    { "accept-shape", ON_OTHER | ON_SPACE_TO_DEPTH | ON_CUMULATIVE_SUMMATION, REFUSAL,
      "the output's sizes are not compared with those that follow from the inputs", .judge = accept_shape },
    { "accept-generator", ON_RANDOM, REFUSAL, "an unknown generator is accepted", .judge = accept_generator },
    { "accept-state-shape", ON_RANDOM, REFUSAL, "the sizes of the state are not checked", .judge = accept_state_shape },
    { "accept-mask", ON_STRIDED, REFUSAL, "mask values other than 0 and 1 are accepted", .judge = accept_mask },
    { "accept-two-ellipses", ON_STRIDED, REFUSAL, "a second ellipsis is accepted", .judge = accept_two_ellipses },
    { "accept-shrink", ON_STRIDED, REFUSAL, "a shrunk axis may begin outside the data", .judge = accept_shrink },
    { "shape-last", ON_STRIDED, MEANING, "the last size is inferred one too large", .reshape = shape_last },
    { "shape-shrunk", ON_STRIDED, MEANING, "a shrunk axis stays in the shape", .reshape = shape_shrunk },
    { "end-inclusive", ON_STRIDED, MEANING, "end is taken as inclusive when the shape is inferred",
      .reshape = shape_inclusive },
    { "shape-more", ON_DEPENDENT, MEANING, "one element too many is counted for the shape", .reshape = shape_more },
    { "shape-less", ON_DEPENDENT, MEANING, "one element too few is counted for the shape", .reshape = shape_less },
    { "shape-largest", ON_DEPENDENT, MEANING, "the shape of the buffer is reported as that of the result",
      .reshape = shape_largest },
    { "shape-missing", ON_DEPENDENT, MEANING, "no shape is reported", .reshape = shape_missing },
    { "shape-empty", ON_STRIDED, MEANING, "an empty range is inferred as one element", .reshape = shape_empty },
};

const fault_table fault_judgment = { rows, sizeof rows / sizeof *rows };
