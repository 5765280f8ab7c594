/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers as files have them, however large: a descriptor that no field can hold is still to be judged. */
#ifndef TOUCHSTONE_BIGINT_H
#define TOUCHSTONE_BIGINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct bigint {
    bool negative;
    bool huge;          /* the magnitude is beyond 2^64 - 1 */
    uint64_t magnitude; /* UINT64_MAX where it is huge */
    char text[48];      /* as the file has it; of one with too many digits the first, and "..." */
} bigint;

/* An integer, a truth value, or a fraction that is none, as Lua and JavaScript write integers. Integers beyond 64 bits
   come as strings of digits, because JSON trees have no room for them; other strings are no numbers. */
bool bigint_from_json(const json_t *json, bigint *n);

/* A number of decimal digits, with or without a minus, at the start of the text. Returns its end; NULL where there is
   none. */
const char *bigint_from_text(const char *text, bigint *n);

/* The number if it is between the limits, else the nearest that is. *inside says which, and may be NULL. */
int64_t bigint_clamp(const bigint *n, int64_t min, int64_t max, bool *inside);
uint64_t bigint_clamp_unsigned(const bigint *n, uint64_t max, bool *inside);

#endif
