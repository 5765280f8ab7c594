/* SPDX-License-Identifier: Apache-2.0 */
/* What the explanations of every DirectML operator share: where a tensor's elements lie. */
#ifndef TOUCHSTONE_DML_EXPLAIN_H
#define TOUCHSTONE_DML_EXPLAIN_H

#include "harness/model/explain.h"

/* Tell of tensor k how its sizes and strides become addresses, and how many bytes it takes (BUF-07 to BUF-10). */
void dml_explain_layout(ts_explanation *x, const ts_descriptor *d, unsigned k);

/* The same for each present tensor that states its strides; packed ones have nothing to tell. */
void dml_explain_strided(ts_explanation *x, const ts_descriptor *d);

/* Does any present tensor state its strides? Then elements are told with their addresses. */
bool dml_explain_addresses(const ts_descriptor *d);

#endif
