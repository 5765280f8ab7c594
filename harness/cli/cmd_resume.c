/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/base/platform.h"
#include "harness/base/visible.h"
#include "harness/run/run.h"
#include "reports/run_print.h"
#include "harness/analysis/waive.h"

#include <stdio.h>

static const char help[] =
    "Usage: touchstone resume RUN [OPTION...]\n"
    "Continue a run that was interrupted or killed: keep its results and run the cases that remain, with the same\n"
    "backend, options, queries and tier. The final result is that of a run without interruption.\n"
    "\n"
    "  -j, --jobs N  worker processes (default: one per core); 0 runs all cases in this process\n"
    "  -q, --quiet   print no progress line\n"
    "  -h, --help    print this text\n"
    "\n"
    "Exit status: as of 'touchstone run'; 3 also if the run is damaged; 64 also if the backend, the waivers, or the\n"
    "cases or reference of an operator of the run have changed since it began, or if another process is running it.\n"
    "\n"
    "Example:\n"
    "  touchstone resume cpu.run\n";

int cmd_resume(int argc, char **argv)
{
    static const struct option options[] = {
        { "jobs", required_argument, NULL, 'j' },
        { "quiet", no_argument, NULL, 'q' },
        { NULL, 0, NULL, 0 },
    };
    run_options o = { .progress = platform_stderr_is_terminal() };
    uint64_t jobs = platform_cores();
    run_result result;
    error e;
    bool fine = true;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'j': fine = options_number("--jobs", optarg, 0, RUN_MAX_WORKERS, &jobs, &e); break;
        case 'q': o.progress = false; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (!fine)
        return command_fail("resume", &e);
    if (argc - optind != 1)
        return command_usage("resume", "expected one run file");
    o.output = argv[optind];
    o.workers = (unsigned)jobs;
    run_install_interrupt_handlers();
    if (!run_resume(&o, &result, &e))
        return command_fail("resume", &e);
    if (result.was_complete)
        visible_print(stderr, "%s is complete: no case is left to run. Its result:\n", o.output);
    run_print(o.output, &result);
    if (!result.displaced && !waive_report(o.output, stdout, &e))
        return command_fail("resume", &e);
    return (int)run_status(&result);
}
