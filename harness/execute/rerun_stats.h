/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a case that was executed more than once: which different results, and how often each. */
#ifndef TOUCHSTONE_RERUN_STATS_H
#define TOUCHSTONE_RERUN_STATS_H

#include "harness/execute/compare_buffers.h"

#include <stdio.h>

#define RERUN_STATS_KINDS 6

/* One result: a verdict, and for a failure the comparison, and for a case that is not judged the values. Results are
   equal if both are. */
typedef struct rerun_stats_kind {
    verdict verdict;
    judgement judgement;
    uint64_t times;
} rerun_stats_kind;

typedef struct rerun_stats {
    uint64_t executed, failed;
    size_t kind_count;
    /* In order of appearance. Executions with any further kind of result are counted in `executed` alone. */
    rerun_stats_kind kinds[RERUN_STATS_KINDS];
} rerun_stats;

/* Count one more execution. j: the comparison, of a failure or of a case that is not judged. */
void rerun_stats_add(rerun_stats *t, verdict v, const judgement *j);

/* Had all executions the same result? True also where there was none. */
bool rerun_stats_agree(const rerun_stats *t);

/* The first result that is a failure; if none is, the first that differs from the first of all; else NULL. */
const rerun_stats_kind *rerun_stats_odd(const rerun_stats *t);

/* Write the failure rate: "3 of 20" executions. */
void rerun_stats_rate(const rerun_stats *t, char *buf, size_t size);

/* Write a sentence: "It failed in 3 of 20 executions of the same call: pass 17 times, OutputTensor[2] was 0x00 (0) 3
   times." Without a descriptor, with verdicts alone. */
void rerun_stats_describe(const rerun_stats *t, const ts_descriptor *d, char *buf, size_t size);

#endif
