/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SLICE1: a window of the input, sampled (rules SL-01 to SL-11). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/slice1.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_2_1, 4, 5, BUFFER_TYPES_NARROW, 0 },
};

static ts_status run(const ts_call *call)
{
    const ts_dml_slice1 *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0);
    const ts_tensor *out = ts_call_tensor(call, 1);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    const uint32_t arrays = TS_SLICE1_GIVEN_INPUT_WINDOW_OFFSETS | TS_SLICE1_GIVEN_INPUT_WINDOW_SIZES |
                            TS_SLICE1_GIVEN_INPUT_WINDOW_STRIDES;
    if (!row || (call->attrs_given & arrays) != arrays)
        return TS_REJECTED;
    buffer input, output;
    if (!buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), in->rank, in->rank) ||
        attrs->DimensionCount != in->rank)
        return TS_REJECTED;

    copy_dim dims[8];
    const int64_t bytes = input.bytes;
    int64_t start = 0;
    for (uint32_t i = 0; i < input.rank; ++i) {
        const uint64_t offset = attrs->InputWindowOffsets[i];
        const uint64_t window = attrs->InputWindowSizes[i];
        const int64_t stride = attrs->InputWindowStrides[i];
        const uint64_t stride_magnitude = (uint64_t)(stride < 0 ? -stride : stride);
        /* The last sample is (size - 1) * |stride| after the first and must be inside the window: this is SL-08 without
           a division. Both factors fit 32 bits. */
        if (window == 0 || stride == 0 || offset + window > in->sizes[i] ||
            (out->sizes[i] - 1) * stride_magnitude > window - 1)
            return TS_REJECTED;
        const int64_t step = (int64_t)input.strides[i] * bytes;
        start += (int64_t)(stride < 0 ? offset + window - 1 : offset) * step;
        dims[i].count = out->sizes[i];
        dims[i].to = (int64_t)output.strides[i] * bytes;
        dims[i].from = out->sizes[i] > 1 ? step * stride : 0; /* a step that is not taken may be far out of range */
    }
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output))
        return TS_ERROR;
    copy_strided(output.data, input.data + start, input.bytes, dims, input.rank);
    return TS_OK;
}

const cpu_operator cpu_slice1 = { "dml.slice1", 2, sizeof(ts_dml_slice1), run };
