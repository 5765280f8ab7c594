/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/run_digest.h"

#include <stdio.h>
#include <string.h>

void run_digest_start(run_digest *d, const char *suite_digest)
{
    XXH3_128bits_reset(&d->state);
    XXH3_128bits_update(&d->state, suite_digest, strlen(suite_digest));
}

void run_digest_add(run_digest *d, const char *test, uint64_t ran, const uint64_t sums[2])
{
    XXH3_128bits_update(&d->state, test, strlen(test));
    XXH3_128bits_update(&d->state, &ran, sizeof ran);
    XXH3_128bits_update(&d->state, sums, 2 * sizeof sums[0]);
}

void run_digest_end(run_digest *d, char digest[33])
{
    XXH128_hash_t hash = XXH3_128bits_digest(&d->state);
    snprintf(digest, 33, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
}
