/* SPDX-License-Identifier: Apache-2.0 */
/* How grave what was found is: from a violation to an item, and from the items to the exit status. And what a file may
   have that is no violation of a clause, the findings, with their rules. */
#ifndef TOUCHSTONE_CHECK_CLASS_H
#define TOUCHSTONE_CHECK_CLASS_H

#include "harness/check/check.h"

/* The implementation that refuses what breaks this clause, if the clause binds nobody; else NULL. */
const char *check_refused_by(const ts_operator *op, const ts_violation *v);

/* The class of a violation. What an implementation refuses is a warning where the user allows its clause. */
check_class check_class_of_violation(const ts_descriptor *d, const ts_violation *v, const check_options *o);

/* The class of a finding. */
check_class check_class_of_finding(const check_finding *f, const check_options *o);

/* The gravest class of an item; its report is NULL where it was not judged. */
check_class check_class_of(const check_item *item, const ts_report *report, const check_options *o);

/* The exit status: 64, 1, 4, 5 or 0. */
int check_class_status(check_class c);

/* ---- rules of findings ---- */

/* The rules of what is no violation of a clause. */
#define CHECK_RULES 11
extern const ts_clause check_rules[CHECK_RULES];

/* The implementation that refuses what breaks a rule; NULL for a limit of Touchstone. */
const char *check_rule_implementation(const char *rule);

#define CHECK_LIMIT "LIMIT-01" /* the rule of what is beyond what is judged */

/* Add a finding to an item, of the class that its rule has. */
void check_find(check_item *item, const char *rule, check_place place, const char *format, ...) ERROR_PRINTF(4, 5);

/* ---- what the user allows ---- */

/* Accept the warnings of a clause, of a rule of findings, or of the clauses of an entry of the ledger. An unknown name
   is an error with what may be meant; and one without warnings, such as that of a stated clause, is an error. */
bool check_allow(check_options *o, const char *name, error *e);
bool check_allows(const check_options *o, const char *id);

#endif
