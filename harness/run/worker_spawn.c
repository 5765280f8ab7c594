/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/worker_spawn.h"

#include "harness/run/run_config.h"
#include "harness/casefile/waivers.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_PAGE, SHARED_ORDERS, SHARED_BLOCKLIST, SHARED_COUNT };

struct worker_spawned_parts {
    run_options options;
    run_config run_config;
    plan plan;
    waivers waivers;
    char *reproduce;
};

void worker_encode_setup(wire *w, const worker_setup *setup)
{
    wire_clear(w);
    wire_encode_text(w, setup->run_config);
    wire_encode_text(w, setup->reproduce);
    wire_encode_text(w, setup->plan->suite_digest);
    wire_encode_u64(w, setup->plan->item_count);
    wire_encode_u64(w, (uint64_t)setup->began);
}

platform_spawn_data worker_spawn_data(const wire *w, const worker_context *c)
{
    platform_spawn_data spawn_data = {
        .bytes = w->bytes, .size = w->size, .shared_count = SHARED_COUNT, .writable = 1
    };
    spawn_data.shared[SHARED_PAGE] = c->page;
    spawn_data.shared[SHARED_ORDERS] = c->orders;
    spawn_data.shared[SHARED_BLOCKLIST] = c->blocklist;
    return spawn_data;
}

bool worker_decode_setup(worker_spawned *s, const void *bytes, size_t size, error *e)
{
    wire w = { 0 };
    memset(s, 0, sizeof *s);
    struct worker_spawned_parts *parts = s->parts = calloc(1, sizeof *parts);
    wire_encode(&w, bytes, size);
    const char *text = wire_decode_text(&w), *reproduce = wire_decode_text(&w), *suite = wire_decode_text(&w);
    const uint64_t items = wire_decode_u64(&w);
    const time_t began = (time_t)wire_decode_u64(&w);
    if (!parts || w.broken || !(parts->reproduce = strdup(reproduce ? reproduce : "")) ||
        !run_config_read(&parts->run_config, text, &parts->options)) {
        wire_free(&w);
        return error_set(e, "a worker cannot decode its setup, or is out of memory");
    }
    const run_options *o = &parts->options;
    const plan_options planned = run_plan_options(o);
    bool fine = (!o->waivers || waivers_load(&parts->waivers, o->waivers, began, e)) &&
                plan_make_with(&parts->plan, o->queries, o->query_count, &planned, e);
    if (fine && (parts->plan.item_count != items || !suite || strcmp(parts->plan.suite_digest, suite) != 0))
        fine = error_usage(e, "the case files were changed while the run was in progress");
    wire_free(&w);
    s->setup = worker_setup_of(o, &parts->plan, &parts->waivers, parts->reproduce);
    return fine;
}

void worker_free_setup(worker_spawned *s)
{
    if (!s->parts)
        return;
    plan_free(&s->parts->plan);
    waivers_free(&s->parts->waivers);
    run_config_free(&s->parts->run_config);
    free(s->parts->reproduce);
    free(s->parts);
    memset(s, 0, sizeof *s);
}

void worker_run_if_spawned(void)
{
    const platform_spawned *begun = platform_process_spawned();
    worker_spawned s;
    error e = { .text = "" };
    if (!begun)
        return;
    if (worker_decode_setup(&s, begun->bytes, begun->size, &e)) {
        worker_context c = { &s.setup, begun->shared_writable[SHARED_PAGE], begun->shared[SHARED_ORDERS],
                             begun->shared[SHARED_BLOCKLIST] };
        worker_main(&c, begun->line);
    } else {
        worker_send_failure(begun->line, &e);
    }
    platform_process_leave();
}
