/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/base/visible.h"
#include "harness/analysis/history_add.h"
#include "harness/base/input.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "reports/history_html.h"
#include "reports/history_print.h"

#include <inttypes.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone history DB [--add RUN]... [--html FILE]\n"
    "Collect the results of many runs in one small file, and report the run in which each region of cases\n"
    "began to fail.\n"
    "Without --add and --html, print the history: the last runs, the regions that fail now, and the fixed ones.\n"
    "Which failures are new is decided case by case, so that a new failure within the query of an older region is\n"
    "blamed on the run in which it began.\n"
    "\n"
    "      --add RUN      add a run; may be repeated, oldest run first. The run must be complete and made with this\n"
    "                     program's suite. A missing history is created. Runs with the same backend, version, device,\n"
    "                     options, level, profile, tier, seed, shard and query form a series.\n"
    "      --html FILE    write one self-contained page with the trend\n"
    "      --json         print JSON\n"
    "      --runs N       how many runs to print (default 10; 0: all)\n"
    "  -h, --help         print this text\n"
    "\n"
    "Exit status: 0 success; 3 Touchstone failed, or a run is damaged; 64 wrong usage, or a file is not a history or\n"
    "not a run, or a run is in the history already, is not complete, or is older than the last run of its series.\n"
    "\n"
    "Examples:\n"
    "  touchstone history nights.db --add cpu.run\n"
    "  touchstone history nights.db --html nights.html\n";

enum { MOST_RUNS = 1024, OPT_ADD = 256, OPT_HTML, OPT_RUNS, OPT_JSON };

static bool add_run(history *h, const char *path, error *e)
{
    history_run added;
    store *run = store_open(path, e);
    bool fine = run && store_snapshot(run, e) && history_add_run(h, run, &added, e);
    if (run && !fine)
        error_prefix(e, "%s", path);
    store_close(run);
    if (fine)
        visible_print(stdout, "%s: added as run %" PRId64 ", %" PRIu64 " failed\n", path, added.id, added.failed);
    return fine;
}

/* Can each of several runs be added? Nothing is added before the last one was looked at. */
static bool check_runs(const char *const *paths, size_t count, error *e)
{
    bool fine = true;
    for (size_t i = 0; fine && count > 1 && i < count; ++i) {
        store *run = store_open(paths[i], e);
        fine = run && (history_can_add(run, e) || error_prefix(e, "%s", paths[i]));
        store_close(run);
    }
    return fine;
}

int cmd_history(int argc, char **argv)
{
    static const struct option options[] = {
        { "add", required_argument, ARGUMENTS_REPEAT, OPT_ADD },
        { "html", required_argument, NULL, OPT_HTML },
        { "json", no_argument, NULL, OPT_JSON },
        { "runs", required_argument, NULL, OPT_RUNS },
        { "nights", required_argument, NULL, OPT_RUNS }, /* its former name */
        { NULL, 0, NULL, 0 },
    };
    const char *runs[MOST_RUNS + 1], *html = NULL;
    size_t count = 0, added = 0;
    uint64_t most = 10;
    bool fine = true, json = false;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_ADD:
            if (count == MOST_RUNS)
                return command_usage("history", "more than %d runs; add them in several calls", MOST_RUNS);
            runs[count++] = optarg;
            break;
        case OPT_HTML: html = optarg; break;
        case OPT_JSON: json = true; break;
        case OPT_RUNS: fine = options_number("--runs", optarg, 0, 1000000, &most, &e); break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (!fine)
        return command_fail("history", &e);
    if (argc - optind != 1)
        return command_usage("history", argc == optind ? "which history? expected its file" : "expected one history");
    runs[count] = argv[optind];
    const output_name out = { "--html", html };
    if (!outputs_check(&out, 1, runs, count + 1, &e) || !check_runs(runs, count, &e))
        return command_fail("history", &e);
    const bool there = input_check(argv[optind], &e);
    history *h = history_open(argv[optind], count > 0, &e);
    fine = h != NULL;
    for (size_t i = 0; fine && i < count; ++i)
        if ((fine = add_run(h, runs[i], &e)))
            ++added;
    if (fine && html)
        fine = history_html(h, html, &e);
    if (fine && (json || (!html && count == 0)))
        fine = (json ? history_print_json : history_print_text)(h, most, stdout, &e);
    history_close(h);
    bool empty;
    if (!fine && !there && added == 0 && (h || (!input_is_database(argv[optind], &empty) && empty)))
        remove(argv[optind]); /* created for a run that could not be added */
    return fine ? 0 : command_fail("history", &e);
}
