/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/worker_spawn.h"

#include "harness/run/run_config.h"
#include "harness/casefile/waivers.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_WATCH, SHARED_BANS, SHARED_COUNT };

struct worker_again_parts {
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

platform_spawn_data worker_anew(const wire *w, const worker_context *c)
{
    platform_spawn_data anew = { .bytes = w->bytes, .size = w->size, .shared_count = SHARED_COUNT };
    anew.shared[SHARED_WATCH] = c->watch;
    anew.shared[SHARED_BANS] = c->bans;
    return anew;
}

bool worker_decode_setup(worker_again *again, const void *bytes, size_t size, error *e)
{
    wire w = { 0 };
    memset(again, 0, sizeof *again);
    struct worker_again_parts *parts = again->parts = calloc(1, sizeof *parts);
    wire_encode(&w, bytes, size);
    const char *text = wire_decode_text(&w), *reproduce = wire_decode_text(&w), *suite = wire_decode_text(&w);
    const uint64_t items = wire_decode_u64(&w);
    const time_t began = (time_t)wire_decode_u64(&w);
    if (!parts || w.broken || !(parts->reproduce = strdup(reproduce ? reproduce : "")) ||
        !run_config_read(&parts->run_config, text, &parts->options)) {
        wire_free(&w);
        return error_set(e, "a worker does not understand what it was told, or is out of memory");
    }
    const run_options *o = &parts->options;
    bool fine = (!o->waivers || waivers_load(&parts->waivers, o->waivers, began, e)) &&
                plan_make(&parts->plan, o->queries, o->query_count, o->tier, e);
    if (fine && (parts->plan.item_count != items || !suite || strcmp(parts->plan.suite_digest, suite) != 0))
        fine = error_usage(e, "the case files were changed while the run was on");
    wire_free(&w);
    again->setup = worker_setup_of(o, &parts->plan, &parts->waivers, parts->reproduce);
    return fine;
}

void worker_free_setup(worker_again *again)
{
    if (!again->parts)
        return;
    plan_free(&again->parts->plan);
    waivers_free(&again->parts->waivers);
    run_config_free(&again->parts->run_config);
    free(again->parts->reproduce);
    free(again->parts);
    memset(again, 0, sizeof *again);
}

void worker_be_one(void)
{
    const platform_spawned *begun = platform_process_spawned();
    worker_again again;
    error e = { .text = "" };
    if (!begun)
        return;
    if (worker_decode_setup(&again, begun->bytes, begun->size, &e)) {
        worker_context c = { &again.setup, begun->shared[SHARED_WATCH], begun->shared[SHARED_BANS] };
        worker_live(&c, begun->line);
    } else {
        worker_refuse(begun->line, &e);
    }
    platform_process_leave();
}
