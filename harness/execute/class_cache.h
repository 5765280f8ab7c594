/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the backend supports: its replies for classes of cases and for clauses. Cases with the same data types, numbers
 * of dimensions and missing attributes form a class; the backend is asked about each class, and about each clause that
 * cases break on purpose, once.
 */
#ifndef TOUCHSTONE_CLASS_CACHE_H
#define TOUCHSTONE_CLASS_CACHE_H

#include "harness/execute/execute_blocklist.h"
#include "harness/execute/plugin.h"
#include "harness/execute/support.h"
#include "harness/execute/execute_watchdog.h"

typedef struct execute_class {
    uint64_t key;
    bool supported;                 /* also where the query failed: the cases are planned, and fail */
    void *token;                    /* the backend's own, for each call of the class */
    platform_fault *fault;          /* how the query failed in this process, or NULL */
    bool changed;                   /* that answer is not the one by which the cases were planned: answer says so */
    char *answer;                   /* what it returned, where that is neither yes nor no: "returned TS_ERROR"; or NULL */
    const execute_blocked *blocked; /* how it failed in any process of the run, or NULL */
} execute_class;

/* Does the query about this class fail? Then each of its cases fails in the same way without being submitted. */
static inline bool execute_class_fails(const execute_class *c)
{
    return c && (c->fault || c->answer || c->blocked);
}

/* A query that failed: nothing that the process answers later is believed. */
typedef struct class_failure {
    uint64_t key;   /* of the class, or of the clause; 0: no query failed */
    bool used;      /* calls were executed in the process before: the query is not to blame */
    verdict how;    /* VERDICT_CRASH or VERDICT_HANG */
    char text[120]; /* "ended in SIGSEGV when it was asked whether it supports the case" */
} class_failure;

typedef struct execute_clause {
    const char *op, *clause; /* compared as addresses: they live as long as the case files */
    bool shown;              /* the backend can pass descriptors that break the clause to its implementation */
} execute_clause;

typedef struct class_cache {
    plugin *plugin;                     /* borrowed */
    execute_watchdog *watchdog;         /* borrowed, may be NULL */
    const execute_blocklist *blocklist; /* borrowed, may be NULL */
    execute_class *classes;
    size_t class_count, class_capacity;
    uint32_t *places; /* a hash table of the classes by key: numbers from 1; 0: empty. The drawn tests of all operators
                         have thousands of classes */
    size_t place_count; /* a power of two */
    execute_clause *clauses;
    size_t clause_count, clause_capacity;
    struct {
        ts_call call;
        ts_descriptor shape;
    } asked;            /* what the backend is asked at the moment. It gets another address of this memory, */
    ptrdiff_t distance; /* that many bytes away, where it can only be read; may be 0 */
    const bool *used;   /* were calls executed in this process? NULL: it cannot be replaced, and is asked on and on */
    class_failure failure;
    char *promised; /* the classes that were refused when the cases were planned, as text; NULL: not known */
    support refused;    /* classes and clauses that the backend does not support */
} class_cache;

void class_cache_free(class_cache *cache);

/* From now on, hold the backend to the answers by which the cases were planned: a class that is not among the refused
   ones is supported. Out of memory, nothing changes. */
void class_cache_hold(class_cache *cache, const char *refused);

/* The backend's reply about the class of `shape` at a feature level. The pointer lives until the next call; the
   position in cache->classes stays. NULL where memory is out, and where nothing more is asked because a query failed
   (cache->failure). */
const execute_class *class_cache_query(class_cache *cache, const ts_descriptor *shape, ts_level level);

/* Can the backend pass descriptors that break this clause to its implementation, so that it can refuse them? */
bool class_cache_shows_clause(class_cache *cache, const char *op, const char *clause);

#endif
