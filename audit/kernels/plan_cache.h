/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which plans an operator keeps from call to call. The cache knows keys and slots; the operator has an array of
 * PLAN_SLOTS plans, and the plan of slot s belongs to the key of slot s.
 */
#ifndef TOUCHSTONE_KERNELS_PLAN_CACHE_H
#define TOUCHSTONE_KERNELS_PLAN_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#define PLAN_SLOTS 8
#define PLAN_WORDS 128

/* Everything that a plan depends on, as words. */
typedef struct plan_key {
    uint32_t count;
    uint64_t words[PLAN_WORDS];
} plan_key;

/* All zero at the start. */
typedef struct plan_cache {
    uint64_t clock; /* counts look-ups */
    struct {
        uint64_t used; /* the look-up that used the slot last; 0: the slot is empty */
        plan_key key;
    } slots[PLAN_SLOTS];
} plan_cache;

/* Append a word, or a list with its length, to a key. */
void plan_key_add(plan_key *key, uint64_t word);
void plan_key_list(plan_key *key, const uint64_t *words, uint32_t count);

/* The slot of a key. If *found is false, the slot is new or was taken from the key that was not used for longest, and
   the caller must make the plan. */
uint32_t plan_cache_slot(plan_cache *cache, const plan_key *key, bool *found);

#endif
