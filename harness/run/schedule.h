/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of sessions: the cases of a plan cut into slices, and the slices in a pseudo-random order. A session
 * runs the slices that follow those of the session before. A slice is a range of indices of one test, and costs no more
 * to walk than any other range. A test has one slice per SCHEDULE_SLICE_CASES planned cases, so that a space whose
 * predicates rule out nearly all points has few slices. The same plan, planned cases and key give the same schedule.
 */
#ifndef TOUCHSTONE_SCHEDULE_H
#define TOUCHSTONE_SCHEDULE_H

#include "harness/casefile/plan.h"
#include "harness/run/run_store.h"

#define SCHEDULE_SLICE_CASES UINT64_C(4096) /* cases of a slice, on average over its test */

typedef struct schedule schedule;

/* Make the schedule for `count` tests. key: 32 hexadecimal digits. The items are borrowed. NULL if out of memory. */
schedule *schedule_new(const run_item *items, size_t count, const char *key);
void schedule_free(schedule *s);

/* Compute the key of a plan, a hash over everything that determines which cases are planned, by whom, and in which
   order. The version of the backend is left out, since it may change from one session to the next. */
void schedule_key(const plan *p, const run_item *items, const run_options *o, const ts_info *info, ts_level level,
                  char key[33]);

/* Count the slices of all tests. */
uint64_t schedule_slices(const run_item *items, size_t count);

/* Find the slice at a place of the order. */
void schedule_at(const schedule *s, uint64_t place, size_t *item, uint64_t *first, uint64_t *end);

/* Start at place `first`, and end before place `most`. */
void schedule_begin(schedule *s, uint64_t first, uint64_t most);

/* For a resumed run: this range of a test is not done yet. Call this after schedule_begin, in order of test and index,
   and then schedule_resume. False if out of memory. */
bool schedule_add_gap(schedule *s, size_t item, uint64_t first, uint64_t end);
void schedule_resume(schedule *s);

/* Name the next range to run. `more`: is there time to start another slice? In a resumed run, slices before the last
   one that was started are finished whether there is time or not. False if there is no range left. */
bool schedule_next(schedule *s, bool more, size_t *item, uint64_t *first, uint64_t *end);

/* The place after the last slice that was started. */
uint64_t schedule_place(const schedule *s);

#endif
