/* SPDX-License-Identifier: Apache-2.0 */
/*
 * FlatBuffers (flatbuffers.dev, "FlatBuffer Internals"), to be read where they may be hostile: every position is
 * checked before it is read, and the first one that lies outside makes all later reads empty. Numbers are
 * little-endian. A field that is absent has count 0, or its default.
 */
#ifndef TOUCHSTONE_FLATBUFFER_H
#define TOUCHSTONE_FLATBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct flatbuffer {
    const unsigned char *bytes;
    size_t size;
    const char *problem; /* what is wrong with it; NULL: nothing was found so far */
    size_t problem_at;   /* the byte */
} flatbuffer;

/* A table, or none: at is 0. */
typedef struct flatbuffer_table {
    size_t at, vtable;
    unsigned vtable_size; /* bytes */
} flatbuffer_table;

/* A vector, or the bytes of a string; at is that of its first element, and 0 where it is absent. */
typedef struct flatbuffer_vector {
    size_t at;
    uint32_t count;
} flatbuffer_vector;

/* The root table. */
flatbuffer_table flatbuffer_root(flatbuffer *f);

/* Field `number` of a table, counted from 0 as the schema declares them (a union has two: its type, then its value): a
   table; a vector of elements of this size; the vector of a string's bytes; a number of 1 to 8 bytes; a struct of this
   size, of which the first byte's position is returned, 0 where it is absent. */
flatbuffer_table flatbuffer_sub(flatbuffer *f, flatbuffer_table t, unsigned number);
flatbuffer_vector flatbuffer_list(flatbuffer *f, flatbuffer_table t, unsigned number, size_t element);
flatbuffer_vector flatbuffer_text(flatbuffer *f, flatbuffer_table t, unsigned number);
uint64_t flatbuffer_number(flatbuffer *f, flatbuffer_table t, unsigned number, size_t bytes, uint64_t absent);
size_t flatbuffer_struct(flatbuffer *f, flatbuffer_table t, unsigned number, size_t bytes);

/* Element i of a vector of tables, or of strings, which the caller has read with elements of 4 bytes. */
flatbuffer_table flatbuffer_element(flatbuffer *f, flatbuffer_vector v, uint32_t i);
flatbuffer_vector flatbuffer_string(flatbuffer *f, flatbuffer_vector v, uint32_t i);

/* A little-endian number of 1 to 8 bytes at a position. 0 where it is outside. */
uint64_t flatbuffer_at(flatbuffer *f, size_t at, size_t bytes);

#endif
