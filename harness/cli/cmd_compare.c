/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/visible.h"
#include "harness/casefile/query_meant.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/analysis/compare_sides.h"
#include "reports/compare_print.h"
#include "harness/base/platform.h"
#include "reports/compare_html.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone compare -b BACKEND [--backend-opt KEY=VAL...] [--as LABEL] -b BACKEND ... [QUERY...]\n"
    "       touchstone compare RUN RUN ...\n"
    "Compare several backends, or configurations of one backend, case by case.\n"
    "\n"
    "The result shows which cases an application may rely on everywhere, where the backends differ, which cases\n"
    "only some of them support, and what each does where the specification is ambiguous. Cases are grouped into\n"
    "regions. A region is the shortest query that selects its cases, and 'touchstone run' accepts it. If the\n"
    "query also selects other cases, their number is printed beside it.\n"
    "\n"
    "With -b, Touchstone runs the backends one after another with the same queries. Given run files, it reads\n"
    "finished runs; they must have the same queries, tier, shard, profile and use of decisions. Each\n"
    "backend is judged at its own feature level: a case that one run planned and another did not is unsupported\n"
    "in the other.\n"
    "\n"
    "  -b, --backend NAME|PATH    a backend to compare; 2 to 12 times\n"
    "      --backend-opt KEY=VAL  an option of the last -b; may be repeated\n"
    "      --as LABEL             the name of the last -b in the result (default: backend and options)\n"
    "      --tier TIER            quick (default), full or exhaustive\n"
    "      --seed N               draw the cases of drawn tests from seed N (default 0)\n"
    "  -l, --feature-level L      judge all at this feature level, such as 4_1 (default: each at its highest)\n"
    "  -p, --profile P            the begin of a reversed StridedSlice: openvino (default) or numpy\n"
    "      --decisions HOW        open (default), or binding: where the specification is silent, our decisions are judged\n"
    "      --max-findings N       failing cases stored with their clauses, per test (default 1000)\n"
    "  -j, --jobs N               worker processes (default: one per core)\n"
    "      --time-limit T         time that one call of a backend may take: 500ms, 10s or 2m (default 10s). A batch\n"
    "                             of cases is one call\n"
    "      --memory-limit SIZE    memory that one worker may use, such as 512M or 4G; 0: no limit (default: three\n"
    "                             quarters of the machine's memory, divided by the number of workers)\n"
    "  -o, --output FOLDER        store the runs there as 1-LABEL.run and so on (default: they are deleted)\n"
    "      --html FILE            write one self-contained page; - is standard output\n"
    "      --json                 print JSON\n"
    "  -q, --quiet                print no progress line\n"
    "  -h, --help                 print this text\n"
    "\n"
    "Exit status: 0 every backend agrees with the reference in every case that it supports; 1 a case fails; 2 not\n"
    "all planned cases ran, or no case is supported by all; 3 Touchstone itself failed, or a run is damaged;\n"
    "64 wrong usage, or a file that is not a run or cannot be compared with the others.\n"
    "\n"
    "Examples:\n"
    "  touchstone compare -b cpu -b onnxruntime 'dml.*'\n"
    "  touchstone compare before.run after.run --html compare.html\n";

enum { OPT_BACKEND = 256, OPT_AS, OPT_TIER, OPT_SEED, OPT_DECISIONS, OPT_FINDINGS, OPT_TIME, OPT_MEMORY, OPT_HTML, OPT_JSON };

typedef struct request {
    compare_backend backends[COMPARE_MAX_SIDES];
    size_t count;
    run_options run;
    const char *folder, *html;
    bool json, makes; /* makes: an option for making runs was given */
} request;

static compare_backend *last_backend(request *r)
{
    return r->count ? &r->backends[r->count - 1] : NULL;
}

/* Parse an option for making runs. */
static bool take_option(request *r, int c, error *e)
{
    run_options *o = &r->run;
    compare_backend *b = last_backend(r);
    uint64_t jobs;
    switch (c) {
    case 'b':
        if (r->count == COMPARE_MAX_SIDES)
            return error_usage(e, "more than %d backends", COMPARE_MAX_SIDES);
        b = &r->backends[r->count++];
        *b = (compare_backend){ .name = NULL };
        return options_backend(&b->name, &b->options, optarg, e);
    case OPT_BACKEND:
        return b ? options_add_backend(&b->options, optarg, e)
                 : error_usage(e, "--backend-opt '%s' comes before the first -b; write it after the -b that it is for",
                               optarg);
    case OPT_AS:
        if (!b || b->label)
            return error_usage(e, "--as '%s': expected once, after the -b that it is for", optarg);
        b->label = optarg;
        return true;
    case OPT_TIER: return options_tier(optarg, &o->tier, e);
    case OPT_SEED: return options_seed(optarg, &o->draw_seed, e);
    case 'l': return options_level(optarg, &o->level, e);
    case 'p': return options_profile(optarg, &o->profile, e);
    case OPT_DECISIONS: return options_decisions(optarg, &o->decisions, e);
    case OPT_FINDINGS: return options_number("--max-findings", optarg, 1, 1000000, &o->max_findings, e);
    case OPT_TIME: return options_seconds("--time-limit", optarg, &o->limits.seconds, e);
    case OPT_MEMORY: return options_memory(optarg, &o->limits.memory, e);
    case 'j':
        if (!options_number("--jobs", optarg, 1, RUN_MAX_WORKERS, &jobs, e))
            return false;
        o->workers = (unsigned)jobs;
        return true;
    case 'o': r->folder = optarg; return true;
    default: return true;
    }
}

static int print(const request *r, compare_set *set)
{
    compare c;
    error e;
    bool fine = compare_runs(&c, set->sides, set->count, &e);
    int status = fine ? (int)compare_status(&c) : 0;
    fine = fine && (!r->html || compare_html(&c, r->html, &e)) &&
           (r->html && strcmp(r->html, "-") == 0 ? true
                                                 : (r->json ? compare_print_json : compare_print_text)(&c, stdout, &e));
    compare_free(&c);
    return fine ? status : command_fail("compare", &e);
}

int cmd_compare(int argc, char **argv)
{
    static const struct option options[] = {
        { "backend", required_argument, ARGUMENTS_REPEAT, 'b' },
        { "backend-opt", required_argument, ARGUMENTS_REPEAT, OPT_BACKEND },
        { "as", required_argument, ARGUMENTS_REPEAT, OPT_AS },
        { "tier", required_argument, NULL, OPT_TIER },
        { "seed", required_argument, NULL, OPT_SEED },
        { "feature-level", required_argument, NULL, 'l' },
        { "profile", required_argument, NULL, 'p' },
        { "decisions", required_argument, NULL, OPT_DECISIONS },
        { "max-findings", required_argument, NULL, OPT_FINDINGS },
        { "jobs", required_argument, NULL, 'j' },
        { "time-limit", required_argument, NULL, OPT_TIME },
        { "memory-limit", required_argument, NULL, OPT_MEMORY },
        { "output", required_argument, NULL, 'o' },
        { "html", required_argument, NULL, OPT_HTML },
        { "json", no_argument, NULL, OPT_JSON },
        { "quiet", no_argument, NULL, 'q' },
        { NULL, 0, NULL, 0 },
    };
    request r = { .run = { .tier = OPTIONS_TIER,
                           .max_findings = 1000,
                           .limits = CASE_LIMITS_DEFAULT,
                           .repeat = 1,
                           .workers = platform_cores(),
                           .command = "touchstone compare",
                           .progress = platform_stderr_is_terminal() } };
    compare_set set = { .count = 0 };
    char note[QUERY_NOTE_SIZE];
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_HTML: r.html = optarg; break;
        case OPT_JSON: r.json = true; break;
        case 'q': r.run.progress = false; break;
        case 'h': return command_help(help);
        case '?': return EXIT_BAD_USAGE;
        default:
            r.makes = true;
            if (!take_option(&r, c, &e))
                return command_fail("compare", &e);
        }
    }
    const char *const *rest = (const char *const *)(argv + optind);
    size_t rest_count = (size_t)(argc - optind);
    if (r.json && r.html && strcmp(r.html, "-") == 0)
        return command_usage("compare", "--json and --html - both write to standard output");
    if (r.count == 0 && r.makes)
        return command_usage("compare", "no backend to run: name two or more, such as -b cpu -b ./mine.so");
    if (r.count ? r.count < 2 : rest_count < 2)
        return command_usage("compare", "expected two or more backends (-b), or two or more run files");
    if (r.count == 0 && rest_count > COMPARE_MAX_SIDES)
        return command_usage("compare", "more than %d runs", COMPARE_MAX_SIDES);
    const output_name out = { "--html", r.html };
    const char *libraries[COMPARE_MAX_SIDES];
    for (size_t i = 0; i < r.count; ++i) /* a backend may be named by its path */
        libraries[i] = platform_file_name(r.backends[i].name) != r.backends[i].name ? r.backends[i].name : NULL;
    if (!outputs_check(&out, 1, r.count ? libraries : rest, r.count ? r.count : rest_count, &e))
        return command_fail("compare", &e);
    r.run.queries = rest;
    r.run.query_count = rest_count;
    if (r.count)
        run_install_interrupt_handlers();
    bool fine = r.count ? compare_run_backends(&set, r.backends, r.count, &r.run, r.folder, &e)
                        : compare_open_runs(&set, rest, rest_count, &e);
    int status = EXIT_NOT_RUN;
    if (!fine)
        status = command_fail("compare", &e);
    else if (set.interrupted)
        fprintf(stderr, "touchstone compare: interrupted before all backends had run\n");
    else
        status = print(&r, &set);
    if (fine && r.count && status == EXIT_NOT_RUN && query_note(rest, rest_count, note)[0])
        visible_print(stderr, "touchstone compare: nothing to compare%s\n", note);
    compare_set_free(&set);
    return status;
}
