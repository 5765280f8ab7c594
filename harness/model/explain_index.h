/* SPDX-License-Identifier: Apache-2.0 */
/* The index that selects an element, as explanations and findings name it. */
#ifndef TOUCHSTONE_EXPLAIN_INDEX_H
#define TOUCHSTONE_EXPLAIN_INDEX_H

#include "harness/model/explain.h"

/* Append the index, or the tuple, at `coord` of tensor `via`, and its value if it has data: "IndicesTensor[1] = -1",
   "IndicesTensor[0,:] = {1,-1}". */
void explain_append_index(char *text, size_t room, const ts_descriptor *d, int via, const uint64_t *coord,
                          bool by_tuple);

/* Is that index, or a part of the tuple, negative? False where it has no data. */
bool explain_index_is_negative(const ts_descriptor *d, int via, const uint64_t *coord, bool by_tuple);

#endif
