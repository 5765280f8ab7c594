/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/store/coverage.h"
#include "reports/diff_print.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone diff BEFORE AFTER [--json]\n"
    "What changed between two runs, of the same backend or of two: new failures, failures of another kind, cases that\n"
    "are no longer run, fixed ones, and rates that moved. Changes are told as regions: the shortest queries that hold\n"
    "them, which 'touchstone run' and 'touchstone list' take as they are; what else one holds is counted beside it.\n"
    "\n"
    "Runs of the same suite as this program are compared case by case, others by the counts per test and data type.\n"
    "\n"
    "      --json    for programs\n"
    "      --help    this text\n"
    "\n"
    "Exit status: 0 nothing got worse; 1 something did: a case fails that did not, crashes, hangs, loses the device\n"
    "or writes outside where it failed otherwise, or is no longer run; 3 touchstone failed; 64 wrong usage, a file\n"
    "that is no run, or two sessions of one chain, which have no case in common.\n";

/* No two sessions of a chain and round share a case. */
static bool have_cases_in_common(store *before, store *after, const char *path, error *e)
{
    coverage b, a;
    if (!coverage_of_run(&b, before) || !coverage_of_run(&a, after) || strcmp(a.key, b.key) != 0 ||
        (a.first == b.first && a.round == b.round))
        return true;
    return error_usage(e,
                       "%s: another session of the same chain, which has no case in common with the first; 'touchstone "
                       "history' tells what changed",
                       path);
}

int cmd_diff(int argc, char **argv)
{
    static const struct option options[] = {
        { "json", no_argument, NULL, 'j' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    bool json = false;
    error e;
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c == 'h') {
            fputs(help, stdout);
            return 0;
        }
        if (c != 'j')
            return command_usage("diff", "that option is not known");
        json = true;
    }
    if (argc - optind != 2)
        return command_usage("diff", "expected two run files: the one before and the one after");
    const char *before_path = argv[optind], *after_path = argv[optind + 1];
    diff d = { .tests = NULL };
    store *before = store_open(before_path, &e), *after = before ? store_open(after_path, &e) : NULL;
    /* Either may still be written: what is read is of one moment. */
    bool fine = after && store_snapshot(before, &e) && store_snapshot(after, &e) &&
                have_cases_in_common(before, after, after_path, &e) && diff_runs(&d, before, after, &e) &&
                (json ? diff_print_json : diff_print_text)(&d, before, after, before_path, after_path, stdout, &e);
    int status = fine ? (d.worse ? EXIT_FAILURES : EXIT_CONFORMANT) : command_fail("diff", &e);
    diff_free(&d);
    store_close(before);
    store_close(after);
    return status;
}
