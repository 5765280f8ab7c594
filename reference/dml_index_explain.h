/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the explanations of DirectML's operators with a tensor of indices: what an index means on its axis. */
#ifndef TOUCHSTONE_DML_INDEX_EXPLAIN_H
#define TOUCHSTONE_DML_INDEX_EXPLAIN_H

#include "harness/model/explain.h"

/* An index that was read from its tensor. */
typedef struct explained_index {
    bool negative;
    uint64_t taken; /* counted from the start of the axis and clamped to the axis */
    bool inside;    /* no clamping was needed */
    char text[24];  /* as written */
} explained_index;

/* The index at a coordinate of a tensor with data, on an axis of n elements. */
explained_index dml_explained_index(const ts_tensor *indices, const uint64_t *coord, uint64_t n);

/* Explain what the indices mean on their axes, and show the first of them: those whose coordinates before dimension
   `from` are 0. n: the elements of the axis; of several axes, the last dimension of the indices has one for each in
   turn. clauses: "GA-11 GA-12"; entry: the ledger's about indices beyond the axis. */
void dml_explain_indices(ts_explanation *x, const ts_tensor *indices, uint32_t from, const uint64_t *n, uint32_t axes,
                         const char *clauses, const char *entry);

/* Do the three tensors of the operator have sizes, and the same number of dimensions? Else the explanation says so. */
bool dml_explain_same_rank(ts_explanation *x, const ts_descriptor *d);

#endif
