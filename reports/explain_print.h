/* SPDX-License-Identifier: Apache-2.0 */
/* Prints explanations as text and as JSON. */
#ifndef TOUCHSTONE_EXPLAIN_PRINT_H
#define TOUCHSTONE_EXPLAIN_PRINT_H

#include "harness/model/evaluate.h"
#include "harness/model/explain.h"

#include <stdio.h>

/* Identifies the explained descriptor or case. */
typedef struct explain_heading {
    const char *name; /* the id of a case, or a file with the number of the record */
    const char *note; /* a line of explanation, or NULL */
} explain_heading;

/* Print the descriptor, its violations and the steps, in lines of at most 100 columns where words permit. The text of a
   clause follows the first step that cites it. */
bool explain_print_text(FILE *to, const explain_heading *heading, const evaluation *v, const ts_explanation *x,
                        error *e);

/* The explanation as a JSON object:
   { "name":, "note":, "operator":, "profile":, "status":, "violations": [...], "clauses": { "ID": "text", ... },
     "steps": [ { "step": 1, "clauses": ["ID"], "title":, "text": ["..."],
                  "elements": [ { "out": [0,1], "from": "InputTensor", "in": [2,1], "value": 7, ... } ],
                  "left_out": n } ] }
   NULL: out of memory. */
json_t *explain_print_json(const explain_heading *heading, const evaluation *v, const ts_explanation *x);

/* Print text indented by `indent` spaces, broken at spaces where it exceeds 100 columns; lines after the first are
   indented by `hang` more. Spaces inside a line are preserved. */
void explain_wrap(FILE *to, const char *text, int indent, int hang);

#endif
