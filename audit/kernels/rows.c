/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/rows.h"
#include "audit/kernels/lanes.h"

enum { BLOCK = 16, DOUBLE = 2 * BLOCK };

/* Bytes up to the next address that is a multiple of a block. */
static size_t to_boundary(const unsigned char *p)
{
    return (size_t)(-(uintptr_t)p & (BLOCK - 1));
}

static void copy_block(unsigned char *to, const unsigned char *from)
{
    unsigned char block[BLOCK];
    memcpy(block, from, BLOCK);
    memcpy(to, block, BLOCK);
}

/* Fewer than 16 bytes: 8, 4, 2 and 1 as the bits of the count say. */
static void copy_short(unsigned char *to, const unsigned char *from, size_t bytes)
{
    size_t at = 0;
    for (uint32_t width = BLOCK / 2; width > 0; width /= 2) {
        if (bytes & width) {
            lane_copy(to + at, from + at, width);
            at += width;
        }
    }
}

/* The target is aligned: two blocks at a time, then one, then the tail. */
static void copy_aligned(unsigned char *to, const unsigned char *from, size_t bytes)
{
    size_t at = 0;
    for (; at + DOUBLE <= bytes; at += DOUBLE) {
        copy_block(to + at, from + at);
        copy_block(to + at + BLOCK, from + at + BLOCK);
    }
    if (bytes - at >= BLOCK) {
        copy_block(to + at, from + at);
        at += BLOCK;
    }
    copy_short(to + at, from + at, bytes - at);
}

void row_copy(unsigned char *to, const unsigned char *from, size_t bytes)
{
    if (bytes < BLOCK) {
        copy_short(to, from, bytes);
        return;
    }
    const size_t head = to_boundary(to);
    if (head == to_boundary(from)) {
        copy_short(to, from, head);
        copy_aligned(to + head, from + head, bytes - head);
        return;
    }
    /* One side stays unaligned: whole blocks, and the last one ends with the row and overlaps the one before. */
    size_t at = 0;
    for (; at + BLOCK <= bytes; at += BLOCK)
        copy_block(to + at, from + at);
    if (at < bytes)
        copy_block(to + bytes - BLOCK, from + bytes - BLOCK);
}

void row_fill(unsigned char *to, const unsigned char *from, uint32_t bytes, uint64_t n)
{
    unsigned char pattern[BLOCK];
    const uint64_t lanes = BLOCK / bytes;
    for (uint32_t at = 0; at < BLOCK; at += bytes)
        lane_copy(pattern + at, from, bytes);
    uint64_t i = 0;
    for (; i + lanes <= n; i += lanes, to += BLOCK)
        memcpy(to, pattern, BLOCK);
    for (; i < n; ++i, to += bytes)
        lane_copy(to, pattern, bytes);
}

void row_reverse(unsigned char *to, const unsigned char *from, uint32_t bytes, uint64_t n)
{
    unsigned char block[BLOCK], turned[BLOCK];
    const uint64_t lanes = BLOCK / bytes;
    uint64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        memcpy(block, from - (lanes - 1) * bytes, BLOCK);
        for (uint32_t at = 0; at < BLOCK; at += bytes)
            lane_copy(turned + at, block + (BLOCK - bytes - at), bytes);
        memcpy(to, turned, BLOCK);
        to += BLOCK;
        from -= BLOCK;
    }
    for (; i < n; ++i) {
        lane_copy(to, from, bytes);
        to += bytes;
        from -= bytes;
    }
}

void row_halve(unsigned char *to, const unsigned char *from, uint32_t bytes, uint64_t n)
{
    unsigned char both[DOUBLE], kept[BLOCK];
    const uint64_t lanes = BLOCK / bytes;
    uint64_t i = 0;
    /* The two blocks end one element behind the last that is kept: the end of the row may be the end of the tensor. */
    for (; i + lanes < n; i += lanes) {
        memcpy(both, from, DOUBLE);
        for (uint32_t at = 0; at < BLOCK; at += bytes)
            lane_copy(kept + at, both + 2 * at, bytes);
        memcpy(to, kept, BLOCK);
        to += BLOCK;
        from += DOUBLE;
    }
    for (; i < n; ++i) {
        lane_copy(to, from, bytes);
        to += bytes;
        from += 2 * bytes;
    }
}

void row_pick(unsigned char *to, const unsigned char *from, int64_t step, uint32_t bytes, uint64_t n)
{
    unsigned char block[BLOCK];
    const uint64_t lanes = BLOCK / bytes;
    uint64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        for (uint32_t at = 0; at < BLOCK; at += bytes) {
            lane_copy(block + at, from, bytes);
            from += step;
        }
        memcpy(to, block, BLOCK);
        to += BLOCK;
    }
    for (; i < n; ++i) {
        lane_copy(to, from, bytes);
        to += bytes;
        from += step;
    }
}

void row_spread(unsigned char *to, int64_t step, const unsigned char *from, uint32_t bytes, uint64_t n)
{
    unsigned char block[BLOCK];
    const uint64_t lanes = BLOCK / bytes;
    uint64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        memcpy(block, from, BLOCK);
        for (uint32_t at = 0; at < BLOCK; at += bytes) {
            lane_copy(to, block + at, bytes);
            to += step;
        }
        from += BLOCK;
    }
    for (; i < n; ++i) {
        lane_copy(to, from, bytes);
        to += step;
        from += bytes;
    }
}

void row_move(unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step, uint32_t bytes,
              uint64_t n)
{
    uint64_t i = 0;
    for (; i + 4 <= n; i += 4) {
        lane_copy(to, from, bytes);
        lane_copy(to + to_step, from + from_step, bytes);
        lane_copy(to + 2 * to_step, from + 2 * from_step, bytes);
        lane_copy(to + 3 * to_step, from + 3 * from_step, bytes);
        to += 4 * to_step;
        from += 4 * from_step;
    }
    for (; i < n; ++i) {
        lane_copy(to, from, bytes);
        to += to_step;
        from += from_step;
    }
}

void row_any(unsigned char *to, int64_t to_step, const unsigned char *from, int64_t from_step, uint32_t bytes,
             uint64_t n)
{
    const int64_t width = bytes;
    if (to_step != width) {
        if (from_step == width)
            row_spread(to, to_step, from, bytes, n);
        else
            row_move(to, to_step, from, from_step, bytes, n);
    } else if (from_step == width) {
        row_copy(to, from, (size_t)n * bytes);
    } else if (from_step == 0) {
        row_fill(to, from, bytes, n);
    } else if (from_step == -width) {
        row_reverse(to, from, bytes, n);
    } else if (from_step == 2 * width) {
        row_halve(to, from, bytes, n);
    } else {
        row_pick(to, from, from_step, bytes, n);
    }
}
