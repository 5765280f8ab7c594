/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The scope of a verdict: what was required of the backend, what it offered, and what was judged, by operator and data
 * type. It is derived from the counts of verdicts and from the facts of the run (scope_facts.h).
 *
 *   required  the tier and the queries asked for at least one legal case: it was executed, or the backend refused it
 *   offered   at least one of these cases was executed, and the backend did not call it unsupported
 *   judged    at least one of these cases passed, failed, or is waived, and the values of none are not judged
 *   not judged   offered and not judged
 *   not offered  required and not offered
 *   not tried    the suite has it, and no case was asked for
 */
#ifndef TOUCHSTONE_SCOPE_H
#define TOUCHSTONE_SCOPE_H

#include "harness/base/text.h"
#include "harness/base/verdict.h"
#include "harness/store/scope_facts.h"

/* A data type of an operator: that of its cases (operator_typed). */
typedef struct scope_type {
    char name[16];
    bool supported;   /* the backend supports a class of its legal cases that was asked for */
    uint64_t refused; /* cases that were not planned, because the backend does not support their class */
    uint64_t unsupported, judged, open, unjudged; /* planned cases: unsupported; with a verdict that judges; ambiguous;
                                                     not judged */
} scope_type;

typedef struct scope_operator {
    const char *name; /* of the summary or of the facts */
    bool planned;     /* the run plans cases of it */
    uint64_t judged;  /* cases, also those without a legal data type */
    scope_type *types;
    size_t type_count, type_capacity;
} scope_operator;

typedef struct scope {
    scope_operator *operators; /* in order of their names */
    size_t count, capacity;
    uint64_t judged, planned; /* cases */
    bool pending;             /* cases are planned that did not run: their data types are not known */
    bool session;             /* what was not tried may be tried in another session */
    const scope_facts *facts; /* borrowed */
} scope;

typedef enum scope_part {
    SCOPE_REQUIRED,
    SCOPE_OFFERED,
    SCOPE_JUDGED,
    SCOPE_NOT_JUDGED,
    SCOPE_NOT_OFFERED,
    SCOPE_NOT_TRIED
} scope_part;

/* Begin with the data types of the suite, add the planned operators and the counts of verdicts, then end. Names are
   borrowed. False if memory is out. The caller frees *s in any case. */
bool scope_begin(scope *s, const scope_facts *facts);
bool scope_add_operator(scope *s, const char *op, bool planned);
bool scope_add_cases(scope *s, const char *op, const char *dtype, verdict v, uint64_t cases);
void scope_end(scope *s);
void scope_free(scope *s);

/* Does a data type, or an operator, belong to this part? An operator is not judged, not offered, or not tried, as a
   whole. */
bool scope_type_is(const scope_type *t, scope_part part);
bool scope_operator_is(const scope_operator *o, scope_part part);

/* Is anything not offered: an operator, a data type, single cases, or the refusal of illegal ones? */
bool scope_is_part(const scope *s);

/* Append what was judged, "dml.slice1, f32" or "all 5 operators, all data types"; nothing if no case was. */
void scope_add_subject(const scope *s, text *t);

/* Append " Refusals not judged: 908 of 2,924 cases.": those that the backend cannot show to its implementation; nothing
   if there are none. */
void scope_add_unshown(const scope *s, text *t);

/* Append that, and what was not judged, not offered and not tried, as sentences that each follow a blank; nothing if
   there is nothing. */
void scope_add_rest(const scope *s, text *t);

/* Append one line for each demand of which cases are absent. `before` and `after` enclose each line. */
void scope_add_absent(const scope_facts *f, const char *before, const char *after, text *t);

#endif
