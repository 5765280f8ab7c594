/* SPDX-License-Identifier: Apache-2.0 */
/* Faults in strides, steps and dimensions. The copying operators except GATHER are affine: output coordinate o gets the
   input element at start + sum(o[i] * from[i]). A fault changes the start or the steps. The copy limits every address
   to its buffer, so that the output is wrong but the process does not crash. */
#include "backends/faulty/fault_affine.h"

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
        memcpy((unsigned char *)call->out->data + fault_inside((int64_t)to, out_room) * bytes,
               (const unsigned char *)call->in->data + fault_inside((int64_t)from, in_room) * bytes, bytes);
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
    { "input-stride-outer", ON_AFFINE, LAYOUTS, "the stride of the outermost input axis is assumed to be packed",
      .execute = input_stride_outer },
    { "input-stride-inner", ON_AFFINE, LAYOUTS, "the stride of the innermost input axis is assumed to be 1",
      .execute = input_stride_inner },
    { "broadcast-ignored", ON_AFFINE, LAYOUTS, "a stride of 0 is treated as missing", .execute = broadcast_ignored },
    { "output-strides-ignored", ON_AFFINE, LAYOUTS, "the output is written packed, whatever its strides",
      .execute = output_strides_ignored },
    { "output-row-ignored", ON_AFFINE, LAYOUTS, "padding between the rows of the output is ignored",
      .execute = output_row_ignored },
    { "reverse-start", ON_SLICES, MEANING, "a negative stride starts one element off, at the window's size",
      .execute = reverse_start },
    { "sign-ignored", ON_SLICES, MEANING, "a negative stride moves forward", .execute = sign_ignored },
    { "inner-step-one", ON_SLICES, LAYOUTS, "a vector load ignores the stride of the innermost axis",
      .execute = inner_step_one },
    { "offset-ignored", ON_SLICES, MEANING, "the offset of the window is ignored", .execute = offset_ignored },
    { "merged-crop", ON_SLICES, LAYOUTS, "two axes of stride 1 are merged although the window crops the inner one",
      .execute = merged_crop },
    { "folded-dims", ON_AFFINE, COUNTS, "dimensions beyond five are dropped", .execute = folded_dims },
    { "offset-16", ON_AFFINE, MAGNITUDES, "source offsets are computed in 16 bits", .execute = offset_16 },
    { "shrink-negative", ON_STRIDED, MEANING, "a negative begin of a shrunk axis is treated as 0",
      .execute = shrink_negative },
    { "ellipsis-short", ON_STRIDED, MEANING, "an ellipsis skips one dimension too few", .execute = ellipsis_short },
    { "ellipsis-none", ON_STRIDED, MEANING, "the steps after an ellipsis apply to the dimensions from the ellipsis on",
      .execute = ellipsis_none },
    { "new-axis-consumes", ON_STRIDED, MEANING, "a new axis consumes an input dimension",
      .execute = new_axis_consumes },
    { "begin-mask-reverse", ON_STRIDED, MEANING, "begin_mask is ignored if the stride is negative",
      .execute = begin_mask_reverse },
    { "begin-mask-ignored", ON_STRIDED, MEANING, "begin_mask is ignored", .execute = begin_mask_ignored },
    { "begin-negative", ON_STRIDED, MEANING, "a negative begin is clamped before the size is added",
      .execute = begin_negative },
    { "shrink-begin-mask", ON_STRIDED, MEANING, "begin_mask is applied to a shrunk axis",
      .execute = shrink_begin_mask },
};

const fault_table fault_layout = { rows, sizeof rows / sizeof *rows };
