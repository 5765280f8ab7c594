/* SPDX-License-Identifier: Apache-2.0 */
/* Adding a run to a history: its totals, and its failures as regions. */
#ifndef TOUCHSTONE_HISTORY_ADD_H
#define TOUCHSTONE_HISTORY_ADD_H

#include "harness/store/history.h"

/* Is the run complete? Otherwise EXIT_BAD_USAGE. */
bool history_can_add(store *run, error *e);

/* Add a run, which must be complete and made with this program's suite. *added: the row that was inserted, without its
   strings. Errors (EXIT_BAD_USAGE): the run is not complete, was made with another suite, or is in the history already.
 */
bool history_add_run(history *h, store *run, history_run *added, error *e);

#endif
