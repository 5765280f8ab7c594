/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that a descriptor of an operator that is checked only leaves out, or gives without sizes or type. */
#ifndef TOUCHSTONE_CHECK_OUTPUT_H
#define TOUCHSTONE_CHECK_OUTPUT_H

#include "harness/check/check.h"

/* Infer the types and sizes that the operator's rules require of such outputs. What they leave open becomes unread in
   item->gaps, and the item undecided; an open size is 0. Does nothing for operators without ts_operator.solve, whose
   `shape` says all. */
void check_settle_outputs(check_item *item);

#endif
