/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in strides, steps and dimensions. The copying operators except GATHER are affine: output coordinate o gets the
   input element at start + sum(o[i] * from[i]). A fault changes the start or the steps. The copy limits every address
   to its buffer, so that the output is wrong but the process does not crash. */
#include "backends/faulty/fault.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

typedef struct affine {
    uint32_t rank;
    uint64_t count[TS_MAX_DIMS];
    int64_t from[TS_MAX_DIMS]; /* steps in the input, elements */
    int64_t to[TS_MAX_DIMS];   /* steps in the output */
    int64_t step[TS_MAX_DIMS]; /* of the attributes: input coordinates per output coordinate */
    int source[TS_MAX_DIMS];   /* the input dimension, or -1 */
    int64_t start;
} affine;

/* Ways to misread a StridedSlice. */
enum {
    SHRINK_NEGATIVE_IGNORED = 1,
    ELLIPSIS_SHORT = 2,
    NEW_AXIS_CONSUMES = 4,
    BEGIN_MASK_REVERSE_IGNORED = 8,
    BEGIN_MASK_IGNORED = 16,
    BEGIN_NEGATIVE_ZERO = 32,
    SHRINK_BEGIN_MASK = 64,
    ELLIPSIS_AT_END = 128
};

static void add(affine *a, const ts_tensor *in, int dim, int64_t step)
{
    const uint32_t i = a->rank++;
    a->source[i] = dim;
    a->step[i] = step;
    a->from[i] = dim < 0 || dim >= (int)in->rank ? 0 : (int64_t)((uint64_t)step * in->strides[dim]);
}

static bool bit(const ts_descriptor *d, unsigned attr, const uint8_t *mask, uint32_t count, uint32_t i)
{
    return (d->attrs_given >> attr & 1u) && i < count && i < TS_STRIDED_SLICE_STEPS && mask[i] == 1;
}

static int64_t begin_of(int64_t begin, int64_t size, int64_t step, bool masked, unsigned quirks, bool numpy)
{
    if (masked && !(quirks & BEGIN_MASK_IGNORED) && !(step < 0 && (quirks & BEGIN_MASK_REVERSE_IGNORED)))
        return step > 0 ? 0 : size - 1;
    if (begin < 0)
        begin = quirks & BEGIN_NEGATIVE_ZERO ? 0 : begin + size;
    const int64_t low = step < 0 && numpy ? -1 : 0;
    const int64_t high = step > 0 ? size : size - 1;
    return begin < low ? low : begin > high ? high : begin;
}

static void affine_strided(affine *a, const ts_descriptor *d, unsigned quirks)
{
    const ts_openvino_strided_slice *s = TS_ATTRS(ts_openvino_strided_slice, d);
    const ts_tensor *in = &d->tensors[0];
    const uint32_t steps = s->begin_count;
    int consumed = 0;
    for (uint32_t i = 0; i < steps; ++i)
        consumed += !bit(d, 7, s->ellipsis_mask, s->ellipsis_mask_count, i) &&
                    !bit(d, 5, s->new_axis_mask, s->new_axis_mask_count, i);
    const int whole = (int)in->rank - consumed;
    bool spread = false;
    int dim = 0;
    for (uint32_t i = 0; i < steps; ++i) {
        if (bit(d, 7, s->ellipsis_mask, s->ellipsis_mask_count, i)) {
            spread = true;
            for (int k = 0; k < whole; ++k)
                add(a, in, dim + k, 1);
            dim += quirks & ELLIPSIS_AT_END ? 0 : whole - (quirks & ELLIPSIS_SHORT ? 1 : 0);
            dim = dim < 0 ? 0 : dim;
            continue;
        }
        if (bit(d, 5, s->new_axis_mask, s->new_axis_mask_count, i)) {
            add(a, in, -1, 0);
            dim += quirks & NEW_AXIS_CONSUMES ? 1 : 0;
            continue;
        }
        const int at = dim < (int)in->rank ? dim : (int)in->rank - 1;
        const int64_t size = (int64_t)in->sizes[at];
        ++dim;
        const bool masked = bit(d, 3, s->begin_mask, s->begin_mask_count, i);
        if (bit(d, 6, s->shrink_axis_mask, s->shrink_axis_mask_count, i)) {
            int64_t index = s->begin[i] < 0 ? s->begin[i] + size : s->begin[i];
            if (s->begin[i] < 0 && (quirks & SHRINK_NEGATIVE_IGNORED))
                index = 0;
            if (masked && (quirks & SHRINK_BEGIN_MASK))
                index = 0;
            a->start += index * (int64_t)in->strides[at];
            continue;
        }
        const int64_t step = d->attrs_given >> 2 & 1u ? s->stride[i] : 1;
        a->start += begin_of(s->begin[i], size, step, masked, quirks, d->profile == TS_PROFILE_NUMPY) *
                    (int64_t)in->strides[at];
        add(a, in, at, step);
    }
    for (; !spread && dim < (int)in->rank && a->rank < TS_MAX_DIMS; ++dim)
        add(a, in, dim, 1);
}

static affine affine_of(const fault_call *call, unsigned quirks)
{
    affine a;
    memset(&a, 0, sizeof a);
    const ts_tensor *in = call->in;
    if (call->on == ON_STRIDED) {
        affine_strided(&a, call->d, quirks);
    } else if (call->on == ON_SLICE1) {
        const ts_dml_slice1 *s = TS_ATTRS(ts_dml_slice1, call->d);
        for (uint32_t i = 0; i < in->rank; ++i) {
            const int64_t step = s->InputWindowStrides[i];
            const int64_t first =
                (int64_t)s->InputWindowOffsets[i] + (step < 0 ? (int64_t)s->InputWindowSizes[i] - 1 : 0);
            a.start += in->sizes[i] > 1 ? first * (int64_t)in->strides[i] : 0;
            add(&a, in, (int)i, step);
        }
    } else {
        for (uint32_t i = 0; i < in->rank; ++i)
            add(&a, in, (int)i, 1);
    }
    for (uint32_t i = 0; i < a.rank; ++i) {
        a.count[i] = call->out->sizes[i];
        a.to[i] = (int64_t)call->out->strides[i];
    }
    return a;
}

/* Limit an offset to a buffer with this number of elements. */
static uint64_t inside(int64_t at, uint64_t elements)
{
    return at < 0 ? 0 : (uint64_t)at >= elements ? elements - 1 : (uint64_t)at;
}

static void copy(const fault_call *call, const affine *a)
{
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    const uint64_t in_room = call->in->total_bytes / bytes;
    const uint64_t out_room = call->out->total_bytes / bytes;
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    if (fault_count(call->out) == 0 || in_room == 0 || out_room == 0)
        return;
    do {
        uint64_t from = (uint64_t)a->start;
        uint64_t to = 0;
        for (uint32_t i = 0; i < a->rank; ++i) {
            from += coord[i] * (uint64_t)a->from[i]; /* unsigned: a stride that is never used may have any value */
            to += coord[i] * (uint64_t)a->to[i];
        }
        memcpy((unsigned char *)call->out->data + inside((int64_t)to, out_room) * bytes,
               (const unsigned char *)call->in->data + inside((int64_t)from, in_room) * bytes, bytes);
    } while (tensor_next(call->out, coord));
}

/* ---- strides ----------------------------------------------------------------------------------------------------- */

/* Read as if an input dimension had another stride. */
static void restride(const fault_call *call, affine *a, uint32_t dim, uint64_t stride)
{
    for (uint32_t i = 0; i < a->rank; ++i)
        if (a->source[i] == (int)dim)
            a->from[i] = (int64_t)((uint64_t)a->step[i] * stride);
    (void)call;
}

static void input_stride_outer(const fault_call *call)
{
    affine a = affine_of(call, 0);
    ts_tensor packed = *call->in;
    tensor_pack(&packed);
    if (packed.rank > 0)
        restride(call, &a, 0, packed.strides[0]);
    copy(call, &a);
}

static void input_stride_inner(const fault_call *call)
{
    affine a = affine_of(call, 0);
    if (call->in->rank > 0)
        restride(call, &a, call->in->rank - 1, 1);
    copy(call, &a);
}

static void broadcast_ignored(const fault_call *call)
{
    affine a = affine_of(call, 0);
    ts_tensor packed = *call->in;
    tensor_pack(&packed);
    for (uint32_t i = 0; i < packed.rank; ++i)
        if (call->in->strides[i] == 0)
            restride(call, &a, i, packed.strides[i]);
    copy(call, &a);
}

static void output_strides_ignored(const fault_call *call)
{
    affine a = affine_of(call, 0);
    ts_tensor packed = *call->out;
    tensor_pack(&packed);
    for (uint32_t i = 0; i < a.rank; ++i)
        a.to[i] = (int64_t)packed.strides[i];
    copy(call, &a);
}

static void output_row_ignored(const fault_call *call)
{
    affine a = affine_of(call, 0);
    if (a.rank > 1)
        a.to[a.rank - 2] = (int64_t)a.count[a.rank - 1] * a.to[a.rank - 1];
    copy(call, &a);
}

/* ---- windows and steps ------------------------------------------------------------------------------------------- */

static void reverse_start(const fault_call *call)
{
    affine a = affine_of(call, 0);
    for (uint32_t i = 0; i < a.rank; ++i)
        if (a.step[i] < 0)
            a.start += (int64_t)call->in->strides[a.source[i]];
    copy(call, &a);
}

static void sign_ignored(const fault_call *call)
{
    affine a = affine_of(call, 0);
    for (uint32_t i = 0; i < a.rank; ++i)
        if (a.step[i] < 0) {
            a.start += (int64_t)(a.count[i] - 1) * a.from[i];
            a.from[i] = -a.from[i];
        }
    copy(call, &a);
}

static void inner_step_one(const fault_call *call)
{
    affine a = affine_of(call, 0);
    if (a.rank > 0 && a.step[a.rank - 1] > 1)
        a.from[a.rank - 1] = (int64_t)call->in->strides[a.source[a.rank - 1]];
    copy(call, &a);
}

static void offset_ignored(const fault_call *call)
{
    affine a = affine_of(call, 0);
    a.start = 0;
    copy(call, &a);
}

static void merged_crop(const fault_call *call)
{
    affine a = affine_of(call, 0);
    for (uint32_t i = a.rank; i-- > 1;)
        if (a.step[i] == 1 && a.step[i - 1] == 1 && a.source[i - 1] >= 0 && a.source[i] == a.source[i - 1] + 1 &&
            call->in->strides[a.source[i - 1]] == call->in->sizes[a.source[i]] * call->in->strides[a.source[i]])
            a.from[i - 1] = (int64_t)a.count[i] * a.from[i];
    copy(call, &a);
}

static void folded_dims(const fault_call *call)
{
    affine a = affine_of(call, 0);
    for (uint32_t i = 0; i + 5 < a.rank; ++i)
        a.from[i] = 0;
    copy(call, &a);
}

static void offset_16(const fault_call *call)
{
    const affine a = affine_of(call, 0);
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    if (fault_count(call->out) == 0)
        return;
    do {
        uint64_t from = (uint64_t)a.start;
        for (uint32_t i = 0; i < a.rank; ++i)
            from += coord[i] * (uint64_t)a.from[i];
        memcpy(tensor_at(call->out, coord), (const unsigned char *)call->in->data + (from & 0xFFFF) * bytes, bytes);
    } while (tensor_next(call->out, coord));
}

/* ---- StridedSlice -------------------------------------------------------------------------------------------- */

static void misread(const fault_call *call, unsigned quirks)
{
    const affine a = affine_of(call, quirks);
    copy(call, &a);
}

static void shrink_negative(const fault_call *call)
{
    misread(call, SHRINK_NEGATIVE_IGNORED);
}

static void ellipsis_short(const fault_call *call)
{
    misread(call, ELLIPSIS_SHORT);
}

static void ellipsis_none(const fault_call *call)
{
    misread(call, ELLIPSIS_AT_END);
}

static void new_axis_consumes(const fault_call *call)
{
    misread(call, NEW_AXIS_CONSUMES);
}

static void begin_mask_reverse(const fault_call *call)
{
    misread(call, BEGIN_MASK_REVERSE_IGNORED);
}

static void begin_mask_ignored(const fault_call *call)
{
    misread(call, BEGIN_MASK_IGNORED);
}

static void begin_negative(const fault_call *call)
{
    misread(call, BEGIN_NEGATIVE_ZERO);
}

static void shrink_begin_mask(const fault_call *call)
{
    misread(call, SHRINK_BEGIN_MASK);
}

static const fault rows[] = {
    { "input-stride-outer", ON_AFFINE, "the stride of the outermost input axis is assumed to be packed",
      input_stride_outer, 0, 0 },
    { "input-stride-inner", ON_AFFINE, "the stride of the innermost input axis is assumed to be 1", input_stride_inner,
      0, 0 },
    { "broadcast-ignored", ON_AFFINE, "a stride of 0 is treated as missing", broadcast_ignored, 0, 0 },
    { "output-strides-ignored", ON_AFFINE, "the output is written packed, whatever its strides", output_strides_ignored,
      0, 0 },
    { "output-row-ignored", ON_AFFINE, "padding between the rows of the output is ignored", output_row_ignored, 0, 0 },
    { "reverse-start", ON_SLICES, "a negative stride starts one element off, at the window's size", reverse_start, 0,
      0 },
    { "sign-ignored", ON_SLICES, "a negative stride moves forward", sign_ignored, 0, 0 },
    { "inner-step-one", ON_SLICES, "a vector load ignores the stride of the innermost axis", inner_step_one, 0, 0 },
    { "offset-ignored", ON_SLICES, "the offset of the window is ignored", offset_ignored, 0, 0 },
    { "merged-crop", ON_SLICES, "two axes of stride 1 are merged although the window crops the inner one", merged_crop,
      0, 0 },
    { "folded-dims", ON_AFFINE, "dimensions beyond five are dropped", folded_dims, 0, 0 },
    { "offset-16", ON_AFFINE, "source offsets are computed in 16 bits", offset_16, 0, 0 },
    { "shrink-negative", ON_STRIDED, "a negative begin of a shrunk axis is treated as 0", shrink_negative, 0, 0 },
    { "ellipsis-short", ON_STRIDED, "an ellipsis skips one dimension too few", ellipsis_short, 0, 0 },
    { "ellipsis-none", ON_STRIDED, "the steps after an ellipsis apply to the dimensions from the ellipsis on",
      ellipsis_none, 0, 0 },
    { "new-axis-consumes", ON_STRIDED, "a new axis consumes an input dimension", new_axis_consumes, 0, 0 },
    { "begin-mask-reverse", ON_STRIDED, "begin_mask is ignored if the stride is negative", begin_mask_reverse, 0, 0 },
    { "begin-mask-ignored", ON_STRIDED, "begin_mask is ignored", begin_mask_ignored, 0, 0 },
    { "begin-negative", ON_STRIDED, "a negative begin is clamped before the size is added", begin_negative, 0, 0 },
    { "shrink-begin-mask", ON_STRIDED, "begin_mask is applied to a shrunk axis", shrink_begin_mask, 0, 0 },
};

const fault_table fault_layout = { rows, sizeof rows / sizeof *rows };
