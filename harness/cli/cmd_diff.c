/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/store/coverage.h"
#include "reports/diff_print.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone diff BEFORE AFTER [--json]\n"
    "Report what changed between two runs of one backend or of two: new failures, failures with another verdict,\n"
    "cases that no longer run, fixed cases, and changed failure rates.\n"
    "\n"
    "Changed cases are grouped into regions. A region is the shortest query that selects its cases; 'touchstone\n"
    "run' and 'touchstone list' accept it. If the query also selects other cases, their number is printed beside\n"
    "it. Operators that are the same in both runs and in this program are compared case by case,\n"
    "others by the counts.\n"
    "\n"
    "      --json  print JSON\n"
    "  -h, --help  print this text\n"
    "\n"
    "Exit status: 0 nothing got worse; 1 something got worse: a case newly fails or no longer runs, or a failure\n"
    "became a crash, a hang, a lost device or a write outside of an output; 3 Touchstone itself failed, or a run\n"
    "is damaged; 64 wrong usage, a file that is not a run, or two sessions of one schedule ('touchstone run\n"
    "--budget') that ran different parts of it.\n"
    "\n"
    "Example:\n"
    "  touchstone diff before.run after.run\n";

/* Two sessions of a schedule (--budget) run different parts of it, unless each ran all of it, or both began at the same
   place of the same round. */
static bool have_cases_in_common(store *before, store *after, const char *path, error *e)
{
    coverage b, a;
    if (!coverage_of_run(&b, before) || !coverage_of_run(&a, after) || strcmp(a.key, b.key) != 0 ||
        (a.first == b.first && a.round == b.round) || (a.ran == a.total && b.ran == b.total))
        return true;
    return error_usage(
        e, "%s: another session of the same schedule, so the two runs %s; 'touchstone history' reports %s", path,
        a.first < b.end && b.first < a.end ? "are of different parts of the tier" : "have no case in common",
        "what changed");
}

enum { OPT_JSON = 256 };

int cmd_diff(int argc, char **argv)
{
    static const struct option options[] = {
        { "json", no_argument, NULL, OPT_JSON },
        { NULL, 0, NULL, 0 },
    };
    bool json = false;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        if (c != OPT_JSON)
            return c == 'h' ? command_help(help) : EXIT_BAD_USAGE;
        json = true;
    }
    if (argc - optind != 2)
        return command_usage("diff", "expected two run files: the one before and the one after");
    const char *before_path = argv[optind], *after_path = argv[optind + 1];
    diff d = { .tests = NULL };
    store *before = store_open(before_path, &e), *after = before ? store_open(after_path, &e) : NULL;
    /* A run may still be in progress: read a snapshot. */
    bool fine = after && store_snapshot(before, &e) && store_snapshot(after, &e) &&
                have_cases_in_common(before, after, after_path, &e) && diff_runs(&d, before, after, &e) &&
                (json ? diff_print_json : diff_print_text)(&d, before, after, before_path, after_path, stdout, &e);
    int status = fine ? (d.worse ? EXIT_FAILURES : EXIT_CONFORMANT) : command_fail("diff", &e);
    diff_free(&d);
    store_close(before);
    store_close(after);
    return status;
}
