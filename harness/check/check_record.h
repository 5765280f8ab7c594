/* SPDX-License-Identifier: Apache-2.0 */
/* Records { operator, descriptor, inputs, name, profile, feature_level } as files hold them: one evaluation each. */
#ifndef TOUCHSTONE_CHECK_RECORD_H
#define TOUCHSTONE_CHECK_RECORD_H

#include "harness/check/check.h"

#include <jansson.h>

/* Read a record into the item's descriptor, name and inputs; the latter two are the record's and live as long. A level
   or profile of the options wins over what the record says, for operators that know such a thing. What is wrong is an
   EXIT_BAD_USAGE error without a place. */
bool check_record_read(json_t *record, const check_options *o, check_item *item, error *e);

#endif
