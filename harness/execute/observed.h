/* SPDX-License-Identifier: Apache-2.0 */
/* The observed behaviour of a backend where the text leaves the result open, by entries of the ledger: for ambiguous
   cases, and for cases with elements that are undefined or have several answers. It does not affect verdicts. */
#ifndef TOUCHSTONE_OBSERVED_H
#define TOUCHSTONE_OBSERVED_H

#include "harness/execute/execute_item.h"

/* What is observed in a case. */
typedef struct observed_subject {
    const char *entry; /* of the ledger */
    ts_open about;     /* the elements that it is about; TS_ONE_ANSWER: all, of an ambiguous case */
} observed_subject;

#define OBSERVED_MOST 2

/* What an executed case is about: how many entries of the ledger, and which. */
size_t observed_entries(const execute_item *item, observed_subject entries[OBSERVED_MOST]);

/* Describe the behaviour as the kind of an observation: the entry, and one of
     refused
     accepted: of a descriptor that breaks a clause that binds nobody, where it is not executed; both with
       OBSERVED_BEYOND where it is a limit of Touchstone that the descriptor exceeds, and then the clause takes the
       entry's place
     our decision, or our decision (clamped index) where the operator names it
     another known interpretation (flat clamp): it gives all elements
     other than our decision (WHAT): "sizes [2,1]" where the backend reports other sizes; "not written" or "zero" where
       all elements that differ hold the poison, or 0; else "other values", or "another of the values" where each is
       one of several answers
   The last three follow OBSERVED_COMPUTED where the descriptor breaks a clause that binds nobody and was executed; values
   that the page allows, or leaves undefined, are as decided then.
   *detail is set to the first element that differs, with both values, or "". The subject's outputs have to be as the
   backend left them; the golden outputs are restored. */
void observed_describe(executor *x, execute_item *item, const observed_subject *o, char *kind, size_t kind_size,
                       char *detail, size_t detail_size);

/* Does a behaviour, the text after the entry in a kind of observation, agree with our decision? */
bool observed_as_decided(const char *behaviour);

#define OBSERVED_ACCEPTED "accepted"
#define OBSERVED_COMPUTED OBSERVED_ACCEPTED ": " /* of a descriptor that is executed: what the results are follows */
#define OBSERVED_BEYOND ", beyond what Touchstone judges"

/* The kind of the observation that the backend does not answer calls without data. */
#define OBSERVED_UNANSWERED "unsupported without data"

#endif
