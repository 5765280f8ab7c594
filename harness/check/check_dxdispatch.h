/* SPDX-License-Identifier: Apache-2.0 */
/* What DxDispatch makes of its models (github.com/microsoft/DirectML, DxDispatch/doc/Guide.md): names of operators,
   what may be left out, and the data of resources. */
#ifndef TOUCHSTONE_CHECK_DXDISPATCH_H
#define TOUCHSTONE_CHECK_DXDISPATCH_H

#include "harness/check/check.h"

#include <jansson.h>

/* "DML_OPERATOR_SLICE1" and "SLICE1" are the operator of DML_SLICE1_OPERATOR_DESC; NULL where it is not known here. */
const ts_operator *check_operator_typed(const char *type);

/* Say of an item whose operator is not known here what it will have meant, or that it is none. */
void check_note_unknown(check_item *item);

/* Fill in what the desc leaves out, and take out, with a note on the item, what is not known. False: out of memory. */
bool check_complete_operator(check_item *item, const ts_operator *op, json_t *desc);

/* A model's dispatch commands as a list of evaluations { operator, name, descriptor, inputs }, each with the data of
   the resources that it binds as they are initialized. NULL on error. */
json_t *check_model_records(const json_t *model, error *e);

#endif
