/* SPDX-License-Identifier: Apache-2.0 */
/* The options of a run as they stand in its file, so that it can be gone on with. */
#ifndef TOUCHSTONE_RECIPE_H
#define TOUCHSTONE_RECIPE_H

#include "harness/run/run.h"

#include <jansson.h>

/* As JSON, which the caller frees; NULL where memory is out. */
char *recipe_write(const run_options *options);

/* Options that were read; their strings belong to it. */
typedef struct recipe {
    json_t *root;
    const char **queries;
    ts_option *backend_options;
} recipe;

/* Fill in what a recipe has: backend, options, queries, tier, level, profile, findings, limits, repetitions, order,
   shard, waivers, budget. False where it is none. *r is to be freed in either case. */
bool recipe_read(recipe *r, const char *text, run_options *options);
void recipe_free(recipe *r);

#endif
