/* SPDX-License-Identifier: Apache-2.0 */
/* Markdown as GitHub and GitLab read it. */
#ifndef TOUCHSTONE_REPORTS_MARKDOWN_H
#define TOUCHSTONE_REPORTS_MARKDOWN_H

#include "harness/analysis/causes.h"
#include "harness/store/summary.h"

/* Append s as one line of text without a meaning in Markdown or HTML, whatever characters it has. NULL appends
   nothing. */
void markdown_text(text *t, const char *s);

/* Append s as code inside a line. */
void markdown_code(text *t, const char *s);

/* Append the summary of a run: the verdict with its scope, a table of operators, the causes, and the facts of the run.
   False if memory is out or the run cannot be read. */
bool markdown_summary(text *t, store *s, const summary *m, const causes *c, error *e);

#endif
