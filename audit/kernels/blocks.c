/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/blocks.h"
#include "audit/kernels/copy.h"

bool blocks_make(blocks *b, const nest *n)
{
    b->outer = *n;
    nest_merge(&b->outer);
    if (b->outer.rank == 0 || !nest_fits_32(&b->outer))
        return false;
    const loop *inner = &b->outer.loops[b->outer.rank - 1];
    if (inner->to != n->bytes || inner->from != n->bytes)
        return false;
    b->bytes = inner->size * n->bytes;
    b->outer.rank--;
    b->count = (uint32_t)nest_count(&b->outer, b->outer.rank);
    for (uint32_t k = 0; k < b->outer.rank; ++k)
        b->divisors[k] = divisor_of((uint32_t)b->outer.loops[k].size);
    return true;
}

/* The blocks of one thread. */
static void part(const blocks *b, unsigned char *to, const unsigned char *from, uint32_t first, uint32_t end)
{
    for (uint32_t number = first; number < end; ++number) {
        uint32_t rest = number;
        int32_t to_offset = 0;
        int32_t from_offset = 0;
        for (uint32_t k = b->outer.rank; k-- > 0;) {
            uint32_t at;
            rest = divisor_split(&b->divisors[k], rest, &at);
            to_offset += (int32_t)at * (int32_t)b->outer.loops[k].to;
            from_offset += (int32_t)at * (int32_t)b->outer.loops[k].from;
        }
        copy_block(to + to_offset, from + from_offset, b->bytes);
    }
}

void blocks_run(const blocks *b, unsigned char *to, const unsigned char *from)
{
    const uint32_t seam = (b->count + 1) / 2;
    part(b, to, from, 0, seam);
    part(b, to, from, seam, b->count);
}
