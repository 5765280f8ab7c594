/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that comparisons and diffs have in common. */
#ifndef TOUCHSTONE_REPORTS_PRINT_PARTS_H
#define TOUCHSTONE_REPORTS_PRINT_PARTS_H

#include "harness/analysis/region_groups.h"

#include <jansson.h>
#include <stdio.h>

/* Print query `i` of a group after `indent`, with the number of its cases where the group has several queries, and of
   other cases that it selects. */
void print_region(const group *g, size_t i, const char *indent, FILE *out);

/* The queries of a group as a JSON list. */
json_t *print_regions_json(const group *g);

/* Print the backend, version, options and feature level of a run, when it started (if `started`), and its state unless
   complete. */
void print_run_facts(store *s, bool started, FILE *out);

/* Add the facts of a run to a JSON object, as null where `s` is NULL or has none. */
void print_run_facts_json(json_t *to, store *s);

#endif
