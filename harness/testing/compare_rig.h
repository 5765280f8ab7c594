/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of comparisons share: backends to compare, and the options to run them with. */
#ifndef TOUCHSTONE_COMPARE_RIG_H
#define TOUCHSTONE_COMPARE_RIG_H

#include "harness/analysis/compare_sides.h"

/* A backend, with a fault of the saboteur unless NULL, and with a label unless NULL. */
static inline compare_backend compare_rig_backend(const char *name, const char *fault, const char *label)
{
    compare_backend b = { .name = name, .label = label };
    if (fault)
        b.options.list[b.options.count++] = (ts_option){ "fault", fault };
    return b;
}

/* Options of runs of one query, which is borrowed. */
static inline run_options compare_rig_options(const char *const *query)
{
    return (run_options){ .queries = query,
                          .query_count = 1,
                          .tier = TIER_FULL,
                          .max_findings = 1000,
                          .limits = CASE_LIMITS_DEFAULT,
                          .command = "touchstone compare" };
}

#endif
