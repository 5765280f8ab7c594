/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators of which each output element follows from the elements of the inputs at its coordinates. The formula is
 * all that an operator states; the loop, the elements that have several answers or none, the explanation and the
 * derivation in findings follow from it (checked_each.c).
 */
#ifndef TOUCHSTONE_EACH_H
#define TOUCHSTONE_EACH_H

#include "reference/checked/checked.h"

#define EACH_INPUTS 4 /* at most */

/* The elements at one coordinate: their bits, zero-extended, in the order of the inputs. */
struct each {
    uint32_t dtype; /* of the case (operator_typed), */
    unsigned width; /* and its bits */
    uint64_t in[EACH_INPUTS];
};

/* The bits of two elements as numbers of the data type: is the first one less, equal or greater? EACH_UNORDERED where
   one of them is a NaN. Both zeros are equal. */
enum { EACH_LESS = 1, EACH_EQUAL = 2, EACH_GREATER = 4, EACH_UNORDERED = 8 };
int each_order(const each *e, uint64_t a, uint64_t b);

/* ts_operator.run and .answers of such an operator, and its derivation (operators_derivation). */
void each_run(const ts_descriptor *d, ts_unspecified *unspecified);
void each_answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *answers);
extern const struct ts_derivation each_derivation;

/* The only output, which is the last tensor. */
static inline unsigned each_output(const ts_operator *op)
{
    return op->tensor_count - 1;
}

/* The bits of an element, zero-extended; store as many of the lowest bits as the tensor's type has. */
uint64_t each_bits(const ts_tensor *t, const uint64_t *coord);
void each_store(const ts_tensor *t, const uint64_t *coord, uint64_t bits);

/* The elements of the inputs at a coordinate; what the operator makes of them; and how many answers that has. */
each each_at(const ts_descriptor *d, const uint64_t *coord);
uint64_t each_element(const ts_operator *op, const each *e);
ts_open each_open(const ts_operator *op, const each *e);

/* ts_interpretation.run: all output elements by another formula. */
void each_run_as(const ts_descriptor *d, each_formula *formula);

/* Define a formula over the elements A, B and C of the first three inputs, and what else `e` says. Its value is the
   output's element: as many of the lowest bits as its type has. */
#define A e->in[0]
#define B e->in[1]
#define C e->in[2]
#define EACH(name, formula)                                                                                            \
    static uint64_t name(const each *e)                                                                                \
    {                                                                                                                  \
        return formula;                                                                                                \
    }

/* Another formula by which an implementation may compute what the page leaves undefined: NAME_run is its run. */
#define EACH_OTHERWISE(name, formula)                                                                                  \
    EACH(name, formula)                                                                                                \
    static void name##_run(const ts_descriptor *d)                                                                     \
    {                                                                                                                  \
        each_run_as(d, name);                                                                                          \
    }

/* What stands behind the rules of such an operator: its formula, the clause that states it, and the clause about the
   sizes of its output. EACH_EXACT where the bits of the inputs alone count; EACH_COMPARES where numbers are compared, and
   FLOAT32 denormals may be taken as zeros; EACH_WITHIN where the output's element is undefined if the formula `open` is
   not 0, which the ledger's entry is about. */
#define EACH_EXACT(formula, clause, sizes)    EACH_COMPUTES(clause, sizes), .semantics = { .element = formula }
#define EACH_COMPARES(formula, clause, sizes)                                                                          \
    EACH_COMPUTES(clause, sizes), .op.answers = each_answers, .op.accepts_several = clause,                            \
        .semantics = { .element = formula, .flushes = true }
#define EACH_WITHIN(formula, open_, entry, clause, sizes)                                                              \
    EACH_COMPUTES(clause, sizes), .op.undefined = entry, .semantics = { .element = formula, .open = open_ }
#define EACH_COMPUTES(clause, sizes)                                                                                   \
    .op.run = each_run, .op.run_clause = clause, .op.shape_clause = sizes, .op.write_clause = "BUF-19",                \
    .op.read_clause = "BUF-16"
/* The page lets the output be in the memory of the first input. */
#define EACH_IN_PLACE .op.in_place = true

#endif
