/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the result of a run: at its end, and from its file. */
#ifndef TOUCHSTONE_RUN_PRINT_H
#define TOUCHSTONE_RUN_PRINT_H

#include "harness/run/run.h"
#include "harness/store/store.h"

/* Print the counts, the observed behaviours in unspecified cases, the first failures, the digests and the outcome.
   `path` is the run file. */
void run_print(const char *path, const run_result *result);

/* Print the same of a run file, which may still be in progress: the verdict with its scope, the counts, the causes or
   first failures, and the facts of the run. */
bool run_print_stored(store *s, const char *path, error *e);

#endif
