/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/space_to_depth1.h"
#include "reference/dml_explain.h"

#include <inttypes.h>

enum { IN, OUT };
enum { BATCH, CHANNELS, HEIGHT, WIDTH, DIMS };

/* A channel of the output: the channel of the input, and the row and the column in the block. */
typedef struct depth_part {
    uint64_t channel, row, column;
} depth_part;

static depth_part part_of(const ts_descriptor *d, uint64_t depth)
{
    const ts_dml_space_to_depth1 *a = TS_ATTRS(ts_dml_space_to_depth1, d);
    const uint64_t block = a->BlockSize, area = block * block, channels = d->tensors[IN].sizes[CHANNELS];
    const uint64_t place = a->Order == TS_DEPTH_COLUMN_ROW ? depth / channels : depth % area;
    return (depth_part){ a->Order == TS_DEPTH_COLUMN_ROW ? depth % channels : depth / area, place / block,
                         place % block };
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_tensor *in = &d->tensors[IN];
    const uint64_t block = TS_ATTRS(ts_dml_space_to_depth1, d)->BlockSize, *to = e->to_coord;
    const depth_part part = part_of(d, to[CHANNELS]);
    e->from = IN;
    e->addresses = dml_explain_addresses(d);
    e->from_coord[BATCH] = to[BATCH];
    e->from_coord[CHANNELS] = part.channel;
    e->from_coord[HEIGHT] = to[HEIGHT] * block + part.row;
    e->from_coord[WIDTH] = to[WIDTH] * block + part.column;
    for (uint32_t i = 0; i < DIMS; ++i)
        e->outside = e->outside || e->from_coord[i] >= in->sizes[i];
    return true;
}

ts_explain dml_space_to_depth1_explain;
void dml_space_to_depth1_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_space_to_depth1 *a = TS_ATTRS(ts_dml_space_to_depth1, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    explain_step(x, "SD1-07 SD1-03 SD1-05 SD1-06", "Blocks of %u x %u elements become channels", a->BlockSize,
                 a->BlockSize);
    explain_say(x, "The input is { Batch, Channels, Height, Width }. Each block of BlockSize x BlockSize elements of a "
                   "channel becomes one element in BlockSize * BlockSize channels of the output.");
    explain_show(x, "InputTensor   %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "OutputTensor  %s", explain_list(out->sizes, out->rank).text);
    if (in->rank != DIMS || out->rank != DIMS || a->BlockSize == 0 || in->sizes[CHANNELS] == 0) {
        explain_say(x,
                    "There are no blocks, no channels, or not 4 dimensions, so no element of the output has a source.");
        return;
    }
    explain_step(x, "SD1-08 SD1-04", "Which channel of the output an element of a block belongs to");
    if (a->Order == TS_DEPTH_COLUMN_ROW)
        explain_show(
            x, "DEPTH_COLUMN_ROW: channel of the output = (row * %u + column) * %" PRIu64 " + channel of the input",
            a->BlockSize, in->sizes[CHANNELS]);
    else
        explain_show(x, "COLUMN_ROW_DEPTH: channel of the output = (channel of the input * %u + row) * %u + column",
                     a->BlockSize, a->BlockSize);
    explain_say(x, "Row and column are those in the block. No bit of an element changes (SD1-09).");
    dml_explain_strided(x, d);
    explain_step(x, "SD1-08 SD1-09", "Each element");
    explain_elements(x, d, OUT, source, d);
}
