/* SPDX-License-Identifier: Apache-2.0 */
/* What is printed at the end of a run. */
#ifndef TOUCHSTONE_RUN_PRINT_H
#define TOUCHSTONE_RUN_PRINT_H

#include "harness/run/run.h"

/* The counts, how the backend answered what the text leaves open, the first failures, the digests, the outcome. `path`
   is the run's file. */
void run_print(const char *path, const run_result *result);

#endif
