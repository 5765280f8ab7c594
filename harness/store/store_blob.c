/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/store_blob.h"

#include "harness/base/verdict.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

_Static_assert(VERDICT_COUNT == 16, "each value of a nibble is a verdict");

/* The best ratio of deflate. A damaged count must not lead to a huge allocation. */
enum { DEFLATE_MOST = 1032 };

/* For the same reason, the most verdicts that are stored as one byte. */
#define UNIFORM_MOST (UINT64_C(1) << 24)

static const char foreign[] = "a plane holds an unknown verdict", compressed[] = "a plane cannot be decompressed";

void *blob_pack(const void *bytes, size_t n, size_t *size)
{
    uLongf got = compressBound((uLong)n);
    unsigned char *blob = malloc(got);
    if (blob && compress2(blob, &got, bytes, (uLong)n, 9) != Z_OK) {
        free(blob);
        blob = NULL;
    }
    *size = got;
    return blob;
}

void *blob_unpack(const void *blob, size_t size, uint64_t n)
{
    unsigned char *bytes = n / DEFLATE_MOST <= size ? malloc((size_t)n + 1) : NULL;
    uLongf got = (uLongf)n;
    if (!bytes || uncompress(bytes, &got, blob, (uLong)size) != Z_OK || got != n) {
        free(bytes);
        return NULL;
    }
    bytes[n] = '\0';
    return bytes;
}

void *blob_pack_verdicts(const uint8_t *verdicts, size_t n, size_t *size)
{
    size_t bytes = (n + 1) / 2;
    unsigned char *nibbles = calloc(bytes + 1, 1);
    bool same = n > 0 && n <= UNIFORM_MOST;
    if (!nibbles)
        return NULL;
    for (size_t i = 0; i < n; ++i) {
        nibbles[i / 2] |= (unsigned char)(verdicts[i] << (i % 2 ? 4 : 0));
        same = same && verdicts[i] == verdicts[0];
    }
    if (same) {
        nibbles[0] = verdicts[0];
        *size = 1;
        return nibbles;
    }
    void *blob = blob_pack(nibbles, bytes, size);
    free(nibbles);
    return blob;
}

bool blob_may_hold(size_t size, uint64_t n)
{
    return size == 1 ? n <= UNIFORM_MOST : n / 2 <= (uint64_t)size * DEFLATE_MOST;
}

const char *blob_unpack_verdicts(const void *blob, size_t size, size_t n, uint8_t *verdicts)
{
    if (size == 1) {
        memset(verdicts, *(const uint8_t *)blob, n);
        return *(const uint8_t *)blob < VERDICT_COUNT ? NULL : foreign;
    }
    /* Inflate into the upper half, and spread from there: each nibble is read before its byte is overwritten. */
    uLongf bytes = (uLongf)((n + 1) / 2), got = bytes;
    unsigned char *nibbles = verdicts + n + 2 - bytes;
    if (bytes > 0 && (uncompress(nibbles, &got, blob, (uLong)size) != Z_OK || got != bytes))
        return compressed;
    for (size_t i = 0; i < n; ++i)
        verdicts[i] = i % 2 ? nibbles[i / 2] >> 4 : nibbles[i / 2] & 15;
    return NULL;
}

const char *blob_count_verdicts(const void *blob, size_t size, size_t n, uint8_t *nibbles, uint64_t *counts)
{
    uint32_t pairs[256] = { 0 };
    uLongf bytes = (uLongf)((n + 1) / 2), got = bytes;
    if (size == 1) {
        const uint8_t only = *(const uint8_t *)blob;
        if (only >= VERDICT_COUNT)
            return foreign;
        memset(nibbles, only | only << 4, bytes);
        counts[only] += n;
        return NULL;
    }
    if (bytes > 0 && (uncompress(nibbles, &got, blob, (uLong)size) != Z_OK || got != bytes))
        return compressed;
    for (size_t i = 0; i < n / 2; ++i)
        pairs[nibbles[i]]++;
    for (unsigned i = 0; i < 256; ++i) {
        counts[i & 15] += pairs[i];
        counts[i >> 4] += pairs[i];
    }
    if (n % 2 && nibbles[n / 2] >= VERDICT_COUNT)
        return foreign;
    if (n % 2)
        counts[nibbles[n / 2]]++;
    return NULL;
}
