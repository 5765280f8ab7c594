/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random changes of run files: every verb that opens a run ends, and either names the damage with a status that is not
 * 0, or says what it says of the run as it was. A share of the changes has right checksums (run_forging.h), as contents
 * of a faulty Touchstone would: there nothing crashes or hangs, and a run with failures has none without.
 *
 *   TOUCHSTONE_CHANGES   how many changes (default 200)
 *   TOUCHSTONE_SEED      of the changes (default 1; it is printed)
 */
#include "harness/testing/run_changes.h"
#include "harness/testing/run_contents.h"
#include "harness/testing/run_forging.h"
#include "harness/testing/run_rig.h"

#include "harness/cli/command.h"
#include "harness/run/merge.h"

#if !defined(_WIN32)

enum { VERBS = 16, HANGING = 120 /* seconds that all verbs together may take */ };

/* The file that is changed, and the runs that it is held against. All are in `folder`. */
static char changed[sizeof folder + 16], kept[sizeof folder + 16], good[sizeof folder + 16], other[sizeof folder + 16];

typedef struct base {
    const char *name;
    bool fails; /* it has failing cases */
    bool live;  /* it was killed: it has a log, and can be resumed */
    bool shard;
    char *outputs[VERBS];
    int statuses[VERBS];
} base;

static base bases[] = {
    { .name = "pass.run" },
    { .name = "fail.run", .fails = true },
    { .name = "shuffled.run", .fails = true },
    { .name = "killed.run", .fails = true, .live = true },
    { .name = "shard.run", .fails = true, .shard = true },
};
enum { BASES = sizeof bases / sizeof bases[0] };

/* ---- the verbs ---- */

static char *printed, *complained;

static char *run_contents(const char *path)
{
    text t = { 0 };
    error e = { .text = "" };
    store *s = store_open(path, &e);
    if (!s || !contents_read(s, &t, &e))
        text_add(&t, e.text);
    store_close(s);
    return t.data;
}

typedef int verb_function(int argc, char **argv);

/* Run a verb, and keep the status and what it printed, which the caller frees. */
static int run_verb(verb_function *verb, char **argv, char **output)
{
    int argc = 0;
    while (argv[argc])
        ++argc;
    optind = 0;
    const int status = testing_run(verb, argc, argv, NULL, &printed, &complained);
    *output = strdup(printed ? printed : "");
    return status;
}

#define RUN(verb, ...) run_verb(verb, (char *[]){ __VA_ARGS__, NULL }, output)

/* The n-th verb, on the changed run. -1: it is of no use there. */
static int nth_verb(const base *b, int n, char **output)
{
    char made[64], past[64], waived[64];
    snprintf(made, sizeof made, "%s", in_folder("made.run"));
    snprintf(past, sizeof past, "%s", in_folder("past.db"));
    snprintf(waived, sizeof waived, "%s", in_folder("known.lua"));
    *output = NULL;
    switch (n) {
    case 0: return RUN(cmd_report, "report", changed);
    case 1: return RUN(cmd_report, "report", changed, "--json", "-");
    case 2: return RUN(cmd_report, "report", changed, "--csv", "-");
    case 3: return RUN(cmd_report, "report", changed, "--junit", "-");
    case 4: return RUN(cmd_report, "report", changed, "--html", "-");
    case 5: return RUN(cmd_status, "status", changed);
    case 6: return RUN(cmd_status, "status", changed, "--json", "--all");
    case 7: return RUN(cmd_diff, "diff", good, changed);
    case 8: return RUN(cmd_diff, "diff", changed, good, "--json");
    case 9: return b->shard ? -1 : RUN(cmd_compare, "compare", good, changed);
    case 10: return RUN(cmd_waive, "waive", changed, waived);
    case 11: return RUN(cmd_waive, "waive", "--tighten", changed, waived);
    case 12: remove(past); return RUN(cmd_history, "history", past, "--add", changed);
    case 13: return access(past, F_OK) == 0 ? RUN(cmd_history, "history", past) : -1;
    case 14:
    case 15: break;
    default: return -1;
    }
    if (n == 14 && !b->shard)
        return -1;
    remove(made);
    const int status =
        n == 14 ? RUN(cmd_merge, "merge", made, changed, other) : RUN(cmd_resume, "resume", changed, "-q", "-j", "1");
    if (status == 0 || status == 1 || status == 2) { /* what it prints has times */
        free(*output);
        *output = run_contents(n == 14 ? made : changed);
    }
    return status;
}

/* ---- the runs ---- */

static void copy_file(const char *from, const char *to)
{
    text t = { 0 };
    remove(to);
    change_read(from, &t);
    if (t.data)
        change_write(to, t.data, t.length);
    text_free(&t);
}

/* Copy a run with the files beside it. */
static void copy_run(const char *from, const char *to)
{
    static const char *const endings[] = { "", "-wal", "-journal", "-shm" };
    for (int i = 0; i < 4; ++i) {
        char source[256], target[256];
        snprintf(source, sizeof source, "%s%s", from, endings[i]);
        snprintf(target, sizeof target, "%s%s", to, endings[i]);
        copy_file(source, target);
    }
}

static bool has_results(store *s)
{
    text t = { 0 };
    error e;
    bool found = store_each_tally(s, contents_tally, &t, &e) && t.length > 0;
    text_free(&t);
    return found;
}

static int set_up_runs(void **unused)
{
    static const ts_option tail = { "fault", "vector-tail" }, hang = { "fault", "process-hang" };
    if (set_up(unused) != 0 || chdir(folder) != 0)
        return -1;
    snprintf(changed, sizeof changed, "%s", in_folder("c.run"));
    snprintf(kept, sizeof kept, "%s", in_folder("kept.run"));
    snprintf(good, sizeof good, "%s", in_folder("good.run"));
    snprintf(other, sizeof other, "%s", in_folder("other.run"));
    testing_write(in_folder("known.lua"),
                  "return { { query = 'dml.element_wise_identity:many where dtype == f32', reason = 'r',\n"
                  "  owner = 'o', link = 'https://bugs.example/1', expires = '2099-12-31' } }\n");
    for (size_t i = 0; i < BASES; ++i) {
        run_options o = options_for(bases[i].live ? &hang : bases[i].fails ? &tail : NULL, 2);
        char path[256];
        snprintf(path, sizeof path, "%s", in_folder(bases[i].name));
        o.output = path;
        o.max_findings = 20;
        o.shuffle = strncmp(bases[i].name, "shuf", 4) == 0;
        o.shards = bases[i].shard ? 2 : 0;
        o.shard = o.shards ? 1 : 0;
        if (bases[i].live) {
            assert_true(kill_a_run(&o, has_results));
            continue;
        }
        ran(&o);
        if (bases[i].shard) {
            o.shard = 2;
            o.output = other;
            ran(&o);
        }
    }
    copy_run(in_folder("pass.run"), good);
    return 0;
}

/* ---- a change ---- */

/* A run that was killed may be read as an earlier commit left it, if its log is damaged: it is unfinished then as well,
   and resumed it is what it would have been. */
static bool is_earlier(const base *b, int n, int status, const char *output)
{
    return b->live && n != 15 && (status != 0 || (n != 5 && n != 6)) && !strstr(output, "Conformant") &&
           !strstr(output, "\"conformant\"");
}

static bool names_the_damage(int status)
{
    return (status == EXIT_HARNESS || status == EXIT_BAD_USAGE) && complained && strstr(complained, "c.run");
}

/* Where two texts begin to differ: the line of `a` in which they do. */
static const char *first_difference(const char *a, const char *b)
{
    const char *line = a;
    for (size_t i = 0; a[i] && a[i] == b[i]; ++i)
        if (a[i] == '\n')
            line = a + i + 1;
    return line;
}

/* Run all verbs. Returns the number of those that say what is not so. */
static int verbs_that_err(const base *b, const change *c, bool forged, uint64_t number)
{
    int wrong = 0;
    for (int n = 0; n < VERBS; ++n) {
        char *output;
        copy_run(kept, changed); /* a verb may complete what a log holds */
        const int status = nth_verb(b, n, &output);
        const bool same = status == b->statuses[n] && (!output || !b->outputs[n] || strcmp(output, b->outputs[n]) == 0);
        bool fine = same || names_the_damage(status) || (n == 13 && status == -1) ||
                    is_earlier(b, n, status, output ? output : "");
        if (forged || (c->triggers && n == 15)) /* what is not stored twice may be another; a failure stays one */
            fine = fine || status != 0 || !b->fails || (n != 15 && (b->live || (n != 5 && n != 6)));
        if (!fine) {
            const char *was = b->outputs[n] ? b->outputs[n] : "", *is = output ? output : "";
            fprintf(
                stderr,
                "change %llu of %s%s: %s\n  verb %d: status %d instead of %d\n  %.600s\n  instead of\n  %.600s\n%.300s\n",
                (unsigned long long)number, b->name, forged ? " (forged)" : "", c->what, n, status, b->statuses[n],
                first_difference(is, was), first_difference(was, is), complained ? complained : "");
            ++wrong;
        }
        free(output);
    }
    return wrong;
}

/* In a process of its own, so that one that crashes or hangs is one of many. */
static bool survives(const base *b, uint64_t seed, uint64_t number)
{
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        change c = { .random = seed * UINT64_C(1000003) + number, .path = changed };
        alarm(HANGING);
        const bool forged = change_random(&c, 4) == 0;
        copy_run(in_folder(b->name), changed);
        change_run(&c);
        if (forged)
            forge_checksums(changed);
        copy_run(changed, kept);
        exit(verbs_that_err(b, &c, forged, number) == 0 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        print_error("change %llu of %s: ended by signal %d%s\n", (unsigned long long)number, b->name, WTERMSIG(status),
                    WTERMSIG(status) == SIGALRM ? " (it hung)" : "");
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static uint64_t number_in(const char *variable, uint64_t otherwise)
{
    const char *value = getenv(variable);
    return value && *value ? strtoull(value, NULL, 10) : otherwise;
}

static void no_change_makes_a_run_say_what_is_not_so(void **unused)
{
    (void)unused;
    const uint64_t changes = number_in("TOUCHSTONE_CHANGES", 200), seed = number_in("TOUCHSTONE_SEED", 1);
    const uint64_t from = number_in("TOUCHSTONE_FROM", 0);
    uint64_t wrong = 0;
    for (size_t i = 0; i < BASES; ++i) {
        for (int n = 0; n < VERBS; ++n) {
            copy_run(in_folder(bases[i].name), changed);
            bases[i].statuses[n] = nth_verb(&bases[i], n, &bases[i].outputs[n]);
            /* Each base and verb is of use: what is compared later is not the message of a mistake here. */
            if (bases[i].statuses[n] > 2 && !(n == 12 && bases[i].live))
                fail_msg("verb %d of %s: status %d, %s", n, bases[i].name, bases[i].statuses[n], complained);
        }
    }
    for (uint64_t i = from; i < changes; ++i)
        wrong += !survives(&bases[i % BASES], seed, i);
    print_message("%llu changes, seed %llu: %llu are not found\n", (unsigned long long)(changes - from),
                  (unsigned long long)seed, (unsigned long long)wrong);
    for (size_t i = 0; i < BASES; ++i)
        for (int n = 0; n < VERBS; ++n)
            free(bases[i].outputs[n]);
    free(printed);
    free(complained);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(no_change_makes_a_run_say_what_is_not_so) };
    return cmocka_run_group_tests(tests, set_up_runs, tear_down);
}

#else

int main(void)
{
    return 77; /* no fork */
}

#endif
