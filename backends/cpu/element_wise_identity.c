/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_ELEMENT_WISE_IDENTITY without ScaleBias: the same values in another layout. */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/element_wise_identity.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_2_1, 4, 5, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_1_0, 4, 5, BUFFER_TYPES_FLOAT, 0 },
};

static ts_status run(const ts_call *call)
{
    const ts_tensor *in = ts_call_tensor(call, 0);
    const ts_tensor *out = ts_call_tensor(call, 1);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    buffer input, output;
    if (!row || !buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), in->rank, in->rank))
        return TS_REJECTED;
    copy_dim dims[8];
    const int64_t bytes = input.bytes;
    for (uint32_t i = 0; i < input.rank; ++i) {
        if (in->sizes[i] != out->sizes[i])
            return TS_REJECTED;
        dims[i].count = in->sizes[i];
        dims[i].to = (int64_t)(output.strides[i] * (uint64_t)bytes);
        dims[i].from = (int64_t)(input.strides[i] * (uint64_t)bytes);
    }
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output))
        return TS_ERROR;
    if (input.packed && output.packed)
        copy_bytes(output.data, input.data, (size_t)input.elements * input.bytes);
    else
        copy_strided(output.data, input.data, input.bytes, dims, input.rank);
    return TS_OK;
}

const cpu_operator cpu_element_wise_identity = { "dml.element_wise_identity", 2, 0, run };
