/* SPDX-License-Identifier: Apache-2.0 */
/* The story of one failing case: what was expected, what came, where it was read from, how to see it again. */
#ifndef TOUCHSTONE_FINDING_H
#define TOUCHSTONE_FINDING_H

#include "harness/execute/execute_item.h"

/* Tensors of at most this many elements are drawn. */
#define FINDING_DRAWN 96

/* The tensors as they are now, as the JSON that store_finding.tensors describes; NULL where none is small enough. The
   caller frees it. */
char *finding_draw(executor *x, execute_item *item);

/* Fill in *f, strings owned by it, but for `tensors`. Executes the case again to find out where the wrong bits came
   from: what the buffers hold is lost. */
void finding_tell(executor *x, execute_item *item, const judgement *j, verdict v, const char *id, store_finding *f);

/* Say that a waiver holds the case, on whose account, and how it would have failed. */
struct waiver;
void finding_waive(store_finding *f, const struct waiver *w);

#endif
