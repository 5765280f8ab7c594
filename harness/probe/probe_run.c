/* SPDX-License-Identifier: Apache-2.0 */
/* The list of checks, and their processes. */
#include "harness/base/platform.h"
#include "harness/base/wire.h"
#include "harness/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(probe *p);
    const char *tries;
} checks[] = {
    { "entry", probe_check_entry, "touchstone_backend for this version of the interface and others" },
    { "open", probe_check_open, "open, and close without any call" },
    { "options", probe_check_options, "open with options that there are not" },
    { "describe-options", probe_check_describe, "the text about its options" },
    { "info", probe_check_info, "info, twice, in a structure that ends at a guarded page" },
    { "info-newer", probe_check_info_newer, "info in a longer structure, as a newer suite has" },
    { "calls", probe_check_calls, "calls of tier quick, one by one, in memory that can only be read" },
    { "query", probe_check_query, "query about unknown operators, types and ranks, each twice" },
    { "query-clause", probe_check_query_clause, "query_clause about every clause, twice" },
    { "batch-empty", probe_check_empty, "submit of no call" },
    { "batch-many", probe_check_many, "submit of all calls together, and of two" },
    { "again", probe_check_again, "every call four times, in other orders" },
    { "placement", probe_check_placed, "every call with its data at other addresses" },
    { "calls-newer", probe_check_newer, "calls and tensors longer than the header's" },
    { "descriptor-only", probe_check_descriptor_only, "every call without data" },
    { "reported-null", probe_check_unreported, "every call without a place for the inferred shape" },
    { "absent-attributes", probe_check_absent, "garbage in the members of absent attributes" },
    { "refused", probe_check_refused, "the outputs of calls that it does not accept" },
    { "illegal", probe_check_illegal, "illegal descriptors of tier quick, together" },
    { "garbage", probe_check_garbage, "garbage in every member of a descriptor" },
    { "kept-pointers", probe_check_kept_pointers, "memory of calls that are over" },
    { "open-again", probe_check_open_again, "instances one after another: memory, files, threads" },
};
enum { CHECKS = sizeof checks / sizeof checks[0], SURVEY = 6 };

const char *probe_outcome_name(probe_outcome o)
{
    static const char *const names[] = { "ok", "broken", "not-applicable", "not-run" };
    return names[o];
}

/* ---- in the process of a check ---- */

bool probe_breaks(probe *p, probe_clause clause, const char *format, ...)
{
    va_list args;
    if (p->outcome == PROBE_BROKEN)
        return false;
    p->outcome = PROBE_BROKEN;
    p->clause = clause;
    va_start(args, format);
    vsnprintf(p->text, sizeof p->text, format, args);
    va_end(args);
    return false;
}

void probe_saw(probe *p, probe_outcome outcome, const char *format, ...)
{
    va_list args;
    if (p->outcome == PROBE_BROKEN)
        return;
    p->outcome = outcome;
    va_start(args, format);
    vsnprintf(p->text, sizeof p->text, format, args);
    va_end(args);
}

void probe_step(probe *p, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(p->shared->step, sizeof p->shared->step, format, args);
    va_end(args);
    p->shared->rule = CLAUSE_PROCESS;
}

void probe_nothing(probe *p, const char *why)
{
    if (p->shared->surveyed)
        probe_saw(p, PROBE_NOT_APPLICABLE, "%s", why);
    else
        probe_saw(p, PROBE_NOT_RUN, "the check calls did not get so far");
}

/* What a process gets, by being forked. */
typedef struct order {
    const probe_options *options;
    const plan *plan;
    probe_shared *shared;
    size_t check;
} order;

typedef struct guarded_check {
    probe *p;
    size_t check;
} guarded_check;

static void run_check(void *context)
{
    guarded_check *c = context;
    checks[c->check].run(c->p);
    probe_step(c->p, "close");
    if (c->p->plugin.self) /* the library stays: a thread that was left in it would end the process */
        c->p->plugin.backend->close(c->p->plugin.self);
}

static void child(void *context, platform_line *line)
{
    const order *o = context;
    platform_fault fault;
    wire w = { .bytes = NULL };
    probe *p = calloc(1, sizeof *p); /* a cursor is too large for the stack */
    if (!p)
        return;
    p->options = o->options;
    p->plan = o->plan;
    p->shared = o->shared;
    guarded_check c = { p, o->check };
    if (!platform_guarded_call(run_check, &c, &fault))
        probe_fault(p, &fault);
    wire_encode_u64(&w, p->outcome);
    wire_encode_u64(&w, p->clause);
    wire_encode_u64(&w, (uint64_t)p->refusal);
    wire_encode_text(&w, p->text);
    fflush(stdout);
    wire_send(&w, line);
}

/* ---- the parent ---- */

/* What the processes have printed. */
typedef struct noise {
    const char *check; /* that printed first */
    const char *now;
    uint64_t bytes;
    char head[200];
} noise;

static void take_noise(void *context, const char *bytes, size_t size)
{
    noise *n = context;
    for (size_t i = 0; i < size && n->bytes + i + 1 < sizeof n->head; ++i)
        n->head[n->bytes + i] = bytes[i];
    if (n->bytes == 0)
        n->check = n->now;
    n->bytes += size;
}

static void set_broken(probe_line *l, probe_clause clause)
{
    l->outcome = PROBE_BROKEN;
    probe_contract(clause, &l->place, &l->contract);
}

/* Read what the check found; the backend may have forged it. False: it sent nothing. */
static bool receive(platform_line *from, probe_line *l, exit_status *refusal)
{
    wire w = { .bytes = NULL };
    bool fine = wire_receive(&w, from);
    if (fine) {
        const uint64_t outcome = wire_decode_count(&w, PROBE_NOT_RUN);
        const uint64_t clause = wire_decode_count(&w, CLAUSE_COUNT - 1),
                       refused = wire_decode_count(&w, EXIT_BAD_USAGE);
        const char *text = wire_decode_text(&w);
        fine = !w.broken && text;
        if (fine) {
            l->outcome = (probe_outcome)outcome;
            if (l->outcome == PROBE_BROKEN)
                set_broken(l, (probe_clause)clause);
            *refusal = (exit_status)refused;
            snprintf(l->text, sizeof l->text, "%s", text);
        }
    }
    wire_free(&w);
    return fine;
}

/* Run one check in a process of its own. False: the system does not start one. */
static bool check_in_process(order *o, noise *n, probe_line *l, exit_status *refusal, error *e)
{
    char end[200] = "", step[sizeof o->shared->step];
    bool ready = false;
    platform_printed count = { 0 };
    platform_spawn_data spawn = { .output = { take_noise, n, &count } };
    spawn.shared[0] = o->shared;
    spawn.shared_count = spawn.writable = 1;
    n->now = l->check;
    snprintf(o->shared->step, sizeof o->shared->step, "its start");
    o->shared->rule = CLAUSE_PROCESS;
    platform_process *p = platform_process_start(child, o, &spawn, e);
    if (!p)
        return false;
    for (const double last = platform_seconds() + o->options->seconds; !ready && platform_seconds() < last;)
        platform_process_wait(&p, 1, last - platform_seconds(), &ready);
    const bool answered = ready && receive(platform_process_line(p), l, refusal);
    memcpy(step, o->shared->step, sizeof step);
    step[sizeof step - 1] = '\0';
    platform_process_end(p, answered ? 0.5 : 0, end, sizeof end);
    if (answered)
        return true;
    const uint64_t rule = o->shared->rule; /* the backend may have overwritten it */
    set_broken(l, rule < CLAUSE_COUNT ? (probe_clause)rule : CLAUSE_PROCESS);
    if (ready)
        snprintf(l->text, sizeof l->text, "its process %s, in %s", end, step);
    else
        snprintf(l->text, sizeof l->text, "it did not come back within %g s, in %s", o->options->seconds, step);
    return true;
}

static probe_line *add_line(probe_result *r, const char *name, const char *tries)
{
    probe_line *l = &r->lines[r->count++];
    *l = (probe_line){ .check = name, .tries = tries };
    return l;
}

/* The lines that no process finds out: what was printed, and what is not promised. They are in every result. */
static const struct {
    const char *name, *tries;
} last_lines[] = { { "silence", "what it prints" }, { "threads", "calls from several threads" } };
enum { LAST_LINES = sizeof last_lines / sizeof last_lines[0] };
_Static_assert(CHECKS + LAST_LINES <= PROBE_MAX_CHECKS, "there is room for every line");

static void add_last_lines(probe_result *r, const noise *n)
{
    probe_line *l = add_line(r, last_lines[0].name, last_lines[0].tries);
    if (n->bytes) {
        set_broken(l, CLAUSE_PROCESS);
        snprintf(l->text, sizeof l->text, "it printed %llu byte%s, first in the check %s: %.*s",
                 (unsigned long long)n->bytes, n->bytes == 1 ? "" : "s", n->check, (int)strcspn(n->head, "\r\n"),
                 n->head);
    }
    l = add_line(r, last_lines[1].name, last_lines[1].tries);
    l->outcome = PROBE_NOT_APPLICABLE;
    snprintf(l->text, sizeof l->text, "the suite calls a backend from one thread only");
}

/* Does the check run? Those on calls build on the survey. */
static bool is_asked(const char *only, size_t i)
{
    size_t wanted = 0;
    while (only && wanted < CHECKS && strcmp(checks[wanted].name, only) != 0)
        ++wanted;
    return !only || i < 2 || i == wanted || strcmp(only, "silence") == 0 ||
           (i == SURVEY && wanted > SURVEY && wanted < CHECKS);
}

/* Is there a check of this name? */
static bool check_exists(const char *only, error *e)
{
    char names[600] = "";
    size_t used = 0;
    for (size_t i = 0; i < CHECKS + LAST_LINES; ++i) {
        const char *name = i < CHECKS ? checks[i].name : last_lines[i - CHECKS].name;
        if (strcmp(name, only) == 0)
            return true;
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", name);
    }
    return error_usage(e, "there is no check '%s'; the checks are %s", only, names);
}

static bool run_checks(order *o, probe_result *r, error *e)
{
    noise n = { .bytes = 0 };
    bool opens = true;
    for (size_t i = 0; i < CHECKS; ++i) {
        if (!is_asked(o->options->only, i))
            continue;
        exit_status refusal = EXIT_CONFORMANT;
        probe_line *l = add_line(r, checks[i].name, checks[i].tries);
        o->check = i;
        if (!opens) {
            l->outcome = PROBE_NOT_RUN;
            continue;
        }
        if (!check_in_process(o, &n, l, &refusal, e))
            return false;
        if (refusal != EXIT_CONFORMANT)
            return refusal == EXIT_BAD_USAGE ? error_usage(e, "%s", l->text) : error_set(e, "%s", l->text);
        if (checks[i].run == probe_check_info && l->outcome == PROBE_BROKEN)
            o->shared->info_broken = 1;
        opens = l->outcome != PROBE_BROKEN || i >= 2; /* without these, no other check says anything */
    }
    add_last_lines(r, &n);
    r->all = CHECKS + LAST_LINES;
    memcpy(r->name, o->shared->name, sizeof r->name);
    memcpy(r->version, o->shared->version, sizeof r->version);
    r->name[sizeof r->name - 1] = r->version[sizeof r->version - 1] = '\0';
    for (size_t i = 0; i < r->count; ++i)
        r->outcomes[r->lines[i].outcome]++;
    return true;
}

bool probe_run(const probe_options *o, const plan *quick, probe_result *r, error *e)
{
    memset(r, 0, sizeof *r);
    if (!platform_process_can_fork())
        return error_set(e, "a backend can only be probed where the operating system copies processes: not on Windows");
    if ((o->only && !check_exists(o->only, e)) || !plugin_exists(o->name, e))
        return false;
    snprintf(r->path, sizeof r->path, "%s", o->name);
    probe_shared *shared = platform_shared_new(probe_shared_size(quick));
    if (!shared)
        return error_set(e, "out of memory");
    platform_prepare_faults();
    order first = { o, quick, shared, 0 };
    const bool fine = run_checks(&first, r, e);
    platform_shared_free(shared, probe_shared_size(quick));
    return fine;
}
