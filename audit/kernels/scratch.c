/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/scratch.h"

#include <stdlib.h>

enum { PAGE = 4096 };

static unsigned char *block;
static size_t capacity;

unsigned char *scratch_take(size_t bytes)
{
    if (bytes > capacity) {
        const size_t rounded = (bytes + PAGE - 1) / PAGE * PAGE;
        unsigned char *larger = malloc(rounded);
        if (!larger)
            return NULL;
        free(block);
        block = larger;
        capacity = rounded;
    }
    return block;
}

void scratch_forget(void)
{
    free(block);
    block = NULL;
    capacity = 0;
}
