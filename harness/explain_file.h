/* SPDX-License-Identifier: Apache-2.0 */
/* The evaluations in a .lua or .json file, as `touchstone eval` reads them, but for inputs that may be missing. */
#ifndef TOUCHSTONE_EXPLAIN_FILE_H
#define TOUCHSTONE_EXPLAIN_FILE_H

#include "harness/error.h"
#include "harness/operator.h"

#include <jansson.h>

/* Is this the name of such a file ("-" is JSON on standard input), and no case id? */
bool explain_file_named(const char *path);

/* Every evaluation of a file as a JSON array. NULL with the file and what is wrong; EXIT_BAD_USAGE. */
json_t *explain_file_load(const char *path, error *e);

/* The descriptor of one of them, with its name or NULL, and its inputs (borrowed) or NULL. Level and profile of the
   command line, NULL where not given, win over the record's for operators that know such a thing. */
bool explain_file_record(json_t *record, const char *level, const char *profile, ts_descriptor *d, const char **name,
                         json_t **inputs, error *e);

#endif
