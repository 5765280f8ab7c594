/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/base/platform.h"
#include "harness/run/worker_spawn.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *verb;
    int (*run)(int argc, char **argv);
    const char *summary;
} verbs[] = {
    { "run", cmd_run, "run test cases on a backend" },
    { "resume", cmd_resume, "continue an interrupted run" },
    { "merge", cmd_merge, "merge the runs of all shards into one" },
    { "list", cmd_list, "list tests, or the ids of cases" },
    { "plan", cmd_plan, "count the cases that a run would plan, and estimate the time" },
    { "show", cmd_show, "show one case: descriptor, tensors, expected output" },
    { "explain", cmd_explain, "explain step by step how a descriptor leads to its output" },
    { "shrink", cmd_shrink, "look for the smallest case that still fails" },
    { "export", cmd_export, "write a case in a format of other tools (ONNX, OpenVINO IR, DxDispatch)" },
    { "check", cmd_check, "check the descriptors in a file against the specifications" },
    { "ledger", cmd_ledger, "print the known errors and ambiguities of the specifications" },
    { "eval", cmd_eval, "compute the golden outputs of the descriptors in a file" },
    { "report", cmd_report, "write HTML, CSV, JUnit and JSON reports of a run" },
    { "diff", cmd_diff, "report what changed between two runs" },
    { "compare", cmd_compare, "compare several backends case by case" },
    { "waive", cmd_waive, "compare a list of known failures with a run" },
    { "status", cmd_status, "report the progress of a run" },
    { "history", cmd_history, "collect runs over time: since when each region fails" },
    { "audit", cmd_audit, "check the suite itself: run it on mutants of the reference" },
    { "backends", cmd_backends, "list the backends" },
    { "probe", cmd_probe, "check whether a backend keeps the contract of the plugin interface" },
    { "lua", cmd_lua, "run a Lua script with the module ts" },
};

static void print_help(FILE *to)
{
    fputs("Usage: touchstone VERB [ARGUMENT...]\n"
          "Conformance tests for tensor operators: compares implementations with a bit-exact reference.\n\n",
          to);
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i)
        fprintf(to, "  %-10s %s\n", verbs[i].verb, verbs[i].summary);
    fputs("\n'touchstone VERB --help' explains a verb. 'touchstone --version' prints the version.\n", to);
}

/* A full disk or a closed pipe behind standard output must not look like success. */
static int finish_output(const char *verb, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == EXIT_HARNESS)
        return status; /* the verb has printed why */
    visible_print(stderr, "touchstone %s: cannot write standard output\n", verb);
    return status ? status : EXIT_HARNESS;
}

static int run_verb(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) { /* getopt_long() would print an unknown option as it is */
        char quoted[64];
        if (strpbrk(text_shell_in(quoted, sizeof quoted, argv[i]), "\"\n\r\033"))
            opterr = 0;
    }
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
    visible_print(stderr, "touchstone: there is no verb '%s'; 'touchstone --help' lists the verbs\n", verb);
    return EXIT_BAD_USAGE;
}

int main(int argc, char **argv)
{
    worker_run_if_spawned();
    platform_begin();
    return platform_run(run_verb, argc, argv);
}
