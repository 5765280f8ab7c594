/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a DxDispatch model says beside its operators: resources, and commands that dispatch an operator with resources
 * that are bound to its tensors, by the names of its fields.
 */
#ifndef TOUCHSTONE_CHECK_MODEL_H
#define TOUCHSTONE_CHECK_MODEL_H

#include "harness/check/check.h"

#include <jansson.h>

typedef struct check_model check_model;

/* Index the resources and commands of a model at a span of the text, which has to outlive it. `folder` is that of
   check_resource_read. NULL if memory is out. */
check_model *check_model_open(source_text *t, check_span model, const char *folder, error *e);
void check_model_close(check_model *m);

/* Visit a broken item for each resource and command that DxDispatch refuses. */
bool check_model_visit(check_model *m, check_item *item, const check_options *o, check_visit *visit, void *context,
                       error *e);

/* Note that the model has this dispatchable; and visit a broken item for each command that dispatches another one. */
void check_model_has(check_model *m, const char *dispatchable);
bool check_model_finish(check_model *m, check_item *item, const check_options *o, check_visit *visit, void *context,
                        error *e);

/* Add to item->found what is wrong with the resources that are bound to an operator's tensors: at initialization, by
   the dispatchable's own bindings, at a span that may be empty, and by each command that dispatches it. */
void check_model_bind(check_model *m, const char *dispatchable, check_span initialization, check_item *item);

/* The same for a tensor that is an input or an output of a graph, by the edge's name. */
void check_model_bind_edge(check_model *m, const char *dispatchable, check_item *item, unsigned tensor,
                           const char *edge);

/* The first name that a command binds to a graph, and that is none of its edges (a record by name): false, with the
   message and its place. */
bool check_model_edges(check_model *m, const char *dispatchable, const json_t *edges, error *e);

#endif
