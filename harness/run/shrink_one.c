/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/casefile/query_meant.h"
#include "harness/execute/plugin.h"
#include "harness/run/run_config.h"
#include "harness/run/shrink_state.h"
#include "harness/run/sweep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool tick(void *context, size_t item)
{
    (void)context;
    (void)item;
    return run_interrupted();
}

/* What shrinking one case needs, and what it leaves behind. */
typedef struct one {
    plan plan;
    pool *pool;
    worker_setup setup;
    char *run_config, *reproduce;
    space_cursor at;
    char id[CASE_ID_SIZE];
} one;

/* Find the case that the query names. */
static bool find_case(one *o, const run_options *options, error *e)
{
    const char *id = options->queries[0];
    char note[QUERY_NOTE_SIZE];
    if (!plan_make(&o->plan, options->queries, 1, TIER_EXHAUSTIVE, e))
        return false;
    const plan_item *item = o->plan.item_count == 1 ? &o->plan.items[0] : NULL;
    if (!item || item->end - item->first != 1 ||
        !space_start(&o->at, item->test->space, item->first, item->end, NULL, NULL))
        return error_usage(e, "'%s' names no single case; 'touchstone list' prints ids%s", id,
                           query_note(&id, 1, note));
    space_format_id(&o->at, o->id, sizeof o->id);
    return true;
}

static bool open_pool(one *o, const run_options *options, ts_info *info, error *e)
{
    if (!(o->run_config = run_config_write(options)) || !(o->reproduce = sweep_plan_reproducer(options)))
        return error_set(e, "out of memory");
    o->setup = worker_setup_of(options, &o->plan, NULL, o->reproduce);
    o->setup.run_config = o->run_config;
    o->setup.began = time(NULL);
    if (options->limits.memory == CASE_MEMORY_SHARE) {
        const uint64_t share = platform_machine_memory() / 4 * 3;
        o->setup.limits.memory = share ? share : CASE_MEMORY_UNLIMITED;
    }
    const pool_options with = { .setup = &o->setup, .workers = 1 };
    return (o->pool = pool_open(&with, info, e)) != NULL;
}

/* A drawn test takes any values that its predicates allow; their descriptor need not be what the test claims. */
static bool is_case(const one *o, const run_options *options, error *e)
{
    const shrink_frame frame = { .profile = options->profile, .most = { UINT64_MAX, UINT64_MAX } };
    shrink_point p = { .test = o->plan.items[0].test };
    char line[CASE_ID_SIZE];
    memcpy(p.values, o->at.values, sizeof p.values);
    return shrink_point_write(&frame, &p, line, sizeof line, NULL, NULL) ||
           error_usage(e, "'%s' is no case: by the specification its descriptor is %s", o->id,
                       p.test->clause ? "legal, or breaks another clause" : "illegal");
}

bool shrink_one(const run_options *options, shrink_case *subject, error *e)
{
    one *o = calloc(1, sizeof *o);
    ts_info info;
    if (!o)
        return error_set(e, "out of memory");
    bool fine = plugin_exists(options->backend, e) && find_case(o, options, e) && open_pool(o, options, &info, e);
    if (fine) {
        const shrink_setup setup = { .plan = &o->plan,
                                     .pool = o->pool,
                                     .profile = options->profile,
                                     .level = options->level ? options->level : info.highest_level,
                                     .tick = tick };
        subject->item = 0;
        subject->id = o->id;
        fine = shrink_cases(&setup, subject, 1, e) && (subject->outcome != SHRINK_NOT_RUN || is_case(o, options, e));
        subject->id = options->queries[0];
    }
    if (o->pool)
        pool_close(o->pool);
    plan_free(&o->plan);
    free(o->run_config);
    free(o->reproduce);
    free(o);
    return fine;
}
