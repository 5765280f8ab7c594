/* SPDX-License-Identifier: Apache-2.0 */
/* What a hostile backend can do to the process that it runs in, and to others. */
#ifndef TOUCHSTONE_HOSTILE_ACTS_H
#define TOUCHSTONE_HOSTILE_ACTS_H

#include "backends/backend.h"

typedef struct act {
    const char *name;
    const char *does;                 /* one line for `touchstone backends -v` */
    void (*run)(const ts_call *call); /* called in a worker, in place of returning from a call. NULL in `open`: only
                                         those about the environment do without a call */
} act;

/* What an act has left behind for the queries that follow in the process, or for its next call. */
typedef enum left_behind {
    LEFT_NOTHING,
    LEFT_POINTER,
    LEFT_LOCK,
    LEFT_EXIT,
    LEFT_CALL_POINTER,
    LEFT_CALL_LOCK,
    LEFT_CALL_EXIT,
    LEFT_CALL_LOSS
} left_behind;
extern left_behind acts_left;

/* All acts; the last one has no name. */
extern const act acts[];

/* The act of this name, or NULL. */
const act *act_find(const char *name);

#endif
