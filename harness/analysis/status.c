/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/status.h"
#include "harness/base/visible.h"

#include "harness/base/timestamp.h"
#include "harness/base/platform.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

const char *status_state_name(status_state s)
{
    static const char *const names[] = { "complete", "running", "interrupted", "elsewhere" };
    return (size_t)s < sizeof names / sizeof *names ? names[s] : "?";
}

/* The time of the last change to the run file. */
static time_t last_write(const char *path, time_t otherwise)
{
    char name[4096];
    struct stat info;
    time_t last = otherwise;
    if (stat(path, &info) == 0)
        last = info.st_mtime;
    snprintf(name, sizeof name, "%s-wal", path);
    if (stat(name, &info) == 0 && info.st_mtime > last)
        last = info.st_mtime;
    return last;
}

static status_state state_of(status *st, store *s)
{
    const char *state = store_get(s, STORE_STATE);
    if (state && strcmp(state, "running") != 0)
        return strcmp(state, "complete") == 0 ? STATUS_COMPLETE : STATUS_INTERRUPTED;
    switch (platform_presence_of(st->process, &st->pid)) {
    case PLATFORM_ALIVE: return STATUS_RUNNING;
    case PLATFORM_GONE: return STATUS_INTERRUPTED;
    default: return *st->process ? STATUS_ELSEWHERE : STATUS_INTERRUPTED;
    }
}

bool status_read(status *st, store *s, const char *path, time_t now, error *e)
{
    time_t from, until = now;
    memset(st, 0, sizeof *st);
    if (!summary_read(&st->counts, s, e))
        return false;
    const char *value = store_get(s, STORE_PROCESS);
    snprintf(st->process, sizeof st->process, "%s", value ? value : "");
    st->state = state_of(st, s);
    if (st->state == STATUS_INTERRUPTED) { /* also one that ended as "incomplete" */
        free(st->counts.state);
        st->counts.state = strdup(status_state_name(STATUS_INTERRUPTED));
    }
    text headline = { .data = NULL };
    summary_headline(&st->counts, store_get(s, STORE_LEVEL), &headline);
    text_utf8(&st->headline, headline.data);
    st->headline.failed |= headline.failed;
    text_free(&headline);
    if (st->headline.failed)
        return error_set(e, "out of memory");
    const summary_counts *total = &st->counts.total;
    st->done = total->planned - total->cases[VERDICT_NONE];
    st->workers = (value = store_get(s, STORE_WORKERS)) ? strtoull(value, NULL, 10) : 0;
    st->alive = st->state == STATUS_RUNNING && st->workers
                    ? platform_presence_children(st->pid, st->list, sizeof st->list / sizeof st->list[0])
                    : -1;
    st->seconds = st->left = -1;
    if ((value = store_get(s, STORE_SECONDS)) != NULL) {
        st->seconds = strtod(value, NULL);
    } else if (timestamp_read(store_get(s, STORE_STARTED), &from)) {
        until = st->state == STATUS_RUNNING ? until : last_write(path, until);
        st->seconds = until > from ? (double)(until - from) : 0;
    }
    if (st->seconds > 0)
        st->rate = (double)st->done / st->seconds;
    st->endless = st->counts.share && coverage_is_endless(&st->counts.coverage);
    if (st->rate > 0 && !st->endless)
        st->left = (double)total->cases[VERDICT_NONE] / st->rate;
    return true;
}

void status_free(status *st)
{
    summary_free(&st->counts);
    text_free(&st->headline);
}

static void print_duration(double seconds, FILE *out)
{
    uint64_t s = (uint64_t)(seconds + 0.5);
    visible_print(out, "%" PRIu64 ":%02u:%02u", s / 3600, (unsigned)(s / 60 % 60), (unsigned)(s % 60));
}

static size_t listed(const status *st)
{
    const size_t most = sizeof st->list / sizeof st->list[0];
    return st->alive < 0 ? 0 : (size_t)st->alive < most ? (size_t)st->alive : most;
}

static void print_workers(const status *st, FILE *out)
{
    for (size_t i = 0; i < listed(st); ++i) {
        visible_print(out, "  worker %-8ld %5" PRIu64 " MiB, ", st->list[i].pid, st->list[i].memory >> 20);
        print_duration(st->list[i].seconds, out);
        visible_print(out, " of processor time\n");
    }
}

void status_print(const status *st, const char *path, bool all, FILE *out)
{
    const summary_counts *c = &st->counts.total;
    char quoted[PATH_MAX];
    visible_print(out, "%s: ", path);
    switch (st->state) {
    case STATUS_COMPLETE: visible_print(out, "complete"); break;
    case STATUS_RUNNING: visible_print(out, "running, process %ld", st->pid); break;
    case STATUS_INTERRUPTED:
        visible_print(out, st->pid ? "interrupted: its process %ld has ended" : "interrupted", st->pid);
        visible_print(out, "; 'touchstone resume %s' continues it", text_shell_in(quoted, sizeof quoted, path));
        break;
    case STATUS_ELSEWHERE:
        visible_print(out, "written on another machine, whose processes cannot be seen from here: process %s",
                      *st->process ? st->process : "?");
        break;
    }
    visible_print(out, "\n%s", st->headline.data);
    if (st->endless)
        visible_print(out, "\n%" PRIu64 " cases done in session %" PRIu64 ", which goes on until its time is over",
                      st->done, st->counts.coverage.session);
    else
        visible_print(out, "\n%" PRIu64 " of %" PRIu64 " case%s done", st->done, c->planned,
                      c->planned == 1 ? "" : "s");
    if (!st->endless && c->planned) /* of nothing there is no share */
        visible_print(out, " (%.1f %%)", 100.0 * (double)st->done / (double)c->planned);
    visible_print(out, ", %" PRIu64 " failed", c->failed);
    if (st->seconds >= 0) {
        visible_print(out, ", ");
        print_duration(st->seconds, out);
        visible_print(out, " so far");
    }
    if (st->rate > 0)
        visible_print(out, st->rate >= 1e4 ? ", %.2f M cases/s" : ", %.0f cases/s",
                      st->rate >= 1e4 ? st->rate / 1e6 : st->rate);
    if (st->left >= 0 && st->state == STATUS_RUNNING) {
        visible_print(out, ", about ");
        print_duration(st->left, out);
        visible_print(out, " left");
    }
    if (st->alive >= 0)
        visible_print(out, ", %ld of %" PRIu64 " worker%s alive", st->alive, st->workers, st->workers == 1 ? "" : "s");
    else if (st->workers)
        visible_print(out, ", %" PRIu64 " worker%s", st->workers, st->workers == 1 ? "" : "s");
    visible_print(out, "\n");
    if (all)
        print_workers(st, out);
    size_t done = 0, not_started = 0;
    for (size_t i = 0; i < st->counts.test_count; ++i) {
        const summary_test *t = &st->counts.tests[i];
        uint64_t ran = t->counts.planned - t->counts.cases[VERDICT_NONE];
        bool finished = ran == t->counts.planned, untouched = !finished && ran == 0;
        done += finished;
        not_started += untouched;
        if (all || t->counts.failed || (!finished && !untouched))
            visible_print(out, "  %-44s %12" PRIu64 " of %12" PRIu64 "  %" PRIu64 " failed\n", t->name, ran,
                          t->counts.planned, t->counts.failed);
    }
    visible_print(out, "%zu test%s done, %zu running, %zu not started\n", done, done == 1 ? "" : "s",
                  st->counts.test_count - done - not_started, not_started);
}

bool status_print_json(const status *st, const char *path, FILE *out, error *e)
{
    json_t *tests = json_array(), *alive = json_array();
    for (size_t i = 0; i < listed(st); ++i)
        json_array_append_new(alive, json_pack("{s:I, s:I, s:f}", "pid", (json_int_t)st->list[i].pid, "memory",
                                               (json_int_t)st->list[i].memory, "seconds", st->list[i].seconds));
    for (size_t i = 0; i < st->counts.test_count; ++i) {
        const summary_test *t = &st->counts.tests[i];
        json_array_append_new(tests, json_pack("{s:s, s:I, s:I, s:I}", "name", t->name, "planned",
                                               (json_int_t)t->counts.planned, "done",
                                               (json_int_t)(t->counts.planned - t->counts.cases[VERDICT_NONE]),
                                               "failed", (json_int_t)t->counts.failed));
    }
    json_t *all = json_pack("{s:i, s:s, s:s, s:s, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:o, s:o}", "format", 1, "run",
                            path, "state", status_state_name(st->state), "headline", st->headline.data, "planned",
                            (json_int_t)st->counts.total.planned, "done", (json_int_t)st->done, "failed",
                            (json_int_t)st->counts.total.failed, "seconds", st->seconds, "rate", st->rate, "left",
                            st->left, "workers", (json_int_t)st->workers, "alive", alive, "tests", tests);
    bool fine = all && json_dumpf(all, out, JSON_INDENT(1)) == 0 && fputc('\n', out) != EOF;
    json_decref(all);
    return fine || error_set(e, "the JSON cannot be written");
}
