/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 (FIPS 180-4), for manifests that other tools check. */
#ifndef TOUCHSTONE_SHA256_H
#define TOUCHSTONE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_HEX 65 /* 64 digits and a NUL */

typedef struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
} sha256;

void sha256_start(sha256 *h);
void sha256_add(sha256 *h, const void *bytes, size_t n);
void sha256_end(sha256 *h, char hex[SHA256_HEX]);

/* All at once. */
void sha256_of(const void *bytes, size_t n, char hex[SHA256_HEX]);

#endif
