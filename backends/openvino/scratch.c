/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/openvino/scratch.h"

#include <stdint.h>
#include <stdlib.h>

#define ALIGNMENT 64u
#define BLOCK     ((size_t)1 << 20)

typedef struct scratch_block {
    struct scratch_block *next;
    size_t size, used;
    char *bytes; /* behind this, aligned */
} scratch_block;

void *scratch_take(scratch *s, size_t size)
{
    size = (size + ALIGNMENT) & ~(size_t)(ALIGNMENT - 1); /* never nothing */
    scratch_block *b = s->at;
    while (b && b->size - b->used < size && b->next)
        b = s->at = b->next;
    if (!b || b->size - b->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        scratch_block *more = malloc(sizeof *more + room + ALIGNMENT);
        if (!more)
            return NULL;
        char *const behind = (char *)(more + 1);
        *more = (scratch_block){ .size = room, .bytes = behind + (-(uintptr_t)behind & (ALIGNMENT - 1)) };
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
