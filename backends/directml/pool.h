/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory of a batch on the device. One buffer holds all its tensors, each between canary bytes; a second and a
 * third of the same layout carry it there and back in one copy each; a fourth is what the operators need for
 * themselves. They grow, and are made once for most batches.
 */
#ifndef TOUCHSTONE_DIRECTML_POOL_H
#define TOUCHSTONE_DIRECTML_POOL_H

#include "backends/directml/device.h"

#define POOL_CANARY      32   /* bytes at least before and behind each tensor */
#define POOL_CANARY_BYTE 0xA5 /* what they are */

typedef struct pool {
    ID3D12Resource *tensors, *upload, *readback, *scratch;
    uint64_t capacity, scratch_capacity; /* bytes; of the first three, and of the fourth */
    unsigned char *upload_at;            /* mapped for good */
} pool;

/* Make room for a batch; what the pool held is lost. False with d->message. */
bool pool_reserve(pool *p, device *d, uint64_t bytes, uint64_t scratch_bytes);

void pool_close(pool *p);

/* Where a tensor of so many bytes goes, *used being taken: behind canaries, on a multiple of its alignment. */
uint64_t pool_place(uint64_t *used, uint64_t bytes, uint64_t alignment);

/* The same without canaries, for temporary and persistent memory. */
uint64_t pool_place_scratch(uint64_t *used, uint64_t bytes);

/* Record the copies, and the barriers between them and the dispatches. */
void pool_record_upload(const pool *p, ID3D12GraphicsCommandList *list, uint64_t bytes);
void pool_record_readback(const pool *p, ID3D12GraphicsCommandList *list, uint64_t bytes);

/* What came back, for reading until pool_unmap. NULL with d->message. */
const unsigned char *pool_map(pool *p, device *d, uint64_t bytes);
void pool_unmap(pool *p);

#endif
