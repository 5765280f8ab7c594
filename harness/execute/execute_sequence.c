/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that a test makes before each of its own (`after` in a case file): what a backend keeps of them, a cached
   descriptor or an answer, must not show. They are not judged; as cases of their own they are elsewhere. */
#include "harness/execute/execute_item.h"

#include <string.h>

#define OTHER_DATA UINT64_C(0xA5A5C3C3F00DBEEF)

static bool play(executor *x, execute_item *item, error *e)
{
    if (!item_prepare(x, item, e))
        return false;
    item_submit(x, item, 1);
    return true;
}

/* The first legal case of the test from this index on, with the same data. Behind the last one is the first. */
static bool play_other(executor *x, execute_item *item, uint64_t from, error *e)
{
    const case_test *t = x->build.test;
    const execute_item here = *item;
    const casebuild build = x->build;
    void *token = item->token;
    execute_class_at at[SPACE_MAX_INNER];
    memcpy(at, x->at, sizeof at);
    bool fine = true;
    if (space_start(&x->there, t->space, from, UINT64_MAX, item_gate, x) ||
        space_start(&x->there, t->space, 0, UINT64_MAX, item_gate, x)) {
        casebuild_init(&x->build, t, x->options.profile, x->options.level, &x->cache);
        fine = casebuild_case(&x->build, &x->there, e);
        x->build.now.key = build.now.key;
        const execute_class *class = item_class(x, &x->there);
        item->token = class ? class->token : NULL;
        fine = fine && play(x, item, e);
    }
    x->build = build;
    memcpy(x->at, at, sizeof at);
    item->token = token;
    item->level = here.level;
    return fine;
}

static bool play_all(executor *x, execute_item *item, error *e)
{
    const case_test *t = x->build.test;
    for (unsigned i = 0; i < t->after_count; ++i) {
        const uint64_t key = x->build.now.key;
        bool fine;
        if (t->after[i] == AFTER_OTHER || t->after[i] == AFTER_CLASS) {
            const uint64_t index = x->build.now.index;
            fine = play_other(x, item, t->after[i] == AFTER_OTHER ? index + 1 : space_next_class(t->space, index), e);
        } else {
            x->build.now.key ^= t->after[i] == AFTER_DATA ? OTHER_DATA : 0;
            fine = play(x, item, e);
            x->build.now.key = key;
        }
        if (!fine)
            return false;
    }
    return true;
}

bool item_play_before(executor *x, execute_item *item, error *e)
{
    item_watch(x, item->watched, item->watched);
    x->before = true;
    bool fine = play_all(x, item, e);
    x->before = false;
    return fine;
}
