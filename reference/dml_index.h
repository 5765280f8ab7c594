/* SPDX-License-Identifier: Apache-2.0 */
/* What the operators of gathering and scattering share. */
#ifndef TOUCHSTONE_DML_INDEX_H
#define TOUCHSTONE_DML_INDEX_H

#include "harness/model/operator.h"

/* The index at `coord`, counted from the start of an axis of n elements, clamped to it (GA-11 and GA-12, and what they
   correspond to on the other pages). *inside: it needed no clamping. */
uint64_t dml_index(const ts_tensor *indices, const uint64_t *coord, uint64_t n, bool *inside);

#endif
