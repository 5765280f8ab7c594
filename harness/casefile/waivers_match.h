/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which waivers match a case. The cost of a case hardly grows with the number of waivers: waivers of one case are found
 * by its index, and the others by sets of bits, one bit per waiver. For each axis and value, such a set holds the
 * waivers whose conditions on this axis alone hold for the value; the intersection over the axes leaves few waivers,
 * whose remaining conditions are evaluated.
 */
#ifndef TOUCHSTONE_WAIVERS_MATCH_H
#define TOUCHSTONE_WAIVERS_MATCH_H

#include "harness/casefile/waivers.h"

/* The waivers that apply to a test, compiled. A waiver whose predicate needs an axis that the test does not have does
   not apply; one that repeats another is left out. NULL on error. */
typedef struct waivers_at waivers_at;
waivers_at *waivers_open(const waivers *w, const case_test *t, error *e);
void waivers_close(waivers_at *a);

/* The number of waivers that apply to the test, expired ones included. */
size_t waivers_count(const waivers_at *a);

/* The waivers that match the case, expired or not: their numbers in the file, ascending. They live until the next call.
 *count: how many. */
const size_t *waivers_match(waivers_at *a, uint64_t index, const expr_value *values, size_t *count);

/* The first waiver that matches the case and has not expired, or NULL. */
const waiver *waivers_find(waivers_at *a, uint64_t index, const expr_value *values);

#endif
