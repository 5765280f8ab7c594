/* SPDX-License-Identifier: Apache-2.0 */
/* Says why queries leave nothing to list, to plan or to run. */
#ifndef TOUCHSTONE_NOTHING_H
#define TOUCHSTONE_NOTHING_H

#include "harness/casefile/plan.h"

/* Print on standard error why the queries select no case, or none that can be planned for the backend (NULL: there is
   none) at the feature level (0: its highest). Returns EXIT_NOT_RUN, or the status of an error. */
int nothing_to_do(const char *verb, const char *const *queries, size_t query_count, const plan_options *planned,
                  const char *backend, ts_level level);

/* Print on standard error which computed operators may be meant by queries that name one of the same family that is
   only checked, as dml.slice1 may be by dml.slice; nothing where there is none. */
void nothing_of_meant(const char *verb, const char *const *queries, size_t query_count);

#endif
