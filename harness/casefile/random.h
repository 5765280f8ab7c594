/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers for drawn tests: a function of a key alone, the same on every machine. The distributions prefer what
 * divides the code paths of kernels: powers of two and their neighbours, multiples of vector and tile widths, and the
 * ends of a range.
 */
#ifndef TOUCHSTONE_RANDOM_H
#define TOUCHSTONE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct random_source {
    uint64_t state;
} random_source;

/* Start the sequence of a key. */
void random_begin(random_source *r, uint64_t key);

/* 64 random bits. */
uint64_t random_bits(random_source *r);

/* Each of 0 ... n - 1 is equally likely. n > 0. */
uint64_t random_below(random_source *r, uint64_t n);

/* True in `percent` of 100 cases. */
bool random_chance(random_source *r, unsigned percent);

/* An integer from low to high (low <= high) whose number of bits is uniformly distributed, with extra weight on both
   ends, on powers of two and their neighbours, and on small multiples of powers of two. Where the range has both signs,
   each sign is equally likely. */
int64_t random_about(random_source *r, int64_t low, int64_t high);

/* How many of something: around 2^16, which a dimension of a dispatch or 16 bits can count, or up to 16 times as
   many. */
uint64_t random_count(random_source *r);

/* Put 0 ... n - 1 into a random order. */
void random_permutation(random_source *r, unsigned n, unsigned *order);

/* Sizes of n dimensions whose product is at most `elements`, none above `most`: most of them small, one or two long,
   in any place, some of them equal, some multiples of a small power of two. `elements` and `most` are at least 1. */
void random_sizes(random_source *r, unsigned n, uint64_t elements, uint64_t most, int64_t *sizes);

/* Sizes of n > 0 dimensions of which one, in any place, is `count`. Those of the others are small: their product is at
   most 64 and at most 2^20 / count, or 3; beyond 2^22 of the one they are 1. */
void random_long_sizes(random_source *r, unsigned n, uint64_t count, int64_t *sizes);

/* How random_strides may place elements. */
typedef struct random_layout {
    bool shares;         /* distinct coordinates may have one address (inputs) */
    bool interleaves;    /* let two dimensions interleave wherever that is possible */
    unsigned bytes;      /* of an element, for pitches, which are round numbers of bytes */
    uint64_t most_span;  /* elements from the first to the last, both included */
    int64_t most_stride; /* of a dimension of size 1, whose stride is never used */
    const int64_t *like; /* strides of another tensor with as many dimensions, to be equal or similar to; or NULL */
} random_layout;

/* Strides, in elements, of a tensor with these sizes: any order of the dimensions, gaps, pitched rows, dimensions that
   share addresses where that is allowed, and interleaved dimensions that do not. Sizes may be 0. */
void random_strides(random_source *r, unsigned n, const int64_t *sizes, const random_layout *l, int64_t *strides);

#endif
