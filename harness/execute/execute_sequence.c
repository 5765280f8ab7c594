/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a test makes before each of its cases (`after` and `preceded` in a case file): what a backend caches
   from them, such as a descriptor or an output, must not affect the case. Their outputs are not compared: other tests
   do that. */
#include "harness/execute/execute_item.h"
#include "harness/casefile/variant.h"

#include <string.h>

#define OTHER_DATA   UINT64_C(0xA5A5C3C3F00DBEEF)
#define MOST_VARIANT (UINT64_C(1) << 22) /* bytes of a tensor of a call before a drawn case */

static bool make_call(executor *x, execute_item *item, error *e)
{
    if (item_executes(item) && !item_lay_out(x, item, e))
        return false;
    item_submit(x, item, 1);
    return true;
}

/* Make the call of the first legal case from this index on, with the same data; after the last case, of the first. What
   of the test is in the tier, and what a query selects, does not matter: the calls of a case are always the same. */
static bool call_other(executor *x, execute_item *item, uint64_t from, error *e)
{
    const case_test *t = x->source.build.test;
    const execute_item here = *item;
    const casebuild build = x->source.build;
    void *token = item->token;
    execute_class_at at[SPACE_MAX_INNER];
    memcpy(at, x->source.at, sizeof at);
    bool fine = true;
    if (space_start_whole(&x->source.lookup, t->space, from, item_gate, x) ||
        space_start_whole(&x->source.lookup, t->space, 0, item_gate, x)) {
        casebuild_init(&x->source.build, t, x->options.profile, x->options.level, &x->source.fills);
        fine = casebuild_case(&x->source.build, &x->source.lookup, e);
        x->source.build.now.key = build.now.key;
        const execute_class *class = item_class(x, &x->source.lookup);
        item->token = class ? class->token : NULL;
        fine = fine && make_call(x, item, e);
    }
    x->source.build = build;
    memcpy(x->source.at, at, sizeof at);
    item->token = token;
    item->level = here.level;
    return fine;
}

/* Make the descriptor one that every operator refuses. */
static void spoil(ts_descriptor *d, uint64_t which)
{
    unsigned t = 0;
    for (unsigned i = 0; i < d->op->tensor_count; ++i) /* the last tensor, or the first */
        if ((d->tensors[i].given & TS_GIVEN_TENSOR) && which % 2 == 0)
            t = i;
    if (which / 2 % 2)
        d->tensors[t].rank = 0;
    else
        d->tensors[t].total_bytes = 0;
}

/* Does a count ask for more tensors than its list can have? What reads the call by its count reads beyond them. */
static bool exceeds_list(const ts_descriptor *d)
{
    for (unsigned i = 0; i < d->op->list_count; ++i)
        if (operator_attr_value(d, d->op->lists[i].count, 0) > d->op->lists[i].most)
            return true;
    return false;
}

/* Build the point of `at` as the item's case. False if it has none: then no call is made. */
static bool build_variant(executor *x, execute_item *item, space_cursor *at, const variant *v)
{
    const case_test *t = x->source.build.test;
    ts_report report = { 0 };
    error e;
    if (!item_gate(x, at->values, 0))
        return false;
    casebuild_init(&x->source.build, t, x->options.profile, x->options.level, &x->source.fills);
    if (!casebuild_case(&x->source.build, at, &e))
        return false;
    ts_descriptor *d = &x->source.build.now.descriptor;
    if (exceeds_list(d))
        return false;
    if (v->kind == VARIANT_REFUSED)
        spoil(d, v->which);
    operator_check(d, &report);
    if (operator_graver(report.worst, TS_RESULT_WARNING)) /* a call that has to be refused */
        x->source.build.now.invalid = report.items[0].clause;
    for (unsigned i = 0; i < d->op->tensor_count; ++i)
        if ((d->tensors[i].given & TS_GIVEN_TENSOR) && d->tensors[i].total_bytes > MOST_VARIANT)
            return false;
    const execute_class *class = item_class(x, at);
    item->token = class ? class->token : NULL;
    return !execute_class_fails(class);
}

/* Make the calls before a case of a drawn test. Those that differ from each other are built one by one. */
static bool call_variants(executor *x, execute_item *item, error *e)
{
    const casebuild build = x->source.build;
    const space *s = build.test->space;
    const variant v = variant_read(s, build.values);
    void *token = item->token;
    const ts_level level = item->level;
    execute_class_at at[SPACE_MAX_INNER];
    space_cursor *point = &x->source.lookup;
    bool fine = true, possible = false;
    memcpy(at, x->source.at, sizeof at);
    memset(point, 0, offsetof(space_cursor, pending));
    point->space = s;
    point->index = build.now.index;
    point->new_class = true;
    for (int64_t i = 0; fine && i < v.times && !item_process_lost(x); ++i) {
        if (i == 0 || v.kind == VARIANT_OTHERS) {
            variant_values(s, &v, (uint64_t)i, build.values, point->values);
            possible = build_variant(x, item, point, &v);
        } else if (possible && v.kind != VARIANT_DATA) { /* the same call again */
            if (item_executes(item))
                item_reset_subject(item, 0);
            item_submit(x, item, 1);
            continue;
        }
        x->source.build.now.key = build.now.key ^ (v.kind == VARIANT_DATA ? OTHER_DATA + (uint64_t)i : 0);
        fine = !possible || make_call(x, item, e);
        if (!fine && e->status == EXIT_BAD_USAGE) { /* its data do not fit: there is no such call */
            possible = false;
            fine = true;
        }
    }
    x->source.build = build;
    memcpy(x->source.at, at, sizeof at);
    item->token = token;
    item->level = level;
    return fine;
}

static bool make_all_calls(executor *x, execute_item *item, error *e)
{
    const case_test *t = x->source.build.test;
    if (t->preceded)
        return call_variants(x, item, e);
    for (unsigned i = 0; i < t->after_count; ++i) {
        const uint64_t key = x->source.build.now.key;
        bool fine;
        if (t->after[i] == AFTER_OTHER || t->after[i] == AFTER_CLASS) {
            const uint64_t index = x->source.build.now.index;
            fine = call_other(x, item, t->after[i] == AFTER_OTHER ? index + 1 : space_next_class(t->space, index), e);
        } else {
            x->source.build.now.key ^= t->after[i] == AFTER_DATA ? OTHER_DATA : 0;
            fine = make_call(x, item, e);
            x->source.build.now.key = key;
        }
        if (!fine)
            return false;
    }
    return true;
}

bool item_run_preceding(executor *x, execute_item *item, error *e)
{
    watchdog_set_cases(x->options.watchdog, item->watch_id, item->watch_id, false);
    x->range.in_preceding = true;
    bool fine = make_all_calls(x, item, e);
    x->range.in_preceding = false;
    return fine;
}
