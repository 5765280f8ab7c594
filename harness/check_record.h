/* SPDX-License-Identifier: Apache-2.0 */
/* Records { operator, descriptor, inputs, name, profile, feature_level } as files hold them: one evaluation each. */
#ifndef TOUCHSTONE_CHECK_RECORD_H
#define TOUCHSTONE_CHECK_RECORD_H

#include "harness/error.h"
#include "harness/operator.h"

#include <jansson.h>

/* Run a Lua file in the sandbox and take the record or the list of records that it returns, always as a list. NULL on
   error, with file and line. */
json_t *check_record_load_lua(const char *path, error *e);

/* Read a record's descriptor. A level or profile that is not NULL wins over what the record says, for operators that
   know such a thing. *name is the record's and lives as long; NULL without one. */
bool check_record_read(json_t *record, const char *level, const char *profile, ts_descriptor *d, const char **name,
                       error *e);

#endif
