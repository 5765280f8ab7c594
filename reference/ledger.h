/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ledger: every place where a published page contradicts itself, its original, its own examples or what
 * implementations do, with our decision. An entry has an id of its own (E-SS-6); one that is named after a clause
 * (BUF-14) tells how an implementation differs from that clause, and B6-13 is a row of the table of what was executed.
 */
#ifndef TOUCHSTONE_LEDGER_H
#define TOUCHSTONE_LEDGER_H

#include <stddef.h>

/* What is wrong; an entry may be of several kinds. 0: nothing, though it looks like it. */
enum {
    LEDGER_ENGLISH = 1,        /* EN: the English page errs, too */
    LEDGER_TRANSLATION = 2,    /* TR: the translation does damage */
    LEDGER_IMPLEMENTATION = 4, /* IM: implementations differ */
    LEDGER_AMBIGUOUS = 8       /* AM: the text does not say */
};

/* What an implementation is known to do. */
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
    const char *op;    /* the operator it is about; the layout rules' is dml.element_wise_identity */
    const char *page;  /* where it is published */
    const char *quote; /* the page's words; in parentheses what it shows or says in others */
    const char *problem;
    const char *decision;
    const char *clauses;        /* that the decision rests on: "SL-08 SL-10"; "" where none is touched */
    const char *minimal;        /* the smallest case, or NULL */
    const char *examples;       /* of the operator's test `examples` that show it: "1 negative"; "" where none does */
    unsigned rows[LEDGER_ROWS]; /* of the table of executed cases (B.6); 0: none */
    ledger_answer answers[LEDGER_ANSWERS]; /* ended by one without an implementation */
} ledger_entry;

/* Every entry, by page and number; *count of them. */
const ledger_entry *ledger_all(size_t *count);

/* An entry by its id, or NULL. */
const ledger_entry *ledger_find(const char *id);

/* "EN/IM", or "-" for no kind. Returns buf; 16 bytes are enough. */
const char *ledger_kinds(const ledger_entry *entry, char *buf, size_t size);

#endif
