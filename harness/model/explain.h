/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explanations: how the rules determine the elements of one descriptor, in numbered steps with the numbers of the case.
 * An operator's `explain` records them here; reports/ prints them.
 */
#ifndef TOUCHSTONE_EXPLAIN_H
#define TOUCHSTONE_EXPLAIN_H

#include "harness/model/operator.h"

/* ---- for the reference files ------------------------------------------------------------------------------- */

#define EXPLAIN_CHOICES 4 /* origins of one element that are kept */

/* An element that an output element may come from, and the index that says so: explain_element's `from` and `via`. */
typedef struct explain_choice {
    int from, via;
    uint64_t from_coord[TS_MAX_DIMS], via_coord[TS_MAX_DIMS];
} explain_choice;

/* Where one output element comes from. Tensors are declared indices, -1 for none. */
typedef struct explain_element {
    int to, from;  /* the element of `to` is that of `from`, bit for bit */
    int via;       /* the tensor whose value selected it, */
    bool by_tuple; /* or whose values did: the tuple along its last dimension that begins at via_coord */
    uint64_t to_coord[TS_MAX_DIMS], from_coord[TS_MAX_DIMS], via_coord[TS_MAX_DIMS];
    uint64_t to_offset;                     /* of the output element in its buffer, in elements */
    bool outside;                           /* from_coord is outside of `from`: the descriptor is invalid */
    bool undefined;                         /* the specification defines no value */
    bool several;                           /* it allows several values, which the operator's `answers` names */
    uint64_t choices;                       /* elements that explain_choose named; the last of them is `from` */
    explain_choice choice[EXPLAIN_CHOICES]; /* the first of them */
    bool addresses;                         /* print the offsets of the elements in the buffers, too */
    bool has_bits;                          /* the element is computed, not copied: */
    uint64_t bits;
    char source[96]; /* instead of, or behind, the coordinates: "word 3 of block 0" */
} explain_element;

/* Begin a step with a heading and its clauses ("SL-05 SL-06", the main one first; may be ""). */
void explain_step(ts_explanation *x, const char *clauses, const char *format, ...) TS_PRINTF(3, 4);

/* Add a paragraph, which the printer wraps. */
void explain_say(ts_explanation *x, const char *format, ...) TS_PRINTF(2, 3);

/* Add a line of a table, a formula or a list, which the printer leaves as it is. */
void explain_show(ts_explanation *x, const char *format, ...) TS_PRINTF(2, 3);

/* Fill in where the element e->to_coord of tensor e->to comes from. False if that is unknown; then the list ends. */
typedef bool explain_source(const void *context, explain_element *e);

/* Add the elements of an output in row-major order: all, or the first ones and the last if there are more than the
   reader wants. */
void explain_elements(ts_explanation *x, const ts_descriptor *d, int to, explain_source *source, const void *context);

/* Name an element that e->to_coord may come from, and the element of `via` that selected it (-1: none), in its place or
   beside those named before. */
void explain_choose(explain_element *e, int from, const uint64_t *from_coord, int via, const uint64_t *via_coord);

/* A list as text, for an argument of the functions above: explain_list(t->sizes, t->rank).text is "{1,2,3}". */
typedef struct explain_words {
    char text[400];
} explain_words;
explain_words explain_list(const uint64_t *values, uint32_t count);
explain_words explain_signed_list(const int64_t *values, uint32_t count);

/* Append to a text of the given size, truncating it. */
void explain_append(char *text, size_t room, const char *format, ...) TS_PRINTF(3, 4);

/* ---- for the engine ---------------------------------------------------------------------------------------- */

typedef enum explain_kind { EXPLAIN_STEP, EXPLAIN_SAY, EXPLAIN_SHOW, EXPLAIN_ELEMENT, EXPLAIN_GAP } explain_kind;

typedef struct explain_item {
    explain_kind kind;
    const char *clauses;      /* EXPLAIN_STEP */
    char *text;               /* EXPLAIN_STEP, EXPLAIN_SAY, EXPLAIN_SHOW */
    explain_element *element; /* EXPLAIN_ELEMENT */
    uint64_t left_out;        /* EXPLAIN_GAP: how many elements are left out */
} explain_item;

struct ts_explanation {
    uint64_t most;        /* the most elements of one output */
    const uint64_t *only; /* the coordinate of the only element, and nothing else, that is recorded; NULL: all */
    int only_of;          /* its output */
    size_t count, room;
    explain_item *items;
    bool failed; /* memory was out: the explanation is incomplete */
};

void explain_begin(ts_explanation *x, uint64_t most_elements);
void explain_end(ts_explanation *x);

/* Where the element at coord[TS_MAX_DIMS] of output `to` comes from, by the operator's `explain`. False if it does not
   say, or memory is out. */
bool explain_one_element(const ts_descriptor *d, int to, const uint64_t *coord, explain_element *e);

#endif
