/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/run/merge.h"
#include "reports/run_print.h"
#include "harness/analysis/waive.h"

#include <stdio.h>

static const char help[] =
    "Usage: touchstone merge OUT RUN...\n"
    "Merge the runs of all shards into one run file OUT. It is the same as that of a run without shards, digest\n"
    "included.\n"
    "\n"
    "Every shard must be given, complete, and of the same backend, queries, cases and references.\n"
    "\n"
    "  -h, --help  print this text\n"
    "\n"
    "Exit status: as of 'touchstone run'; 3 also if a shard is damaged, 64 if the files are not the shards of\n"
    "one run.\n"
    "\n"
    "Example:\n"
    "  touchstone merge all.run part1.run part2.run part3.run part4.run\n";

int cmd_merge(int argc, char **argv)
{
    static const struct option options[] = { { NULL, 0, NULL, 0 } };
    run_result result;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        return c == 'h' ? command_help(help) : EXIT_BAD_USAGE;
    }
    if (argc - optind < 2)
        return command_usage("merge", "expected the run file to write, followed by its shards");
    if (!merge_runs(argv[optind], (const char *const *)(argv + optind + 1), (size_t)(argc - optind - 1), &result, &e))
        return command_fail("merge", &e);
    run_print(argv[optind], &result);
    return waive_report(argv[optind], stdout, &e) ? (int)run_status(&result) : command_fail("merge", &e);
}
