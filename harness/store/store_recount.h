/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Holds what a run stores twice against each other: the verdicts, their counts, the findings, the digest and the state.
 * store_open does this, so that no reader trusts a count that the verdicts do not have. The checksums (store_private.h)
 * find what was changed after it was written; this finds what was wrong when it was written.
 */
#ifndef TOUCHSTONE_STORE_RECOUNT_H
#define TOUCHSTONE_STORE_RECOUNT_H

#include "harness/store/store.h"

/* Recount a run. A contradiction is damage, and the message names the test. *cases, unless it is NULL, gets the number
   of cases with each verdict. */
bool store_recount(store *s, uint64_t (*cases)[VERDICT_COUNT], error *e);

#endif
