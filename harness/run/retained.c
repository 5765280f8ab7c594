/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/retained.h"

#include "harness/base/array.h"

#include <stdlib.h>
#include <string.h>

void retained_init(retained *k, size_t most)
{
    *k = (retained){ .most = most };
}

void retained_free(retained *k)
{
    free(k->indices);
    k->indices = NULL;
    k->count = k->capacity = 0;
}

/* Count the retained indices below `index`. */
static size_t below(const retained *k, uint64_t index)
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

uint64_t retained_room(const retained *k, uint64_t first)
{
    return k->most - below(k, first);
}

retained_outcome retained_add(retained *k, uint64_t index, uint64_t *dropped)
{
    size_t place = below(k, index);
    if (place == k->most)
        return RETAINED_REJECTED;
    bool full = k->count == k->most;
    if (full) {
        *dropped = k->indices[--k->count];
    } else if (!array_reserve(&k->indices, &k->capacity, k->count + 1, sizeof *k->indices)) {
        return RETAINED_NO_MEMORY;
    }
    memmove(k->indices + place + 1, k->indices + place, (k->count - place) * sizeof *k->indices);
    k->indices[place] = index;
    k->count++;
    return full ? RETAINED_REPLACED : RETAINED_ADDED;
}
