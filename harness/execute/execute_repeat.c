/* SPDX-License-Identifier: Apache-2.0 */
/* Executing cases more than once: a deterministic backend gives the same result each time. */
#include "harness/execute/execute_item.h"

#include <string.h>

bool item_can_rerun(const execute_item *item, verdict v)
{
    return !item->failure && !item->faulted && item->phase == ITEM_IN_SUBMIT && v != VERDICT_LOST &&
           item->status != TS_CRASHED;
}

bool item_rerun(executor *x, execute_item *item, rerun_stats *t)
{
    judgement j;
    bool compared;
    item_hide_all(x, x->batch.submitted); /* none of the batch is in reach of the call */
    item_hide_expected(item);
    if (item_executes(item))
        item_reset_subject(item, 0);
    item_submit(x, item, 1);
    const verdict v = item_verdict(x, item, &j, &compared);
    rerun_stats_add(t, v, &j);
    return !item_process_lost(x);
}

static void count(executor *x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        judgement j;
        bool compared;
        const verdict v = item_verdict(x, &x->batch.items[i], &j, &compared);
        rerun_stats_add(&x->batch.rerun_stats[i], v, &j);
    }
}

/* Were the items submitted, and can the process execute them again? */
static bool repeatable(const executor *x)
{
    const execute_item *first = &x->batch.items[0];
    return !first->preset && first->phase == ITEM_IN_SUBMIT && !item_process_lost(x);
}

void item_repeat(executor *x, size_t n)
{
    memset(x->batch.rerun_stats, 0, n * sizeof *x->batch.rerun_stats);
    if (!repeatable(x))
        return;
    count(x, n);
    for (uint64_t k = 1; k < x->options.repeat; ++k) {
        item_hide_all(x, n);
        for (size_t i = 0; i < n; ++i)
            if (item_executes(&x->batch.items[i]))
                item_reset_subject(&x->batch.items[i], 0);
        item_submit(x, x->batch.items, n);
        if (!repeatable(x) && n > 1) /* which case caused the fault is unknown: the run submits each alone */
            return;
        count(x, n);
        if (!repeatable(x))
            return;
    }
}

void item_rerun_failing(executor *x, size_t n)
{
    size_t failed = 0;
    judgement j;
    bool compared;
    memset(x->batch.rerun_stats, 0, n * sizeof *x->batch.rerun_stats);
    if (!repeatable(x))
        return;
    for (size_t i = 0; i < n; ++i) {
        const verdict v = item_verdict(x, &x->batch.items[i], &j, &compared);
        if (!verdict_fails(v) || !item_can_rerun(&x->batch.items[i], v))
            continue;
        rerun_stats_add(&x->batch.rerun_stats[i], v, &j);
        item_hide_expected(&x->batch.items[i]);
        if (item_executes(&x->batch.items[i]))
            item_reset_subject(&x->batch.items[i], 0);
        x->batch.failing[failed++] = x->batch.items[i];
    }
    if (failed == 0)
        return;
    item_hide_all(x, n);
    item_submit(x, x->batch.failing, failed);
    if (failed > 1 && item_process_lost(x)) { /* as above */
        x->batch.items[0].faulted = true;
        x->batch.items[0].fault = x->batch.failing[0].fault;
        return;
    }
    for (size_t i = 0, k = 0; k < failed; ++i) {
        if (x->batch.rerun_stats[i].executed == 0)
            continue;
        x->batch.items[i] = x->batch.failing[k++];
        const verdict v = item_verdict(x, &x->batch.items[i], &j, &compared);
        rerun_stats_add(&x->batch.rerun_stats[i], v, &j);
    }
}
