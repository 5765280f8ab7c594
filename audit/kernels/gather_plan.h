/* SPDX-License-Identifier: Apache-2.0 */
/* A GATHER as three nests of loops, and the code path for it. */
#ifndef TOUCHSTONE_KERNELS_GATHER_PLAN_H
#define TOUCHSTONE_KERNELS_GATHER_PLAN_H

#include "audit/kernels/copy.h"
#include "audit/kernels/gather_index.h"
#include "audit/kernels/tensors.h"

typedef enum gather_path {
    GATHER_SLICE,    /* one index: a strided copy of what it picks */
    GATHER_ELEMENTS, /* blocks of one element */
    GATHER_BLOCKS,   /* contiguous blocks */
    GATHER_STRIDED,  /* other blocks, by a strided copy each */
    GATHER_THREADS   /* short blocks of dense tensors: a grid with a thread per element */
} gather_path;

typedef struct gather_plan {
    gather_path path;
    index_source source;
    nest around;       /* dimensions before the axis */
    nest along;        /* index dimensions: `to` of the output, `from` of the index tensor */
    uint64_t indices;  /* their count */
    uint64_t bytes;    /* of a contiguous block */
    copy_plan block;   /* GATHER_STRIDED; GATHER_SLICE: with the dimensions before the axis */
    uint32_t inside;   /* GATHER_THREADS: elements of a block, */
    uint32_t elements; /* of the output, */
    divisor by_inside, by_indices;
    int64_t around_pitch; /* and bytes of the source per position before the axis */
} gather_plan;

/* Make the plan of a legal call of GATHER. */
void gather_plan_make(gather_plan *p, const ts_call *call);

/* Choose the path of a plan that has its source, `around` and `along`. inside: the loops over what an index picks,
   which may be changed; dense: is no element skipped in any tensor? No loop is empty. */
void gather_plan_choose(gather_plan *p, nest *inside, bool dense);

/* Gather. */
void gather_plan_run(const gather_plan *p, unsigned char *to, const unsigned char *indices, const unsigned char *from);

#endif
