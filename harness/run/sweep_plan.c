/* SPDX-License-Identifier: Apache-2.0 */
/* Before a run begins: which cases are its own, how many it owes, and how each is run again. */
#include "harness/run/sweep.h"

#include "harness/casefile/query.h"
#include "harness/model/tensor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sweep_reproducer(sweep *s)
{
    size_t used = (size_t)snprintf(s->reproduce, sizeof s->reproduce, "-b %s", s->options->backend);
    for (size_t i = 0; i < s->options->backend_option_count && used < sizeof s->reproduce; ++i)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --backend-opt %s=%s",
                                 s->options->backend_options[i].key, s->options->backend_options[i].value);
    if (s->options->profile == TS_PROFILE_NUMPY && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --profile numpy");
    if (s->options->level && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --feature-level %s",
                                 tensor_level_name(s->options->level));
    if (s->options->time_limit != RUN_TIME_LIMIT && used < sizeof s->reproduce)
        used += (size_t)snprintf(s->reproduce + used, sizeof s->reproduce - used, " --time-limit %gs",
                                 s->options->time_limit);
    if (s->options->memory_limit && s->options->memory_limit != RUN_ANY_MEMORY && used < sizeof s->reproduce)
        snprintf(s->reproduce + used, sizeof s->reproduce - used, " --memory-limit %" PRIu64, s->options->memory_limit);
}

/* The part of a range that this shard has: all parts together are the range, none is larger than another by more than
   one index. */
static void take_shard(const run_options *o, const plan_item *item, run_item *mine)
{
    uint64_t length = item->end - item->first, n = o->shards;
    mine->first = item->first;
    mine->end = item->end;
    if (n == 0)
        return;
    uint64_t each = length / n, more = length % n, k = o->shard - 1;
    mine->first = item->first + each * k + (k < more ? k : more);
    mine->end = mine->first + each + (k < more);
}

/* Those that had expired when the run began stay out of it, and the others in it, however long it takes. */
static bool load_waivers(sweep *s, time_t began, error *e)
{
    if (!s->options->waivers)
        return true;
    if (!waivers_load(&s->waivers, s->options->waivers, began, e))
        return false;
    waivers_digest(&s->waivers, s->waivers_digest);
    return true;
}

/* The cases that the queries of --in-order name, in their order. */
static bool find_order(sweep *s, error *e)
{
    const run_options *o = s->options;
    if (!(s->order = calloc(o->query_count + 1, sizeof *s->order)))
        return error_set(e, "out of memory");
    for (size_t k = 0; k < o->query_count; ++k) {
        query q;
        run_case *c = &s->order[k];
        if (!query_parse(o->queries[k], &q, e))
            return false;
        while (c->item < s->plan.item_count && (strcmp(s->plan.items[c->item].test->file->op->name, q.op) != 0 ||
                                                strcmp(s->plan.items[c->item].test->name, q.test) != 0))
            ++c->item;
        if (!q.exact || c->item == s->plan.item_count)
            return error_usage(e, "--in-order: '%s' is no id of a case: expected OPERATOR:TEST:PARAMETERS, without *",
                               o->queries[k]);
        if (!space_parse_id(s->plan.items[c->item].test->space, q.parameters, &c->index, e))
            return false;
        for (size_t i = 0; i < k; ++i)
            if (s->order[i].item == c->item && s->order[i].index == c->index)
                return error_usage(e, "--in-order: '%s' is named twice; --repeat executes a case more than once",
                                   o->queries[k]);
    }
    return true;
}

bool sweep_prepare(sweep *s, time_t began, error *e)
{
    const run_options *o = s->options;
    s->began = began;
    if (!load_waivers(s, began, e) || !plan_make(&s->plan, o->queries, o->query_count, o->tier, e))
        return false;
    memcpy(s->result->suite_digest, s->plan.suite_digest, sizeof s->result->suite_digest);
    if (!(s->items = calloc(s->plan.item_count + 1, sizeof *s->items)))
        return error_set(e, "out of memory");
    for (size_t i = 0; i < s->plan.item_count; ++i) {
        take_shard(o, &s->plan.items[i], &s->items[i]);
        for (int k = 0; k < RETAINED_KINDS; ++k)
            retained_init(&s->items[i].retained[k], o->max_findings);
    }
    return !o->in_order || find_order(s, e);
}

bool sweep_count_planned(sweep *s, const pool_sink *sink, error *e)
{
    size_t n = s->plan.item_count;
    uint64_t *numbers = calloc(3 * n + 1, sizeof *numbers);
    if (!numbers)
        return error_set(e, "out of memory");
    for (size_t i = 0; i < n; ++i) {
        numbers[i] = s->items[i].first;
        numbers[n + i] = s->items[i].end;
    }
    bool fine = pool_count(s->pool, numbers, numbers + n, numbers + 2 * n, sink, e);
    for (size_t i = 0; fine && i < n; ++i)
        s->result->planned += s->items[i].planned = numbers[2 * n + i];
    free(numbers);
    return fine;
}
