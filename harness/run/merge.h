/* SPDX-License-Identifier: Apache-2.0 */
/* Merge the shards of a run into one run. */
#ifndef TOUCHSTONE_MERGE_H
#define TOUCHSTONE_MERGE_H

#include "harness/run/run.h"

/* Merge the shards, in any order, into the new run `output`. Errors, with the name of the file: a shard is missing,
   named twice or incomplete, or differs from the first one in suite, backend, queries or tier; `output` exists. No file
   is left then. */
bool merge_runs(const char *output, const char *const *shards, size_t count, run_result *result, error *e);

#endif
