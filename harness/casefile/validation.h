/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The descriptors of an operator that is checked, but not computed: legal ones and such that break one clause, numbered
 * from 0. What they are follows from the operator's declaration, its legal call (reference/checked/legal.json) and the
 * number alone. Every second one is the legal call with one change (changes.h), as long as there are such changes; the
 * others are drawn (validation_draw.c): several changes that keep a descriptor legal, at all magnitudes, and then at
 * most one more that breaks the clause. The checker decides what is legal and which clauses a descriptor breaks.
 */
#ifndef TOUCHSTONE_VALIDATION_H
#define TOUCHSTONE_VALIDATION_H

#include "harness/base/error.h"
#include "harness/casefile/changes.h"

#define VALIDATION_CLAUSES 40   /* at most, of an operator */
#define VALIDATION_CASES   1300 /* at least, legal ones and illegal ones each */
#define VALIDATION_QUICK   8    /* numbers of each test, and of each clause, that tier quick has */

/* Changes of the legal call. */
typedef struct validation_changes {
    field_change *list;
    size_t count, capacity;
} validation_changes;

/* A clause that changes of the legal call break. */
typedef struct validation_clause {
    const char *id;
    validation_changes changes; /* those that break this clause alone; or, if there are none, others as well */
    bool alone;
} validation_clause;

typedef struct validation {
    ts_descriptor call; /* the legal call, at the highest feature level */
    uint64_t key;       /* what is drawn depends on it: a hash of the operator's name */
    validation_changes legal;
    validation_clause clauses[VALIDATION_CLAUSES];
    size_t clause_count;
    size_t legal_cases, clause_cases; /* numbers: of legal descriptors, and of those of each clause */
} validation;

/* Read the legal call and try its changes. NULL: out of memory, or the legal call is none. */
validation *validation_open(const ts_operator *op, error *e);
void validation_close(validation *v);

/* The change that number `number` is, or NULL: it is drawn. */
const field_change *validation_listed(const validation_changes *c, uint64_t number);

/* Make legal descriptor `number`. */
void validation_legal(const validation *v, uint64_t number, ts_descriptor *d);

/* Make descriptor `number` of those that break this clause. */
void validation_illegal(const validation *v, size_t clause, uint64_t number, ts_descriptor *d);

/* What the checker says of a descriptor. */
typedef enum validation_answer {
    VALIDATION_LEGAL,
    VALIDATION_ILLEGAL, /* it breaks clauses */
    VALIDATION_UNASKED  /* no implementation can be asked about it: a number is missing, a list is longer than what is
                           stored, a value does not fit into DirectML's structure, or it is wrong only when it is bound
                         */
} validation_answer;

/* `report` is filled in. Warnings, and what is unspecified, are legal. */
validation_answer validation_ask(const ts_descriptor *d, ts_report *report);

/* Does the report have this clause among those that make the descriptor illegal? *alone: and no other. */
bool validation_breaks(const ts_report *report, const char *clause, bool *alone);

#endif
