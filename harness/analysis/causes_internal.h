/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of causes share: causes_sample.c draws cases of a run, causes_facts.c computes numbers of them,
   causes_atoms.c and causes_columns.c make conditions on these numbers, causes_learn.c joins conditions, causes_text.c
   writes them, causes_count.c counts what a query holds, and causes.c puts causes together. Nothing else includes
   this. */
#ifndef TOUCHSTONE_CAUSES_INTERNAL_H
#define TOUCHSTONE_CAUSES_INTERNAL_H

#include "harness/analysis/causes.h"
#include "harness/analysis/run_cases.h"

enum {
    CAUSES_NAMES = 160, /* axes, aliases and facts of the tests of an operator */
    CAUSES_PARTS = 2,   /* a stratum for cases of mixed ranges, and one for those of ranges with a single verdict */
    CAUSES_ROUNDS = 2,  /* so often a cause is learned again, from cases that its queries hold by mistake */
    CAUSES_STRATA = CAUSES_PARTS + CAUSES_ROUNDS, /* of a test and a kind */
    CAUSES_TERMS = 4,                             /* alternatives of a cause */
    CAUSES_CONDITIONS = 6,                        /* of an alternative */
    CAUSES_VALUES = 8,                            /* that a condition lists */
    CAUSES_TEXT = 640                             /* bytes of a predicate */
};

/* An axis or an alias, by its name, in all tests of an operator that have it. */
typedef struct cause_name {
    char *name;
    bool vector, symbols, truth;
    char *length;   /* of a vector: the axis that is its length, or NULL */
    uint32_t fixed; /* its length, where that is constant */
    bool fact;      /* computed from the descriptor: not an axis, and no expression over axes */
    int per;        /* of a vector that is a fact */
} cause_name;

/* A test of the operator. */
typedef struct cause_test {
    int64_t id;
    case_test *test;
    uint64_t failed[CAUSE_KINDS];   /* cases; [CAUSE_NONE]: those that did not fail */
    unsigned verdicts[CAUSE_KINDS]; /* of them, as a set of bits */
    expr *values[CAUSES_NAMES];     /* of each name; NULL: the test has not got it */
    int64_t *ids[CAUSES_NAMES];     /* of an enumerated name: the symbol of each of its axis's names of values, */
    size_t id_count[CAUSES_NAMES];  /* so many */
    bool stepped;                   /* parts of it were left out when it was walked */
} cause_test;

/* Cases of a test that came to the same, all with the same chance to be drawn. */
typedef struct cause_stratum {
    uint64_t population;
    size_t count, capacity, most;
    int64_t **points; /* the values of the axes: for each slot a length and the elements */
} cause_stratum;

typedef struct causes_sample {
    const char *op;
    const char *pattern, *within; /* of the run's own query: its tests ("*"), and its predicate ("") */
    run_cases *run;
    cause_test *tests;
    size_t test_count;
    cause_name names[CAUSES_NAMES];
    size_t name_count;
    size_t bytes_name; /* of `ElementBytes`; name_count: there is none */
    char **symbols;    /* the names of enumerated values: a symbol is its position here */
    size_t symbol_count, symbol_capacity;
    /* Of test t, kind k and part p: (t * CAUSE_KINDS + k) * CAUSES_STRATA + p. Part CAUSES_PARTS + r has cases that did
       not fail and that the r-th rejected rule of the kind holds. */
    cause_stratum *strata;
    cause rejected[CAUSES_ROUNDS]; /* rules of the kind that is being learned again: only the queries */
    size_t rejected_count;
    uint64_t random;
    uint64_t budget; /* cases to visit */
} causes_sample;

/* Draw cases of the operator. The caller frees *s, also after an error. *adrift: cases and verdicts do not match. */
/* A symbol by its name: its position in the list, or -1 where memory is out. */
int64_t causes_symbol(causes_sample *s, const char *name);
bool causes_sample_draw(causes_sample *s, store *run_file, bool *adrift, error *e);
void causes_sample_free(causes_sample *s);
cause_stratum *causes_stratum(const causes_sample *s, size_t test, int kind, int part);
/* Offer a case to its stratum, which keeps each with the same chance. `visited` is how many were offered, with it. */
bool causes_offer(causes_sample *s, cause_stratum *to, uint64_t visited, const case_test *t, const expr_value *values);
/* Unpack the values of a drawn case. */
void causes_unpack(const case_test *t, const int64_t *point, expr_value *values);

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

typedef enum cause_column_kind {
    CAUSE_SCALAR,        /* a name */
    CAUSE_SCALAR_BYTES,  /* the same times `ElementBytes` */
    CAUSE_MIN,           /* of the elements of a vector; INT64_MAX where there are none */
    CAUSE_MAX,           /* INT64_MIN where there are none */
    CAUSE_FIRST,         /* element */
    CAUSE_LAST,          /* element */
    CAUSE_PRODUCT,       /* of the elements */
    CAUSE_LAST_BYTES,    /* the last element times `ElementBytes` */
    CAUSE_PRODUCT_BYTES, /* the product times `ElementBytes` */
    CAUSE_LONG,          /* how many elements exceed 1 */
    CAUSE_ZEROS          /* how many elements are 0 */
} cause_column_kind;

/* A number of each case. */
typedef struct cause_column {
    cause_column_kind kind;
    uint16_t name;
    int64_t modulus; /* its remainder; 0: itself */
} cause_column;

/* A condition on one element of a vector. */
typedef enum cause_compare { CAUSE_LT, CAUSE_LE, CAUSE_EQ, CAUSE_NE, CAUSE_GE, CAUSE_GT } cause_compare;
typedef struct cause_element {
    uint16_t name;
    cause_compare compare;
    uint16_t with; /* the scalar that it is compared with; UINT16_MAX: the value */
    int64_t value; /* a number, or a symbol */
} cause_element;

/* The cases that conditions are evaluated on: first those inside, that is the failing ones, then the others. A set of
   them has a bit each. Cases of different strata share no word, so that all cases of a word have the same weight. */
typedef struct cause_table {
    const causes_sample *sample;
    size_t words, inside_words;
    uint64_t *valid; /* bits that are cases */
    double *weight;  /* of a case of each word, as a share of the failing cases */
    uint16_t *test;  /* of each word */
    cause_column *columns;
    size_t column_count;
    int64_t *numbers;  /* of each column: a number for each bit */
    uint64_t *present; /* of each column: the cases that have one */
    cause_element *elements;
    size_t element_count;
    double odds;     /* cases of the run that did not fail, for each one that did */
    uint16_t *masks; /* of each condition on elements: for which elements it holds; a number for each bit */
    uint64_t *named; /* of each name: the cases whose tests have it */
} cause_table;

/* Make the table of the failures of a kind. */
bool causes_table_make(cause_table *t, causes_sample *s, int kind, error *e);
void causes_table_free(cause_table *t);

/* ---- conditions ---------------------------------------------------------------------------------------------------
 */

typedef enum cause_atom_kind {
    CAUSE_ATOM_TEST,  /* the name of the test matches a pattern */
    CAUSE_ATOM_BOUND, /* a column compares with a number */
    CAUSE_ATOM_SET,   /* a scalar has one of some values */
    CAUSE_ATOM_PAIR,  /* a column compares with another one */
    CAUSE_ATOM_ANY,   /* an element fulfils one condition, or two */
    CAUSE_ATOM_EACH   /* no element does */
} cause_atom_kind;

typedef struct cause_atom {
    cause_atom_kind kind;
    cause_compare compare;
    uint16_t column; /* BOUND, SET, PAIR: the column; ANY, EACH: a condition on elements */
    uint16_t second; /* PAIR: the other column; ANY, EACH: another condition; UINT16_MAX: none */
    int64_t bound;
    int64_t values[CAUSES_VALUES]; /* SET: numbers or symbols */
    size_t value_count;
    bool denied;     /* SET: none of them */
    char *pattern;   /* TEST */
    double cost;     /* how hard it is to read */
    uint64_t *holds; /* the cases for which it is true */
} cause_atom;

typedef struct cause_atoms {
    cause_atom *list;
    size_t count, capacity;
} cause_atoms;

/* Add a condition, unless it says nothing: true for all cases, or for almost none that failed. Takes its pattern. */
bool causes_add_atom(cause_atoms *list, const cause_table *t, cause_atom a);
bool causes_compares(cause_compare compare, int64_t a, int64_t b);
/* Add the bounds and sets of each column that tell most, and comparisons of two columns. */
bool causes_add_columns(cause_atoms *list, const cause_table *t);

bool causes_atoms_make(cause_atoms *a, const cause_table *t, error *e);
void causes_atoms_free(cause_atoms *a);

/* The weights of the cases of a set: of those inside, and of the others. */
typedef struct cause_weights {
    double inside, others;
} cause_weights;
cause_weights causes_weigh(const cause_table *t, const uint64_t *set);

/* ---- joining ------------------------------------------------------------------------------------------------------
 */

/* Conditions that hold together. */
typedef struct cause_term {
    uint16_t atoms[CAUSES_CONDITIONS];
    size_t count;
} cause_term;

/* Alternatives; with none of them, nothing was found. */
typedef struct cause_rule {
    cause_term terms[CAUSES_TERMS];
    size_t count;
    double inside, others; /* shares of the failing cases */
} cause_rule;

/* Learn up to CAUSES_OF_KIND rules, which together hold as many of the cases inside as possible. */
bool causes_learn(const cause_table *t, const cause_atoms *a, cause_rule *rules, size_t *count, error *e);

/* Do two terms read a name in common, besides the number of dimensions? */
bool causes_share_a_name(const cause_table *t, const cause_atoms *a, const cause_term *x, const cause_term *y);

/* Write a rule as queries, which the cause owns. */
bool causes_write(const cause_table *t, const cause_atoms *a, const cause_rule *rule, cause *c, error *e);

/* ---- counting -----------------------------------------------------------------------------------------------------
 */

/* The predicates of causes, compiled for one test. */
typedef struct cause_match {
    expr *predicates[CAUSE_KINDS * CAUSES_OF_KIND][CAUSES_QUERIES];
    bool all[CAUSE_KINDS * CAUSES_OF_KIND]; /* a query without a predicate holds the whole test */
    bool any[CAUSE_KINDS * CAUSES_OF_KIND]; /* some query of the cause applies to the test */
} cause_match;

bool causes_match_make(cause_match *m, const case_test *t, const cause *list, size_t count, error *e);
void causes_match_free(cause_match *m);
/* Does cause i hold a case? */
bool causes_match_holds(const cause_match *m, size_t i, const expr_value *values);

/* Estimate what the queries of a cause hold, from the cases that were drawn: its `cases`, `missed` and `others`. */
bool causes_estimate(const causes_sample *s, cause *c, error *e);

/* ---- several operators --------------------------------------------------------------------------------------------
 */

/* Where the predicate of a cause of an earlier operator describes the failures of this one as well, take it over. `own`
   is the only cause of its kind. */
bool causes_join(const causes *earlier, const causes_sample *s, cause *own, error *e);

/* Make causes that were taken over one with those that they come from. */
bool causes_fold(causes *c, error *e);

/* Count what the queries of the causes of an operator hold. A case belongs to the first cause of its kind that holds
   it; missed[kind] counts the failing cases that none holds. Draws cases that the queries hold by mistake, into the
   stratum of the next rejected rule. *adrift as in causes_sample_draw. */
bool causes_count(causes_sample *s, cause *list, size_t count, uint64_t *missed, bool *adrift, error *e);

/* Free what a cause owns, and clear it. */
void causes_free_one(cause *c);

/* Find the smallest failing case of each cause among the findings of the run. */
bool causes_examples(const causes_sample *s, store *run_file, cause *list, size_t count, error *e);

#endif
