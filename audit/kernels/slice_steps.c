/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/slice_steps.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/tensors.h"
#include "reference/openvino/strided_slice.h"

enum { BEGIN, END, STRIDE, BEGIN_MASK, END_MASK, NEW_AXIS_MASK, SHRINK_AXIS_MASK, ELLIPSIS_MASK };

/* The masks as bits, a bit per step. */
typedef struct masks {
    uint32_t begin, new_axis, shrink, ellipsis;
} masks;

/* Where the next dimensions of both tensors are. */
typedef struct cursor {
    const ts_tensor *in, *out;
    uint32_t in_dim, out_dim;
} cursor;

static uint32_t bits_of(const ts_call *call, uint32_t attr, const uint8_t *values, uint32_t count)
{
    const ts_openvino_strided_slice *a = call->attrs;
    uint32_t bits = 0;
    if (!(call->attrs_given >> attr & 1))
        return 0;
    for (uint32_t i = 0; i < count && i < a->begin_count; ++i)
        if (values[i])
            bits |= 1u << i;
    return bits;
}

/* Ellipsis goes before new axis, and new axis before shrink. */
static masks masks_of(const ts_call *call)
{
    const ts_openvino_strided_slice *a = call->attrs;
    masks m;
    m.begin = bits_of(call, BEGIN_MASK, a->begin_mask, a->begin_mask_count);
    m.ellipsis = bits_of(call, ELLIPSIS_MASK, a->ellipsis_mask, a->ellipsis_mask_count);
    m.new_axis = bits_of(call, NEW_AXIS_MASK, a->new_axis_mask, a->new_axis_mask_count) & ~m.ellipsis;
    m.shrink = bits_of(call, SHRINK_AXIS_MASK, a->shrink_axis_mask, a->shrink_axis_mask_count) & ~m.ellipsis;
    return m;
}

/* The first element of a range over a dimension of `size` elements. The range is not empty, so it is inside. */
static int64_t first_of(int64_t begin, int64_t step, int64_t size, bool masked)
{
    if (masked)
        return step < 0 ? size - 1 : 0;
    if (begin < 0)
        begin += size;
    if (begin < 0)
        return 0;
    return begin < size ? begin : size - 1;
}

static void add_range(slice_canonical *s, cursor *c, int64_t first, int64_t step)
{
    const int64_t width = tensor_step(c->in, c->in_dim);
    const uint64_t count = c->out->sizes[c->out_dim];
    s->start += first * width;
    if (count > 1) /* a step that is not taken may overflow */
        nest_add(&s->nest, count, tensor_step(c->out, c->out_dim), step * width);
    c->in_dim++;
    c->out_dim++;
}

void slice_resolve(slice_canonical *s, const ts_call *call)
{
    const ts_openvino_strided_slice *a = call->attrs;
    const masks m = masks_of(call);
    cursor c = { ts_call_tensor(call, 0), ts_call_tensor(call, 1), 0, 0 };
    uint32_t whole = c.in->rank; /* dimensions that no step consumes */
    for (uint32_t i = 0; i < a->begin_count; ++i)
        if (!((m.ellipsis | m.new_axis) >> i & 1))
            --whole;
    s->start = 0;
    nest_begin(&s->nest, lane_bytes(c.in->dtype));
    for (uint32_t i = 0; i < a->begin_count; ++i) {
        if (m.ellipsis >> i & 1) {
            for (; whole > 0; --whole)
                add_range(s, &c, 0, 1);
        } else if (m.new_axis >> i & 1) {
            c.out_dim++;
        } else if (m.shrink >> i & 1) {
            const int64_t size = (int64_t)c.in->sizes[c.in_dim];
            const int64_t index = a->begin[i] < 0 ? a->begin[i] + size : a->begin[i];
            s->start += index * tensor_step(c.in, c.in_dim);
            c.in_dim++;
        } else {
            const int64_t step = call->attrs_given >> STRIDE & 1 ? a->stride[i] : 1;
            const int64_t size = (int64_t)c.in->sizes[c.in_dim];
            add_range(s, &c, first_of(a->begin[i], step, size, m.begin >> i & 1), step);
        }
    }
    for (; whole > 0; --whole)
        add_range(s, &c, 0, 1);
}

void slice_key(plan_key *key, const ts_call *call)
{
    const ts_openvino_strided_slice *a = call->attrs;
    const masks m = masks_of(call);
    plan_key_add(key, m.begin);
    plan_key_add(key, m.new_axis);
    plan_key_add(key, m.shrink);
    plan_key_add(key, m.ellipsis);
    plan_key_add(key, a->begin_count);
    for (uint32_t i = 0; i < a->begin_count; ++i) {
        plan_key_add(key, (uint64_t)a->begin[i]);
        plan_key_add(key, call->attrs_given >> STRIDE & 1 ? (uint64_t)a->stride[i] : 1);
    }
}
