/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/sweep_plan.h"

#include "harness/base/text.h"
#include "harness/casefile/query.h"
#include "harness/run/run_config.h"
#include "harness/model/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *sweep_plan_reproducer(const run_options *o)
{
    text t = { .data = NULL }, option = { .data = NULL };
    text_add(&t, "-b ");
    text_shell(&t, o->backend);
    for (size_t i = 0; i < o->backend_option_count; ++i) {
        option.length = 0;
        text_format(&option, "%s=%s", o->backend_options[i].key, o->backend_options[i].value);
        text_add(&t, " --backend-opt ");
        if (!option.failed)
            text_shell(&t, option.data);
    }
    if (o->profile == TS_PROFILE_NUMPY)
        text_add(&t, " --profile numpy");
    if (o->decisions == TS_DECISIONS_BINDING)
        text_add(&t, " --decisions binding");
    if (o->level)
        text_format(&t, " --feature-level %s", tensor_level_name(o->level));
    if (o->limits.seconds != CASE_SECONDS_DEFAULT)
        text_format(&t, " --time-limit %gs", o->limits.seconds);
    if (o->limits.memory != CASE_MEMORY_SHARE && o->limits.memory != CASE_MEMORY_UNLIMITED)
        text_format(&t, " --memory-limit %" PRIu64, o->limits.memory);
    if (option.failed || t.failed)
        text_free(&t);
    text_free(&option);
    return t.data;
}

/* Find the part of a test's range that this shard runs. The shards of a run cover the range, and their lengths differ
   by at most one index. */
static void find_shard(const run_options *o, const plan_item *item, run_item *own)
{
    uint64_t length = item->end - item->first, n = o->shards;
    own->first = item->first;
    own->end = item->end;
    if (n == 0)
        return;
    uint64_t each = length / n, more = length % n, k = o->shard - 1;
    own->first = item->first + each * k + (k < more ? k : more);
    own->end = own->first + each + (k < more);
}

static bool load_waivers(sweep_plan *p, const run_options *o, error *e)
{
    if (!o->waivers)
        return true;
    if (!waivers_load(&p->waivers, o->waivers, p->began, e))
        return false;
    waivers_digest(&p->waivers, p->waivers_digest);
    return true;
}

/* Find the cases that the queries of --in-order name. */
static bool find_order(sweep_plan *p, const run_options *o, error *e)
{
    if (!(p->order = calloc(o->query_count + 1, sizeof *p->order)))
        return error_set(e, "out of memory");
    for (size_t k = 0; k < o->query_count; ++k) {
        query q;
        run_case *c = &p->order[k];
        if (!query_parse(o->queries[k], &q, e))
            return false;
        while (c->item < p->tests.item_count && (strcmp(p->tests.items[c->item].test->file->op->name, q.op) != 0 ||
                                                 strcmp(p->tests.items[c->item].test->name, q.test) != 0))
            ++c->item;
        if (!q.exact || c->item == p->tests.item_count)
            return error_usage(e, "--in-order: '%s' is no id of a case: expected OPERATOR:TEST:PARAMETERS, without *",
                               o->queries[k]);
        if (!space_find(p->tests.items[c->item].test->space, q.parameters, &c->index, e))
            return false;
        for (size_t i = 0; i < k; ++i)
            if (p->order[i].item == c->item && p->order[i].index == c->index)
                return error_usage(e, "--in-order: '%s' is named twice; --repeat executes a case more than once",
                                   o->queries[k]);
    }
    return true;
}

bool sweep_plan_make(sweep_plan *p, const run_options *o, time_t began, error *e)
{
    const plan_options planned = run_plan_options(o);
    memset(p, 0, sizeof *p);
    p->began = began;
    if (!load_waivers(p, o, e) || !plan_make_with(&p->tests, o->queries, o->query_count, &planned, e))
        return false;
    if (!(p->items = calloc(p->tests.item_count + 1, sizeof *p->items)))
        return error_set(e, "out of memory");
    for (size_t i = 0; i < p->tests.item_count; ++i) {
        const case_test *t = p->tests.items[i].test;
        find_shard(o, &p->tests.items[i], &p->items[i]);
        p->items[i].endless = planned.endless && t->draw && p->items[i].end == PLAN_ENDLESS;
        for (int k = 0; k < RETAINED_KINDS; ++k)
            retained_init(&p->items[i].retained[k], o->max_findings);
    }
    return !o->in_order || find_order(p, o, e);
}

void sweep_plan_free(sweep_plan *p)
{
    for (size_t i = 0; p->items && i < p->tests.item_count; ++i)
        for (int k = 0; k < RETAINED_KINDS; ++k)
            retained_free(&p->items[i].retained[k]);
    free(p->items);
    free(p->order);
    plan_free(&p->tests);
    waivers_free(&p->waivers);
}

bool sweep_plan_count(sweep_plan *p, pool *workers, const pool_sink *sink, uint64_t *planned, error *e)
{
    size_t n = p->tests.item_count;
    uint64_t *numbers = calloc(3 * n + 1, sizeof *numbers);
    if (!numbers)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < n; ++i) {
        numbers[i] = p->items[i].first;
        numbers[n + i] = p->items[i].end;
    }
    bool fine = pool_count(workers, numbers, numbers + n, numbers + 2 * n, sink, e);
    *planned = 0;
    for (size_t i = 0; fine && i < n; ++i)
        *planned += p->items[i].planned = numbers[2 * n + i];
    free(numbers);
    return fine;
}
