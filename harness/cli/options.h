/* SPDX-License-Identifier: Apache-2.0 */
/* Values of options that several verbs take. */
#ifndef TOUCHSTONE_OPTIONS_H
#define TOUCHSTONE_OPTIONS_H

#include "harness/base/error.h"
#include "harness/casefile/casefile.h"
#include "harness/execute/plugin.h"

/* Add one --backend-opt, "key=value". The text is split in place and has to outlive the list. */
bool options_add_backend(plugin_options *o, char *text, error *e);

/* Without --tier: quick, as a run that nobody asked to take long. A query that names a test, or a case, holds all of it
   whatever the tier (plan.h). */
#define OPTIONS_TIER TIER_QUICK
bool options_tier(const char *text, case_tier *tier, error *e);
bool options_level(const char *text, ts_level *level, error *e);
bool options_profile(const char *text, uint32_t *profile, error *e);
bool options_number(const char *option, const char *text, uint64_t least, uint64_t most, uint64_t *value, error *e);

/* "500ms", "10s", "2m", "1h" or "10" (seconds); more than 0, at most a day. */
bool options_seconds(const char *option, const char *text, double *seconds, error *e);

/* "512M", "4G", "1048576" or "0". */
bool options_bytes(const char *option, const char *text, uint64_t *bytes, error *e);

/* "3/16", or "auto": as the environment has it. 0 of 0, all of it, where Bazel asks for no sharding. */
bool options_shard(const char *text, uint64_t *shard, uint64_t *shards, error *e);

#endif
