/* SPDX-License-Identifier: Apache-2.0 */
/* The index tuples of GATHER_ND and SCATTER_ND: from tuples of coordinates to offsets, and the block that is copied for
   each tuple. */
#ifndef TOUCHSTONE_KERNELS_TUPLES_H
#define TOUCHSTONE_KERNELS_TUPLES_H

#include "audit/kernels/copy.h"
#include "audit/kernels/gather_index.h"
#include "backends/backend.h"

enum { TUPLE_BATCH = 256, TUPLE_MOST = 8 };

typedef struct tuple_source {
    index_source picks[TUPLE_MOST]; /* for each coordinate of a tuple */
    uint32_t coordinates;           /* how many there are, */
    int64_t next;                   /* and the bytes from one to the next */
} tuple_source;

/* Tuples along the last dimension of `indices`, for the dimensions of `of` from `first` on. */
tuple_source tuple_source_of(const ts_tensor *indices, const ts_tensor *of, uint32_t first);

/* The offsets of n tuples, at most TUPLE_BATCH, that are `step` bytes apart. */
void tuple_resolve(const tuple_source *s, const unsigned char *from, int64_t step, uint64_t n, int64_t *offsets);

/* The offsets of any number of tuples without gaps between them. */
void tuple_resolve_all(const tuple_source *s, const unsigned char *from, uint64_t count, int64_t *offsets);

typedef enum tuple_path {
    TUPLE_ELEMENT,    /* one element */
    TUPLE_CONTIGUOUS, /* a contiguous block */
    TUPLE_STRIDED     /* another block, by a strided copy */
} tuple_path;

typedef struct tuple_block {
    tuple_path path;
    uint64_t bytes; /* of the element, or of the contiguous block */
    copy_plan strided;
} tuple_block;

/* Choose a path by the loops over a block. */
tuple_block tuple_block_of(nest *inside);

/* Copy a block. */
void tuple_block_copy(const tuple_block *b, unsigned char *to, const unsigned char *from);

#endif
