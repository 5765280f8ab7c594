/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares runs of several backends, or of several configurations of one backend, case by case: where they agree with
 * the reference and where they differ from it. All runs must have been asked for the same cases of this program's
 * suite. Each is judged at its own feature level; where the levels differ, the tests of cases beyond a level are left
 * out. A case that one run planned and another did not plan is a case that the other backend does not support.
 */
#ifndef TOUCHSTONE_COMPARE_H
#define TOUCHSTONE_COMPARE_H

#include "harness/analysis/region_groups.h"

enum {
    COMPARE_MAX_SIDES = 12,
    COMPARE_LABEL_SIZE = 96,     /* bytes of a label */
    COMPARE_CLAUSES_SIZE = 160,  /* bytes of a list of clauses */
    COMPARE_BEHAVIOUR_SIZE = 96, /* bytes of an observed behaviour */
    COMPARE_QUESTIONS = 64       /* open questions of which no answer was observed */
};

/* Used beside the verdicts, and instead of VERDICT_UNSUPPORTED: the backend does not support the case. */
#define COMPARE_NOT_SUPPORTED VERDICT_COUNT

/* The result of one case at one side. */
typedef enum compare_state {
    COMPARE_PASS,
    COMPARE_FAIL,
    COMPARE_WAIVED,
    COMPARE_AMBIGUOUS,  /* the specification is ambiguous: the backend is not judged */
    COMPARE_NOT_JUDGED, /* the specification does not determine the results of the data type to the bit */
    COMPARE_UNSUPPORTED,
    COMPARE_NOT_RUN,
    COMPARE_STATES
} compare_state;
compare_state compare_state_of(int verdict); /* a verdict or COMPARE_NOT_SUPPORTED */
const char *compare_state_name(compare_state s);

/* The result of one case at all sides together. */
typedef enum compare_kind {
    COMPARE_EVERYWHERE,        /* all sides support it and pass: an application may rely on it everywhere */
    COMPARE_DIFFERS,           /* some pass, others fail (or are waived, which is a known failure) */
    COMPARE_NOWHERE,           /* fails wherever it is supported */
    COMPARE_SUPPORTED_BY_SOME, /* passes wherever it is supported, which is not everywhere */
    COMPARE_UNSPECIFIED,       /* the specification does not decide it */
    COMPARE_INCOMPLETE,        /* some side did not run it, and no other fails */
    COMPARE_KINDS
} compare_kind;
const char *compare_kind_name(compare_kind k); /* the name in JSON: "everywhere" */

/* The kind of a case with these verdicts (or COMPARE_NOT_SUPPORTED), one per side. */
compare_kind compare_kind_of(const uint8_t *verdicts, size_t sides);

typedef struct compare_counts {
    uint64_t cases;                /* planned by at least one side */
    uint64_t common;               /* of these, supported and run by all sides */
    uint64_t kinds[COMPARE_KINDS]; /* their sum is `cases` */
    uint64_t sides[COMPARE_MAX_SIDES][COMPARE_STATES];
} compare_counts;

typedef struct compare_side {
    char label[COMPARE_LABEL_SIZE];
    store *store;     /* borrowed; NULL: the backend supports none of the requested cases */
    const char *path; /* of the run file, borrowed; NULL where the file is temporary */
} compare_side;

typedef struct compare_test {
    char *name, *op, *title;
    compare_counts counts;
} compare_test;

/* The cases of one operator that have this data type. */
typedef struct compare_type {
    char op[64];
    uint32_t dtype; /* TS_DTYPE_*; 0: unknown */
    compare_counts counts;
} compare_type;

/* Cases of one test with the same verdicts. */
typedef struct compare_group {
    compare_kind kind;
    size_t test;
    uint8_t verdicts[COMPARE_MAX_SIDES]; /* or COMPARE_NOT_SUPPORTED */
    char clauses[COMPARE_CLAUSES_SIZE];  /* cited by the retained findings of these cases: "SL-08 SL-10", or "" */
    group group;                         /* owned */
} compare_group;

/* The result of a clause at one side. */
typedef enum compare_clause_state {
    COMPARE_CLAUSE_NOT_TESTED, /* no case that ran can show whether the side satisfies it */
    COMPARE_CLAUSE_SATISFIED,  /* the side refused supported cases that violate it on purpose; no finding cites it */
    COMPARE_CLAUSE_VIOLATED    /* a retained finding cites it */
} compare_clause_state;
const char *compare_clause_state_name(compare_clause_state s);

typedef struct compare_clause {
    char *op, *id, *text;
    bool breakable; /* a descriptor can violate it */
    struct {
        compare_clause_state state;
        uint64_t broken, refused; /* cases that violate it on purpose, and those of them that the side refused */
        uint64_t cited;           /* retained findings that cite it */
    } sides[COMPARE_MAX_SIDES];
} compare_clause;
/* VIOLATED if any side violates it, SATISFIED if all sides satisfy it, else NOT_TESTED. */
compare_clause_state compare_clause_overall(const compare_clause *c, size_t sides);

/* What the sides did in cases that the specification leaves unspecified, counted over all tests. */
typedef struct compare_behaviour {
    char entry[32];                         /* of the ledger: "E-GA-10" */
    char behaviour[COMPARE_BEHAVIOUR_SIZE]; /* "our decision (clamped index)" */
    uint64_t cases[COMPARE_MAX_SIDES];
    char *example; /* the id of the first such case, of the first side that has one */
    bool differs;  /* the sides that ran cases of this entry behave differently; equal for all rows of an entry */
} compare_behaviour;

/* An open question of an operator that was compared, of which no side was observed to give an answer. */
typedef struct compare_open {
    const char *entry, *op; /* of the ledger, and of the operator's declaration */
} compare_open;

typedef struct compare {
    compare_side *sides; /* borrowed */
    size_t side_count;
    compare_counts total;
    compare_test *tests; /* in the order of the plan */
    size_t test_count;
    compare_type *types; /* by operator in that order, then by data type */
    size_t type_count;
    compare_group *groups; /* by kind, then by test and first case */
    size_t group_count;
    compare_clause *clauses; /* by operator, as declared */
    size_t clause_count;
    compare_behaviour *behaviours; /* in the ledger's order of entries */
    size_t behaviour_count;
    compare_open open[COMPARE_QUESTIONS]; /* by operator, as declared */
    size_t open_count;
    char apart[256];    /* operators that cannot be compared, because some run was made with other cases or another
                           reference of them; "" if there are none */
    size_t drawn_apart; /* drawn tests that are not compared, because the runs drew with different seeds */
} compare;

/* Compare runs, which need not be finished. The sides and their stores must live as long as *c. Fails with
   EXIT_BAD_USAGE where the runs were asked for different cases, or no operator of a run is what it is in this program;
   where some are not, the others are compared. The caller frees *c with compare_free, also after a failure. */
bool compare_runs(compare *c, compare_side *sides, size_t count, error *e);
void compare_free(compare *c);

/* EXIT_FAILURES where a case fails at some side; EXIT_NOT_RUN where some side did not run all that it planned, no
   case is supported by all sides, all cases are of data types that are not judged, or an operator cannot be compared;
   else EXIT_CONFORMANT. */
exit_status compare_status(const compare *c);

/* Add `cases` cases with these verdicts to the counts. */
void compare_count(compare_counts *counts, const uint8_t *verdicts, size_t sides, compare_kind kind, uint64_t cases);

/* Add counts to others. */
void compare_add_counts(compare_counts *to, const compare_counts *more, size_t sides);

/* ---- what a comparison says ---- */

/* The number of cases that one of two sides passes and the other one fails, or fails under a waiver. */
uint64_t compare_differing(const compare *c, size_t a, size_t b);

/* The side that the others can be measured by: the first one that fails nothing, and passes whatever another side
   fails. c->side_count: there is none. */
size_t compare_base(const compare *c);

/* Sum up the data types of an operator, whose first one is c->types[first]. Returns the index behind its last one. */
size_t compare_operator(const compare *c, size_t first, compare_counts *sum);

/* A question is what the specification leaves open, by an entry of the ledger; its answers are the behaviours from
   c->behaviours[first] on. Returns the index behind its last one. */
size_t compare_question(const compare *c, size_t first);

/* The number of sides that ran cases of a question. */
size_t compare_answering(const compare *c, size_t first);

/* Does the side support any case of the operator? */
bool compare_supports(const compare *c, size_t side, const char *op);

/* Why no answer of a side to a question about an operator was observed; asked: another side was observed to give one.
   In words: "it supports no case of dml.gather". Returns buf. */
const char *compare_unanswered(const compare *c, size_t side, const char *op, bool asked, char *buf, size_t size);

/* A behaviour as an answer: "clamped index, as decided", "flat clamp", "refused", "zeros". Returns buf;
   COMPARE_BEHAVIOUR_SIZE bytes are enough. */
const char *compare_answer(const char *behaviour, char *buf, size_t size);

#endif
