/* SPDX-License-Identifier: Apache-2.0 */
/* Explanations as people read them, and as JSON. */
#ifndef TOUCHSTONE_EXPLAIN_PRINT_H
#define TOUCHSTONE_EXPLAIN_PRINT_H

#include "harness/model/evaluate.h"
#include "harness/model/explain.h"

#include <stdio.h>

/* What is explained. */
typedef struct explain_heading {
    const char *name; /* the case's id, or the file with the record's number */
    const char *note; /* a line about it, or NULL */
} explain_heading;

/* The descriptor, what it breaks, then the steps, in lines of at most 100 columns where words allow it. Each clause is
   quoted where it is named first. */
bool explain_print_text(FILE *to, const explain_heading *heading, const evaluation *v, const ts_explanation *x,
                        error *e);

/* The same as a record:
   { "name":, "note":, "operator":, "profile":, "status":, "violations": [...], "clauses": { "SL-05": "text", ... },
     "steps": [ { "step": 1, "clauses": ["SL-05"], "title":, "text": ["..."],
                  "elements": [ { "out": [0,1], "from": "InputTensor", "in": [2,1], "value": 7, ... } ],
                  "left_out": n } ] }
   NULL where memory is out. */
json_t *explain_print_json(const explain_heading *heading, const evaluation *v, const ts_explanation *x);

/* Print text behind `indent` spaces, broken at blanks where it exceeds 100 columns; lines after the first are indented
   by `hang` more. Spaces inside a line are kept. */
void explain_wrap(FILE *to, const char *text, int indent, int hang);

#endif
