/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of a test in a run that is being written, by the ordinals of its cases: the n-th legal one has n. */
#ifndef TOUCHSTONE_RUN_VERDICTS_H
#define TOUCHSTONE_RUN_VERDICTS_H

#include "harness/store/store.h"

typedef struct run_verdicts {
    store *store; /* borrowed */
    int64_t test;
    struct run_plane *planes;
    size_t plane_count;
    uint8_t *verdicts; /* of the plane that was read last */
    size_t capacity;
    const struct run_plane *held;
    bool failed;
} run_verdicts;

/* Learn where the planes of a test are. To be freed in either case. */
bool run_verdicts_open(run_verdicts *v, store *s, int64_t test, error *e);
void run_verdicts_free(run_verdicts *v);

/* Cases that have a verdict. */
uint64_t run_verdicts_count(const run_verdicts *v);

/* The verdicts of n cases from an ordinal on, which have some. */
bool run_verdicts_read(run_verdicts *v, uint64_t ordinal, uint8_t *verdicts, uint64_t n, error *e);

/* Write them back. */
bool run_verdicts_write(run_verdicts *v, uint64_t ordinal, const uint8_t *verdicts, uint64_t n, error *e);

#endif
