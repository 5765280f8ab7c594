/* SPDX-License-Identifier: Apache-2.0 */
/* The executor's parts, and the functions on one case of a submission. Private to this room and to audit_case.c. */
#ifndef TOUCHSTONE_EXECUTE_ITEM_H
#define TOUCHSTONE_EXECUTE_ITEM_H

#include "harness/base/platform.h"
#include "harness/execute/batch.h"
#include "harness/execute/class_cache.h"
#include "harness/execute/compare_buffers.h"
#include "harness/execute/execute.h"
#include "harness/model/explain.h"

/* The call of the backend in which an item faulted. */
typedef enum item_phase {
    ITEM_IN_SUBMIT,
    ITEM_IN_QUERY,    /* the query about its class: the case is not submitted */
    ITEM_IN_PRECEDING /* a call that the test makes before the case, which is not submitted then */
} item_phase;

/* One case of a submission. */
typedef struct execute_item {
    case_instance *instance; /* descriptor included */
    arena_place places[TS_MAX_TENSORS];
    ts_shape reported[TS_MAX_TENSORS]; /* the output shapes that the backend reports */
    ts_shape
        expected[TS_MAX_TENSORS];  /* and of outputs whose shape depends on data, those that the reference reports */
    uint64_t unspecified, several; /* output elements that the specification leaves undefined, or that may have one of
                                      several values */
    bool expected_known;           /* the golden outputs hold what the reference gives: never during a call */
    bool golden_cleared;           /* they have to be poisoned before the reference runs */
    bool may_fail;                 /* the specification lets the call fail, */
    bool open_shape;               /* or leaves the shapes of outputs open */
    void *token;
    ts_level level;  /* the lowest that accepts the case */
    bool asked_only; /* submit the descriptor without data, though there is data to execute on */
    ts_status status;
    bool other_data; /* it passed, and failed in a further execution with other data, which the buffers hold */
    bool faulted;
    platform_fault fault;
    item_phase phase;               /* where it faulted, if it did */
    verdict preset;                 /* not VERDICT_NONE: the verdict is known, and the case is not executed */
    const char *failure;            /* then, or where the case failed among others: how the backend failed; else NULL */
    const rerun_stats *rerun_stats; /* the results of all its executions, where they differ; else NULL */
    uint64_t watch_id;              /* what the watchdog shows for it: its index, or in a replay its place */
    size_t first_slot;              /* of the arena */
    char note[512];                 /* the backend's message, where it is known to be about this case */
} execute_item;

#define NO_CLASS SIZE_MAX

/* The class of the points that a cursor is at. */
typedef struct execute_class_at {
    ts_level level; /* the lowest that accepts it */
    size_t index;   /* in class_cache.classes, or NO_CLASS */
} execute_class_at;

/* The test that cases are built from, and the waivers that apply to it. */
typedef struct case_source {
    casebuild build;
    fill_cache fills;                     /* shared by all tests */
    execute_class_at at[SPACE_MAX_INNER]; /* by the cursor's `inner` */
    const case_test *waivers_of;          /* the test that `waivers` is about */
    struct waivers_at *waivers;           /* NULL: none */
    space_cursor lookup;                  /* at a failing or observed case, for its id and parameters */
} case_source;

/* The range, or the replay, that is being executed. */
typedef struct current_range {
    const execute_range *asked;         /* NULL in a replay */
    uint64_t findings, waived_findings; /* that may still be stored */
    bool tainted;                       /* the backend faulted in this process */
    bool no_reruns;        /* a failing case is not executed again: the replay tests the order of the cases */
    bool watched_by_place; /* the caller sets execute_item.watch_id */
    bool in_preceding;     /* the calls that the test makes before a case are being made */
} current_range;

/* The executor is in memory that is mapped twice, with the instances and calls of its batch behind it. The backend gets
   the addresses where that memory can only be read: a write to the call, its tensors or its attributes is a fault. */
struct executor {
    size_t size; /* of that memory */
    ptrdiff_t distance;
    plugin *plugin;
    execute_options options;
    class_cache known;
    batch batch;
    case_source source;
    current_range range;
    ts_marks marks[TS_MAX_TENSORS]; /* of the item that was marked last */
    bool used;                      /* a case was submitted */
};

/* The address at which the backend can only read what p points to, a part of the executor. */
static inline const void *executor_readonly(const executor *x, const void *p)
{
    return (const char *)p + x->distance;
}

/* Did the backend fault where it wrote to a call? */
static inline bool executor_guards_call(const executor *x, const platform_fault *fault)
{
    const uintptr_t begin = (uintptr_t)executor_readonly(x, x), at = (uintptr_t)fault->address;
    return fault->touched && x->distance != 0 && at >= begin && at - begin < x->size;
}

/* The class that the cursor is at, or NULL. The pointer lives until the next class is looked up. */
static inline const execute_class *item_class(const executor *x, const space_cursor *cursor)
{
    size_t index = x->source.at[cursor->inner].index;
    return index == NO_CLASS ? NULL : &x->known.classes[index];
}

/* Does the case break a clause on purpose that binds nobody? Then any answer is recorded, and none fails. */
bool item_breaks_open(const executor *x, const execute_item *item);

/* The clause that the case breaks on purpose; or that the descriptor of an open case breaks and that binds nobody, but
   makes it illegal where decisions bind. NULL: there is none. */
const ts_clause *item_breaks(const execute_item *item);

/* The clause that binds nobody by which a legal descriptor is doubtful: not every reading of the pages makes it legal,
   so that its refusal is recorded and does not fail. Or the ledger's entry about several updates, where a call without
   data is certain to have some. NULL: there is none. */
const char *item_doubt(const execute_item *item);

/* Does the item have data to execute on: a legal or ambiguous case, or one that breaks a clause and is computed all the
   same? Else the backend only accepts or refuses it. */
static inline bool item_executes(const execute_item *item)
{
    return (item->instance->invalid == NULL || item->instance->computed) && !item->instance->asked;
}

/* May no more cases be executed in this process? */
static inline bool item_process_lost(const executor *x)
{
    return x->options.isolated && x->range.tainted;
}

/* ---- making an item ---- */

/* Begin with cases of test t. */
bool item_begin(executor *x, const case_test *t, error *e);

/* A gate for space_start and space_count: true for classes of points that a run plans. It notes the class of each point
   for item_load. context: the executor. */
bool item_gate(void *context, const expr_value *values, unsigned inner);

/* Build the case at the cursor as item `at` of the batch, ready to be submitted. preceding: make the calls first that
   the test makes before each case. */
bool item_load(executor *x, space_cursor *cursor, size_t at, bool preceding, error *e);

/* Place the tensors of the case being built, poison the subject's outputs, and fill the inputs: all that a call needs.
   What the outputs should be is not computed before the backend has returned, so that it is nowhere in the process
   while the backend runs. */
bool item_lay_out(executor *x, execute_item *item, error *e);

/* Compute what the outputs should be, unless that is known: after the call, for a case that executes. */
void item_expect(execute_item *item);

/* Clear it again, before the next call and after the case is recorded. */
void item_hide_expected(execute_item *item);
void item_hide_all(executor *x, size_t n); /* of the first n items of the batch */

/* Make the calls that the test makes before this case: item->instance is x->source.build.now. The case itself has to
   be prepared afterwards. */
bool item_run_preceding(executor *x, execute_item *item, error *e);

/* Cases are submitted once their tensors have so many bytes together: memory stays bounded that way. */
#define ITEM_BATCH_BYTES (UINT64_C(1) << 20)

/* The bytes of a case's tensors. */
uint64_t item_bytes(const execute_item *item);

/* Copy the inputs to the subject's buffers, and poison its outputs. Every other attempt has another poison. */
void item_reset_subject(execute_item *item, unsigned attempt);

/* Poison the golden outputs as the subject's of that attempt. */
void item_reset_golden(execute_item *item, unsigned attempt);

/* The poison byte of an attempt; the first is 0. */
unsigned char item_poison(const execute_item *item, unsigned attempt);

/* Run the reference on the golden buffers, whose outputs are poisoned or from an execution with the same inputs. */
void item_run_reference(execute_item *item);

/* Run another interpretation of the specification on them. */
void item_run_golden(execute_item *item, void (*run)(const ts_descriptor *d));

/* ---- executing ---- */

/* Submit n items; afterwards they have their statuses, faults and reported shapes. After a fault in a batch, its items
   are submitted one by one, so that every fault is one case's. In a worker process they are not: the fault is recorded
   in the first item. */
void item_submit(executor *x, execute_item *items, size_t n);

/* Execute an item again with the same inputs and the same poison, and add the result to t. False where the process
   can execute no more. */
bool item_rerun(executor *x, execute_item *item, rerun_stats *t);

/* Can the item be executed again? Not if it was not executed, faulted or lost the device. v: its verdict so far. */
bool item_can_rerun(const execute_item *item, verdict v);

/* Execute the first n items, which were submitted once, options.repeat times in total, and count the results of each
   in batch.rerun_stats. */
void item_repeat(executor *x, size_t n);

/* Submit those of the first n items that failed once more, together, and count the results in batch.rerun_stats. A
   backend that compiles takes as long for one case as for many. */
void item_rerun_failing(executor *x, size_t n);

/* ---- verdicts ---- */

/* Tensor t as its elements lie after the call, by the specification. */
static inline ts_tensor item_tensor(const execute_item *item, unsigned t)
{
    return operator_result(&item->instance->descriptor, t, &item->expected[t]);
}

/* The item's descriptor with such tensors: that of buffers to be compared. */
ts_descriptor item_results(const execute_item *item);

/* Does the backend report other sizes of an output? Where they depend on data and the call was accepted, it has to
   report them. *tensor: which. */
bool item_shape_differs(const execute_item *item, unsigned *tensor);

/* The verdict of an item that was submitted; nothing is recorded. *compared: the outputs were compared, and *j has the
   result. Else j->tensor is the tensor that the status is about, or -1. */
verdict item_judge(executor *x, execute_item *item, judgement *j, bool *compared);

/* The same, but VERDICT_AMBIGUOUS for outputs of ambiguous cases, and VERDICT_NOT_JUDGED for those of a data type that
   is not judged, and where such a descriptor is only accepted: the verdict that a run records. */
verdict item_verdict(executor *x, execute_item *item, judgement *j, bool *compared);

/* The same of a case as a whole. A drawn share of the cases that pass is executed once more, with other data in place
   of random bits; where that fails, it is the verdict, and item->other_data is set. Only once for each item that is
   loaded: its inputs are the others then. */
verdict item_conclude(executor *x, execute_item *item, judgement *j, bool *compared);

/* Add the item's verdict to the chunk, with its observation, and with a finding where it failed and there is room. */
bool item_record(executor *x, execute_item *item, chunk *c, error *e);

/* Compare the data of the specification's example with the reference, whose outputs are known. A difference is an error
   of the suite. The examples were written for the default profile. */
bool item_check_example(execute_item *item, error *e);

/* Run the reference again, and mark the open elements of its outputs, by tensor. NULL where each element has one
   answer, or memory is out. Afterwards the descriptor has the golden data. */
const ts_marks *item_marks(executor *x, execute_item *item);

/* The values that the specification allows for an element with several answers, and whether `asked` is one of them. */
ts_answers item_answers(execute_item *item, unsigned tensor, const uint64_t *coord, uint64_t asked);

/* Where the element at coord[TS_MAX_DIMS] of an output comes from, by the operator's explanation of the present data.
   False if it does not say. */
bool item_origin(execute_item *item, unsigned tensor, const uint64_t *coord, explain_element *e);

#endif
