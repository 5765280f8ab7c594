/* SPDX-License-Identifier: Apache-2.0 */
/* What came of a case that was executed: its verdict, what is observed in it, and what is kept of a failure. */
#include "harness/execute/observed.h"
#include "harness/model/descriptor.h"
#include "harness/execute/execute_item.h"
#include "harness/execute/finding.h"
#include "harness/casefile/waivers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FAILING_TRIES 16  /* executions of a failing case that is kept in full, so that its finding knows how often */
#define TRY_SECONDS   0.5 /* but not much longer than this */

/* The verdict of a status alone, or VERDICT_NONE where the outputs decide. */
static verdict compare_buffers_status(const executor *x, const execute_item *item, judgement *j)
{
    const case_instance *c = item->instance;
    unsigned tensor;
    memset(j, 0, sizeof *j);
    j->tensor = -1;
    if (item->told)
        return item->told;
    if (item->faulted && item->fault.signal == 0)
        return VERDICT_HANG;
    if (item->faulted) {
        int slot = item->fault.touched ? arena_guards(&x->arena, item->fault.address, 1u << 16) : -1;
        if (slot < 0)
            return VERDICT_CRASH;
        j->tensor = slot % TS_MAX_TENSORS;
        return item->fault.write ? VERDICT_WROTE_OUTSIDE : VERDICT_READ_OUTSIDE;
    }
    switch (item->status) {
    case TS_REJECTED:
        if (c->invalid)
            return VERDICT_PASS;
        if (c->ambiguous)
            return VERDICT_AMBIGUOUS;
        if (item_shape_differs(item, &tensor)) {
            j->tensor = (int)tensor;
            return VERDICT_MISMATCH;
        }
        return VERDICT_REJECTED_VALID;
    case TS_UNSUPPORTED: return VERDICT_UNSUPPORTED;
    case TS_OK:
        if (c->invalid)
            return VERDICT_ACCEPTED_INVALID;
        if (item_shape_differs(item, &tensor) && !c->ambiguous) {
            j->tensor = (int)tensor;
            return VERDICT_MISMATCH;
        }
        return VERDICT_NONE;
    default: return VERDICT_LOST;
    }
}

/* Execute a failing case again: once, to tell whether it fails each time; and often enough for a rate where its finding
   is kept. */
static void try_failing(executor *x, execute_item *item, rerun_stats *t, bool keep)
{
    const double began = keep ? platform_seconds() : 0;
    while (t->executed < (keep ? FAILING_TRIES : 2) && item_try_again(x, item, t))
        if (keep && t->executed >= 2 && platform_seconds() - began > TRY_SECONDS)
            break;
}

/* Only what must be told needs the point's values: put x->there at the item's case. */
static bool go_there(executor *x, const execute_item *item, error *e)
{
    uint64_t index = item->instance->index;
    return space_start(&x->there, x->build.test->space, index, index + 1, NULL, NULL)
               ? true
               : error_set(e, "%s: case %llu cannot be found again", x->build.test->name, (unsigned long long)index);
}

static bool observe(executor *x, const execute_item *item, chunk *c, const char *kind, const char *detail, error *e)
{
    chunk_observation *o = chunk_observe(c, kind);
    if (!o)
        return true;
    if (o->cases == 0) {
        if (!go_there(x, item, e))
            return false;
        space_format_id(&x->there, o->example, sizeof o->example);
        snprintf(o->detail, sizeof o->detail, "%s", detail);
    }
    o->cases++;
    return true;
}

/* What came where the text leaves it open. */
static bool observe_answer(executor *x, execute_item *item, chunk *c, error *e)
{
    char kind[sizeof c->observations[0].kind], detail[sizeof c->observations[0].detail];
    const char *entry = observed_entry(item);
    if (!entry)
        return true;
    observed_describe(item, entry, kind, sizeof kind, detail, sizeof detail);
    return observe(x, item, c, kind, detail, e);
}

/* First our own house: a case that is not what it claims to be is no one's fault but the suite's. */
static bool check_claim(const execute_item *item, const char *id, error *e)
{
    ts_report report = { 0 };
    if (item->instance->invalid || item->instance->ambiguous)
        return true;
    item->instance->descriptor.op->check(&item->instance->descriptor, &report);
    return operator_graver(report.worst, TS_RESULT_UNSPECIFIED)
               ? error_set(e, "%s: the case file makes an illegal case: %s: %s", id, report.items[0].clause,
                           report.items[0].text)
               : true;
}

/* Find out all there is to know of a failing case, and keep it if there is room. */
static bool keep_failure(executor *x, execute_item *item, const judgement *j, verdict *v, chunk *c, error *e)
{
    char id[CASE_ID_SIZE];
    if (!go_there(x, item, e))
        return false;
    const waiver *waived = x->waivers ? waivers_find(x->waivers, item->instance->index, x->there.values) : NULL;
    uint64_t *room = waived ? &x->waived_findings : &x->findings;
    bool keep = *room > 0;
    space_format_id(&x->there, id, sizeof id);
    if (!check_claim(item, id, e))
        return false;
    rerun_stats own = { .executed = 0 }, *seen = x->tried ? &x->rerun_stats[item - x->items] : &own;
    char *drawn =
        keep && rerun_stats_agree(seen) ? finding_draw(x, item) : NULL; /* else the last one need not have failed */
    if (seen->executed == 0 && item_can_try_again(item, *v))
        rerun_stats_add(seen, *v, j);
    if (seen->executed && rerun_stats_agree(seen) && !x->still)
        try_failing(x, item, seen, keep);
    item->rerun_stats = seen->executed && !rerun_stats_agree(seen) ? seen : NULL;
    if (item->rerun_stats)
        *v = VERDICT_NONDETERMINISTIC;
    if (keep) {
        store_finding *f = chunk_find(c);
        if (!f) {
            free(drawn);
            return error_set(e, "out of memory");
        }
        f->tensors = drawn;
        finding_tell(x, item, j, *v, id, f);
        if (waived)
            finding_waive(f, waived);
        --*room;
    }
    item->rerun_stats = NULL; /* it may be this function's own */
    if (waived)
        *v = VERDICT_WAIVED;
    return true;
}

verdict item_judge(executor *x, execute_item *item, judgement *j, bool *compared)
{
    const ts_descriptor *d = &item->instance->descriptor;
    verdict v = compare_buffers_status(x, item, j);
    *compared = v == VERDICT_NONE && !item->asked_only;
    if (v != VERDICT_NONE)
        return v;
    if (item->asked_only || compare_buffers_equal(d->op, d, item->places))
        return VERDICT_PASS;
    compare_buffers_explain(d->op, d, item->places, item_undefined_map(x, item), j);
    return j->verdict;
}

verdict item_verdict(executor *x, execute_item *item, judgement *j, bool *compared)
{
    verdict v = item_judge(x, item, j, compared);
    return *compared && item->instance->ambiguous && v != VERDICT_WROTE_OUTSIDE && v != VERDICT_MODIFIED_INPUT
               ? VERDICT_AMBIGUOUS
               : v;
}

bool item_book(executor *x, execute_item *item, chunk *c, error *e)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const case_instance *instance = item->instance;
    judgement j;
    bool compared;
    verdict v = item_verdict(x, item, &j, &compared);
    if (compared) {
        if (j.gap_write && !observe(x, item, c, "gap-write", "", e))
            return false;
        /* Of a case that fails, what differs need not be what is undefined. */
        if (!verdict_fails(v) && !observe_answer(x, item, c, e))
            return false;
    } else if (v == VERDICT_AMBIGUOUS && !observe_answer(x, item, c, e)) {
        return false;
    }
    const rerun_stats *seen = x->tried ? &x->rerun_stats[item - x->items] : NULL;
    if (seen && !rerun_stats_agree(seen)) {
        v = VERDICT_NONDETERMINISTIC;
        j = rerun_stats_odd(seen)->judgement;
    }
    if (x->range->suspicion && !verdict_fails(v)) {
        v = j.verdict = VERDICT_NONDETERMINISTIC;
        item->ended = x->range->suspicion;
    }
    if (instance->invalid)
        chunk_break(c, instance->invalid, v == VERDICT_PASS);
    if (verdict_fails(v) && !keep_failure(x, item, &j, &v, c, e))
        return false;
    return chunk_add(c, instance->index, d->tensors[0].dtype, item->level, v, e);
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
        ts_tensor page = d->tensors[t];
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
