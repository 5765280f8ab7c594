/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/outputs.h"
#include "reports/report.h"
#include "reports/run_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone report RUN [--html FILE] [--csv FILE] [--junit FILE] [--json FILE] [--markdown FILE]\n"
    "                             [--github]\n"
    "Write reports of a run. Without a format, print its verdict, the causes of its failures and its facts, as\n"
    "'touchstone run' does at the end.\n"
    "\n"
    "FILE - is standard output. An existing FILE is replaced, but never a run or a history.\n"
    "\n"
    "      --html FILE      one self-contained page\n"
    "      --csv FILE       one row per test and one per finding\n"
    "      --junit FILE     JUnit XML, for build servers\n"
    "      --json FILE      everything, for programs\n"
    "      --markdown FILE  verdict, operators and causes as Markdown\n"
    "      --github         in a GitHub workflow: print the verdict and the causes as annotations, and append the\n"
    "                       Markdown to the job summary, the file that GITHUB_STEP_SUMMARY names (if it is set)\n"
    "  -h, --help           print this text\n"
    "\n"
    "Exit status: 0 success; 3 writing failed (a full disk, for instance), or the run is damaged; 64 wrong usage,\n"
    "a file that is not a run, or a FILE that cannot be written there (no such folder, no permission).\n"
    "\n"
    "Example:\n"
    "  touchstone report cpu.run --html cpu.html --junit cpu.xml\n";

/* The file of the job summary; NULL outside of a workflow. */
static const char *github_summary(void)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    return path && *path ? path : NULL;
}

static bool write_github(store *s, const char *path, error *e)
{
    return report_github(s, path, github_summary(), e);
}

static const struct {
    const char *option;
    bool (*write)(store *s, const char *path, error *e);
    const char *path; /* of an option without a value */
} formats[] = {
    { "--html", report_html, NULL }, { "--csv", report_csv, NULL },           { "--junit", report_junit, NULL },
    { "--json", report_json, NULL }, { "--markdown", report_markdown, NULL }, { "--github", write_github, "-" },
};
#define FORMATS (sizeof formats / sizeof formats[0])

int cmd_report(int argc, char **argv)
{
    struct option options[FORMATS + 1];
    output_name outputs[FORMATS + 1] = { { NULL, NULL } }; /* the last: the job summary */
    bool any = false;
    error e;
    memset(options, 0, sizeof options);
    for (size_t i = 0; i < FORMATS; ++i) {
        outputs[i].option = formats[i].option;
        options[i] = (struct option){ formats[i].option + 2, formats[i].path ? no_argument : required_argument, NULL,
                                      (int)(256 + i) };
    }
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        if (c < 256)
            return c == 'h' ? command_help(help) : EXIT_BAD_USAGE;
        const size_t format = (size_t)(c - 256);
        outputs[format].path = formats[format].path ? formats[format].path : optarg;
        if (formats[format].write == write_github)
            outputs[FORMATS] = (output_name){ "GITHUB_STEP_SUMMARY", github_summary() };
        any = true;
    }
    if (argc - optind != 1)
        return command_usage("report", "expected one run file");
    if (!outputs_check(outputs, FORMATS + 1, (const char *const *)(argv + optind), 1, &e))
        return command_fail("report", &e);
    store *s = store_open(argv[optind], &e);
    if (!s)
        return command_fail("report", &e);
    bool fine = any || run_print_stored(s, argv[optind], &e);
    for (size_t i = 0; fine && i < FORMATS; ++i)
        fine = !outputs[i].path || formats[i].write(s, outputs[i].path, &e);
    store_close(s);
    return fine ? 0 : command_fail("report", &e);
}
