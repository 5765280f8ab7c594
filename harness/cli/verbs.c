/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/verbs.h"

#include "harness/cli/command.h"

#include <string.h>

static const verb verbs[] = {
    { "run", cmd_run, "run test cases on a backend" },
    { "resume", cmd_resume, "continue an interrupted run" },
    { "merge", cmd_merge, "merge the runs of all shards into one" },
    { "list", cmd_list, "list tests, or the ids of cases" },
    { "plan", cmd_plan, "count the cases that a run would plan, and estimate the time" },
    { "show", cmd_show, "show one case: descriptor, tensors, expected output" },
    { "explain", cmd_explain, "explain step by step how a descriptor leads to its output" },
    { "shrink", cmd_shrink, "look for the smallest case that still fails" },
    { "export", cmd_export, "write cases in a format of other tools (ONNX, StableHLO, OpenVINO IR, DxDispatch)" },
    { "import", cmd_import, "read tests of WebNN as records, and compare what they expect with the reference" },
    { "check", cmd_check, "check the descriptors in a file against the specifications" },
    { "ledger", cmd_ledger, "print the known errors and ambiguities of the specifications" },
    { "eval", cmd_eval, "compute the golden outputs of the descriptors in a file" },
    { "report", cmd_report, "print the verdict and the causes of a run, or write HTML, CSV, JUnit or JSON" },
    { "diff", cmd_diff, "report what changed between two runs" },
    { "compare", cmd_compare, "compare several backends case by case" },
    { "waive", cmd_waive, "compare a list of known failures with a run" },
    { "status", cmd_status, "report the progress of a run" },
    { "history", cmd_history, "collect runs over time: since when each region fails" },
    { "audit", cmd_audit, "check the suite itself: run it on mutants of the reference" },
    { "backends", cmd_backends, "list the backends" },
    { "probe", cmd_probe, "check whether a backend keeps the contract of the plugin interface" },
    { "lua", cmd_lua, "run a Lua script with the module ts" },
    { "complete", cmd_complete, "print what may follow on a command line, for the completions of shells" },
    { "help", cmd_help, "explain a verb or a topic" },
};

const verb *verbs_all(size_t *count)
{
    *count = sizeof verbs / sizeof verbs[0];
    return verbs;
}

const verb *verbs_find(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; ++i)
        if (strcmp(name, verbs[i].name) == 0)
            return &verbs[i];
    return NULL;
}
