/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/arena.h"

#include "harness/base/array.h"
#include "harness/base/platform.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY ((size_t)64 << 10)
#define MAX_BYTES      (UINT64_C(1) << 37)
#define MAX_EXCESS     4 /* spare memory of more than so many times what a tensor needs is left to a larger one */

bool arena_open(arena *a, size_t slots, error *e)
{
    *a = (arena){ .slots = calloc(slots, sizeof *a->slots) };
    a->count = a->slots ? slots : 0;
    return a->slots ? true : error_set(e, "out of memory");
}

/* The bytes of a slot that count as grown. */
static uint64_t grown_bytes(const arena_slot *s)
{
    return s->capacity > FIRST_CAPACITY ? 2 * (uint64_t)s->capacity : 0;
}

/* Release the memory of a slot, or spare memory. */
static void release(arena *a, arena_slot *s)
{
    a->grown -= grown_bytes(s);
    platform_unmap_guarded(s->golden, s->capacity);
    platform_unmap_guarded(s->subject, s->capacity);
    memset(s, 0, sizeof *s);
}

void arena_close(arena *a)
{
    for (size_t i = 0; i < a->count; ++i)
        release(a, &a->slots[i]);
    for (size_t i = 0; i < a->spare_count; ++i)
        release(a, &a->spare[i]);
    free(a->slots);
    free(a->spare);
    memset(a, 0, sizeof *a);
}

/* What to map for `bytes`: a little more, so that spare memory fits tensors of nearly the same size. */
static size_t rounded(uint64_t bytes)
{
    size_t step = platform_page_size();
    if (bytes <= FIRST_CAPACITY)
        return FIRST_CAPACITY;
    while (step < bytes / 8)
        step *= 2;
    return ((size_t)bytes + step - 1) / step * step;
}

/* Take the smallest spare memory that has room and is not far too large. What a slot has at first is for all small
   tensors. */
static bool take_spare(arena *a, arena_slot *s, uint64_t bytes)
{
    size_t best = a->spare_count;
    for (size_t i = 0; i < a->spare_count; ++i)
        if (a->spare[i].capacity >= bytes &&
            (a->spare[i].capacity / MAX_EXCESS <= bytes || a->spare[i].capacity == FIRST_CAPACITY) &&
            (best == a->spare_count || a->spare[i].capacity < a->spare[best].capacity))
            best = i;
    if (best == a->spare_count)
        return false;
    *s = a->spare[best];
    a->spare[best] = a->spare[--a->spare_count];
    return true;
}

/* Keep the memory of a slot as spare memory, or release it if there is no room to note it. */
static void set_aside(arena *a, arena_slot *s)
{
    if (!array_reserve(&a->spare, &a->spare_capacity, a->spare_count + 1, sizeof *a->spare)) {
        release(a, s);
        return;
    }
    a->spare[a->spare_count++] = *s;
    memset(s, 0, sizeof *s);
}

static bool grow(arena *a, arena_slot *s, uint64_t bytes, error *e)
{
    if (s->capacity == FIRST_CAPACITY) /* the next small tensor of this slot needs it again */
        set_aside(a, s);
    else
        release(a, s);
    a->untrimmed |= bytes > FIRST_CAPACITY;
    if (!a->fresh && take_spare(a, s, bytes))
        return true;
    const size_t capacity = rounded(bytes);
    s->golden = platform_map_guarded(capacity);
    s->subject = platform_map_guarded(capacity);
    s->capacity = capacity;
    a->grown += grown_bytes(s);
    if (s->golden && s->subject)
        return true;
    release(a, s);
    return error_set(e, "out of memory for a tensor of %llu bytes%s", (unsigned long long)bytes,
                     bytes >> 30 ? " (is the address space limited, as by ulimit -v or vm.overcommit_memory = 2?)"
                                 : "");
}

/* Make a slot large enough for `bytes`, a canary and `slack`. */
static bool make_room(arena *a, arena_slot *s, uint64_t bytes, size_t slack, error *e)
{
    if (bytes > MAX_BYTES) /* checked first, so that the sums below cannot overflow */
        return error_set(e, "a tensor of %llu bytes is more than the %llu that a case may have",
                         (unsigned long long)bytes, (unsigned long long)MAX_BYTES);
    const uint64_t needed = bytes + ARENA_CANARY + slack;
    return s->capacity >= needed || grow(a, s, needed, e);
}

static void set_place(const arena_slot *s, size_t at, uint64_t bytes, arena_place *place)
{
    const size_t behind = s->capacity - at - (size_t)bytes;
    place->golden = s->golden + at;
    place->subject = s->subject + at;
    place->bytes = (size_t)bytes;
    place->before = at < ARENA_CANARY ? at : ARENA_CANARY;
    place->after = behind < ARENA_CANARY ? behind : ARENA_CANARY;
}

bool arena_reserve(arena *a, size_t slot, uint64_t bytes, size_t alignment, bool at_end, arena_place *place, error *e)
{
    arena_slot *s = &a->slots[slot];
    if (!make_room(a, s, bytes, alignment > 1 ? alignment : 0, e))
        return false;
    size_t at = 0;
    if (at_end) {
        at = s->capacity - (size_t)bytes;
        if (alignment > 1)
            at &= ~(alignment - 1);
    }
    set_place(s, at, bytes, place);
    return true;
}

bool arena_reserve_at(arena *a, size_t slot, uint64_t bytes, size_t alignment, unsigned base, bool at_end,
                      arena_place *place, error *e)
{
    arena_slot *s = &a->slots[slot];
    const size_t line = alignment > ARENA_LINE ? alignment : ARENA_LINE; /* each is a power of two */
    size_t at = alignment > 1 ? base & ~(alignment - 1) : base;
    if (!make_room(a, s, bytes, 2 * line, e))
        return false;
    if (at_end)
        at += (s->capacity - (size_t)bytes - at) & ~(line - 1);
    set_place(s, at, bytes, place);
    return true;
}

void arena_forget(arena *a, size_t slot)
{
    release(a, &a->slots[slot]);
}

void arena_trim(arena *a)
{
    for (size_t i = 0; i < a->count && a->untrimmed; ++i)
        if (grown_bytes(&a->slots[i]) > 0)
            set_aside(a, &a->slots[i]);
    a->untrimmed = false;
    while (a->grown > ARENA_KEPT) { /* the largest are needed least often */
        size_t largest = 0;
        for (size_t i = 1; i < a->spare_count; ++i)
            if (a->spare[i].capacity > a->spare[largest].capacity)
                largest = i;
        release(a, &a->spare[largest]);
        a->spare[largest] = a->spare[--a->spare_count];
    }
}

int arena_guards(const arena *a, const void *address, size_t reach)
{
    uintptr_t p = (uintptr_t)address;
    for (size_t i = 0; i < a->count; ++i) {
        uintptr_t start = (uintptr_t)a->slots[i].subject, end = start + a->slots[i].capacity;
        if (a->slots[i].subject && ((p >= end && p - end < reach) || (p < start && start - p <= reach)))
            return (int)i;
    }
    return -1;
}
