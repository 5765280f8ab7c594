/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks share: the state of one check in its process. Private to this room. */
#ifndef TOUCHSTONE_PROBE_INTERNAL_H
#define TOUCHSTONE_PROBE_INTERNAL_H

#include "harness/casefile/casebuild.h"
#include "harness/casefile/plan.h"
#include "harness/model/arena.h"
#include "harness/probe/probe.h"

#define PROBE_OF_OPERATOR 9 /* calls of one that the survey keeps, of each kind: */
#define PROBE_KINDS       3 /* accepted ones, refused ones, illegal ones */
#define PROBE_PAGES       3

/* Promises of the header: probe_contract.c has their words. */
typedef enum probe_clause {
    CLAUSE_VERSIONS,
    CLAUSE_MEMORY,
    CLAUSE_ERRORS,
    CLAUSE_RESULTS,
    CLAUSE_PROCESS,
    CLAUSE_ENTRY,
    CLAUSE_SIZE,
    CLAUSE_FUNCTIONS,
    CLAUSE_OPEN,
    CLAUSE_OPTIONS,
    CLAUSE_CLOSE,
    CLAUSE_NOTE,
    CLAUSE_INFO,
    CLAUSE_STRINGS,
    CLAUSE_LEVEL,
    CLAUSE_ALIGNMENT,
    CLAUSE_DESCRIBE,
    CLAUSE_QUERY,
    CLAUSE_TOKEN,
    CLAUSE_QUERY_CLAUSE,
    CLAUSE_SUBMIT,
    CLAUSE_EMPTY,
    CLAUSE_STATUS,
    CLAUSE_REFUSED,
    CLAUSE_CALL,
    CLAUSE_INPUT,
    CLAUSE_BYTES,
    CLAUSE_ANYTHING,
    CLAUSE_DESCRIPTOR_ONLY,
    CLAUSE_REPORTED,
    CLAUSE_DEPENDENT,
    CLAUSE_ABSENT,
    CLAUSE_TOGETHER,
    CLAUSE_THREADS,
    CLAUSE_COUNT
} probe_clause;

/* A case of tier quick that the survey submitted. */
typedef struct probe_sample {
    uint64_t item, index; /* of the plan, and of the case in its test */
    uint32_t status;      /* what the backend answered */
    uint32_t invalid;     /* the descriptor is illegal; it was submitted without data */
} probe_sample;

/* What a check's process tells the others, and its parent if it ends. A backend may overwrite it. */
typedef struct probe_shared {
    char step[400];                 /* what the check does: "submit of 3 calls" */
    uint64_t rule;                  /* the promise that is broken if the process ends in this step: a probe_clause */
    uint64_t dataless;              /* this step submits calls whose tensors have no data */
    uint64_t surveyed, info_broken; /* did the check "calls" try everything; is the check "info" broken? */
    char name[64], version[64];
    uint64_t classes; /* of calls that the backend supports */
    uint64_t sample_count;
    probe_sample samples[]; /* as many as PROBE_KINDS submissions have calls */
} probe_shared;

/* The most calls of a submission: PROBE_OF_OPERATOR of each operator of the plan. And the bytes that the checks of the
   plan share. */
size_t probe_most_calls(const plan *p);
size_t probe_shared_size(const plan *p);

/* One call of a submission. */
typedef struct probe_call {
    ts_descriptor d;
    char id[CASE_ID_SIZE];
    arena_place places[TS_MAX_TENSORS];
    ts_shape reported[TS_MAX_TENSORS];
    bool data;    /* its tensors have memory */
    bool reports; /* `reported` was not NULL in the last submission */
    void *token;
    ts_status status;                    /* of the last submission */
    ts_status first;                     /* of the one that probe_keep kept, */
    unsigned char *kept[TS_MAX_TENSORS]; /* with its outputs */
    ts_shape kept_reported[TS_MAX_TENSORS];
} probe_call;

/* How calls are submitted; all zero is the usual way. */
typedef struct probe_way {
    size_t longer;        /* bytes by which the structures exceed those of the header */
    bool descriptor_only; /* without data */
    bool unreported;      /* `reported` is NULL */
    bool absent_garbage;  /* the members of absent attributes hold garbage */
} probe_way;

/* What is known of a class of calls. */
typedef struct probe_class {
    uint64_t key;
    bool supported;
    void *token;
} probe_class;

/* A check in its process. */
typedef struct probe {
    const probe_options *options;
    const plan *plan;
    probe_shared *shared;
    plugin plugin;
    probe_outcome outcome;
    probe_clause clause;
    char text[1000];
    exit_status refusal; /* not 0: the backend cannot be probed, and `text` says why */

    arena arena;            /* a slot for each tensor of each call */
    unsigned char *letters; /* the calls as they are passed: */
    ptrdiff_t distance;     /* to the addresses that the backend gets */
    unsigned char *pages[PROBE_PAGES];
    probe_call *calls;
    size_t call_count, most_calls;

    casebuild build;
    space_cursor cursor;
    probe_class *classes;
    size_t class_count, class_capacity;
} probe;

/* Record that the backend breaks a promise, unless one was recorded before. Returns false. */
bool probe_breaks(probe *p, probe_clause clause, const char *format, ...) ERROR_PRINTF(3, 4);

/* Record what a check saw, or that it does not apply; a broken promise stays. */
void probe_saw(probe *p, probe_outcome outcome, const char *format, ...) ERROR_PRINTF(3, 4);

/* Record that a check has nothing to try: for this reason, or because the survey of calls ended early. */
void probe_nothing(probe *p, const char *why);

/* Note what is done next, for the message about a crash or a hang. */
void probe_step(probe *p, const char *format, ...) ERROR_PRINTF(2, 3);

/* ---- the backend (probe_open.c) ---- */

/* Memory whose end is guarded. */
typedef enum probe_page { PAGE_HOST, PAGE_INFO, PAGE_STATUS } probe_page;

/* `size` zeroed bytes at the end of a page, with an inaccessible one behind it. NULL if memory is out. */
void *probe_guarded(probe *p, probe_page which, size_t size);

/* Load and open the backend for the check. */
bool probe_open(probe *p);

/* The same in two steps, where `open` is what the check is about. *self stays NULL unless it is opened; more: one more
   option than the user's, or NULL. */
typedef struct probe_host {
    char text[600]; /* the last note */
    size_t notes;
} probe_host;
bool probe_load_library(probe *p);
ts_status probe_open_with(probe *p, probe_host *log, const ts_option *more, void **self);

void probe_check_entry(probe *p);
void probe_check_open(probe *p);
void probe_check_options(probe *p);
void probe_check_describe(probe *p);
void probe_check_info(probe *p);
void probe_check_info_newer(probe *p);

/* ---- classes (probe_query.c) ---- */

/* The class of a descriptor, asked once: NULL if memory is out or a promise was broken. */
const probe_class *probe_query(probe *p, const ts_descriptor *shape);

void probe_check_query(probe *p);
void probe_check_query_clause(probe *p);

/* ---- calls (probe_calls.c) ---- */

/* Make room for calls. */
bool probe_room(probe *p);

/* Build the case under the cursor as the next call, with data if `data`. False if it has too much data, or its class
   is not supported. */
bool probe_add(probe *p, bool data, bool at_start);

/* Make the samples of this status the calls, illegal ones or legal ones; as many as there is room for. at_start: their
   data begins, instead of ending, at an inaccessible page. False if there are none, or a promise was broken. */
bool probe_load(probe *p, ts_status status, bool invalid, bool at_start);

/* Forget the calls. */
void probe_clear(probe *p);

/* Submit n of the calls from one on, and look at what the backend answered and wrote. False if it broke a promise. */
bool probe_submit(probe *p, size_t first, size_t n, const probe_way *way);

/* Keep the statuses and the outputs of all calls. */
void probe_keep(probe *p);

/* Is the result of a call the kept one? Else a promise is broken: `how` says what was different. */
bool probe_same(probe *p, size_t call, probe_clause clause, const char *how);

/* Where a fault in this check was, as a promise that was broken. */
struct platform_fault;
void probe_fault(probe *p, const struct platform_fault *fault);

/* ---- checks on calls (probe_survey.c, probe_submit.c) ---- */

void probe_check_calls(probe *p);
void probe_check_empty(probe *p);
void probe_check_many(probe *p);
void probe_check_again(probe *p);
void probe_check_placed(probe *p);
void probe_check_newer(probe *p);
void probe_check_descriptor_only(probe *p);
void probe_check_unreported(probe *p);
void probe_check_absent(probe *p);
void probe_check_refused(probe *p);
void probe_check_illegal(probe *p);
void probe_check_garbage(probe *p);
void probe_check_kept_pointers(probe *p);

/* ---- many instances (probe_repeat.c) ---- */

void probe_check_open_again(probe *p);

#endif
