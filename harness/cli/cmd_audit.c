/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/audit.h"
#include "audit/audit_choose.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/base/platform.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone audit [OPERATOR...] [OPTION...]\n"
    "Does the suite find faults? Every mutant of the reference is tried on the cases that a run would judge.\n"
    "\n"
    "An OPERATOR is a name such as dml.slice1; * in names. Without one, all are audited.\n"
    "\n"
    "      --tier TIER   quick, full (default) or exhaustive: the cases it is tried on\n"
    "  -j, --jobs N      worker processes (default: as many as there are cores)\n"
    "      --mutant ID   try this mutant alone, and print the smallest case of each test that kills it\n"
    "      --prove       try the mutants that are listed as equivalent on every case, not on some of them\n"
    "      --sample      try what survives the first cases of a range on one in 64 of the others only: a first look\n"
    "      --list        print the mutants' ids and stop\n"
    "      --json FILE   write what came of every mutant, with killing cases of each test\n"
    "      --html FILE   the same as a page: scores, survivors, the smallest case that kills each, what only a test "
    "kills\n"
    "      --choose FILE choose tier quick from what was found, and write its cases (cases/quick.txt)\n"
    "      --hold-out FILE  the same, not by a third of the mutants: its audit shows what others it kills\n"
    "  -q, --quiet       no progress line\n"
    "      --help        this text\n"
    "\n"
    "Exit status: 0 every mutant is killed or known to be equivalent; 1 a mutant survived; 3 touchstone itself "
    "failed,\n"
    "or was built without clang and has no mutants; 64 wrong usage.\n";

enum {
    OPT_TIER = 256,
    OPT_MUTANT,
    OPT_PROVE,
    OPT_SAMPLE,
    OPT_JSON,
    OPT_HTML,
    OPT_CHOOSE,
    OPT_HOLD_OUT,
    OPT_LIST,
    OPT_HELP
};

static int list_mutants(void)
{
    plugin p;
    error e;
    const mutants_library *library = audit_library(&p, &e);
    for (uint32_t m = 0; library && m < library->count; ++m)
        printf("%s\n", library->mutants[m].id);
    plugin_close(&p);
    return library ? EXIT_CONFORMANT : command_fail("audit", &e);
}

static bool choose_cases(const audit_result *r, bool all, const char *path, error *e)
{
    size_t cases;
    if (!audit_choose(r, all, path, &cases, e))
        return false;
    printf("%s: %zu cases\n", path, cases);
    return true;
}

int cmd_audit(int argc, char **argv)
{
    /* clang-format off */
    static const struct option options[] = {
        { "tier", required_argument, NULL, OPT_TIER },
        { "jobs", required_argument, NULL, 'j' },
        { "mutant", required_argument, NULL, OPT_MUTANT },
        { "sample", no_argument, NULL, OPT_SAMPLE },
        { "prove", no_argument, NULL, OPT_PROVE },
        { "json", required_argument, NULL, OPT_JSON },
        { "html", required_argument, NULL, OPT_HTML },
        { "choose", required_argument, NULL, OPT_CHOOSE },
        { "hold-out", required_argument, NULL, OPT_HOLD_OUT },
        { "list", no_argument, NULL, OPT_LIST },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, OPT_HELP },
        { NULL, 0, NULL, 0 },
    };
    /* clang-format on */
    audit_options o = { .tier = TIER_FULL, .progress = platform_stderr_is_terminal() };
    audit_result result;
    const char *json = NULL, *html = NULL, *choose = NULL, *hold_out = NULL;
    uint64_t jobs;
    error e;
    bool fine = true;
    int c;
    while (fine && (c = getopt_long(argc, argv, "j:q", options, NULL)) != -1) {
        switch (c) {
        case 'j':
            fine = options_number("--jobs", optarg, 1, 64, &jobs, &e);
            o.workers = fine ? (unsigned)jobs : 0;
            break;
        case 'q': o.progress = false; break;
        case OPT_TIER: fine = options_tier(optarg, &o.tier, &e); break;
        case OPT_MUTANT: o.mutant = optarg; break;
        case OPT_SAMPLE: o.sample = true; break;
        case OPT_PROVE: o.prove = true; break;
        case OPT_JSON: json = optarg; break;
        case OPT_HTML: html = optarg; break;
        case OPT_CHOOSE: choose = optarg; break;
        case OPT_HOLD_OUT: hold_out = optarg; break;
        case OPT_LIST: return list_mutants();
        case OPT_HELP: fputs(help, stdout); return 0;
        default: return command_usage("audit", "that option is not known, or lacks its value");
        }
    }
    if (!fine)
        return command_fail("audit", &e);
    if ((choose || hold_out) && (o.mutant || argc > optind))
        return command_usage("audit", "to choose takes all operators and all mutants");
    o.operators = (const char *const *)(argv + optind);
    o.operator_count = (size_t)(argc - optind);
    if (!audit_run(&o, &result, &e)) {
        audit_free(&result);
        return command_fail("audit", &e);
    }
    uint32_t only = MUTANT_NONE;
    for (uint32_t m = 0; o.mutant && m < result.library->count; ++m)
        if (strcmp(result.library->mutants[m].id, o.mutant) == 0)
            only = m;
    if (o.mutant)
        audit_print_mutant(&result, only);
    else
        audit_print(&result);
    fine = !json || audit_write_json(&result, json, &e);
    fine = fine && (!html || audit_write_html(&result, html, &e));
    fine = fine && (!choose || choose_cases(&result, true, choose, &e));
    fine = fine && (!hold_out || choose_cases(&result, false, hold_out, &e));
    int status = !fine ? command_fail("audit", &e)
                 : audit_count(&result, NULL).survived + audit_count(&result, NULL).disproved ? EXIT_FAILURES
                                                                                              : EXIT_CONFORMANT;
    audit_free(&result);
    return status;
}
