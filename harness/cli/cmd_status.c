/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/analysis/status.h"

static const char help[] =
    "Usage: touchstone status RUN [--all] [--json]\n"
    "Report the verdict of a run with its scope, and its progress, also while it is running: cases done of those\n"
    "planned, failures, rate, time left, and the tests that are running or have failed. If the run's process has\n"
    "ended early, 'touchstone resume RUN' continues it.\n"
    "\n"
    "      --all   print all tests\n"
    "      --json  print JSON\n"
    "  -h, --help  print this text\n"
    "\n"
    "Exit status: of a run that is over, that of 'touchstone run'. Before: 0 no case has failed so far; 1 a case\n"
    "failed; 2 the run ended before it was complete. Always: 3 Touchstone itself failed, or the run is damaged;\n"
    "64 wrong usage, or a file that is not a run.\n"
    "\n"
    "Example:\n"
    "  touchstone status cpu.run\n";

enum { OPT_ALL = 256, OPT_JSON };

/* A run that is over ends as 'touchstone run' did. */
static exit_status status_of(const status *st)
{
    if (st->state == STATUS_COMPLETE || st->counts.total.failed)
        return summary_status(&st->counts);
    return st->state == STATUS_INTERRUPTED ? EXIT_NOT_RUN : EXIT_CONFORMANT;
}

int cmd_status(int argc, char **argv)
{
    static const struct option options[] = {
        { "all", no_argument, NULL, OPT_ALL },
        { "json", no_argument, NULL, OPT_JSON },
        { NULL, 0, NULL, 0 },
    };
    bool all = false, json = false;
    status st;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_ALL: all = true; break;
        case OPT_JSON: json = true; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (argc - optind != 1)
        return command_usage("status", "expected one run file");
    store *s = store_open(argv[optind], &e);
    if (!s)
        return command_fail("status", &e);
    bool fine = store_snapshot(s, &e) && status_read(&st, s, argv[optind], time(NULL), &e);
    int result = EXIT_HARNESS;
    if (fine) {
        if (json)
            fine = status_print_json(&st, argv[optind], stdout, &e);
        else
            status_print(&st, argv[optind], all, stdout);
        result = (int)status_of(&st);
        status_free(&st);
    }
    store_close(s);
    return fine ? result : command_fail("status", &e);
}
