/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinks the first findings of a run. */
#include "harness/run/rerun.h"
#include "harness/run/shrink.h"
#include "harness/store/store_rerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bounds. Executions bound the work; the times are for backends that take long to open or to execute. */
#define ALL       32  /* findings of the run: the first of each test, */
#define FURTHER   2   /* then so many more of each */
#define LOOKED_AT 64  /* findings of a test, to find other verdicts */
#define MOST_TIME 3.0 /* seconds of one finding, */
#define ALL_TIME  20.0

/* One finding, and the place of its row. */
typedef struct chosen {
    int64_t test;
    uint64_t index;
    char id[CASE_ID_SIZE];
} chosen;

typedef struct shrinking_run {
    const rerun_phase *phase;
    size_t item; /* being looked at */
    unsigned of_test, most;
    unsigned seen[VERDICT_COUNT]; /* findings of the test that were chosen */
    bool repeat;                  /* choose verdicts again that were chosen */
    chosen list[ALL];
    shrink_case cases[ALL];
    size_t count;
    uint64_t slow; /* findings whose search the time limit ended */
} shrinking_run;

/* Verdicts that one execution repeats, in a time that is known to be short. */
static bool is_shrunk(verdict v)
{
    return verdict_fails(v) && v != VERDICT_HANG && v != VERDICT_LOST && v != VERDICT_NONDETERMINISTIC;
}

static bool is_chosen(const shrinking_run *x, const store_finding *f)
{
    for (size_t i = 0; i < x->count; ++i)
        if (x->list[i].test == f->test && x->list[i].index == f->index)
            return true;
    return false;
}

static bool choose(void *context, const store_finding *f)
{
    shrinking_run *x = context;
    if (!f->case_id || !is_shrunk(f->verdict) || f->depends || f->rate || f->other_data || is_chosen(x, f) ||
        (x->seen[f->verdict] && !x->repeat))
        return true;
    x->seen[f->verdict]++;
    chosen *c = &x->list[x->count];
    c->test = f->test;
    c->index = f->index;
    snprintf(c->id, sizeof c->id, "%s", f->case_id);
    /* One that a run before its resumption has shrunk counts, and is not shrunk again. */
    x->cases[x->count] = (shrink_case){
        .item = x->item, .id = c->id, .verdict = f->verdict, .limit = f->shrunk ? 0 : x->phase->options->shrink
    };
    x->count++;
    return ++x->of_test < x->most && x->count < ALL;
}

/* Choose `most` findings of a test that were not chosen yet: first those with other verdicts. */
static bool choose_of_test(shrinking_run *x, unsigned most, error *e)
{
    const int64_t test = (int64_t)x->item + 1;
    memset(x->seen, 0, sizeof x->seen);
    for (size_t i = 0; i < x->count; ++i)
        x->seen[x->cases[i].verdict] += x->list[i].test == test;
    x->of_test = 0;
    x->most = most;
    for (unsigned again = 0; again < 2; ++again) {
        x->repeat = again != 0;
        if (x->of_test < x->most && x->count < ALL &&
            !store_each_finding(x->phase->store, test, LOOKED_AT, choose, x, e))
            return false;
    }
    return true;
}

/* One of each test, then more. The findings of drawn tests come first: they are the large ones. */
static bool choose_all(shrinking_run *x, error *e)
{
    for (unsigned round = 0; round < 2; ++round)
        for (unsigned drawn = 2; drawn-- > 0;)
            for (x->item = 0; x->item < x->phase->plan->item_count && x->count < ALL; ++x->item)
                if ((x->phase->plan->items[x->item].test->draw != NULL) == (drawn == 1) &&
                    run_item_has_findings(&x->phase->items[x->item]) && !choose_of_test(x, round ? FURTHER : 1, e))
                    return false;
    return true;
}

/* Drop those that have been shrunk. */
static void drop_done(shrinking_run *x)
{
    size_t kept = 0;
    for (size_t i = 0; i < x->count; ++i)
        if (x->cases[i].limit) {
            x->list[kept] = x->list[i];
            x->cases[kept] = x->cases[i];
            x->cases[kept].id = x->list[kept].id;
            ++kept;
        }
    x->count = kept;
}

static bool store_result(void *context, shrink_case *c, error *e)
{
    shrinking_run *x = context;
    const rerun_phase *phase = x->phase;
    const chosen *of = &x->list[c - x->cases];
    x->slow += c->slow;
    if (c->outcome != SHRINK_DONE)
        return true;
    const shrunk_facts facts = {
        .executions = c->executions, .limited = c->limited || c->slow, .size = c->to_size, .of = c->from_size
    };
    char *text = shrunk_facts_write(&facts, &c->finding);
    const bool fine = (text || error_set(e, "out of memory")) && phase->begin(phase->sink.context, e) &&
                      store_set_shrunk(phase->store, of->test, of->index, c->to, text, e) &&
                      phase->done(phase->sink.context, e);
    free(text);
    store_finding_clear(&c->finding);
    return fine;
}

static bool tick(void *context, size_t item)
{
    const shrinking_run *x = context;
    return x->phase->sink.tick(x->phase->sink.context, item);
}

/* Say in the run that time, and not the number of executions, ended searches. */
static bool note_slow(const shrinking_run *x, error *e)
{
    const rerun_phase *phase = x->phase;
    char text[160];
    if (x->slow == 0)
        return true;
    snprintf(text, sizeof text,
             "for %llu of %zu findings, the search for a smaller case ran out of time",
             (unsigned long long)x->slow, x->count);
    return phase->begin(phase->sink.context, e) && store_set(phase->store, STORE_SHRINK, text, e) &&
           phase->done(phase->sink.context, e);
}

bool shrink_findings(const rerun_phase *phase, error *e)
{
    if (phase->options->shrink == 0)
        return true;
    shrinking_run *x = calloc(1, sizeof *x);
    if (!x)
        return error_set(e, "out of memory");
    x->phase = phase;
    const shrink_setup setup = { .plan = phase->plan,
                                 .pool = phase->pool,
                                 .profile = phase->options->profile,
                                 .level = phase->level,
                                 .seconds = MOST_TIME,
                                 .all_seconds = ALL_TIME,
                                 .context = x,
                                 .tick = tick,
                                 .done = store_result };
    bool fine = choose_all(x, e);
    drop_done(x);
    fine = fine && shrink_cases(&setup, x->cases, x->count, e) && note_slow(x, e);
    for (size_t i = 0; i < x->count; ++i)
        store_finding_clear(&x->cases[i].finding);
    free(x);
    return fine;
}
