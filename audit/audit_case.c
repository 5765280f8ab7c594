/* SPDX-License-Identifier: Apache-2.0 */
/* One unit: the original records the infected mutants of each case, then these run on the case. */
#include "audit/audit_work.h"

#include <stdlib.h>
#include <string.h>

/* ---- classes of descriptors, for mutants of tables
   ------------------------------------------------------------------- */

/* A mutant of a table behaves the same on all descriptors of a class: same data types, dimension counts and present
   parts. It runs on the first descriptor of each class, and on others only to find a smaller case. */
#define CLASSES 4096
typedef struct audit_classes {
    uint64_t keys[CLASSES]; /* 0: none */
    size_t count;
    uint8_t *killed; /* per class and mutant of the operator */
    size_t width;
} audit_classes;

static uint64_t class_key(const ts_descriptor *d)
{
    uint64_t key = fill_mix(d->feature_level + ((uint64_t)d->attrs_given << 32) + 1);
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        key = fill_mix(key ^ ((uint64_t)d->tensors[t].dtype << 32 | d->tensors[t].given) ^
                       fill_mix((uint64_t)d->tensors[t].rank + 1));
    return key | 1;
}

/* The row of a descriptor's class; *fresh: the class is new. NULL if there is no room for it. */
static uint8_t *find_class(audit_classes *c, const ts_descriptor *d, bool *fresh)
{
    uint64_t key = class_key(d);
    size_t i = key % CLASSES;
    while (c->keys[i] != 0 && c->keys[i] != key)
        i = (i + 1) % CLASSES;
    *fresh = c->keys[i] == 0;
    if (*fresh && c->count == CLASSES / 2)
        return NULL;
    if (*fresh) {
        c->keys[i] = key;
        c->count++;
        memset(c->killed + i * c->width, 0, c->width);
    }
    return c->killed + i * c->width;
}

static bool reset_classes(audit_worker *w, error *e)
{
    if (!w->classes) {
        w->classes = calloc(1, sizeof *w->classes);
        if (w->classes)
            w->classes->width = w->work->most_mutants;
        if (w->classes)
            w->classes->killed = malloc(CLASSES * w->classes->width);
        if (!w->classes || !w->classes->killed)
            return error_set(e, "out of memory");
    }
    memset(w->classes->keys, 0, sizeof w->classes->keys);
    w->classes->count = 0;
    return true;
}

/* ---- kills -------------------------------------------------------------------------------------------------- */

static void note_kill(const audit_worker *w, const audit_unit *u, uint32_t m)
{
    audit_cell *cell = &w->range[m];
    const audit_kill *k = &w->slot->now;
    if (w->work->dead)
        atomic_store_explicit(&w->work->dead[w->work->result->operators[u->op].mutants[m]], 1, memory_order_relaxed);
    cell->killed++;
    for (size_t i = 0; i < AUDIT_KEPT; ++i)
        if (!cell->first[i].known) {
            cell->first[i] = *k;
            break;
        }
    if (audit_smaller(k, &cell->smallest))
        cell->smallest = *k;
}

void audit_case_died(const audit_worker *w)
{
    audit_slot *slot = w->slot;
    slot->now.verdict = VERDICT_CRASH;
    note_kill(w, &w->work->units[slot->unit], slot->m);
    slot->running_mutant = false;
}

/* Count the elements of all tensors; UINT64_MAX on overflow. */
static uint64_t count_elements(const ts_descriptor *d)
{
    uint64_t sum = 0;
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        uint64_t count;
        if (!(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        if (!tensor_element_count(&d->tensors[t], &count) || __builtin_add_overflow(sum, count, &sum))
            return UINT64_MAX;
    }
    return sum;
}

uint64_t audit_case_bytes(const ts_descriptor *d)
{
    uint64_t bytes = 0;
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        bytes += d->tensors[t].given & TS_GIVEN_TENSOR ? d->tensors[t].total_bytes : 0;
    return bytes;
}

/* The length of the id; the word for "all defaults" counts nothing, since no case is simpler. */
static void measure_id(audit_kill *now, const space_cursor *cursor)
{
    char id[CASE_ID_SIZE];
    if (now->id_length)
        return;
    now->id_length = (uint16_t)space_format_id(cursor, id, sizeof id);
    const char *parameters = space_parameters_of_id(id);
    if (parameters && !*parameters)
        now->id_length = (uint16_t)(now->id_length - strlen(SPACE_ALL_DEFAULTS));
}

/* How many cases of a range that infect a mutant it runs on: the first ones, and one in so many of the others (0: none
   of them). In the last stage of an audit that lists kills, all. */
typedef struct sample {
    uint64_t first, one_in;
} sample;
static const sample cheap_ones = { 64, 64 }, costly_ones = { 8, 0 };             /* in the first two stages */
static const sample more_cheap_ones = { 512, 16 }, more_costly_ones = { 64, 0 }; /* in the last one */

/* Of tests that make calls before their cases, --score leaves out cases as well. */
#define PRECEDED_ONE_IN      8
#define MORE_PRECEDED_ONE_IN 2

bool audit_is_bounded(const audit_work *w, mutant_subject subject)
{
    return w->score && subject == MUTANT_OF_KERNELS && w->result->tier != TIER_QUICK;
}

/* Is a case costly: by large tensors, or by calls before it? */
static bool is_costly(const audit_worker *w, const audit_unit *u, const execute_item *item)
{
    return (audit_is_bounded(w->work, u->subject) && u->preceded) ||
           (item_executes(item) && audit_case_bytes(&item->instance->descriptor) > AUDIT_LARGE);
}

/* Has a case many elements, with an address each? The few of sparse cases lie in many bytes. */
static bool is_huge(const ts_descriptor *d)
{
    return audit_case_bytes(d) > AUDIT_HUGE && count_elements(d) > AUDIT_HUGE / 8;
}

/* Does the stage leave a case out, for all mutants? A case with a huge tensor takes a kernel of the audit a minute: if
   the score is a lower bound, the second stage has run enough of them. */
static bool is_left_out(const audit_worker *w, const audit_unit *u, const execute_item *item, uint64_t index)
{
    const audit_stage stage = w->work->stage;
    const bool costly = is_costly(w, u, item);
    if ((stage == AUDIT_SOME_CASES && costly) || (stage == AUDIT_COSTLY_CASES && !costly))
        return true;
    if (!audit_is_bounded(w->work, u->subject))
        return false;
    if (u->preceded)
        return fill_mix(index) % (stage == AUDIT_EVERY_CASE ? MORE_PRECEDED_ONE_IN : PRECEDED_ONE_IN) != 0;
    return stage == AUDIT_EVERY_CASE && item_executes(item) && is_huge(&item->instance->descriptor);
}

/* Does the stage count the cases that it runs? The last one runs again what the others have counted. */
static bool is_counted(audit_stage stage)
{
    return stage != AUDIT_EVERY_CASE;
}

/* Does the stage let the mutant run on this case? cell: of the range, in this stage. */
static bool is_sampled(const audit_worker *w, const audit_unit *u, const execute_item *item, const audit_cell *cell,
                       uint64_t index)
{
    const bool last = w->work->stage == AUDIT_EVERY_CASE, costly = is_costly(w, u, item);
    if (last && !audit_is_bounded(w->work, u->subject))
        return true;
    const sample s = costly ? (last ? more_costly_ones : costly_ones) : last ? more_cheap_ones : cheap_ones;
    return cell->tried < s.first || (s.one_in > 0 && fill_mix(index) % s.one_in == 0);
}

/* Shall the mutant run on this case, because a kill would be new information? */
static bool is_wanted(const audit_worker *w, const audit_unit *u, const execute_item *item, const audit_cell *cell,
                      audit_kill *now, const space_cursor *cursor)
{
    if (cell->killed < AUDIT_KEPT)
        return is_sampled(w, u, item, cell, now->index);
    if (now->elements < cell->smallest.elements)
        return true;
    if (now->elements > cell->smallest.elements)
        return false;
    measure_id(now, cursor);
    return now->id_length < cell->smallest.id_length;
}

/* ---- one case ----------------------------------------------------------------------------------------------- */

/* Make the calls that the test makes before the case, and prepare the case again. *crashed: one of them did, or would
   never have ended. */
static bool precede(audit_worker *w, execute_item *item, bool *crashed, error *e)
{
    executor *x = w->executor;
    x->range.tainted = false;
    if (!item_run_preceding(x, item, e) || !item_lay_out(x, item, e))
        return false;
    *crashed = x->range.tainted || w->work->result->library->has_left(x->plugin->self);
    return true;
}

/* Run the item's call on what is selected. Calls that a test makes before a case (`after`) are left out for the
   reference, which keeps no state from call to call. */
static bool submit(audit_worker *w, const audit_unit *u, execute_item *item, bool asked_only, verdict *v, error *e)
{
    judgement j;
    bool compared, crashed = false;
    item->asked_only = asked_only;
    if (u->subject == MUTANT_OF_KERNELS && case_is_preceded(w->executor->source.build.test)) {
        if (!precede(w, item, &crashed, e))
            return false;
    } else if (item_executes(item) && !asked_only) {
        item_reset_subject(item, 0);
    }
    if (crashed) {
        *v = VERDICT_CRASH;
        return true;
    }
    item_submit(w->executor, item, 1);
    *v = item_verdict(w->executor, item, &j, &compared); /* values that are not judged kill no mutant */
    return true;
}

/* Run one mutant, at index m of the operator's list. *kills: the case kills it. */
static bool run_mutant(audit_worker *w, const audit_unit *u, execute_item *item, uint32_t m, const space_cursor *cursor,
                       bool *kills, error *e)
{
    const uint32_t number = w->work->result->operators[u->op].mutants[m];
    const mutants_library *library = w->work->result->library;
    void *self = w->executor->plugin->self;
    audit_slot *slot = w->slot;
    audit_cell *cell = &w->range[m];
    bool asked_only = item_executes(item) && !(library->parts(self, number) & MUTANT_RUN);
    slot->m = m;
    slot->running_mutant = true;
    w->ran = true;
    library->select(self, number);
    verdict v;
    const bool fine = submit(w, u, item, asked_only, &v, e);
    library->select(self, MUTANT_NONE);
    slot->running_mutant = false;
    slot->tried++;
    cell->tried++;
    *kills = fine && verdict_fails(v);
    if (!*kills)
        return fine;
    measure_id(&slot->now, cursor);
    slot->now.verdict = (uint8_t)v;
    note_kill(w, u, m);
    return true;
}

static bool is_asked(const audit_work *work, uint32_t number)
{
    if (work->dead && atomic_load_explicit(&work->dead[number], memory_order_relaxed))
        return false;
    if (work->stage != AUDIT_SOME_CASES)
        return !work->settled[number];
    return work->only == MUTANT_NONE || number == work->only;
}

/* List the mutants of the unit's operator that this case infects, then those of tables, as indices of its list. */
static uint32_t list_mutants(audit_worker *w, const audit_unit *u, uint32_t *infected)
{
    const audit_work *work = w->work;
    const mutants_library *library = work->result->library;
    const audit_operator *o = &work->result->operators[u->op];
    const uint32_t *place = work->result->place + u->op * library->count;
    uint32_t n = 0, count;
    const uint32_t *found = library->infected(w->executor->plugin->self, &count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t m = place[found[i]];
        if (m != MUTANT_NONE && is_asked(work, found[i]))
            w->list[n++] = m;
    }
    *infected = n;
    for (uint32_t m = 0; u->subject == MUTANT_OF_REFERENCE && m < o->mutant_count; ++m)
        if (library->mutants[o->mutants[m]].table && is_asked(work, o->mutants[m]))
            w->list[n++] = m;
    return n;
}

static bool disagrees(const execute_item *item, const space_cursor *cursor, verdict v, error *e)
{
    char id[CASE_ID_SIZE];
    space_format_id(cursor, id, sizeof id);
    return error_set(e,
                     "%s: without a mutant, the library of mutants has the verdict %s: %s; it was built from another "
                     "reference, or a kernel is wrong",
                     id, verdict_name(v), item->note);
}

/* Record the infected mutants of the current case and run them. `resumed`: continue after the slot's position. */
static bool run_case(audit_worker *w, const audit_unit *u, execute_item *item, const space_cursor *cursor, bool resumed,
                     error *e)
{
    const mutants_library *library = w->work->result->library;
    void *self = w->executor->plugin->self;
    audit_slot *slot = w->slot;
    const ts_descriptor *d = &item->instance->descriptor;
    bool fresh;
    uint8_t *killed = find_class(w->classes, d, &fresh);
    uint32_t infected, n;
    verdict v;
    library->record(self, true);
    const bool fine = submit(w, u, item, false, &v, e);
    library->record(self, false);
    if (fine && verdict_fails(v) && w->ran && u->subject == MUTANT_OF_KERNELS) {
        slot->spoiled = true;
        slot->position = UINT32_MAX; /* before the first mutant of this case */
        return false;
    }
    if (!fine || verdict_fails(v))
        return fine && disagrees(item, cursor, v, e);
    n = list_mutants(w, u, &infected);
    slot->now = (audit_kill){ .index = cursor->index,
                              .elements = count_elements(d),
                              .order = u->order,
                              .level = u->level,
                              .profile = u->profile,
                              .known = true };
    if (!resumed && is_counted(w->work->stage))
        slot->cases++;
    for (uint32_t i = resumed ? slot->position + 1 : 0; i < n; ++i) {
        uint32_t m = w->list[i];
        bool table = i >= infected;
        slot->position = i;
        if (!table)
            w->range[m].infected += is_counted(w->work->stage);
        else if (killed && !fresh && !killed[m])
            continue;
        if (!is_wanted(w, u, item, &w->range[m], &slot->now, cursor))
            continue;
        bool kills;
        if (!run_mutant(w, u, item, m, cursor, &kills, e))
            return false;
        if (kills && table && killed)
            killed[m] = 1;
    }
    return true;
}

/* ---- a range ------------------------------------------------------------------------------------------------ */

typedef struct gate_context {
    audit_worker *worker;
    const audit_unit *unit;
    struct {
        ts_level level;
        bool fresh;           /* the first case of its class */
    } class[SPACE_MAX_INNER]; /* indexed by the cursor's `inner` */
} gate_context;

/* Is a class of points judged at the unit's level? As in a run (execute.c) of a backend that supports everything. */
static bool gate(void *context, const expr_value *values, unsigned inner)
{
    gate_context *g = context;
    casebuild *b = &g->worker->executor->source.build;
    case_class c;
    if (!casebuild_class(b, values, &c))
        return true; /* building the case will report the error */
    bool reached = c.level == 0 || g->unit->level == 0 || c.level <= g->unit->level;
    if (!c.has_level || reached == (b->test->kind == CASE_BEYOND))
        return false;
    bool fresh = true;
    if (g->unit->first_of_class)
        find_class(g->worker->classes, &c.shape, &fresh);
    g->class[inner].level = c.level;
    g->class[inner].fresh = fresh;
    return fresh;
}

bool audit_case_unit(audit_worker *w, const audit_unit *u, bool resumed, error *e)
{
    const plan_item *planned = w->work->result->operators[u->op].tests[u->test];
    executor *x = w->executor;
    execute_item *item = &x->batch.items[0];
    gate_context g = { .worker = w, .unit = u };
    static space_cursor cursor; /* static because it is large; a process has one worker */
    if (!reset_classes(w, e))
        return false;
    w->work->result->library->choose_subject(x->plugin->self, u->subject);
    x->options.level = u->level;
    x->options.profile = u->profile;
    casebuild_init(&x->source.build, planned->test, u->profile, u->level, &x->source.fills);
    uint64_t first = resumed ? w->slot->index : u->first;
    bool more = space_start(&cursor, planned->test->space, first, u->end, gate, &g);
    for (; more; more = space_next(&cursor)) {
        if (!g.class[cursor.inner].fresh)
            continue;
        if (!casebuild_case(&x->source.build, &cursor, e))
            return false;
        bool again = resumed && cursor.index == first;
        w->slot->index = cursor.index;
        item->instance = &x->source.build.now;
        item->token = NULL;
        item->level = g.class[cursor.inner].level;
        if (item->instance->ambiguous) /* never judged */
            continue;
        if (is_left_out(w, u, item, cursor.index))
            continue;
        if (item_executes(item) && !item_lay_out(x, item, e))
            return false;
        if (!run_case(w, u, item, &cursor, again, e))
            return false;
        g.class[cursor.inner].fresh = !u->first_of_class;
    }
    if (cursor.failed)
        return error_usage(e, "%s: %s: predicate '%s' %s", planned->test->file->path, planned->test->name,
                           expr_text(cursor.failed), expr_why(cursor.failed, cursor.values));
    return true;
}
