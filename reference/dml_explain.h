/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the explanations of all DirectML operators: the addresses of a tensor's elements. */
#ifndef TOUCHSTONE_DML_EXPLAIN_H
#define TOUCHSTONE_DML_EXPLAIN_H

#include "harness/model/explain.h"

/* Explain how the sizes and strides of tensor k become addresses, and how many bytes it needs (BUF-07 to BUF-10). */
void dml_explain_layout(ts_explanation *x, const ts_descriptor *d, unsigned k);

/* Explain the addresses of each present tensor that states its strides. */
void dml_explain_strided(ts_explanation *x, const ts_descriptor *d);

/* Does any present tensor state its strides? Then elements are described with their addresses. */
bool dml_explain_addresses(const ts_descriptor *d);

#endif
