/* SPDX-License-Identifier: Apache-2.0 */
/* Compression of the verdicts and texts in a run. Damaged input is detected and reported. */
#ifndef TOUCHSTONE_STORE_BLOB_H
#define TOUCHSTONE_STORE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Deflate n bytes (zlib) to *size bytes, which the caller frees. NULL where memory is out. */
void *blob_pack(const void *bytes, size_t n, size_t *size);

/* Inflate a blob of blob_pack to n bytes and a NUL, which the caller frees. NULL where the blob does not hold n bytes,
   or memory is out. */
void *blob_unpack(const void *blob, size_t size, uint64_t n);

/* Deflate n verdicts, a nibble each (low nibble first); if all are the same, to one byte: that verdict. The caller
   frees the blob. NULL where memory is out. */
void *blob_pack_verdicts(const uint8_t *verdicts, size_t n, size_t *size);

/* Can a blob of this size hold n verdicts? Call it before memory is allocated for them. */
bool blob_may_hold(size_t size, uint64_t n);

/* Inflate n verdicts, a byte each, into `verdicts`, which must have room for n + 2. Returns NULL, or a description of
   the damage. */
const char *blob_unpack_verdicts(const void *blob, size_t size, size_t n, uint8_t *verdicts);

/* Count n verdicts by kind: adds to counts[VERDICT_COUNT]. `nibbles` must have room for n / 2 + 1 bytes; they hold the
   verdicts afterwards, the low nibble first. Returns NULL, or a description of the damage. */
const char *blob_count_verdicts(const void *blob, size_t size, size_t n, uint8_t *nibbles, uint64_t *counts);

#endif
