/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SCATTER_ELEMENTS: a copy of the input, with an element replaced by each update (SE-01 to SE-14). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/scatter.h"
#include "reference/dml/scatter_elements.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
    { TS_LEVEL_1_0, 4, 4, BUFFER_TYPES_FLOAT, BUFFER_BIT(TS_UINT32) },
};

static ts_status run(const ts_call *call)
{
    const ts_dml_scatter_elements *attrs = call->attrs;
    const ts_tensor *t[4];
    buffer input, index, update, output;
    for (uint32_t i = 0; i < 4; ++i)
        t[i] = ts_call_tensor(call, i);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    if (!row || !(call->attrs_given & TS_SCATTER_ELEMENTS_GIVEN_AXIS))
        return TS_REJECTED;
    if (!buffer_check(&input, t[0], BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&index, t[1], BUFFER_INPUT, row->indices, t[0]->rank, t[0]->rank) ||
        !buffer_check(&update, t[2], BUFFER_INPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank) ||
        !buffer_check(&output, t[3], BUFFER_OUTPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank) ||
        attrs->Axis >= input.rank)
        return TS_REJECTED;
    scatter_plan p = { .reach_count = 1, .bytes = output.bytes, .index_type = t[1]->dtype, .from_end = true };
    for (uint32_t i = 0; i < input.rank; ++i) {
        const bool along = i == attrs->Axis;
        if (output.sizes[i] != input.sizes[i] || update.sizes[i] != index.sizes[i] ||
            (!along && index.sizes[i] != input.sizes[i]))
            return TS_REJECTED;
        if (index.sizes[i] > 1)
            p.lanes[p.lane_count++] =
                (scatter_lane){ index.sizes[i], scatter_stride(&index, i), scatter_stride(&update, i),
                                along ? 0 : scatter_stride(&output, i) };
    }
    p.reaches[0] = (scatter_reach){ output.sizes[attrs->Axis], scatter_stride(&output, attrs->Axis) };
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&index) || buffer_lacks_data(&update) ||
        buffer_lacks_data(&output))
        return TS_ERROR;
    scatter_copy(&output, &input);
    scatter_apply(&p, &index, &update, &output);
    return TS_OK;
}

const cpu_operator cpu_scatter_elements = { "dml.scatter_elements", 4, sizeof(ts_dml_scatter_elements), run };
