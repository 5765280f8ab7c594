/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of comparisons share: backends to compare, and the options to run them with. */
#ifndef TOUCHSTONE_COMPARE_RIG_H
#define TOUCHSTONE_COMPARE_RIG_H

#include "harness/analysis/compare_sides.h"
#include "harness/testing/platform_testing.h"

static char compare_rig_folder[] = "/tmp/compare_rig.XXXXXX";

/* A temporary folder, which is TMPDIR as well, and the case files of the source tree. */
static inline int compare_rig_set_up(void **state)
{
    (void)state;
    return testing_folder(compare_rig_folder) == 0 &&
                   testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases") == 0 &&
                   testing_setenv("TMPDIR", compare_rig_folder) == 0 && testing_setenv("TMP", compare_rig_folder) == 0
               ? 0
               : -1;
}

static inline int compare_rig_tear_down(void **state)
{
    (void)state;
    return testing_remove(compare_rig_folder);
}

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
