/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the faults of the third set share. A kernel that gathers, scatters, joins or rearranges walks through elements,
 * finds where each comes from and where it goes, and copies it. A fault of such a kernel is a function that modifies
 * the place of an element.
 */
#ifndef TOUCHSTONE_THIRD_H
#define TOUCHSTONE_THIRD_H

#include "backends/planted/planted.h"

/* Groups of operators. */
#define ON_OPENVINO_GATHERS    (ON_GATHER_1 | ON_GATHER_7 | ON_GATHER_8)
#define ON_BATCHED_GATHERS     (ON_GATHER_7 | ON_GATHER_8)
#define ON_ALL_GATHER_ELEMENTS (ON_GATHER_ELEMENTS | ON_OPENVINO_GATHER_ELEMENTS)
#define ON_OPENVINO_GATHER_NDS (ON_GATHER_ND_5 | ON_GATHER_ND_8)
#define ON_ALL_GATHER_NDS      (ON_GATHER_NDS | ON_OPENVINO_GATHER_NDS)
#define ON_SCATTERED_ELEMENTS  (ON_SCATTER_ELEMENTS | ON_SCATTER_ELEMENTS_UPDATE)
#define ON_SCATTERED_TUPLES    (ON_SCATTER_ND | ON_SCATTER_ND_UPDATE)
#define ON_OPENVINO_SCATTERS   (ON_SCATTER_UPDATE | ON_SCATTER_ELEMENTS_UPDATE | ON_SCATTER_ND_UPDATE)
#define ON_ALL_SCATTERS        (ON_SCATTERS | ON_OPENVINO_SCATTERS)

/*
 * How the tensors of a call with indices belong together. The wide tensor is the output of a gather, or the updates of
 * a scatter; the narrow one, from which the indices select, is the input of a gather, or the output of a scatter. The
 * dimensions of the wide one are those before the axis, those of the array of indices behind the batches, and those of
 * the block, in which the indices do not select; of operators on elements, all tensors have the same dimensions.
 */
typedef struct third_map {
    const fault_call *call;
    const ts_tensor *wide, *narrow, *indices;
    uint32_t axis, tuple;                    /* of the narrow one: the first dimension selected from, and how many */
    uint32_t batch, array, block;            /* how many dimensions */
    uint32_t first, first_wide, first_index; /* dimensions before these do not count */
    bool beside;                             /* on elements */
    bool tuples;                             /* the last dimension of the indices is that of tuples */
    bool flat;                               /* the wide one has one dimension for all batches */
} third_map;

/* One element on its way. All coordinates are of the tensors as they are described. */
typedef struct third_place {
    const third_map *map; /* NULL in operators without indices */
    const fault_call *call;
    uint64_t number;                   /* of `at`, in row-major order */
    uint64_t at[TS_MAX_DIMS];          /* in the wide tensor; of operators without indices in the output */
    uint64_t from[TS_MAX_DIMS];        /* in the narrow one; in the input */
    uint64_t index_at[TS_MAX_DIMS];    /* of the first index */
    int64_t index[TS_MAX_DIMS];        /* the indices, counted from the start of their dimensions */
    const ts_tensor *source;           /* the tensor that the element is read from */
    uint32_t input;                    /* JOIN: its number, counted from 0 */
    int64_t index_offset;              /* -1, or where the first index is read instead, in elements */
    int64_t read_offset, write_offset; /* -1, or where the element is read and written instead */
    bool clamped;                      /* an index beyond its dimension is clamped, whatever the page says */
    bool unwritten;
} third_place;

typedef void third_wrong(third_place *e);

/* The map of a call of an operator with indices. */
third_map third_map_of(const fault_call *call);

/* The size of a dimension that the indices select from. */
static inline uint64_t third_selected(const third_map *m, uint32_t i)
{
    return m->narrow->sizes[m->axis + i];
}

/* Elements in a block; indices or tuples in all. */
uint64_t third_block(const third_map *m);
uint64_t third_picks(const third_map *m);

/* The value of index number n of the tensor of indices, in row-major order, as it is stated. */
int64_t third_stated(const third_map *m, uint64_t n);

/* The index for selected dimension i at an offset of the memory of the indices, counted from the start. */
int64_t third_index_at(const third_map *m, uint32_t i, uint64_t offset);

/* Gather: each element of the output is found by `before`, which may move the place of the index, by the index, and by
   `after`. Either may be NULL. */
void third_gather(const fault_call *call, third_wrong *before, third_wrong *after);

/* Scatter: copy the input, each element by `copied`, and apply the updates, in their order. */
void third_scatter(const fault_call *call, third_wrong *copied, third_wrong *before, third_wrong *after);

/* Copy each element of the output of JOIN or SPACE_TO_DEPTH1 from where it belongs, modified by `wrong`. */
void third_join(const fault_call *call, third_wrong *wrong);
void third_blocks(const fault_call *call, third_wrong *wrong);

/* Are the strides of a tensor those of a packed one? */
bool third_packed(const ts_tensor *t);

/* Do two tensors have the same sizes? */
bool third_same_sizes(const ts_tensor *a, const ts_tensor *b);

/* The product of sizes from dimension `from` to before `to`. */
uint64_t third_product(const ts_tensor *t, uint32_t from, uint32_t to);

/* A number for the type and the sizes of a tensor. */
uint64_t third_key(const ts_tensor *t);

/* Is a report's only broken clause this one, and broken at this tensor or axis? -1: anywhere. */
bool third_breaks(const ts_report *report, const char *clause, int tensor, int axis);

/* A fault that is on its path only where `takes` says so. */
#define THIRD(name, takes, wrong_call)                                                                                 \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        if (takes(call))                                                                                               \
            wrong_call;                                                                                                \
        else                                                                                                           \
            fault_run_right(call);                                                                                     \
    }

#endif
