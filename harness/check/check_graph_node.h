/* SPDX-License-Identifier: Apache-2.0 */
/* A node of a serialized graph as the description of an operator, with DirectML's own names of fields. */
#ifndef TOUCHSTONE_CHECK_GRAPH_NODE_H
#define TOUCHSTONE_CHECK_GRAPH_NODE_H

#include "harness/check/check.h"
#include "harness/check/flatbuffer.h"

#include <jansson.h>

#define GRAPH_NAME 160 /* bytes of a name, its 0 included */

typedef struct graph_node {
    char name[GRAPH_NAME], type[GRAPH_NAME];
    const ts_operator *op; /* NULL: unknown */
    flatbuffer_table desc;
    flatbuffer_vector input_names, output_names;
    char edges[TS_MAX_TENSORS][GRAPH_NAME]; /* the edge that each tensor reads or writes; "" for an absent one */
} graph_node;

/* Copy a string. One that is longer than the room has its hash at the end, so that different strings stay different. */
void graph_name(flatbuffer *f, flatbuffer_vector string, char name[GRAPH_NAME]);

/* Set the type and the operator of a node that is one. */
void graph_node_type(flatbuffer *f, graph_node *n);

/* Is the edge of this name a constant that DirectML owns? */
typedef bool graph_is_owned(const void *context, const char *edge);

/* Make the description of the node's operator, and set its edges. What is wrong with it is in *e, or in f->problem; the
   result is NULL then. The caller owns it. */
json_t *graph_node_desc(flatbuffer *f, graph_node *n, check_item *item, graph_is_owned *is_owned, const void *context,
                        error *e);

#endif
