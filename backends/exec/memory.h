/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The memory that Touchstone and a program share, and the calls in it. What the program writes to a tensor is copied to
 * the tensor of the call; what it writes to anything else that it should not, is noticed.
 *
 *     0        nothing
 *     64       names of operators; calls; for each its tensors and attributes: what `described` ends
 *     then     statuses and reported shapes, which the program writes
 *     then     the data of the tensors, with a canary in front of and behind each
 */
#ifndef TOUCHSTONE_EXEC_MEMORY_H
#define TOUCHSTONE_EXEC_MEMORY_H

#include "backends/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_CANARY 64                  /* bytes, at least, on each side of a tensor */
#define MEMORY_WIDE   (UINT64_C(1) << 16) /* where one call is written alone, to see what it would do to others */
#define MEMORY_UNSET  0x5A /* each byte of a status before the program stores one */

/* The data of a tensor in the shared memory. */
typedef struct memory_place {
    uint64_t offset, bytes;
    const ts_tensor *tensor; /* of the call: its data are to be what these become */
    size_t call;
    bool written; /* an output of the call has these data */
} memory_place;

typedef struct memory {
    int file;
    unsigned char *base; /* `size` bytes, mapped */
    uint64_t size;
    unsigned char *image; /* what was described in the calls, to see whether the program wrote there */
    size_t image_size;
    memory_place *places; /* in ascending order of offset */
    size_t place_count, place_capacity;
    uint64_t described, statuses, shapes, used; /* offsets of the current batch */
    uint64_t calls;
    uint64_t canary;
    size_t count;
} memory;

/* Make the memory. False, with errno, if it cannot be made. */
bool memory_open(memory *m);
void memory_close(memory *m);

/* Write n calls to the memory, with `tokens[i]` as their tokens, and the data of their tensors, aligned as the
   originals are to `alignment` (a power of two), with a canary of `canary` bytes. False if memory is out. */
bool memory_write(memory *m, const ts_call *calls, size_t n, const uint64_t *tokens, uint32_t alignment,
                  uint64_t canary);

/* Where the program wrote what it should not. */
typedef struct memory_stray {
    size_t call;        /* the call that it is next to */
    unsigned char *at;  /* the byte of the suite's memory that a library would have written to, or, of one that is farther
                           from its tensor than MEMORY_CANARY, the byte beside the tensor, where the suite sees it;
                           NULL: the program wrote to the description of the call */
    unsigned char byte; /* what it wrote there */
} memory_stray;

/* Look for writes to what is no tensor of the last batch. Returns their number, at most `most`. */
size_t memory_find_strays(const memory *m, memory_stray *strays, size_t most);

/* Did the program write to a tensor that is an input, and no output in the same memory? */
bool memory_input_written(const memory *m);

/* Copy what the program wrote to the tensors, and the shapes that it reported, to those of the calls; `status` receives
   the n statuses. */
void memory_read(const memory *m, const ts_call *calls, ts_status *status);

#endif
