/* SPDX-License-Identifier: Apache-2.0 */
/* Reviews waivers against a run: finds those that no longer match failing cases only, and narrows them. */
#ifndef TOUCHSTONE_WAIVE_H
#define TOUCHSTONE_WAIVE_H

#include "harness/store/store.h"
#include "harness/casefile/waivers.h"

typedef enum waive_state {
    WAIVE_TIGHT,  /* all cases that it covers fail */
    WAIVE_WIDE,   /* it covers failing and passing cases */
    WAIVE_PASSES, /* no case that it covers fails any more, and some pass */
    WAIVE_STALE,  /* it covers no case that ran */
    WAIVE_EXPIRED
} waive_state;
const char *waive_state_name(waive_state s); /* "too-wide" */

typedef struct waive_row {
    waive_state state;
    uint64_t failing, passing, other; /* cases of the run that it covers; failing includes waived ones */
} waive_row;

/* Fill in one row per waiver; `rows` has room for w->count. *unwaived: failing cases that no valid waiver covers. */
bool waive_review(store *run, const waivers *w, waive_row *rows, uint64_t *unwaived, error *e);

/* Are all waivers tight, so that none needs attention? */
bool waive_settled(const waive_row *rows, size_t count);

/* Describe the waivers that need attention (`all`: all waivers). */
void waive_print(const waivers *w, const waive_row *rows, bool all, FILE *out);

/* Describe the waivers that need attention after a run, of the file that the run used. Does nothing where it used none.
 */
bool waive_report(const char *run, FILE *out, error *e);

/* Write the waivers, narrowed to the cases that still fail. Tight and expired waivers stay as they are; a waiver that
   is too wide becomes, in each test, the regions of its failing cases if these are exact; else the ids of the cases, if
   they are few; else the query of a cause of the run that covers fewer passing cases, with the ids of the failing ones
   that it misses. A waiver without a failing case is left out. A waiver whose
   failing cases have no narrower query stays, as does one behind the first 1,024. *changed: the result
   differs from the input. */
bool waive_tighten(store *run, const waivers *w, bool lua, FILE *out, bool *changed, error *e);

#endif
