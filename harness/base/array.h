/* SPDX-License-Identifier: Apache-2.0 */
/* Growing arrays. */
#ifndef TOUCHSTONE_ARRAY_H
#define TOUCHSTONE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Make room for `needed` items of `size` bytes each, growing the array to at least twice its capacity. `array` is the
   address of the caller's pointer to the first item (NULL at first), *capacity the number of items that fit (0 at
   first). The caller frees the array with free(). New items are uninitialised. If memory is out, returns false and
   changes nothing.

       if (!array_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
           return error_set(e, "out of memory"); */
bool array_reserve(void *array, size_t *capacity, size_t needed, size_t size);

#endif
