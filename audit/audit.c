/* SPDX-License-Identifier: Apache-2.0 */
/* The audit as a whole: make units, run workers, merge their results. */
#include "audit/audit.h"

#include "audit/audit_twin.h"
#include "audit/audit_work.h"
#include "harness/base/array.h"
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/casefile/query_meant.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_CASES  UINT64_C(65536) /* approximate: points are divided evenly, and predicates exclude some */
#define MOST_RANGES  64
#define MOST_WORKERS 64
#define MOST_DEATHS  100000

#define MEASURED_CASES 8 /* of a range of drawn cases, to put expensive ones last */

/* ---- kills -------------------------------------------------------------------------------------------------- */

bool audit_smaller(const audit_kill *a, const audit_kill *b)
{
    if (!a->known || !b->known)
        return a->known;
    if (a->elements != b->elements)
        return a->elements < b->elements;
    if (a->id_length != b->id_length)
        return a->id_length < b->id_length;
    return a->order != b->order ? a->order < b->order : a->index < b->index;
}

static bool earlier(const audit_kill *a, const audit_kill *b)
{
    if (!a->known || !b->known)
        return a->known;
    return a->order != b->order ? a->order < b->order : a->index < b->index;
}

void audit_merge(audit_cell *to, const audit_cell *from)
{
    audit_kill both[AUDIT_KEPT];
    size_t a = 0, b = 0;
    for (size_t i = 0; i < AUDIT_KEPT; ++i)
        both[i] = earlier(&from->first[b], &to->first[a]) ? from->first[b++] : to->first[a++];
    memcpy(to->first, both, sizeof both);
    if (audit_smaller(&from->smallest, &to->smallest))
        to->smallest = from->smallest;
    to->infected += from->infected;
    to->tried += from->tried;
    to->killed += from->killed;
}

audit_kill audit_smallest(const audit_operator *o, uint32_t m, size_t *test)
{
    audit_kill best = { .known = false };
    for (size_t t = 0; t < o->test_count; ++t)
        if (audit_smaller(&audit_at(o, m, t)->smallest, &best)) {
            best = audit_at(o, m, t)->smallest;
            *test = t;
        }
    return best;
}

/* ---- units -------------------------------------------------------------------------------------------------- */

static bool add_operators(audit_work *w, error *e)
{
    audit_result *r = w->result;
    const mutants_library *library = r->library;
    r->operators = calloc(r->plan.file_count + 1, sizeof *r->operators);
    r->place = malloc((r->plan.file_count + 1) * library->count * sizeof *r->place);
    if (!r->operators || !r->place)
        return error_set(e, "out of memory");
    for (size_t f = 0; f < r->plan.file_count; ++f) {
        audit_operator *o = &r->operators[r->operator_count];
        uint32_t *place = r->place + r->operator_count * library->count;
        o->op = r->plan.files[f]->op;
        o->mutants = calloc(library->count + 1, sizeof *o->mutants);
        o->tests = calloc(r->plan.item_count + 1, sizeof *o->tests);
        r->operator_count++;
        if (!o->mutants || !o->tests)
            return error_set(e, "out of memory");
        for (uint32_t i = 0; i < library->count; ++i) {
            place[i] = MUTANT_NONE;
            if (!r->subjects[library->mutants[i].subject] || !audit_concerns(&library->mutants[i], o->op))
                continue;
            place[i] = o->mutant_count;
            o->mutants[o->mutant_count++] = i;
        }
        for (size_t i = 0; i < r->plan.item_count; ++i)
            if (r->plan.items[i].test->file == r->plan.files[f])
                o->tests[o->test_count++] = &r->plan.items[i];
        if (o->mutant_count > w->most_mutants)
            w->most_mutants = o->mutant_count;
        w->cell_count += (uint64_t)o->mutant_count * o->test_count;
    }
    return true;
}

static bool add_unit(audit_work *w, const audit_unit *u, error *e)
{
    if (!array_reserve(&w->units, &w->unit_capacity, w->unit_count + 1, sizeof *w->units))
        return error_set(e, "out of memory");
    w->units[w->unit_count++] = *u;
    return true;
}

/* The bytes of a case that is to be executed, on average over the first ones of a range. */
static bool measure_cases(audit_unit *u, const case_test *t, error *e)
{
    static space_cursor c; /* static because it is large */
    casebuild b;
    uint64_t cases = 0;
    casebuild_init(&b, t, u->profile, u->level, NULL);
    for (bool more = space_start(&c, t->space, u->first, u->end, NULL, NULL); more && cases < MEASURED_CASES;
         more = space_next(&c), ++cases) {
        if (!casebuild_case(&b, &c, e))
            return false;
        if (!b.now.invalid && !b.now.asked)
            u->bytes += audit_case_bytes(&b.now.descriptor);
    }
    u->bytes /= cases ? cases : 1;
    return true;
}

/* Do the units of a subject run in the order of their cost? Where the kills of each test are listed, in that of tests.
 */
static bool is_sorted(const audit_work *w, mutant_subject subject)
{
    return subject == MUTANT_OF_KERNELS || w->score;
}

/* Divide a test into units with about the same number of points. */
static bool add_ranges(audit_work *w, const audit_unit *whole, error *e)
{
    const plan_item *item = w->result->operators[whole->op].tests[whole->test];
    uint64_t cases, ranges = 1, points = item->end - item->first;
    if (!whole->first_of_class) {
        if (!space_count(item->test->space, item->first, item->end, NULL, NULL, &cases, e))
            return false;
        ranges = cases / RANGE_CASES + 1;
    }
    if (ranges > MOST_RANGES)
        ranges = MOST_RANGES;
    if (ranges > points)
        ranges = points ? points : 1;
    for (uint64_t i = 0; i < ranges; ++i) {
        audit_unit u = *whole;
        u.first = item->first + points / ranges * i;
        u.end = i + 1 == ranges ? item->end : u.first + points / ranges;
        if (item->test->draw && is_sorted(w, u.subject) && !measure_cases(&u, item->test, e))
            return false;
        if (!add_unit(w, &u, e))
            return false;
    }
    return true;
}

/* Add a test at one level and with one profile. All legal cases run at the highest level. At lower levels only the
   support table matters, so one case of each class is enough. Illegal cases run at each level. Kernels run legal cases
   at the highest level only: the reference judges descriptors. */
static bool add_test(audit_work *w, audit_unit *u, bool highest, error *e)
{
    const plan_item *item = w->result->operators[u->op].tests[u->test];
    bool legal = item->test->kind == CASE_VALID || item->test->kind == CASE_EXAMPLES;
    u->first_of_class = legal && !highest;
    if (u->subject == MUTANT_OF_KERNELS && !(legal && highest))
        return true;
    if (u->profile != TS_PROFILE_DEFAULT && !(legal && highest))
        return true;
    return add_ranges(w, u, e);
}

/* What a case costs a mutant: nothing to speak of, calls before it, or large tensors, by their size. */
static int cost_of(const audit_unit *u)
{
    int cost = u->preceded;
    for (uint64_t bytes = u->bytes / AUDIT_LARGE; bytes > 0; bytes /= 2)
        cost = cost < 2 ? 2 : cost + 1;
    return cost;
}

/* Compare units: expensive ones run last, when most mutants are dead. */
static int compare_cost(const void *a, const void *b)
{
    const audit_unit *x = a, *y = b;
    if (cost_of(x) != cost_of(y))
        return cost_of(x) < cost_of(y) ? -1 : 1;
    return x->op != y->op         ? (x->op < y->op ? -1 : 1)
           : x->order != y->order ? (x->order < y->order ? -1 : 1)
                                  : (x->first > y->first) - (x->first < y->first);
}

static bool add_units(audit_work *w, mutant_subject subject, error *e)
{
    audit_result *r = w->result;
    const size_t first = w->unit_count;
    uint64_t cells = 0;
    for (size_t o = 0; o < r->operator_count; ++o) {
        const ts_operator *op = r->operators[o].op;
        size_t level_count;
        const ts_level *levels = tensor_levels(&level_count), none = 0;
        uint32_t order = 0, profiles = op->openvino_types ? 2 : 1;
        if (!r->subjects[subject])
            continue;
        if (op->support[0].level == 0) {
            levels = &none;
            level_count = 1;
        }
        for (uint32_t profile = 0; profile < profiles; ++profile)
            for (size_t l = level_count; l-- > 0;)
                for (size_t t = 0; t < r->operators[o].test_count; ++t) {
                    audit_unit u = { .subject = subject,
                                     .op = o,
                                     .test = t,
                                     .order = order++,
                                     .profile = profile,
                                     .level = levels[l],
                                     .preceded = case_is_preceded(r->operators[o].tests[t]->test),
                                     .cells = cells + t };
                    if (!add_test(w, &u, l + 1 == level_count, e))
                        return false;
                }
        cells += (uint64_t)r->operators[o].mutant_count * r->operators[o].test_count;
    }
    if (is_sorted(w, subject))
        qsort(w->units + first, w->unit_count - first, sizeof *w->units, compare_cost);
    return true;
}

/* ---- workers ------------------------------------------------------------------------------------------------ */

/* Add the result of a range to the cells of its test. */
static void merge_range(const audit_worker *w, const audit_unit *u)
{
    const audit_operator *o = &w->work->result->operators[u->op];
    for (uint32_t m = 0; m < o->mutant_count; ++m)
        audit_merge(&w->cells[u->cells + (uint64_t)m * o->test_count], &w->range[m]);
    memset(w->range, 0, o->mutant_count * sizeof *w->range);
}

/* Does a mutant of the unit's operator and subject run in a later stage than the first? */
static bool has_open(const audit_work *all, const audit_unit *u)
{
    const audit_operator *o = &all->result->operators[u->op];
    for (uint32_t m = 0; m < o->mutant_count; ++m)
        if (!all->settled[o->mutants[m]] && all->result->library->mutants[o->mutants[m]].subject == u->subject)
            return true;
    return false;
}

/* The main function of a worker process. The parent sees the end of the process by the end of `line`. */
static void work(void *context, platform_line *line)
{
    audit_worker *w = context;
    audit_slot *slot = w->slot;
    const audit_work *all = w->work;
    /* Decisions bind: a mutant of what we decided has to be found, too. */
    execute_options options = { .profile = TS_PROFILE_DEFAULT, .decisions = TS_DECISIONS_BINDING };
    bool resumed = slot->active, fine = true;
    (void)line;
    w->executor = execute_open(&all->result->plugin, &options, &slot->problem);
    w->list = calloc(2 * (size_t)all->most_mutants + 1, sizeof *w->list);
    fine = w->executor && w->list;
    while (fine) {
        if (!resumed)
            slot->unit = (uint32_t)atomic_fetch_add(&all->shared->next, 1);
        if (slot->unit >= all->unit_count)
            break;
        const audit_unit *u = &all->units[slot->unit];
        if (all->stage == AUDIT_SOME_CASES || has_open(all, u)) {
            slot->active = true;
            fine = audit_case_unit(w, u, resumed, &slot->problem);
            if (slot->spoiled)
                return;
            merge_range(w, u);
            slot->active = false;
        }
        resumed = false;
        atomic_fetch_add(&all->shared->done, 1);
    }
    slot->failed = !fine;
    slot->done = true;
}

/* Handle the end of a worker. *again: a mutant ended it, so a new worker must continue after that mutant; or a mutant
   has spoiled its memory, so a new worker must begin with the last case. */
static bool handle_end(const audit_worker *w, const char *how, bool *again, error *e)
{
    audit_slot *slot = w->slot;
    *again = slot->spoiled;
    slot->spoiled = false;
    if (*again)
        return true;
    if (slot->done && slot->failed)
        *e = slot->problem;
    if (slot->done)
        return !slot->failed;
    if (!slot->active || !slot->running_mutant)
        return error_set(e, "a worker %s while no mutant was running", how);
    audit_case_died(w);
    *again = true;
    return true;
}

static void show_progress(const audit_work *w, bool last)
{
    if (!w->progress)
        return;
    fprintf(stderr, "\rstage %d of %d: %" PRIuFAST64 " of %zu ranges%s", w->stage + 1, w->sample ? 1 : AUDIT_STAGES,
            atomic_load(&w->shared->done), w->unit_count, last ? "\n" : "");
}

/* Start the workers, replace those that a mutant ended, and wait for all. */
static bool run_workers(audit_worker *workers, size_t n, error *e)
{
    platform_process *processes[MOST_WORKERS] = { NULL };
    bool ready[MOST_WORKERS], fine = true;
    size_t running = 0, deaths = 0;
    atomic_store(&workers->work->shared->next, 0);
    atomic_store(&workers->work->shared->done, 0);
    for (size_t i = 0; fine && i < n; ++i) {
        workers[i].slot->done = false;
        fine = (processes[i] = platform_process_start(work, &workers[i], NULL, e)) != NULL;
        running += fine;
    }
    while (fine && running > 0) {
        show_progress(workers->work, false);
        if (!platform_process_wait(processes, n, 1, ready))
            continue;
        for (size_t i = 0; fine && i < n; ++i) {
            char how[80];
            bool again;
            if (!processes[i] || !ready[i])
                continue;
            platform_process_end(processes[i], 1, how, sizeof how);
            processes[i] = NULL;
            --running;
            fine = handle_end(&workers[i], how, &again, e);
            if (again && ++deaths > MOST_DEATHS)
                fine = error_set(e, "more than %d mutants ended a worker", MOST_DEATHS);
            if (fine && again)
                running += fine = (processes[i] = platform_process_start(work, &workers[i], NULL, e)) != NULL;
        }
    }
    for (size_t i = 0; i < n; ++i)
        platform_process_end(processes[i], 0, NULL, 0);
    show_progress(workers->work, true);
    return fine;
}

/* Does a mutant stay out of the later stages, whatever the first one finds? If it is not the only one that is asked
   for; if it is listed as equivalent; or if it would be left open, where the score is a lower bound. */
static bool is_exempt(const audit_work *w, uint32_t m)
{
    const audit_result *r = w->result;
    if (w->only != MUTANT_NONE)
        return m != w->only;
    return (!w->prove && r->equivalents.reasons[m]) ||
           (audit_is_bounded(w, r->library->mutants[m].subject) && audit_leaves_open(r, &r->library->mutants[m]));
}

/* Determine which mutants are infected, and which do not run in the later stages: killed ones, and those that do not
   anyway. */
static void settle(audit_work *w, const audit_worker *workers, size_t n)
{
    const audit_result *r = w->result;
    uint64_t cells = 0;
    for (uint32_t m = 0; m < r->library->count; ++m)
        w->settled[m] = w->settled[m] || is_exempt(w, m);
    for (size_t o = 0; o < r->operator_count; ++o)
        for (uint32_t m = 0; m < r->operators[o].mutant_count; ++m)
            for (size_t t = 0; t < r->operators[o].test_count; ++t, ++cells)
                for (size_t i = 0; i < n && w->only == MUTANT_NONE; ++i) {
                    if (workers[i].cells[cells].killed > 0)
                        w->settled[r->operators[o].mutants[m]] = true;
                    if (workers[i].cells[cells].infected > 0)
                        w->infected[r->operators[o].mutants[m]] = true;
                }
}

/* Run the stages with n workers. Each has a slot, its cells and the cells of a range in shared memory. */
static bool run_stages(audit_work *w, size_t n, error *e)
{
    const size_t slot = (sizeof(audit_slot) + 63) / 64 * 64;
    const size_t own = slot + (w->cell_count + w->most_mutants) * sizeof(audit_cell);
    const size_t dead = w->result->library->count;
    const size_t bytes = sizeof(audit_shared) + n * own + 64 + dead;
    audit_worker workers[MOST_WORKERS] = { 0 };
    unsigned char *memory = platform_shared_new(bytes);
    w->settled = calloc(w->result->library->count + 1, sizeof *w->settled);
    w->infected = calloc(w->result->library->count + 1, sizeof *w->infected);
    if (!memory || !w->settled || !w->infected) {
        platform_shared_free(memory, bytes);
        return error_set(e, "out of memory");
    }
    w->shared = (audit_shared *)(void *)memory;
    for (size_t i = 0; i < n; ++i) {
        unsigned char *at = memory + 64 + i * own;
        workers[i].work = w;
        workers[i].slot = (audit_slot *)(void *)at;
        workers[i].cells = (audit_cell *)(void *)(at + slot);
        workers[i].range = workers[i].cells + w->cell_count;
    }
    w->dead = w->score ? (_Atomic unsigned char *)(memory + 64 + n * own) : NULL;
    bool fine = true;
    for (w->stage = AUDIT_SOME_CASES; fine && w->stage < (w->sample ? AUDIT_COSTLY_CASES : AUDIT_STAGES); ++w->stage) {
        if (w->stage != AUDIT_SOME_CASES)
            settle(w, workers, n);
        fine = (w->stage != AUDIT_COSTLY_CASES || w->only != MUTANT_NONE ||
                audit_twins(w->result, w->settled, w->infected, n, e)) &&
               run_workers(workers, n, e);
    }
    uint64_t cell = 0;
    for (size_t o = 0; fine && o < w->result->operator_count; ++o) {
        audit_operator *op = &w->result->operators[o];
        size_t count = op->mutant_count * op->test_count;
        op->cells = calloc(count + 1, sizeof *op->cells);
        if (!op->cells)
            fine = error_set(e, "out of memory");
        for (size_t c = 0; fine && c < count; ++c, ++cell)
            for (size_t i = 0; i < n; ++i)
                audit_merge(&op->cells[c], &workers[i].cells[cell]);
    }
    for (size_t i = 0; i < n; ++i) {
        w->result->cases += workers[i].slot->cases;
        w->result->tried += workers[i].slot->tried;
    }
    platform_shared_free(memory, bytes);
    return fine;
}

/* ---- the audit ---------------------------------------------------------------------------------------------- */

const mutants_library *audit_library(plugin *p, error *e)
{
    if (!platform_process_can_fork()) {
        error_set(e, "the audit needs fork(), which this platform does not have; run it on Linux");
        return NULL;
    }
    if (!plugin_open(p, "mutants", NULL, 0, e)) {
        error reason = *e;
        error_set(e, "no library of mutants: install clang, then configure and build again (%.700s)", reason.text);
        return NULL;
    }
    touchstone_mutants_function entry =
        (touchstone_mutants_function)platform_library_symbol(p->library, "touchstone_mutants");
    const mutants_library *library = entry ? entry() : NULL;
    if (library && library->struct_size == sizeof *library)
        return library;
    error_set(e, "%s is not the library of mutants of this program", p->path);
    plugin_close(p);
    return NULL;
}

/* Find the only mutant to audit, if there is one: then only its subject is audited. */
static bool find_mutant(audit_result *r, const char *id, uint32_t *m, error *e)
{
    *m = MUTANT_NONE;
    for (uint32_t i = 0; id && i < r->library->count; ++i)
        if (strcmp(r->library->mutants[i].id, id) == 0)
            *m = i;
    for (mutant_subject s = MUTANT_OF_REFERENCE; s < MUTANT_SUBJECTS && *m != MUTANT_NONE; ++s)
        r->subjects[s] = r->library->mutants[*m].subject == s;
    return !id || *m != MUTANT_NONE
               ? true
               : error_usage(e, "there is no mutant '%s'; 'touchstone audit --list' prints the ids", id);
}

/* Has an operator that is named no mutants, since it is only checked? */
static bool has_mutants(const audit_options *options, error *e)
{
    char note[QUERY_NOTE_SIZE];
    for (size_t i = 0; i < options->operator_count; ++i)
        if (query_checked(options->operators[i]))
            return error_usage(e, "'%s' has no mutants%s", options->operators[i],
                               query_note(&options->operators[i], 1, note));
    return true;
}

bool audit_run(const audit_options *options, audit_result *r, error *e)
{
    audit_work w = { .result = r,
                     .prove = options->prove,
                     .sample = options->sample,
                     .score = options->score,
                     .progress = options->progress };
    char list[4096];
    double started = platform_seconds();
    size_t workers = options->workers ? options->workers : platform_cores();
    memset(r, 0, sizeof *r);
    r->tier = options->tier;
    r->score = options->score;
    memcpy(r->subjects, options->subjects, sizeof r->subjects);
    if (workers > MOST_WORKERS)
        workers = MOST_WORKERS;
    bool fine = has_mutants(options, e) && (r->library = audit_library(&r->plugin, e)) != NULL &&
                find_mutant(r, options->mutant, &w.only, e) &&
                casefile_beside("equivalent.txt", list, sizeof list, e) &&
                audit_equivalents_read(&r->equivalents, list, r->library, e) &&
                plan_make(&r->plan, options->operators, options->operator_count, options->tier, e) &&
                add_operators(&w, e) && add_units(&w, MUTANT_OF_REFERENCE, e) && add_units(&w, MUTANT_OF_KERNELS, e) &&
                run_stages(&w, workers, e) && audit_judge(r, w.only, e);
    free(w.units);
    free(w.settled);
    free(w.infected);
    r->seconds = platform_seconds() - started;
    return fine;
}

void audit_free(audit_result *r)
{
    for (size_t o = 0; o < r->operator_count; ++o) {
        free(r->operators[o].mutants);
        free(r->operators[o].tests);
        free(r->operators[o].cells);
    }
    free(r->operators);
    free(r->place);
    free(r->states);
    free(r->same);
    audit_equivalents_free(&r->equivalents);
    plan_free(&r->plan);
    plugin_close(&r->plugin);
    memset(r, 0, sizeof *r);
}

void audit_case_id(const audit_operator *o, size_t test, const audit_kill *k, char *id, size_t size, char *options,
                   size_t options_size)
{
    space_cursor *c = calloc(1, sizeof *c);
    size_t level_count;
    const ts_level *levels = tensor_levels(&level_count);
    snprintf(id, size, "%s:%s:?", o->op->name, o->tests[test]->test->name);
    if (c && space_start(c, o->tests[test]->test->space, k->index, k->index + 1, NULL, NULL))
        space_format_id(c, id, size);
    free(c);
    size_t used = 0;
    options[0] = '\0';
    if (k->level != 0 && k->level != levels[level_count - 1])
        used += (size_t)snprintf(options, options_size, " --feature-level %s", tensor_level_name(k->level));
    if (k->profile == TS_PROFILE_NUMPY && used < options_size)
        snprintf(options + used, options_size - used, " --profile numpy");
}
