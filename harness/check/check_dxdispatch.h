/* SPDX-License-Identifier: Apache-2.0 */
/* Models of DxDispatch (github.com/microsoft/DirectML, DxDispatch/doc/Guide.md): names of operators, fields that may be
   omitted, and the data of resources. */
#ifndef TOUCHSTONE_CHECK_DXDISPATCH_H
#define TOUCHSTONE_CHECK_DXDISPATCH_H

#include "harness/check/check.h"

#include <jansson.h>

/* The operator of a type: "DML_OPERATOR_SLICE1" and "SLICE1" are that of DML_SLICE1_OPERATOR_DESC. NULL: unknown. */
const ts_operator *check_operator_typed(const char *type);

/* Note that the operator of an item is unknown, with the most similar name, which is that of records for a record, or
   that the item is no operator. Is there a similar name? */
bool check_note_unknown(check_item *item, bool record);

/* Add omitted fields to a desc, and drop unknown ones with a note on the item. A misspelt one stays, for the reader of
   the descriptor to report and to take for the one that is meant. False: out of memory. */
bool check_complete_operator(check_item *item, const ts_operator *op, json_t *desc);

/* Make a list of evaluations { operator, name, descriptor, inputs } of a model's dispatch commands, with the initial
   data of the resources that they bind. The caller owns it. NULL on error. */
json_t *check_model_records(const json_t *model, error *e);

#endif
