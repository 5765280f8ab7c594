/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The schedule of sessions: the cases of a plan cut into slices, and the order in which sessions run them. A session
 * runs the slices that follow those of the session before. There are two sequences of slices:
 *
 *   SCHEDULE_WHOLE  the tests that have an end. Each turn has one slice of every test that has slices left: the first
 *                   one, then the others in a pseudo-random order. So a session reaches the first cases of every test
 *                   early, small tests are complete soon, and what remains is shared by the large ones.
 *   SCHEDULE_DRAWN  the endless tests (PLAN_ENDLESS). Each turn has the next slice of every one, in order of index.
 *                   So all that was drawn of a test is one range, however many sessions drew it.
 *
 * While both sequences have slices, SCHEDULE_DRAWN gets SCHEDULE_DRAWN_SHARE of the time. A slice is a range of indices
 * of one test. How many cases it has depends on what a case of the test costs and is worth (run_item.slice), so that
 * the slices of all tests take about the same time. The same plan, planned cases and key give the same sequences; only
 * the mix of the two depends on the clock.
 */
#ifndef TOUCHSTONE_SCHEDULE_H
#define TOUCHSTONE_SCHEDULE_H

#include "harness/casefile/plan.h"
#include "harness/run/run_store.h"

#define SCHEDULE_SLICE_CASES UINT64_C(4096) /* cases of a slice of a test whose cases are cheap */
#define SCHEDULE_DRAWN_SHARE 0.5            /* of the time, while both sequences have slices */

typedef enum schedule_sequence { SCHEDULE_WHOLE, SCHEDULE_DRAWN, SCHEDULE_SEQUENCES } schedule_sequence;

typedef struct schedule schedule;

/* How many cases a slice of a test has, whose planned indices are [first, end): on average over the test, or of the
   first slices of an endless one. Estimated from the sizes of some cases, so that it is the same on every machine
   (schedule_slice.c). */
uint64_t schedule_slice_cases(const case_test *t, uint64_t first, uint64_t end, uint32_t profile, ts_level level);

/* Make the schedule for `count` tests. key: 32 hexadecimal digits. The items are borrowed. NULL if out of memory. */
schedule *schedule_new(const run_item *items, size_t count, const char *key);
void schedule_free(schedule *s);

/* Compute the key of a plan, a hash over everything that determines which cases are planned, by whom, and in which
   order. The version of the backend is left out, since it may change from one session to the next. */
void schedule_key(const plan *p, const run_item *items, const run_options *o, const ts_info *info, ts_level level,
                  char key[33]);

/* Count the slices of the tests that have an end. */
uint64_t schedule_slices(const run_item *items, size_t count);

/* Find the slice at a place of a sequence that has one. */
void schedule_at(const schedule *s, schedule_sequence which, uint64_t place, size_t *item, uint64_t *first,
                 uint64_t *end);

/* Start at place `first` of a sequence, and end before place `most`. A sequence that is not begun has no slices. */
void schedule_begin(schedule *s, schedule_sequence which, uint64_t first, uint64_t most);

/* For a resumed run: this range of a test is not done yet. Call this after schedule_begin, in order of test and index,
   and then schedule_resume. False if out of memory. */
bool schedule_add_gap(schedule *s, size_t item, uint64_t first, uint64_t end);
void schedule_resume(schedule *s);

/* A worker has spent this time on cases of a test. */
void schedule_spent(schedule *s, size_t item, double seconds);

/* Name the next range to run. `more`: is there time to start another slice? In a resumed run, slices before the last
   one that was started are finished whether there is time or not. False if there is no range left. */
bool schedule_next(schedule *s, bool more, size_t *item, uint64_t *first, uint64_t *end);

/* The place after the last slice of a sequence that was started. */
uint64_t schedule_place(const schedule *s, schedule_sequence which);

#endif
