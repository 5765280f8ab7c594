/* SPDX-License-Identifier: Apache-2.0 */
/* Records { operator, descriptor, inputs, name, profile, feature_level } of files: one descriptor each. */
#ifndef TOUCHSTONE_CHECK_RECORD_H
#define TOUCHSTONE_CHECK_RECORD_H

#include "harness/check/check.h"

#include <jansson.h>

/* Read a record into the item's descriptor, name and inputs; name and inputs belong to the record. A level or profile
   of the options overrides that of the record, for operators that have levels or profiles. Errors are EXIT_BAD_USAGE,
   without a place. */
bool check_record_read(json_t *record, const check_options *o, check_item *item, error *e);

/* Is item->op_name an operator that is not known here? Then the note says so, and the item has the record's name. Only
   with o->partly or o->name_unknown; else check_record_read fails for it. */
bool check_record_unknown(json_t *record, const check_options *o, check_item *item);

#endif
