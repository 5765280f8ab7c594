/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/analysis/compare_make.h"
#include "reports/compare_print.h"
#include "harness/base/platform.h"
#include "reports/compare_html.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone compare -b BACKEND [--backend-opt KEY=VAL...] [--as LABEL] -b BACKEND ... [QUERY...]\n"
    "       touchstone compare RUN RUN ...\n"
    "Several backends, or configurations of one, side by side, case by case: what an application may rely on\n"
    "everywhere, where they part, what only some support, and how each answers what the text leaves open. Cases are\n"
    "told as regions: the shortest queries that hold them, which 'touchstone run' takes as they are; what else a\n"
    "query holds is counted beside it.\n"
    "\n"
    "With -b, the backends are run one after another with the same queries. Or name finished runs: of the same suite\n"
    "as this program's, and made with the same queries, tier, shard and profile. Each is judged at its own feature\n"
    "level: a case that one run owes and another does not is not supported there.\n"
    "\n"
    "  -b, --backend NAME|PATH    one side; up to 12\n"
    "      --backend-opt KEY=VAL  an option of the last -b; may be repeated\n"
    "      --as LABEL             what to call the last -b (default: its name and options)\n"
    "      --tier TIER            quick (default), full or exhaustive\n"
    "      --feature-level L      judge all at this level, such as 4_1 (default: each at its highest)\n"
    "      --profile P            openvino (default) or numpy: StridedSlice's reverse begin\n"
    "      --max-findings N       failing cases whose clauses are known, per test (default 1000)\n"
    "  -j, --jobs N               worker processes (default: one per core)\n"
    "      --time-limit T         that a backend may take for a case, as 500ms, 10s or 2m (default 10s)\n"
    "      --memory-limit SIZE    that a worker may take, as 512M or 4G; 0: any\n"
    "  -o, --output FOLDER        keep the runs there, as 1-LABEL.run and so on (default: they are not kept)\n"
    "      --html F               one self-contained page; - for standard output\n"
    "      --json                 for programs\n"
    "  -q, --quiet                no progress line\n"
    "      --help                 this text\n"
    "\n"
    "Exit status: 0 no case fails: all agree with the reference in what they support; 1 some do not; 2 they did not\n"
    "run what they owe, or no case is supported by all; 3 touchstone failed; 64 wrong usage, or a file that is no run\n"
    "or cannot be put beside the others.\n";

enum {
    OPT_BACKEND = 256,
    OPT_AS,
    OPT_TIER,
    OPT_LEVEL,
    OPT_PROFILE,
    OPT_FINDINGS,
    OPT_TIME,
    OPT_MEMORY,
    OPT_HTML,
    OPT_JSON,
    OPT_HELP
};

typedef struct request {
    compare_backend backends[COMPARE_MOST];
    size_t count;
    run_options run;
    const char *folder, *html;
    bool json, makes; /* makes: an option that is about runs to be made was given */
} request;

static compare_backend *last_backend(request *r)
{
    return r->count ? &r->backends[r->count - 1] : NULL;
}

/* An option that is not about runs to be made, or of a backend. */
static bool take_option(request *r, int c, error *e)
{
    run_options *o = &r->run;
    compare_backend *b = last_backend(r);
    uint64_t jobs;
    switch (c) {
    case 'b':
        if (r->count == COMPARE_MOST)
            return error_usage(e, "more than %d backends; compare fewer at a time", COMPARE_MOST);
        r->backends[r->count++] = (compare_backend){ .name = optarg };
        return true;
    case OPT_BACKEND:
        return b ? options_add_backend(&b->options, optarg, e)
                 : error_usage(e, "--backend-opt '%s' stands before the first -b; it belongs behind the one it is for",
                               optarg);
    case OPT_AS:
        if (!b || b->label)
            return error_usage(e, "--as '%s': expected once behind the -b that it is for", optarg);
        b->label = optarg;
        return true;
    case OPT_TIER: return options_tier(optarg, &o->tier, e);
    case OPT_LEVEL: return options_level(optarg, &o->level, e);
    case OPT_PROFILE: return options_profile(optarg, &o->profile, e);
    case OPT_FINDINGS: return options_number("--max-findings", optarg, 1, 1000000, &o->max_findings, e);
    case OPT_TIME: return options_seconds("--time-limit", optarg, &o->limits.seconds, e);
    case OPT_MEMORY:
        if (!options_bytes("--memory-limit", optarg, &o->limits.memory, e))
            return false;
        if (o->limits.memory == 0 || o->limits.memory > CASE_MEMORY_UNLIMITED)
            o->limits.memory = CASE_MEMORY_UNLIMITED;
        return true;
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
        { "backend", required_argument, NULL, 'b' },
        { "backend-opt", required_argument, NULL, OPT_BACKEND },
        { "as", required_argument, NULL, OPT_AS },
        { "tier", required_argument, NULL, OPT_TIER },
        { "feature-level", required_argument, NULL, OPT_LEVEL },
        { "profile", required_argument, NULL, OPT_PROFILE },
        { "max-findings", required_argument, NULL, OPT_FINDINGS },
        { "jobs", required_argument, NULL, 'j' },
        { "time-limit", required_argument, NULL, OPT_TIME },
        { "memory-limit", required_argument, NULL, OPT_MEMORY },
        { "output", required_argument, NULL, 'o' },
        { "html", required_argument, NULL, OPT_HTML },
        { "json", no_argument, NULL, OPT_JSON },
        { "quiet", no_argument, NULL, 'q' },
        { "help", no_argument, NULL, OPT_HELP },
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
    error e;
    int c;
    while ((c = getopt_long(argc, argv, "b:j:o:q", options, NULL)) != -1) {
        switch (c) {
        case OPT_HTML: r.html = optarg; break;
        case OPT_JSON: r.json = true; break;
        case 'q': r.run.progress = false; break;
        case OPT_HELP: fputs(help, stdout); return 0;
        case '?': return command_usage("compare", "that option is not known, or lacks its value");
        default:
            r.makes = true;
            if (!take_option(&r, c, &e))
                return command_fail("compare", &e);
        }
    }
    const char *const *rest = (const char *const *)(argv + optind);
    size_t rest_count = (size_t)(argc - optind);
    if (r.json && r.html && strcmp(r.html, "-") == 0)
        return command_usage("compare", "--json and --html - both go to standard output");
    if (r.count == 0 && r.makes)
        return command_usage("compare", "no backend: what is to be run and compared? (-b cpu -b ./mine.so, for "
                                        "instance)");
    if (r.count ? r.count < 2 : rest_count < 2)
        return command_usage("compare", "expected two or more backends (-b), or two or more run files");
    if (r.count == 0 && rest_count > COMPARE_MOST)
        return command_usage("compare", "more than %d runs; compare fewer at a time", COMPARE_MOST);
    for (size_t i = 0; r.count == 0 && r.html && i < rest_count; ++i)
        if (platform_same_file(r.html, rest[i]))
            return command_usage("compare", "--html %s is the file of a run that is compared", r.html);
    r.run.queries = rest;
    r.run.query_count = rest_count;
    if (r.count)
        run_install_interrupt_handlers();
    bool fine = r.count ? compare_make_runs(&set, r.backends, r.count, &r.run, r.folder, &e)
                        : compare_open_runs(&set, rest, rest_count, &e);
    int status = EXIT_NOT_RUN;
    if (!fine)
        status = command_fail("compare", &e);
    else if (set.interrupted)
        fprintf(stderr, "touchstone compare: interrupted before all were run\n");
    else
        status = print(&r, &set);
    compare_set_free(&set);
    return status;
}
