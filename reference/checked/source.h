/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operators that move elements: each element of the output is one of the input, bit for bit. Which one is all that an
 * operator states; the loop and the explanation follow from it (checked_source.c), and so does what findings say.
 */
#ifndef TOUCHSTONE_SOURCE_H
#define TOUCHSTONE_SOURCE_H

#include "reference/checked/checked.h"

/* The input is the first tensor, and the output the last one. */
enum { SOURCE_INPUT };
static inline unsigned source_output(const ts_operator *op)
{
    return op->tensor_count - 1;
}

/* ts_operator.run of such an operator. */
void source_run(const ts_descriptor *d, ts_unspecified *unspecified);

/* What stands behind the rules of such an operator: its source_rule, the clause that states it, that of the bits, and
   that of the output's sizes. */
#define SOURCE_COPIES(rule, clause, bits, sizes)                                                                       \
    .op.run = source_run, .op.run_clause = clause, .op.copy_clause = bits, .op.shape_clause = sizes,                   \
    .op.write_clause = "BUF-19", .op.read_clause = "BUF-16", .source = rule

#endif
