/* SPDX-License-Identifier: Apache-2.0 */
/* A run as a night of a history: its totals, and its failures as regions. */
#ifndef TOUCHSTONE_HISTORY_ADD_H
#define TOUCHSTONE_HISTORY_ADD_H

#include "harness/store/history.h"

/* Add a run, which must be complete and of this program's suite. *night is what was added, without texts. Errors: the
   run is not complete, is of another suite, or the series has that night already (EXIT_BAD_USAGE). */
bool history_add_run(history *h, store *run, history_night *night, error *e);

#endif
