/* SPDX-License-Identifier: Apache-2.0 */
/* The digest of a run, over the suite digest and the results of each test in the order of the plan. */
#ifndef TOUCHSTONE_RUN_DIGEST_H
#define TOUCHSTONE_RUN_DIGEST_H

#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct run_digest {
    XXH3_state_t state;
} run_digest;

void run_digest_start(run_digest *d, const char *suite_digest);
void run_digest_add(run_digest *d, const char *test, uint64_t ran, const uint64_t sums[2]);
void run_digest_end(run_digest *d, char digest[33]);

#endif
