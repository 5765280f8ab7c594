/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the operators' files and those with other interpretations of what the pages leave unspecified. */
#ifndef TOUCHSTONE_DML_INTERPRETATIONS_H
#define TOUCHSTONE_DML_INTERPRETATIONS_H

#include "harness/model/operator.h"

/* GATHER, GA-10: which element of InputTensor becomes output element `o`. *from is its coordinate, but for the one at
   Axis, which the element of IndicesTensor at *index says. All TS_MAX_DIMS long. */
void dml_gather_trace(const ts_descriptor *d, const uint64_t *o, uint64_t *from, uint64_t *index);

/* GA-11 and GA-12: the index at `coord`, counted from the start of an axis of n elements, clamped to it.
 *inside: it needed no clamping. */
uint64_t dml_gather_index(const ts_tensor *indices, const uint64_t *coord, uint64_t n, bool *inside);

/* The index at `coord` as its tensor holds it, sign-extended. */
uint64_t dml_gather_stated(const ts_tensor *indices, const uint64_t *coord);

#define DML_GATHER_INTERPRETATIONS 5
extern const ts_interpretation dml_gather_interpretations[DML_GATHER_INTERPRETATIONS];

#define DML_GATHER_ELEMENTS_INTERPRETATIONS 3
extern const ts_interpretation dml_gather_elements_interpretations[DML_GATHER_ELEMENTS_INTERPRETATIONS];

#endif
