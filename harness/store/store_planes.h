/* SPDX-License-Identifier: Apache-2.0 */
/* A cursor over the planes of a test, for readers of two runs at once. */
#ifndef TOUCHSTONE_STORE_PLANES_H
#define TOUCHSTONE_STORE_PLANES_H

#include "harness/store/store.h"

typedef struct store_planes store_planes;

/* Open a cursor before the first plane of a test. NULL on error. Close it before the store. */
store_planes *store_planes_open(store *s, int64_t test, error *e);
void store_planes_close(store_planes *p);

/* The plane that the cursor is at. store_planes_verdicts decompresses its verdicts. */
typedef struct store_planes_at {
    uint64_t first, last, cases;
    const void *blob; /* compressed verdicts: planes with the same cases and bytes have the same verdicts */
    size_t size;
} store_planes_at;

/* Move to the next plane. *more: there is one. False on error. */
bool store_planes_next(store_planes *p, store_planes_at *at, bool *more, error *e);

/* The verdicts of the current plane, one byte each, which live until the cursor moves. NULL on error. */
const uint8_t *store_planes_verdicts(store_planes *p, error *e);

#endif
