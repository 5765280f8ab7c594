/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that a descriptor of an operator that is checked only leaves out, or gives without sizes or type. */
#ifndef TOUCHSTONE_CHECK_OUTPUT_H
#define TOUCHSTONE_CHECK_OUTPUT_H

#include "harness/check/check.h"

/* Infer the types and sizes that the operator's rules require of such outputs. What they leave open becomes unread in
   item->gaps, and the item undecided. Does nothing for operators that are computed: these have a shape. */
void check_settle_outputs(check_item *item);

/* Remove the violations, but the first ones, that depend on the sizes of an output that are not known. `d` is the
   descriptor that was judged, the item's at some level. */
void check_keep_independent(const check_item *item, const ts_descriptor *d, unsigned first, ts_report *report);

#endif
