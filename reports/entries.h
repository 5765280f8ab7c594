/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger's entries about the operators of a run, each with what the run has to say of it. */
#ifndef TOUCHSTONE_REPORTS_ENTRIES_H
#define TOUCHSTONE_REPORTS_ENTRIES_H

#include "harness/store/summary.h"

#include <jansson.h>

/* How the backend answered cases that the text leaves open, in one test. */
typedef struct entry_answer {
    size_t test; /* index in the summary */
    char *text;  /* "our decision (clamped index)", "another known interpretation (flat clamp)", "refused" */
    uint64_t cases;
    char *example; /* the first of them, a case id */
    char *detail;  /* what was seen there; "" where there is nothing to tell */
} entry_answer;

/* What a run knows of an entry. */
typedef enum entry_state {
    ENTRY_RULED,  /* open, and all answered as our decision has it */
    ENTRY_OTHER,  /* open, and some answered otherwise */
    ENTRY_JUDGED, /* decided, and its examples are among the tests that ran: judged like a clause */
    ENTRY_UNASKED /* no case of the run asks about it */
} entry_state;

typedef struct entry {
    const char *id, *kind, *op, *page, *quote, *problem, *decision;
    const char *minimal; /* the smallest case, or "" */
    const json_t *json;  /* all of it, with the lists: clauses, examples, known (ledger_json.h) */
    entry_state state;
    entry_answer *answers;
    size_t observed_count;
    uint64_t cases;    /* of all answers */
    uint64_t findings; /* of its examples: see entries_cite */
} entry;

typedef struct entries {
    entry *list; /* in the ledger's order, operator by operator */
    size_t count;
    json_t **lists; /* what the strings above live in */
    size_t list_count;
} entries;

/* Read them. The caller frees them, also after a failure. */
bool entries_read(entries *all, const summary *m, store *s, error *e);
void entries_free(entries *all);

/* An entry by its id, or NULL. */
entry *entries_find(const entries *all, const char *id);

/* The entry that an observation is about, or NULL; *answer: what comes behind its id. */
entry *entries_observed(const entries *all, const char *kind, const char **answer);

/* Does one of the entry's lists ("clauses", "examples") hold this word? */
bool entry_lists(const entry *own, const char *list, const char *word);

/* Is the case one of the entry's examples? */
bool entry_shown_by(const entry *own, const char *case_id);

/* Count a finding for the entries that its case is an example of. */
void entries_cite(entries *all, const char *case_id);

#endif
