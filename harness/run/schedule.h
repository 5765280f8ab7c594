/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of a plan in portions, and the portions in an order that looks like chance: what a run with a budget of
 * time takes from where the night before ended. A portion is a range of indices of one test, so that walking it costs
 * no more than anywhere else; a test has as many as it owes thousands of cases, so that a space that predicates rule
 * out nearly all of has few. Whoever has the same plan, owes the same and has the same key has the same order.
 */
#ifndef TOUCHSTONE_SCHEDULE_H
#define TOUCHSTONE_SCHEDULE_H

#include "harness/casefile/plan.h"
#include "harness/run/run_store.h"

#define SCHEDULE_PORTION UINT64_C(4096) /* cases of a portion, on average over its test */

typedef struct schedule schedule;

/* Of the ranges of `count` items and what is planned of them. key: 32 hexadecimal digits. NULL where memory is out. */
schedule *schedule_new(const run_item *items, size_t count, const char *key);
void schedule_free(schedule *r);

/* The key of a plan: over all that decides which cases are planned and in which order, and over who owes them (the
   version of the backend apart, which may be another every night). */
void schedule_key(const plan *p, const run_item *items, const run_options *o, const ts_info *info, ts_level level,
                  char key[33]);

/* How many portions there are. */
uint64_t schedule_portions(const run_item *items, size_t count);

/* The portion at a place of the order. */
void schedule_at(const schedule *r, uint64_t place, size_t *item, uint64_t *first, uint64_t *end);

/* Begin at a place, to end at another at most. */
void schedule_begin(schedule *r, uint64_t first, uint64_t most);

/* A run that goes on: this range of an item is not done yet. To be told in order of item and index, after
   schedule_begin. Then schedule_left_told. False where memory is out. */
bool schedule_left(schedule *r, size_t item, uint64_t first, uint64_t end);
void schedule_left_told(schedule *r);

/* The next range that is to be run. `more`: is there time to begin another portion? Portions that were begun before the
   run was ended, and whose place is before one that is done, are begun in any case. False where there is none. */
bool schedule_next(schedule *r, bool more, size_t *item, uint64_t *first, uint64_t *end);

/* The place behind the last portion that was begun. */
uint64_t schedule_place(const schedule *r);

#endif
