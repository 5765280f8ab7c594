/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of several backends, or of several configurations of one, side by side: where they agree with the reference and
 * where they part, case by case. All have to be asked for the same cases of this program's suite; each is judged at its
 * own feature level, and where these differ, cases that are beyond a level and to be refused there are left out. A case
 * that one run owes and another does not is one that the other's backend does not support.
 */
#ifndef TOUCHSTONE_COMPARE_H
#define TOUCHSTONE_COMPARE_H

#include "harness/analysis/region_groups.h"

enum {
    COMPARE_MOST = 12,   /* sides */
    COMPARE_LABEL = 96,  /* bytes of a label */
    COMPARE_CITED = 160, /* bytes of a list of clauses */
    COMPARE_ANSWER = 96  /* bytes of an answer */
};

/* Beside the verdicts, and instead of VERDICT_UNSUPPORTED: the backend does not support the case. */
#define COMPARE_UNOWED VERDICT_COUNT

/* What one side made of one case. */
typedef enum compare_state {
    COMPARE_PASS,
    COMPARE_FAIL,
    COMPARE_WAIVED,
    COMPARE_OPEN, /* ambiguous: the text decides nothing, nobody is judged */
    COMPARE_UNSUPPORTED,
    COMPARE_NOT_RUN,
    COMPARE_STATES
} compare_state;
compare_state compare_state_of(int verdict); /* or COMPARE_UNOWED */
const char *compare_state_name(compare_state s);

/* What all sides together made of one case. */
typedef enum compare_kind {
    COMPARE_EVERYWHERE, /* all support it, and all pass: what an application may rely on everywhere */
    COMPARE_PARTS,      /* some pass, and others fail (or are waived, which is a failure that is known) */
    COMPARE_NOWHERE,    /* fails wherever it is supported */
    COMPARE_SOME,       /* not supported by all; where it is, it passes */
    COMPARE_UNDECIDED,  /* the text is open */
    COMPARE_UNKNOWN,    /* planned and not run by some, and the others do not fail */
    COMPARE_KINDS
} compare_kind;
const char *compare_kind_name(compare_kind k); /* "everywhere", for programs */

/* The kind of a case that came to these verdicts (or COMPARE_UNOWED), a side each. */
compare_kind compare_judge(const uint8_t *verdicts, size_t sides);

typedef struct compare_counts {
    uint64_t cases;                /* that some side owes */
    uint64_t common;               /* of these, those that all sides support and have run */
    uint64_t kinds[COMPARE_KINDS]; /* add up to `cases` */
    uint64_t sides[COMPARE_MOST][COMPARE_STATES];
} compare_counts;

typedef struct compare_side {
    char label[COMPARE_LABEL];
    store *store;     /* borrowed; NULL: the backend supports nothing of what was asked */
    const char *path; /* of the run, borrowed; NULL where it is not kept */
} compare_side;

typedef struct compare_test {
    char *name, *op, *title;
    compare_counts counts;
} compare_test;

/* An operator's cases of one data type (of the first tensor). */
typedef struct compare_type {
    char op[64];
    uint32_t dtype; /* TS_DTYPE_*; 0: not known */
    compare_counts counts;
} compare_type;

/* Cases of one test that came to the same. */
typedef struct compare_group {
    compare_kind kind;
    size_t test;
    uint8_t verdicts[COMPARE_MOST]; /* or COMPARE_UNOWED */
    char clauses[COMPARE_CITED];    /* that the kept findings of these cases cite: "SL-08 SL-10", or "" */
    group group;                    /* owned */
} compare_group;

/* What became of a clause at one side. */
typedef enum compare_clause_state {
    COMPARE_CLAUSE_UNTRIED, /* no case that could tell was run */
    COMPARE_CLAUSE_KEPT,    /* refused where it was broken on purpose in what is supported, and no finding cites it */
    COMPARE_CLAUSE_FAILED
} compare_clause_state;
const char *compare_clause_state_name(compare_clause_state s);

typedef struct compare_clause {
    char *op, *id, *text;
    bool breakable; /* a descriptor can break it */
    struct {
        compare_clause_state state;
        uint64_t broken, refused; /* cases that broke it on purpose, and those refused as they should */
        uint64_t cited;           /* findings that were kept and name it */
    } sides[COMPARE_MOST];
} compare_clause;
/* FAILED where it is at some side, KEPT where it is at all, else UNTRIED. */
compare_clause_state compare_clause_overall(const compare_clause *c, size_t sides);

/* How open questions were answered, over all tests. */
typedef struct compare_answer {
    char entry[32];              /* of the ledger: "E-GA-10" */
    char answer[COMPARE_ANSWER]; /* "our decision (clamped index)" */
    uint64_t cases[COMPARE_MOST];
    char *example; /* the first case that was answered so, of the first side that did */
    bool parts;    /* the sides that were asked do not all answer this entry alike; the same for all its answers */
} compare_answer;

typedef struct compare {
    compare_side *sides; /* borrowed */
    size_t side_count;
    compare_counts total;
    compare_test *tests; /* in the order of the plan */
    size_t test_count;
    compare_type *types; /* by operator in that order, and by data type */
    size_t type_count;
    compare_group *region_groups; /* by kind, then by test and first case */
    size_t group_count;
    compare_clause *clauses; /* by operator, as declared */
    size_t clause_count;
    compare_answer *answers; /* those of an entry behind one another */
    size_t observed_count;
} compare;

/* Compare finished or unfinished runs; the sides and their stores must live as long as *c. Errors: runs of another
   suite than this program's, or asked for different cases (EXIT_BAD_USAGE). Freed by compare_free, also after one. */
bool compare_runs(compare *c, compare_side *sides, size_t count, error *e);
void compare_free(compare *c);

/* EXIT_FAILURES where a case fails at some side; EXIT_NOT_RUN where some did not run all that it planned, or no case is
   supported by all; else EXIT_CONFORMANT. */
exit_status compare_status(const compare *c);

/* Add a case to counts. */
void compare_count(compare_counts *counts, const uint8_t *verdicts, size_t sides, compare_kind kind, uint64_t cases);

#endif
