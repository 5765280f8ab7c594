/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of many contiguous blocks of one size, which are numbered: the place of a block comes from its number. */
#ifndef TOUCHSTONE_KERNELS_BLOCKS_H
#define TOUCHSTONE_KERNELS_BLOCKS_H

#include "audit/kernels/divmod.h"
#include "audit/kernels/nest.h"

typedef struct blocks {
    uint64_t bytes; /* of each block */
    uint32_t count;
    nest outer; /* the loops around a block */
    divisor divisors[NEST_RANK];
} blocks;

/* Describe a nest by blocks. False if its innermost loop is not contiguous on both sides, or its offsets need more than
   32 bits. */
bool blocks_make(blocks *b, const nest *n);

/* Copy all blocks: the first half in one thread, the others in a second one. */
void blocks_run(const blocks *b, unsigned char *to, const unsigned char *from);

#endif
