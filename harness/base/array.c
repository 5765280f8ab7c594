/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FEWEST 8

bool array_reserve(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return true;
    size_t room = *capacity <= SIZE_MAX / 2 ? *capacity * 2 : needed;
    if (room < needed)
        room = needed;
    if (room < FEWEST)
        room = FEWEST;
    if (size == 0 || room > SIZE_MAX / size)
        return false;
    /* The caller's pointer is no void *, so it must not be accessed as one: copy its bytes. */
    void *items;
    memcpy(&items, array, sizeof items);
    items = realloc(items, room * size);
    if (!items)
        return false;
    memcpy(array, &items, sizeof items);
    *capacity = room;
    return true;
}
