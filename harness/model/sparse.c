/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/sparse.h"

#include "harness/model/value.h"

/* Called for each part of a region: `at` counts from the tensor's first byte. Parts overlap. False ends the walk. */
typedef bool (*visit)(void *context, int64_t at, size_t bytes);

/* Skip the middle of dimensions that are too long to be walked through: of each, the first and the last coordinates
   remain, and those around 2^31, which fewest kernels count correctly. */
static void skip_middle(const ts_tensor *t, uint64_t *coord)
{
    const uint64_t half = UINT64_C(1) << 31;
    for (uint32_t i = 0; i < t->rank; ++i) {
        const uint64_t size = t->sizes[i], c = coord[i];
        if (size <= SPARSE_LONG || c < SPARSE_ENDS || c >= size - SPARSE_ENDS)
            continue;
        if (size > half + SPARSE_ENDS && c < half - SPARSE_ENDS)
            coord[i] = half - SPARSE_ENDS;
        else if (size <= half + SPARSE_ENDS || c >= half + SPARSE_ENDS)
            coord[i] = size - SPARSE_ENDS;
    }
}

bool sparse_next(const ts_tensor *t, uint64_t *coord)
{
    const bool more = tensor_next(t, coord);
    if (more)
        skip_middle(t, coord);
    return more;
}

/* The region is [-before, total_bytes + after). */
static bool each_part(const ts_tensor *t, size_t before, size_t after, visit part, void *context)
{
    const int64_t element = (int64_t)tensor_element_bytes(t->dtype), total = (int64_t)t->total_bytes;
    const int64_t low = -(int64_t)before, high = total + (int64_t)after;
    const int64_t edge = total < SPARSE_MARGIN ? total : SPARSE_MARGIN;
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    if (!part(context, low, (size_t)(edge - low)) || !part(context, total - edge, (size_t)(high - total + edge)))
        return false;
    if (!tensor_element_count(t, &count) || count == 0)
        return true;
    do {
        const int64_t at = (int64_t)tensor_offset(t, coord) * element;
        const int64_t from = at - SPARSE_MARGIN < low ? low : at - SPARSE_MARGIN;
        const int64_t to = at + element + SPARSE_MARGIN > high ? high : at + element + SPARSE_MARGIN;
        if (!part(context, from, (size_t)(to - from)))
            return false;
    } while (sparse_next(t, coord));
    return true;
}

typedef struct job {
    const ts_tensor *t;
    unsigned char *to;
    const unsigned char *from;
    unsigned char byte;
    fill fill;
    uint64_t key;
} job;

static bool set_part(void *context, int64_t at, size_t bytes)
{
    const job *j = context;
    memset(j->to + at, j->byte, bytes);
    return true;
}

static bool copy_part(void *context, int64_t at, size_t bytes)
{
    const job *j = context;
    memcpy(j->to + at, j->from + at, bytes);
    return true;
}

static bool same_part(void *context, int64_t at, size_t bytes)
{
    const job *j = context;
    return memcmp(j->to + at, j->from + at, bytes) == 0;
}

/* The whole elements of the buffer, and the bytes behind the last one. */
static bool fill_part(void *context, int64_t at, size_t bytes)
{
    const job *j = context;
    const uint64_t size = tensor_element_bytes(j->t->dtype), elements = j->t->total_bytes / size;
    const uint64_t end = (uint64_t)at + bytes;
    uint64_t position = (uint64_t)at / size;
    for (; position < elements && position * size < end; ++position)
        value_store_bits(j->t->dtype, j->to + position * size, fill_element(j->fill, j->t->dtype, position, j->key));
    for (uint64_t byte = elements * size; byte < end; ++byte)
        if (byte >= (uint64_t)at)
            j->to[byte] = FILL_REST;
    return true;
}

void sparse_set(const ts_tensor *t, const arena_place *p, unsigned char *base, unsigned char byte)
{
    job j = { .to = base, .byte = byte };
    each_part(t, p->before, p->after, set_part, &j);
}

void sparse_copy(const ts_tensor *t, const arena_place *p)
{
    job j = { .to = p->subject, .from = p->golden };
    each_part(t, p->before, p->after, copy_part, &j);
}

bool sparse_same(const ts_tensor *t, const arena_place *p)
{
    job j = { .to = p->subject, .from = p->golden };
    return each_part(t, p->before, p->after, same_part, &j);
}

void sparse_fill(const ts_tensor *t, fill f, uint64_t key)
{
    job j = { .t = t, .to = t->data, .fill = f, .key = key };
    each_part(t, 0, 0, fill_part, &j);
}
