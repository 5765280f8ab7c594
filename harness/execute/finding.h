/* SPDX-License-Identifier: Apache-2.0 */
/* Findings about failing cases: what was expected, what the backend did, where wrong bits came from, and how to
   reproduce the failure. */
#ifndef TOUCHSTONE_FINDING_H
#define TOUCHSTONE_FINDING_H

#include "harness/execute/execute_item.h"

/* Tensors of at most this many elements are rendered. */
#define FINDING_RENDERED 96

/* Render the tensors, with their present contents, as the JSON of store_finding.tensors; NULL where none is small
   enough. The caller frees it. */
char *finding_render(executor *x, execute_item *item);

/* Fill in *f, which owns the strings. Its `tensors`, rendered before, only get the member "expected_source". Executes
   the case again to trace where wrong bits came from, which changes the contents of the buffers. False where memory is
   out, or where the failure has no ground (finding_ground.h), which is an error of the suite. */
bool finding_describe(executor *x, execute_item *item, const judgement *j, verdict v, const char *id, store_finding *f,
                      error *e);

/* Give the finding the verdict waived, and prefix its detail with the waiver. */
struct waiver;
void finding_waive(store_finding *f, const struct waiver *w);

#endif
