/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/cpu/scatter.h"
#include "backends/cpu/position.h"

void scatter_copy(const buffer *output, const buffer *input)
{
    copy_dim dims[TS_MAX_DIMS];
    for (uint32_t i = 0; i < input->rank; ++i)
        dims[i] =
            (copy_dim){ .count = input->sizes[i], .to = scatter_stride(output, i), .from = scatter_stride(input, i) };
    copy_strided(output->data, input->data, output->bytes, dims, input->rank);
}

static inline void put(unsigned char *to, const unsigned char *from, uint32_t bytes)
{
    switch (bytes) {
    case 1: *to = *from; break;
    case 2: *(uint16_t *)(void *)to = *(const uint16_t *)(const void *)from; break;
    case 4: *(uint32_t *)(void *)to = *(const uint32_t *)(const void *)from; break;
    default: *(uint64_t *)(void *)to = *(const uint64_t *)(const void *)from; break;
    }
}

static void replace(const scatter_plan *p, const unsigned char *index, const unsigned char *update, unsigned char *to)
{
    for (uint32_t k = 0; k < p->reach_count; ++k, index += p->next_index) {
        const uint64_t at = position(index, p->index_type, p->reaches[k].size, p->from_end);
        if (at == p->reaches[k].size)
            return;
        to += (int64_t)at * p->reaches[k].step;
    }
    if (p->block_count == 0)
        put(to, update, p->bytes);
    else
        copy_folded(to, update, p->bytes, p->block, p->block_count);
}

/* Replace what the indices along the lanes from k on select. */
static void apply(const scatter_plan *p, uint32_t k, const unsigned char *index, const unsigned char *update,
                  unsigned char *to)
{
    if (k == p->lane_count) {
        replace(p, index, update, to);
        return;
    }
    const scatter_lane *l = &p->lanes[k];
    for (uint64_t i = 0; i < l->count; ++i, index += l->index, update += l->update, to += l->to)
        apply(p, k + 1, index, update, to);
}

void scatter_apply(scatter_plan *p, const buffer *index, const buffer *update, const buffer *output)
{
    p->block_count = copy_fold(p->block, p->block_count);
    apply(p, 0, index->data, update->data, output->data);
}
