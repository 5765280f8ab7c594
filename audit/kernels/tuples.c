/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/tuples.h"
#include "audit/kernels/lanes.h"
#include "audit/kernels/tensors.h"
#include "audit/kernels/widened.h"

tuple_source tuple_source_of(const ts_tensor *indices, const ts_tensor *of, uint32_t first)
{
    tuple_source s;
    s.coordinates = (uint32_t)indices->sizes[indices->rank - 1];
    s.next = tensor_step(indices, indices->rank - 1);
    for (uint32_t k = 0; k < s.coordinates; ++k)
        s.picks[k] = (index_source){ indices->dtype, of->sizes[first + k], tensor_step(of, first + k) };
    return s;
}

void tuple_resolve(const tuple_source *s, const unsigned char *from, int64_t step, uint64_t n, int64_t *offsets)
{
    int64_t more[TUPLE_BATCH];
    widened_resolve(&s->picks[0], from, step, n, offsets);
    for (uint32_t k = 1; k < s->coordinates; ++k) {
        widened_resolve(&s->picks[k], from + k * s->next, step, n, more);
        for (uint64_t i = 0; i < n; ++i)
            offsets[i] += more[i];
    }
}

void tuple_resolve_all(const tuple_source *s, const unsigned char *from, uint64_t count, int64_t *offsets)
{
    const int64_t step = s->coordinates * s->next;
    for (uint64_t first = 0; first < count; first += TUPLE_BATCH) {
        const uint64_t n = count - first < TUPLE_BATCH ? count - first : TUPLE_BATCH;
        tuple_resolve(s, from + (int64_t)first * step, step, n, offsets + first);
    }
}

tuple_block tuple_block_of(nest *inside)
{
    tuple_block b;
    nest_merge(inside);
    nest_widen(inside);
    b.bytes = inside->bytes;
    if (inside->rank == 0) {
        b.path = TUPLE_ELEMENT;
    } else if (inside->rank == 1 && inside->loops[0].to == inside->bytes && inside->loops[0].from == inside->bytes) {
        b.path = TUPLE_CONTIGUOUS;
        b.bytes *= inside->loops[0].size;
    } else {
        b.path = TUPLE_STRIDED;
        copy_plan_make(&b.strided, inside);
    }
    return b;
}

void tuple_block_copy(const tuple_block *b, unsigned char *to, const unsigned char *from)
{
    switch (b->path) {
    case TUPLE_ELEMENT: lane_copy(to, from, (uint32_t)b->bytes); break;
    case TUPLE_CONTIGUOUS: copy_block(to, from, b->bytes); break;
    default: copy_plan_run(&b->strided, to, from); break;
    }
}
