/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor buffers of the current cases, mapped once per process: a case moves inside them and maps nothing. Each slot
 * has two buffers: `golden` for the reference and `subject` for the backend. The subject's tensor ends (or begins) at
 * an inaccessible page and has canary bytes on its other side. Both buffers have the same layout, so that one
 * comparison of the whole region shows whether the backend wrote the correct bytes and no others.
 */
#ifndef TOUCHSTONE_ARENA_H
#define TOUCHSTONE_ARENA_H

#include "harness/base/error.h"

#include <stddef.h>
#include <stdint.h>

#define ARENA_CANARY 32 /* bytes checked on the side away from the guard page */

#define ARENA_KEPT (UINT64_C(64) << 20) /* bytes of spare memory that arena_trim leaves */

typedef struct arena_slot {
    unsigned char *golden, *subject;
    size_t capacity;
} arena_slot;

typedef struct arena {
    arena_slot *slots;
    size_t count;
    arena_slot *spare; /* what slots were grown to, for any of them that has to grow: its pages are in use already */
    size_t spare_count, spare_capacity;
    bool fresh;     /* the caller's: a slot that grows gets memory that was never used, and that is 0 */
    bool untrimmed; /* a slot was grown since the last arena_trim */
    uint64_t grown; /* bytes of the slots that have more than every slot begins with, and of spare memory */
} arena;

/* The memory of one tensor. The region is [-before, bytes + after) around either pointer. */
typedef struct arena_place {
    unsigned char *golden, *subject;
    size_t bytes, before, after;
    bool sparse;   /* only the bytes that sparse.h names may be accessed: the other pages are untouched */
    bool in_place; /* an input and an output have one subject: what the output will be, the input was */
} arena_place;

bool arena_open(arena *a, size_t slots, error *e);
void arena_close(arena *a);

/* Reserve `bytes` in a slot, at its end or its beginning, with an alignment (a power of two; 0 and 1 mean none). The
   contents are lost if the slot has to grow. */
bool arena_reserve(arena *a, size_t slot, uint64_t bytes, size_t alignment, bool at_end, arena_place *place, error *e);

#define ARENA_LINE 64 /* bytes; arena_reserve_at counts from their multiples */

/* The same, with the first byte `base` bytes (0 to ARENA_LINE - 1) behind a multiple of ARENA_LINE, rounded down to the
   alignment. Near the guard page, up to ARENA_LINE - 1 bytes stay between the tensor and the page. */
bool arena_reserve_at(arena *a, size_t slot, uint64_t bytes, size_t alignment, unsigned base, bool at_end,
                      arena_place *place, error *e);

/* Release the memory of a slot. Its contents are lost; pages use memory again only when they are touched. */
void arena_forget(arena *a, size_t slot);

/* Take the memory of the slots that were grown, so that any slot can have it; without that, a few large tensors in each
   slot would add up. Release of it what exceeds ARENA_KEPT bytes. Call it where no slot's contents are needed. */
void arena_trim(arena *a);

/* The slot whose subject's guard page contains the address or is at most `reach` bytes away from it; -1 if none. */
int arena_guards(const arena *a, const void *address, size_t reach);

#endif
