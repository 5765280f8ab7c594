/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/audit.h"
#include "harness/base/visible.h"
#include "audit/audit_choose.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/base/platform.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone audit [OPERATOR...] [OPTION...]\n"
    "Check that the suite finds faults: run its cases on mutants, which are copies with one small change each. There\n"
    "are two subjects: the reference, and kernels that are written as libraries write them.\n"
    "\n"
    "An OPERATOR is a name such as dml.slice1; * stands for any part of a name. Without one, all operators are\n"
    "audited. A mutant that no case detects survives: either the suite lacks a case, or the mutant is equivalent\n"
    "to the original. clang finds some equivalent mutants, because it makes the same code of both; list the others\n"
    "in cases/equivalent.txt.\n"
    "\n"
    "      --tier TIER      the cases to run: quick, full (default) or exhaustive\n"
    "      --subject WHAT   what is changed: reference, kernels or both (default)\n"
    "  -j, --jobs N         worker processes, 1 to 64 (default: one per core)\n"
    "      --mutant ID      audit this mutant only, and print the smallest case of each test that kills it\n"
    "      --prove          run the mutants listed as equivalent on every case too, not only on a sample\n"
    "      --sample         run the mutants on a sample of the cases only: faster, but more of them survive\n"
    "      --score          find out only which mutants die: a killed mutant runs no more, and in tier full one\n"
    "                       of a kernel that survives runs on a sample of the cases, so this is much faster\n"
    "      --list           print the ids of all mutants and exit\n"
    "      --json FILE      write the result of every mutant, with the cases of each test that kill it\n"
    "      --html FILE      write the result as a page: scores, survivors, the smallest case that kills each\n"
    "                       mutant\n"
    "      --choose FILE    choose the cases of tier quick by the result and write them to FILE (cases/quick.txt);\n"
    "                       with OPERATOR, the cases of other operators stay\n"
    "      --hold-out FILE  choose them without looking at a third of the mutants; an audit of these cases then\n"
    "                       shows how many of that third they kill\n"
    "  -q, --quiet          print no progress line\n"
    "  -h, --help           print this text\n"
    "\n"
    "Exit status: 0 every mutant of the reference is killed or equivalent, and of the kernels' other mutants at\n"
    "least 99 % are killed, in tier quick 90 %; 1 otherwise, or if a case killed a mutant that is listed as\n"
    "equivalent; 3 Touchstone itself failed, or was built without clang and has no mutants; 64 wrong usage.\n"
    "\n"
    "Examples:\n"
    "  touchstone audit --tier quick\n"
    "  touchstone audit dml.slice1 --sample\n";

enum {
    OPT_TIER = 256,
    OPT_SUBJECT,
    OPT_MUTANT,
    OPT_PROVE,
    OPT_SAMPLE,
    OPT_SCORE,
    OPT_JSON,
    OPT_HTML,
    OPT_CHOOSE,
    OPT_HOLD_OUT,
    OPT_LIST
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

static bool read_subject(const char *text, bool *subjects, error *e)
{
    const bool both = strcmp(text, "both") == 0;
    subjects[MUTANT_OF_REFERENCE] = both || strcmp(text, "reference") == 0;
    subjects[MUTANT_OF_KERNELS] = both || strcmp(text, "kernels") == 0;
    return subjects[MUTANT_OF_REFERENCE] || subjects[MUTANT_OF_KERNELS]
               ? true
               : error_usage(e, "--subject '%s': expected reference, kernels or both", text);
}

static bool choose_cases(const audit_result *r, bool all, const char *path, error *e)
{
    size_t cases;
    if (!audit_choose(r, all, path, &cases, e))
        return false;
    visible_print(stdout, "%s: %zu case%s\n", path, cases, cases == 1 ? "" : "s");
    return true;
}

/* clang-format off */
static const struct option options[] = {
    { "tier", required_argument, NULL, OPT_TIER },
    { "jobs", required_argument, NULL, 'j' },
    { "subject", required_argument, NULL, OPT_SUBJECT },
    { "mutant", required_argument, NULL, OPT_MUTANT },
    { "sample", no_argument, NULL, OPT_SAMPLE },
    { "score", no_argument, NULL, OPT_SCORE },
    { "prove", no_argument, NULL, OPT_PROVE },
    { "json", required_argument, NULL, OPT_JSON },
    { "html", required_argument, NULL, OPT_HTML },
    { "choose", required_argument, NULL, OPT_CHOOSE },
    { "hold-out", required_argument, NULL, OPT_HOLD_OUT },
    { "list", no_argument, NULL, OPT_LIST },
    { "quiet", no_argument, NULL, 'q' },
    { NULL, 0, NULL, 0 },
};
/* clang-format on */

int cmd_audit(int argc, char **argv)
{
    audit_options o = { .tier = TIER_FULL, .subjects = { true, true }, .progress = platform_stderr_is_terminal() };
    audit_result result;
    const char *json = NULL, *html = NULL, *choose = NULL, *hold_out = NULL;
    uint64_t jobs;
    error e;
    bool fine = true;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'j':
            fine = options_number("--jobs", optarg, 1, 64, &jobs, &e);
            o.workers = fine ? (unsigned)jobs : 0;
            break;
        case 'q': o.progress = false; break;
        case OPT_TIER: fine = options_tier(optarg, &o.tier, &e); break;
        case OPT_SUBJECT: fine = read_subject(optarg, o.subjects, &e); break;
        case OPT_MUTANT: o.mutant = optarg; break;
        case OPT_SAMPLE: o.sample = true; break;
        case OPT_SCORE: o.score = true; break;
        case OPT_PROVE: o.prove = true; break;
        case OPT_JSON: json = optarg; break;
        case OPT_HTML: html = optarg; break;
        case OPT_CHOOSE: choose = optarg; break;
        case OPT_HOLD_OUT: hold_out = optarg; break;
        case OPT_LIST: return list_mutants();
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (!fine)
        return command_fail("audit", &e);
    const bool both = o.subjects[MUTANT_OF_REFERENCE] && o.subjects[MUTANT_OF_KERNELS];
    if ((choose || hold_out) && (o.mutant || !both))
        return command_usage("audit", "--choose and --hold-out need both subjects and all mutants");
    if (o.score && (o.mutant || json || html || choose || hold_out))
        return command_usage("audit", "--score finds no kills per test: leave out --mutant, --json, --html, --choose "
                                      "and --hold-out");
    const output_name outputs[] = {
        { "--json", json }, { "--html", html }, { "--choose", choose }, { "--hold-out", hold_out }
    };
    if (!outputs_check(outputs, sizeof outputs / sizeof outputs[0], NULL, 0, &e))
        return command_fail("audit", &e);
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
    int status = !fine ? command_fail("audit", &e) : audit_suffices(&result) ? EXIT_CONFORMANT : EXIT_FAILURES;
    audit_free(&result);
    return status;
}
