/* SPDX-License-Identifier: Apache-2.0 */
/* What GatherTree-1 reads of lengths, parents and tokens (GT1-11, GT1-13). */
#ifndef TOUCHSTONE_OPENVINO_GATHER_TREE_SHARED_H
#define TOUCHSTONE_OPENVINO_GATHER_TREE_SHARED_H

#include "harness/model/operator.h"

enum { GATHER_TREE_STEPS, GATHER_TREE_PARENTS, GATHER_TREE_LENGTHS, GATHER_TREE_END, GATHER_TREE_OUT };

/* Set *count to the steps of a batch: its max_seq_len, but at most MAX_TIME. False if it is no length. */
bool openvino_gather_tree_length(const ts_descriptor *d, uint64_t batch, uint64_t *count);

/* Set *beam to the parent at a coordinate of parent_ids. False if it is no beam. */
bool openvino_gather_tree_parent(const ts_descriptor *d, const uint64_t *coord, uint64_t *beam);

/* Is an element of step_ids or final_ids the end_token? */
bool openvino_gather_tree_ends(const ts_descriptor *d, const ts_tensor *t, const uint64_t *coord);

#endif
