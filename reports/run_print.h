/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the result at the end of a run. */
#ifndef TOUCHSTONE_RUN_PRINT_H
#define TOUCHSTONE_RUN_PRINT_H

#include "harness/run/run.h"

/* Print the counts, the observed behaviours in unspecified cases, the first failures, the digests and the outcome.
   `path` is the run file. */
void run_print(const char *path, const run_result *result);

#endif
