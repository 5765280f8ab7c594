/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of the operators that have no row in faulty.c: OpenVINO's with indices, GatherTree and JOIN. */
#ifndef TOUCHSTONE_OTHER_CALLS_H
#define TOUCHSTONE_OTHER_CALLS_H

#include "harness/model/operator.h"
#include "harness/model/value.h"
#include "reference/dml/join.h"

#include <string.h>

/* Does the part of a name occur in that of the operator? */
static inline bool other_is(const ts_descriptor *d, const char *part)
{
    return strstr(d->op->name, part) != NULL;
}

/* Does its second tensor have indices? */
static inline bool other_indexed(const ts_descriptor *d)
{
    return strcmp(d->op->tensors[1].name, "indices") == 0;
}

static inline void other_join(ts_descriptor *d, uint32_t dtype, uint32_t rank, const uint64_t *sizes)
{
    const ts_dml_join a = { sizes[0] > 1 ? 2 : 1, 0 };
    uint64_t part[TS_MAX_DIMS];
    memcpy(part, sizes, rank * sizeof *sizes);
    part[0] = a.InputCount == 2 ? 1 : sizes[0];
    tensor_init(&d->tensors[0], dtype, rank, part);
    part[0] = sizes[0] - 1;
    if (a.InputCount == 2)
        tensor_init(&d->tensors[1], dtype, rank, part);
    memcpy(d->attrs, &a, sizeof a);
    d->attrs_given = TS_JOIN_GIVEN_INPUT_COUNT | TS_JOIN_GIVEN_AXIS;
}

/* Leading dimensions are 1, so that there are three. */
static inline void other_tree(ts_descriptor *d, uint32_t dtype, uint32_t rank, const uint64_t *sizes)
{
    uint64_t three[3] = { 1, 1, 1 };
    memcpy(three + 3 - rank, sizes, rank * sizeof *sizes);
    tensor_init(&d->tensors[0], dtype, 3, three);
    tensor_init(&d->tensors[1], dtype, 3, three);
    tensor_init(&d->tensors[2], dtype, 1, three + 1);
    tensor_init(&d->tensors[3], dtype, 0, three);
}

/* The last `behind` sizes, behind those of an array, and a last size of 1 where the indices are tuples. */
static inline void other_tensor(ts_tensor *t, uint32_t dtype, uint32_t array, const uint64_t *head, uint32_t rank,
                                const uint64_t *sizes, uint32_t behind)
{
    uint64_t all[TS_MAX_DIMS] = { 0 };
    memcpy(all, head, array * sizeof *head);
    memcpy(all + array, sizes + rank - behind, behind * sizeof *sizes);
    tensor_init(t, dtype, array + behind, all);
}

/* The inputs of a call whose output has these sizes. `size` elements are along the dimension that indices select from,
   the first one; of scatters, it is a number of updates. The indices have `array` dimensions, at most 2 and `rank`; of
   scatters, each of them has `size` elements. GatherTree has at most three sizes. */
static inline void other_describe(ts_descriptor *d, uint32_t dtype, uint32_t rank, const uint64_t *sizes, uint64_t size,
                                  uint32_t array, uint32_t index_type)
{
    const uint64_t one = 1, counts[2] = { size, size }, *head = other_is(d, "scatter") ? counts : sizes;
    const bool elements = other_is(d, "elements"), tuples = other_is(d, "_nd_");
    if (other_is(d, "join")) {
        other_join(d, dtype, rank, sizes);
        return;
    }
    if (other_is(d, "tree")) {
        other_tree(d, dtype, rank, sizes);
        return;
    }
    if (elements)
        other_tensor(&d->tensors[1], index_type, 1, head, rank, sizes, rank - 1);
    else
        other_tensor(&d->tensors[1], index_type, array, head, 1, &one, tuples ? 1 : 0);
    if (other_is(d, "scatter")) {
        tensor_init(&d->tensors[0], dtype, rank, sizes);
        other_tensor(&d->tensors[2], dtype, elements ? 1 : array, head, rank, sizes, rank - 1);
    } else {
        other_tensor(&d->tensors[0], dtype, 1, &size, rank, sizes, rank - (elements ? 1 : array));
    }
    if (!tuples) /* axis, and batch_dims */
        d->attrs_given = (1u << d->op->attr_count) - 1;
}

/* How many legal values an input has whose values matter, from 0 on: indices, parents or lengths. 0: any is legal. */
static inline uint64_t other_values(const ts_descriptor *d, unsigned tensor)
{
    const ts_tensor *first = &d->tensors[0];
    if (other_indexed(d) && tensor == 1)
        return first->sizes[0];
    if (!other_is(d, "tree") || tensor < 1 || tensor > 2)
        return 0;
    const uint64_t count = first->sizes[tensor == 1 ? 2 : 0] + tensor - 1;
    return count < 100 ? count : 100;
}

/* The bits of one of these values, made of any number. */
static inline uint64_t other_value(const ts_descriptor *d, unsigned tensor, uint64_t values, uint64_t any)
{
    const int64_t value = (int64_t)(any % values);
    uint64_t bits = 0;
    value_store_ints(d->tensors[tensor].dtype, &bits, sizeof bits, &value, 1);
    return bits;
}

#endif
