/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/space_to_depth1.h"
#include "reference/dml_suggest.h"

#define MOST_TRIED 65536
#define MOST_NAMED 8

enum { IN, HEIGHT = 2, WIDTH = 3 };

ts_suggest dml_space_to_depth1_suggest_order, dml_space_to_depth1_suggest_block;

void dml_space_to_depth1_suggest_order(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_values(d, out, "Order", 0, (const int64_t[]){ 0, 1 }, 2);
}

/* The smallest numbers that divide the height and the width of the input. */
void dml_space_to_depth1_suggest_block(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_tensor *in = &d->tensors[IN];
    int64_t blocks[MOST_NAMED] = { 1 };
    unsigned count = 1;
    (void)v;
    const bool sized = in->rank == WIDTH + 1 && in->sizes[HEIGHT] != 0 && in->sizes[WIDTH] != 0;
    for (uint64_t block = 2; sized && block <= MOST_TRIED && count < MOST_NAMED; ++block)
        if (in->sizes[HEIGHT] % block == 0 && in->sizes[WIDTH] % block == 0)
            blocks[count++] = (int64_t)block;
    suggest_values(d, out, "BlockSize", 0, blocks, count);
}
