/* SPDX-License-Identifier: Apache-2.0 */
/* Integers of any size as files contain them: a descriptor whose values exceed its fields is checked all the same. */
#ifndef TOUCHSTONE_BIGINT_H
#define TOUCHSTONE_BIGINT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct bigint {
    bool negative;
    bool huge;          /* the magnitude is beyond 2^64 - 1 */
    uint64_t magnitude; /* UINT64_MAX where it is huge */
    char text[48];      /* as written in the file; a number with too many digits is truncated and ends in "..." */
} bigint;

/* Convert an integer, or a real number with an integral value (as Lua and JavaScript write integers).
   Integers beyond 64 bits are strings of digits, because JSON trees cannot hold them. False for any other value. */
bool bigint_from_json(const json_t *json, bigint *n);

/* Parse decimal digits, with an optional minus, at the start of the text. Returns their end, or NULL if there are
   none. */
const char *bigint_from_text(const char *text, bigint *n);

/* Clamp the number to the limits. *inside (may be NULL) becomes whether it was within them. */
int64_t bigint_clamp(const bigint *n, int64_t min, int64_t max, bool *inside);
uint64_t bigint_clamp_unsigned(const bigint *n, uint64_t max, bool *inside);

#endif
