/* SPDX-License-Identifier: Apache-2.0 */
/* Ask a backend whether a descriptor is legal, and compare its answer with the checker's. */
#ifndef TOUCHSTONE_BENCH_QUESTION_H
#define TOUCHSTONE_BENCH_QUESTION_H

#include "harness/execute/plugin.h"
#include "harness/model/operator.h"

/* The answers of the checker and of the backend, in words. */
typedef struct question_answer {
    const char *ours;   /* "accepted" or "refused" */
    const char *theirs; /* or "unsupported", "lost", "error", "crashed" */
    char clauses[256];  /* that the descriptor breaks, with spaces between them; "" if it is legal */
} question_answer;

/* Judge the descriptor, and ask the backend about it as a descriptor-only call, whose buffers do not matter. One
   with a longer list than a descriptor can hold (OP-05) is not asked: it is "unsupported". */
void question_ask(plugin *backend, const ts_descriptor *d, question_answer *answer);

#endif
