/* SPDX-License-Identifier: Apache-2.0 */
/* Messages between a run and its workers. Both are the same program, so numbers are sent in their memory
   representation. A message from a worker is checked while it is decoded, because the backend in the worker may have
   corrupted it. */
#ifndef TOUCHSTONE_WIRE_H
#define TOUCHSTONE_WIRE_H

#include "harness/base/platform_process.h"

/* A message that is being encoded or decoded. */
typedef struct wire {
    unsigned char *bytes; /* owned */
    size_t size, capacity;
    size_t at;   /* the position of the decoder */
    bool broken; /* memory was out, or the message is shorter than expected; stays set until wire_clear */
} wire;

void wire_free(wire *w);
/* Empty the message to encode another one; its memory is reused. */
void wire_clear(wire *w);

void wire_encode(wire *w, const void *bytes, size_t size);
void wire_encode_u64(wire *w, uint64_t value);
void wire_encode_text(wire *w, const char *text); /* NULL is distinct from "" */

/* Decode `size` bytes, which live as long as the message; NULL, and broken, if it has fewer. */
const void *wire_decode(wire *w, size_t size);
uint64_t wire_decode_u64(wire *w); /* 0 if broken */
/* Decode a number; a number above `most` breaks the message and gives 0. */
uint64_t wire_decode_count(wire *w, uint64_t most);
const char *wire_decode_text(wire *w);
/* Decode a text into an array of chars, truncating it if it is too long. */
void wire_decode_string(wire *w, char *buf, size_t size);

/* Send the encoded message; receive the next one to decode it. False if the other end is closed; a received message is
   broken as well if it does not end, or if its length is impossible. */
bool wire_send(wire *w, platform_line *line);
bool wire_receive(wire *w, platform_line *line);

#endif
