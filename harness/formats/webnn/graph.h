/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls as graphs of WebNN, where no operator of ONNX translates them (onnx/translate.h) or WebNN's own is another one:
 *
 *   dml.join                  concat
 *   dml.cumulative_summation  cumulativeSum
 *   dml.space_to_depth1       three operators, since WebNN has none for it: a reshape to { batch, channel, row, row in
 *                             the block, column, column in the block }, a transpose, and a reshape to the output
 */
#ifndef TOUCHSTONE_WEBNN_GRAPH_H
#define TOUCHSTONE_WEBNN_GRAPH_H

#include "backends/backend.h"

#include <stdbool.h>

#define WEBNN_MOST_JOINED     16 /* inputs of concat */
#define WEBNN_MOST_OPERATIONS 3
#define WEBNN_MOST_ARGUMENTS  3
#define WEBNN_BLOCK_DIMS      6
#define WEBNN_BLOCK_OUT       4

typedef enum webnn_kind { WEBNN_NUMBER, WEBNN_FLAG, WEBNN_NUMBERS } webnn_kind;

/* An argument behind the tensors. */
typedef struct webnn_argument {
    const char *name;
    bool option; /* a member of `options` */
    webnn_kind kind;
    uint32_t count;
    uint64_t values[WEBNN_BLOCK_DIMS];
} webnn_argument;

typedef struct webnn_operation {
    const char *name, *input, *output; /* the names of its tensors */
    uint32_t joined;                   /* of concat: the inputs are "input0" and so on; else 0 */
    uint32_t argument_count;           /* options are behind the others */
    webnn_argument arguments[WEBNN_MOST_ARGUMENTS];
} webnn_operation;

/* From "input", or "input0" and so on, to "output". Tensors have the shapes that they have in the call. */
typedef struct webnn_graph {
    const char *title;
    uint32_t count;
    webnn_operation operations[WEBNN_MOST_OPERATIONS];
} webnn_graph;

/* Does this operator have a graph here? */
bool webnn_graph_of(const char *operator_name);

/* The graph of a legal call of such an operator. */
void webnn_graph_make(const ts_call *call, webnn_graph *g);

/* The value of SPACE_TO_DEPTH1's Order, "DML_DEPTH_SPACE_ORDER_...", that a permutation makes; NULL: it makes none. */
const char *webnn_graph_order(const uint64_t permutation[WEBNN_BLOCK_DIMS]);

#endif
