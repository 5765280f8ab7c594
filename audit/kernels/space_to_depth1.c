/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPACE_TO_DEPTH1. Of dense tensors, each row of the input is dealt out to as many rows of the output as a block has
 * columns; if these rows are short and many, a thread per element finds its source by division. Blocks of one element
 * are one copy. Other layouts, and small tensors, take a strided copy in six loops.
 */
#include "audit/kernels/copy.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "reference/dml/space_to_depth1.h"

#include <string.h>

enum { IN, OUT };
enum { BATCH, CHANNELS, HEIGHT, WIDTH };
enum { WIDE = 8 };            /* columns of the output that are worth a row kernel */
enum { LEAST_THREADS = 512 }; /* elements of an output that threads compute */

/* How many channels of the output lie between two rows of a block, two columns of it, and two channels of the input. */
typedef struct channel_steps {
    uint64_t row, column, channel;
} channel_steps;

/* What is known of a dense call. Sizes are those of the output, but for the channels, which are the input's. */
typedef struct dense_blocks {
    uint32_t bytes, block;
    bool depth_first; /* the channel of the input counts fastest */
    uint64_t batches, channels, height, width;
    channel_steps steps;
    const unsigned char *from;
    unsigned char *to;
    uint32_t elements; /* threads: of the output, and the divisions that find the source of one */
    divisor by_width, by_height, by_block, by_channels, by_all;
} dense_blocks;

static plan_cache cache;
static copy_plan plans[PLAN_SLOTS];

static channel_steps steps_of(const ts_dml_space_to_depth1 *attrs, uint64_t channels)
{
    const uint64_t block = attrs->BlockSize;
    if (attrs->Order == TS_DEPTH_COLUMN_ROW)
        return (channel_steps){ block * channels, channels, 1 };
    return (channel_steps){ block, 1, block * block };
}

/* ---- dense tensors ---------------------------------------------------------------------------------------------- */

/* Deal out row y of the blocks in one row of the input: column x of all of them becomes a row of the output. */
static void deal_row(const dense_blocks *b, unsigned char *to, const unsigned char *from, uint64_t y)
{
    const uint64_t plane = b->height * b->width * b->bytes;
    unsigned char *first = to + y * b->steps.row * plane;
    for (uint32_t x = 0; x < b->block; ++x)
        row_any(first + x * b->steps.column * plane, b->bytes, from + x * b->bytes, (int64_t)b->block * b->bytes,
                b->bytes, b->width);
}

static void run_rows(const dense_blocks *b)
{
    const uint64_t row = b->width * b->bytes, plane = b->height * row, area = (uint64_t)b->block * b->block;
    const unsigned char *from = b->from;
    for (uint64_t n = 0; n < b->batches; ++n)
        for (uint64_t c = 0; c < b->channels; ++c) {
            unsigned char *to = b->to + (n * b->channels * area + c * b->steps.channel) * plane;
            for (uint64_t h = 0; h < b->height; ++h)
                for (uint64_t y = 0; y < b->block; ++y) {
                    deal_row(b, to + h * row, from, y);
                    from += row * b->block;
                }
        }
}

/* Split a channel of the output into row and column of a block and channel of the input. */
static void split_channel(const dense_blocks *b, uint32_t channel, uint32_t *y, uint32_t *x, uint32_t *c)
{
    if (b->depth_first) {
        const uint32_t place = divisor_split(&b->by_channels, channel, c);
        *y = divisor_split(&b->by_block, place, x);
    } else {
        const uint32_t place = divisor_split(&b->by_block, channel, x);
        *c = divisor_split(&b->by_block, place, y);
    }
}

static void one_thread(const dense_blocks *b, uint32_t element)
{
    uint32_t w, h, channel, y, x, c;
    const uint32_t line = divisor_split(&b->by_width, element, &w);
    const uint32_t plane = divisor_split(&b->by_height, line, &h);
    const uint32_t n = divisor_split(&b->by_all, plane, &channel);
    split_channel(b, channel, &y, &x, &c);
    const uint64_t row = ((n * b->channels + c) * b->height + h) * b->block + y;
    const uint64_t source = (row * b->width + w) * b->block + x;
    lane_copy(b->to + (uint64_t)element * b->bytes, b->from + source * b->bytes, b->bytes);
}

static void shader(const dispatch *d, void *context)
{
    const dense_blocks *b = context;
    const uint64_t first = d->first[0] * GRID_THREADS, threads = (uint64_t)d->groups[0] * GRID_THREADS;
    for (uint64_t element = first; element < first + threads; ++element)
        if (element < b->elements)
            one_thread(b, (uint32_t)element);
}

static void run_threads(dense_blocks *b, uint64_t elements)
{
    b->elements = (uint32_t)elements;
    b->by_width = divisor_of((uint32_t)b->width);
    b->by_height = divisor_of((uint32_t)b->height);
    b->by_block = divisor_of(b->block);
    b->by_channels = divisor_of((uint32_t)b->channels);
    b->by_all = divisor_of((uint32_t)b->channels * b->block * b->block);
    grid_dispatch((const uint64_t[3]){ (elements + GRID_THREADS - 1) / GRID_THREADS, 1, 1 }, shader, b);
}

static dense_blocks dense_of(const ts_call *call)
{
    const ts_dml_space_to_depth1 *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN), *out = ts_call_tensor(call, OUT);
    return (dense_blocks){ .bytes = lane_bytes(in->dtype),
                           .block = attrs->BlockSize,
                           .depth_first = attrs->Order == TS_DEPTH_COLUMN_ROW,
                           .batches = in->sizes[BATCH],
                           .channels = in->sizes[CHANNELS],
                           .height = out->sizes[HEIGHT],
                           .width = out->sizes[WIDTH],
                           .steps = steps_of(attrs, in->sizes[CHANNELS]),
                           .from = in->data,
                           .to = out->data };
}

/* ---- other layouts ---------------------------------------------------------------------------------------------- */

/* Steps of dimensions of one element, which may be any, do not count. */
static copy_plan make_plan(const ts_dml_space_to_depth1 *attrs, const ts_tensor *in, const ts_tensor *out)
{
    const int64_t block = attrs->BlockSize, channel = tensor_step(out, CHANNELS);
    const channel_steps steps = steps_of(attrs, in->sizes[CHANNELS]);
    copy_plan plan;
    nest loops;
    nest_begin(&loops, lane_bytes(in->dtype));
    nest_add(&loops, in->sizes[BATCH], tensor_step(out, BATCH), tensor_step(in, BATCH));
    nest_add(&loops, in->sizes[CHANNELS], (int64_t)steps.channel * channel, tensor_step(in, CHANNELS));
    nest_add(&loops, attrs->BlockSize, (int64_t)steps.row * channel, tensor_step(in, HEIGHT));
    nest_add(&loops, attrs->BlockSize, (int64_t)steps.column * channel, tensor_step(in, WIDTH));
    nest_add(&loops, out->sizes[HEIGHT], tensor_step(out, HEIGHT), block * tensor_step(in, HEIGHT));
    nest_add(&loops, out->sizes[WIDTH], tensor_step(out, WIDTH), block * tensor_step(in, WIDTH));
    copy_plan_make(&plan, &loops);
    return plan;
}

static void run_copy(const ts_call *call)
{
    const ts_dml_space_to_depth1 *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, IN), *out = ts_call_tensor(call, OUT);
    plan_key key = { .count = 0 };
    tensor_key(&key, in);
    tensor_key(&key, out);
    plan_key_add(&key, attrs->BlockSize);
    plan_key_add(&key, attrs->Order);
    bool found;
    copy_plan *plan = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        *plan = make_plan(attrs, in, out);
    copy_plan_run(plan, out->data, in->data);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static ts_status run(const ts_call *call)
{
    if (!tensor_is_dense(ts_call_tensor(call, IN)) || !tensor_is_dense(ts_call_tensor(call, OUT))) {
        run_copy(call);
        return TS_OK;
    }
    dense_blocks b = dense_of(call);
    const uint64_t elements = b.batches * b.channels * b.block * b.block * b.height * b.width;
    if (b.block == 1)
        copy_block(b.to, b.from, elements * b.bytes);
    else if (b.width >= WIDE)
        run_rows(&b);
    else if (elements >= LEAST_THREADS && elements <= INT32_MAX)
        run_threads(&b, elements);
    else
        run_copy(call);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

const kernel_operator kernel_space_to_depth1 = { "dml.space_to_depth1", run, reset };
