/* SPDX-License-Identifier: Apache-2.0 */
/* For generated copies of reference files: accesses of memory that check their bounds. */
#ifndef TOUCHSTONE_SCHEMATA_REFERENCE_H
#define TOUCHSTONE_SCHEMATA_REFERENCE_H

#include "audit/mutate/schemata.h"
#include "harness/model/operator.h"

#ifndef SCHEMATA_FIXED

static inline void *schemata_tensor_at(const ts_tensor *t, const uint64_t *coord)
{
    size_t element = tensor_element_bytes(t->dtype);
    if (!t->data || element == 0 || t->rank > TS_MAX_DIMS || tensor_offset(t, coord) >= t->total_bytes / element)
        schemata_leave(SCHEMATA_OUTSIDE);
    return tensor_at(t, coord);
}

static inline void schemata_copy_element(const ts_tensor *to, const uint64_t *to_coord, const ts_tensor *from,
                                         const uint64_t *from_coord)
{
    if (tensor_element_bytes(to->dtype) != tensor_element_bytes(from->dtype))
        schemata_leave(SCHEMATA_OUTSIDE);
    schemata_tensor_at(from, from_coord);
    schemata_tensor_at(to, to_coord);
    tensor_copy_element(to, to_coord, from, from_coord);
}

/* A copy that checks the bounds of objects whose size the compiler knows. */
#define SCHEMATA_COPY(to, from, n)                                                                                     \
    ({                                                                                                                 \
        size_t n_ = (n);                                                                                               \
        if (n_ > __builtin_object_size((to), 0) || n_ > __builtin_object_size((from), 0))                              \
            schemata_leave(SCHEMATA_OUTSIDE);                                                                          \
        (memcpy)((to), (from), n_);                                                                                    \
    })

#define tensor_at(t, coord)                       schemata_tensor_at(t, coord)
#define tensor_copy_element(to, at, from, source) schemata_copy_element(to, at, from, source)
#undef memcpy
#define memcpy(to, from, n) SCHEMATA_COPY(to, from, n)

#endif
#endif
