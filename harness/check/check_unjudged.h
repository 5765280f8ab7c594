/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the specification that the reference does not judge: ScaleBias of an operator that is computed without it. */
#ifndef TOUCHSTONE_CHECK_UNJUDGED_H
#define TOUCHSTONE_CHECK_UNJUDGED_H

#include "harness/check/check.h"

/* Is this member of a descriptor such a field of the operator? Then note what it means for the item; the caller drops
   it. `where` is what the member is a part of: "desc". */
bool check_unjudged_take(check_item *item, const ts_operator *op, const char *where, const char *key,
                         const json_t *value);

/* Take all of them out of a record's descriptor. False if one is not what it should be. */
bool check_unjudged_take_all(check_item *item, const ts_operator *op, json_t *descriptor, error *e);

/* With the descriptor read: what is given may be illegal for its data types. */
void check_unjudged_settle(check_item *item);

#endif
