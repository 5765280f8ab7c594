/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case files such as cases/dml/slice1.lua. Lua declares axes, bindings and tests once, when the file is loaded; no Lua
 * runs per case. docs/cases.md explains how to write one.
 */
#ifndef TOUCHSTONE_CASEFILE_H
#define TOUCHSTONE_CASEFILE_H

#include "harness/base/error.h"
#include "harness/model/operator.h"
#include "harness/space/space.h"

#include <jansson.h>

/* The binding of axes to one tensor. A NULL expression means the default. */
typedef struct case_tensor {
    bool bound;      /* false: an output with the shape that `shape` computes, or an absent optional tensor */
    expr *present;   /* truth value or integer; default: present */
    expr *dtype;     /* default: that of the case (operator_typed) */
    expr *sizes;     /* vector; default for an output: as `shape` computes */
    expr *rank;      /* pads sizes with leading ones to this length; default: the length of sizes */
    expr *layout;    /* default: packed */
    expr *strides;   /* vector, instead of a layout */
    expr *extra;     /* bytes beyond the smallest legal TotalTensorSizeInBytes; default 0 */
    expr *alignment; /* GuaranteedBaseOffsetAlignment; default 0 */
    expr *fill;      /* default: injective */
    expr *data;      /* instead of a fill: integer for the element `i` (logical, row-major, from 0) */
    expr *flags;     /* DML_TENSOR_FLAGS; default 0 */
    expr *base;      /* bytes behind a multiple of 64 at which the buffer begins; default -1: anywhere */
    /* Only in the change of an invalid test: */
    expr *dims;  /* DimensionCount, independent of the length of Sizes */
    expr *bytes; /* TotalTensorSizeInBytes */
    expr *null;  /* TS_GIVEN_* bits that are null pointers */
} case_tensor;

/* What the value of an expression is that is bound to an attribute. */
typedef enum case_form {
    CASE_WHOLE,  /* an integer; of a FLOAT or DML_SCALAR_UNION, the number that it is in the attribute's type */
    CASE_NUMBER, /* the key of a decimal number (harness/base/decimal.h), which the attribute's type must hold */
    CASE_BITS,   /* the bits of a FLOAT or DML_SCALAR_UNION */
    CASE_NAMED   /* a value that an axis names as the enumeration or the list of operators does */
} case_form;

/* A value of an enumerated axis, and of the attribute that it stands for. */
typedef struct case_named {
    int64_t symbol, value;
} case_named;

/* The binding of an expression to an attribute, or to a member of one. */
typedef struct case_value {
    expr *x; /* integer or vector; NULL: nothing is bound */
    case_form form;
    case_named *named; /* of CASE_NAMED; owned */
    size_t named_count;
} case_value;

#define CASE_MEMBERS 4 /* of a record, at most */

/* The binding of axes to one attribute. */
typedef struct case_attr {
    case_value value;                 /* of a record, see `members`; x is NULL: absent */
    case_value members[CASE_MEMBERS]; /* of a record, in declared order */
    expr *present;                    /* default: present */
    expr *count;                      /* of a vector: the number of values; further values are cut off */
    expr *rest;                       /* the value that fills a vector shorter than count; default 0 */
} case_attr;

/* The bindings of a descriptor; or, of an invalid test, the change that makes a legal descriptor illegal. */
typedef struct case_bindings {
    case_tensor tensors[TS_MAX_TENSORS];
    case_attr attrs[TS_MAX_ATTRS];
} case_bindings;

/* The kind of a test, which determines the expected result of its cases. */
typedef enum case_kind {
    CASE_VALID,    /* legal descriptors: executed and compared */
    CASE_EXAMPLES, /* descriptors written out in full: each is declared legal, illegal or ambiguous */
    CASE_INVALID,  /* legal descriptors with one change that breaks one clause: to be rejected */
    CASE_BEYOND,   /* descriptors that need a higher feature level than the run's: to be rejected */
    CASE_CHECKED   /* descriptors that follow from an operator's declaration: to be accepted (`asked`) or rejected, and
                      never executed (casefile_checked.h) */
} case_kind;

/* A descriptor written out in full, such as an example of the specification. */
typedef struct case_example {
    char *name;
    char *note;      /* or NULL */
    char *invalid;   /* the clause that it breaks, or NULL */
    char *ambiguous; /* the ledger entry, or NULL: executed, never judged; of an invalid one: its acceptance is open,
                        although the clause binds */
    bool own_types;  /* it is about its data types, and executed with no other */
    bool printed;    /* the page prints it with its results: judged in its own data type, whatever else is not */
    ts_descriptor descriptor;
    json_t *data[TS_MAX_TENSORS]; /* values of inputs and expected values of outputs, or NULL */
} case_example;

/* The tiers, each contained in the next. */
typedef enum case_tier { TIER_QUICK, TIER_FULL, TIER_EXHAUSTIVE } case_tier;
const char *case_tier_name(case_tier t);

/* Find the tier with this name ("quick"). False if there is none; *tier is unchanged then. */
bool case_tier_named(const char *name, case_tier *tier);

struct case_file;
struct validation; /* validation.h */

/* A call that is made before each case of a test. */
typedef enum case_after {
    AFTER_SAME,  /* the same call */
    AFTER_DATA,  /* the same descriptor with other data, where the fill is `bits` */
    AFTER_OTHER, /* the next case of the test, with the same data */
    AFTER_CLASS  /* the next case with another value of the last scalar axis, with the same vectors if possible */
} case_after;
#define CASE_MAX_AFTER 8

/* Axes and their bindings, which several tests have in common. The case file holds the axes in the spaces. */
typedef struct case_family {
    case_bindings bind;
    int index_slot; /* the slot of `i` in data expressions: the one behind the axes */
} case_family;

typedef struct case_draw case_draw;

#define CASE_TIERS 3

/* One test: a named space. */
typedef struct case_test {
    const struct case_file *file;
    const case_family *family;
    char *name;  /* "exhaustive" */
    char *title; /* one line */
    case_tier tier;
    case_kind kind;
    unsigned strength; /* of a covering test, else 0 */
    bool covered;      /* its rows have been made */
    bool sparse;       /* few elements that are gigabytes apart: sparse.h */
    bool vast;         /* many elements at one address, too many to be packed */
    bool asked;        /* the backend is only asked whether it accepts the descriptors: nothing is executed */
    bool fresh;        /* each case is the first one that a process executes */
    bool in_place;     /* the output is in the memory of the input: ts_operator::in_place */
    case_after after[CASE_MAX_AFTER];
    unsigned after_count;
    ts_level from;         /* the lowest feature level to judge at, if that is higher than its descriptors need */
    char *clause;          /* of CASE_INVALID: the clause that every case breaks, and no other; else NULL */
    char *inside;          /* of CASE_VALID: the clauses, with blanks between them, whose limits its cases reach without
                              breaking them; or NULL */
    case_bindings *change; /* of CASE_INVALID; else NULL */
    space *space;
    struct case_facts *facts;   /* what queries can read of its cases: casefile_facts.h */
    case_draw *draw;            /* of a drawn test, else NULL */
    bool preceded;              /* a drawn test, and its axes `before` and `times` name the calls before each case */
    uint64_t draws[CASE_TIERS]; /* of a drawn test: its cases per tier */
} case_test;

typedef struct case_file {
    const ts_operator *op;
    char *path;
    size_t family_count;
    case_family *families;
    struct sandbox *box; /* of the functions of drawn tests; NULL: there are none */
    size_t test_count;
    case_test *tests;
    size_t example_count;
    case_example *examples;
    struct validation *validation; /* of an operator that reference/checked/ declares; else NULL */
} case_file;

/* Are further calls made before each case of the test? */
static inline bool case_is_preceded(const case_test *t)
{
    return t->after_count > 0 || t->preceded;
}

/* Are the test's cases for a backend that says this of itself? */
static inline bool case_suits(const case_test *t, const ts_info *info)
{
    return (!t->sparse || info->sparse) && (!t->vast || !info->packs) && (!t->in_place || info->in_place);
}

/* Load one file. NULL on error; the message has file, line and what was expected. Several threads may load files at
   once if these are trusted. */
case_file *casefile_load(const char *path, error *e);

/* The same of a file that may be a family of operators: its cases of operator `op`. An error if it is another's. */
case_file *casefile_load_of(const char *path, const ts_operator *op, error *e);

/* Are case files those of the installation? Others are first run in a copy of the process (sandbox_trial). */
bool casefile_is_trusted(void);
void casefile_free(case_file *f);

/* Find the case file of an operator: under $TOUCHSTONE_CASES, in the installation, or in the source tree of the build.
 */
bool casefile_path(const ts_operator *op, char *buf, size_t size, error *e);

/* The path of another file in the folder of the case files. The file need not exist. */
bool casefile_beside(const char *name, char *buf, size_t size, error *e);

/* Set how many cases a drawn test has, and the seed that they are drawn with. */
void casefile_set_draws(case_test *t, uint64_t cases, uint64_t seed);

/* What a case is: the title of its test. The title of a drawn test need not describe a case that is named by its
   values, because the shrunk form of a case has an id of this test as well: then the line says so. Returns buf;
   CASE_TITLE_SIZE bytes are enough for most titles. */
#define CASE_TITLE_SIZE 512
const char *casefile_title(const case_test *t, uint64_t index, char *buf, size_t size);

/* Make the rows of a covering test, unless they are made. Other tests need no preparation. */
bool casefile_prepare(case_test *t, error *e);

#endif
