/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever a backend does to its worker, the run continues, and only the cases fail in which the backend did it. */
#include "harness/store/store_printed.h"
#include "harness/testing/run_rig.h"
#include "harness/testing/sanitizer.h"

#if !defined(_WIN32)

#define TIME_LIMIT     2.0 /* of a call, in seconds, */
#define SHORT_LIMIT    0.3 /* and where calls do not come back */
#define MOST_PROCESSES 3   /* for one case that breaks the connection of its worker */

typedef struct failing {
    uint64_t indices[64];
    size_t count;
    char detail[400];
    bool changed; /* an answer to a query changed */
    char printed[1200]; /* of the last one */
} failing;

static bool add_failing(void *context, const store_finding *f)
{
    failing *list = context;
    assert_true(list->count < sizeof list->indices / sizeof *list->indices);
    list->indices[list->count++] = f->index;
    snprintf(list->detail, sizeof list->detail, "%s", f->detail);
    list->changed |= strstr(f->detail, "said yes when the cases were planned, and no in another process") != NULL;
    snprintf(list->printed, sizeof list->printed, "%s", f->printed ? f->printed : "");
    return true;
}

static char cpu[sizeof TOUCHSTONE_BINARY_DIR + 64];

/* Run the backend with these options and a time limit in seconds, and find what failed: at most `most` findings a test.
 */
static run_result run_hostile(const ts_option *options, size_t count, unsigned workers, uint64_t most, double limit,
                              failing *found)
{
    run_options o = options_for(NULL, workers);
    error e = { .text = "" };
    o.backend = "hostile";
    o.backend_options = options;
    o.backend_option_count = count;
    o.max_findings = most;
    o.limits.seconds = limit;
    const run_result r = ran(&o);
    memset(found, 0, sizeof *found);
    store *s = store_open(o.output, &e); /* checks the file */
    if (!s || !store_each_finding(s, 0, 0, add_failing, found, &e))
        fail_msg("%s=%s: %s", options[count - 1].key, options[count - 1].value, e.text);
    store_close(s);
    return r;
}

/* Run an act in one descriptor of `every`. */
static run_result run_act_within(double limit, const char *act, const char *every, unsigned workers, failing *found)
{
    const ts_option options[] = { { "inner", cpu }, { "every", every }, { "act", act } };
    const run_result r = run_hostile(options, sizeof options / sizeof *options, workers, 1000, limit, found);
    if (r.planned == 0 || r.ran != r.planned || r.interrupted)
        fail_msg("%s: ran %llu of %llu", act, (unsigned long long)r.ran, (unsigned long long)r.planned);
    return r;
}

static run_result run_act(const char *act, const char *every, unsigned workers, failing *found)
{
    return run_act_within(TIME_LIMIT, act, every, workers, found);
}

/* Exactly the hostile cases fail, as when the backend ends its process in them. There are least to most of them. */
static void only_hostile_cases_fail(const char *const *acts, size_t count, const char *every, size_t least, size_t most,
                                    double limit)
{
    failing culprits, found;
    run_act("exit", every, 2, &culprits);
    assert_in_range(culprits.count, least, most);
    for (size_t i = 0; i < count; ++i) {
        run_act_within(limit, acts[i], every, i % 2 ? 1 : 3, &found);
        if (found.count != culprits.count || memcmp(found.indices, culprits.indices, sizeof found.indices) != 0)
            fail_msg("%s: %zu cases fail instead of %zu; the last: %s", acts[i], found.count, culprits.count,
                     found.detail);
    }
}

/* Acts that the run sees. */
static void what_a_call_breaks_costs_its_case(void **state)
{
    (void)state;
    static const char *const acts[] = {
        "close-descriptors",
        "forge-zeros",
        "forge-ones",
        "forge-noise",
        "grandchild-exit",
        "write-call",
        "write-tensor",
        "write-input",
        "write-shared-exit",
        "zero-shared-exit",
#if !UNDER_SANITIZER /* its allocator ends a process that can map no memory, in whichever case */
        "leak-mappings",
        "lower-limits",
#endif
    };
    only_hostile_cases_fail(acts, sizeof acts / sizeof *acts, "24", 2, SIZE_MAX, TIME_LIMIT);
}

/* A write to what the backend must only read is a finding that says so. */
static void a_write_to_the_call_is_named(void **state)
{
    (void)state;
    static const char *const acts[] = { "write-call", "write-tensor", "write-attributes" };
    failing found;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
        run_act(acts[i], "24", 2, &found);
        if (found.count == 0 || !strstr(found.detail, "wrote to the call, its tensors or its attributes"))
            fail_msg("%s: %zu cases fail: %s", acts[i], found.count, found.detail);
    }
}

/* A message that does not arrive is not waited for beyond two seconds, no call beyond its time limit, and no worker
   that waits for a lock which the call left behind. */
static void what_does_not_end_costs_its_case(void **state)
{
    (void)state;
    static const char *const acts[] = {
        "forge-length",
        "drip",
        "write-shared-hang",
#if !UNDER_SANITIZER /* whose allocator is another */
        "corrupt-heap",
#endif
    };
    only_hostile_cases_fail(acts, sizeof acts / sizeof *acts, "200", 1, 2, SHORT_LIMIT);
}

/* A call that breaks the connection of its worker is executed a few times until its case is known: with others, alone,
   and for its finding. How many processes were started is the number of the last one, which prints, too. */
static void a_case_that_breaks_connections_loses_few_workers(void **state)
{
    (void)state;
    static const ts_option options[] = {
        { "inner", cpu }, { "every", "24" }, { "act", "print" }, { "then", "forge-zeros" }
    };
    failing found;
    error e = { .text = "" };
    uint64_t processes = 0;
    run_hostile(options, sizeof options / sizeof *options, 1, 1000, TIME_LIMIT, &found);
    store *s = store_open(in_folder("a.run"), &e);
    assert_true(s && store_last_printed(s, &processes, &e));
    store_close(s);
    assert_true(found.count >= 2);
    if (processes > MOST_PROCESSES * found.count)
        fail_msg("%llu processes for %zu cases: they are executed too often", (unsigned long long)processes, found.count);
}

/* Acts that concern nobody but the backend's own process. */
static void harmless_acts_change_nothing(void **state)
{
    (void)state;
    static const char *const acts[] = { "write-descriptors", "grandchild",  "daemon", "block-signals", "write-shared",
                                        "change-folder",     "print-child", "print",  "reach-shared" };
    failing found;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
        run_act(acts[i], "24", 2, &found);
        if (found.count != 0)
            fail_msg("%s: %zu cases fail: %s", acts[i], found.count, found.detail);
    }
}

/* A query that fails after calls is not to blame, and neither are the cases that it is about. */
static void what_a_call_leaves_behind_blames_no_query(void **state)
{
    (void)state;
    static const char *const acts[] = { "leave-pointer", "leave-exit", "leave-lock" };
    failing found;
    char digest[33] = "";
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i)
        for (unsigned workers = 1; workers <= 3; workers += 2) {
            const run_result r = run_act(acts[i], i == 2 ? "400" : "24", workers, &found);
            if (found.count != 0)
                fail_msg("%s, %u workers: %zu cases fail: %s", acts[i], workers, found.count, found.detail);
            if (*digest && strcmp(digest, r.digest) != 0)
                fail_msg("%s, %u workers: another digest", acts[i], workers);
            snprintf(digest, sizeof digest, "%s", r.digest);
        }
}

typedef struct company {
    uint64_t named, alone; /* findings that name the case before, and those that do not say that the case alone passes */
    char detail[400];      /* of the last one of the latter */
} company;

static bool add_company(void *context, const store_finding *f)
{
    company *c = context;
    c->named += strstr(f->detail, "it fails only after dml.") != NULL;
    if (!strstr(f->detail, "lone in a new process it passed 8 times of 8") &&
        !strstr(f->detail, "those of its test that were passed there")) {
        c->alone++;
        snprintf(c->detail, sizeof c->detail, "%s", f->detail);
    }
    return true;
}

/* A call that fails by what an earlier call has left behind is a failure. Alone it passes: that is said, with the case
   that left it. */
static void what_a_call_leaves_to_the_next_is_found(void **state)
{
    (void)state;
    static const char *const acts[] = { "leave-call-pointer", "leave-call-exit", "leave-call-lock", "leave-call-loss" };
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
        failing found;
        company seen = { .alone = 0 };
        error e = { .text = "" };
        const run_result r = run_act_within(SHORT_LIMIT, acts[i], "200", 1, &found);
        assert_int_equal(run_status(&r), EXIT_FAILURES);
        store *s = store_open(in_folder("a.run"), &e);
        assert_true(s && store_each_finding(s, 0, 0, add_company, &seen, &e));
        store_close(s);
        if (seen.alone > 0 || seen.named == 0)
            fail_msg("%s: of %zu findings, %llu name the case before, and %llu do not say that the case alone passes: %s",
                     acts[i], found.count, (unsigned long long)seen.named, (unsigned long long)seen.alone, seen.detail);
    }
}

static run_result run_later(const char *later, unsigned workers, const char *act, failing *found)
{
    char mark[300];
    snprintf(mark, sizeof mark, "%s", in_folder("mark"));
    const ts_option options[] = {
        { "inner", cpu }, { "act", act }, { "every", "24" }, { "mark", mark }, { "later", later }
    };
    remove(mark);
    const run_result r = run_hostile(options, sizeof options / sizeof *options, workers, 20, TIME_LIMIT, found);
    remove(mark);
    return r;
}

/* A backend that opens in one process alone, or is another one there, is judged in that process. */
static void a_later_start_that_fails_decides_nothing(void **state)
{
    (void)state;
    static const char *const ways[] = { "closed", "alignment", "level" };
    failing found;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        const run_result r = run_later(ways[i], 2, "print", &found);
        if (found.count != 0 || r.ran != r.planned || r.planned == 0)
            fail_msg("%s: %zu findings, ran %llu of %llu", ways[i], found.count, (unsigned long long)r.ran,
                     (unsigned long long)r.planned);
    }
}

/* What ends the only process that it opens in leaves the run incomplete, with the verdicts that it has. */
static void a_backend_that_opens_no_more_keeps_its_verdicts(void **state)
{
    (void)state;
    failing found;
    const run_result r = run_later("closed", 1, "exit", &found);
    assert_true(r.ran < r.planned);
    assert_int_equal(r.cases[VERDICT_PASS], r.ran);
    assert_int_equal(run_status(&r), EXIT_NOT_RUN);
}

/* A class that was planned because the backend said yes, and of which it says no elsewhere. */
static void an_answer_that_changes_is_a_finding(void **state)
{
    (void)state;
    failing found;
    const run_result r = run_later("no", 1, "exit", &found);
    assert_int_equal(r.ran, r.planned);
    assert_true(r.cases[VERDICT_NONDETERMINISTIC] > 0);
    assert_int_equal(run_status(&r), EXIT_FAILURES);
    assert_true(found.changed);
}

/* What a backend prints is in the run. A finding has the last lines that it printed in the case, and no others. */
static void last_words_are_kept(void **state)
{
    (void)state;
    static const struct {
        const char *act, *printed;
    } acts[] = {
        { "print-exit", "hostile: last words of dml.element_wise_identity" },
        { "print-hang", "hostile: waiting for dml.element_wise_identity" },
        { "print-abort", "hostile: kernel of dml.element_wise_identity\nterminate called after throwing an instance of "
                         "'hostile'\n\\x1b[31m  what():  no \\xff kernel" },
    };
    failing found;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
        const unsigned workers = 1 + (unsigned)i % 2;
        run_act_within(SHORT_LIMIT, acts[i].act, "200", workers, &found);
        assert_true(found.count >= 1);
        assert_string_equal(found.printed, acts[i].printed);
    }
}

static bool add_sizes(void *context, const store_printed *p)
{
    uint64_t *sizes = context;
    sizes[0] += p->bytes;
    sizes[1] += (p->head ? strlen(p->head) : 0) + (p->tail ? strlen(p->tail) : 0);
    return true;
}

/* Gigabytes fill neither memory nor the run file, and end with the call that prints them. */
static void much_output_is_counted(void **state)
{
    (void)state;
    failing found;
    error e = { .text = "" };
    run_act("print-much", "200", 2, &found);
    assert_int_equal(found.count, 0);
    uint64_t sizes[2] = { 0, 0 };
    store *s = store_open(in_folder("a.run"), &e);
    assert_non_null(s);
    assert_true(store_each_printed(s, add_sizes, sizes, &e));
    store_close(s);
    assert_true(sizes[0] >= UINT64_C(256) << 20);
    assert_in_range(sizes[1], 1, 64 << 10);
    run_act_within(SHORT_LIMIT, "print-forever", "200", 2, &found);
    assert_true(found.count >= 1);
    assert_non_null(strstr(found.detail, "did not come back"));
    assert_non_null(strstr(found.printed, "and so on\nand so on"));
}

/* No process outlives the worker that started it, not even in a session of its own. */
static void no_process_is_left(void **state)
{
    (void)state;
    static const char *const acts[] = { "grandchild", "grandchild-exit", "daemon" };
    failing found;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; ++i) {
        run_act(acts[i], "24", 2, &found);
        int status;
        const pid_t child = waitpid(-1, &status, WNOHANG);
        if (child != -1)
            fail_msg("%s: a process is left", acts[i]);
    }
}

/* A process that ends between two calls costs at most the case before it. */
static void a_death_between_calls_costs_at_most_one_case(void **state)
{
    (void)state;
    failing culprits, found;
    run_act("exit", "24", 1, &culprits);
    run_act("exit-between", "24", 1, &found);
    if (found.count > culprits.count)
        fail_msg("%zu cases fail for %zu deaths", found.count, culprits.count);
}

static int set_up_hostile(void **state)
{
    snprintf(cpu, sizeof cpu, "%s/backends/cpu%s", TOUCHSTONE_BINARY_DIR, TOUCHSTONE_LIBRARY_SUFFIX);
    return set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_a_call_breaks_costs_its_case, no_runs),
        cmocka_unit_test_teardown(a_write_to_the_call_is_named, no_runs),
        cmocka_unit_test_teardown(what_does_not_end_costs_its_case, no_runs),
        cmocka_unit_test_teardown(a_case_that_breaks_connections_loses_few_workers, no_runs),
        cmocka_unit_test_teardown(harmless_acts_change_nothing, no_runs),
        cmocka_unit_test_teardown(what_a_call_leaves_behind_blames_no_query, no_runs),
        cmocka_unit_test_teardown(what_a_call_leaves_to_the_next_is_found, no_runs),
        cmocka_unit_test_teardown(a_later_start_that_fails_decides_nothing, no_runs),
        cmocka_unit_test_teardown(a_backend_that_opens_no_more_keeps_its_verdicts, no_runs),
        cmocka_unit_test_teardown(an_answer_that_changes_is_a_finding, no_runs),
        cmocka_unit_test_teardown(last_words_are_kept, no_runs),
        cmocka_unit_test_teardown(much_output_is_counted, no_runs),
        cmocka_unit_test_teardown(no_process_is_left, no_runs),
        cmocka_unit_test_teardown(a_death_between_calls_costs_at_most_one_case, no_runs),
    };
    return cmocka_run_group_tests(tests, set_up_hostile, tear_down);
}

#else

int main(void)
{
    return 77; /* processes are not forked there */
}

#endif
