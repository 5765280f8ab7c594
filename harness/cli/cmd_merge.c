/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/run/merge.h"
#include "reports/run_print.h"
#include "harness/analysis/waive.h"

#include <getopt.h>
#include <stdio.h>

static const char help[] =
    "Usage: touchstone merge OUT RUN...\n"
    "Make one run of the shards of one: the same as if it had been run in one piece, digest included. All shards\n"
    "must be there, complete, and of one suite, backend and query.\n"
    "\n"
    "      --help  this text\n"
    "\n"
    "Exit status: as of 'touchstone run'; 64 also where the files do not make one run.\n";

enum { OPT_HELP = 256 };

int cmd_merge(int argc, char **argv)
{
    static const struct option options[] = { { "help", no_argument, NULL, OPT_HELP }, { NULL, 0, NULL, 0 } };
    run_result result;
    error e;
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        if (c != OPT_HELP)
            return command_usage("merge", "that option is not known");
        fputs(help, stdout);
        return 0;
    }
    if (argc - optind < 2)
        return command_usage("merge", "name the run to make, and then its shards");
    if (!merge_runs(argv[optind], (const char *const *)(argv + optind + 1), (size_t)(argc - optind - 1), &result, &e))
        return command_fail("merge", &e);
    run_print(argv[optind], &result);
    return waive_report(argv[optind], stdout, &e) ? (int)run_status(&result) : command_fail("merge", &e);
}
