/* SPDX-License-Identifier: Apache-2.0 */
/* The planes of a test one by one, for readers that go through two runs at once. */
#ifndef TOUCHSTONE_STORE_PLANES_H
#define TOUCHSTONE_STORE_PLANES_H

#include "harness/store/store.h"

typedef struct store_planes store_planes;

/* The planes of test `test` from the beginning. NULL on error. The store stays open until it is closed. */
store_planes *store_planes_open(store *s, int64_t test, error *e);
void store_planes_close(store_planes *p);

/* The plane at hand. Verdicts come when they are asked for. */
typedef struct store_planes_at {
    uint64_t first, last, cases;
    const void *blob; /* as it is stored: planes with the same cases and bytes have the same verdicts */
    size_t size;
} store_planes_at;

/* Go to the next plane. *more: is there one? False where the run cannot be read. */
bool store_planes_next(store_planes *p, store_planes_at *at, bool *more, error *e);

/* The verdicts of the plane at hand, one byte each. NULL on error. They live until the next plane. */
const uint8_t *store_planes_verdicts(store_planes *p, error *e);

#endif
