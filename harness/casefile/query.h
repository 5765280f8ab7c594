/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries: one grammar to list, run, waive and filter.
 *
 *     OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]
 *
 * OPERATOR and TEST may hold `*`. OPERATOR `validation` means all operators that are checked, but not computed.
 * PARAMETERS are those of an id and name one case; a final `*` leaves all other axes free:
 * `dml.slice1:exhaustive:dtype=f16,*`. PREDICATE is an expression over the axes (expr.h, relaxed).
 */
#ifndef TOUCHSTONE_QUERY_H
#define TOUCHSTONE_QUERY_H

#include "harness/base/error.h"
#include "harness/model/operator.h"

typedef struct query {
    char text[1024];      /* as given */
    char op[128];         /* pattern */
    bool validation;      /* of the operators that are only checked */
    char test[128];       /* pattern; "*" if none is given */
    bool names_test;      /* the test is named without `*`: tiers do not apply */
    bool from_parameters; /* the predicate begins with parameters ("dtype=f16,*") */
    bool exact;           /* parameters name one case */
    char parameters[640]; /* "" if none */
    char predicate[640];  /* "" if none; parameters with a final `*` ("dtype=f16,*") are part of it */
} query;

/* Parse a query. An error describes what is wrong with it: also an unknown function of the predicate. Whether its axes
   exist depends on the test, so this is checked later. */
bool query_parse(const char *text, query *q, error *e);

/* Does the query name the operator? */
bool query_names(const query *q, const ts_operator *op);

/* Does a name match a pattern with `*`? */
bool query_match(const char *pattern, const char *name);

#endif
