/* SPDX-License-Identifier: Apache-2.0 */
/* What the generator's files about expressions share. A generated expression keeps its operands in variables a1 and b1
   and its value in r1, where 1 is the expression's serial number. */
#ifndef TOUCHSTONE_EXPRESSIONS_H
#define TOUCHSTONE_EXPRESSIONS_H

#include "audit/mutate/generate.h"

/* Is the expression a constant as the source writes it (macros that expand to one included, enumerators not)? */
bool expression_is_literal(const ast_node *n);
uint64_t expression_literal(const ast_node *n);
bool expression_is_zero(const ast_node *n);

/* The width of an expression's integer type in bits and its signedness; 0 if the type is not an integer. */
unsigned expression_bits(const ast_node *n, bool *is_signed);

/* The offset in the file of the operator of a binary expression. */
size_t expression_operator(const generator *g, const ast_node *n);

/* Write "SCHEMATA_VALUE(m, r7, a7 + b7);", the statement that makes mutant m. In `alternative`, @ is replaced by the
   serial number. */
void expression_write_value(uint32_t m, unsigned serial, const char *alternative, FILE *out);

/* Write an operator with its mutants (operators.c). False if the node has none: then nothing was written. */
bool mutate_operator(generator *g, const ast_node *n, FILE *out);

#endif
