/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a batch on the device. One buffer contains all tensors, each between canary bytes. An upload buffer and
   a readback buffer have the same layout, so that one copy each is enough. A fourth buffer is scratch memory of the
   operators. The buffers grow when necessary; most batches reuse them. */
#ifndef TOUCHSTONE_DIRECTML_POOL_H
#define TOUCHSTONE_DIRECTML_POOL_H

#include "backends/directml/device.h"

#define POOL_CANARY      32   /* minimum number of canary bytes before and after each tensor */
#define POOL_CANARY_BYTE 0xA5 /* the value of a canary byte */

typedef struct pool {
    ID3D12Resource *tensors, *upload, *readback, *scratch;
    uint64_t capacity, scratch_capacity; /* sizes in bytes: of the first three buffers, and of the fourth */
    unsigned char *upload_at;            /* mapped permanently */
} pool;

/* Reserve memory for a batch; the old content is lost. False with d->message. */
bool pool_reserve(pool *p, device *d, uint64_t bytes, uint64_t scratch_bytes);

void pool_close(pool *p);

/* Allocate a tensor after *used bytes, with canaries before it, at a multiple of its alignment. Returns its offset. */
uint64_t pool_place(uint64_t *used, uint64_t bytes, uint64_t alignment);

/* The same without canaries, for temporary and persistent memory. */
uint64_t pool_place_scratch(uint64_t *used, uint64_t bytes);

/* Record the copies, and the barriers between them and the dispatches. */
void pool_record_upload(const pool *p, ID3D12GraphicsCommandList *list, uint64_t bytes);
void pool_record_readback(const pool *p, ID3D12GraphicsCommandList *list, uint64_t bytes);

/* Map the readback buffer for reading until pool_unmap(). NULL with d->message. */
const unsigned char *pool_map(pool *p, device *d, uint64_t bytes);
void pool_unmap(pool *p);

#endif
