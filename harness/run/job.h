/* SPDX-License-Identifier: Apache-2.0 */
/* The queue of jobs that a run still has to do. */
#ifndef TOUCHSTONE_JOB_H
#define TOUCHSTONE_JOB_H

#include "harness/base/verdict.h"
#include "harness/run/worker.h"

/* The legal cases of [first, end) of one test, or a replay. */
typedef struct job {
    worker_verb verb;
    size_t item; /* of the plan */
    uint64_t first, end;
    uint64_t piece;       /* not 0: at most so many cases per request, to find the one that breaks its worker */
    uint64_t doubted_end; /* up to here a worker was lost, and pieces do not grow */
    bool backoff;         /* a worker was lost in this range: begin with one case per submission */
    bool alone;           /* execute the cases one by one, because a worker was lost while it executed them */
    bool inconclusive;    /* with `alone`: the loss is a failure only if it happens again */
    bool reproduced;      /* with `alone`: a case has failed again */
    bool once;            /* as in execute_range, as is the next */
    bool ask_first;
    bool failed;          /* a worker failed to do this job. That may be the suite's fault or the backend's */
    verdict death;        /* REPORT_DEATH: the verdict of case `first` */
    char suspicion[200];  /* alone and REPORT_DEATH: how the worker was lost */
    replay *replay;       /* REPLAY: borrowed from the caller of pool_add_replay */
} job;

typedef struct job_queue {
    job *list;
    size_t first, count, capacity; /* jobs from list[first] on */
} job_queue;

void job_queue_free(job_queue *q);

/* Add a job at the end, or at the front, of the queue. A job whose range is empty is dropped. False if out of memory.
 */
bool job_append(job_queue *q, const job *j);
bool job_prepend(job_queue *q, const job *j);

/* Remove the first job. False if the queue is empty. */
bool job_pop(job_queue *q, job *j);

/* Drop all jobs of a test. */
void job_drop(job_queue *q, size_t item);

#endif
