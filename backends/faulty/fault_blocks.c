/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of SPACE_TO_DEPTH1: blocks that become channels, and what is judged of them. */
#include "backends/faulty/fault_path.h"
#include "reference/dml/space_to_depth1.h"

enum { BATCH, CHANNELS, HEIGHT, WIDTH };

/* Where an element of the output comes from: batch, channel of the input, block, and its row and column there. */
typedef struct source {
    uint64_t n, c, h, w, y, x;
} source;

static const ts_dml_space_to_depth1 *attrs_of(const fault_path *p)
{
    return TS_ATTRS(ts_dml_space_to_depth1, p->call->d);
}

static source source_of(const fault_path *p, const fault_place *e)
{
    const uint64_t *in = p->call->in->sizes, *out = p->call->out->sizes, block = attrs_of(p)->BlockSize;
    const uint64_t line = e->number / out[WIDTH], plane = line / out[HEIGHT], k = plane % out[CHANNELS];
    source s = { .n = plane / out[CHANNELS], .h = line % out[HEIGHT], .w = e->number % out[WIDTH] };
    if (attrs_of(p)->Order == TS_DEPTH_COLUMN_ROW) {
        s.c = k % in[CHANNELS];
        s.x = k / in[CHANNELS] % block;
        s.y = k / in[CHANNELS] / block;
    } else {
        s.x = k % block;
        s.y = k / block % block;
        s.c = k / block / block;
    }
    return s;
}

/* Take the element from there. */
static void take(const fault_path *p, fault_place *e, const source *s)
{
    const uint64_t *strides = p->call->in->strides, block = attrs_of(p)->BlockSize;
    e->from = (int64_t)(s->n * strides[BATCH] + s->c * strides[CHANNELS] + (s->h * block + s->y) * strides[HEIGHT] +
                        (s->w * block + s->x) * strides[WIDTH]);
}

static bool any(const fault_path *p)
{
    (void)p;
    return true;
}

/* ---- the sentences of the page ----------------------------------------------------------------------------------- */

static void exchanged(const fault_path *p, fault_place *e)
{
    source s = source_of(p, e);
    const uint64_t y = s.y;
    s.y = s.x;
    s.x = y;
    take(p, e, &s);
}

static bool of_columns(const fault_path *p)
{
    return attrs_of(p)->Order == TS_COLUMN_ROW_DEPTH;
}

static void depth_first(const fault_path *p, fault_place *e)
{
    const uint64_t channels = p->call->in->sizes[CHANNELS], block = attrs_of(p)->BlockSize;
    source s = source_of(p, e);
    const uint64_t k = (s.c * block + s.y) * block + s.x;
    s.c = k % channels;
    s.x = k / channels % block;
    s.y = k / channels / block;
    take(p, e, &s);
}

/* ---- code paths -------------------------------------------------------------------------------------------------- */

/* Pairs of columns: the last one of an odd number has no neighbour. */
static bool odd_pairs(const fault_path *p)
{
    return attrs_of(p)->BlockSize == 2 && p->call->out->sizes[WIDTH] > 1 && p->call->out->sizes[WIDTH] % 2 == 1;
}

static void first_of_pair(const fault_path *p, fault_place *e)
{
    source s = source_of(p, e);
    if (s.w + 1 < p->call->out->sizes[WIDTH])
        return;
    s.x = 0;
    take(p, e, &s);
}

/* The row of a block below is found by the number of columns. */
static void dense_rows(const fault_path *p, fault_place *e)
{
    const source s = source_of(p, e);
    const int64_t row = (int64_t)(p->call->in->sizes[WIDTH] * p->call->in->strides[WIDTH]);
    e->from += (int64_t)s.y * (row - (int64_t)p->call->in->strides[HEIGHT]);
}

static bool many_channels(const fault_path *p)
{
    return p->call->out->sizes[CHANNELS] > 65536;
}

static void channel_16(const fault_path *p, fault_place *e)
{
    const uint64_t *out = p->call->out->sizes;
    e->unwritten = e->number / out[WIDTH] / out[HEIGHT] % out[CHANNELS] > 65535;
}

static bool rest_of_four(const fault_path *p)
{
    return p->call->in->sizes[CHANNELS] > 4 && p->call->in->sizes[CHANNELS] % 4 != 0;
}

static void no_rest(const fault_path *p, fault_place *e)
{
    const source s = source_of(p, e);
    e->unwritten = s.c >= fault_floor(p->call->in->sizes[CHANNELS], 4);
}

static bool tall(const fault_path *p)
{
    return attrs_of(p)->BlockSize > 8;
}

static void first_rows(const fault_path *p, fault_place *e)
{
    const source s = source_of(p, e);
    e->unwritten = s.y >= 8;
}

/* ---- judgment ---------------------------------------------------------------------------------------------------- */

static bool accept_order(const fault_call *call, const ts_report *report)
{
    (void)call;
    return fault_forgives(report, "SD1-04");
}

static bool accept_rest(const fault_call *call, const ts_report *report)
{
    (void)call;
    return fault_forgives(report, "SD1-06");
}

static bool reject_large(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && TS_ATTRS(ts_dml_space_to_depth1, call->d)->BlockSize <= 8;
}

static const fault rows[] = {
    { "block-order", ON_SPACE_TO_DEPTH, MEANING, "Order is ignored: channels have DEPTH_COLUMN_ROW",
      .takes = of_columns, .wrong = depth_first },
    { "block-exchanged", ON_SPACE_TO_DEPTH, MEANING, "rows and columns of a block are exchanged", .takes = any,
      .wrong = exchanged },
    { "block-pairs", ON_SPACE_TO_DEPTH, TAILS, "the last of an odd number of pairs of columns repeats its first one",
      .takes = odd_pairs, .wrong = first_of_pair },
    { "block-rows", ON_SPACE_TO_DEPTH, LAYOUTS, "the rows of a block are found as if the input had no padding",
      .takes = any, .wrong = dense_rows },
    { "block-channel-16", ON_SPACE_TO_DEPTH, MAGNITUDES, "channels of the output are counted in 16 bits",
      .takes = many_channels, .wrong = channel_16 },
    { "block-four-channels", ON_SPACE_TO_DEPTH, COUNTS,
      "of more than 4 channels, copied four at a time, a rest is lost", .takes = rest_of_four, .wrong = no_rest },
    { "block-tall", ON_SPACE_TO_DEPTH, COUNTS, "of blocks of more than 8 rows the first 8 are copied", .takes = tall,
      .wrong = first_rows },
    { "accept-order", ON_SPACE_TO_DEPTH, REFUSAL, "any value of Order is accepted", .judge = accept_order },
    { "accept-part-of-block", ON_SPACE_TO_DEPTH, REFUSAL, "rows and columns that fill no block are accepted",
      .judge = accept_rest },
    { "reject-large-block", ON_SPACE_TO_DEPTH, ACCEPTANCE, "blocks of more than 8 rows are refused",
      .judge = reject_large },
};

const fault_table fault_blocks = { rows, sizeof rows / sizeof *rows };
