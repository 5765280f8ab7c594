/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/nothing.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/output.h"
#include "harness/base/platform.h"
#include "harness/base/text.h"
#include "harness/run/run.h"
#include "harness/run/shrink.h"
#include "reports/report.h"
#include "reports/run_print.h"
#include "harness/analysis/waive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char help[] =
    "Usage: touchstone run [QUERY...] -b BACKEND [OPTION...]\n"
    "Run test cases on a backend, compare its outputs with the reference bit for bit, and store the results in a\n"
    "run file.\n"
    "\n"
    "A QUERY selects cases: OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]; * stands for any part of a name. A\n"
    "case id copied from a report selects that case. Without a query, all cases of the tier run. A test that a\n"
    "query names without * runs completely, whatever the tier.\n"
    "\n"
    "Of operators that are checked, but not computed, the backend is asked which descriptors it accepts. Query\n"
    "'validation' selects all of them, dml.convolution one; such a run has no others, and is no conformance.\n"
    "\n"
    "  -b, --backend NAME|PATH    a name that 'touchstone backends' lists, or the path of a shared library;\n"
    "                             exec:PROGRAM runs a program (docs/exec.md), NAME:TEXT is NAME with\n"
    "                             --backend-opt command=TEXT\n"
    "      --backend-opt KEY=VAL  an option of the backend ('touchstone backends NAME -v' lists them); may be repeated\n"
    "      --tier TIER            quick (default; takes seconds), full or exhaustive\n"
    "  -l, --feature-level L      judge at this feature level, such as 4_1 (default: the backend's highest)\n"
    "  -p, --profile P            the begin of a reversed StridedSlice: openvino (default) or numpy\n"
    "      --decisions HOW        open (default): no case fails for what we decided where the specification is silent, and\n"
    "                             its answer is recorded; or binding: what rests on a decision or an\n"
    "                             observation of ours is judged, too\n"
    "      --waivers FILE         accept the known failures in FILE ('touchstone waive --help' has the format)\n"
    "      --require QUERY        not conformant if a case that QUERY selects of the tier is absent: not in the run, or\n"
    "                             not offered by the backend; may be repeated\n"
    "      --max-findings N       store at most N failing cases per test with all details (default 1000)\n"
    "      --shrink N             look for a smaller case that fails as each of the first failing cases does, with\n"
    "                             at most N executions each (default 200; 0: do not)\n"
    "      --repeat N             execute each case N times (default 1). A case with different results is\n"
    "                             nondeterministic, and its finding shows how often each result occurred\n"
    "      --shuffle[=SEED]       execute all cases a second time, in an order derived from SEED (default 1). A\n"
    "                             case with another result is nondeterministic, and Touchstone searches for the\n"
    "                             cases before it that it depends on\n"
    "      --seed N               draw the cases of drawn tests from seed N (default 0): other cases of the same kind\n"
    "      --in-order             run the given cases in this order, in one process; each QUERY must be a case id\n"
    "  -j, --jobs N               worker processes (default: one per core). 0 runs all cases in this process, for\n"
    "                             use with a debugger; a hang or an exit of the backend then ends the run\n"
    "      --time-limit T         time that one call of the backend may take: 500ms, 10s or 2m (default 10s). A batch\n"
    "                             of cases is one call\n"
    "      --memory-limit SIZE    memory that one worker may use, such as 512M or 4G; 0: no limit (default: three\n"
    "                             quarters of the machine's memory, divided by the number of workers)\n"
    "      --max-losses N         give up a test after N consecutive cases that ended the backend's process, and\n"
    "                             end the run after 3 N such cases in a row, whatever their tests\n"
    "                             (default 100; a hang counts as 10; 0: never give up)\n";

static const char more_help[] =
    "      --shard I/N            run part I of N of every test; auto: see below\n"
    "      --budget T             run one session: start no new slice of cases after T, such as 20m (1ms to\n"
    "                             24h). Only the cases of the slices that were started count as planned; they are\n"
    "                             spread over all tests\n"
    "      --since RUN|HISTORY    with --budget: continue where that run, or the last session of a history, ended.\n"
    "                             No case runs twice before every case has run once\n"
    "      --session N            with --budget: the number of this session. Without --since, session N (from 0) runs\n"
    "                             the N-th fixed range of slices, as many as T allows at 100000 cases/s\n"
    "  -o, --output RUN           the run file to write (default: BACKEND-TIME.run)\n"
    "      --html FILE            write a report of the run as well, one self-contained page; an existing FILE is\n"
    "                             replaced, but never a run or a history\n"
    "  -q, --quiet                print no progress line\n"
    "  -h, --help                 print this text\n";

static const char help_end[] =
    "\n"
    "'touchstone resume RUN' continues a run that was interrupted or killed. 'touchstone merge' merges shards\n"
    "into one run. --shard auto reads TEST_SHARD_INDEX and TEST_TOTAL_SHARDS (Bazel), SLURM_ARRAY_TASK_ID, _MIN,\n"
    "_MAX and _STEP (Slurm), or JOB_COMPLETION_INDEX and TOUCHSTONE_SHARDS (Kubernetes).\n"
    "\n"
    "Exit status: 0 all planned cases ran and none failed; 1 a case failed; 2 not all planned cases ran, no case\n"
    "was selected or judged, or a required case is absent; 3 Touchstone itself failed; 64 wrong usage.\n"
    "\n"
    "Examples:\n"
    "  touchstone run -b cpu\n"
    "  touchstone run -b ./mine.so --tier full 'dml.slice1:*' -o mine.run\n";

enum {
    OPT_BACKEND = 256,
    OPT_TIER,
    OPT_REQUIRE,
    OPT_FINDINGS,
    OPT_DECISIONS,
    OPT_WAIVERS,
    OPT_TIME,
    OPT_MEMORY,
    OPT_LOSSES,
    OPT_SHARD,
    OPT_SHRINK,
    OPT_REPEAT,
    OPT_SHUFFLE,
    OPT_SEED,
    OPT_IN_ORDER,
    OPT_BUDGET,
    OPT_SINCE,
    OPT_SESSION,
    OPT_HTML
};

/* Join the arguments to one command line, for the report. The caller frees it; NULL if memory is out. */
static char *join(int argc, char **argv)
{
    text line = { .data = NULL };
    text_add(&line, "touchstone");
    for (int i = 0; i < argc; ++i) {
        text_add(&line, " ");
        text_shell(&line, argv[i]);
    }
    if (line.failed)
        text_free(&line);
    return line.data;
}

/* A run as the command line asks for it. */
typedef struct request {
    run_options run;
    plugin_options backend;
    uint64_t jobs;
    const char *html;         /* the report to write, or NULL */
    const char *required[64]; /* queries of --require */
} request;

static bool add_required(request *r, run_options *o, const char *asked, error *e)
{
    if (o->required_count == sizeof r->required / sizeof r->required[0])
        return error_usage(e, "--require '%s': more than %zu queries", asked, o->required_count);
    r->required[o->required_count++] = asked;
    return true;
}

static const struct option options[] = {
    { "backend", required_argument, NULL, 'b' },
    { "backend-opt", required_argument, ARGUMENTS_REPEAT, OPT_BACKEND },
    { "tier", required_argument, NULL, OPT_TIER },
    { "feature-level", required_argument, NULL, 'l' },
    { "profile", required_argument, NULL, 'p' },
    { "decisions", required_argument, NULL, OPT_DECISIONS },
    { "waivers", required_argument, NULL, OPT_WAIVERS },
    { "require", required_argument, ARGUMENTS_REPEAT, OPT_REQUIRE },
    { "max-findings", required_argument, NULL, OPT_FINDINGS },
    { "jobs", required_argument, NULL, 'j' },
    { "time-limit", required_argument, NULL, OPT_TIME },
    { "memory-limit", required_argument, NULL, OPT_MEMORY },
    { "max-losses", required_argument, NULL, OPT_LOSSES },
    { "shard", required_argument, NULL, OPT_SHARD },
    { "shrink", required_argument, NULL, OPT_SHRINK },
    { "repeat", required_argument, NULL, OPT_REPEAT },
    { "shuffle", optional_argument, NULL, OPT_SHUFFLE },
    { "seed", required_argument, NULL, OPT_SEED },
    { "in-order", no_argument, NULL, OPT_IN_ORDER },
    { "budget", required_argument, NULL, OPT_BUDGET },
    { "since", required_argument, NULL, OPT_SINCE },
    { "session", required_argument, NULL, OPT_SESSION },
    { "output", required_argument, NULL, 'o' },
    { "html", required_argument, NULL, OPT_HTML },
    { "quiet", no_argument, NULL, 'q' },
    { NULL, 0, NULL, 0 },
};

/* Parse the options. False if the verb ends here, with *status. */
static bool parse(int argc, char **argv, request *r, int *status)
{
    run_options o = r->run;
    uint64_t jobs = r->jobs;
    error e;
    bool fine = true;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'b': fine = options_backend(&o.backend, &r->backend, optarg, &e); break;
        case 'o': o.output = optarg; break;
        case 'q': o.progress = false; break;
        case OPT_BACKEND: fine = options_add_backend(&r->backend, optarg, &e); break;
        case OPT_TIER: fine = options_tier(optarg, &o.tier, &e); break;
        case 'l': fine = options_level(optarg, &o.level, &e); break;
        case 'p': fine = options_profile(optarg, &o.profile, &e); break;
        case OPT_DECISIONS: fine = options_decisions(optarg, &o.decisions, &e); break;
        case OPT_WAIVERS: o.waivers = optarg; break;
        case OPT_REQUIRE: fine = add_required(r, &o, optarg, &e); break;
        case OPT_FINDINGS: fine = options_number("--max-findings", optarg, 0, 1000000, &o.max_findings, &e); break;
        case OPT_TIME: fine = options_seconds("--time-limit", optarg, &o.limits.seconds, &e); break;
        case OPT_MEMORY: fine = options_memory(optarg, &o.limits.memory, &e); break;
        case OPT_LOSSES: fine = options_number("--max-losses", optarg, 0, UINT32_MAX, &o.limits.losses, &e); break;
        case OPT_SHRINK: fine = options_number("--shrink", optarg, 0, 1000000, &o.shrink, &e); break;
        case OPT_REPEAT: fine = options_number("--repeat", optarg, 1, 1000000, &o.repeat, &e); break;
        case OPT_SHUFFLE:
            o.shuffle = true;
            fine = !optarg || options_number("--shuffle", optarg, 0, UINT32_MAX, &o.seed, &e);
            break;
        case OPT_SEED: fine = options_seed(optarg, &o.draw_seed, &e); break;
        case OPT_IN_ORDER: o.in_order = true; break;
        case OPT_SHARD: fine = options_shard(optarg, &o.shard, &o.shards, &e); break;
        case OPT_BUDGET: fine = options_seconds("--budget", optarg, &o.budget, &e); break;
        case OPT_HTML: r->html = optarg; break;
        case OPT_SINCE: o.since = optarg; break;
        case OPT_SESSION:
            fine = options_number("--session", optarg, 0, UINT32_MAX, &o.session, &e);
            o.has_session = true;
            break;
        case 'j': fine = options_number("--jobs", optarg, 0, RUN_MAX_WORKERS, &jobs, &e); break;
        case 'h':
            command_help(help);
            command_help(more_help);
            *status = command_help(help_end);
            return false;
        default: *status = EXIT_BAD_USAGE; return false;
        }
    }
    r->run = o;
    r->jobs = jobs;
    if (fine && o.backend)
        return true;
    *status = fine ? command_usage("run", "no backend: name the implementation under test, such as -b cpu")
                   : command_fail("run", &e);
    return false;
}

/* What is wrong with this combination of options and queries; NULL: nothing. */
static const char *contradiction(const request *r, bool queries)
{
    const run_options o = r->run;
    const uint64_t jobs = r->jobs;
    const char *wrong =
        o.shuffle && jobs == 0                      ? "--shuffle needs worker processes: -j 1 or more"
        : o.in_order && (o.shuffle || o.shards)     ? "--in-order excludes --shuffle and --shard"
        : o.in_order && !queries                    ? "--in-order: expected the ids of the cases to run"
        : o.budget > 0 && (o.shuffle || o.in_order) ? "--budget goes with neither --shuffle nor --in-order"
        : o.budget > 0 && o.required_count          ? "--require and --budget do not go together: a session runs only "
                                                      "a part of the cases"
        : o.budget > 0 && o.shards                  ? "--shard and --budget do not go together: with --session each "
                                                      "machine runs slices of its own"
        : o.budget == 0 && (o.has_session || o.since) ? "--session and --since select the cases of a --budget, and "
                                                        "there is none"
                                                      : NULL;
    return wrong;
}

/* Print the result; the exit status. */
static int print(const run_options *o, const run_result *result)
{
    error e;
    if (result->interrupted && result->ran == 0) {
        fprintf(stderr, "touchstone run: interrupted before the first case\n");
        return EXIT_NOT_RUN;
    }
    if (result->planned == 0 && !*result->digest) {
        const plan_options planned = { .tier = o->tier, .seed = o->seed };
        return nothing_to_do("run", o->queries, o->query_count, &planned, o->backend, o->level);
    }
    nothing_of_meant("run", o->queries, o->query_count);
    run_print(o->output, result);
    if (o->waivers && !result->displaced && !waive_report(o->output, stdout, &e))
        return command_fail("run", &e);
    return (int)run_status(result);
}

/* Can the report be written, and does it replace nothing that this command reads or writes? */
static bool check_html(const request *r, error *e)
{
    const run_options *o = &r->run;
    if (!r->html)
        return true;
    if (strcmp(r->html, "-") == 0)
        return error_usage(e, "--html -: standard output has the summary of the run; give the name of a file");
    const output_name outputs[] = { { "--output", o->output }, { "--html", r->html } };
    const char *const inputs[] = { o->waivers, o->since,
                                   platform_file_name(o->backend) != o->backend ? o->backend : NULL };
    return outputs_check(outputs, 2, inputs, sizeof inputs / sizeof inputs[0], e) && output_probe(r->html, e);
}

/* Write the report, if one is wanted and there is a run. */
static bool write_html(const request *r, const run_result *result, error *e)
{
    if (!r->html || (result->planned == 0 && !*result->digest) || (result->interrupted && result->ran == 0))
        return true;
    if (result->displaced)
        return error_set(e, "%s: was removed or replaced during the run, so that there is no report", r->run.output);
    store *s = store_open(r->run.output, e);
    const bool fine = s && report_html(s, r->html, e);
    store_close(s);
    return fine;
}

/* BACKEND-TIME.run, or BACKEND-TIME-2.run and so on: two runs may begin in the same second. */
static void name_run(char *buf, size_t size, const char *backend)
{
    char stamp[32];
    const time_t now = time(NULL);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", gmtime(&now));
    snprintf(buf, size, "%.200s-%s.run", platform_file_name(backend), stamp);
    for (int k = 2; k < 100 && access(buf, F_OK) == 0; ++k)
        snprintf(buf, size, "%.200s-%s-%d.run", platform_file_name(backend), stamp, k);
}

int cmd_run(int argc, char **argv)
{
    request r = { .run = { .tier = OPTIONS_TIER,
                           .max_findings = 1000,
                           .limits = CASE_LIMITS_DEFAULT,
                           .repeat = 1,
                           .shrink = SHRINK_LIMIT_OF_RUN,
                           .seed = 1,
                           .progress = platform_stderr_is_terminal() },
                  .jobs = platform_cores() };
    run_options *o = &r.run;
    run_result result;
    error e;
    int status;
    char named[256], *command = join(argc, argv); /* getopt_long() reorders argv */
    if (!parse(argc, argv, &r, &status)) {
        free(command);
        return status;
    }
    const char *wrong = contradiction(&r, argc > optind);
    if (wrong) {
        free(command);
        return command_usage("run", "%s", wrong);
    }
    if (!o->output) {
        name_run(named, sizeof named, o->backend);
        o->output = named;
    }
    o->backend_options = r.backend.list;
    o->backend_option_count = r.backend.count;
    o->queries = (const char *const *)(argv + optind);
    o->query_count = (size_t)(argc - optind);
    o->required = r.required;
    o->command = command;
    o->workers = (unsigned)r.jobs;
    run_install_interrupt_handlers();
    bool fine = check_html(&r, &e) && run_execute(o, &result, &e);
    free(command);
    status = fine ? print(o, &result) : command_fail("run", &e);
    return !fine || write_html(&r, &result, &e) ? status : command_fail("run", &e);
}
