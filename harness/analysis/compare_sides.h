/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of a comparison: opened from run files, or made by running backends. */
#ifndef TOUCHSTONE_COMPARE_SIDES_H
#define TOUCHSTONE_COMPARE_SIDES_H

#include "harness/analysis/compare.h"
#include "harness/execute/plugin.h"
#include "harness/run/run.h"

#include <limits.h>

/* A backend, or one configuration of it. */
typedef struct compare_backend {
    const char *name; /* name or path */
    plugin_options options;
    const char *label; /* the user's; NULL: made from name and options */
} compare_backend;

typedef struct compare_set {
    size_t count;
    compare_side sides[COMPARE_MAX_SIDES];
    char paths[COMPARE_MAX_SIDES][PATH_MAX]; /* of the run files; "" where there is none */
    char folder[PATH_MAX];                   /* the temporary folder, or "" */
    bool interrupted;                        /* during the runs: the remaining backends were not started */
} compare_set;

/* Open run files and take a snapshot of each. The caller frees the set with compare_set_free, also after a failure. */
bool compare_open_runs(compare_set *s, const char *const *paths, size_t count, error *e);

/* Run the backends one after another with common options (this sets backend, its options and output) and open their
   run files. They are stored in `folder`, which is created where it does not exist, as 1-LABEL.run and so on; with
   NULL, in a temporary folder that compare_set_free removes. A backend that supports none of the requested cases has
   no run file. */
bool compare_run_backends(compare_set *s, const compare_backend *list, size_t count, const run_options *common,
                          const char *folder, error *e);

void compare_set_free(compare_set *s);

#endif
