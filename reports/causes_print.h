/* SPDX-License-Identifier: Apache-2.0 */
/* Causes as text, HTML and JSON. */
#ifndef TOUCHSTONE_CAUSES_PRINT_H
#define TOUCHSTONE_CAUSES_PRINT_H

#include "harness/analysis/causes.h"
#include "harness/base/text.h"

#include <jansson.h>

/* How well its queries describe a cause. */
typedef enum causes_fit {
    CAUSES_HOLD, /* they hold most of its cases and few others: they are shown first */
    CAUSES_NEAR, /* they hold more than half of its cases, and fewer others: they are shown as a hint */
    CAUSES_FAR   /* there are none, or they say less than they mislead: they are not shown */
} causes_fit;
causes_fit causes_queries_fit(const cause *c);

/* Append what the queries of a cause hold: "holds all of these cases and no other"; "no short query was found that
   holds these cases and few others; the nearest one holds ...". */
void causes_describe(const cause *c, text *t);

/* Append the heading of a cause: "the output differs in 22 cases of dml.gather, only after other cases". */
void causes_heading(const cause *c, text *t);

/* Append what came of the cases of a cause that were executed alone: "Each of the 4 cases that were executed alone in a
   new process passed there: ...". Nothing where none passed. */
void causes_describe_alone(const cause *c, text *t);

/* Append the command that executes the cases of a cause again: the queries, with the options of the run. */
void causes_command(const cause *c, store *s, text *t);

/* Print the first causes of a run whose file is `path`. False where there are none to print. */
bool causes_print(store *s, const char *path);

/* A cause as the JSON report has it. The caller owns it. */
json_t *causes_json(const cause *c, store *s);

#endif
