/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOUCHSTONE_IMPORT_CASE_H
#define TOUCHSTONE_IMPORT_CASE_H

#include "harness/casefile/case_view.h"

#include <jansson.h>

/* Find the drawn case with the descriptor of a record that import_webnn made; its data are the suite's own. *id is set
   to "" where no case has it. False only if the cases cannot be read, or memory is out. */
bool import_case(const json_t *record, char id[CASE_ID_SIZE], error *e);

#endif
