/* SPDX-License-Identifier: Apache-2.0 */
/* What a failing verdict rests on: a clause that binds, or the contract in backends/backend.h. */
#ifndef TOUCHSTONE_FINDING_GROUND_H
#define TOUCHSTONE_FINDING_GROUND_H

#include "harness/execute/execute_item.h"

/* What is known of a wrong element. */
typedef struct ground_element {
    bool same_origin;    /* it is a copy of the right element, with other bits */
    bool negative_index; /* a negative index selects the element that it should be */
} ground_element;

/* The clause that a failing case violates: of a mismatch, the one that determines the element, its bits or the shape; of
   a refusal, the one by which the call must be accepted; of an accepted illegal descriptor, the one it breaks; else a
   clause about buffers, or of the contract. e: NULL: nothing is known. NULL only where the operator declares none. */
const ts_clause *finding_ground(const execute_item *item, const judgement *j, verdict v, const ground_element *e);

/* Write the clauses that make every descriptor of the operator legal that breaks none of them, in ranges: "SL-01 to
   SL-08, BUF-01 to BUF-06". Those that do not bind are left out. */
void finding_ground_list(const ts_operator *op, char *buf, size_t size);

#endif
