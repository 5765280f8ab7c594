/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/openvino/scratch.h"

#include <stdlib.h>

#define ALIGNMENT 64u
#define BLOCK     ((size_t)1 << 20)

typedef struct scratch_block {
    struct scratch_block *next;
    size_t size, used;
    _Alignas(ALIGNMENT) char bytes[];
} scratch_block;

void *scratch_take(scratch *s, size_t size)
{
    size = (size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1); /* never nothing */
    scratch_block *b = s->at;
    while (b && b->size - b->used < size && b->next)
        b = s->at = b->next;
    if (!b || b->size - b->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        scratch_block *more =
            aligned_alloc(ALIGNMENT, (sizeof *more + room + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1));
        if (!more)
            return NULL;
        *more = (scratch_block){ .size = room };
        if (b)
            b->next = more;
        else
            s->first = more;
        b = s->at = more;
    }
    void *taken = b->bytes + b->used;
    b->used += size;
    return taken;
}

void scratch_clear(scratch *s)
{
    for (scratch_block **link = &s->first; *link;) {
        scratch_block *b = *link;
        b->used = 0;
        if (b->size > BLOCK) {
            *link = b->next;
            free(b);
        } else {
            link = &b->next;
        }
    }
    s->at = s->first;
}

void scratch_free(scratch *s)
{
    while (s->first) {
        scratch_block *next = s->first->next;
        free(s->first);
        s->first = next;
    }
    s->at = NULL;
}
