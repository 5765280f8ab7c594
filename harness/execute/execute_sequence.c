/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a test makes before each of its cases (`after` in a case file): what a backend caches from them, such
   as a descriptor or an output, must not affect the case. Their outputs are not compared: other tests do that. */
#include "harness/execute/execute_item.h"

#include <string.h>

#define OTHER_DATA UINT64_C(0xA5A5C3C3F00DBEEF)

static bool make_call(executor *x, execute_item *item, error *e)
{
    if (!item_prepare(x, item, e))
        return false;
    item_submit(x, item, 1);
    return true;
}

/* Make the call of the first legal case from this index on, with the same data; after the last case, of the first. */
static bool call_other(executor *x, execute_item *item, uint64_t from, error *e)
{
    const case_test *t = x->source.build.test;
    const execute_item here = *item;
    const casebuild build = x->source.build;
    void *token = item->token;
    execute_class_at at[SPACE_MAX_INNER];
    memcpy(at, x->source.at, sizeof at);
    bool fine = true;
    if (space_start(&x->source.lookup, t->space, from, UINT64_MAX, item_gate, x) ||
        space_start(&x->source.lookup, t->space, 0, UINT64_MAX, item_gate, x)) {
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

static bool make_all_calls(executor *x, execute_item *item, error *e)
{
    const case_test *t = x->source.build.test;
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
