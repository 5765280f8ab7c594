/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/tuples.h"
#include "audit/kernels/tensors.h"

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
    index_resolve(&s->picks[0], from, step, n, offsets);
    for (uint32_t k = 1; k < s->coordinates; ++k) {
        index_resolve(&s->picks[k], from + k * s->next, step, n, more);
        for (uint64_t i = 0; i < n; ++i)
            offsets[i] += more[i];
    }
}
