/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run file stores about the scope of its verdict besides the counts of verdicts (STORE_SCOPE, JSON): the data
 * types of every operator of the suite; those that the backend supports; the legal cases that were asked for and that
 * it does not offer; the illegal ones that it cannot show to its implementation; and what --require demanded. It is
 * written before the first case. A data type is that of a case (operator_typed).
 */
#ifndef TOUCHSTONE_SCOPE_FACTS_H
#define TOUCHSTONE_SCOPE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cases of an operator with a data type, or that break a clause. */
typedef struct scope_count {
    char op[64], dtype[16]; /* dtype: or the clause */
    uint64_t cases;
} scope_count;

typedef struct scope_counts {
    scope_count *list;
    size_t count, capacity;
} scope_counts;

/* Add cases to the count of an operator and a data type. False if memory is out. */
bool scope_counts_add(scope_counts *c, const char *op, const char *dtype, uint64_t cases);

/* Was anything added for them? */
bool scope_counts_has(const scope_counts *c, const char *op, const char *dtype);

/* All cases together. */
uint64_t scope_counts_sum(const scope_counts *c);

/* A --require QUERY. */
typedef struct scope_demand {
    char *query;
    uint64_t cases;       /* that the query selects of the tier, at the level of the run */
    scope_counts refused; /* of these, planned ones that the backend does not offer, */
    scope_counts untried; /* and those that the queries of the run leave out */
} scope_demand;

typedef struct scope_facts {
    scope_counts suite;   /* the data types of each operator; `cases` is 0 */
    scope_counts refused; /* legal cases that were asked for and that the backend does not offer */
    scope_counts offered; /* the data types of which the backend supports a class of legal cases that was asked for;
                             `cases` is 0 */
    scope_counts unshown; /* by clause: illegal cases that were asked for and are not planned, because the backend
                             says that it cannot pass on what breaks the clause (query_clause). Whether the
                             implementation refuses them is not judged */
    scope_demand *demands;
    size_t demand_count;
} scope_facts;

/* The required cases that are absent, over all demands. */
uint64_t scope_facts_absent(const scope_facts *f);

/* Write as JSON. The caller frees the text; NULL if memory is out. */
char *scope_facts_write(const scope_facts *f);

/* Read what was written. NULL and "" are no facts. False if the text is not valid, such as a demand of which more cases
   are absent than there are. The caller frees *f in any case. */
bool scope_facts_read(scope_facts *f, const char *written);

/* Add the facts of another shard of the same run: what its backend refused. False if the shards differ in anything
   else, or if memory is out. */
bool scope_facts_merge(scope_facts *to, const scope_facts *from);
void scope_facts_free(scope_facts *f);

#endif
