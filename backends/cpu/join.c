/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_JOIN: a copy of each input, one behind the other (rules JO-01 to JO-09). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "reference/dml/join.h"

#define TYPES_1_0 (BUFFER_TYPES_NARROW & ~(BUFFER_BIT(TS_INT8) | BUFFER_BIT(TS_UINT8)))
static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_3_0, 4, 5, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_1_0, 4, 4, TYPES_1_0, 0 },
};

/* Copy an input to where it begins in the output. */
static void copy_input(unsigned char *to, const buffer *output, const buffer *input)
{
    copy_dim dims[8];
    for (uint32_t i = 0; i < input->rank; ++i) {
        dims[i].count = input->sizes[i];
        dims[i].to = (int64_t)(output->strides[i] * input->bytes);
        dims[i].from = (int64_t)(input->strides[i] * input->bytes);
    }
    copy_strided(to, input->data, input->bytes, dims, input->rank);
}

/* Is the input as large as the output beside the axis? */
static bool fits(const ts_tensor *in, const ts_tensor *out, uint32_t axis)
{
    for (uint32_t i = 0; i < out->rank; ++i)
        if (i != axis && in->sizes[i] != out->sizes[i])
            return false;
    return true;
}

static ts_status run(const ts_call *call)
{
    const ts_dml_join *attrs = call->attrs;
    const ts_tensor *out = ts_call_tensor(call, TS_JOIN_OUTPUT);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    buffer inputs[TS_JOIN_MAX_INPUTS], output;
    if (!row || !(call->attrs_given & TS_JOIN_GIVEN_AXIS) || attrs->InputCount < 1 ||
        attrs->InputCount > TS_JOIN_MAX_INPUTS ||
        !buffer_check(&output, out, BUFFER_OUTPUT, row->types, row->min_rank, row->max_rank) ||
        attrs->Axis >= output.rank)
        return TS_REJECTED;
    uint64_t end = 0;
    bool lacks_data = buffer_lacks_data(&output);
    for (uint32_t k = 0; k < attrs->InputCount; ++k) {
        const ts_tensor *in = ts_call_tensor(call, k);
        if (!buffer_check(&inputs[k], in, BUFFER_INPUT, BUFFER_BIT(out->dtype), out->rank, out->rank) ||
            !fits(in, out, attrs->Axis))
            return TS_REJECTED;
        end += in->sizes[attrs->Axis];
        lacks_data = lacks_data || buffer_lacks_data(&inputs[k]);
    }
    if (end != out->sizes[attrs->Axis])
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (lacks_data)
        return TS_ERROR;
    unsigned char *to = output.data;
    for (uint32_t k = 0; k < attrs->InputCount; ++k) {
        copy_input(to, &output, &inputs[k]);
        to += inputs[k].sizes[attrs->Axis] * output.strides[attrs->Axis] * output.bytes;
    }
    return TS_OK;
}

const cpu_operator cpu_join = { "dml.join", TS_JOIN_MAX_INPUTS + 1, sizeof(ts_dml_join), run };
