/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what a run file stores about the scope of its verdict (harness/store/scope_facts.h), before the first case. */
#ifndef TOUCHSTONE_RUN_SCOPE_H
#define TOUCHSTONE_RUN_SCOPE_H

#include "harness/run/run_store.h"
#include "harness/store/scope_facts.h"

/* A run whose cases were counted: the backend has been asked about each of their classes. */
typedef struct run_scope {
    const run_options *options;
    const plan *plan;
    const run_item *items; /* the part of each test that belongs to this shard */
    const ts_info *info;
    ts_level level;      /* that the backend is judged at */
    const char *refused; /* classes and clauses that the backend does not support (support.h); NULL: none */
} run_scope;

/* Find the facts. No case is executed and the backend is not asked. A demand (--require) counts each case that its
   query selects at the level of the run; it is absent if the run leaves it out, or if the backend does not support its
   class. run_interrupt ends this early, with facts that are not complete. The caller frees *f in any case. Errors: a
   query of --require that is wrong, or that selects no case. */
bool run_scope_find(const run_scope *s, scope_facts *f, error *e);

#endif
