/* SPDX-License-Identifier: Apache-2.0 */
/* Convert a call of the suite to a DML_OPERATOR_DESC, unchanged, including illegal values and null pointers. An
   operator is one row of describe_rows.c. */
#ifndef TOUCHSTONE_DIRECTML_DESCRIBE_H
#define TOUCHSTONE_DIRECTML_DESCRIBE_H

#include "backends/backend.h"
#include "backends/directml/directml_api.h"

#include <stdbool.h>
#include <stddef.h>

#define DESCRIBE_TENSORS 18 /* maximum per operator */
#define DESCRIBE_LISTED  16 /* tensors of a list: TS_MAX_LISTED */
#define DESCRIBE_BYTES   48 /* of the largest structure */

/* What a field of a descriptor's structure holds. */
typedef enum describe_kind {
    DESCRIBE_INPUT,   /* a pointer to the next tensor's descriptor */
    DESCRIBE_OUTPUT,  /* likewise */
    DESCRIBE_NUMBER,  /* the next attribute, of 32 bits, which cannot be absent */
    DESCRIBE_COUNT,   /* likewise; it counts arrays and has its value in any case */
    DESCRIBE_ARRAY,   /* a pointer to the next attribute's values; null where the attribute is absent */
    DESCRIBE_INPUTS,  /* a pointer to an array of the descriptors of the next DESCRIBE_LISTED tensors; the number before
                         it counts them */
    DESCRIBE_OUTPUTS, /* likewise */
    DESCRIBE_NULL     /* a pointer that no call of the suite states */
} describe_kind;

typedef struct describe_field {
    describe_kind kind;
    uint32_t to, to_size;     /* offset and bytes in the structure of DirectML, */
    uint32_t from, from_size; /* and in that of the suite's attributes; 0: it is no attribute */
} describe_field;

typedef struct describe_operator {
    const char *name;      /* "dml.slice1" */
    uint32_t type;         /* DML_OPERATOR_TYPE */
    uint32_t tensor_count; /* inputs first, then outputs */
    uint32_t input_count;
    uint32_t desc_size;  /* of DirectML's structure */
    uint32_t attrs_size; /* of the suite's */
    uint32_t field_count;
    const describe_field *fields; /* in the structure's order, which is that of the tensors and of the attributes */
} describe_operator;

/* The rows. */
extern const describe_operator describe_operators[];
extern const size_t describe_operator_count;

/* Does the row name every field of both structures, in their order, and as many tensors as it counts? Else `why` says
   what is wrong. The backend opens only if all rows do, so that no call reaches DirectML with a field that was
   forgotten. */
bool describe_row_is_whole(const describe_operator *op, char *why, size_t size);

/* Memory for the descriptions of a call's tensors. */
typedef struct describe_tensors {
    DML_TENSOR_DESC tensors[DESCRIBE_TENSORS];
    DML_BUFFER_TENSOR_DESC buffers[DESCRIBE_TENSORS];
    uint32_t sizes[DESCRIBE_TENSORS][TS_MAX_DIMS], strides[DESCRIBE_TENSORS][TS_MAX_DIMS];
} describe_tensors;

/* Describe the tensors of a call from `first` on, `n` of them; a list has more than one. True if one of them is given.
   In a list, one that is absent gets no type. *fits is cleared if a size or stride does not fit into 32 bits. */
bool describe_list(const ts_call *call, uint32_t first, uint32_t n, describe_tensors *room, bool *fits);

/* Memory for one descriptor. `desc` points into it, so do not move it. */
typedef struct describe_room {
    DML_OPERATOR_DESC desc;
    union {
        unsigned char bytes[DESCRIBE_BYTES]; /* the structure of the operator */
        const void *align;
    } op;
    describe_tensors tensors;
} describe_room;

/* Are all rows whole? Else `why` says what is wrong with the first that is not. */
bool describe_rows_are_whole(char *why, size_t size);

/* Does a call with these attributes have all numbers that cannot be absent? */
bool describe_has_numbers(const describe_operator *op, uint32_t attrs_given);

/* How many of the `n` tensors of a call from `first` on, which are its inputs or its outputs, are to be bound: all of
   them, but not the members that a list does not have. */
uint32_t describe_bound(const describe_operator *op, const ts_call *call, uint32_t first, uint32_t n);

/* Find an operator by name; NULL if there is none. */
const describe_operator *describe_find(const char *name);

/* Convert the call. TS_UNSUPPORTED if a size or a stride does not fit into 32 bits, or if a number is missing that
   cannot be absent; TS_ERROR if the call is not of this operator. */
ts_status describe_call(const describe_operator *op, const ts_call *call, describe_room *room);

#endif
