/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/command.h"
#include "harness/options.h"
#include "harness/platform.h"
#include "harness/run.h"
#include "harness/store.h"
#include "reference/ledger.h"

#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone run [QUERY...] -b BACKEND [OPTION...]\n"
    "Run cases against a backend, compare bit for bit, and keep what came of them in a run file.\n"
    "\n"
    "A QUERY selects cases: OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]; * in names.\n"
    "An id pasted from a report runs that one case. Without a query, everything runs.\n"
    "\n"
    "  -b, --backend NAME|PATH    what to test: a name that 'touchstone backends' lists, or a library\n"
    "      --backend-opt KEY=VAL  an option of the backend; may be repeated\n"
    "      --tier TIER            quick, full or exhaustive (default: quick where it exists, else full)\n"
    "      --feature-level L      judge at this level, such as 4_1 (default: the backend's highest)\n"
    "      --profile P            openvino (default) or numpy: StridedSlice's reverse begin\n"
    "      --max-findings N       failing cases kept in full, per test (default 1000)\n"
    "  -o, --output RUN           the run file to write (default: BACKEND-TIME.run)\n"
    "  -q, --quiet                no progress line\n"
    "      --help                 this text\n"
    "\n"
    "Exit status: 0 conformant; 1 a case failed; 2 it did not run what it owed, nothing included;\n"
    "3 touchstone itself failed; 64 wrong usage.\n";

enum { OPT_BACKEND = 256, OPT_TIER, OPT_LEVEL, OPT_PROFILE, OPT_FINDINGS, OPT_HELP };

static void on_interrupt(int number)
{
    (void)number;
    run_interrupt();
}

/* The command as typed, for the report. */
static char *join(int argc, char **argv)
{
    size_t size = sizeof "touchstone";
    for (int i = 0; i < argc; ++i)
        size += strlen(argv[i]) + 3;
    char *text = malloc(size);
    size_t used = text ? (size_t)snprintf(text, size, "touchstone") : 0;
    for (int i = 0; text && i < argc; ++i) {
        const char *quote = strpbrk(argv[i], " *'\"{}()<>&|;$") ? "'" : "";
        used += (size_t)snprintf(text + used, size - used, " %s%s%s", quote, argv[i], quote);
    }
    return text;
}

static void print_answers(const char *path);
static void print_findings(const char *path);

static void print_result(const run_options *o, const run_result *r)
{
    static const verdict others[] = { VERDICT_AMBIGUOUS, VERDICT_WAIVED, VERDICT_UNSUPPORTED };
    uint64_t failed = 0;
    for (int v = 0; v < VERDICT_COUNT; ++v)
        failed += verdict_fails((verdict)v) ? r->cases[v] : 0;
    printf("owed %" PRIu64 ", ran %" PRIu64 ", passed %" PRIu64 ", failed %" PRIu64, r->owed, r->ran,
           r->cases[VERDICT_PASS], failed);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        if (r->cases[others[i]])
            printf(", %s %" PRIu64, verdict_name(others[i]), r->cases[others[i]]);
    printf("  (%.1f s, %.2f M cases/s)\n", r->seconds, (double)r->ran / (r->seconds + 1e-9) / 1e6);
    for (int v = 0; v < VERDICT_COUNT; ++v)
        if (verdict_fails((verdict)v) && r->cases[v])
            printf("  %-17s %" PRIu64 "\n", verdict_name((verdict)v), r->cases[v]);
    print_answers(o->output);
    if (failed)
        print_findings(o->output);
    printf("run file %s\nsuite    %s\ndigest   %s\n", o->output, r->suite_digest, r->digest);
    if (r->interrupted)
        printf("interrupted: it did not run what it owed\n");
    else if (failed)
        printf("not conformant\n");
    else if (r->ran == r->owed && !r->cases[VERDICT_UNSUPPORTED] && o->query_count)
        printf("conformant in what was run: %s%s\n", o->queries[0], o->query_count > 1 ? ", ..." : "");
    else if (r->ran == r->owed && !r->cases[VERDICT_UNSUPPORTED])
        printf("conformant\n");
    else
        printf("incomplete: it did not run what it owed\n");
}

static bool print_finding(void *context, const store_finding *f)
{
    (void)context;
    printf("\n%s %s%s%s\n  %s\n  %s\n", verdict_name(f->verdict), f->case_id, f->clause ? "  " : "",
           f->clause ? f->clause : "", f->detail ? f->detail : "", f->reproducer ? f->reproducer : "");
    return true;
}

/* How the backend answered what the text leaves open, over all tests. */
typedef struct answers {
    struct {
        char kind[96];
        uint64_t cases;
    } list[64];
    size_t count;
} answers;

static bool take_answer(void *context, const store_observation *o)
{
    answers *a = context;
    char entry[32];
    size_t n = strcspn(o->kind, ":"), i = 0;
    snprintf(entry, sizeof entry, "%.*s", (int)n, o->kind);
    if (n >= sizeof entry || !ledger_find(entry))
        return true; /* an observation of another kind */
    while (i < a->count && strcmp(a->list[i].kind, o->kind) != 0)
        ++i;
    if (i == sizeof a->list / sizeof a->list[0])
        return true;
    if (i == a->count)
        snprintf(a->list[a->count++].kind, sizeof a->list[0].kind, "%s", o->kind);
    a->list[i].cases += o->cases;
    return true;
}

static void print_answers(const char *path)
{
    error e;
    answers a = { .count = 0 };
    store *s = store_open(path, &e);
    if (s && store_each_observation(s, take_answer, &a, &e))
        for (size_t i = 0; i < a.count; ++i)
            printf("  %s  %" PRIu64 "\n", a.list[i].kind, a.list[i].cases);
    store_close(s);
}

/* The first failures, so that nobody needs a report to start. */
static void print_findings(const char *path)
{
    error e;
    store *s = store_open(path, &e);
    if (s && store_each_finding(s, 0, 3, print_finding, NULL, &e))
        printf("\n");
    store_close(s);
}

int cmd_run(int argc, char **argv)
{
    static const struct option options[] = {
        { "backend", required_argument, NULL, 'b' },
        { "backend-opt", required_argument, NULL, OPT_BACKEND },
        { "tier", required_argument, NULL, OPT_TIER },
        { "feature-level", required_argument, NULL, OPT_LEVEL },
        { "profile", required_argument, NULL, OPT_PROFILE },
        { "max-findings", required_argument, NULL, OPT_FINDINGS },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    run_options o = { .tier = TIER_FULL, .max_findings = 1000, .progress = platform_stderr_is_terminal() };
    options_backend backend = { .count = 0 };
    run_result result;
    error e;
    char *command = join(argc, argv);
    bool fine = true;
    int c;
    while (fine && (c = getopt_long(argc, argv, "b:o:q", options, NULL)) != -1) {
        switch (c) {
        case 'b': o.backend = optarg; break;
        case 'o': o.output = optarg; break;
        case 'q': o.progress = false; break;
        case OPT_BACKEND: fine = options_add_backend(&backend, optarg, &e); break;
        case OPT_TIER: fine = options_tier(optarg, &o.tier, &e); break;
        case OPT_LEVEL: fine = options_level(optarg, &o.level, &e); break;
        case OPT_PROFILE: fine = options_profile(optarg, &o.profile, &e); break;
        case OPT_FINDINGS: fine = options_number("--max-findings", optarg, 0, 1000000, &o.max_findings, &e); break;
        case OPT_HELP:
            fputs(help, stdout);
            free(command);
            return 0;
        default:
            free(command);
            return command_usage("run", "that option is not known, or lacks its value");
        }
    }
    if (!fine || !o.backend) {
        free(command);
        return fine ? command_usage("run", "no backend: which implementation is to be tested? (-b cpu, for instance)")
                    : command_fail("run", &e);
    }
    char output[256], stamp[32];
    const char *slash = strrchr(o.backend, '/');
    time_t now = time(NULL);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", gmtime(&now));
    snprintf(output, sizeof output, "%.200s-%s.run", slash ? slash + 1 : o.backend, stamp);
    if (!o.output)
        o.output = output;
    o.backend_options = backend.list;
    o.backend_option_count = backend.count;
    o.queries = (const char *const *)(argv + optind);
    o.query_count = (size_t)(argc - optind);
    o.command = command;
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
    fine = run_execute(&o, &result, &e);
    free(command);
    if (!fine)
        return command_fail("run", &e);
    if (result.owed == 0) {
        fprintf(stderr, "touchstone run: nothing to run: the queries and the tier select no case that backend '%s' "
                        "owes; 'touchstone plan' shows what there is\n", o.backend);
        return EXIT_NOT_RUN;
    }
    print_result(&o, &result);
    return (int)run_status(&result);
}
