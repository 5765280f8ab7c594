/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/base/platform.h"
#include "harness/run/worker_spawn.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *verb;
    int (*run)(int argc, char **argv);
    const char *summary;
} verbs[] = {
    { "run", cmd_run, "run cases against a backend" },
    { "resume", cmd_resume, "go on with a run that was ended before its end" },
    { "merge", cmd_merge, "make one run of its shards" },
    { "list", cmd_list, "list tests and case ids" },
    { "plan", cmd_plan, "how many cases each test owes, and how long they take" },
    { "show", cmd_show, "one case: its descriptor, tensors and expected output" },
    { "explain", cmd_explain, "step by step, how the rules turn a descriptor into its elements" },
    { "export", cmd_export, "a case for those who have no Touchstone" },
    { "check", cmd_check, "which clauses the descriptors in a file break, and what would be legal" },
    { "ledger", cmd_ledger, "where the specifications err, and what implementations do" },
    { "eval", cmd_eval, "the golden outputs of descriptors in a file" },
    { "report", cmd_report, "HTML, CSV, JUnit and JSON reports of a run" },
    { "diff", cmd_diff, "what changed between two runs, by region" },
    { "compare", cmd_compare, "several backends side by side: what may be relied on everywhere" },
    { "waive", cmd_waive, "known failures against a run: which still hold, narrowed" },
    { "status", cmd_status, "how far a run is, while it goes on" },
    { "history", cmd_history, "night after night: since when each region fails" },
    { "audit", cmd_audit, "does the suite find faults? Mutants of the reference, and what kills them" },
    { "backends", cmd_backends, "the backends that are found" },
    { "lua", cmd_lua, "run a Lua script with the module ts" },
};

static void print_help(FILE *to)
{
    fputs("Usage: touchstone VERB [ARGUMENT...]\n"
          "A reference conformance suite for tensor operators: every case bit for bit against a golden reference.\n\n",
          to);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i)
        fprintf(to, "  %-10s %s\n", verbs[i].verb, verbs[i].summary);
    fputs("\n'touchstone VERB --help' tells more. 'touchstone --version' prints the version.\n", to);
}

/* A full disk or a closed pipe behind standard output must not pass for success. */
static int finish_output(const char *verb, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "touchstone %s: standard output cannot be written\n", verb);
    return status ? status : EXIT_HARNESS;
}

int main(int argc, char **argv)
{
    worker_run_if_spawned();
    platform_begin();
    if (argc < 2) {
        print_help(stderr);
        return EXIT_BAD_USAGE;
    }
    const char *verb = argv[1];
    if (strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0 || strcmp(verb, "help") == 0) {
        print_help(stdout);
        return finish_output(verb, 0);
    }
    if (strcmp(verb, "--version") == 0) {
        printf("touchstone %s\n", TOUCHSTONE_VERSION);
        return finish_output(verb, 0);
    }
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i)
        if (strcmp(verb, verbs[i].verb) == 0)
            return finish_output(verb, verbs[i].run(argc - 1, argv + 1));
    fprintf(stderr, "touchstone: there is no verb '%s'; 'touchstone --help' lists them\n", verb);
    return EXIT_BAD_USAGE;
}
