/* SPDX-License-Identifier: Apache-2.0 */
/* What stands compressed in a run: verdicts and texts, to and from bytes. Damaged bytes are told, never trusted. */
#ifndef TOUCHSTONE_STORE_BLOB_H
#define TOUCHSTONE_STORE_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n bytes, deflated (zlib): *size bytes, which the caller frees. NULL where memory is out. */
void *blob_pack(const void *bytes, size_t n, size_t *size);

/* What blob_pack was given, with a NUL behind it, which the caller frees. NULL where the blob holds other than n bytes,
   or memory is out. */
void *blob_unpack(const void *blob, size_t size, uint64_t n);

/* n verdicts, a nibble each (low nibble first), deflated; where all are the same, one byte: that verdict. The caller
   frees it. NULL where memory is out. */
void *blob_pack_verdicts(const uint8_t *verdicts, size_t n, size_t *size);

/* Can a blob of this size hold n verdicts at all? Ask before there is memory for them. */
bool blob_may_hold(size_t size, uint64_t n);

/* n verdicts, a byte each, into `verdicts`, which has room for n + 2. NULL, or what is wrong with the blob. */
const char *blob_unpack_verdicts(const void *blob, size_t size, size_t n, uint8_t *verdicts);

#endif
