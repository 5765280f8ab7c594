/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the result of an evaluation as text and as JSON. */
#ifndef TOUCHSTONE_EVAL_PRINT_H
#define TOUCHSTONE_EVAL_PRINT_H

#include "harness/model/evaluate.h"

#include <stdio.h>

/* Identifies an evaluation. */
typedef struct eval_heading {
    const char *file, *name; /* the name may be NULL */
    size_t index, count;     /* its number in the file, from 1, and the number of evaluations there */
    bool first;              /* of all printed evaluations */
} eval_heading;

/* Print the outputs as nested rows with data type and sizes, or each violated clause with message, text and page. */
bool eval_print_text(FILE *to, const eval_heading *heading, const evaluation *v, error *e);

/* Append each output of the evaluation to a JSON list: "name", "dtype", "sizes", "data" (the elements in row-major
   order), "raw" (in hex, the bytes of the buffer up to the end of the last element) and, where the specification leaves
   elements undefined, "unspecified" (their positions in "data"), and where it allows several values, "answers" (a list
   of "at", the position, and "values"; "more" is true if there are further ones). "data" and "raw" are null where there
   are more than `most` elements or bytes. False if memory is out. */
bool eval_print_outputs(const evaluation *v, uint64_t most, json_t *list);

/* Print the elements that may have one of several values, with these values; nothing if there are none. */
void eval_print_several(FILE *to, const evaluation *v);

/* Print one element of a JSON list. The caller prints the brackets of the list. */
bool eval_print_json(FILE *to, const eval_heading *heading, const evaluation *v, error *e);

/* Print that a descriptor was not evaluated, with a status such as "unknown operator", and why: as text, or as one
   element of a JSON list. False if the output is lost. */
bool eval_print_uncomputed(FILE *to, const eval_heading *heading, const char *op, const char *status, const char *why,
                           bool json);

#endif
