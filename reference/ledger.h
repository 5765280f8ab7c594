/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: every place where a published page contradicts itself, its original, its own examples or what
 * implementations do, with our decision. Most entries have ids of their own (E-SS-6). An entry named after a clause
 * (BUF-14) describes how an implementation differs from that clause; B6-13 is a row of the table of executed cases.
 */
#ifndef TOUCHSTONE_LEDGER_H
#define TOUCHSTONE_LEDGER_H

#include <stddef.h>

/* Kinds of entries; an entry may have several. 0: no error, although it looks like one. */
enum {
    LEDGER_ENGLISH = 1,        /* EN: the English page is wrong, too */
    LEDGER_TRANSLATION = 2,    /* TR: the translation is wrong */
    LEDGER_IMPLEMENTATION = 4, /* IM: implementations differ */
    LEDGER_AMBIGUOUS = 8       /* AM: the text leaves it unspecified */
};

/* The observed behaviour of an implementation. */
typedef struct ledger_answer {
    const char *implementation; /* "OpenVINO" */
    const char *version;        /* "2026.4.1, core"; NULL: known from its documentation or source */
    const char *answer;
} ledger_answer;

#define LEDGER_ANSWERS 6
#define LEDGER_ROWS    2

typedef struct ledger_entry {
    const char *id;
    unsigned kinds;
    const char *op;    /* the operator; dml.element_wise_identity for the layout rules */
    const char *page;  /* where it is published */
    const char *quote; /* the page's words; in parentheses a description of what it shows */
    const char *problem;
    const char *decision;
    const char *clauses;        /* that the decision concerns: "SL-08 SL-10"; "" for none */
    const char *minimal;        /* the smallest case, or NULL */
    const char *examples;       /* of the operator's test `examples` that show it, with what an id says of each: "1 wrap,dtype=u32"; "" for none */
    unsigned rows[LEDGER_ROWS]; /* of the table of executed cases (B.6); 0: none */
    ledger_answer answers[LEDGER_ANSWERS]; /* up to the first without an implementation */
} ledger_entry;

/* Every entry, by page and number; *count of them. */
const ledger_entry *ledger_all(size_t *count);

/* An entry by its id, or NULL. */
const ledger_entry *ledger_find(const char *id);

/* The entry about this clause of the operator, or of its specification's layout rules; NULL: there is none. */
const ledger_entry *ledger_of_clause(const char *op, const char *clause);

/* "EN/IM", or "-" for no kind. Returns buf; 16 bytes are enough. */
const char *ledger_kinds(const ledger_entry *entry, char *buf, size_t size);

#endif
