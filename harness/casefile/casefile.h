/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Case files: cases/dml/slice1.lua and its kin. Lua describes axes, bindings and tests once; nothing here runs per
 * case. docs/cases.md describes the language.
 */
#ifndef TOUCHSTONE_CASEFILE_H
#define TOUCHSTONE_CASEFILE_H

#include "harness/base/error.h"
#include "harness/model/operator.h"
#include "harness/space/space.h"

#include <jansson.h>

/* How the axes become one tensor. An expression that is NULL takes its default. */
typedef struct case_tensor {
    bool bound;      /* false: an output that follows from shape, or an absent optional tensor */
    expr *present;   /* truth value or integer; default: present */
    expr *dtype;     /* default: the first tensor's */
    expr *sizes;     /* vector; default for an output: what `shape` says */
    expr *rank;      /* pads sizes with leading ones up to this many; default: as many as sizes has */
    expr *layout;    /* default: packed */
    expr *strides;   /* vector, instead of a layout */
    expr *extra;     /* bytes beyond the smallest legal TotalTensorSizeInBytes; default 0 */
    expr *alignment; /* GuaranteedBaseOffsetAlignment; default 0 */
    expr *fill;      /* default: injective */
    expr *data;      /* instead of a fill: integer for the element `i` (logical, row-major, from 0) */
    /* Only in the change of an invalid test: */
    expr *dims;  /* DimensionCount as stated, whatever Sizes has */
    expr *bytes; /* TotalTensorSizeInBytes as stated */
    expr *flags; /* DML_TENSOR_FLAGS */
    expr *null;  /* TS_GIVEN_* bits that are null pointers */
} case_tensor;

/* How the axes become one attribute. */
typedef struct case_attr {
    expr *value;   /* integer or vector; NULL: absent */
    expr *present; /* default: present */
    expr *count;   /* of a vector: how many values are stated; what is beyond them is cut off */
    expr *rest;    /* what a count larger than the vector is filled up with; default 0 */
} case_attr;

/* How the axes become a descriptor; or, of an invalid test, the one change that makes a legal one illegal. */
typedef struct case_bindings {
    case_tensor tensors[TS_MAX_TENSORS];
    case_attr attrs[TS_MAX_ATTRS];
} case_bindings;

/* What is expected of the cases of a test. */
typedef enum case_kind {
    CASE_VALID,    /* legal descriptors: executed and compared */
    CASE_EXAMPLES, /* descriptors written out: each legal, illegal or ambiguous as it says */
    CASE_INVALID,  /* legal descriptors with one change that breaks one clause: to be refused */
    CASE_BEYOND    /* descriptors that need a higher feature level than the backend is judged at: to be refused */
} case_kind;

/* A descriptor written out in full: a page's own example. */
typedef struct case_example {
    char *name;
    char *note;      /* or NULL */
    char *invalid;   /* the clause that it breaks, or NULL */
    char *ambiguous; /* the ledger's entry, or NULL: run, never judged */
    ts_descriptor descriptor;
    json_t *data[TS_MAX_TENSORS]; /* values of inputs and expected values of outputs, or NULL */
} case_example;

/* The tiers, each contained in the next. */
typedef enum case_tier { TIER_QUICK, TIER_FULL, TIER_EXHAUSTIVE } case_tier;
const char *case_tier_name(case_tier t);

/* The tier of a name ("quick"). False, and *tier unchanged, where there is none. */
bool case_tier_named(const char *name, case_tier *tier);

struct case_file;

/* A call before each case of a test. */
typedef enum case_after {
    AFTER_SAME,  /* the same call */
    AFTER_DATA,  /* the same descriptor with other data, where the fill is `bits` */
    AFTER_OTHER, /* the next case of the test, with the same data */
    AFTER_CLASS  /* the same, of those whose last scalar axis has another value; its vectors are alike where they may be
                  */
} case_after;
#define CASE_MAX_AFTER 8

/* One test: a named space. */
typedef struct case_test {
    const struct case_file *file;
    char *name;  /* "exhaustive" */
    char *title; /* one line */
    case_tier tier;
    case_kind kind;
    unsigned strength; /* of a covering test, else 0 */
    bool covered;      /* its rows are made */
    bool sparse;       /* few elements, gigabytes apart: sparse.h */
    bool vast;         /* many elements at one address, which packed would fill all memory */
    case_after after[CASE_MAX_AFTER];
    unsigned after_count;
    ts_level from;         /* judged from this feature level on, where that is higher than what its descriptors need */
    char *clause;          /* of CASE_INVALID: the clause that every case breaks, and no other; else NULL */
    case_bindings *change; /* of CASE_INVALID; else NULL */
    space *space;
} case_test;

typedef struct case_file {
    const ts_operator *op;
    char *path;
    case_bindings bind;
    int index_slot; /* of `i` in the scope of data expressions: the slot behind the axes */
    size_t test_count;
    case_test *tests;
    size_t example_count;
    case_example *examples;
} case_file;

/* Load one file; it must declare the operator whose file it is. NULL on error: file, line and what was expected. */
case_file *casefile_load(const char *path, error *e);
void casefile_free(case_file *f);

/* The case file of an operator: under $TOUCHSTONE_CASES, where the program is installed, or in the source tree that
   it was built from. */
bool casefile_path(const ts_operator *op, char *buf, size_t size, error *e);

/* The path of another file in the folder of the case files, which need not exist. */
bool casefile_beside(const char *name, char *buf, size_t size, error *e);

/* Make the rows of a covering test, once. Others are ready as loaded. */
bool casefile_prepare(case_test *t, error *e);

#endif
