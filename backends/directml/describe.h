/* SPDX-License-Identifier: Apache-2.0 */
/* Convert a call of the suite to a DML_OPERATOR_DESC, unchanged, including illegal values and null pointers. */
#ifndef TOUCHSTONE_DIRECTML_DESCRIBE_H
#define TOUCHSTONE_DIRECTML_DESCRIBE_H

#include "backends/backend.h"
#include "backends/directml/directml_api.h"

#include <stdbool.h>

#define DESCRIBE_TENSORS 3 /* maximum per operator */

/* One of the four operators. */
typedef struct describe_operator {
    const char *name;      /* "dml.slice1" */
    uint32_t type;         /* DML_OPERATOR_TYPE */
    uint32_t tensor_count; /* inputs first, then outputs */
    uint32_t input_count;
    uint32_t attrs_size; /* size of the suite's structure */
    uint32_t numbers;    /* a bit for each attribute that is a plain field and cannot be absent */
} describe_operator;

/* Memory for one descriptor. `desc` points into it, so do not move it. */
typedef struct describe_room {
    DML_OPERATOR_DESC desc;
    union {
        DML_ELEMENT_WISE_IDENTITY_OPERATOR_DESC identity;
        DML_GATHER_OPERATOR_DESC gather;
        DML_SLICE1_OPERATOR_DESC slice1;
        DML_RANDOM_GENERATOR_OPERATOR_DESC random_generator;
    } op;
    DML_TENSOR_DESC tensors[DESCRIBE_TENSORS];
    DML_BUFFER_TENSOR_DESC buffers[DESCRIBE_TENSORS];
    uint32_t sizes[DESCRIBE_TENSORS][TS_MAX_DIMS], strides[DESCRIBE_TENSORS][TS_MAX_DIMS];
} describe_room;

/* Find an operator by name; NULL if there is none. */
const describe_operator *describe_find(const char *name);

/* Convert the call. TS_UNSUPPORTED if a size or a stride does not fit into 32 bits, or if a number is missing that
   cannot be absent; TS_ERROR if the call is not of this operator. */
ts_status describe_call(const describe_operator *op, const ts_call *call, describe_room *room);

#endif
