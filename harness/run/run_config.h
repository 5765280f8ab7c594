/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a run as they stand in its file, so that it can be gone on with. */
#ifndef TOUCHSTONE_RUN_CONFIG_H
#define TOUCHSTONE_RUN_CONFIG_H

#include "harness/run/run.h"

#include <jansson.h>

/* As JSON, which the caller frees; NULL where memory is out. */
char *run_config_write(const run_options *options);

/* Options that were read; their strings belong to it. */
typedef struct run_config {
    json_t *root;
    const char **queries;
    ts_option *backend_options;
} run_config;

/* Fill in what a recipe has: backend, options, queries, tier, level, profile, findings, limits, repetitions, order,
   shard, waivers, budget. False where it is none. *r is to be freed in either case. */
bool run_config_read(run_config *r, const char *text, run_options *options);
void run_config_free(run_config *r);

#endif
