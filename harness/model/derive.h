/* SPDX-License-Identifier: Apache-2.0 */
/* How the outputs of an operator that computes them come about, for findings. Never changes a verdict. A file
   reference/SPECIFICATION/OPERATOR_mistakes.c defines it; an operator that copies elements has none. */
#ifndef TOUCHSTONE_DERIVE_H
#define TOUCHSTONE_DERIVE_H

#include "harness/model/operator.h"

/* A plausible mistake of an implementation. */
typedef struct ts_mistake {
    const char *text;                    /* follows "as if": "Philox had 9 rounds" */
    void (*run)(const ts_descriptor *d); /* computes all outputs, as ts_operator.run does, with the mistake */
} ts_mistake;

typedef struct ts_derivation {
    /* Write in a sentence or two how the rules determine the element at `coord` of output `tensor`, and what the bits
       there in `actual` are, where they are known to be something. `expected` has the reference's outputs and `actual`,
       otherwise the same, the backend's. */
    void (*describe)(const ts_descriptor *expected, const ts_descriptor *actual, unsigned tensor, const uint64_t *coord,
                     char *buf, size_t size);
    unsigned mistake_count;
    const ts_mistake *mistakes;
} ts_derivation;

#endif
