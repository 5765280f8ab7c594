/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/cpu/copy.h"

#include <stdbool.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define MAX_DIMS 16

/* From this many elements on it pays to look for a better order of the dimensions and to work in tiles. */
#define LARGE 4096

/* Edge of a tile in elements: its source lines, one per column, stay in the first-level cache even if they alias. */
#define TILE 16

/* ---- past the caches ----------------------------------------------------------------------------------------- */

/* Is a copy of this size, in rows of this size, faster with stores that bypass the caches? memcpy uses such stores only
   if a single row is large enough. If the rows of the source do not ascend, there is no gain: reads then dominate. */
static bool streams(uint64_t total, uint64_t row)
{
    return total >= (UINT64_C(16) << 20) && row >= 1024;
}

#if defined(__SSE2__)

/* Only whole cache lines are streamed: the edges are shared with the rows before and after, and half a line would be
   written twice. */
static void copy_stream(unsigned char *to, const unsigned char *from, size_t n)
{
    const size_t head = (64 - ((uintptr_t)to & 63)) & 63;
    memcpy(to, from, head);
    size_t i = head;
    for (; i + 64 <= n; i += 64) {
        const __m128i *source = (const __m128i *)(const void *)(from + i);
        __m128i *target = (__m128i *)(void *)(to + i);
        const __m128i a = _mm_loadu_si128(source);
        const __m128i b = _mm_loadu_si128(source + 1);
        const __m128i c = _mm_loadu_si128(source + 2);
        const __m128i d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    memcpy(to + i, from + i, n - i);
}

static void copy_stream_end(void)
{
    _mm_sfence();
}

#else

static void copy_stream(unsigned char *to, const unsigned char *from, size_t n)
{
    memcpy(to, from, n);
}

static void copy_stream_end(void)
{
}

#endif

/* ---- dimensions ------------------------------------------------------------------------------------------------ */

static uint64_t magnitude(int64_t step)
{
    return step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
}

uint32_t copy_fold(copy_dim *dims, uint32_t rank)
{
    /* Take the dimensions in order of target step; most arrive in it. */
    uint32_t n = 0;
    for (uint32_t i = 0; i < rank; ++i) {
        if (dims[i].count == 1)
            continue;
        const copy_dim dim = dims[i];
        uint32_t at = n++;
        for (; at > 0 && dims[at - 1].to < dim.to; --at)
            dims[at] = dims[at - 1];
        dims[at] = dim;
    }
    /* Merge from the inside out; `inner` is the dimension that grows. */
    if (n < 2)
        return n;
    uint32_t inner = n - 1;
    for (uint32_t i = n - 1; i-- > 0;) {
        const int64_t count = (int64_t)dims[inner].count;
        if (dims[i].to == dims[inner].to * count && dims[i].from == dims[inner].from * count)
            dims[inner].count *= dims[i].count;
        else
            dims[--inner] = dims[i];
    }
    n -= inner;
    if (inner > 0)
        memmove(dims, dims + inner, n * sizeof *dims);
    return n;
}

/* Rows of one element type. The common steps have loops of their own, because the compiler can then use vectors. */
#define DEFINE_ROWS(type, name)                                                                                        \
    static void name(unsigned char *to, const unsigned char *from, const copy_dim *outer, const copy_dim *inner)       \
    {                                                                                                                  \
        const int64_t size = (int64_t)sizeof(type);                                                                    \
        const int64_t n = (int64_t)inner->count;                                                                       \
        const int64_t to_step = inner->to;                                                                             \
        const int64_t from_step = inner->from;                                                                         \
        for (uint64_t row = outer->count; row > 0; --row, to += outer->to, from += outer->from) {                      \
            type *restrict target = (type *)(void *)to;                                                                \
            const type *restrict source = (const type *)(const void *)from;                                            \
            if (to_step == size && from_step == size) {                                                                \
                copy_bytes(to, from, (size_t)n * sizeof(type));                                                        \
            } else if (to_step == size && from_step == -size) {                                                        \
                for (int64_t i = 0; i < n; ++i)                                                                        \
                    target[i] = source[-i];                                                                            \
            } else if (to_step == size && from_step == 0) {                                                            \
                const type value = *source;                                                                            \
                for (int64_t i = 0; i < n; ++i)                                                                        \
                    target[i] = value;                                                                                 \
            } else if (to_step == size && from_step == 2 * size) {                                                     \
                for (int64_t i = 0; i < n; ++i)                                                                        \
                    target[i] = source[2 * i];                                                                         \
            } else {                                                                                                   \
                unsigned char *t = to;                                                                                 \
                const unsigned char *f = from;                                                                         \
                for (int64_t i = n; i > 0; --i, t += to_step, f += from_step)                                          \
                    memcpy(t, f, sizeof(type));                                                                        \
            }                                                                                                          \
        }                                                                                                              \
    }
DEFINE_ROWS(uint8_t, rows_1)
DEFINE_ROWS(uint16_t, rows_2)
DEFINE_ROWS(uint32_t, rows_4)
DEFINE_ROWS(uint64_t, rows_8)

static void rows(unsigned char *to, const unsigned char *from, uint32_t bytes, const copy_dim *outer,
                 const copy_dim *inner)
{
    switch (bytes) {
    case 1: rows_1(to, from, outer, inner); break;
    case 2: rows_2(to, from, outer, inner); break;
    case 4: rows_4(to, from, outer, inner); break;
    default: rows_8(to, from, outer, inner); break;
    }
}

/* A plane whose source runs across the rows, as a transposition does: in tiles, or every element is a cache miss. */
static void tiles(unsigned char *to, const unsigned char *from, uint32_t bytes, const copy_dim *outer,
                  const copy_dim *inner)
{
    copy_dim tall = *outer;
    copy_dim wide = *inner;
    for (uint64_t row = 0; row < outer->count; row += TILE) {
        tall.count = outer->count - row < TILE ? outer->count - row : TILE;
        for (uint64_t column = 0; column < inner->count; column += TILE) {
            wide.count = inner->count - column < TILE ? inner->count - column : TILE;
            rows(to + (int64_t)row * outer->to + (int64_t)column * inner->to,
                 from + (int64_t)row * outer->from + (int64_t)column * inner->from, bytes, &tall, &wide);
        }
    }
}

/* How the two innermost dimensions are walked. */
typedef enum plane_walk { BY_ROWS, IN_TILES, IN_STREAMS } plane_walk;

/* Two dimensions at once, and an odometer over those around them. */
static void planes(unsigned char *to, const unsigned char *from, uint32_t bytes, const copy_dim *dims, uint32_t rank,
                   plane_walk walk)
{
    const copy_dim *outer = &dims[rank - 2];
    const copy_dim *inner = &dims[rank - 1];
    uint64_t at[MAX_DIMS];
    for (uint32_t i = 0; i + 2 < rank; ++i)
        at[i] = 0;
    for (;;) {
        if (walk == BY_ROWS)
            rows(to, from, bytes, outer, inner);
        else if (walk == IN_TILES)
            tiles(to, from, bytes, outer, inner);
        else
            for (uint64_t row = 0; row < outer->count; ++row)
                copy_stream(to + (int64_t)row * outer->to, from + (int64_t)row * outer->from,
                            (size_t)inner->count * bytes);
        uint32_t i = rank - 2;
        for (;;) {
            if (i-- == 0)
                return;
            to += dims[i].to;
            from += dims[i].from;
            if (++at[i] < dims[i].count)
                break;
            to -= (int64_t)dims[i].count * dims[i].to;
            from -= (int64_t)dims[i].count * dims[i].from;
            at[i] = 0;
        }
    }
}

void copy_folded(void *to, const void *from, uint32_t bytes, const copy_dim *dims, uint32_t rank)
{
    if (rank < 2) {
        static const copy_dim once = { 1, 0, 0 };
        if (rank == 1) {
            rows(to, from, bytes, &once, dims);
        } else {
            copy_bytes(to, from, bytes);
        }
        return;
    }
    const copy_dim *inner = &dims[rank - 1];
    uint64_t elements = 1;
    for (uint32_t i = 0; i < rank; ++i)
        elements *= dims[i].count;
    if (inner->to == bytes && inner->from == bytes && dims[rank - 2].from > 0 &&
        streams(elements * bytes, inner->count * bytes)) {
        planes(to, from, bytes, dims, rank, IN_STREAMS);
        copy_stream_end();
        return;
    }
    if (elements < LARGE || magnitude(inner->from) <= 2 * (uint64_t)bytes) {
        planes(to, from, bytes, dims, rank, BY_ROWS);
        return;
    }
    /* Bring the dimension along which the source is densest next to the innermost one. */
    copy_dim order[MAX_DIMS];
    memcpy(order, dims, rank * sizeof *dims);
    uint32_t best = rank - 2;
    for (uint32_t i = 0; i + 2 < rank; ++i)
        if (magnitude(order[i].from) < magnitude(order[best].from))
            best = i;
    const copy_dim dense = order[best];
    memmove(order + best, order + best + 1, (rank - 2 - best) * sizeof *order);
    order[rank - 2] = dense;
    planes(to, from, bytes, order, rank, magnitude(dense.from) < magnitude(inner->from) ? IN_TILES : BY_ROWS);
}

void copy_strided(void *to, const void *from, uint32_t bytes, copy_dim *dims, uint32_t rank)
{
    copy_folded(to, from, bytes, dims, copy_fold(dims, rank));
}
