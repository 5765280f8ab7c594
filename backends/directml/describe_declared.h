/* SPDX-License-Identifier: Apache-2.0 */
/* Convert a call of an operator that reference/checked/ declares to a DML_OPERATOR_DESC by its declaration. */
#ifndef TOUCHSTONE_DIRECTML_DESCRIBE_DECLARED_H
#define TOUCHSTONE_DIRECTML_DESCRIBE_DECLARED_H

#include "backends/directml/describe.h"
#include "harness/model/operator.h"

#define DECLARED_BYTES  192 /* of the largest structure */
#define DECLARED_NESTED 6   /* operators in a list of activations */

typedef union declared_structure {
    unsigned char bytes[DECLARED_BYTES];
    const void *align;
} declared_structure;

/* Memory for one descriptor. `desc` points into it and into the call, so do not move it. */
typedef struct declared_room {
    DML_OPERATOR_DESC desc;
    declared_structure op;
    describe_tensors tensors;
    DML_OPERATOR_DESC nested[DECLARED_NESTED]; /* of one field */
    declared_structure nested_op[DECLARED_NESTED];
    ts_descriptor inner[DECLARED_NESTED]; /* whose attributes nested_op points to */
} declared_room;

/* The operator of a call, if it is such a one; else NULL. Only one that is computed can be executed: of the others, the
   suite has no data. */
const ts_operator *declared_operator(const ts_call *call);

/* How many of its tensors are inputs: those before the outputs. */
uint32_t declared_inputs(const ts_operator *op);

/* Convert the call. TS_UNSUPPORTED if there is no such operator, a size or a stride does not fit into 32 bits, a number
   is missing that cannot be absent, or a nested operator is none that is declared. */
ts_status declared_call(const ts_call *call, declared_room *room);

#endif
