/* SPDX-License-Identifier: Apache-2.0 */
/* A call as one node of a TensorFlow Lite graph, and the operators that can be such a node. */
#ifndef TOUCHSTONE_LITERT_NODE_H
#define TOUCHSTONE_LITERT_NODE_H

#include "backends/backend.h"

#include <stdbool.h>

#define NODE_INPUTS  16
#define NODE_LISTS   3
#define NODE_STEPS   16
#define NODE_OPTIONS 6
#define NODE_DIMS    8 /* of LiteRT's tensors at most */

/* TensorFlow Lite's numbers of operators, and of their tables of options. */
enum {
    NODE_CONCATENATION = 2,
    NODE_RESHAPE = 22,
    NODE_SPACE_TO_DEPTH = 26,
    NODE_GATHER = 36,
    NODE_STRIDED_SLICE = 45,
    NODE_GATHER_ND = 107
};
enum {
    NODE_CONCATENATION_OPTIONS = 10,
    NODE_RESHAPE_OPTIONS = 17,
    NODE_SPACE_TO_DEPTH_OPTIONS = 19,
    NODE_GATHER_OPTIONS = 23,
    NODE_STRIDED_SLICE_OPTIONS = 32,
    NODE_GATHER_ND_OPTIONS = 83
};

typedef struct node {
    int32_t operation;
    uint8_t options_type;
    uint32_t option_count;
    int32_t options[NODE_OPTIONS]; /* the members of the table of options, in its order */
    uint32_t input_count;          /* inputs at run time */
    const ts_tensor *in[NODE_INPUTS];
    uint32_t drop[NODE_INPUTS]; /* leading dimensions of an input, all 1, that the node does not have */
    ts_tensor moved[2];  /* input and output with their dimensions in another order, where `in` and `out` point to them:
                            such a node is not copied */
    uint32_t list_count; /* constant inputs behind them: lists of INT32 */
    uint32_t list_sizes[NODE_LISTS];
    int32_t lists[NODE_LISTS][NODE_STEPS];
    const ts_tensor *out;
    bool reshaped; /* the expected shape is not that of `out`, but: */
    uint32_t out_rank;
    uint64_t out_sizes[2 * TS_MAX_DIMS];
} node;

/* An operator of the suite that LiteRT can express. */
typedef struct node_operator {
    const char *name;
    uint32_t tensor_count;
    uint32_t types, index_types; /* bit 1 << ts_dtype: what tensor 0 and the indices, tensor 1, may be */
    bool profiles;               /* it has calls of profile numpy */
    const char *unseen;          /* the clauses that LiteRT cannot see broken; NULL: all */
    /* TS_OK with *n, which is zero before; or the status of a call that has no node, with *reason as a message. */
    ts_status (*make)(const ts_call *call, node *n, const char **reason);
} node_operator;

/* The operator of this name; NULL if there is none. */
const node_operator *node_find(const char *name);

/* Can calls of these types and ranks be expressed? */
bool node_query(const node_operator *op, const ts_call *shape);

/* Make the node of a call. As node_operator::make, and TS_UNSUPPORTED where a rank or a size is beyond LiteRT's. */
ts_status node_make(const node_operator *op, const ts_call *call, node *n, const char **reason);

/* The sizes of input i, and those that are expected of the output; *rank is their count. */
const uint64_t *node_in_sizes(const node *n, uint32_t i, uint32_t *rank);
const uint64_t *node_out_sizes(const node *n, uint32_t *rank);

/* The numbers of a type in a model and in LiteRT's interface, and its bytes; 0 bytes: LiteRT does not have it. */
int node_type_in_model(uint32_t dtype);
int node_type_in_api(uint32_t dtype);
uint32_t node_element(uint32_t dtype);

/* Can LiteRT have a tensor of these sizes? */
bool node_fits(const uint64_t *sizes, uint32_t rank);

/* Is the tensor, of sizes that fit, within its bytes, and how many does it have when packed? */
bool node_measure(const ts_tensor *t, uint64_t *bytes);

/* Make a tensor the next input, without its dimensions before the last `count`. False if one of these is not 1. */
bool node_keep_last(node *n, const ts_tensor *t, uint64_t count);

/* ---- slices.c, gathers.c, joins.c, blocks.c ---- */

ts_status node_strided_slice(const ts_call *call, node *n, const char **reason);
ts_status node_slice1(const ts_call *call, node *n, const char **reason);
ts_status node_dml_gather(const ts_call *call, node *n, const char **reason);
ts_status node_dml_gather_nd(const ts_call *call, node *n, const char **reason);
ts_status node_dml_gather_nd1(const ts_call *call, node *n, const char **reason);
ts_status node_gather_1(const ts_call *call, node *n, const char **reason);
ts_status node_gather_7(const ts_call *call, node *n, const char **reason);
ts_status node_gather_8(const ts_call *call, node *n, const char **reason);
ts_status node_gather_nd_5(const ts_call *call, node *n, const char **reason);
ts_status node_gather_nd_8(const ts_call *call, node *n, const char **reason);
ts_status node_join(const ts_call *call, node *n, const char **reason);
ts_status node_identity(const ts_call *call, node *n, const char **reason);
ts_status node_space_to_depth1(const ts_call *call, node *n, const char **reason);

#endif
