/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a case that was executed more than once: which outcomes, and how often each. */
#ifndef TOUCHSTONE_RERUN_STATS_H
#define TOUCHSTONE_RERUN_STATS_H

#include "harness/execute/compare_buffers.h"

#include <stdio.h>

#define RERUN_STATS_KINDS 6

/* One outcome: a verdict, and of a failure what was seen. */
typedef struct rerun_stats_kind {
    verdict verdict;
    judgement judgement;
    uint64_t times;
} rerun_stats_kind;

typedef struct rerun_stats {
    uint64_t executed, failed;
    size_t kind_count;
    rerun_stats_kind
        kinds[RERUN_STATS_KINDS]; /* in order of appearance; what comes after them is counted in `executed` alone */
} rerun_stats;

/* One more execution. j: what was seen, of a failure. */
void rerun_stats_add(rerun_stats *t, verdict v, const judgement *j);

/* Did all executions come out the same? Also where there was none. */
bool rerun_stats_agree(const rerun_stats *t);

/* The first outcome that failed; where none did, the first that was another than the first of all; else NULL. */
const rerun_stats_kind *rerun_stats_odd(const rerun_stats *t);

/* "3 of 20": in how many executions the case failed, of how many. */
void rerun_stats_rate(const rerun_stats *t, char *buf, size_t size);

/* A sentence: "It failed in 3 of 20 executions of the same call: pass 17 times, OutputTensor[2] was 0x00 (0) 3
   times." Without a descriptor, by verdicts alone. */
void rerun_stats_describe(const rerun_stats *t, const ts_descriptor *d, char *buf, size_t size);

#endif
