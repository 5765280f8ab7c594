/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults of one code path. A kernel of a library does not walk through coordinates: it merges the dimensions that it
 * can merge, chooses a path by what is left (sizes, strides, alignment, element width) and copies. fault_path is a call
 * as such a kernel sees it. A fault has two functions: `takes` says whether the kernel is on the path that is wrong,
 * and `wrong` modifies the place of an element that the path gets wrong.
 *
 * The elements of RANDOM_GENERATOR are copied from a packed source, the stream of words, and those of
 * CUMULATIVE_SUMMATION and of an operator without a row in faulty.c from its packed result; those of GATHER, GATHER_ND
 * and GATHER_ND1 along the axes of indices from where the index points, or the tuple of indices. Those of
 * GATHER_ELEMENTS are moved along the axis by an index each. The path of SCATTER_ELEMENTS and SCATTER_ND is the copy of
 * their input; the updates follow.
 */
#ifndef TOUCHSTONE_FAULT_PATH_H
#define TOUCHSTONE_FAULT_PATH_H

#include "backends/faulty/fault.h"

/* One loop of the kernel: a dimension of the output, or several that are one in memory. */
typedef struct fault_axis {
    uint64_t size; /* at least 1 */
    int64_t in;    /* elements of the source from one coordinate to the next */
    int64_t out;   /* elements of the output */
    int64_t step;  /* of the attributes; 1 if there is none */
    bool picks;    /* GATHER, GATHER_ND: the coordinate selects an index, `in` elements of the index tensor further */
    int64_t index; /* GATHER_ELEMENTS, batches: it moves in the index tensor as well, by so many elements */
} fault_axis;

typedef struct fault_path {
    const fault_call *call;
    size_t bytes;                /* of an element */
    const unsigned char *source; /* elements */
    uint64_t room;               /* in the source, elements */
    int64_t start;               /* of coordinate 0 in the source */
    uint32_t dims;               /* at least 1 */
    fault_axis axis[TS_MAX_DIMS];
    uint64_t count; /* of elements */
    const ts_tensor *indices;
    int64_t picked_stride, picked_size; /* of the input's axis; of the last one of a tuple */
    uint32_t tuple;                     /* GATHER_ND: how many indices a tuple has before its last one */
    uint32_t tuple_axis;                /* the input's axis of the first of these */
    int64_t tuple_stride;               /* of the index tensor, from an index of a tuple to the next */
} fault_path;

/* One element on its way. */
typedef struct fault_place {
    uint64_t number; /* in row-major order */
    uint64_t at[TS_MAX_DIMS];
    uint64_t pick; /* GATHER: the number of its index, and its index counted from 0 */
    int64_t index;
    int64_t from, to; /* offsets in elements */
    bool unwritten;
} fault_place;

/* Execute a call of a fault with a path. */
void fault_run_path(const fault_call *call, const fault *f);

/* By how much a StridedSlice that is misread (fault_affine.h) starts elsewhere. */
int64_t fault_moved(const fault_path *p, unsigned quirks);

/* The offset in the source of these coordinates, and in the output. */
int64_t fault_source(const fault_path *p, const uint64_t *at);
int64_t fault_target(const fault_path *p, const uint64_t *at);

/* Index number n of GATHER's index tensor in row-major order, counted from the start of the axis. */
int64_t fault_index(const fault_path *p, uint64_t n);

/* Index number i of the tuple of these coordinates, counted from the start of its axis. */
int64_t fault_tuple_index(const fault_path *p, const uint64_t *at, uint32_t i);

/* The number of indices of GATHER, 0 without. */
uint64_t fault_picks(const fault_path *p);

/* The innermost loop: a row. */
static inline const fault_axis *fault_row(const fault_path *p)
{
    return &p->axis[p->dims - 1];
}

/* Do elements of a row lie side by side on both sides? */
static inline bool fault_vector(const fault_path *p)
{
    return !fault_row(p)->picks && fault_row(p)->in == 1 && fault_row(p)->out == 1;
}

/* Rows that cannot be merged into one. */
static inline bool fault_rows(const fault_path *p)
{
    return p->dims > 1 && fault_vector(p);
}

/* The number of rows. */
static inline uint64_t fault_row_count(const fault_path *p)
{
    return p->count / fault_row(p)->size;
}

/* The outer loop along which one side is contiguous while the row is contiguous on the other side at most: the copy
   transposes. -1: it does not. */
static inline int fault_across(const fault_path *p)
{
    const fault_axis *row = fault_row(p);
    for (uint32_t i = 0; i + 1 < p->dims && !row->picks; ++i)
        if (!p->axis[i].picks && ((p->axis[i].in == 1 && row->in != 1) || (p->axis[i].out == 1 && row->out != 1)))
            return (int)i;
    return -1;
}

/* The stride of a loop on the side that has strides: the source's, or the output's where a result is copied. */
static inline int64_t fault_stride(const fault_path *p, uint32_t i)
{
    return p->call->on & ON_RESULTS ? p->axis[i].out : p->axis[i].in;
}

/* Move an element along that side. */
static inline void fault_shift(const fault_path *p, fault_place *e, int64_t by)
{
    if (p->call->on & ON_RESULTS)
        e->to += by;
    else
        e->from += by;
}

/* A number rounded down to a multiple. */
static inline uint64_t fault_floor(uint64_t n, uint64_t multiple)
{
    return n - n % multiple;
}

static inline bool fault_power_of_two(uint64_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

#endif
