/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the operators' files and those with other interpretations of what the pages leave unspecified. */
#ifndef TOUCHSTONE_DML_INTERPRETATIONS_H
#define TOUCHSTONE_DML_INTERPRETATIONS_H

#include "harness/model/operator.h"

/* GATHER, GA-10: which element of InputTensor becomes output element `o`. *from is its coordinate, but for the one at
   Axis, which the element of IndicesTensor at *index says. All TS_MAX_DIMS long. */
void dml_gather_trace(const ts_descriptor *d, const uint64_t *o, uint64_t *from, uint64_t *index);

/* Where DirectML looks for the element of `t` that the index at `index` selects along `axis`, in elements from the
   start of the tensor's memory: 32 bits of the index count, negative ones (bit 63 of wide types of either sign) from
   the end, and the address is taken as it comes out, modulo 2^32. It may lie behind the tensor. `coord` is the
   element's coordinate, but for that of the axis, which is set. */
uint64_t dml_flat_place(const ts_tensor *t, uint32_t axis, uint64_t *coord, const ts_tensor *indices,
                        const uint64_t *index);

/* Copy the element that DirectML picks for output element `o` of GATHER and GATHER_ELEMENTS: that of dml_flat_place in
   InputTensor, clamped to the last element of its bytes. */
void dml_gather_flat(const ts_descriptor *d, uint32_t axis, const uint64_t *o, uint64_t *from, const uint64_t *index);

#define DML_GATHER_INTERPRETATIONS 5
extern const ts_interpretation dml_gather_interpretations[DML_GATHER_INTERPRETATIONS];

#define DML_GATHER_ELEMENTS_INTERPRETATIONS 3
extern const ts_interpretation dml_gather_elements_interpretations[DML_GATHER_ELEMENTS_INTERPRETATIONS];

/* GATHER_ND and GATHER_ND1. */
#define DML_GATHER_ND_INTERPRETATIONS 3
extern const ts_interpretation dml_gather_nd_interpretations[DML_GATHER_ND_INTERPRETATIONS];
extern const ts_interpretation dml_gather_nd1_interpretations[DML_GATHER_ND_INTERPRETATIONS];

#define DML_SCATTER_ELEMENTS_INTERPRETATIONS 5
extern const ts_interpretation dml_scatter_elements_interpretations[DML_SCATTER_ELEMENTS_INTERPRETATIONS];

/* SCATTER_ND, SN-10: the sizes that UpdatesTensor has to have. False: they are more than it has dimensions. The counts
   of dimensions and the tuple fit the tensors. */
bool dml_scatter_nd_updates_sizes(const ts_descriptor *d, uint64_t sizes[TS_MAX_DIMS]);

/* SCATTER_ND: how many dimensions of InputTensor, the last ones, a block has that one tuple selects. */
uint32_t dml_scatter_nd_block(const ts_descriptor *d);

/* SCATTER_ND, SN-12: *to is the coordinate of the output element on which the update at `u` falls, and *index that of
   the first index of its tuple. Indices beyond their dimensions are clamped; false if there are any. All TS_MAX_DIMS
   long; the descriptor is legal. */
bool dml_scatter_nd_target(const ts_descriptor *d, const uint64_t *u, uint64_t *to, uint64_t *index);

#define DML_SCATTER_ND_INTERPRETATIONS 5
extern const ts_interpretation dml_scatter_nd_interpretations[DML_SCATTER_ND_INTERPRETATIONS];

#endif
