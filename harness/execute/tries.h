/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a case that was executed more than once: which outcomes, and how often each. */
#ifndef TOUCHSTONE_TRIES_H
#define TOUCHSTONE_TRIES_H

#include "harness/execute/judge.h"

#include <stdio.h>

#define TRIES_KINDS 6

/* One outcome: a verdict, and of a failure what was seen. */
typedef struct tries_kind {
    verdict verdict;
    judgement judgement;
    uint64_t times;
} tries_kind;

typedef struct tries {
    uint64_t executed, failed;
    size_t kind_count;
    tries_kind kinds[TRIES_KINDS]; /* in order of appearance; what comes after them is counted in `executed` alone */
} tries;

/* One more execution. j: what was seen, of a failure. */
void tries_add(tries *t, verdict v, const judgement *j);

/* Did all executions come out the same? Also where there was none. */
bool tries_agree(const tries *t);

/* The first outcome that failed; where none did, the first that was another than the first of all; else NULL. */
const tries_kind *tries_odd(const tries *t);

/* "3 of 20": in how many executions the case failed, of how many. */
void tries_rate(const tries *t, char *buf, size_t size);

/* A sentence: "It failed in 3 of 20 executions of the same call: pass 17 times, OutputTensor[2] was 0x00 (0) 3
   times." Without a descriptor, by verdicts alone. */
void tries_tell(const tries *t, const ts_descriptor *d, char *buf, size_t size);

#endif
