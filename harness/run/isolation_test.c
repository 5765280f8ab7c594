/* SPDX-License-Identifier: Apache-2.0 */
/* What a backend changes of its process reaches neither the reference nor the run, and is observed once. */
#include "harness/execute/isolation.h"
#include "harness/store/store_printed.h"
#include "harness/testing/run_rig.h"
#include "harness/testing/sanitizer.h"

#if !defined(_WIN32)

#include <fenv.h>
#include <locale.h>
#include <sys/stat.h>

static char cpu[sizeof TOUCHSTONE_BINARY_DIR + 64];

typedef struct seen {
    char kinds[400];
    unsigned count;
    uint64_t cases;
} seen;

static bool add_kind(void *context, const store_observation *o)
{
    seen *s = context;
    if (strncmp(o->kind, ISOLATION_KIND, sizeof ISOLATION_KIND - 1) != 0)
        return true;
    strncat(s->kinds, o->kind + sizeof ISOLATION_KIND - 1, sizeof s->kinds - strlen(s->kinds) - 3);
    strcat(s->kinds, "; ");
    s->count++;
    s->cases += o->cases;
    return true;
}

/* Run a query on a backend that is hostile in each of its calls, or in open. */
static run_result run_hostile(const char *act, bool at_open, unsigned workers, const char *query, seen *found)
{
    const ts_option options[] = { { "inner", cpu }, { "act", act }, { "every", "1" }, { "at", at_open ? "open" : "" } };
    run_options o = options_for(NULL, workers);
    error e = { .text = "" };
    o.backend = "hostile";
    o.backend_options = options;
    o.backend_option_count = sizeof options / sizeof *options;
    o.queries = &query;
    o.limits.seconds = 2;
    const run_result r = ran(&o);
    memset(found, 0, sizeof *found);
    store *s = store_open(o.output, &e);
    if (!s || !store_each_observation(s, add_kind, found, &e))
        fail_msg("%s: %s", act, e.text);
    store_close(s);
    return r;
}

static const struct {
    const char *act, *observed;
} acts[] = {
#if defined(__x86_64__)
    { "round-up", "rounding mode; x87 control word; " },
    { "flush-denormals", "flushing of denormals; " },
    { "set-x87", "x87 control word; " },
    { "trap-division", "floating-point traps; " },
#else
    { "round-up", "rounding mode; " },
#endif
    { "change-locale", "locale; " },
    { "thread-locale", "locale; " },
    { "leave-folder", "working folder; " },
    { "change-umask", "umask; " },
    { "change-variables", "environment variables; " },
    { "mask-signals", "signal mask; " },
    { "replace-handlers", "signal handlers; " },
};

/* Every case passes, and each change is one observation of the run, however many workers and cases there are. */
static void expect_observed(unsigned workers)
{
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i)
        for (int at_open = 0; at_open < 2; ++at_open) {
            seen found;
            const run_result r =
                run_hostile(acts[i].act, at_open, workers, "dml.element_wise_identity:few", &found);
            if (r.planned == 0 || r.ran != r.planned || r.cases[VERDICT_PASS] != r.planned)
                fail_msg("%s: %llu of %llu pass", acts[i].act, (unsigned long long)r.cases[VERDICT_PASS],
                         (unsigned long long)r.planned);
            if (strcmp(found.kinds, acts[i].observed) != 0 || found.cases != found.count)
                fail_msg("%s%s: observed %llu times: %s", acts[i].act, at_open ? " in open" : "",
                         (unsigned long long)found.cases, found.kinds);
        }
}

static void changes_are_observed_once(void **state)
{
    (void)state;
    expect_observed(2);
}

/* Without a process of its own, too: this one is afterwards as it was. */
static void the_program_itself_is_restored(void **state)
{
    (void)state;
    char before[512], after[512];
    const char *path = getenv("PATH"), *const home = getenv("HOME");
    char *const kept_path = strdup(path ? path : ""), *const kept_home = strdup(home ? home : "");
    const mode_t mask = umask(022);
    sigset_t signals;
    struct sigaction interrupt, action;
    umask(mask);
    sigaction(SIGINT, NULL, &interrupt);
    assert_non_null(getcwd(before, sizeof before));
    expect_observed(0);
    assert_int_equal(fegetround(), FE_TONEAREST);
    volatile double tiny = 5e-324;
    assert_true(tiny + tiny > 0);
    assert_string_equal(setlocale(LC_ALL, NULL), "C");
    assert_true(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
    assert_non_null(getcwd(after, sizeof after));
    assert_string_equal(after, before);
    assert_int_equal(umask(mask), mask);
    assert_null(getenv("TOUCHSTONE_HOSTILE"));
    assert_string_equal(getenv("PATH") ? getenv("PATH") : "", kept_path);
    assert_string_equal(getenv("HOME") ? getenv("HOME") : "", kept_home);
    sigprocmask(SIG_BLOCK, NULL, &signals);
    assert_int_equal(sigismember(&signals, SIGTERM), 0);
    sigaction(SIGINT, NULL, &action);
    assert_true(action.sa_handler == interrupt.sa_handler);
    free(kept_path);
    free(kept_home);
}

/* The reference computes what it always does: sums that are rounded differ by the rounding mode. */
static void the_reference_does_not_depend_on_it(void **state)
{
    (void)state;
    static const char *const all[] = { "round-up", "flush-denormals", "set-x87" };
    static const char query[] = "dml.cumulative_summation:examples";
    seen found;
    assert_int_equal(testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases"), 0);
    const run_result right = run_hostile("leave-folder", false, 0, query, &found);
    assert_true(right.ran > 0);
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        for (unsigned workers = 0; workers < 2; ++workers) {
            const run_result r = run_hostile(all[i], i % 2 == 0, workers, query, &found);
            assert_string_equal(r.digest, right.digest);
        }
    assert_int_equal(testing_setenv("TOUCHSTONE_CASES", folder), 0);
}

static bool add_bytes(void *context, const store_printed *p)
{
    uint64_t *bytes = context;
    *bytes += p->bytes;
    return true;
}

/* While a backend runs, the right outputs are nowhere in its process, whether cases are executed once, or again since
   they fail, or again and again. The inputs of these cases are random bits, so that no two outputs are alike. */
static void no_expected_output_is_in_reach(void **state)
{
    (void)state;
#if UNDER_SANITIZER /* whose shadow memory takes long to search */
    skip();
#endif
    static const char *const query = "dml.slice1:drawn where fill == bits";
    const ts_option options[] = { { "inner", cpu }, { "act", "find-expected" }, { "every", "8" } };
    error e = { .text = "" };
    assert_int_equal(testing_setenv("TOUCHSTONE_CASES", TOUCHSTONE_SOURCE_DIR "/cases"), 0);
    for (uint64_t repeat = 1; repeat <= 2; ++repeat) {
        uint64_t bytes = 0;
        run_options o = options_for(NULL, 1);
        o.backend = "hostile";
        o.backend_options = options;
        o.backend_option_count = sizeof options / sizeof *options;
        o.queries = &query;
        o.tier = TIER_QUICK;
        o.repeat = repeat;
        o.limits.seconds = 5;
        const run_result r = ran(&o);
        store *s = store_open(o.output, &e);
        assert_non_null(s);
        assert_true(store_each_printed(s, add_bytes, &bytes, &e));
        store_close(s);
        if (bytes == 0) /* some were searched for */
            fail_msg("nothing searched: %llu of %llu pass", (unsigned long long)r.cases[VERDICT_PASS],
                     (unsigned long long)r.planned);
        assert_int_equal(r.cases[VERDICT_PASS], r.planned);
    }
    assert_int_equal(testing_setenv("TOUCHSTONE_CASES", folder), 0);
}

static int set_up_hostile(void **state)
{
    snprintf(cpu, sizeof cpu, "%s/backends/cpu%s", TOUCHSTONE_BINARY_DIR, TOUCHSTONE_LIBRARY_SUFFIX);
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(changes_are_observed_once, no_runs),
        cmocka_unit_test_teardown(the_program_itself_is_restored, no_runs),
        cmocka_unit_test_teardown(the_reference_does_not_depend_on_it, no_runs),
        cmocka_unit_test_teardown(no_expected_output_is_in_reach, no_runs),
    };
    return cmocka_run_group_tests(tests, set_up_hostile, tear_down);
}

#else

int main(void)
{
    return 77; /* the hostile backend is built where there are POSIX processes */
}

#endif
