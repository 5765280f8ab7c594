/* SPDX-License-Identifier: Apache-2.0 */
/* The work that a run still has: pieces of tests, in the order in which they are handed to workers. */
#ifndef TOUCHSTONE_JOB_H
#define TOUCHSTONE_JOB_H

#include "harness/base/verdict.h"
#include "harness/run/worker.h"

/* A piece of work: legal cases of [first, end). */
typedef struct job {
    worker_verb verb;
    size_t item;         /* of the plan */
    uint64_t first, end;
    bool wary;           /* a worker was lost in it: few cases are submitted together to begin with */
    bool alone;          /* case by case, since something befell a worker among them */
    bool harmless;       /* what befell it is no failure unless it does so again */
    bool found;          /* it has */
    bool once;           /* as of execute_range */
    bool failed;         /* a worker could not do it: the suite's fault, or what is left of a process's memory */
    verdict told;        /* TELL: the verdict of the case `first` */
    char blame[200];     /* alone and TELL: what befell it */
    replay *replay;      /* TRY: borrowed from who asked for it */
} job;

typedef struct job_queue {
    job *list;
    size_t first, count, capacity; /* jobs from list[first] on */
} job_queue;

void job_queue_free(job_queue *q);

/* Behind all others; before all others. False where memory is out. Jobs without indices are left out. */
bool job_append(job_queue *q, const job *j);
bool job_prepend(job_queue *q, const job *j);

/* Take the next; false where there is none. */
bool job_decode(job_queue *q, job *j);

/* Forget those of an item that run cases. */
void job_drop(job_queue *q, size_t item);

#endif
