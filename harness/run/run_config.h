/* SPDX-License-Identifier: Apache-2.0 */
/* The run configuration: the options of a run as its file stores them, so that the run can be resumed. */
#ifndef TOUCHSTONE_RUN_CONFIG_H
#define TOUCHSTONE_RUN_CONFIG_H

#include "harness/casefile/plan.h"
#include "harness/run/run.h"

#include <jansson.h>

/* The options of the plan of a run. */
plan_options run_plan_options(const run_options *options);

/* Write as JSON. The caller frees the text; NULL if out of memory. */
char *run_config_write(const run_options *options);

/* Owns the strings of the options that were read. */
typedef struct run_config {
    json_t *root;
    json_t *decoded; /* strings that are no UTF-8 */
    const char **queries, **operators;
    ts_option *backend_options;
} run_config;

/* Fill in the options that the configuration has. False if it is not valid. The caller frees *r whether this succeeds
   or not, after the last use of the options. */
bool run_config_read(run_config *r, const char *written, run_options *options);
void run_config_free(run_config *r);

#endif
