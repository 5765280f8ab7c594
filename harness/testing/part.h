/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the operators that a long test goes through. TOUCHSTONE_TEST_PART=K/N, from 1 to N, is every Nth from the
   Kth on; without it, a test goes through all. scripts/test.sh --all draws a part by the commit. */
#ifndef TOUCHSTONE_TESTING_PART_H
#define TOUCHSTONE_TESTING_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* Is the operator at this place of a list in the part? A part that cannot be read ends the test. */
static inline bool part_has(size_t place)
{
    const char *const text = getenv("TOUCHSTONE_TEST_PART");
    unsigned part, of;
    int used = 0;
    if (!text)
        return true;
    if (sscanf(text, "%u/%u%n", &part, &of, &used) != 2 || text[used] || part < 1 || part > of) {
        fprintf(stderr, "TOUCHSTONE_TEST_PART is '%s': expected K/N, K from 1 to N\n", text);
        exit(64);
    }
    return place % of == part - 1;
}

#endif
