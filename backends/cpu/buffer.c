/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/cpu/buffer.h"

#include <stddef.h>

/* Bytes of one element by ts_dtype; 0 for types that have no whole number of them. */
static const uint8_t element_bytes[TS_DTYPE_COUNT] = { 0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 0, 0, 2, 1 };

/* ---- BUF-12: do two coordinates of an output share an address? ----------------------------------------------- */

/* One dimension that can move an address. */
typedef struct lane {
    uint64_t stride;
    uint64_t last;  /* size - 1 */
    uint64_t reach; /* the largest sum of offsets of the following dimensions, which have smaller strides */
} lane;

/* The search refuses a layout as too complex after so many nodes. */
#define SEARCH_BUDGET (1u << 20)

/* Two coordinates share an address exactly if some non-zero difference of coordinates has the offset 0. Is there such a
   difference that continues a partial sum? Going from the largest stride down, the remaining dimensions can compensate
   at most `reach`, so few differences have to be tried. */
static bool meets(const lane *lanes, unsigned n, int64_t sum, bool moved, unsigned *budget)
{
    if (n == 0)
        return moved && sum == 0;
    if (*budget == 0)
        return true;
    --*budget;
    const int64_t stride = (int64_t)lanes->stride;
    const int64_t reach = (int64_t)lanes->reach;
    const int64_t last = (int64_t)lanes->last;
    /* |sum + difference * stride| <= reach */
    int64_t low = -last;
    int64_t high = last;
    const int64_t below = -reach - sum;
    const int64_t above = reach - sum;
    const int64_t from = below >= 0 ? (below + stride - 1) / stride : -((-below) / stride);
    const int64_t to = above >= 0 ? above / stride : -((-above + stride - 1) / stride);
    if (from > low)
        low = from;
    if (to < high)
        high = to;
    if (!moved && low < 0)
        low = 0; /* it is enough to search positive first differences, by symmetry */
    for (int64_t difference = low; difference <= high; ++difference)
        if (meets(lanes + 1, n - 1, sum + difference * stride, moved || difference != 0, budget))
            return true;
    return false;
}

static bool overlaps(const buffer *b)
{
    lane lanes[TS_MAX_DIMS];
    unsigned n = 0;
    uint64_t span = 1;
    for (uint32_t i = 0; i < b->rank; ++i) {
        if (b->sizes[i] < 2)
            continue;
        if (b->strides[i] == 0)
            return true;
        unsigned at = n++;
        for (; at > 0 && lanes[at - 1].stride < b->strides[i]; --at)
            lanes[at] = lanes[at - 1];
        lanes[at].stride = b->strides[i];
        lanes[at].last = b->sizes[i] - 1;
        span += lanes[at].last * lanes[at].stride;
    }
    if (b->elements > span)
        return true; /* more coordinates than addresses */
    uint64_t reach = 0;
    bool nested = true;
    for (unsigned i = n; i-- > 0;) {
        lanes[i].reach = reach;
        nested = nested && lanes[i].stride > reach;
        reach += lanes[i].last * lanes[i].stride;
    }
    if (nested)
        return false; /* each dimension steps over the span of the inner ones: the usual case */
    unsigned budget = SEARCH_BUDGET;
    return meets(lanes, n, 0, false, &budget);
}

/* ---- the descriptors ----------------------------------------------------------------------------------------- */

bool buffer_check(buffer *b, const ts_tensor *t, buffer_role role, uint32_t types, uint32_t min_rank, uint32_t max_rank)
{
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL) /* BUF-01, BUF-06 */
        return false;
    if (t->dtype >= TS_DTYPE_COUNT || !(types & BUFFER_BIT(t->dtype))) /* BUF-02 and the operator's table */
        return false;
    if (t->flags > (role == BUFFER_OUTPUT ? 0u : 1u)) /* BUF-03, BUF-04 */
        return false;
    if (t->rank < min_rank || t->rank > max_rank) /* BUF-05 and the operator's table; never more than 8 */
        return false;
    const uint32_t bytes = element_bytes[t->dtype];
    if (t->alignment != 0 && (t->alignment < bytes || (t->alignment & (t->alignment - 1)) != 0)) /* BUF-14 */
        return false;

    /* Sizes, then span and count together: each bound is checked before it could overflow 64 bits. */
    const bool strided = (t->given & TS_GIVEN_STRIDES) != 0;
    uint64_t elements = 1;
    uint64_t last = 0;
    bool packed = true;
    for (uint32_t i = t->rank; i-- > 0;) {
        const uint64_t size = t->sizes[i];
        const uint64_t stride = strided ? t->strides[i] : elements;
        if (size - 1 >= UINT32_MAX) /* BUF-06; BUF-11: 0 wraps to the top */
            return false;
        b->strides[i] = 0;
        if (size == 1)
            continue; /* BUF-08: its stride does not matter */
        b->strides[i] = stride;
        if (stride > UINT32_MAX)
            return false;
        packed = packed && stride == elements;
        last += (size - 1) * stride;
        elements *= size;
        if (last >= UINT32_MAX || elements > UINT32_MAX) /* BUF-11 */
            return false;
    }
    if (t->total_bytes < (((last + 1) * bytes + 3) & ~(uint64_t)3)) /* BUF-09, BUF-10 */
        return false;
    b->data = t->data;
    b->rank = t->rank;
    b->bytes = bytes;
    b->packed = packed;
    b->elements = elements;
    b->sizes = t->sizes;
    return role == BUFFER_INPUT || packed || !overlaps(b); /* BUF-12 */
}

bool buffer_check_openvino(buffer *b, const ts_tensor *t)
{
    if ((t->given & TS_GIVEN_ALL) != TS_GIVEN_ALL)
        return false;
    if (t->dtype >= TS_DTYPE_COUNT || element_bytes[t->dtype] == 0)
        return false;
    if (t->rank > TS_MAX_DIMS)
        return false;
    bool empty = false;
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] > INT64_MAX)
            return false;
        empty = empty || t->sizes[i] == 0;
    }
    /* The size of the buffer bounds the span, so each dimension is checked before its part could overflow. */
    const uint32_t bytes = element_bytes[t->dtype];
    const uint64_t room = t->total_bytes / bytes;
    const bool strided = (t->given & TS_GIVEN_STRIDES) != 0;
    uint64_t elements = 1;
    uint64_t last = 0;
    for (uint32_t i = t->rank; i-- > 0;) {
        const uint64_t size = t->sizes[i];
        const uint64_t stride = strided ? t->strides[i] : elements;
        b->strides[i] = 0;
        elements *= size; /* overflows only with strides of 0, where it does not matter */
        if (size <= 1 || empty)
            continue;
        b->strides[i] = stride;
        if (stride != 0 && size - 1 > (room - last) / stride)
            return false;
        last += (size - 1) * stride;
    }
    if (!empty && last >= room)
        return false;
    b->data = t->data;
    b->rank = t->rank;
    b->bytes = bytes;
    b->packed = false; /* not used */
    b->elements = empty ? 0 : 1;
    b->sizes = t->sizes;
    return true;
}
