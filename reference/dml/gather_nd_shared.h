/* SPDX-License-Identifier: Apache-2.0 */
/* What GATHER_ND and GATHER_ND1 share. GATHER_ND is GATHER_ND1 with a BatchDimensionCount of 0. */
#ifndef TOUCHSTONE_DML_GATHER_ND_SHARED_H
#define TOUCHSTONE_DML_GATHER_ND_SHARED_H

#include "harness/model/operator.h"
#include "reference/dml.h"

/* The places of the clauses in the tables of both operators: by their numbers, as far as both have them. GATHER_ND has no
   batches. */
enum {
    ND_GIVEN,
    ND_DIMS,
    ND_TYPE,
    ND_INDEX_TYPE,
    ND_INPUT_COUNT,
    ND_INDICES_COUNT,
    ND_INPUT_ONES,
    ND_INDICES_ONES,
    ND_TUPLE,
    ND_SIZES,
    ND_FORMULA,
    ND_NEGATIVE,
    ND_BEYOND,
    ND_BITS,
    ND_LONG_TUPLE,
    ND_CLAUSES,
    ND_BATCH_COUNT = ND_CLAUSES,
    ND_BATCH_SIZES,
    ND_MANY_BATCHES,
    ND1_CLAUSES
};

#define DML_GATHER_ND_INDEX_TYPES                                                                                      \
    (TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_INT32) | TS_DTYPE_BIT(TS_UINT64) | TS_DTYPE_BIT(TS_UINT32))

/* The dimension counts of a descriptor, and the number of coordinates of an index tuple: the last size of
   IndicesTensor, or 0 if it has no sizes. */
typedef struct dml_gather_nd {
    uint32_t input, indices, batch;
    uint64_t tuple;
} dml_gather_nd;

dml_gather_nd dml_gather_nd_counts(const ts_descriptor *d);

/* The id of the clause that is at this place in the operator's table. */
const char *dml_gather_nd_clause(const ts_descriptor *d, unsigned place);

/* The dimensions of the output that count: those of the array of tuples, and those of InputTensor behind the tuple. The
   counts fit the tensors. */
uint64_t dml_gather_nd_dims(const dml_gather_nd *n);

/* Which element of InputTensor becomes element `o` of the output, by the descriptor's counts. *index is the coordinate
   of the tuple's first index in IndicesTensor, and *from that of the element, but for the tuple's coordinates. *first
   is the dimension of the first of these. All TS_MAX_DIMS long; the descriptor is legal. */
void dml_gather_nd_trace(const ts_descriptor *d, dml_gather_nd n, const uint64_t *o, uint64_t *from, uint64_t *index,
                         uint32_t *first);

/* The element of InputTensor that becomes element `o` of the output: its coordinates, TS_MAX_DIMS long. An index beyond
   its dimension is clamped, and the result is false then. The descriptor is legal and has data. */
bool dml_gather_nd_source(const ts_descriptor *d, dml_gather_nd n, const uint64_t *o, uint64_t *from);

extern const ts_tensor_decl dml_gather_nd_tensors[3];
void dml_gather_nd_check(const ts_descriptor *d, ts_report *report);
bool dml_gather_nd_shape(ts_descriptor *d);
void dml_gather_nd_run(const ts_descriptor *d, ts_unspecified *unspecified);
ts_explain dml_gather_nd_explain; /* gather_nd_explain.c */
ts_suggest dml_gather_nd_suggest_input_count, dml_gather_nd_suggest_indices_count, dml_gather_nd_suggest_ones,
    dml_gather_nd_suggest_tuple, dml_gather_nd_suggest_batch_count, dml_gather_nd_suggest_batch_size; /* _suggest.c */

#endif
