/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffers of the cases at hand, mapped once per process and slid, never mapped per case. Each slot has two: `golden`,
 * where the reference works, and `subject`, which the backend sees. The subject's tensor ends (or begins) at an
 * inaccessible page; on its other side lie canary bytes. Both have the same layout, so that one comparison of the
 * whole region tells whether a backend wrote what it should and nothing else.
 */
#ifndef TOUCHSTONE_ARENA_H
#define TOUCHSTONE_ARENA_H

#include "harness/base/error.h"

#include <stddef.h>
#include <stdint.h>

#define ARENA_CANARY 32 /* bytes checked on the side away from the guard page */

typedef struct arena_slot {
    unsigned char *golden, *subject;
    size_t capacity;
} arena_slot;

typedef struct arena {
    arena_slot *slots;
    size_t count;
} arena;

/* Where one tensor lies. The region is [-before, bytes + after) around either pointer. */
typedef struct arena_place {
    unsigned char *golden, *subject;
    size_t bytes, before, after;
    bool sparse; /* only what sparse.h says may be looked at: the rest of the pages was never touched */
} arena_place;

bool arena_open(arena *a, size_t slots, error *e);
void arena_close(arena *a);

/* Make room for `bytes` in a slot, at its end or its beginning, aligned (a power of two; 0 and 1 are none). What the
   slot held is lost where it must grow. */
bool arena_reserve(arena *a, size_t slot, uint64_t bytes, size_t alignment, bool at_end, arena_place *place, error *e);

/* Give the slot's memory back: what it held is lost, and pages that nobody touches take none. */
void arena_forget(arena *a, size_t slot);

/* Is the address in the guard page of a slot's subject, or within `reach` bytes of it? The slot, or -1. */
int arena_guards(const arena *a, const void *address, size_t reach);

#endif
