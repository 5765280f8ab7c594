/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/space_to_depth1.h"
#include "reference/dml_suggest.h"

#include <inttypes.h>

#define MOST_TRIED 65536
#define MOST_NAMED 8

enum { IN, HEIGHT = 2, WIDTH = 3 };

ts_suggest dml_space_to_depth1_suggest_order, dml_space_to_depth1_suggest_block;

void dml_space_to_depth1_suggest_order(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "Order = DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW = 0 or "
                     "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH = 1");
}

/* The smallest numbers that divide the height and the width of the input. */
void dml_space_to_depth1_suggest_block(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_tensor *in = &d->tensors[IN];
    (void)v;
    suggest_add(out, "BlockSize = 1");
    if (in->rank != WIDTH + 1 || in->sizes[HEIGHT] == 0 || in->sizes[WIDTH] == 0)
        return;
    unsigned named = 1;
    for (uint64_t block = 2; block <= MOST_TRIED && named < MOST_NAMED; ++block) {
        if (in->sizes[HEIGHT] % block != 0 || in->sizes[WIDTH] % block != 0)
            continue;
        suggest_add(out, ", %" PRIu64, block);
        ++named;
    }
    suggest_add(out, ", which divide%s InputTensor.Sizes[2] = %" PRIu64 " and InputTensor.Sizes[3] = %" PRIu64,
                named == 1 ? "s" : "", in->sizes[HEIGHT], in->sizes[WIDTH]);
}
