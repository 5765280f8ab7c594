/* SPDX-License-Identifier: Apache-2.0 */
/* Room for the cases of one submission: items, their descriptors and buffers, and what a backend is passed. Allocated
   once, so that nothing is allocated per case. */
#ifndef TOUCHSTONE_BATCH_H
#define TOUCHSTONE_BATCH_H

#include "harness/casefile/casebuild.h"
#include "harness/execute/rerun_stats.h"
#include "harness/model/arena.h"

struct execute_item;

typedef struct batch {
    size_t capacity; /* cases of a submission, at most */
    struct execute_item *items;
    case_instance *instances;     /* NULL where capacity is 1: an item then uses the builder's own instance */
    ts_call *calls;               /* these two are passed to the backend; */
    ts_status *statuses;          /* it may only write the statuses */
    arena arena;                  /* buffers of all items */
    bool rerun;                   /* the items of this submission were executed more than once; then */
    rerun_stats *rerun_stats;     /* has the results of each */
    struct execute_item *failing; /* copies of the items that are submitted once more because they failed */
    size_t submitted;             /* items of this submission */
    bool separated;               /* each of them was executed alone, to see which writes to tensors of others; */
    bool has_writer;              /* and one does */
} batch;

/* The bytes that the calls and the instances of `capacity` items take. */
size_t batch_room(size_t capacity);

/* Make room for `capacity` items. room: batch_room(capacity) zeroed bytes, aligned for a uint64_t; the caller frees
   them after batch_close. Call batch_close also after a failure. */
bool batch_open(batch *b, size_t capacity, void *room, error *e);
void batch_close(batch *b);

/* Copy an instance into the batch, where the batch holds more than one, and return the copy; else return `from`. */
case_instance *batch_keep_instance(batch *b, size_t at, case_instance *from);

#endif
