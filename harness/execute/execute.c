/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/execute.h"

#include "harness/execute/execute_item.h"
#include "harness/casefile/waivers.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BATCH    256
#define CALM_BATCHES 16 /* submissions that nothing befell, after which twice as many cases are submitted together */
#define LARGE_CASE   (UINT64_C(1) << 20) /* bytes: such a case is submitted at once, so that memory stays bounded */

/* ---- the executor ---- */

executor *execute_open(plugin *p, const execute_options *options, error *e)
{
    executor *x = calloc(1, sizeof *x);
    if (!x) {
        error_set(e, "out of memory");
        return NULL;
    }
    x->plugin = p;
    x->options = *options;
    x->batch = p->info.preferred_batch < 1           ? 1
               : p->info.preferred_batch > MAX_BATCH ? MAX_BATCH
                                                     : p->info.preferred_batch;
    x->items = calloc(x->batch, sizeof *x->items);
    x->instances = x->batch > 1 ? calloc(x->batch, sizeof *x->instances) : NULL;
    x->calls = calloc(x->batch, sizeof *x->calls);
    x->statuses = calloc(x->batch, sizeof *x->statuses);
    x->rerun_stats = calloc(x->batch, sizeof *x->rerun_stats);
    x->again = calloc(x->batch, sizeof *x->again);
    if (!x->rerun_stats || !x->again || !x->items || (x->batch > 1 && !x->instances) || !x->calls || !x->statuses) {
        error_set(e, "out of memory");
        execute_close(x);
        return NULL;
    }
    if (!arena_open(&x->arena, x->batch * TS_MAX_TENSORS, e)) {
        execute_close(x);
        return NULL;
    }
    for (size_t i = 0; i < x->batch; ++i)
        x->items[i].first_slot = i * TS_MAX_TENSORS;
    return x;
}

void execute_close(executor *x)
{
    if (!x)
        return;
    arena_close(&x->arena);
    free(x->items);
    free(x->rerun_stats);
    free(x->again);
    free(x->instances);
    free(x->calls);
    free(x->statuses);
    for (size_t i = 0; i < x->class_count; ++i)
        free(x->classes[i].fault);
    free(x->classes);
    free(x->clauses);
    support_free(&x->refused);
    waivers_close(x->waivers);
    free(x->map);
    fill_cache_free(&x->cache);
    free(x);
}

void execute_blocklist_add(execute_blocklist *blocklist, uint64_t key, verdict v, const char *text)
{
    uint64_t n = atomic_fetch_add(&blocklist->count, 1);
    if (n >= EXECUTE_BLOCKLIST_SIZE)
        return;
    blocklist->list[n].verdict = v;
    snprintf(blocklist->list[n].text, sizeof blocklist->list[n].text, "%s", text);
    atomic_store(&blocklist->list[n].key, key);
}

static const execute_blocked *find_blocked(const execute_blocklist *blocklist, uint64_t key)
{
    uint64_t n = blocklist ? atomic_load(&blocklist->count) : 0;
    for (uint64_t i = 0; i < n && i < EXECUTE_BLOCKLIST_SIZE; ++i)
        if (atomic_load(&blocklist->list[i].key) == key)
            return &blocklist->list[i];
    return NULL;
}

typedef struct question {
    plugin *plugin;
    const ts_call *call;
    execute_class *about;
    ts_status status;
} question;

static void ask(void *context)
{
    question *q = context;
    q->status = q->plugin->backend->query(q->plugin->self, q->call, &q->about->token);
}

/* What the backend says of a class, asked once. */
static const execute_class *look_up(executor *x, const ts_descriptor *shape)
{
    uint64_t key = fill_mix((uintptr_t)shape->op ^ ((uint64_t)shape->profile << 48));
    key += operator_missing_attrs(shape);
    for (unsigned t = 0; t < shape->op->tensor_count; ++t)
        key = fill_mix(key + ((uint64_t)shape->tensors[t].dtype << 32 | shape->tensors[t].rank << 1 |
                              (shape->tensors[t].given & 1)));
    for (size_t i = 0; i < x->class_count; ++i)
        if (x->classes[i].key == key)
            return &x->classes[i];
    if (x->class_count == x->class_capacity) {
        x->class_capacity = x->class_capacity ? x->class_capacity * 2 : 64;
        execute_class *grown = realloc(x->classes, x->class_capacity * sizeof *grown);
        if (!grown)
            return NULL;
        x->classes = grown;
    }
    ts_call call = operator_call(shape);
    call.flags = TS_CALL_DESCRIPTOR_ONLY;
    call.feature_level = x->options.level;
    execute_class *c = &x->classes[x->class_count++];
    *c = (execute_class){ .key = key, .blocked = find_blocked(x->options.blocklist, key) };
    if (c->blocked) {
        c->supported = true;
        return c;
    }
    platform_fault fault;
    question q = { x->plugin, &call, c, TS_ERROR };
    if (x->options.watchdog)
        atomic_store(&x->options.watchdog->class_key, key);
    bool fine = item_guarded_call(x, ask, &q, &fault);
    if (x->options.watchdog)
        atomic_store(&x->options.watchdog->class_key, 0);
    c->supported = !fine || q.status == TS_OK; /* what cannot be asked is planned, and fails */
    if (!fine && (c->fault = malloc(sizeof fault)))
        *c->fault = fault;
    if (!fine && fault.signal == 0 && x->options.blocklist) /* to be asked again would cost the time again */
        execute_blocklist_add(x->options.blocklist, key, VERDICT_HANG, "did not come back in time");
    if (!c->supported)
        support_refuse(&x->refused, shape);
    return c;
}

typedef struct clause_question {
    plugin *plugin;
    const char *op, *clause;
    ts_status status;
} clause_question;

static void ask_clause(void *context)
{
    clause_question *q = context;
    q->status = q->plugin->backend->query_clause(q->plugin->self, q->op, q->clause);
}

/* Can the backend let its implementation refuse what breaks a clause? Asked once. */
static bool shows_clause(executor *x, const char *op, const char *clause)
{
    const ts_backend *b = x->plugin->backend;
    if (b->struct_size < offsetof(ts_backend, query_clause) + sizeof b->query_clause || !b->query_clause)
        return true;
    for (size_t i = 0; i < x->clause_count; ++i)
        if (x->clauses[i].op == op && x->clauses[i].clause == clause)
            return x->clauses[i].shown;
    if (x->clause_count == x->clause_capacity) {
        size_t capacity = x->clause_capacity ? x->clause_capacity * 2 : 64;
        execute_clause *grown = realloc(x->clauses, capacity * sizeof *grown);
        if (!grown)
            return true;
        x->clauses = grown;
        x->clause_capacity = capacity;
    }
    platform_fault fault;
    clause_question q = { x->plugin, op, clause, TS_ERROR };
    bool fine = item_guarded_call(x, ask_clause, &q, &fault);
    const bool shown = !fine || q.status != TS_UNSUPPORTED; /* what cannot be asked is planned */
    x->clauses[x->clause_count++] = (execute_clause){ op, clause, shown };
    if (!shown)
        support_refuse_clause(&x->refused, op, clause);
    return shown;
}

/* Is a class of points planned? What is asked of the backend is remembered for the cases that follow. */
bool item_gate(void *context, const expr_value *values, unsigned inner)
{
    executor *x = context;
    case_class c;
    if (!casebuild_class(&x->build, values, &c))
        return true; /* the case itself will say what is wrong */
    if ((x->build.test->sparse && !x->plugin->info.sparse) || (x->build.test->vast && x->plugin->info.packs))
        return false;
    bool reached = c.level == 0 || x->options.level == 0 || c.level <= x->options.level;
    if (!c.has_level || reached == (x->build.test->kind == CASE_BEYOND))
        return false;
    if (c.breaks && !shows_clause(x, c.shape.op->name, c.breaks))
        return false;
    const execute_class *known = look_up(x, &c.shape);
    if (!known || !known->supported)
        return false;
    x->at[inner] = (execute_class_at){ .level = c.level, .index = (size_t)(known - x->classes) };
    return true;
}

/* The same without asking the backend. */
static bool gate_told(void *context, const expr_value *values, unsigned inner)
{
    executor *x = context;
    case_class c;
    if (casebuild_class(&x->build, values, &c))
        x->at[inner] = (execute_class_at){ .level = c.level, .index = NO_CLASS };
    return true;
}

bool execute_count(executor *x, const case_test *t, uint64_t first, uint64_t end, uint64_t *planned, error *e)
{
    casebuild_init(&x->build, t, x->options.profile, x->options.level, &x->cache);
    return space_count(t->space, first, end, item_gate, x, planned, e);
}

const support *execute_refused(const executor *x)
{
    return &x->refused;
}

/* ---- running ---- */

/* What happened among several cases, or once to one that took too long, is not yet any case's doing: the chunk ends
   before them. */
static bool is_suspicion(const executor *x, size_t waiting)
{
    const execute_item *first = &x->items[0];
    return x->options.isolated && !x->range->alone && first->faulted && first->when == ITEM_WHEN_SUBMITTED &&
           (waiting > 1 || first->fault.signal == 0);
}

static void candidate(const executor *x, size_t waiting, chunk *c)
{
    const platform_fault *fault = &x->items[0].fault;
    c->suspected = true;
    c->candidate = x->items[waiting - 1].instance->index;
    c->stalled = fault->signal == 0;
    c->last = x->items[0].instance->index;
    if (c->stalled)
        snprintf(c->suspicion, sizeof c->suspicion, "did not come back within %g s", x->options.limits.seconds);
    else
        snprintf(c->suspicion, sizeof c->suspicion, "ended in %s", fault->name);
}

/* Submit what waits and judge it. *more: the process is fit for more. */
static bool flush(executor *x, size_t waiting, chunk *c, bool *more, error *e)
{
    if (!x->items[0].told && x->items[0].when == ITEM_WHEN_SUBMITTED)
        item_submit(x, x->items, waiting);
    /* Failures that are kept are executed again one by one. */
    const bool repeats = x->options.repeat > 1,
               repeats_failing = !repeats && waiting > 1 && x->findings == 0 && !x->still;
    x->tried = repeats || repeats_failing;
    if (repeats)
        item_repeat(x, waiting);
    else if (repeats_failing)
        item_repeat_failing(x, waiting);
    *more = !x->options.isolated || !x->tainted;
    c->tainted = !*more;
    if (is_suspicion(x, waiting)) {
        candidate(x, waiting, c);
        return true;
    }
    for (size_t i = 0; i < waiting; ++i) {
        if (!item_book(x, &x->items[i], c, e))
            return false;
        c->last = x->items[i].instance->index + 1;
    }
    *more = !x->options.isolated || !x->tainted; /* it may have been executed again, to tell more of a failure */
    c->tainted = !*more;
    return true;
}

bool item_is_large(const execute_item *item)
{
    const ts_descriptor *d = &item->instance->descriptor;
    uint64_t bytes = 0;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        bytes += d->tensors[t].given & TS_GIVEN_TENSOR ? d->tensors[t].total_bytes : 0;
    return bytes > LARGE_CASE;
}

/* What of a case is in use: most of a descriptor is room for more tensors and attributes. */
static void copy_instance(case_instance *to, const case_instance *from)
{
    const ts_operator *op = from->descriptor.op;
    const size_t rest = offsetof(case_instance, index);
    memcpy(&to->descriptor, &from->descriptor, offsetof(ts_descriptor, tensors) + op->tensor_count * sizeof(ts_tensor));
    memcpy(to->descriptor.attrs, from->descriptor.attrs, op->attrs_size);
    memcpy((char *)to + rest, (const char *)from + rest, sizeof *to - rest);
}

bool item_take(executor *x, space_cursor *cursor, size_t waiting, bool play, error *e)
{
    execute_item *item = &x->items[waiting];
    const execute_class *class = item_class(x, cursor);
    if (!casebuild_case(&x->build, cursor, e))
        return false;
    item->instance = &x->build.now;
    item->token = class ? class->token : NULL;
    item->level = x->at[cursor->inner].level;
    item->told = VERDICT_NONE;
    item->rerun_stats = NULL;
    if (!x->placed)
        item->watched = cursor->index;
    item->ended = NULL;
    item->when = class && (class->fault || class->blocked) ? ITEM_WHEN_ASKED : ITEM_WHEN_SUBMITTED;
    item->faulted = item->when == ITEM_WHEN_ASKED;
    if (class && class->blocked) {
        item->ended = class->blocked->text;
        item->told = class->blocked->verdict;
    } else if (class && class->fault) {
        item->fault = *class->fault;
    }
    if (play && x->build.test->after_count && !item->faulted && !item_play_before(x, item, e))
        return false;
    if (play && x->options.isolated && x->tainted) { /* the process is not fit for the case itself */
        item->when = ITEM_WHEN_BEFORE;
        item->faulted = true;
    }
    if (item_executes(item) && !(item_prepare(x, item, e) && item_check_example(item, e)))
        return false;
    if (x->batch > 1) {
        copy_instance(&x->instances[waiting], &x->build.now);
        item->instance = &x->instances[waiting];
    }
    return true;
}

/* The waivers that speak of the test, compiled when it is another one than before. */
static bool turn_to_waivers(executor *x, const case_test *t, error *e)
{
    if (!x->options.waivers || x->waivers_of == t)
        return true;
    waivers_close(x->waivers);
    x->waivers = waivers_open(x->options.waivers, t, e);
    x->waivers_of = x->waivers ? t : NULL;
    return x->waivers != NULL;
}

bool item_begin(executor *x, const case_test *t, error *e)
{
    if (!turn_to_waivers(x, t, e))
        return false;
    casebuild_init(&x->build, t, x->options.profile, x->options.level, &x->cache);
    x->tainted = false;
    x->still = x->placed = false;
    return true;
}

static bool start(executor *x, const case_test *t, const execute_range *r, chunk *c, error *e)
{
    c->first = c->last = r->first;
    if (!item_begin(x, t, e))
        return false;
    x->range = r;
    x->still = r->once;
    x->findings = r->findings;
    x->waived_findings = r->waived_findings;
    return true;
}

static bool asked_to_stop(const executor *x)
{
    return x->options.watchdog && atomic_load_explicit(&x->options.watchdog->stop, memory_order_relaxed);
}

bool execute_run(executor *x, const case_test *t, const execute_range *r, chunk *c, error *e)
{
    space_cursor cursor;
    size_t waiting = 0, together = r->together && r->together < x->batch ? (size_t)r->together : x->batch, calm = 0;
    uint64_t taken = 0;
    bool fit = true;
    if (!start(x, t, r, c, e))
        return false;
    bool more = space_start(&cursor, t->space, r->first, r->end, item_gate, x);
    while (more && fit && taken < r->max_cases) {
        /* What the class decides alone is not submitted with others. */
        const execute_class *class = item_class(x, &cursor);
        bool apart = r->alone || t->after_count || (class && (class->fault || class->blocked));
        if (apart && waiting) {
            if (!flush(x, waiting, c, &fit, e))
                return false;
            waiting = 0;
            if (!fit || asked_to_stop(x))
                break;
        }
        if (!item_take(x, &cursor, waiting, true, e))
            return false;
        ++waiting;
        ++taken;
        if (waiting == together || apart || taken == r->max_cases || item_is_large(&x->items[waiting - 1])) {
            if (!flush(x, waiting, c, &fit, e))
                return false;
            waiting = 0;
            if (together < x->batch && ++calm == CALM_BATCHES) {
                together = 2 * together < x->batch ? 2 * together : x->batch;
                calm = 0;
            }
            if (asked_to_stop(x))
                taken = r->max_cases;
        }
        more = space_next(&cursor);
    }
    if (cursor.failed)
        return error_usage(e, "%s: %s: predicate '%s' divides by zero or leaves a vector", t->file->path, t->name,
                           expr_text(cursor.failed));
    if (waiting && !flush(x, waiting, c, &fit, e))
        return false;
    c->ended = !more && !c->suspected;
    if (c->ended)
        c->last = r->end;
    return true;
}

bool execute_tell(executor *x, const case_test *t, const execute_range *r, verdict v, chunk *c, error *e)
{
    const uint64_t index = r->first;
    space_cursor cursor;
    bool fit;
    if (!start(x, t, r, c, e))
        return false;
    if (!space_start(&cursor, t->space, index, index + 1, gate_told, x))
        return error_set(e, "%s: case %llu cannot be found again", t->name, (unsigned long long)index);
    if (!item_take(x, &cursor, 0, false, e))
        return false;
    x->items[0].told = v;
    x->items[0].ended = r->suspicion;
    c->ended = true;
    return flush(x, 1, c, &fit, e);
}
