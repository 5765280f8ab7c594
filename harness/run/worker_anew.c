/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/run/worker_anew.h"

#include "harness/run/recipe.h"
#include "harness/casefile/waivers.h"

#include <stdlib.h>
#include <string.h>

enum { SHARED_WATCH, SHARED_BANS, SHARED_COUNT };

struct worker_again_parts {
    run_options options;
    recipe recipe;
    plan plan;
    waivers waivers;
    char *reproduce;
};

void worker_put_setup(wire *w, const worker_setup *setup)
{
    wire_clear(w);
    wire_put_text(w, setup->recipe);
    wire_put_text(w, setup->reproduce);
    wire_put_text(w, setup->plan->suite_digest);
    wire_put_u64(w, setup->plan->item_count);
    wire_put_u64(w, (uint64_t)setup->began);
}

platform_anew worker_anew(const wire *w, const worker_context *c)
{
    platform_anew anew = { .bytes = w->bytes, .size = w->size, .shared_count = SHARED_COUNT };
    anew.shared[SHARED_WATCH] = c->watch;
    anew.shared[SHARED_BANS] = c->bans;
    return anew;
}

bool worker_take_setup(worker_again *again, const void *bytes, size_t size, error *e)
{
    wire w = { 0 };
    memset(again, 0, sizeof *again);
    struct worker_again_parts *parts = again->parts = calloc(1, sizeof *parts);
    wire_put(&w, bytes, size);
    const char *text = wire_take_text(&w), *reproduce = wire_take_text(&w), *suite = wire_take_text(&w);
    const uint64_t items = wire_take_u64(&w);
    const time_t began = (time_t)wire_take_u64(&w);
    if (!parts || w.broken || !(parts->reproduce = strdup(reproduce ? reproduce : "")) ||
        !recipe_read(&parts->recipe, text, &parts->options)) {
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
    recipe_free(&again->parts->recipe);
    free(again->parts->reproduce);
    free(again->parts);
    memset(again, 0, sizeof *again);
}

void worker_be_one(void)
{
    const platform_begun *begun = platform_process_begun();
    worker_again again;
    error e = { .text = "" };
    if (!begun)
        return;
    if (worker_take_setup(&again, begun->bytes, begun->size, &e)) {
        worker_context c = { &again.setup, begun->shared[SHARED_WATCH], begun->shared[SHARED_BANS] };
        worker_live(&c, begun->line);
    } else {
        worker_refuse(begun->line, &e);
    }
    platform_process_leave();
}
