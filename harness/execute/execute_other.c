/* SPDX-License-Identifier: Apache-2.0 */
/* One further execution of a drawn share of the cases, with other data: all other executions of a case have the same,
   so that a backend could answer from what it remembers of them. */
#include "harness/execute/execute_item.h"

#define SHARE      64 /* one case of so many has a further execution */
#define OTHER_DRAW UINT64_C(0x6C8E9CF570932BD5)

/* What decides whether a case is drawn, and its other data. */
static uint64_t draw(const executor *x, const execute_item *item)
{
    return fill_mix(item->instance->key ^ fill_mix(x->options.seed + OTHER_DRAW));
}

/* Is tensor t an input of random bits, of which any others do as well? Data that a case file states, such as indices,
   stay. */
static bool is_random(const executor *x, const execute_item *item, unsigned t)
{
    const case_instance *c = item->instance;
    return c->descriptor.op->tensors[t].role == TS_INPUT && (c->descriptor.tensors[t].given & TS_GIVEN_TENSOR) &&
           c->fills[t] == FILL_BITS && !x->source.build.test->family->bind.tensors[t].data;
}

/* Has the case inputs of random bits, and does nothing but the values of outputs follow from them? */
static bool has_other_data(const executor *x, const execute_item *item)
{
    const case_test *t = x->source.build.test;
    const case_instance *c = item->instance;
    const ts_operator *op = c->descriptor.op;
    bool random = false;
    if (!item_executes(item) || item->asked_only || c->example || c->ambiguous || case_is_unjudged(c) || t->sparse ||
        t->in_place || t->fresh || case_is_preceded(t))
        return false;
    for (unsigned i = 0; i < op->tensor_count; ++i) {
        if (operator_dependent(op, i))
            return false;
        random |= is_random(x, item, i);
    }
    return random;
}

/* Execute the item with other data, which it has from then on, and return the verdict of that. */
static verdict execute_other(executor *x, execute_item *item, judgement *j, bool *compared)
{
    const ts_descriptor *d = &item->instance->descriptor;
    const uint64_t key = fill_mix(draw(x, item));
    item_hide_all(x, x->batch.submitted);
    item_hide_expected(item);
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (is_random(x, item, t))
            fill_buffer(FILL_BITS, d->tensors[t].dtype, item->places[t].golden, d->tensors[t].total_bytes, key + t);
    item_reset_subject(item, 0);
    item_submit(x, item, 1);
    return item_verdict(x, item, j, compared);
}

verdict item_conclude(executor *x, execute_item *item, judgement *j, bool *compared)
{
    judgement other;
    bool other_compared;
    const verdict v = item_verdict(x, item, j, compared);
    if (v != VERDICT_PASS || !*compared || draw(x, item) % SHARE != 0 || !has_other_data(x, item) ||
        item_process_lost(x))
        return v;
    const verdict w = execute_other(x, item, &other, &other_compared);
    item->other_data = verdict_fails(w);
    if (!item->other_data)
        return v;
    *j = other;
    *compared = other_compared;
    return w;
}
