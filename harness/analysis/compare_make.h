/* SPDX-License-Identifier: Apache-2.0 */
/* The sides of a comparison: from run files, or from backends that are run for it. */
#ifndef TOUCHSTONE_COMPARE_MAKE_H
#define TOUCHSTONE_COMPARE_MAKE_H

#include "harness/analysis/compare.h"
#include "harness/execute/plugin.h"
#include "harness/run/run.h"

#include <limits.h>

/* A backend, or one configuration of it. */
typedef struct compare_backend {
    const char *name; /* name or path */
    plugin_options options;
    const char *label; /* as given; NULL: made of name and options */
} compare_backend;

typedef struct compare_set {
    size_t count;
    compare_side sides[COMPARE_MOST];
    char paths[COMPARE_MOST][PATH_MAX]; /* of the runs; "" where there is none */
    char folder[PATH_MAX];              /* a temporary one, or "" */
    bool interrupted;                   /* while they ran: the rest was not begun */
} compare_set;

/* Open run files, each as it is at this moment. The set is freed by compare_set_free, also after an error. */
bool compare_open_runs(compare_set *s, const char *const *paths, size_t count, error *e);

/* Run the backends one after another with common options (backend, its options and output are set here) and open
   their runs. They are kept in `folder`, which is made where it is not there, as 1-LABEL.run and so on; NULL: in a
   temporary one that goes with the set. A backend that owes nothing of what was asked has no run. */
bool compare_make_runs(compare_set *s, const compare_backend *list, size_t count, const run_options *common,
                       const char *folder, error *e);

void compare_set_free(compare_set *s);

#endif
