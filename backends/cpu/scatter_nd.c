/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_SCATTER_ND: a copy of the input, with an element or a block replaced for each tuple of indices (SN-01 to
   SN-16). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/scatter.h"
#include "reference/dml/scatter_nd.h"

static const buffer_row support[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, BUFFER_TYPES_INDEX },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, BUFFER_TYPES_INDEX },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, BUFFER_BIT(TS_UINT32) },
};

/* Where the tuples, the blocks and the dimensions of the tuples lie. False if the sizes do not fit each other. */
static bool make_plan(scatter_plan *p, const ts_dml_scatter_nd *attrs, const buffer *index, const buffer *update,
                      const buffer *output)
{
    const uint32_t rank = output->rank, last = rank - 1;
    if (attrs->InputDimensionCount - 1 >= rank || attrs->IndicesDimensionCount - 1 >= rank ||
        index->sizes[last] > attrs->InputDimensionCount)
        return false;
    p->reach_count = (uint32_t)index->sizes[last];
    p->next_index = scatter_stride(index, last);
    uint32_t from = rank - attrs->InputDimensionCount, at = rank; /* the updates are walked from their last dimension */
    for (uint32_t k = 0; k < p->reach_count; ++k, ++from)
        p->reaches[k] = (scatter_reach){ output->sizes[from], scatter_stride(output, from) };
    for (uint32_t i = rank; i-- > from;)
        if (update->sizes[--at] != output->sizes[i])
            return false;
    for (uint32_t i = from; i < rank; ++i)
        p->block[p->block_count++] =
            (copy_dim){ .count = output->sizes[i], .to = scatter_stride(output, i), .from = scatter_stride(update, i) };
    p->lane_count = attrs->IndicesDimensionCount - 1;
    for (uint32_t k = p->lane_count; k-- > 0;) {
        const uint32_t i = last - p->lane_count + k;
        if (at-- == 0 || update->sizes[at] != index->sizes[i])
            return false;
        p->lanes[k] = (scatter_lane){ index->sizes[i], scatter_stride(index, i), scatter_stride(update, at), 0 };
    }
    while (at > 0)
        if (update->sizes[--at] != 1)
            return false;
    return true;
}

static ts_status run(const ts_call *call)
{
    const ts_dml_scatter_nd *attrs = call->attrs;
    const uint32_t given = TS_SCATTER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_SCATTER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    const ts_tensor *t[4];
    buffer input, index, update, output;
    for (uint32_t i = 0; i < 4; ++i)
        t[i] = ts_call_tensor(call, i);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    if (!row || (call->attrs_given & given) != given)
        return TS_REJECTED;
    if (!buffer_check(&input, t[0], BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&index, t[1], BUFFER_INPUT, row->indices, t[0]->rank, t[0]->rank) ||
        !buffer_check(&update, t[2], BUFFER_INPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank) ||
        !buffer_check(&output, t[3], BUFFER_OUTPUT, BUFFER_BIT(t[0]->dtype), t[0]->rank, t[0]->rank))
        return TS_REJECTED;
    for (uint32_t i = 0; i < input.rank; ++i)
        if (output.sizes[i] != input.sizes[i])
            return TS_REJECTED;
    scatter_plan p = { .bytes = output.bytes, .index_type = t[1]->dtype, .from_end = true };
    if (!make_plan(&p, attrs, &index, &update, &output))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&index) || buffer_lacks_data(&update) ||
        buffer_lacks_data(&output))
        return TS_ERROR;
    scatter_copy(&output, &input);
    scatter_apply(&p, &index, &update, &output);
    return TS_OK;
}

const cpu_operator cpu_scatter_nd = { "dml.scatter_nd", 4, sizeof(ts_dml_scatter_nd), run };
