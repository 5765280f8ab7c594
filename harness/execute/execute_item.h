/* SPDX-License-Identifier: Apache-2.0 */
/* One case in flight. Private to execute.c, execute_item.c, answer.c, finding.c and audit_case.c. */
#ifndef TOUCHSTONE_EXECUTE_ITEM_H
#define TOUCHSTONE_EXECUTE_ITEM_H

#include "harness/model/arena.h"
#include "harness/execute/execute.h"
#include "harness/execute/compare_buffers.h"
#include "harness/base/platform.h"
#include "harness/execute/rerun_stats.h"

/* In which call of the backend. */
typedef enum item_when {
    ITEM_WHEN_SUBMITTED,
    ITEM_WHEN_ASKED, /* whether it supports the class of the case: nothing is submitted */
    ITEM_WHEN_BEFORE /* one that the test makes before the case, which is not submitted any more */
} item_when;

typedef struct execute_item {
    case_instance *instance; /* descriptor included */
    arena_place places[TS_MAX_TENSORS];
    ts_shape reported[TS_MAX_TENSORS];
    uint64_t unspecified; /* output elements that the text leaves undefined */
    void *token;
    ts_level level;  /* the lowest that accepts the case */
    bool asked_only; /* ask whether it is accepted, though there is data to execute on */
    ts_status status;
    bool faulted;
    platform_fault fault;
    item_when when;     /* it faulted, if it did */
    const char *ended;  /* how the process ended that had this case, or what befell it there */
    verdict told;       /* and the verdict of that; VERDICT_NONE: it was executed */
    const rerun_stats *rerun_stats; /* what came of all its executions, where they differ; else NULL */
    uint64_t watched;   /* what a watcher is told that it is: its index, or its place in a trial */
    size_t first_slot;  /* of the arena */
    char note[256];     /* what the backend said, for a single submission */
} execute_item;

/* What is known of a class of cases before it is expanded. */
typedef struct execute_class {
    uint64_t key;
    bool supported;
    void *token;
    /* What happened when it was asked, here or in another process, or NULL: so it will to each case. */
    platform_fault *fault;
    const execute_blocked *blocked;
} execute_class;

#define NO_CLASS SIZE_MAX

/* A clause of the operator at hand that cases break on purpose. */
typedef struct execute_clause {
    const char *op, *clause; /* compared as addresses: they live as long as the case files */
    bool shown;              /* the implementation can be shown what breaks it */
} execute_clause;

/* The class of the points that a cursor is at. */
typedef struct execute_class_at {
    ts_level level; /* the lowest that accepts it */
    size_t index;   /* of the executor's `classes`, or NO_CLASS */
} execute_class_at;

struct executor {
    plugin *plugin;
    execute_options options;
    arena arena;
    size_t batch;
    execute_item *items;
    rerun_stats *rerun_stats; /* of each item of a submission whose cases are executed more than once */
    bool tried;               /* they are, in the submission at hand */
    execute_item *again;      /* room for those of a submission that are submitted once more */
    case_instance *instances; /* of a batch of more than one */
    ts_call *calls;
    ts_status *statuses;
    execute_class *classes;
    size_t class_count, class_capacity;
    execute_clause *clauses;
    size_t clause_count, clause_capacity;
    support refused; /* those that the backend does not support, for the run */
    uint8_t *map;    /* a byte per element of output 0's span */
    size_t map_capacity;
    fill_cache cache;
    space_cursor there; /* at a case that has something to be told */
    /* the test at hand */
    casebuild build;
    execute_class_at at[SPACE_MAX_INNER]; /* by the cursor's `inner` */
    const execute_range *range;           /* at hand */
    uint64_t findings, waived_findings;   /* that it may still keep */
    const case_test *waivers_of;
    struct waivers_at *waivers; /* that speak of it; NULL: none do */
    bool tainted;               /* something faulted in the chunk at hand */
    bool still;                 /* nothing is executed to tell more of a failure: the order of cases is what counts */
    bool placed;                /* items say what a watcher is to be told that they are */
    bool before;                /* the calls are made that come before a case, on its account */
};

/* The class that the cursor is at, or NULL: until the next one is looked up. */
static inline const execute_class *item_class(const executor *x, const space_cursor *cursor)
{
    size_t index = x->at[cursor->inner].index;
    return index == NO_CLASS ? NULL : &x->classes[index];
}

/* Is there data to execute on (a legal or ambiguous case), or is only acceptance asked? */
static inline bool item_executes(const execute_item *item)
{
    return item->instance->invalid == NULL;
}

/* Place the tensors of the case being built, poison, fill the inputs, run the reference. */
bool item_prepare(executor *x, execute_item *item, error *e);

/* Begin with cases of test t. */
bool item_begin(executor *x, const case_test *t, error *e);

/* Walking with this and the executor leaves out what the backend does not owe, and knows the class of each case. */
bool item_gate(void *context, const expr_value *values, unsigned inner);

/* Take the case at the cursor as the executor's item `waiting`, ready to be submitted; play: after the calls that its
   test makes before it. */
bool item_take(executor *x, space_cursor *cursor, size_t waiting, bool play, error *e);

/* A case of so many bytes is submitted at once, so that memory stays bounded. */
bool item_is_large(const execute_item *item);

/* Make the calls that the test at hand makes before this case: item->instance is x->build.now. Then the case
   itself is to be prepared. */
bool item_play_before(executor *x, execute_item *item, error *e);

/* Make the subject's copy of the golden inputs, with outputs poisoned. Every other attempt has another poison. */
void item_reset_subject(execute_item *item, unsigned attempt);

/* The poison byte of an attempt; the first is 0. */
unsigned char item_poison(const execute_item *item, unsigned attempt);

/* Run the reference on the golden buffers, again. */
void item_run_reference(execute_item *item);

/* Run another reading of the specification on them. */
void item_run_golden(execute_item *item, void (*run)(const ts_descriptor *d));

/* Does the backend report other sizes of an output? *tensor: which. */
bool item_shape_differs(const execute_item *item, unsigned *tensor);

/* Submit n items; statuses, faults and reported shapes are in them afterwards. A batch that faults is repeated one by
   one, so that every fault has its case; where the process is not to be trusted any more, it is not, and the fault is
   the first item's. */
void item_submit(executor *x, execute_item *items, size_t n);

/* The verdict of an item that was submitted, by itself: nothing is told, kept or observed. *compared: its outputs were
   looked at, and *j says what was seen; else *j has the tensor that a status is about, or -1. */
verdict item_judge(executor *x, execute_item *item, judgement *j, bool *compared);

/* The same, with what the text leaves open counted as such: the verdict that a run books. */
verdict item_verdict(executor *x, execute_item *item, judgement *j, bool *compared);

/* The same, told: observed, kept among the chunk's findings where it fails and there is room, and added to the
   chunk. */
bool item_book(executor *x, execute_item *item, chunk *c, error *e);

/* The page's own numbers against the reference: a disagreement is a fault of the suite. They were written for the
   default profile. */
bool item_check_example(execute_item *item, error *e);

/* Execute an item that was executed before once more, with the same inputs and the same poison, and add what came of
   it. False where it faulted and may not be executed again. */
bool item_try_again(executor *x, execute_item *item, rerun_stats *t);

/* Can it be executed again, to tell a failure that comes and goes? What was not executed, ended a process or lost the
   device can not. v: its verdict so far. */
bool item_can_try_again(const execute_item *item, verdict v);

/* Execute the first n items, which were submitted, as often as the options say altogether, and count what came of
   each in x->tries. */
void item_repeat(executor *x, size_t n);

/* Execute those of the first n items once more that failed, in one submission, and count what came of them in x->tries.
   A backend that compiles takes as long for one case as for many, and each would be executed again by itself. */
void item_repeat_failing(executor *x, size_t n);

/* Whoever watches is to know these cases as those at hand. */
void item_watch(executor *x, uint64_t first, uint64_t last);

/* Call the backend under guard and under watch. */
bool item_guarded_call(executor *x, void (*f)(void *context), void *context, platform_fault *fault);

/* Run the reference again with a map of undefined elements. NULL where all is defined, or memory is out. */
const uint8_t *item_undefined_map(executor *x, execute_item *item);

#endif
