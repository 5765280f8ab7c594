/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Explanations: how the rules turn one descriptor into its elements, told in numbered steps with the numbers of the
 * case. An operator's `explain` writes them here; how they look is decided where they are printed.
 */
#ifndef TOUCHSTONE_EXPLAIN_H
#define TOUCHSTONE_EXPLAIN_H

#include "harness/model/operator.h"

/* ---- for the reference files ------------------------------------------------------------------------------- */

/* Where one output element comes from. Tensors are declared indices, -1 for none. */
typedef struct explain_element {
    int to, from; /* the element of `to` is that of `from`, bit for bit */
    int via;      /* the tensor whose value chose it */
    uint64_t to_coord[TS_MAX_DIMS], from_coord[TS_MAX_DIMS], via_coord[TS_MAX_DIMS];
    bool outside;   /* from_coord is none of `from`: the descriptor is invalid */
    bool undefined; /* the text defines no value */
    bool addresses; /* say at which elements of the buffers they lie */
    bool has_bits;  /* the element is computed, not copied: */
    uint64_t bits;
    char source[96]; /* instead of, or behind, the coordinates: "word 3 of block 0" */
} explain_element;

/* Begin a step under these clauses ("SL-05 SL-06"; the first is the one it is about), with a heading. Clauses may
   be "". */
void explain_step(ts_explanation *x, const char *clauses, const char *format, ...) TS_PRINTF(3, 4);

/* A paragraph, wrapped where it is printed. */
void explain_say(ts_explanation *x, const char *format, ...) TS_PRINTF(2, 3);

/* A line of a table, a formula or a list: its spaces are kept. */
void explain_show(ts_explanation *x, const char *format, ...) TS_PRINTF(2, 3);

/* Fill in where the element e->to_coord of tensor e->to comes from. False: it cannot be told, and no more is. */
typedef bool explain_source(const void *context, explain_element *e);

/* Tell the elements of an output, in row-major order: all, or the first ones and the last where there are more than
   the reader wants. */
void explain_elements(ts_explanation *x, const ts_descriptor *d, int to, explain_source *source, const void *context);

/* A list as text, for an argument of the functions above: explain_list(t->sizes, t->rank).text is "{1,2,3}". */
typedef struct explain_words {
    char text[400];
} explain_words;
explain_words explain_list(const uint64_t *values, uint32_t count);
explain_words explain_signed_list(const int64_t *values, uint32_t count);

/* Append to a text of the given room; what does not fit is cut off. */
void explain_append(char *text, size_t room, const char *format, ...) TS_PRINTF(3, 4);

/* ---- for everybody else ------------------------------------------------------------------------------------ */

typedef enum explain_kind { EXPLAIN_STEP, EXPLAIN_SAY, EXPLAIN_SHOW, EXPLAIN_ELEMENT, EXPLAIN_GAP } explain_kind;

typedef struct explain_item {
    explain_kind kind;
    const char *clauses;      /* EXPLAIN_STEP */
    char *text;               /* EXPLAIN_STEP, EXPLAIN_SAY, EXPLAIN_SHOW */
    explain_element *element; /* EXPLAIN_ELEMENT */
    uint64_t left_out;        /* EXPLAIN_GAP: elements not told here */
} explain_item;

struct ts_explanation {
    uint64_t most; /* elements told of one output */
    size_t count, room;
    explain_item *items;
    bool failed; /* memory was out: what is here is not all */
};

void explain_begin(ts_explanation *x, uint64_t most_elements);
void explain_end(ts_explanation *x);

#endif
