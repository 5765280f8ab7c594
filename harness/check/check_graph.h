/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Serialized graphs of DirectML operators, as ONNX Runtime's DirectML provider writes them and DxDispatch reads them
 * (github.com/microsoft/DirectML, DxDispatch/src/dxdispatch/DirectMLHelpers/DmlGraphDesc_generated.h): a FlatBuffer of
 * nodes, whose edges are the names of their inputs and outputs.
 */
#ifndef TOUCHSTONE_CHECK_GRAPH_H
#define TOUCHSTONE_CHECK_GRAPH_H

#include "harness/check/check.h"

#include <jansson.h>

/* A graph to be read. */
typedef struct check_graph {
    const char *path; /* of the file */
    const char *name; /* of the model's dispatchable; NULL without a model */
    check_place place;
    const check_options *o;
    check_item *item; /* that of the caller's file, to be used for every node */
    check_visit *visit;
    void *context;

    /* Check what is bound to a tensor that is an input or an output of the graph, by the edge's name; NULL: nothing is
       known of it. */
    void (*bound)(void *binder, check_item *item, unsigned tensor, const char *edge);
    void *binder;
    json_t *edges; /* a record that gets the names of the graph's inputs and outputs; NULL: not wanted */
} check_graph;

/* Is this the type of such a dispatchable, in any case, or the name of such a file: *.bin? */
bool check_graph_is_type(const char *type);
bool check_graph_named(const char *path);

/* Visit every node of the graph that is an operator, in order. A node that cannot be read, and a graph whose nodes do
   not connect, is visited as a broken item with o->go_on, else an error. A file that is no such graph is an
   EXIT_BAD_USAGE error with the byte. */
bool check_graph_read(const check_graph *g, error *e);

/* The same of bytes in memory; g->path is their name. */
bool check_graph_bytes(const check_graph *g, const void *bytes, size_t size, error *e);

#endif
