/* SPDX-License-Identifier: Apache-2.0 */
/* One run made of its shards. */
#ifndef TOUCHSTONE_MERGE_H
#define TOUCHSTONE_MERGE_H

#include "harness/run/run.h"

/* Make `output` of the shards, in whatever order they are named. Errors, told with the file: shards that are missing,
   there twice, incomplete, or of another suite, backend, query or tier than the first; an output that exists. Nothing
   is left then. */
bool merge_runs(const char *output, const char *const *shards, size_t count, run_result *result, error *e);

#endif
