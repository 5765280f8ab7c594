/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts of a test in a run that is being written, by ordinal: the n-th legal case (from 0) has ordinal n. */
#ifndef TOUCHSTONE_RUN_VERDICTS_H
#define TOUCHSTONE_RUN_VERDICTS_H

#include "harness/store/store.h"

typedef struct run_verdicts {
    store *store; /* borrowed */
    int64_t test;
    struct run_plane *planes;
    size_t plane_count, plane_capacity;
    const struct run_plane *loaded; /* the plane whose verdicts are in memory */
    uint8_t *verdicts;
    size_t capacity;
    bool failed;
} run_verdicts;

/* Read where the planes of a test are. The caller frees *v whether this succeeds or not. */
bool run_verdicts_open(run_verdicts *v, store *s, int64_t test, error *e);
void run_verdicts_free(run_verdicts *v);

/* Count the cases that have a verdict. */
uint64_t run_verdicts_count(const run_verdicts *v);

/* Read the verdicts of n cases from an ordinal on. All of them must have one. */
bool run_verdicts_read(run_verdicts *v, uint64_t ordinal, uint8_t *verdicts, uint64_t n, error *e);

/* Replace the verdicts of n cases from an ordinal on. */
bool run_verdicts_write(run_verdicts *v, uint64_t ordinal, const uint8_t *verdicts, uint64_t n, error *e);

#endif
