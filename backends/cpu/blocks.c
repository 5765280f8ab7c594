/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SPACE_TO_DEPTH, SPACE_TO_DEPTH1, and their inverses DEPTH_TO_SPACE and DEPTH_TO_SPACE1: a copy in six
   dimensions, of which three are parts of the channels of one tensor, and two each of the height and the width of the
   other. */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/blocks.h"

static const buffer_row support[] = {
    { TS_LEVEL_5_0, 4, 4, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_1_0, 4, 4, BUFFER_TYPES_FLOAT, 0 }, /* of the operators without Order */
};

/* Which of the two tensors has channels for the elements of a block? */
typedef enum deep { DEEP_INPUT, DEEP_OUTPUT } deep;

/* Bytes from an element to the one `count` further along dimension i. */
static int64_t step(const buffer *b, unsigned i, uint64_t count)
{
    return (int64_t)(b->strides[i] * count * b->bytes);
}

/* Are these the sizes of the two tensors? A block is at most as high and wide as the flat one, which has less than 2^32
   elements, so no product overflows. */
static bool fits(const uint64_t *flat, const uint64_t *depth, uint64_t block)
{
    return block > 0 && flat[2] % block == 0 && flat[3] % block == 0 && depth[0] == flat[0] &&
           depth[1] == flat[1] * block * block && depth[2] == flat[2] / block && depth[3] == flat[3] / block;
}

static ts_status run(const ts_call *call, deep which, bool ordered)
{
    const ts_dml_depth_to_space *attrs = call->attrs;
    const uint32_t given = ordered ? TS_BLOCKS_GIVEN_BLOCK_SIZE | TS_BLOCKS_GIVEN_ORDER : TS_BLOCKS_GIVEN_BLOCK_SIZE;
    const uint32_t order = ordered ? ((const ts_dml_depth_to_space1 *)call->attrs)->Order : TS_DEPTH_COLUMN_ROW;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    const ts_tensor *flat = which == DEEP_OUTPUT ? in : out;
    const unsigned rows_of_table = sizeof support / sizeof *support - (ordered ? 1 : 0);
    const buffer_row *row = buffer_row_at(support, rows_of_table, cpu_level(call));
    buffer input, output;
    if (!row || (call->attrs_given & given) != given || order > TS_COLUMN_ROW_DEPTH ||
        !buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), 4, 4) ||
        !fits(flat->sizes, which == DEEP_OUTPUT ? out->sizes : in->sizes, attrs->BlockSize))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output))
        return TS_ERROR;
    const uint64_t block = attrs->BlockSize, channels = flat->sizes[1];
    const bool depth_first = order == TS_DEPTH_COLUMN_ROW;
    /* How many channels of the deep tensor lie between two rows of a block, two columns, two channels of the flat one.
     */
    const uint64_t rows = depth_first ? block * channels : block;
    const uint64_t columns = depth_first ? channels : 1;
    const uint64_t depth = depth_first ? 1 : block * block;
    const buffer *f = which == DEEP_OUTPUT ? &input : &output, *p = which == DEEP_OUTPUT ? &output : &input;
    copy_dim dims[] = {
        { flat->sizes[0], step(p, 0, 1), step(f, 0, 1) },
        { block, step(p, 1, rows), step(f, 2, 1) },
        { block, step(p, 1, columns), step(f, 3, 1) },
        { channels, step(p, 1, depth), step(f, 1, 1) },
        { flat->sizes[2] / block, step(p, 2, 1), step(f, 2, block) },
        { flat->sizes[3] / block, step(p, 3, 1), step(f, 3, block) },
    };
    const size_t count = sizeof dims / sizeof *dims;
    for (size_t i = 0; which == DEEP_INPUT && i < count; ++i)
        dims[i] = (copy_dim){ dims[i].count, dims[i].from, dims[i].to };
    copy_strided(output.data, input.data, input.bytes, dims, count);
    return TS_OK;
}

static ts_status run_depth_to_space(const ts_call *call)
{
    return run(call, DEEP_INPUT, false);
}

static ts_status run_depth_to_space1(const ts_call *call)
{
    return run(call, DEEP_INPUT, true);
}

static ts_status run_space_to_depth(const ts_call *call)
{
    return run(call, DEEP_OUTPUT, false);
}

static ts_status run_space_to_depth1(const ts_call *call)
{
    return run(call, DEEP_OUTPUT, true);
}

const cpu_operator cpu_blocks[] = {
    { "dml.depth_to_space", 2, sizeof(ts_dml_depth_to_space), run_depth_to_space },
    { "dml.depth_to_space1", 2, sizeof(ts_dml_depth_to_space1), run_depth_to_space1 },
    { "dml.space_to_depth", 2, sizeof(ts_dml_space_to_depth), run_space_to_depth },
    { "dml.space_to_depth1", 2, sizeof(ts_dml_space_to_depth1), run_space_to_depth1 },
};
const size_t cpu_blocks_count = sizeof cpu_blocks / sizeof *cpu_blocks;
