/* SPDX-License-Identifier: Apache-2.0 */
/* How a backend answered what the text leaves open, in the ledger's words: told of ambiguous cases, and of cases with
   undefined elements. Nobody is judged by it. */
#ifndef TOUCHSTONE_OBSERVED_H
#define TOUCHSTONE_OBSERVED_H

#include "harness/execute/execute_item.h"

/* The entry of the ledger that an executed case asks about, or NULL. */
const char *observed_entry(const execute_item *item);

/* The kind of an observation: the entry, and one of
     refused
     as our decision, or as our decision (clamped index) where the operator names it
     unlike our decision (WHAT): the name of a reading that gives all elements (flat clamp); "sizes [2,1]", where the
       backend reports others; "not written", "zero", where all elements that differ hold the poison, or 0; "a value of
       its own".
   *detail: the first element that differs, with both values, or "". The subject's outputs have to be as the backend
   left them; the golden ones are again what they were. */
void observed_describe(execute_item *item, const char *entry, char *kind, size_t kind_size, char *detail,
                       size_t detail_size);

/* Does a behaviour, the text after the entry in a kind of observation, agree with our decision? */
bool observed_as_decided(const char *behaviour);

#endif
