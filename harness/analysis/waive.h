/* SPDX-License-Identifier: Apache-2.0 */
/* Waivers held against a run: which still are what they were written for, and narrower ones in their place. */
#ifndef TOUCHSTONE_WAIVE_H
#define TOUCHSTONE_WAIVE_H

#include "harness/store/store.h"
#include "harness/casefile/waivers.h"

typedef enum waive_state {
    WAIVE_TIGHT,  /* all that it holds fails */
    WAIVE_WIDE,   /* holds cases that pass as well */
    WAIVE_PASSES, /* nothing that it holds fails any more */
    WAIVE_STALE,  /* holds no case of the run */
    WAIVE_EXPIRED
} waive_state;
const char *waive_state_name(waive_state s); /* "too-wide" */

typedef struct waive_row {
    waive_state state;
    uint64_t failing, passing, other; /* cases of the run that it holds; failing includes waived ones */
} waive_row;

/* One row per waiver. *unwaived: failing cases that no valid waiver holds. `rows` has room for w->count. */
bool waive_review(store *run, const waivers *w, waive_row *rows, uint64_t *unwaived, error *e);

/* Does any need attention? */
bool waive_settled(const waive_row *rows, size_t count);

/* Print a line for each that needs attention (all with `all`). */
void waive_print(const waivers *w, const waive_row *rows, bool all, FILE *out);

/* After a run: print those that need attention of the file that it was made with. True where it had none. */
bool waive_tell(const char *run, FILE *out, error *e);

/* Write the waivers narrowed to what still fails: those that are tight or expired as they are, too wide ones as the
   regions of what fails among their cases, and those that hold no failing case not at all. One whose failing cases
   cannot be told any better stays as it is. *changed: is it another file? */
bool waive_tighten(store *run, const waivers *w, bool lua, FILE *out, bool *changed, error *e);

#endif
