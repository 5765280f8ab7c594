/* SPDX-License-Identifier: Apache-2.0 */
/* What would be legal where no clause says so: the nearest change of one field, or of two, that the operator's own
   check accepts, found by trial. */
#ifndef TOUCHSTONE_CHECK_SEARCH_H
#define TOUCHSTONE_CHECK_SEARCH_H

#include "harness/check/check_trial.h"

/* Add the option that was found: the changed descriptor is legal, or this violation is mended and no other one is
   added. Adds nothing if there is none. Returns how good it is. */
check_trial_result check_search(check_trial *t, ts_suggestion *out);

#endif
