/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_faults BACKEND OPERATOR SECONDS [FAULT...]
 *
 * For each fault of a backend with faults, `faulty` or `planted`, in one operator, or for those that are named (NAME,
 * or PREFIX* for all whose names begin so): do tier quick, tier full and the drawn tests alone find it? Each ends at
 * the first failing case, tier quick at the third; the drawn tests, from the beginning of tier exhaustive's, also after
 * SECONDS of processor time, and with 0 SECONDS they do not run. Tier full does not run where tier quick, which is a part
 * of it, found the fault. Prints a line for each fault, in columns separated by commas: operator, fault, class, found in
 * tier quick (yes or no), in tier full, by the drawn tests, after how many drawn cases and seconds, and how many cases of
 * tier quick fail, where 3 is three and more. Cases and seconds are how far the drawn tests came where they found nothing.
 * Faults that end the process are not run, nor is gap-write, which no clause forbids.
 *
 * Exit status: 0 all were run; 1 one could not be; 64 wrong usage. $TOUCHSTONE_CASES and $TOUCHSTONE_BACKENDS are read.
 */
#include "harness/model/listed.h"
#include "harness/base/platform.h"
#include "harness/casefile/plan.h"
#include "harness/execute/execute.h"
#include "harness/run/schedule.h"
#include "reference/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    TOGETHER = 60, /* a chunk has room for 64 data types, and illegal ones are drawn */
    PARTS = 16,    /* of a turn of cheap cases: a turn of large ones may take seconds */
    MOST_FAILED = 3 /* cases of tier quick that are counted */
};
#define TURN_SECONDS 0.1

/* The way through a set of tests: in each turn a test takes about the time that a slice of a run takes. */
typedef struct walk {
    plan plan;
    uint64_t *at;   /* of each item */
    uint64_t *turn; /* cases of each item in a turn */
} walk;

typedef struct outcome {
    uint64_t enough; /* failing cases, after which to stop */
    uint64_t failed;
    uint64_t cases;
    double seconds;
} outcome;

/* Execute up to `most` cases of an item. */
static bool step(executor *x, walk *w, size_t i, uint64_t most, outcome *o, error *e)
{
    const plan_item *item = &w->plan.items[i];
    const execute_range range = { .first = w->at[i], .end = item->end, .max_cases = most, .once = true };
    chunk c;
    chunk_init(&c);
    const bool fine = execute_run(x, item->test, &range, &c, e);
    for (size_t k = 0; fine && k < c.cases; ++k)
        o->failed += verdict_fails((verdict)c.verdicts[k]);
    if (c.suspected || c.tainted)
        o->failed = o->enough;
    o->cases += c.cases;
    w->at[i] = c.ended ? item->end : c.last;
    chunk_clear(&c);
    if (!fine)
        fprintf(stderr, "%s at %llu: ", item->test->name, (unsigned long long)range.first);
    return fine;
}

/* Of processor time, so that a busy machine does not change what is found. */
static double seconds_now(void)
{
    return (double)clock() / (double)CLOCKS_PER_SEC;
}

/* The turn of an item: it ends early if enough cases fail, the test ends, or it takes long. */
static bool take_turn(executor *x, walk *w, size_t i, outcome *o, error *e)
{
    const uint64_t part = w->turn[i] / PARTS, most = part < 1 ? 1 : part < TOGETHER ? part : TOGETHER;
    const double start = seconds_now();
    bool fine = true;
    for (uint64_t done = 0; fine && o->failed < o->enough && done < w->turn[i] && w->at[i] < w->plan.items[i].end; done += most) {
        fine = step(x, w, i, most, o, e);
        if (seconds_now() - start > TURN_SECONDS)
            break;
    }
    return fine;
}

/* Walk until enough cases fail, the tests end or the time is over. */
static bool find(const char *backend, const char *name, walk *w, bool drawn, double seconds, uint64_t enough, outcome *o,
                 error *e)
{
    const ts_option option = { "fault", name };
    plugin p;
    *o = (outcome){ .enough = enough };
    if (!plugin_open(&p, backend, &option, 1, e))
        return false;
    const execute_options options = { .profile = TS_PROFILE_DEFAULT, .level = p.info.highest_level };
    executor *x = execute_open(&p, &options, e);
    const double start = seconds_now();
    bool fine = x != NULL, more = true;
    for (size_t i = 0; i < w->plan.item_count; ++i)
        w->at[i] = w->plan.items[i].first;
    while (fine && more && o->failed < enough && (seconds <= 0 || o->seconds < seconds)) {
        more = false;
        for (size_t i = 0; fine && o->failed < enough && i < w->plan.item_count; ++i) {
            if (w->at[i] >= w->plan.items[i].end || (drawn && !w->plan.items[i].test->draw))
                continue;
            more = true;
            fine = take_turn(x, w, i, o, e);
        }
        o->seconds = seconds_now() - start;
    }
    if (x)
        execute_close(x);
    plugin_close(&p);
    return fine;
}

static bool open_walk(walk *w, const char *op, case_tier tier, error *e)
{
    if (!plan_make(&w->plan, &op, 1, tier, e))
        return false;
    w->at = calloc(w->plan.item_count + 1, sizeof *w->at);
    w->turn = calloc(w->plan.item_count + 1, sizeof *w->turn);
    for (size_t i = 0; w->turn && i < w->plan.item_count; ++i)
        w->turn[i] = schedule_slice_cases(w->plan.items[i].test, w->plan.items[i].first, w->plan.items[i].end,
                                          TS_PROFILE_DEFAULT, TS_LEVEL_6_4);
    return w->at && w->turn;
}

static bool is_named(const char *name, char **names, int count)
{
    bool named = count == 0;
    for (int i = 0; i < count; ++i) {
        const size_t length = strcspn(names[i], "*");
        named = named || strncmp(names[i], name, names[i][length] ? length : length + 1) == 0;
    }
    return named;
}

static bool measure(const char *backend, const char *op, double seconds, char **names, int count, error *e)
{
    walk quick, full, exhaustive;
    plugin p;
    if (!plugin_load(&p, backend, e) || !open_walk(&quick, op, TIER_QUICK, e) || !open_walk(&full, op, TIER_FULL, e) ||
        !open_walk(&exhaustive, op, TIER_EXHAUSTIVE, e))
        return false;
    char *list = strdup(p.backend->describe_options()), *rest = NULL;
    bool fine = list != NULL;
    for (char *line = list; fine && line && *line; line = rest) {
        char name[64], listed[4096];
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = '\0';
        const char *class = strrchr(line, '[');
        if (!class || sscanf(line, "fault=%63s %4095[^:]:", name, listed) != 2 || !listed_has(listed, op, true) ||
            strncmp(name, "process-", 8) == 0 || strcmp(name, "gap-write") == 0 || !is_named(name, names, count))
            continue;
        outcome q, f, d;
        memset(&d, 0, sizeof d);
        fine = find(backend, name, &quick, false, 0, MOST_FAILED, &q, e) &&
               (seconds <= 0 || find(backend, name, &exhaustive, true, seconds, 1, &d, e));
        f = q; /* tier full has the cases of tier quick */
        fine = fine && (q.failed || find(backend, name, &full, false, 0, 1, &f, e));
        if (fine)
            printf("%s,%s,%.*s,%s,%s,%s,%llu,%.2f,%llu\n", op, name, (int)strcspn(class + 1, "]"), class + 1,
                   q.failed ? "yes" : "no", f.failed ? "yes" : "no", d.failed ? "yes" : "no",
                   (unsigned long long)d.cases, d.seconds,
                   (unsigned long long)(q.failed < MOST_FAILED ? q.failed : MOST_FAILED));
        fflush(stdout);
    }
    free(list);
    return fine;
}

int main(int argc, char **argv)
{
    error e;
    char *end = NULL;
    const double seconds = argc > 3 ? strtod(argv[3], &end) : -1;
    if (argc < 4 || !strchr(argv[2], '.') || end == argv[3] || !(seconds >= 0)) {
        fprintf(stderr, "usage: bench_faults BACKEND OPERATOR SECONDS [FAULT...]\n");
        return 64;
    }
    platform_install_fault_handlers();
    if (!measure(argv[1], argv[2], seconds, argv + 4, argc - 4, &e)) {
        fprintf(stderr, "bench_faults: %s\n", e.text);
        return 1;
    }
    return 0;
}
