/* SPDX-License-Identifier: Apache-2.0 */
/* Cases that are executed more than once: whoever computes the same each time has one outcome. */
#include "harness/execute/execute_item.h"

#include <string.h>

bool item_can_try_again(const execute_item *item, verdict v)
{
    return !item->ended && !item->faulted && item->when == ITEM_WHEN_SUBMITTED && v != VERDICT_LOST;
}

bool item_try_again(executor *x, execute_item *item, rerun_stats *t)
{
    judgement j;
    bool compared;
    if (item_executes(item))
        item_reset_subject(item, 0);
    item_submit(x, item, 1);
    const verdict v = item_verdict(x, item, &j, &compared);
    rerun_stats_add(t, v, &j);
    return !(x->options.isolated && x->tainted);
}

static void count(executor *x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        judgement j;
        bool compared;
        const verdict v = item_verdict(x, &x->items[i], &j, &compared);
        rerun_stats_add(&x->rerun_stats[i], v, &j);
    }
}

/* Are these submitted together at all, and is the process still fit for it? */
static bool fit(const executor *x)
{
    const execute_item *first = &x->items[0];
    return !first->told && first->when == ITEM_WHEN_SUBMITTED && !(x->options.isolated && x->tainted);
}

void item_repeat(executor *x, size_t n)
{
    memset(x->rerun_stats, 0, n * sizeof *x->rerun_stats);
    if (!fit(x))
        return;
    count(x, n);
    for (uint64_t k = 1; k < x->options.repeat; ++k) {
        for (size_t i = 0; i < n; ++i)
            if (item_executes(&x->items[i]))
                item_reset_subject(&x->items[i], 0);
        item_submit(x, x->items, n);
        if (!fit(x) && n > 1) /* whose doing it was is found out with each of them alone */
            return;
        count(x, n);
        if (!fit(x))
            return;
    }
}

void item_repeat_failing(executor *x, size_t n)
{
    size_t failed = 0;
    judgement j;
    bool compared;
    memset(x->rerun_stats, 0, n * sizeof *x->rerun_stats);
    if (!fit(x))
        return;
    for (size_t i = 0; i < n; ++i) {
        const verdict v = item_verdict(x, &x->items[i], &j, &compared);
        if (!verdict_fails(v) || !item_can_try_again(&x->items[i], v))
            continue;
        rerun_stats_add(&x->rerun_stats[i], v, &j);
        if (item_executes(&x->items[i]))
            item_reset_subject(&x->items[i], 0);
        x->again[failed++] = x->items[i];
    }
    if (failed == 0)
        return;
    item_submit(x, x->again, failed);
    if (failed > 1 && x->options.isolated && x->tainted) { /* as above */
        x->items[0].faulted = true;
        x->items[0].fault = x->again[0].fault;
        return;
    }
    for (size_t i = 0, k = 0; k < failed; ++i) {
        if (x->rerun_stats[i].executed == 0)
            continue;
        x->items[i] = x->again[k++];
        const verdict v = item_verdict(x, &x->items[i], &j, &compared);
        rerun_stats_add(&x->rerun_stats[i], v, &j);
    }
}
