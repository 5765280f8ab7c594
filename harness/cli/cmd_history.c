/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/base/color.h"
#include "harness/base/visible.h"
#include "harness/analysis/history_add.h"
#include "harness/base/input.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "reports/history_html.h"

#include <inttypes.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone history DB [--add RUN]... [--html FILE]\n"
    "Collect the results of many runs in one small file, and report the run in which each region of cases\n"
    "began to fail.\n"
    "Without --add and --html, print the history: the last runs, the regions that fail now, and the fixed ones.\n"
    "\n"
    "      --add RUN      add a run; may be repeated, oldest run first. The run must be complete and made with this\n"
    "                     program's suite. A missing history is created. Runs with the same backend, device, options,\n"
    "                     level, tier and query form a series.\n"
    "      --html FILE    write one self-contained page with the trend\n"
    "      --runs N       how many runs to print (default 10; 0: all)\n"
    "  -h, --help         print this text\n"
    "\n"
    "Exit status: 0 success; 3 Touchstone failed, or a run is damaged; 64 wrong usage, or a file is not a history or\n"
    "not a run, or a run is in the history already, is not complete, or is older than the last run of its series.\n"
    "\n"
    "Examples:\n"
    "  touchstone history nights.db --add cpu.run\n"
    "  touchstone history nights.db --html nights.html\n";

enum { MOST_RUNS = 1024, OPT_ADD = 256, OPT_HTML, OPT_RUNS };

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

/* ---- printing ---- */

typedef struct printing {
    history *h;
    uint64_t most;
    bool failing_heading, fixed_heading; /* printed for this series */
    error *e;
    bool fine;
} printing;

static bool print_run(void *context, const history_run *r)
{
    printing *p = context;
    coverage c;
    bool covered;
    if (!(p->fine = history_coverage(p->h, r->id, &c, &covered, p->e)))
        return false;
    visible_print(stdout, "  %-20s  %12" PRIu64 " planned  %12" PRIu64 " ran  %10" PRIu64 " failed", r->started,
                  r->planned, r->ran, r->failed);
    if (r->waived)
        visible_print(stdout, "  %" PRIu64 " waived", r->waived);
    if (r->unsupported)
        visible_print(stdout, "  %" PRIu64 " unsupported", r->unsupported);
    visible_print(stdout, "  %s\n", r->version);
    if (covered) {
        char line[256];
        coverage_describe(&c, line, sizeof line);
        visible_print(stdout, "    session %" PRIu64 ": %s\n", c.session, line);
    }
    return true;
}

static bool print_region(void *context, const history_region *r)
{
    printing *p = context;
    if (r->failing && !p->failing_heading)
        visible_print(stdout, "fails now:\n");
    if (!r->failing && !p->fixed_heading)
        visible_print(stdout, "failed, and does not fail now:\n");
    *(r->failing ? &p->failing_heading : &p->fixed_heading) = true;
    if (r->failing)
        visible_print(stdout, "  since %s (%" PRIu64 " run%s)", r->first_started, r->runs, r->runs == 1 ? "" : "s");
    else
        visible_print(stdout, "  from %s to %s (%" PRIu64 " run%s)", r->first_started, r->last_started, r->runs,
                      r->runs == 1 ? "" : "s");
    visible_print(stdout, "  %" PRIu64 " ", r->cases);
    color_print(stdout, r->failing ? color_of_verdict(r->verdict) : COLOR_PLAIN, "%s", verdict_name(r->verdict));
    visible_print(stdout, "  '%s'%s\n", r->query, r->exact ? "" : "  (approximately)");
    return true;
}

static bool print_series(void *context, const history_series *s)
{
    printing *p = context;
    visible_print(stdout, "%s%s%s%s%s, level %s, tier %s%s%s\n", s->backend, *s->options ? " " : "", s->options,
                  *s->device ? " on " : "", s->device, s->level, s->tier, *s->query ? ", " : "", s->query);
    p->failing_heading = p->fixed_heading = false;
    p->fine = history_each_run(p->h, s->id, p->most, print_run, p, p->e) && p->fine &&
              history_each_region(p->h, s->id, 0, print_region, p, p->e);
    if (p->fine && !p->failing_heading)
        visible_print(stdout, "nothing fails now\n");
    visible_print(stdout, "\n");
    return p->fine;
}

int cmd_history(int argc, char **argv)
{
    static const struct option options[] = {
        { "add", required_argument, ARGUMENTS_REPEAT, OPT_ADD },
        { "html", required_argument, NULL, OPT_HTML },
        { "runs", required_argument, NULL, OPT_RUNS },
        { "nights", required_argument, NULL, OPT_RUNS }, /* its former name */
        { NULL, 0, NULL, 0 },
    };
    const char *runs[MOST_RUNS + 1], *html = NULL;
    size_t count = 0, added = 0;
    uint64_t most = 10;
    bool fine = true;
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
    if (!outputs_check(&out, 1, runs, count + 1, &e))
        return command_fail("history", &e);
    const bool there = input_check(argv[optind], &e);
    history *h = history_open(argv[optind], count > 0, &e);
    fine = h != NULL;
    for (size_t i = 0; fine && i < count; ++i)
        if ((fine = add_run(h, runs[i], &e)))
            ++added;
    if (fine && html)
        fine = history_html(h, html, &e);
    if (fine && !html && count == 0) {
        printing p = { .h = h, .most = most, .e = &e, .fine = true };
        fine = history_each_series(h, print_series, &p, &e) && p.fine;
    }
    history_close(h);
    bool empty;
    if (!fine && !there && added == 0 && (h || (!input_is_database(argv[optind], &empty) && empty)))
        remove(argv[optind]); /* created for a run that could not be added */
    return fine ? 0 : command_fail("history", &e);
}
