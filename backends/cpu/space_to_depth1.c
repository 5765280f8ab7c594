/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SPACE_TO_DEPTH1: a copy in six dimensions, of which three are parts of the output's channels, and two
   each of the input's height and width (rules SD1-01 to SD1-09). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/space_to_depth1.h"

static const buffer_row support[] = {
    { TS_LEVEL_5_0, 4, 4, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, 0 },
};

#define GIVEN (TS_SPACE_TO_DEPTH1_GIVEN_BLOCK_SIZE | TS_SPACE_TO_DEPTH1_GIVEN_ORDER)

/* Bytes from an element to the one `count` further along dimension i. */
static int64_t step(const buffer *b, unsigned i, uint64_t count)
{
    return (int64_t)(b->strides[i] * count * b->bytes);
}

/* Are these the sizes of the output? A block is at most as high and wide as the input, which has less than 2^32
   elements, so no product overflows. */
static bool fits(const uint64_t *in, const uint64_t *out, uint64_t block)
{
    return block > 0 && in[2] % block == 0 && in[3] % block == 0 && out[0] == in[0] &&
           out[1] == in[1] * block * block && out[2] == in[2] / block && out[3] == in[3] / block;
}

static ts_status run(const ts_call *call)
{
    const ts_dml_space_to_depth1 *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    buffer input, output;
    if (!row || (call->attrs_given & GIVEN) != GIVEN || attrs->Order > TS_COLUMN_ROW_DEPTH ||
        !buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), 4, 4) ||
        !fits(in->sizes, out->sizes, attrs->BlockSize))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output))
        return TS_ERROR;
    const uint64_t block = attrs->BlockSize, channels = in->sizes[1];
    const bool depth_first = attrs->Order == TS_DEPTH_COLUMN_ROW;
    /* How many channels of the output lie between two rows of a block, two columns, two channels of the input. */
    const uint64_t rows = depth_first ? block * channels : block;
    const uint64_t columns = depth_first ? channels : 1;
    const uint64_t depth = depth_first ? 1 : block * block;
    copy_dim dims[] = {
        { in->sizes[0], step(&output, 0, 1), step(&input, 0, 1) },
        { block, step(&output, 1, rows), step(&input, 2, 1) },
        { block, step(&output, 1, columns), step(&input, 3, 1) },
        { channels, step(&output, 1, depth), step(&input, 1, 1) },
        { out->sizes[2], step(&output, 2, 1), step(&input, 2, block) },
        { out->sizes[3], step(&output, 3, 1), step(&input, 3, block) },
    };
    copy_strided(output.data, input.data, input.bytes, dims, sizeof dims / sizeof *dims);
    return TS_OK;
}

const cpu_operator cpu_space_to_depth1 = { "dml.space_to_depth1", 2, sizeof(ts_dml_space_to_depth1), run };
