/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/case_view.h"

#include <inttypes.h>
#include <string.h>

bool case_view_open(case_view *c, const char *id, uint32_t profile, ts_level level, error *e)
{
    memset(c, 0, sizeof *c);
    if (!plan_make(&c->plan, &id, 1, TIER_EXHAUSTIVE, e))
        return false;
    const plan_item *item = c->plan.item_count == 1 ? &c->plan.items[0] : NULL;
    if (!item || item->end - item->first != 1 ||
        !space_start(&c->at, item->test->space, item->first, item->end, NULL, NULL))
        return error_usage(e, "'%s' names no single case; 'touchstone list' prints ids", id);
    c->test = item->test;
    space_format_id(&c->at, c->id, sizeof c->id);
    casebuild_init(&c->build, c->test, profile, level, NULL);
    if (!casebuild_case(&c->build, &c->at, e))
        return false;
    if (c->build.now.asked) { /* its tensors may be larger than any memory */
        c->value.descriptor = c->build.now.descriptor;
        return true;
    }
    return evaluate_begin_case(&c->value, &c->build.now.descriptor, c->test->sparse, e) &&
           (c->value.status != EVALUATE_OK || casebuild_fill_inputs(&c->build, &c->value.descriptor, e));
}

void case_view_close(case_view *c)
{
    evaluate_end(&c->value);
    plan_free(&c->plan);
}

bool case_view_executes(const case_view *c)
{
    return c->value.status == EVALUATE_OK && !c->build.now.invalid && !c->build.now.asked;
}

bool case_view_fits_text(const case_view *c, error *e)
{
    const ts_operator *op = c->build.now.descriptor.op;
    uint64_t count;
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        const ts_tensor *tensor = &c->value.descriptor.tensors[t];
        if (op->tensors[t].role == TS_INPUT && tensor->data &&
            (!tensor_element_count(tensor, &count) || count > CASE_VIEW_MOST_ELEMENTS))
            return error_usage(e, "%s has %" PRIu64 " elements; a record holds at most %" PRIu64,
                               op->tensors[t].name, count, CASE_VIEW_MOST_ELEMENTS);
    }
    return true;
}
