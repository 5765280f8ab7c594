/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A run that is killed at random moments, itself, its workers, or both, and resumed until it is finished, is the run
 * that was never killed.
 *
 *   TOUCHSTONE_KILLS   how many kills (default 60)
 *   TOUCHSTONE_SEED    of the moments and the victims (default 1; it is printed)
 */
#include "harness/testing/run_contents.h"
#include "harness/testing/run_rig.h"

#include "harness/base/platform.h"

#if !defined(_WIN32)

enum { MOST_KILLS_OF_A_RUN = 4, MOST_WORKERS = 16 };

static const char *const large[] = { "dml.element_wise_identity:large" },
                         *const small[] = { "dml.element_wise_identity:small" },
                         *const few[] = { "dml.element_wise_identity:few" };
static const ts_option vector_tail = { "fault", "vector-tail" }, crash = { "fault", "process-crash" },
                       outside = { "fault", "write-past-end" };

/* One kind of run. */
typedef struct kind {
    const char *name;
    const ts_option *fault;
    const char *const *query;
    bool shuffle;
    uint64_t repeat;
    char *whole; /* what a run finds that is not killed */
    double seconds;
} kind;

/* A case that writes past its end often ends its process, twice with a shuffled pass: a few hundred cases take as long
   as the many of the others. */
static kind kinds[] = {
    { .name = "that passes", .query = large },
    { .name = "with a shuffled pass", .query = large, .shuffle = true },
    { .name = "that crashes", .fault = &crash, .query = small },
    { .name = "that fails, with a shuffled pass", .fault = &outside, .query = few, .shuffle = true },
    { .name = "that fails, and repeats its cases", .fault = &vector_tail, .query = small, .repeat = 3 },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static uint64_t state;

/* Uniform in 0 to n-1. */
static uint64_t random_below(uint64_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % n;
}

static uint64_t number_in(const char *variable, uint64_t otherwise)
{
    const char *value = getenv(variable);
    return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

static int set_up_cases(void **unused)
{
    (void)unused;
    return set_up_with("local op = operator 'dml.element_wise_identity'\n"
                       "op:axis 'rank' { 7, 2, 1 }\nop:axis 'dtype' { 'f32', 'u8', 'i64' }\n"
                       "op:axis 'size' { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,\n"
                       "  22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, per = 'rank' }\n"
                       "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' },\n"
                       "          OutputTensor = { Sizes = 'size' } }\n"
                       "op:test 'large' { 'large', rank = { 7 }, dtype = '*', size = { 1, 2, 3, 4 } }\n"
                       "op:test 'small' { 'small', rank = { 2 }, dtype = '*', size = '*' }\n"
                       "op:test 'few' { 'few', rank = { 2 }, dtype = '*', size = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 } }\n");
}

static run_options options_of(const kind *k)
{
    run_options o = options_for(k->fault, 2);
    o.queries = k->query;
    o.shuffle = k->shuffle;
    o.seed = 1;
    o.repeat = k->repeat;
    o.max_findings = 50;
    o.limits.seconds = 20; /* a loaded machine makes no hang of a case */
    return o;
}

static char *contents(const char *path)
{
    text t = { 0 };
    error e = { .text = "" };
    store *s = store_open(path, &e);
    if (!s || !contents_read(s, &t, &e))
        fail_msg("%s", e.text);
    store_close(s);
    return t.data;
}

/* Start the run, or resume it where its file exists. */
static pid_t begin(const run_options *o)
{
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child != 0)
        return child;
    run_result r;
    error e = { .text = "" };
    const run_options resumed = { .output = o->output, .workers = o->workers };
    const bool fine = access(o->output, F_OK) == 0 ? run_resume(&resumed, &r, &e) : run_execute(o, &r, &e);
    if (!fine)
        fprintf(stderr, "%s\n", e.text);
    _exit(fine ? 0 : 3);
}

static size_t kill_workers(pid_t run, bool all)
{
    platform_child list[MOST_WORKERS];
    const long there = platform_presence_children(run, list, MOST_WORKERS);
    size_t count = there < 0 ? 0 : there > MOST_WORKERS ? MOST_WORKERS : (size_t)there, killed = 0;
    if (count == 0)
        return 0;
    const size_t one = (size_t)random_below(count);
    for (size_t i = 0; i < count; ++i)
        if (all || i == one)
            killed += kill((pid_t)list[i].pid, SIGKILL) == 0;
    return killed;
}

/* Let it work for a while, and kill some of it. *ended: it was finished before, or is gone. Returns the kills. */
static unsigned kill_some(pid_t run, double seconds, bool *ended, int *status)
{
    const double until = platform_seconds() + seconds * (double)random_below(1100) / 1000;
    while (!(*ended = waitpid(run, status, WNOHANG) == run) && platform_seconds() < until)
        usleep(500);
    if (*ended)
        return 0;
    const uint64_t victims = random_below(4);
    if (victims < 2 && kill_workers(run, victims == 1) > 0 && victims == 0)
        return 1;
    if (victims == 0) /* there is no worker yet, or no more */
        return 0;
    kill(run, SIGKILL);
    if (victims == 2)
        kill_workers(run, true); /* the orphans would end by themselves */
    assert_int_equal(waitpid(run, status, 0), run);
    *ended = true;
    return 1;
}

/* Kill a run up to a few times, and let it end. Returns the number of kills. */
static unsigned kill_and_resume(const kind *k, uint64_t round)
{
    const run_options o = options_of(k);
    unsigned kills = 0;
    int status = -1;
    for (unsigned starts = 0;; ++starts) {
        pid_t run = begin(&o);
        bool ended = false;
        for (int i = 0; i < 3 && !ended && kills < MOST_KILLS_OF_A_RUN; ++i)
            kills += kill_some(run, k->seconds, &ended, &status);
        if (!ended)
            assert_int_equal(waitpid(run, &status, 0), run);
        if (WIFEXITED(status))
            break;
        if (access(o.output, F_OK) == 0) {
            error e = { .text = "" };
            store *s = store_open(o.output, &e);
            if (!s)
                fail_msg("round %llu: after a kill: %s", (unsigned long long)round, e.text);
            store_close(s);
        }
        assert_true(starts < 100);
    }
    if (WEXITSTATUS(status) != 0)
        fail_msg("round %llu: the run ended with status %d", (unsigned long long)round, WEXITSTATUS(status));
    return kills;
}

/* Print the lines of a text that another one has not. */
static void print_lines_without(const char *title, const char *lines, const char *others)
{
    char line[1200];
    for (const char *at = lines; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (strncmp(line, "verdicts", 8) != 0 && !strstr(others, line))
            print_error("  %s%.400s\n", title, line);
    }
}

static void a_killed_run_ends_as_one_that_was_not(void **unused)
{
    (void)unused;
    const uint64_t kills = number_in("TOUCHSTONE_KILLS", 60), seed = number_in("TOUCHSTONE_SEED", 1);
    uint64_t done = 0, rounds = 0, different = 0;
    state = seed;
    for (size_t i = 0; i < KINDS; ++i) {
        const run_options o = options_of(&kinds[i]);
        const double from = platform_seconds();
        ran(&o);
        kinds[i].seconds = platform_seconds() - from;
        kinds[i].whole = contents(o.output);
        print_message("a run %s takes %.2f s\n", kinds[i].name, kinds[i].seconds);
    }
    for (; done < kills; ++rounds) {
        const kind *k = &kinds[rounds % KINDS];
        no_runs(NULL);
        done += kill_and_resume(k, rounds);
        char *now = contents(in_folder("a.run"));
        if (strcmp(now, k->whole) != 0) {
            print_error("round %llu, a run %s, seed %llu:\n", (unsigned long long)rounds, k->name,
                        (unsigned long long)seed);
            print_lines_without("only now: ", now, k->whole);
            print_lines_without("missing:  ", k->whole, now);
            ++different;
        }
        free(now);
    }
    print_message("%llu kills of %llu runs, seed %llu: %llu ended differently\n", (unsigned long long)done,
                  (unsigned long long)rounds, (unsigned long long)seed, (unsigned long long)different);
    for (size_t i = 0; i < KINDS; ++i)
        free(kinds[i].whole);
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(a_killed_run_ends_as_one_that_was_not) };
    return cmocka_run_group_tests(tests, set_up_cases, tear_down);
}

#else

int main(void)
{
    return 77; /* no fork, and no SIGKILL */
}

#endif
