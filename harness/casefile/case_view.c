/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/case_view.h"
#include "harness/casefile/query_meant.h"

#include <inttypes.h>
#include <string.h>

/* Build the case at the cursor, if there is one. */
static bool build(case_view *c, bool more, bool *found, error *e)
{
    evaluate_end(&c->value);
    memset(&c->value, 0, sizeof c->value);
    *found = more;
    if (!more)
        return !space_failed(&c->at, e);
    space_format_id(&c->at, c->id, sizeof c->id);
    return casebuild_case(&c->build, &c->at, e);
}

static bool first(case_view *c, const plan_item *item, uint32_t profile, ts_level level, bool *found, error *e)
{
    const bool more = space_start(&c->at, item->test->space, item->first, item->end, NULL, NULL);
    c->test = item->test;
    casebuild_init(&c->build, c->test, profile, level, NULL);
    return build(c, more, found, e);
}

bool case_view_first(case_view *c, const plan_item *item, bool *found, error *e)
{
    return first(c, item, TS_PROFILE_DEFAULT, 0, found, e);
}

bool case_view_next(case_view *c, bool *found, error *e)
{
    return build(c, space_next(&c->at), found, e);
}

bool case_view_evaluate(case_view *c, error *e)
{
    case_instance *now = &c->build.now;
    if (now->asked) { /* its tensors may be larger than any memory */
        c->value.descriptor = now->descriptor;
        return true;
    }
    now->computed = case_breaks_open(now) && case_computes_open(now);
    const evaluate_how how = { .sparse = c->test->sparse, .computes = now->computed };
    if (!evaluate_begin_case(&c->value, &now->descriptor, how, e))
        return false;
    if (!c->value.runs || casebuild_fill_inputs(&c->build, &c->value.descriptor, e))
        return true;
    if (!now->computed || e->status != EXIT_BAD_USAGE)
        return false;
    now->computed = false; /* its data do not fit the change: a run only asks about its descriptor */
    evaluate_end(&c->value);
    return true;
}

static bool find(case_view *c, const char *id, uint32_t profile, ts_level level, error *e)
{
    bool found = false;
    char note[QUERY_NOTE_SIZE];
    memset(c, 0, sizeof *c);
    if (!plan_make(&c->plan, &id, 1, TIER_EXHAUSTIVE, e))
        return false;
    const plan_item *item = c->plan.item_count == 1 ? &c->plan.items[0] : NULL;
    if (item && item->end - item->first == 1 && !first(c, item, profile, level, &found, e))
        return false;
    return found ||
           error_usage(e, "'%s' names no single case; 'touchstone list' prints ids%s", id, query_note(&id, 1, note));
}

bool case_view_find(case_view *c, const char *id, error *e)
{
    return find(c, id, TS_PROFILE_DEFAULT, 0, e);
}

bool case_view_open(case_view *c, const char *id, uint32_t profile, ts_level level, error *e)
{
    return find(c, id, profile, level, e) && case_view_evaluate(c, e);
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

bool case_view_computes(const case_view *c)
{
    return case_view_executes(c) || c->build.now.computed;
}

bool case_view_fits_text(const case_view *c, error *e)
{
    const ts_operator *op = c->build.now.descriptor.op;
    uint64_t count;
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        const ts_tensor *tensor = &c->value.descriptor.tensors[t];
        if (op->tensors[t].role == TS_INPUT && tensor->data &&
            (!tensor_element_count(tensor, &count) || count > CASE_VIEW_MOST_ELEMENTS))
            return error_usage(e, "%s has %" PRIu64 " elements; a record holds at most %" PRIu64, op->tensors[t].name,
                               count, CASE_VIEW_MOST_ELEMENTS);
    }
    return true;
}
