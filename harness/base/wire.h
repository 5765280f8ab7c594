/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between a run and its workers, as bytes. Both are the same program, so that numbers go as they lie in memory;
   but what a worker says is believed only where it fits, since the backend in it may have scribbled over anything. */
#ifndef TOUCHSTONE_WIRE_H
#define TOUCHSTONE_WIRE_H

#include "harness/base/platform_process.h"

/* A message that is being written, or read. */
typedef struct wire {
    unsigned char *bytes; /* owned */
    size_t size, capacity;
    size_t at;      /* of the reader */
    bool broken;    /* memory was out, or the reader found less than it expected: sticks */
} wire;

void wire_free(wire *w);
/* Empty it to be written again; its memory is kept. */
void wire_clear(wire *w);

void wire_encode(wire *w, const void *bytes, size_t size);
void wire_put_u64(wire *w, uint64_t value);
void wire_encode_text(wire *w, const char *text); /* NULL is told apart from "" */

/* `size` bytes of the message, which live as long as it does; NULL, and broken, where it has fewer. */
const void *wire_decode(wire *w, size_t size);
uint64_t wire_take_u64(wire *w); /* 0 where broken */
/* A number of at most `most`, or broken and 0. */
uint64_t wire_decode_count(wire *w, uint64_t most);
const char *wire_decode_text(wire *w);
/* Into an array of chars, cut where it is too long. */
void wire_decode_string(wire *w, char *buf, size_t size);

/* Send what was written, and receive the next: false where the other end is gone. A message of an impossible length
   counts as one that has no end. */
bool wire_send(wire *w, platform_line *line);
bool wire_receive(wire *w, platform_line *line);

#endif
