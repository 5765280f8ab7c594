/* SPDX-License-Identifier: Apache-2.0 */
/* Cases that are executed more than once: whoever computes the same each time has one outcome. */
#include "harness/execute_item.h"

#include <string.h>

bool item_try_again(executor *x, execute_item *item, tries *t)
{
    judgement j;
    bool compared;
    if (item_executes(item))
        item_reset_subject(item, 0);
    item_submit(x, item, 1);
    const verdict v = item_verdict(x, item, &j, &compared);
    tries_add(t, v, &j);
    return !(x->options.isolated && x->spoiled);
}

static void count(executor *x, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        judgement j;
        bool compared;
        const verdict v = item_verdict(x, &x->items[i], &j, &compared);
        tries_add(&x->tries[i], v, &j);
    }
}

/* Are these submitted together at all, and is the process still fit for it? */
static bool fit(const executor *x)
{
    const execute_item *first = &x->items[0];
    return !first->told && first->when == ITEM_WHEN_SUBMITTED && !(x->options.isolated && x->spoiled);
}

void item_repeat(executor *x, size_t n)
{
    memset(x->tries, 0, n * sizeof *x->tries);
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
