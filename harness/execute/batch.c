/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/batch.h"

#include "harness/execute/execute_item.h"

#include <stdlib.h>
#include <string.h>

size_t batch_room(size_t capacity)
{
    return (capacity > 1 ? capacity : 0) * sizeof(case_instance) + capacity * sizeof(ts_call);
}

bool batch_open(batch *b, size_t capacity, void *room, error *e)
{
    b->capacity = capacity;
    b->items = calloc(capacity, sizeof *b->items);
    b->instances = capacity > 1 ? room : NULL;
    b->calls = (ts_call *)(void *)((case_instance *)room + (capacity > 1 ? capacity : 0));
    b->statuses = calloc(capacity, sizeof *b->statuses);
    b->rerun_stats = calloc(capacity, sizeof *b->rerun_stats);
    b->failing = calloc(capacity, sizeof *b->failing);
    if (!b->items || !b->statuses || !b->rerun_stats || !b->failing)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < capacity; ++i)
        b->items[i].first_slot = i * TS_MAX_TENSORS;
    return arena_open(&b->arena, capacity * TS_MAX_TENSORS, e);
}

void batch_close(batch *b)
{
    arena_close(&b->arena);
    free(b->items);
    free(b->statuses);
    free(b->rerun_stats);
    free(b->failing);
}

case_instance *batch_keep_instance(batch *b, size_t at, case_instance *from)
{
    if (b->capacity == 1)
        return from;
    /* Most of a descriptor is room for more tensors and attributes: copy what this operator uses. */
    case_instance *to = &b->instances[at];
    const ts_operator *op = from->descriptor.op;
    const size_t rest = offsetof(case_instance, index);
    memcpy(&to->descriptor, &from->descriptor, offsetof(ts_descriptor, tensors) + op->tensor_count * sizeof(ts_tensor));
    memcpy(to->descriptor.attrs, from->descriptor.attrs, op->attrs_size);
    memcpy((char *)to + rest, (const char *)from + rest, sizeof *to - rest);
    return to;
}
