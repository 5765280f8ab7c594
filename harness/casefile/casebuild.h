/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Build the descriptor of a point of a space, without allocation and without Lua: evaluate the bindings of the case
 * file that may have changed since the point before.
 */
#ifndef TOUCHSTONE_CASEBUILD_H
#define TOUCHSTONE_CASEBUILD_H

#include "harness/casefile/casefile.h"
#include "harness/model/fill.h"

/* What an expression of a case file does that has no value, in messages. */
#define CASEBUILD_UNDEFINED "divides by zero or reads an element that its vector does not have"

/* One case without data. */
typedef struct case_instance {
    ts_descriptor descriptor;
    uint64_t index;
    uint64_t key;                 /* for FILL_BITS: a function of the test's name and the index, or the drawn values */
    uint64_t placement;           /* its lowest bits decide where buffers lie: the index, or of drawn values a hash */
    fill fills[TS_MAX_TENSORS];   /* of inputs */
    int8_t bases[TS_MAX_TENSORS]; /* bytes behind a multiple of ARENA_LINE where a buffer begins; -1: anywhere */
    const case_example *example;  /* of CASE_EXAMPLES, else NULL */
    bool asked;                   /* legal, and not executed: the backend only has to accept the descriptor */
    const char *invalid;          /* the clause it breaks on purpose, or NULL */
    const char *ambiguous;        /* the ledger entry, or NULL */
    bool computed;                /* it breaks a clause, and is executed: the caller's, by case_computes_open */
} case_instance;

/* Is it an example that the page prints with its results, in the data type that it is printed with? */
static inline bool case_is_printed(const case_instance *c)
{
    return c->example && c->example->printed &&
           c->example->descriptor.tensors[0].dtype == c->descriptor.tensors[0].dtype;
}

/* Is the case legal, and of a data type whose results are not judged (ts_operator.unjudged)? */
static inline bool case_is_unjudged(const case_instance *c)
{
    return !c->invalid && !operator_judges(c->descriptor.op, c->descriptor.tensors[0].dtype) && !case_is_printed(c);
}

/* Does the case break a clause on purpose, and by a limit of Touchstone alone (operator_is_limit), such as data of nine
   dimensions? An implementation may have a wider one. */
bool case_exceeds_limit(const case_instance *c);

/* Does the case break a clause on purpose that binds nobody, or that a page breaks in its own example, or a limit of
   Touchstone? */
static inline bool case_breaks_open(const case_instance *c)
{
    const ts_clause *clause = c->invalid ? operator_clause(c->descriptor.op, c->invalid) : NULL;
    return clause && (!operator_binds(clause) || c->ambiguous || case_exceeds_limit(c));
}

#define CASE_OPEN_ELEMENTS (UINT64_C(1) << 20) /* at most, and bytes, of a tensor of such a case that is executed */

/* Does the reference compute what such a case means: do all clauses that its descriptor breaks say so
   (ts_clause.computes)? Not in a data type whose results are not judged, nor for tensors that are too large to be
   filled for an observation alone. */
bool case_computes_open(const case_instance *c);

/* Does the specification leave the case open: its outputs, by an entry of the ledger or for its data type, or whether
   its descriptor is legal? */
static inline bool case_is_open(const case_instance *c)
{
    return c->ambiguous || case_is_unjudged(c) || case_breaks_open(c);
}

#define CASEBUILD_DATA_VALUES 64 /* of a tensor, that are kept for the next case */

#define CASEBUILD_IMAGE_BYTES 256 /* of a tensor, that are kept as a whole */

/* The values of bound data, as they were evaluated last, and the tensor that was filled with them. */
typedef struct casebuild_data {
    uint64_t uses;  /* the axes that the binding reads */
    uint64_t count; /* of values; 0: none */
    bool stale;     /* an axis that it reads may have changed since */
    int64_t values[CASEBUILD_DATA_VALUES];
    uint64_t image_uses; /* the axes that the tensor and its contents depend on */
    uint64_t image_size; /* bytes; 0: no image */
    bool image_stale;
    unsigned char image[CASEBUILD_IMAGE_BYTES]; /* the tensor's memory, gaps included */
} casebuild_data;

/* What the size of a tensor in bytes follows from, for a case that differs in data types alone. */
typedef struct casebuild_laid {
    uint64_t uses;  /* the axes that sizes, strides, extra bytes and alignment depend on: layout_uses without types */
    uint64_t extra; /* bytes */
    uint64_t span;  /* elements; 0: not computed yet, or none */
    bool by_type;   /* the strides depend on the type, too */
} casebuild_laid;

typedef struct casebuild {
    const case_test *test;
    uint32_t profile;
    ts_level level; /* the feature level of the cases */
    uint64_t name_hash;
    fill_cache *cache; /* borrowed; may be NULL */
    struct {
        int length;       /* the slot of a vector with the length of the binding's value; -1 if it reads no vector */
        int slot;         /* the axis that is the whole binding; -1 if it is an expression */
        bool elementwise; /* of sizes: each element depends on the same elements of vectors alone */
        uint64_t uses;    /* slots that it reads */
    } sizes[TS_MAX_TENSORS], attrs[TS_MAX_ATTRS];
    uint8_t order[TS_MAX_ATTRS];          /* of the attributes: the one that is bound first, ... (case_attr_nth) */
    uint64_t layout_uses[TS_MAX_TENSORS]; /* the axes that strides and size in bytes depend on, if sizes are bound */
    uint64_t type_uses;                   /* the axes that data types depend on */
    uint64_t present_uses;                /* the axes that decide which tensors are present */
    uint64_t afresh_uses;                 /* the axes whose change requires a full rebuild */
    uint64_t other_uses;                  /* the axes that anything but a data type depends on */
    uint64_t scalar_slots;                /* the scalar axes */
    uint64_t checked_point;               /* of CASE_CHECKED: 1 + the point that `now` has the descriptor of; 0: none */
    casebuild_laid laid[TS_MAX_TENSORS];
    casebuild_data data[TS_MAX_TENSORS];
    case_instance now;
    expr_value *values; /* the cursor's, at the point of `now`; the slot behind the axes is `i` */
} casebuild;

/* What is known of a class of points (scalar axes set, vectors not) before it is enumerated. */
typedef struct case_class {
    ts_descriptor shape; /* dtypes and ranks; no sizes, no attributes */
    ts_level level;      /* lowest level that accepts it; 0: none, or no levels */
    bool has_level;      /* false: no row of the support table accepts it */
    const char *breaks;  /* the clause that its cases break on purpose, or NULL; lives as long as the case file */
} case_class;

void casebuild_init(casebuild *b, const case_test *t, uint32_t profile, ts_level level, fill_cache *cache);

/* The class of a point whose scalar values are set. False if a binding fails, such as by dividing by zero. */
bool casebuild_class(casebuild *b, const expr_value *values, case_class *c);

/* Build the case of the cursor's point into b->now. False with a message that names the binding and the case. */
bool casebuild_case(casebuild *b, space_cursor *cursor, error *e);

/* Fill input tensor t of b->now at its `data` (examples' and bound values included), before the cursor moves on. */
bool casebuild_fill(casebuild *b, unsigned t, error *e);

/* Fill all inputs of the case, as a run does, into the memory of `d`, which is the same descriptor; inputs whose `data`
   is NULL are skipped. */
bool casebuild_fill_inputs(casebuild *b, const ts_descriptor *d, error *e);

#endif
