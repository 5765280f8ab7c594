/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute.h"

#include "harness/execute/execute_item.h"
#include "harness/casefile/waivers_match.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_BATCH    256
#define CALM_BATCHES 16 /* submissions without a fault, after which twice as many cases are submitted together */

/* ---- the executor ---- */

executor *execute_open(plugin *p, const execute_options *options, error *e)
{
    const uint32_t preferred = p->info.preferred_batch;
    const size_t capacity = preferred < 1 ? 1 : preferred > MAX_BATCH ? MAX_BATCH : preferred;
    const size_t size = sizeof(executor) + batch_room(capacity);
    ptrdiff_t distance;
    executor *x = platform_map_twice(size, &distance);
    if (!x) {
        error_set(e, "out of memory");
        return NULL;
    }
    x->size = size;
    x->distance = distance;
    x->plugin = p;
    x->options = *options;
    x->known = (class_cache){ .plugin = p,
                              .watchdog = options->watchdog,
                              .blocklist = options->blocklist,
                              .distance = distance,
                              .used = options->isolated ? &x->used : NULL };
    if (!batch_open(&x->batch, capacity, x + 1, e)) {
        execute_close(x);
        return NULL;
    }
    return x;
}

void execute_close(executor *x)
{
    if (!x)
        return;
    batch_close(&x->batch);
    class_cache_free(&x->known);
    waivers_close(x->source.waivers);
    fill_cache_free(&x->source.fills);
    for (unsigned t = 0; t < TS_MAX_TENSORS; ++t)
        free(x->marks[t].map);
    platform_unmap_twice(x, x->size, x->distance);
}

/* ---- which cases ---- */

bool item_gate(void *context, const expr_value *values, unsigned inner)
{
    executor *x = context;
    const casebuild *build = &x->source.build;
    const ts_level level = x->options.level;
    case_class c;
    if (!casebuild_class(&x->source.build, values, &c))
        return true; /* building the case will report the error */
    if (!case_suits(build->test, &x->plugin->info))
        return false;
    bool reached = c.level == 0 || level == 0 || c.level <= level;
    if (!c.has_level || reached == (build->test->kind == CASE_BEYOND))
        return false;
    if (c.breaks && !class_cache_shows_clause(&x->known, c.shape.op->name, c.breaks))
        return false;
    const execute_class *known = class_cache_query(&x->known, &c.shape, level);
    if (!known || !known->supported)
        return false;
    x->source.at[inner] = (execute_class_at){ .level = c.level, .index = (size_t)(known - x->known.classes) };
    return true;
}

/* The same without a query: for a case that is not executed. */
static bool gate_without_query(void *context, const expr_value *values, unsigned inner)
{
    executor *x = context;
    case_class c;
    if (casebuild_class(&x->source.build, values, &c))
        x->source.at[inner] = (execute_class_at){ .level = c.level, .index = NO_CLASS };
    return true;
}

bool execute_count(executor *x, const case_test *t, uint64_t first, uint64_t end, uint64_t *planned, error *e)
{
    casebuild_init(&x->source.build, t, x->options.profile, x->options.level, &x->source.fills);
    return space_count(t->space, first, end, item_gate, x, planned, e);
}

void execute_hold(executor *x, const char *refused)
{
    class_cache_hold(&x->known, refused);
}

const support *execute_refused(const executor *x)
{
    return &x->known.refused;
}

/* ---- loading an item ---- */

uint64_t item_bytes(const execute_item *item)
{
    const ts_descriptor *d = &item->instance->descriptor;
    uint64_t bytes = 0;
    for (unsigned t = 0; t < d->op->tensor_count && bytes <= ITEM_BATCH_BYTES; ++t) /* the sizes need not be legal */
        bytes += d->tensors[t].given & TS_GIVEN_TENSOR ? d->tensors[t].total_bytes : 0;
    return bytes;
}

/* Forget the item's last case; one of a class whose query fails gets the fault, or the verdict, of that query. */
static void reset_item(const executor *x, execute_item *item, const execute_class *class, const space_cursor *cursor)
{
    item->token = class ? class->token : NULL;
    item->level = x->source.at[cursor->inner].level;
    item->preset = VERDICT_NONE;
    item->failure = NULL;
    item->rerun_stats = NULL;
    item->other_data = false;
    if (!x->range.watched_by_place)
        item->watch_id = cursor->index;
    item->faulted = execute_class_fails(class);
    item->phase = item->faulted ? ITEM_IN_QUERY : ITEM_IN_SUBMIT;
    if (class && class->blocked) {
        item->failure = class->blocked->text;
        item->preset = class->blocked->verdict;
    } else if (class && class->answer) {
        item->failure = class->answer;
        item->preset = class->changed ? VERDICT_NONDETERMINISTIC : VERDICT_LOST;
    } else if (class && class->fault) {
        item->fault = *class->fault;
    }
}

/* Lay out the case if it executes. One that breaks a clause is only asked about where its data do not fit the change,
   such as another type. */
static bool lay_out(executor *x, execute_item *item, error *e)
{
    case_instance *c = item->instance;
    c->computed = case_computes_open(c) && item_breaks_open(x, item);
    if (!item_executes(item) || item_lay_out(x, item, e))
        return true;
    const bool other = !c->computed || e->status != EXIT_BAD_USAGE;
    c->computed = false;
    return !other;
}

bool item_load(executor *x, space_cursor *cursor, size_t at, bool preceding, error *e)
{
    execute_item *item = &x->batch.items[at];
    if (!casebuild_case(&x->source.build, cursor, e))
        return false;
    item->instance = &x->source.build.now;
    reset_item(x, item, item_class(x, cursor), cursor);
    if (preceding && case_is_preceded(x->source.build.test) && !item->faulted && !item_run_preceding(x, item, e))
        return false;
    if (preceding && item_process_lost(x)) {
        item->phase = ITEM_IN_PRECEDING;
        item->faulted = true;
    }
    if (!lay_out(x, item, e))
        return false;
    item->instance = batch_keep_instance(&x->batch, at, &x->source.build.now);
    return true;
}

/* Compile the waivers that apply to the test, unless they are those of the last test. */
static bool compile_waivers(executor *x, const case_test *t, error *e)
{
    if (!x->options.waivers || x->source.waivers_of == t)
        return true;
    waivers_close(x->source.waivers);
    x->source.waivers = waivers_open(x->options.waivers, t, e);
    x->source.waivers_of = x->source.waivers ? t : NULL;
    return x->source.waivers != NULL;
}

bool item_begin(executor *x, const case_test *t, error *e)
{
    if (!compile_waivers(x, t, e))
        return false;
    casebuild_init(&x->source.build, t, x->options.profile, x->options.level, &x->source.fills);
    x->range = (current_range){ .asked = NULL };
    return true;
}

/* ---- running ---- */

static bool start(executor *x, const case_test *t, const execute_range *r, chunk *c, error *e)
{
    c->first = c->last = r->first;
    if (!item_begin(x, t, e))
        return false;
    x->range.asked = r;
    x->range.no_reruns = r->once;
    x->range.findings = r->findings;
    x->range.waived_findings = r->waived_findings;
    return true;
}

/* Which case caused the fault is unknown if several were submitted; and a case that took too long once may have waited
   for the processor. The chunk ends before these cases, and the run submits each of them alone. */
static bool is_suspicion(const executor *x, size_t submitted)
{
    const execute_item *first = &x->batch.items[0];
    return x->options.isolated && !x->range.asked->alone && first->faulted && first->phase == ITEM_IN_SUBMIT &&
           (submitted > 1 || first->fault.signal == 0);
}

static void mark_suspected(const executor *x, size_t submitted, chunk *c)
{
    const platform_fault *fault = &x->batch.items[0].fault;
    c->suspected = true;
    c->candidate = x->batch.items[submitted - 1].instance->index;
    c->stalled = fault->signal == 0;
    c->last = x->batch.items[0].instance->index;
    if (c->stalled)
        snprintf(c->suspicion, sizeof c->suspicion, "did not come back within %g s", x->options.limits.seconds);
    else
        snprintf(c->suspicion, sizeof c->suspicion, "ended in %s", fault->name);
}

/* Submit the first n items, rerun them where that is asked for, and record their verdicts. c->tainted: the process can
   execute no more. */
static bool flush(executor *x, size_t n, chunk *c, error *e)
{
    x->batch.submitted = n;
    x->batch.separated = x->batch.has_writer = false;
    if (!x->batch.items[0].preset && x->batch.items[0].phase == ITEM_IN_SUBMIT)
        item_submit(x, x->batch.items, n);
    /* Failures that get a finding are rerun one by one, when they are recorded. */
    const bool repeats = x->options.repeat > 1,
               reruns_failing = !repeats && n > 1 && x->range.findings == 0 && !x->range.no_reruns;
    x->batch.rerun = repeats || reruns_failing;
    if (repeats)
        item_repeat(x, n);
    else if (reruns_failing)
        item_rerun_failing(x, n);
    c->tainted = item_process_lost(x);
    if (is_suspicion(x, n)) {
        mark_suspected(x, n, c);
        item_hide_all(x, n);
        return true;
    }
    for (size_t i = 0; i < n; ++i) {
        if (!item_record(x, &x->batch.items[i], c, e))
            return false;
        item_hide_expected(&x->batch.items[i]);
        c->last = x->batch.items[i].instance->index + 1;
    }
    c->tainted = item_process_lost(x); /* recording a failure may rerun it */
    arena_trim(&x->batch.arena);
    return true;
}

bool execute_run(executor *x, const case_test *t, const execute_range *r, chunk *c, error *e)
{
    space_cursor cursor;
    const size_t capacity = x->batch.capacity;
    size_t waiting = 0, together = r->together && r->together < capacity ? (size_t)r->together : capacity, calm = 0;
    uint64_t taken = 0, bytes = 0;
    if (!start(x, t, r, c, e))
        return false;
    uint64_t planned;
    if (r->ask_first && !execute_count(x, t, r->first, r->end, &planned, e))
        return false;
    bool more = space_start(&cursor, t->space, r->first, r->end, item_gate, x);
    while (more && !c->tainted && taken < r->max_cases && !x->known.failure.key) {
        const bool apart = r->alone || t->fresh || case_is_preceded(t) || execute_class_fails(item_class(x, &cursor));
        c->retired = t->fresh && x->options.isolated && x->used;
        if (c->retired) /* the next case needs a process that has executed nothing */
            break;
        if (apart && waiting) {
            if (!flush(x, waiting, c, e))
                return false;
            waiting = 0;
            bytes = 0;
            if (c->tainted || watchdog_stop_requested(x->options.watchdog))
                break;
        }
        if (!item_load(x, &cursor, waiting, true, e))
            return false;
        bytes += item_bytes(&x->batch.items[waiting]);
        ++waiting;
        ++taken;
        if (waiting == together || apart || taken == r->max_cases || bytes > ITEM_BATCH_BYTES) {
            if (!flush(x, waiting, c, e))
                return false;
            waiting = 0;
            bytes = 0;
            if (together < capacity && ++calm == CALM_BATCHES) {
                together = 2 * together < capacity ? 2 * together : capacity;
                calm = 0;
            }
            if (watchdog_stop_requested(x->options.watchdog))
                taken = r->max_cases;
        }
        more = space_next(&cursor);
    }
    if (space_failed(&cursor, e))
        return error_prefix(e, "%s", t->file->path);
    if (x->known.failure.key) { /* what waits is executed by another process */
        c->retired = true;
        return true;
    }
    if (waiting && !flush(x, waiting, c, e))
        return false;
    c->ended = !more && !c->suspected;
    if (c->ended)
        c->last = r->end;
    return true;
}

const class_failure *execute_failed_query(const executor *x)
{
    return &x->known.failure;
}

bool execute_record(executor *x, const case_test *t, const execute_range *r, verdict v, chunk *c, error *e)
{
    const uint64_t index = r->first;
    space_cursor cursor;
    if (!start(x, t, r, c, e))
        return false;
    if (!space_start(&cursor, t->space, index, index + 1, gate_without_query, x))
        return error_set(e, "%s: case %llu cannot be found again", t->name, (unsigned long long)index);
    if (!item_load(x, &cursor, 0, false, e))
        return false;
    x->batch.items[0].preset = v;
    x->batch.items[0].failure = r->suspicion;
    c->ended = true;
    return flush(x, 1, c, e);
}
