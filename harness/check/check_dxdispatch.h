/* SPDX-License-Identifier: Apache-2.0 */
/* Models of DxDispatch (github.com/microsoft/DirectML, DxDispatch/doc/Guide.md): names of operators, fields that may be
   omitted, and the data of resources. */
#ifndef TOUCHSTONE_CHECK_DXDISPATCH_H
#define TOUCHSTONE_CHECK_DXDISPATCH_H

#include "harness/check/check.h"

#include <jansson.h>

/* The operator of a type: "DML_OPERATOR_SLICE1" and "SLICE1" are that of DML_SLICE1_OPERATOR_DESC. NULL: unknown. */
const ts_operator *check_operator_typed(const char *type);

/* Can a dispatchable of this type be an operator, known or not? A shader or an ONNX model is none. */
bool check_is_operator(const char *type);

/* Note that the operator of an item is unknown, with the most similar name, which is that of records for a record, or
   that the item is no operator. Is there a similar name? */
bool check_note_unknown(check_item *item, bool record);

/* Add omitted fields to a desc, and drop unknown ones with a note on the item. A misspelt one stays, for the reader of
   the descriptor to report and to take for the one that is meant. False: out of memory. */
bool check_complete_operator(check_item *item, const ts_operator *op, json_t *desc);

/* The dispatch commands of a model as evaluations. */
typedef struct check_dispatches {
    json_t *records; /* { operator, name, descriptor, inputs }, with the initial data of the resources that they bind */
    json_t *remarks; /* for each of them why the outputs of a legal descriptor cannot be computed, or null */
} check_dispatches;

/* False on error; else the caller frees them. */
bool check_model_dispatches(const json_t *model, check_dispatches *to, error *e);

/* Zeroed ones are allowed. */
void check_dispatches_free(check_dispatches *d);

#endif
