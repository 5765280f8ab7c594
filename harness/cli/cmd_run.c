/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/base/platform.h"
#include "harness/run/run.h"
#include "reports/run_print.h"
#include "harness/analysis/waive.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone run [QUERY...] -b BACKEND [OPTION...]\n"
    "Run cases against a backend, compare bit for bit, and keep what came of them in a run file.\n"
    "\n"
    "A QUERY selects cases: OPERATOR[:TEST[:PARAMETERS]][ where PREDICATE]; * in names.\n"
    "An id pasted from a report runs that one case. Without a query, everything in the tier runs; a test that is named\n"
    "without * runs whole, whatever the tier.\n"
    "\n"
    "  -b, --backend NAME|PATH    what to test: a name that 'touchstone backends' lists, or a library\n"
    "      --backend-opt KEY=VAL  an option of the backend; may be repeated\n"
    "      --tier TIER            quick (default: seconds), full or exhaustive\n"
    "      --feature-level L      judge at this level, such as 4_1 (default: the backend's highest)\n"
    "      --profile P            openvino (default) or numpy: StridedSlice's reverse begin\n"
    "      --waivers FILE         known failures, accepted for now (Lua or JSON; 'touchstone waive --help')\n"
    "      --max-findings N       failing cases kept in full, per test (default 1000)\n"
    "      --repeat N             execute every case N times; one that does not come out the same each time is\n"
    "                             nondeterministic, and its finding says how often (default 1)\n"
    "      --shuffle[=SEED]       a second pass over the same cases, in an order made from SEED (default 1): those\n"
    "                             that come out otherwise then are nondeterministic, and the cases that this\n"
    "                             depends on are looked for\n"
    "      --in-order             every QUERY is an id: run these cases in the order given, in one process\n"
    "  -j, --jobs N               worker processes (default: one per core); 0 runs all in this one, for a\n"
    "                             debugger: then a hang or an exit of the backend ends it\n"
    "      --time-limit T         that one call of the backend may take, as 500ms, 10s or 2m (default 10s)\n"
    "      --memory-limit SIZE    that a worker may take, as 512M or 4G; 0: any (default: three quarters of the\n"
    "                             machine's, shared by the workers)\n"
    "      --max-losses N         a test is given up when so many cases in a row ended the backend; 0: never\n"
    "                             (default 100; a hang counts as 10)\n"
    "      --shard I/N            the I-th of N parts of every test; auto: as Slurm, Kubernetes or Bazel say\n"
    "      --budget T             run one session: start no new slice of cases after T, as 20m (1ms to 24h). The run\n"
    "                             plans the cases that it started, a share of the tier spread over all tests\n"
    "      --since RUN|HISTORY    with --budget: continue where that run, or the last session of a history, ended.\n"
    "                             No case runs twice before every case has run once\n"
    "      --session N            with --budget: the number of this session. Without --since, session N (from 0) runs\n"
    "                             the N-th fixed range of slices, as many as T allows at 100000 cases/s\n"
    "  -o, --output RUN           the run file to write (default: BACKEND-TIME.run)\n"
    "  -q, --quiet                no progress line\n"
    "      --help                 this text\n"
    "\n"
    "A run that was interrupted or killed goes on with 'touchstone resume RUN'. Shards become one with\n"
    "'touchstone merge'. With --shard auto the part comes from TEST_SHARD_INDEX and TEST_TOTAL_SHARDS (Bazel),\n"
    "SLURM_ARRAY_TASK_ID, _MIN, _MAX and _STEP, or JOB_COMPLETION_INDEX and TOUCHSTONE_SHARDS (Kubernetes).\n"
    "\n"
    "Exit status: 0 conformant; 1 a case failed; 2 it did not run all that it planned, nothing included;\n"
    "3 touchstone itself failed; 64 wrong usage.\n";

enum {
    OPT_BACKEND = 256,
    OPT_TIER,
    OPT_LEVEL,
    OPT_PROFILE,
    OPT_FINDINGS,
    OPT_WAIVERS,
    OPT_TIME,
    OPT_MEMORY,
    OPT_LOSSES,
    OPT_SHARD,
    OPT_REPEAT,
    OPT_SHUFFLE,
    OPT_IN_ORDER,
    OPT_BUDGET,
    OPT_SINCE,
    OPT_SESSION,
    OPT_HELP
};

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

int cmd_run(int argc, char **argv)
{
    static const struct option options[] = {
        { "backend", required_argument, NULL, 'b' },
        { "backend-opt", required_argument, NULL, OPT_BACKEND },
        { "tier", required_argument, NULL, OPT_TIER },
        { "feature-level", required_argument, NULL, OPT_LEVEL },
        { "profile", required_argument, NULL, OPT_PROFILE },
        { "waivers", required_argument, NULL, OPT_WAIVERS },
        { "max-findings", required_argument, NULL, OPT_FINDINGS },
        { "jobs", required_argument, NULL, 'j' },
        { "time-limit", required_argument, NULL, OPT_TIME },
        { "memory-limit", required_argument, NULL, OPT_MEMORY },
        { "max-losses", required_argument, NULL, OPT_LOSSES },
        { "shard", required_argument, NULL, OPT_SHARD },
        { "repeat", required_argument, NULL, OPT_REPEAT },
        { "shuffle", optional_argument, NULL, OPT_SHUFFLE },
        { "in-order", no_argument, NULL, OPT_IN_ORDER },
        { "budget", required_argument, NULL, OPT_BUDGET },
        { "since", required_argument, NULL, OPT_SINCE },
        { "session", required_argument, NULL, OPT_SESSION },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    run_options o = { .tier = OPTIONS_TIER,
                      .max_findings = 1000,
                      .limits = CASE_LIMITS_DEFAULT,
                      .repeat = 1,
                      .seed = 1,
                      .progress = platform_stderr_is_terminal() };
    uint64_t jobs = platform_cores();

    plugin_options backend = { .count = 0 };
    run_result result;
    error e;
    char *command = join(argc, argv);
    bool fine = true;
    int c;
    while (fine && (c = getopt_long(argc, argv, "b:j:o:q", options, NULL)) != -1) {
        switch (c) {
        case 'b': o.backend = optarg; break;
        case 'o': o.output = optarg; break;
        case 'q': o.progress = false; break;
        case OPT_BACKEND: fine = options_add_backend(&backend, optarg, &e); break;
        case OPT_TIER: fine = options_tier(optarg, &o.tier, &e); break;
        case OPT_LEVEL: fine = options_level(optarg, &o.level, &e); break;
        case OPT_PROFILE: fine = options_profile(optarg, &o.profile, &e); break;
        case OPT_WAIVERS: o.waivers = optarg; break;
        case OPT_FINDINGS: fine = options_number("--max-findings", optarg, 0, 1000000, &o.max_findings, &e); break;
        case OPT_TIME: fine = options_seconds("--time-limit", optarg, &o.limits.seconds, &e); break;
        case OPT_MEMORY:
            fine = options_bytes("--memory-limit", optarg, &o.limits.memory, &e);
            if (o.limits.memory == 0 || o.limits.memory > CASE_MEMORY_UNLIMITED)
                o.limits.memory = CASE_MEMORY_UNLIMITED;
            break;
        case OPT_LOSSES: fine = options_number("--max-losses", optarg, 0, UINT32_MAX, &o.limits.losses, &e); break;
        case OPT_REPEAT: fine = options_number("--repeat", optarg, 1, 1000000, &o.repeat, &e); break;
        case OPT_SHUFFLE:
            o.shuffle = true;
            fine = !optarg || options_number("--shuffle", optarg, 0, UINT32_MAX, &o.seed, &e);
            break;
        case OPT_IN_ORDER: o.in_order = true; break;
        case OPT_SHARD: fine = options_shard(optarg, &o.shard, &o.shards, &e); break;
        case OPT_BUDGET: fine = options_seconds("--budget", optarg, &o.budget, &e); break;
        case OPT_SINCE: o.since = optarg; break;
        case OPT_SESSION:
            fine = options_number("--session", optarg, 0, UINT32_MAX, &o.session, &e);
            o.has_session = true;
            break;
        case 'j': fine = options_number("--jobs", optarg, 0, RUN_MAX_WORKERS, &jobs, &e); break;
        case OPT_HELP:
            fputs(help, stdout);
            free(command);
            return 0;
        default: free(command); return command_usage("run", "that option is not known, or lacks its value");
        }
    }
    if (!fine || !o.backend) {
        free(command);
        return fine ? command_usage("run", "no backend: which implementation is to be tested? (-b cpu, for instance)")
                    : command_fail("run", &e);
    }
    const char *wrong =
        o.shuffle && jobs == 0                      ? "--shuffle needs worker processes: -j 1 or more"
        : o.in_order && (o.shuffle || o.shards)     ? "--in-order goes with neither --shuffle nor --shard"
        : o.in_order && optind == argc              ? "--in-order: which cases? Name their ids, in order"
        : o.budget > 0 && (o.shuffle || o.in_order) ? "--budget goes with neither --shuffle nor --in-order"
        : o.budget > 0 && o.shards                  ? "--shard and --budget do not go together: with --session each "
                                                      "machine runs slices of its own"
        : o.budget == 0 && (o.has_session || o.since) ? "--session and --since select the cases of a --budget, and "
                                                      "there is none"
                                                    : NULL;
    if (wrong) {
        free(command);
        return command_usage("run", "%s", wrong);
    }
    char output[256], stamp[32];
    time_t now = time(NULL);
    strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", gmtime(&now));
    snprintf(output, sizeof output, "%.200s-%s.run", platform_file_name(o.backend), stamp);
    if (!o.output)
        o.output = output;
    o.backend_options = backend.list;
    o.backend_option_count = backend.count;
    o.queries = (const char *const *)(argv + optind);
    o.query_count = (size_t)(argc - optind);
    o.command = command;
    o.workers = (unsigned)jobs;
    run_install_interrupt_handlers();
    fine = run_execute(&o, &result, &e);
    free(command);
    if (!fine)
        return command_fail("run", &e);
    if (result.interrupted && result.ran == 0) {
        fprintf(stderr, "touchstone run: interrupted before its first case\n");
        return EXIT_NOT_RUN;
    }
    if (result.planned == 0 && !*result.digest) {
        fprintf(stderr,
                "touchstone run: nothing to run: the queries and the tier select no case that backend '%s' "
                "owes%s; 'touchstone plan' shows what there is\n",
                o.backend, o.tier == TIER_QUICK ? " (--tier full may have more than quick)" : "");
        return EXIT_NOT_RUN;
    }
    run_print(o.output, &result);
    return waive_tell(o.output, stdout, &e) ? (int)run_status(&result) : command_fail("run", &e);
}
