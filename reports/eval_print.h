/* SPDX-License-Identifier: Apache-2.0 */
/* The result of an evaluation, for people and for machines. */
#ifndef TOUCHSTONE_EVAL_PRINT_H
#define TOUCHSTONE_EVAL_PRINT_H

#include "harness/model/evaluate.h"

#include <stdio.h>

/* Which evaluation it is. */
typedef struct eval_heading {
    const char *file, *name; /* the name may be NULL */
    size_t index, count;     /* its number in the file, from 1, and of how many */
    bool first;              /* of all that are printed */
} eval_heading;

/* Outputs drawn as nested rows, with data type and sizes; or each violated clause with message, text and page. */
bool eval_print_text(FILE *to, const eval_heading *heading, const evaluation *v, error *e);

/* One element of a JSON list, which the caller opens and closes. */
bool eval_print_json(FILE *to, const eval_heading *heading, const evaluation *v, error *e);

#endif
