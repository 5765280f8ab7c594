/* SPDX-License-Identifier: Apache-2.0 */
/* The ledger's entries about the operators of a run, with what the run observed of each. */
#ifndef TOUCHSTONE_REPORTS_ENTRIES_H
#define TOUCHSTONE_REPORTS_ENTRIES_H

#include "harness/store/summary.h"

#include <jansson.h>

/* A behaviour of the backend in cases of one test that the specification leaves unspecified. */
typedef struct entry_behaviour {
    size_t test; /* index in the summary */
    char *text;  /* "our decision (clamped index)", "another known interpretation (flat clamp)", "refused" */
    bool as_decided;
    uint64_t cases;
    char *example; /* the id of the first such case */
    char *detail;  /* what was observed in the example; "" where there are no details */
} entry_behaviour;

/* What a run shows about an entry. */
typedef enum entry_state {
    ENTRY_AS_DECIDED, /* unspecified, and the backend always does what we decided */
    ENTRY_UNLIKE,     /* unspecified, and the backend does something else in some cases */
    ENTRY_JUDGED,     /* decided; the run has its examples, which are judged like those of a clause */
    ENTRY_NOT_TESTED, /* the run has no case about it */
    ENTRY_STATES
} entry_state;
const char *entry_state_name(entry_state s); /* "as-decided", "unlike", "judged", "not-tested" */

typedef struct entry {
    const char *id, *kind, *op, *page, *quote, *problem, *decision;
    const char *minimal; /* the smallest case, or "" */
    const json_t *json;  /* the whole entry, with the lists clauses, examples and known (ledger_json.h) */
    entry_state state;
    entry_behaviour *behaviours;
    size_t behaviour_count, behaviour_capacity;
    uint64_t cases;    /* of all behaviours */
    uint64_t findings; /* of its examples: see entries_cite */
} entry;

typedef struct entries {
    entry *list; /* by operator, in the ledger's order */
    size_t count, capacity;
    json_t **lists; /* owns the strings of the entries */
    size_t list_count, list_capacity;
} entries;

/* Read the entries of a run. The caller frees *all with entries_free, also after a failure. */
bool entries_read(entries *all, const summary *m, store *s, error *e);
void entries_free(entries *all);

/* The entry that an observation is about, or NULL. *behaviour: the text after the entry's id. */
entry *entries_observed(const entries *all, const char *kind, const char **behaviour);

/* Does one of the entry's lists ("clauses", "examples") contain this word? */
bool entry_lists(const entry *own, const char *list, const char *word);

/* Is the case one of the entry's examples? */
bool entry_has_example(const entry *own, const char *case_id);

/* Count a finding for the entries that have its case as an example. */
void entries_cite(entries *all, const char *case_id);

#endif
