/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO GatherTree-1, which has no attributes. Tensors: 0 step_ids, 1 parent_ids, 2 max_seq_len, 3 end_token,
   4 final_ids. */
#ifndef TOUCHSTONE_OPENVINO_GATHER_TREE_H
#define TOUCHSTONE_OPENVINO_GATHER_TREE_H

#include <stdint.h>

typedef struct ts_openvino_gather_tree {
    uint32_t reserved; /* 0 */
} ts_openvino_gather_tree;

#endif
