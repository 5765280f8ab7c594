/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entries of the ledger as JSON, as `touchstone ledger --json` prints and a run stores them: id, kind ("EN/IM"),
 * operator, page, quote, problem, decision, clauses (list of ids), case (the smallest, or null), examples (list of
 * names), observed (rows of the table of executed cases), known (list of implementation, version or null, answer).
 */
#ifndef TOUCHSTONE_LEDGER_JSON_H
#define TOUCHSTONE_LEDGER_JSON_H

#include "reference/ledger.h"

#include <jansson.h>

/* Convert one entry; NULL where memory is out. */
json_t *ledger_entry_to_json(const ledger_entry *entry);

/* Convert the entries about an operator to the text of a JSON list, which the caller frees; NULL where memory is out.
 */
char *ledger_operator_to_json(const char *op);

#endif
