/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/layout.h"

static const char *const names[LAYOUT_COUNT] = {
    "packed",       "explicit",        "padded",         "transposed",    "nhwc",        "gaps",
    "loose",        "broadcast-first", "broadcast-last", "broadcast-all", "overlapping", "far-bytes",
    "far-elements", "far-inner",       "far-beyond",     "strides",
};

const char *layout_name(layout l)
{
    return l < LAYOUT_COUNT ? names[l] : "?";
}

bool layout_injective(layout l)
{
    return l < LAYOUT_BROADCAST_FIRST || l >= LAYOUT_NEAR_COUNT;
}

/* A number and some more; 2^64 - 1 where that is less. */
static uint64_t padded(uint64_t number, uint64_t more)
{
    return number > UINT64_MAX - more ? UINT64_MAX : number + more;
}

/* Strides for storing the dimensions in this order, outermost first, without gaps. */
static void store_in_order(ts_tensor *t, const uint32_t *order)
{
    uint64_t stride = 1;
    for (uint32_t i = t->rank; i-- > 0;) {
        t->strides[order[i]] = stride;
        stride = tensor_next_stride(stride, t->sizes[order[i]]);
    }
}

/* Packed, except that the outermost (or innermost) dimension of more than one element has a stride of at least `step`.
 */
static void step_far(ts_tensor *t, bool inner, uint64_t step)
{
    uint32_t far = t->rank;
    uint64_t stride = 1;
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] > 1 && (inner || far == t->rank))
            far = i;
    for (uint32_t i = t->rank; i-- > 0;) {
        t->strides[i] = stride;
        if (i != far)
            stride = tensor_next_stride(stride, t->sizes[i]);
    }
    if (far < t->rank)
        t->strides[far] = stride > step ? stride : step;
}

bool layout_apply(layout l, ts_tensor *t)
{
    uint32_t order[TS_MAX_DIMS], n = 0;
    uint32_t rank = t->rank;
    t->given |= TS_GIVEN_STRIDES;
    switch (l) {
    case LAYOUT_PACKED:
        t->given &= ~TS_GIVEN_STRIDES;
        tensor_pack(t);
        break;
    case LAYOUT_TRANSPOSED:
        for (uint32_t i = rank; i-- > 0;)
            order[n++] = i;
        store_in_order(t, order);
        break;
    case LAYOUT_NHWC:
        for (uint32_t i = 0; i < rank; ++i)
            if (i != (rank < 3 ? 0 : 1))
                order[n++] = i;
        if (rank > 0)
            order[n++] = rank < 3 ? 0 : 1;
        store_in_order(t, order);
        break;
    case LAYOUT_PADDED: {
        uint64_t stride = 1;
        for (uint32_t i = rank; i-- > 0;) {
            t->strides[i] = stride;
            stride = tensor_next_stride(stride, padded(t->sizes[i], i + 1 == rank ? 3 : i + 2 == rank ? 1 : 0));
        }
        break;
    }
    case LAYOUT_GAPS: {
        uint64_t stride = 2;
        for (uint32_t i = rank; i-- > 0;) {
            t->strides[i] = stride;
            stride = padded(tensor_next_stride(stride, t->sizes[i]), 1);
        }
        break;
    }
    case LAYOUT_LOOSE:
        tensor_pack(t);
        for (uint32_t i = 0; i < rank; ++i)
            if (t->sizes[i] == 1)
                t->strides[i] = i % 2 ? 0xFFFFFFFFu : 77;
        break;
    case LAYOUT_BROADCAST_FIRST:
    case LAYOUT_BROADCAST_LAST: {
        uint64_t stride = 1;
        uint32_t zero = rank;
        for (uint32_t i = 0; i < rank; ++i)
            if (t->sizes[i] > 1 && (l == LAYOUT_BROADCAST_LAST || zero == rank))
                zero = i;
        for (uint32_t i = rank; i-- > 0;) {
            t->strides[i] = i == zero ? 0 : stride;
            if (i != zero)
                stride = tensor_next_stride(stride, t->sizes[i]);
        }
        break;
    }
    case LAYOUT_BROADCAST_ALL:
        for (uint32_t i = 0; i < rank; ++i)
            t->strides[i] = 0;
        break;
    case LAYOUT_OVERLAPPING:
        for (uint32_t i = 0; i < rank; ++i)
            t->strides[i] = 1;
        break;
    case LAYOUT_FAR_BYTES: {
        size_t element = tensor_element_bytes(t->dtype);
        step_far(t, false, (UINT64_C(1) << 31) / (element ? element : 1) - 1);
        break;
    }
    case LAYOUT_FAR_ELEMENTS:
    case LAYOUT_FAR_INNER: step_far(t, l == LAYOUT_FAR_INNER, (UINT64_C(1) << 31) - 2); break;
    case LAYOUT_FAR_BEYOND: step_far(t, false, (UINT64_C(1) << 32) - 1); break;
    default: tensor_pack(t); break;
    }
    return tensor_min_bytes(t, &t->total_bytes);
}
