/* SPDX-License-Identifier: Apache-2.0 */
/* Parse the values of options that several verbs have. Errors: a value of the wrong form or out of range. */
#ifndef TOUCHSTONE_OPTIONS_H
#define TOUCHSTONE_OPTIONS_H

#include "harness/base/error.h"
#include "harness/casefile/casefile.h"
#include "harness/execute/plugin.h"

/* Add one --backend-opt, "key=value". The function splits the text in place; the text must outlive the list. A
   key that the list has already is refused. */
bool options_add_backend(plugin_options *o, char *text, error *e);

/* Take a backend as -b names it. "NAME:ARGUMENT", where NAME has at least two characters and no slash, is the backend
   NAME with the option command=ARGUMENT; everything else is a name or a path. The function splits the text in place;
   the text must outlive *name and the list. */
bool options_backend(const char **name, plugin_options *o, char *text, error *e);

/* The tier without --tier: a run takes seconds unless the user asks for more. A query that names a test or a case
   selects all of it, whatever the tier (plan.h). */
#define OPTIONS_TIER TIER_QUICK
bool options_tier(const char *text, case_tier *tier, error *e);
bool options_level(const char *text, ts_level *level, error *e);
bool options_decisions(const char *text, ts_decisions *decisions, error *e);
bool options_profile(const char *text, uint32_t *profile, error *e);
bool options_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, error *e);

/* The seed of drawn cases: 0 to 4294967295. */
bool options_seed(const char *text, uint64_t *seed, error *e);

/* A time: "500ms", "10s", "2m", "1h" or "10" (seconds), from 1 ms to 24 h. */
bool options_seconds(const char *option, const char *text, double *seconds, error *e);

/* A size in bytes: "512M", "4G", "1048576" or "0". K, M, G and T are powers of 1024. */
bool options_bytes(const char *option, const char *text, uint64_t *bytes, error *e);

/* The same for --memory-limit: 0 and more than any machine has are CASE_MEMORY_UNLIMITED. */
bool options_memory(const char *text, uint64_t *bytes, error *e);

/* A shard: "3/16", or "auto", which reads the variables of Bazel, Slurm or Kubernetes. 0 of 0 stands for no sharding,
   which Bazel may ask for. */
bool options_shard(const char *text, uint64_t *shard, uint64_t *shards, error *e);

#endif
