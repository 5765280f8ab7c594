/* SPDX-License-Identifier: Apache-2.0 */
/* Observed behaviour: what a backend does where the specification leaves the behaviour unspecified, that is, in
   ambiguous cases and in cases with undefined elements. It is recorded in the ledger's terms, and never a failure. */
#ifndef TOUCHSTONE_OBSERVED_H
#define TOUCHSTONE_OBSERVED_H

#include "harness/execute/execute_item.h"

/* The entry of the ledger that an executed case is about, or NULL. */
const char *observed_entry(const execute_item *item);

/* Write the kind of an observation: the entry, and one of
     refused
     as our decision, or as our decision (clamped index) where the operator names the decision
     unlike our decision (WHAT), where WHAT is the name of another interpretation that gives all elements (flat clamp);
       "sizes [2,1]", if the backend reports other sizes; "not written" or "zero", if all elements that differ hold the
       poison or 0; else "a value of its own".
   *detail: the first element that differs, with both values, or "". The subject's outputs have to be as the backend
   left them. The golden outputs are changed and restored. */
void observed_describe(execute_item *item, const char *entry, char *kind, size_t kind_size, char *detail,
                       size_t detail_size);

/* Does a behaviour, the text after the entry in a kind of observation, agree with our decision? */
bool observed_as_decided(const char *behaviour);

#endif
