/* SPDX-License-Identifier: Apache-2.0 */
/* What the axes of the planned tests are, for the reports of a run. */
#ifndef TOUCHSTONE_RUN_AXES_H
#define TOUCHSTONE_RUN_AXES_H

#include "harness/casefile/plan.h"
#include "harness/store/store.h"

/* Store the descriptions (STORE_AXES). An axis that tests of an operator describe differently has the first of them. */
bool run_axes_store(store *s, const plan *p, error *e);

#endif
