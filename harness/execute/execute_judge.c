/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict of a case that was executed, with its observation, and with a finding where it failed. */
#include "harness/execute/observed.h"
#include "harness/model/descriptor.h"
#include "harness/execute/execute_item.h"
#include "harness/execute/finding.h"
#include "harness/execute/finding_place.h"
#include "harness/casefile/waivers_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILING_EXECUTIONS 16  /* of a failing case that gets a finding, which has its failure rate */
#define FAILING_SECONDS    0.5 /* but stop after this time */

/* The backend reports another shape of that output. */
static void judgement_of_shape(judgement *j, const execute_item *item, unsigned tensor)
{
    const ts_shape *got = &item->reported[tensor];
    j->tensor = (int)tensor;
    j->shape.rank = got->rank;
    if (got->rank <= TS_MAX_DIMS)
        memcpy(j->shape.sizes, got->sizes, got->rank * sizeof *got->sizes);
}

bool item_breaks_open(const executor *x, const execute_item *item)
{
    return x->options.decisions == TS_DECISIONS_OPEN && case_breaks_open(item->instance);
}

/* Is a call without data about several updates of one element, whatever its data are, because its indices, which are
   tensor 1, share addresses? */
static bool is_asked_about_several(const execute_item *item)
{
    const ts_operator *op = item->instance->descriptor.op;
    return item->instance->asked && op->several && !op->accepts_several &&
           tensor_overlaps(&item->instance->descriptor.tensors[1]);
}

const char *item_doubt(const execute_item *item)
{
    const ts_descriptor *d = &item->instance->descriptor;
    ts_report report = { 0 };
    operator_check(d, &report);
    for (unsigned i = 0; i < report.count; ++i) {
        const ts_clause *c = operator_clause(d->op, report.items[i].clause);
        if (c && !operator_binds(c))
            return c->id;
    }
    return is_asked_about_several(item) ? d->op->several : NULL;
}

const ts_clause *item_breaks(const execute_item *item)
{
    const case_instance *c = item->instance;
    ts_report report = { 0 };
    if (c->invalid || !c->ambiguous)
        return c->invalid ? operator_clause(c->descriptor.op, c->invalid) : NULL;
    operator_check(&c->descriptor, &report);
    for (unsigned i = 0; i < report.count; ++i)
        if (report.items[i].result == TS_RESULT_OPEN)
            return operator_clause(c->descriptor.op, report.items[i].clause);
    return NULL;
}

/* Is the descriptor illegal: on purpose, or, where decisions bind, by one that an open case is about? */
static bool is_illegal(const executor *x, const execute_item *item)
{
    return item->instance->invalid || (x->options.decisions == TS_DECISIONS_BINDING && item_breaks(item));
}

/* The verdict of a status alone, or VERDICT_NONE where the outputs decide. */
static verdict status_verdict(const executor *x, const execute_item *item, judgement *j)
{
    const case_instance *c = item->instance;
    unsigned tensor;
    memset(j, 0, sizeof *j);
    j->tensor = -1;
    if (item->preset)
        return item->preset;
    if (item->faulted && item->fault.signal == 0)
        return VERDICT_HANG;
    if (item->faulted && executor_guards_call(x, &item->fault))
        return VERDICT_WROTE_OUTSIDE;
    if (item->faulted) {
        int slot = item->fault.touched ? arena_guards(&x->batch.arena, item->fault.address, 1u << 16) : -1;
        if (slot < 0)
            return VERDICT_CRASH;
        j->tensor = slot % TS_MAX_TENSORS;
        return item->fault.write ? VERDICT_WROTE_OUTSIDE : VERDICT_READ_OUTSIDE;
    }
    switch (item->status) {
    case TS_REJECTED:
        if (is_illegal(x, item))
            return item_breaks_open(x, item) ? VERDICT_AMBIGUOUS : VERDICT_PASS;
        if (c->ambiguous || item->may_fail)
            return VERDICT_AMBIGUOUS;
        if (x->options.decisions == TS_DECISIONS_OPEN && item_doubt(item))
            return VERDICT_AMBIGUOUS;
        if (item_shape_differs(item, &tensor)) {
            judgement_of_shape(j, item, tensor);
            return VERDICT_MISMATCH;
        }
        return VERDICT_REJECTED_VALID;
    case TS_UNSUPPORTED: return VERDICT_UNSUPPORTED;
    case TS_OK:
        if (is_illegal(x, item) && !item_breaks_open(x, item))
            return VERDICT_ACCEPTED_INVALID;
        if (c->invalid) /* the outputs decide whether it kept the contract */
            return item_executes(item) ? VERDICT_NONE : VERDICT_AMBIGUOUS;
        if (item_shape_differs(item, &tensor) && !c->ambiguous) {
            if (item->open_shape && x->options.decisions == TS_DECISIONS_OPEN)
                return VERDICT_AMBIGUOUS;
            judgement_of_shape(j, item, tensor);
            return VERDICT_MISMATCH;
        }
        return VERDICT_NONE;
    case TS_CRASHED: return VERDICT_CRASH;
    default: return VERDICT_LOST;
    }
}

/* Execute a failing case again: once, to detect that it does not fail each time; more often, for a failure rate, where
   it gets a finding. */
static void rerun_failing(executor *x, execute_item *item, rerun_stats *t, bool has_finding)
{
    const double began = has_finding ? platform_seconds() : 0;
    while (t->executed < (has_finding ? FAILING_EXECUTIONS : 2) && item_rerun(x, item, t))
        if (has_finding && t->executed >= 2 && platform_seconds() - began > FAILING_SECONDS)
            break;
}

/* Put x->source.lookup at the item's case. Only findings and observations need its id and parameters. */
static bool look_up(executor *x, const execute_item *item, error *e)
{
    uint64_t index = item->instance->index;
    return space_start(&x->source.lookup, x->source.build.test->space, index, index + 1, NULL, NULL)
               ? true
               : error_set(e, "%s: case %llu cannot be found again", x->source.build.test->name,
                           (unsigned long long)index);
}

static bool observe(executor *x, const execute_item *item, chunk *c, const char *kind, const char *detail, error *e)
{
    chunk_observation *o = chunk_observe(c, kind);
    if (!o)
        return true;
    if (o->cases == 0) {
        if (!look_up(x, item, e))
            return false;
        space_format_id(&x->source.lookup, o->example, sizeof o->example);
        snprintf(o->detail, sizeof o->detail, "%s", detail);
    }
    o->cases++;
    return true;
}

/* Count how the backend behaved where the specification leaves the behaviour open. */
static bool observe_open(executor *x, execute_item *item, chunk *c, error *e)
{
    char kind[sizeof c->observations[0].kind], detail[sizeof c->observations[0].detail];
    observed_subject entries[OBSERVED_MOST];
    const size_t count = observed_entries(item, entries);
    for (size_t i = 0; i < count; ++i) {
        observed_describe(x, item, &entries[i], kind, sizeof kind, detail, sizeof detail);
        if (!observe(x, item, c, kind, detail, e))
            return false;
    }
    return true;
}

/* Count a write to the gaps of an output, and describe the first. */
static bool observe_gap_write(executor *x, const execute_item *item, chunk *c, error *e)
{
    static const char kind[] = "gap-write";
    const chunk_observation *seen = chunk_observe(c, kind);
    char detail[sizeof seen->detail] = "";
    if (seen && seen->cases == 0)
        place_describe_gap_write(item, detail, sizeof detail);
    return observe(x, item, c, kind, detail, e);
}

/* A failing case that claims to be legal and is not is an error of the suite. */
static bool check_legal(const execute_item *item, const char *id, error *e)
{
    ts_report report = { 0 };
    if (item->instance->invalid || item->instance->ambiguous)
        return true;
    operator_check(&item->instance->descriptor, &report);
    return operator_graver(report.worst, TS_RESULT_UNSPECIFIED)
               ? error_set(e, "%s: the case file makes an illegal case: %s: %s", id, report.items[0].clause,
                           report.items[0].text)
               : true;
}

/* The class of a case that the backend could not be asked about, as text: one finding stands for all of its cases.
   False for any other case. */
static bool class_of_failure(const execute_item *item, char *buf, size_t size)
{
    return item->phase == ITEM_IN_QUERY && support_class(&item->instance->descriptor, buf, size);
}

/* Had the case wrong outputs in its submission, and another result whenever it was executed again, so that another call
   of the submission may have written to its outputs? */
static bool may_be_overwritten(const executor *x, const rerun_stats *t)
{
    return x->batch.submitted > 1 && x->options.repeat <= 1 && t->kind_count == 2 && t->kinds[0].times == 1 &&
           t->kinds[1].times == t->executed - 1 && t->kinds[0].verdict == VERDICT_MISMATCH &&
           t->kinds[1].verdict != VERDICT_MISMATCH;
}

static bool record_failure(executor *x, execute_item *item, const judgement *j, verdict *v, chunk *c, error *e);

/* Execute the items of the submission one by one, but those that failed: one that writes outside of its tensors when it
   is alone wrote to those of others. Those before `at` are recorded already, and a writer among them is recorded anew;
   the others have the results of being alone. */
static bool separate(executor *x, size_t at, chunk *c, error *e)
{
    batch *b = &x->batch;
    judgement j;
    bool compared, fine = true;
    b->separated = true;
    for (size_t k = 0; fine && k < b->submitted && !item_process_lost(x); ++k) {
        execute_item *item = &b->items[k];
        const size_t place = c->cases - (at - k); /* of an item that is recorded */
        verdict v = k < at ? (verdict)c->verdicts[place] : item_verdict(x, item, &j, &compared);
        item_hide_expected(item);
        if (k == at || verdict_fails(v) || !item_executes(item) || !item_can_rerun(item, v))
            continue;
        item_reset_subject(item, 0);
        item_submit(x, item, 1);
        v = item_verdict(x, item, &j, &compared);
        const bool writes = v == VERDICT_WROTE_OUTSIDE || v == VERDICT_MODIFIED_INPUT;
        b->has_writer |= writes;
        if (writes && k < at && (fine = record_failure(x, item, &j, &v, c, e)))
            chunk_change(c, place, item->instance->index, operator_dtype(&item->instance->descriptor), item->level, v);
        item_hide_expected(item);
    }
    return fine;
}

/* Execute a failing case again. Where it failed because another call of its submission wrote to its outputs, *alone is
   its result without the others; else alone->times is 0. */
static bool settle(executor *x, execute_item *item, rerun_stats *seen, bool has_finding, rerun_stats_kind *alone,
                   chunk *c, error *e)
{
    alone->times = 0;
    if (seen->executed && rerun_stats_agree(seen) && !x->range.no_reruns)
        rerun_failing(x, item, seen, has_finding);
    if (!may_be_overwritten(x, seen))
        return true;
    if (!x->batch.separated && !separate(x, (size_t)(item - x->batch.items), c, e))
        return false;
    if (x->batch.has_writer)
        *alone = seen->kinds[1];
    return true;
}

/* Add the finding of a failing case, and take what was rendered of it. waived: or NULL. class: or NULL. */
static bool add_finding(executor *x, execute_item *item, const judgement *j, verdict v, const char *id, char *rendered,
                        const waiver *waived, const char *class, chunk *c, error *e)
{
    store_finding *f = chunk_add_finding(c);
    if (!f) {
        free(rendered);
        return error_set(e, "out of memory");
    }
    f->tensors = rendered;
    if (!finding_describe(x, item, j, v, id, f, e))
        return false;
    if (waived)
        finding_waive(f, waived);
    if (!class)
        return true;
    f->class = strdup(class);
    f->stands_for = 1;
    return f->class ? true : error_set(e, "out of memory");
}

/* Rerun a failing case, and add its finding if there is room. *v: the verdict, changed where the case does not fail
   each time, or fails because of another call of its submission, or is waived. */
static bool record_failure(executor *x, execute_item *item, const judgement *j, verdict *v, chunk *c, error *e)
{
    char id[CASE_ID_SIZE], class[512];
    if (!look_up(x, item, e))
        return false;
    const waiver *waived =
        x->source.waivers ? waivers_find(x->source.waivers, item->instance->index, x->source.lookup.values) : NULL;
    uint64_t *room = waived ? &x->range.waived_findings : &x->range.findings;
    const bool of_class = !waived && class_of_failure(item, class, sizeof class);
    bool has_finding = of_class || *room > 0;
    space_format_id(&x->source.lookup, id, sizeof id);
    if (!check_legal(item, id, e))
        return false;
    store_finding *first = of_class ? chunk_find_class(c, class, *v) : NULL;
    if (first) {
        first->stands_for++;
        return true;
    }
    rerun_stats own = { .executed = 0 },
                *seen = x->batch.rerun && !item->other_data ? &x->batch.rerun_stats[item - x->batch.items] : &own;
    rerun_stats_kind alone;
    /* Where the executions differ, the last one, whose tensors are in the buffers, need not have failed. */
    char *rendered = has_finding && rerun_stats_agree(seen) ? finding_render(x, item) : NULL;
    if (seen->executed == 0 && item_can_rerun(item, *v))
        rerun_stats_add(seen, *v, j);
    if (!settle(x, item, seen, has_finding, &alone, c, e)) {
        free(rendered);
        return false;
    }
    item->rerun_stats = !alone.times && seen->executed && !rerun_stats_agree(seen) ? seen : NULL;
    has_finding = of_class || *room > 0; /* a writer may have taken the room */
    if (item->rerun_stats)
        *v = VERDICT_NONDETERMINISTIC;
    if (alone.times) {
        free(rendered);
        *v = alone.verdict;
        j = &alone.judgement;
        rendered = verdict_fails(*v) && has_finding ? finding_render(x, item) : NULL;
    }
    if (!verdict_fails(*v))
        return true;
    if (!has_finding)
        free(rendered);
    else if (!add_finding(x, item, j, *v, id, rendered, waived, of_class ? class : NULL, c, e))
        return false;
    if (has_finding && !of_class)
        --*room;
    item->rerun_stats = NULL; /* may point to `own` */
    if (waived)
        *v = VERDICT_WAIVED;
    return true;
}

verdict item_judge(executor *x, execute_item *item, judgement *j, bool *compared)
{
    const ts_descriptor *d = &item->instance->descriptor;
    item_expect(item);
    verdict v = status_verdict(x, item, j);
    const bool asked_only = item->asked_only || item->instance->asked;
    *compared = v == VERDICT_NONE && !asked_only;
    if (v != VERDICT_NONE)
        return v;
    if (asked_only || compare_buffers_equal(d->op, d, item->places))
        return VERDICT_PASS;
    const ts_marks *marks = item_marks(x, item);
    const ts_descriptor results = item_results(item);
    compare_buffers_explain(d->op, &results, item->places, marks, j);
    return j->verdict;
}

verdict item_verdict(executor *x, execute_item *item, judgement *j, bool *compared)
{
    const verdict v = item_judge(x, item, j, compared);
    const bool of_values = *compared && v != VERDICT_WROTE_OUTSIDE && v != VERDICT_MODIFIED_INPUT;
    if (of_values && (item->instance->ambiguous || item->instance->computed))
        return VERDICT_AMBIGUOUS;
    return (of_values || v == VERDICT_PASS) && case_is_unjudged(item->instance) ? VERDICT_NOT_JUDGED : v;
}

/* The backend does not answer a call that only asks whether it accepts a descriptor. */
static bool observe_unanswered(executor *x, const execute_item *item, chunk *c, error *e)
{
    return observe(x, item, c, OBSERVED_UNANSWERED, *item->note ? item->note : "it gave no reason", e);
}

bool item_record(executor *x, execute_item *item, chunk *c, error *e)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const case_instance *instance = item->instance;
    judgement j;
    bool compared;
    const rerun_stats *seen = x->batch.rerun ? &x->batch.rerun_stats[item - x->batch.items] : NULL;
    const bool differs = seen && !rerun_stats_agree(seen);
    verdict v = differs || x->range.no_reruns ? item_verdict(x, item, &j, &compared)
                                              : item_conclude(x, item, &j, &compared);
    if (item_executes(item) && !item_check_example(item, e))
        return false;
    if (compared) {
        if (j.gap_write && !observe_gap_write(x, item, c, e))
            return false;
        /* In a failing case the elements that differ need not be the open ones. */
        if (!verdict_fails(v) && !observe_open(x, item, c, e))
            return false;
    } else if (v == VERDICT_AMBIGUOUS && !observe_open(x, item, c, e)) {
        return false;
    } else if (v == VERDICT_UNSUPPORTED && !item_executes(item) && !observe_unanswered(x, item, c, e)) {
        return false;
    }
    if (differs) {
        v = VERDICT_NONDETERMINISTIC;
        j = rerun_stats_odd(seen)->judgement;
    }
    if (x->range.asked->suspicion && !verdict_fails(v)) {
        v = j.verdict = VERDICT_NONDETERMINISTIC;
        item->failure = x->range.asked->suspicion;
    }
    if (instance->invalid)
        chunk_break(c, instance->invalid, v == VERDICT_PASS || (v == VERDICT_AMBIGUOUS && item->status == TS_REJECTED));
    if (verdict_fails(v)) {
        if (!record_failure(x, item, &j, &v, c, e))
            return false;
        if (verdict_is_clean(v) && !observe_open(x, item, c, e)) /* alone it does not fail */
            return false;
    }
    return chunk_add(c, instance->index, operator_dtype(d), item->level, v, e);
}

bool item_check_example(execute_item *item, error *e)
{
    const case_example *x = item->instance->example;
    const ts_descriptor *d = &item->instance->descriptor;
    if (d->profile != TS_PROFILE_DEFAULT)
        return true;
    for (unsigned t = 0; x && t < d->op->tensor_count; ++t) {
        if (!x->data[t] || d->op->tensors[t].role != TS_OUTPUT || !(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        unsigned char *expected = malloc(item->places[t].bytes + 1);
        ts_tensor page = item_tensor(item, t);
        if (!expected)
            return error_set(e, "out of memory");
        memcpy(expected, item->places[t].golden, item->places[t].bytes);
        page.data = expected;
        bool fine = descriptor_data_from_json(&page, x->name, x->data[t], e);
        if (fine && memcmp(expected, item->places[t].golden, item->places[t].bytes) != 0)
            fine = error_set(e, "%s: example '%s': the reference does not give the %s that the page shows", d->op->name,
                             x->name, d->op->tensors[t].name);
        free(expected);
        if (!fine)
            return false;
    }
    return true;
}
