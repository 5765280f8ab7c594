/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/kept.h"

#include <stdlib.h>
#include <string.h>

void kept_init(kept *k, size_t most)
{
    *k = (kept){ .most = most };
}

void kept_free(kept *k)
{
    free(k->indices);
    k->indices = NULL;
    k->count = k->capacity = 0;
}

/* How many are below `index`? */
static size_t below(const kept *k, uint64_t index)
{
    size_t low = 0, high = k->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (k->indices[middle] < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t kept_room(const kept *k, uint64_t first)
{
    return k->most - below(k, first);
}

kept_answer kept_add(kept *k, uint64_t index, uint64_t *dropped)
{
    size_t place = below(k, index);
    if (place == k->most)
        return KEPT_NOT;
    bool full = k->count == k->most;
    if (full) {
        *dropped = k->indices[--k->count];
    } else if (k->count == k->capacity) {
        size_t capacity = k->capacity ? k->capacity * 2 : 16;
        uint64_t *grown = realloc(k->indices, capacity * sizeof *grown);
        if (!grown)
            return KEPT_NO_MEMORY;
        k->indices = grown;
        k->capacity = capacity;
    }
    memmove(k->indices + place + 1, k->indices + place, (k->count - place) * sizeof *k->indices);
    k->indices[place] = index;
    k->count++;
    return full ? KEPT_INSTEAD : KEPT;
}
