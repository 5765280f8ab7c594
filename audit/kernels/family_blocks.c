/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPACE_TO_DEPTH, SPACE_TO_DEPTH1 and their inverses: one tensor is flat, and the other one deep, with the elements of
 * blocks as channels. Of dense tensors, each row of the flat one is dealt out to as many rows of the deep one as a
 * block has columns, or collected from them; if these rows are short and many, a thread per element of the output finds
 * its source by division. Blocks of one element are one copy. Other layouts, and small tensors, take a strided copy in
 * six loops.
 */
#include "audit/kernels/copy.h"
#include "audit/kernels/grid.h"
#include "audit/kernels/kernels.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/rows.h"
#include "audit/kernels/scratch.h"
#include "audit/kernels/tensors.h"
#include "reference/dml/blocks.h"

#include <string.h>

enum { IN, OUT };
enum { BATCH, CHANNELS, HEIGHT, WIDTH };
enum { WIDE = 8 };            /* columns of the deep tensor that are worth a row kernel */
enum { LEAST_THREADS = 512 }; /* elements of an output that threads compute */

/* How many channels of the deep tensor lie between two rows of a block, two columns of it, and two channels of the flat
   tensor. */
typedef struct channel_steps {
    uint64_t row, column, channel;
} channel_steps;

/* A call. */
typedef struct moves {
    const ts_tensor *in, *out, *flat, *deep;
    uint32_t block;
    bool to_depth;    /* the input is flat */
    bool depth_first; /* the channel of the flat tensor counts fastest */
    channel_steps steps;
} moves;

/* What is known of a dense call. Sizes are those of the deep tensor, but for the channels, which are the flat one's. */
typedef struct dense_blocks {
    uint32_t bytes, block;
    bool to_depth, depth_first;
    uint64_t batches, channels, height, width;
    channel_steps steps;
    const unsigned char *from;
    unsigned char *to;
    uint32_t elements; /* threads: of the output, and the divisions that find the source of one */
    divisor by_width, by_height, by_block, by_channels, by_all;
} dense_blocks;

static plan_cache cache;
static copy_plan plans[PLAN_SLOTS];

static moves moves_of(const ts_call *call, bool to_depth, bool ordered)
{
    const ts_tensor *in = ts_call_tensor(call, IN), *out = ts_call_tensor(call, OUT);
    const ts_tensor *flat = to_depth ? in : out, *deep = to_depth ? out : in;
    const uint32_t block = ((const ts_dml_depth_to_space *)call->attrs)->BlockSize;
    const uint64_t rows = block, channels = flat->sizes[CHANNELS];
    moves m = { in, out, flat, deep, block, to_depth, true, { rows * channels, channels, 1 } };
    if (ordered && ((const ts_dml_depth_to_space1 *)call->attrs)->Order == TS_COLUMN_ROW_DEPTH) {
        m.depth_first = false;
        m.steps = (channel_steps){ rows, 1, rows * rows };
    }
    return m;
}

/* ---- dense tensors ---------------------------------------------------------------------------------------------- */

/* Row y of the blocks in one row of the flat tensor: column x of all of them is a row of the deep one. `flat` and
   `deep` are offsets. */
static void deal_row(const dense_blocks *b, uint64_t flat, uint64_t deep, uint64_t y)
{
    const uint64_t plane = b->height * b->width * b->bytes;
    const int64_t step = (int64_t)b->block * b->bytes;
    for (uint32_t x = 0; x < b->block; ++x) {
        const uint64_t at = deep + (y * b->steps.row + x * b->steps.column) * plane, place = flat + x * b->bytes;
        if (b->to_depth)
            row_any(b->to + at, b->bytes, b->from + place, step, b->bytes, b->width);
        else
            row_any(b->to + place, step, b->from + at, b->bytes, b->bytes, b->width);
    }
}

static void run_rows(const dense_blocks *b)
{
    const uint64_t row = b->width * b->bytes, plane = b->height * row, area = (uint64_t)b->block * b->block;
    uint64_t flat = 0;
    for (uint64_t n = 0; n < b->batches; ++n)
        for (uint64_t c = 0; c < b->channels; ++c) {
            const uint64_t deep = (n * b->channels * area + c * b->steps.channel) * plane;
            for (uint64_t h = 0; h < b->height; ++h)
                for (uint64_t y = 0; y < b->block; ++y) {
                    deal_row(b, flat, deep + h * row, y);
                    flat += row * b->block;
                }
        }
}

/* Split a channel of the deep tensor into row and column of a block and channel of the flat one. */
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

/* The place in the flat tensor of an element of the deep one. */
static uint64_t flat_place(const dense_blocks *b, uint32_t element)
{
    uint32_t w, h, channel, y, x, c;
    const uint32_t line = divisor_split(&b->by_width, element, &w);
    const uint32_t plane = divisor_split(&b->by_height, line, &h);
    const uint32_t n = divisor_split(&b->by_all, plane, &channel);
    split_channel(b, channel, &y, &x, &c);
    const uint64_t row = ((n * b->channels + c) * b->height + h) * b->block + y;
    return (row * b->width + w) * b->block + x;
}

/* The place in the deep tensor of an element of the flat one. */
static uint64_t deep_place(const dense_blocks *b, uint32_t element)
{
    uint32_t w, h, y, x, c;
    const uint32_t column = divisor_split(&b->by_block, element, &x);
    const uint32_t line = divisor_split(&b->by_width, column, &w);
    const uint32_t row = divisor_split(&b->by_block, line, &y);
    const uint32_t plane = divisor_split(&b->by_height, row, &h);
    const uint32_t n = divisor_split(&b->by_channels, plane, &c);
    const uint64_t channel = y * b->steps.row + x * b->steps.column + c * b->steps.channel;
    const uint64_t all = b->channels * b->block * b->block;
    return ((n * all + channel) * b->height + h) * b->width + w;
}

static void one_thread(const dense_blocks *b, uint32_t element)
{
    const uint64_t source = b->to_depth ? flat_place(b, element) : deep_place(b, element);
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

static dense_blocks dense_of(const moves *m)
{
    return (dense_blocks){ .bytes = lane_bytes(m->in->dtype),
                           .block = m->block,
                           .to_depth = m->to_depth,
                           .depth_first = m->depth_first,
                           .batches = m->in->sizes[BATCH],
                           .channels = m->flat->sizes[CHANNELS],
                           .height = m->deep->sizes[HEIGHT],
                           .width = m->deep->sizes[WIDTH],
                           .steps = m->steps,
                           .from = m->in->data,
                           .to = m->out->data };
}

/* ---- other layouts ---------------------------------------------------------------------------------------------- */

/* A loop that takes these steps in the two tensors. */
static void add_loop(nest *loops, const moves *m, uint64_t count, int64_t flat, int64_t deep)
{
    nest_add(loops, count, m->to_depth ? deep : flat, m->to_depth ? flat : deep);
}

/* Steps of dimensions of one element, which may be any, do not count. */
static copy_plan make_plan(const moves *m)
{
    const ts_tensor *flat = m->flat, *deep = m->deep;
    const int64_t block = m->block, channel = tensor_step(deep, CHANNELS);
    copy_plan plan;
    nest loops;
    nest_begin(&loops, lane_bytes(m->in->dtype));
    add_loop(&loops, m, flat->sizes[BATCH], tensor_step(flat, BATCH), tensor_step(deep, BATCH));
    add_loop(&loops, m, flat->sizes[CHANNELS], tensor_step(flat, CHANNELS), (int64_t)m->steps.channel * channel);
    add_loop(&loops, m, m->block, tensor_step(flat, HEIGHT), (int64_t)m->steps.row * channel);
    add_loop(&loops, m, m->block, tensor_step(flat, WIDTH), (int64_t)m->steps.column * channel);
    add_loop(&loops, m, deep->sizes[HEIGHT], block * tensor_step(flat, HEIGHT), tensor_step(deep, HEIGHT));
    add_loop(&loops, m, deep->sizes[WIDTH], block * tensor_step(flat, WIDTH), tensor_step(deep, WIDTH));
    copy_plan_make(&plan, &loops);
    return plan;
}

static void run_copy(const moves *m)
{
    plan_key key = { .count = 0 };
    tensor_key(&key, m->in);
    tensor_key(&key, m->out);
    plan_key_add(&key, m->block);
    plan_key_add(&key, m->depth_first);
    bool found;
    copy_plan *plan = &plans[plan_cache_slot(&cache, &key, &found)];
    if (!found)
        *plan = make_plan(m);
    copy_plan_run(plan, m->out->data, m->in->data);
}

/* ---- calls ------------------------------------------------------------------------------------------------------ */

static ts_status run(const moves *m)
{
    if (!tensor_is_dense(m->in) || !tensor_is_dense(m->out)) {
        run_copy(m);
        return TS_OK;
    }
    dense_blocks b = dense_of(m);
    const uint64_t elements = b.batches * b.channels * b.block * b.block * b.height * b.width;
    if (b.block == 1)
        copy_block(b.to, b.from, elements * b.bytes);
    else if (b.width >= WIDE)
        run_rows(&b);
    else if (elements >= LEAST_THREADS && elements <= INT32_MAX)
        run_threads(&b, elements);
    else
        run_copy(m);
    return TS_OK;
}

static void reset(void)
{
    memset(&cache, 0, sizeof cache);
    scratch_forget();
}

#define KERNEL(name, to_depth, ordered)                                                                                \
    static ts_status run_##name(const ts_call *call)                                                                   \
    {                                                                                                                  \
        const moves m = moves_of(call, to_depth, ordered);                                                             \
        return run(&m);                                                                                                \
    }                                                                                                                  \
    const kernel_operator kernel_##name = { "dml." #name, run_##name, reset };

KERNEL(depth_to_space, false, false)
KERNEL(depth_to_space1, false, true)
KERNEL(space_to_depth, true, false)
KERNEL(space_to_depth1, true, true)
