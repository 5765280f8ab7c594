/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: SPACE_TO_DEPTH1, invented and reported. */
#include "backends/planted/third.h"

#include "reference/dml/space_to_depth1.h"

static const ts_dml_space_to_depth1 *attrs_of(const fault_call *call)
{
    return TS_ATTRS(ts_dml_space_to_depth1, call->d);
}

static bool depth_first(const fault_call *call)
{
    return attrs_of(call)->Order == TS_DEPTH_COLUMN_ROW;
}

static bool batches_of_oblongs(const fault_call *call)
{
    return !depth_first(call) && call->out->sizes[0] > 1 && call->out->sizes[2] != call->out->sizes[3];
}

/* Rows and columns of the blocks are unfolded by each other's number, behind the first batch. */
static void unfolded(third_place *e)
{
    const uint64_t block = attrs_of(e->call)->BlockSize, rows = e->call->out->sizes[2];
    const uint64_t n = e->at[2] * e->call->out->sizes[3] + e->at[3];
    if (e->at[0] == 0)
        return;
    e->from[2] = n / rows * block + e->from[2] % block;
    e->from[3] = n % rows * block + e->from[3] % block;
}

static bool halves_by_three(const fault_call *call)
{
    const uint32_t block = attrs_of(call)->BlockSize;
    return tensor_element_bytes(call->out->dtype) == 2 && block > 2 && !fault_power_of_two(block);
}

/* The place in a block is found by a mask. */
static void masked(third_place *e)
{
    const uint64_t block = attrs_of(e->call)->BlockSize, y = e->from[2] % block, x = e->from[3] % block;
    e->from[2] += (y & (block - 1)) - y;
    e->from[3] += (x & (block - 1)) - x;
}

static bool pitched_rows(const fault_call *call)
{
    return call->in->strides[3] == 1 && call->in->strides[2] > call->in->sizes[3] && attrs_of(call)->BlockSize > 1;
}

/* The second row of a block is as far away as the input is wide. */
static void pitch_is_width(third_place *e)
{
    const ts_tensor *in = e->call->in;
    const uint64_t y = e->from[2] % attrs_of(e->call)->BlockSize;
    e->read_offset = (int64_t)(tensor_offset(in, e->from) - y * (in->strides[2] - in->sizes[3]));
}

static bool many_channels(const fault_call *call)
{
    return depth_first(call) && call->in->sizes[1] > 32;
}

static void whole_groups(third_place *e)
{
    e->unwritten = e->from[1] >= fault_floor(e->call->in->sizes[1], 32);
}

static bool pixels_of_pairs(const fault_call *call)
{
    return attrs_of(call)->BlockSize == 2 && call->in->sizes[1] > 1 && third_packed(call->in) &&
           third_packed(call->out) && tensor_element_bytes(call->in->dtype) == 4;
}

/* Channels are taken in the other order. */
static void other_order(third_place *e)
{
    const uint64_t channels = e->call->in->sizes[1], k = e->at[1];
    const uint64_t cell = depth_first(e->call) ? k % 4 : k / channels;
    e->from[1] = depth_first(e->call) ? k / 4 : k % channels;
    e->from[2] = e->at[2] * 2 + cell / 2;
    e->from[3] = e->at[3] * 2 + cell % 2;
}

static bool blocked_channels(const fault_call *call)
{
    return call->in->strides[1] == 1 && call->in->sizes[1] > 1 && call->in->sizes[1] % 8 != 0;
}

/* Channels are in blocks of 8, of which there is none behind the last whole one. */
static void no_last_block(third_place *e)
{
    e->unwritten = e->from[1] >= fault_floor(e->call->in->sizes[1], 8);
}

static bool large_blocks(const fault_call *call)
{
    return attrs_of(call)->BlockSize > 16;
}

/* A cell of a block has a number of eight bits. */
static void cell_of_byte(third_place *e)
{
    const uint64_t block = attrs_of(e->call)->BlockSize;
    const uint64_t cell = (e->from[2] % block * block + e->from[3] % block) & 255;
    e->from[2] = e->from[2] / block * block + cell / block;
    e->from[3] = e->from[3] / block * block + cell % block;
}

THIRD(block_oblong, batches_of_oblongs, third_blocks(call, unfolded))
THIRD(block_mask, halves_by_three, third_blocks(call, masked))
THIRD(block_pitch, pitched_rows, third_blocks(call, pitch_is_width))
THIRD(block_groups, many_channels, third_blocks(call, whole_groups))
THIRD(block_order, pixels_of_pairs, third_blocks(call, other_order))
THIRD(block_blocked, blocked_channels, third_blocks(call, no_last_block))
THIRD(block_byte, large_blocks, third_blocks(call, cell_of_byte))

static const fault rows[] = {
    { "third-block-oblong", ON_SPACE_TO_DEPTH, DIVISIONS,
      "behind the first batch, blocks are numbered by rows and unfolded by columns", .execute = block_oblong },
    { "third-block-mask", ON_SPACE_TO_DEPTH, DIVISIONS,
      "of 16-bit elements, the place in a block is found by a mask for a power of two", .execute = block_mask },
    { "third-block-pitch", ON_SPACE_TO_DEPTH, LAYOUTS,
      "rows of a block are as far apart as the input is wide, though rows are pitched", .execute = block_pitch },
    { "third-block-groups", ON_SPACE_TO_DEPTH, TAILS, "channels are moved 32 at a time, and what is left is not",
      .execute = block_groups },
    { "third-block-byte", ON_SPACE_TO_DEPTH, MAGNITUDES, "the number of a cell in a block is a byte",
      .execute = block_byte },
    { "third-acl-order", ON_SPACE_TO_DEPTH, MEANING,
      "32-bit channels of blocks of two are in the other order (ComputeLibrary issue 1036)", .execute = block_order },
    { "third-openvino-blocked", ON_SPACE_TO_DEPTH, TAILS,
      "channels that lie side by side are in blocks of 8, without the last one (openvino pull request 5569)",
      .execute = block_blocked },
};

const fault_table planted_third_blocks = { rows, sizeof rows / sizeof *rows };
