/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/analysis/status.h"

#include <getopt.h>

static const char help[] =
    "Usage: touchstone status RUN [--all] [--json]\n"
    "How far a run is while it goes on: cases done of those planned, failures, rate and time left, and the tests that "
    "are\n"
    "at work or failed. Where its process is gone before it was done, that is said: 'touchstone resume RUN' goes on.\n"
    "\n"
    "      --all     all tests\n"
    "      --json    for programs\n"
    "      --help    this text\n"
    "\n"
    "Exit status: 0 complete, or going on, and nothing failed so far; 1 a case failed; 2 interrupted before it was "
    "done;\n"
    "64 wrong usage, or a file that is no run.\n";

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
        default: return command_usage("status", "that option is not known");
        }
    }
    if (argc - optind != 1)
        return command_usage("status", argc == optind ? "which run? expected its file" : "expected one run file");
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
