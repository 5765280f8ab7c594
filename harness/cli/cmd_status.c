/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/analysis/status.h"

#include <getopt.h>

static const char help[] =
    "Usage: touchstone status RUN [--all] [--json]\n"
    "Report the verdict of a run with its scope, and its progress, also while it is running: cases done of those\n"
    "planned, failures, rate, time left, and the tests that are running or have failed. If the run's process has\n"
    "ended early, 'touchstone resume RUN' continues it.\n"
    "\n"
    "      --all   print all tests\n"
    "      --json  print JSON\n"
    "      --help  print this text\n"
    "\n"
    "Exit status: 0 no case has failed so far; 1 a case failed; 2 the run ended before it was complete; 3\n"
    "Touchstone itself failed, or the run is damaged; 64 wrong usage, or a file that is not a run.\n"
    "\n"
    "Example:\n"
    "  touchstone status cpu.run\n";

int cmd_status(int argc, char **argv)
{
    static const struct option options[] = {
        { "all", no_argument, NULL, 'a' },
        { "json", no_argument, NULL, 'j' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    bool all = false, json = false;
    status st;
    error e;
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'a': all = true; break;
        case 'j': json = true; break;
        case 'h': fputs(help, stdout); return 0;
        default: return command_bad_option("status");
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
        result = st.counts.total.failed ? EXIT_FAILURES : st.state == STATUS_INTERRUPTED ? EXIT_NOT_RUN : 0;
        status_free(&st);
    }
    store_close(s);
    return fine ? result : command_fail("status", &e);
}
