/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/base/color.h"
#include "harness/base/visible.h"
#include "harness/run/shrink.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone shrink ID -b BACKEND [OPTION...]\n"
    "Look for a smaller case that fails as this one does: with the same verdict, a crash with the same fault, and an\n"
    "accepted illegal descriptor with the same clause. Touchstone tries fewer dimensions, smaller sizes, the first\n"
    "values of axes, packed layouts and simpler data, until no simpler case fails.\n"
    "\n"
    "  -b, --backend NAME|PATH    a name that 'touchstone backends' lists, or the path of a shared library\n"
    "      --backend-opt KEY=VAL  an option of the backend; may be repeated\n"
    "      --limit N              execute at most N cases (default 500)\n"
    "  -l, --feature-level L      judge at this feature level (default: the backend's highest)\n"
    "  -p, --profile P            the begin of a reversed StridedSlice: openvino (default) or numpy\n"
    "      --decisions HOW        open (default), or binding: where the specification is silent, our decisions are judged\n"
    "      --time-limit T         time that one call of the backend may take (default 10s)\n"
    "      --memory-limit SIZE    memory that the worker may use; 0: no limit\n"
    "      --json                 print the result as JSON\n"
    "  -h, --help                 print this text\n"
    "\n"
    "Each request is executed in a worker process of its own: a crash or a hang ends only that process.\n"
    "\n"
    "Exit status: 0 the case fails, and the smallest case that was found is printed; 1 the case, executed alone, does\n"
    "not fail, or not each time; 2 the backend does not support the case, or the search was interrupted; 3 Touchstone\n"
    "itself failed; 64 wrong usage, or no such case.\n"
    "\n"
    "Example:\n"
    "  touchstone shrink dml.slice1:examples:example=2 -b faulty --backend-opt fault=reverse-start\n";

enum { OPT_BACKEND = 256, OPT_LIMIT, OPT_DECISIONS, OPT_TIME, OPT_MEMORY, OPT_JSON };

/* What the command line asks for. */
typedef struct request {
    run_options run;
    plugin_options backend;
    uint64_t limit;
    bool json;
} request;

/* Parse the options. False if the verb ends here, with *status. */
static bool parse(int argc, char **argv, request *r, int *status)
{
    static const struct option options[] = {
        { "backend", required_argument, NULL, 'b' },
        { "backend-opt", required_argument, ARGUMENTS_REPEAT, OPT_BACKEND },
        { "limit", required_argument, NULL, OPT_LIMIT },
        { "feature-level", required_argument, NULL, 'l' },
        { "profile", required_argument, NULL, 'p' },
        { "decisions", required_argument, NULL, OPT_DECISIONS },
        { "time-limit", required_argument, NULL, OPT_TIME },
        { "memory-limit", required_argument, NULL, OPT_MEMORY },
        { "json", no_argument, NULL, OPT_JSON },
        { NULL, 0, NULL, 0 },
    };
    run_options *o = &r->run;
    error e;
    bool fine = true;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'b': fine = options_backend(&o->backend, &r->backend, optarg, &e); break;
        case OPT_BACKEND: fine = options_add_backend(&r->backend, optarg, &e); break;
        case OPT_LIMIT: fine = options_number("--limit", optarg, 1, 1000000, &r->limit, &e); break;
        case 'l': fine = options_level(optarg, &o->level, &e); break;
        case 'p': fine = options_profile(optarg, &o->profile, &e); break;
        case OPT_DECISIONS: fine = options_decisions(optarg, &o->decisions, &e); break;
        case OPT_TIME: fine = options_seconds("--time-limit", optarg, &o->limits.seconds, &e); break;
        case OPT_MEMORY: fine = options_memory(optarg, &o->limits.memory, &e); break;
        case OPT_JSON: r->json = true; break;
        case 'h': *status = command_help(help); return false;
        default: *status = EXIT_BAD_USAGE; return false;
        }
    }
    if (!fine)
        *status = command_fail("shrink", &e);
    else if (argc - optind != 1)
        *status = command_usage("shrink", "expected one case id");
    else if (!o->backend)
        *status = command_usage("shrink", "no backend: name the implementation that fails, such as -b ./mine.so");
    else
        return true;
    return false;
}

/* ---- the result ---- */

static const char *const outcomes[] = { [SHRINK_UNFINISHED] = "unfinished",
                                        [SHRINK_DONE] = "done",
                                        [SHRINK_PASSES] = "passes",
                                        [SHRINK_NOT_RUN] = "not-run",
                                        [SHRINK_UNSTABLE] = "unstable" };

static int status_of(const shrink_case *c)
{
    return c->outcome == SHRINK_DONE                                      ? EXIT_CONFORMANT
           : c->outcome == SHRINK_PASSES || c->outcome == SHRINK_UNSTABLE ? EXIT_FAILURES
                                                                          : EXIT_NOT_RUN;
}

static void print_size(const char *what, const char *id, const shrink_case *c, const case_size *size)
{
    visible_print(stdout, "%-9s %s\n", what, id);
    color_print(stdout, color_of_verdict(c->seen.verdict), "          %s", verdict_name(c->seen.verdict));
    printf("%s%s; %" PRIu64 " element%s, %u dimension%s, %u %s not at the default\n", *c->seen.how ? ", " : "",
           c->seen.how, size->elements, size->elements == 1 ? "" : "s", size->rank, size->rank == 1 ? "" : "s",
           size->axes, size->axes == 1 ? "axis" : "axes");
}

static void print_text(const shrink_case *c)
{
    const store_finding *f = &c->finding;
    print_size("case", c->id, c, &c->from_size);
    print_size(strcmp(c->to, c->id) == 0 ? "smallest" : "shrunk to", c->to, c, &c->to_size);
    if (f->detail)
        visible_print(stdout, "          %s\n", f->detail);
    printf("executed  %" PRIu64 " case%s%s\n", c->executions, c->executions == 1 ? "" : "s",
           c->limited ? ", the limit: a smaller case may fail, too" : "");
    if (f->reproducer)
        visible_print(stdout, "          %s\n", f->reproducer);
}

static bool print_json(const shrink_case *c)
{
    const bool done = c->outcome == SHRINK_DONE;
    const shrunk_facts facts = {
        .executions = c->executions, .limited = c->limited, .size = c->to_size, .of = c->from_size
    };
    char *text = shrunk_facts_write(&facts, &c->finding);
    json_t *o = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!o)
        return false;
    json_object_set_new(o, "case", json_string(c->id));
    json_object_set_new(o, "outcome", json_string(outcomes[c->outcome]));
    json_object_set_new(o, "verdict", c->seen.verdict ? json_string(verdict_name(c->seen.verdict)) : json_null());
    json_object_set_new(o, "fault", *c->seen.how ? json_string(c->seen.how) : json_null());
    json_object_set_new(o, "shrunk", done ? json_string(c->to) : json_null());
    json_dumpf(o, stdout, JSON_INDENT(2));
    printf("\n");
    json_decref(o);
    return true;
}

/* Why there is no smaller case, on standard error. */
static void explain(const shrink_case *c, const char *backend)
{
    static const char verb[] = "touchstone shrink";
    switch (c->outcome) {
    case SHRINK_DONE: break;
    case SHRINK_UNFINISHED: fprintf(stderr, "%s: interrupted\n", verb); break;
    case SHRINK_NOT_RUN: visible_print(stderr, "%s: backend '%s' does not support %s\n", verb, backend, c->id); break;
    case SHRINK_PASSES:
        visible_print(stderr, "%s: %s does not fail: alone in a new process its verdict is %s\n", verb, c->id,
                      verdict_name(c->seen.verdict));
        break;
    case SHRINK_UNSTABLE:
        visible_print(stderr,
                      "%s: %s fails irregularly: a smaller case that failed passed when it was executed again, after "
                      "%" PRIu64 " executions; 'touchstone run --repeat 20' shows how often a case fails\n",
                      verb, c->id, c->executions);
        break;
    }
}

int cmd_shrink(int argc, char **argv)
{
    request r = { .run = { .tier = TIER_EXHAUSTIVE, .limits = CASE_LIMITS_DEFAULT, .repeat = 1, .workers = 1 },
                  .limit = SHRINK_LIMIT };
    error e;
    int status;
    if (!parse(argc, argv, &r, &status))
        return status;
    const char *const id = argv[optind];
    shrink_case *c = calloc(1, sizeof *c);
    if (!c)
        return command_fail("shrink", (error_set(&e, "out of memory"), &e));
    c->limit = r.limit;
    r.run.backend_options = r.backend.list;
    r.run.backend_option_count = r.backend.count;
    r.run.queries = &id;
    r.run.query_count = 1;
    r.run.command = "touchstone shrink";
    run_install_interrupt_handlers();
    bool fine = shrink_one(&r.run, c, &e);
    if (fine && r.json)
        fine = print_json(c) || error_set(&e, "out of memory");
    else if (fine && c->outcome == SHRINK_DONE)
        print_text(c);
    if (fine)
        explain(c, r.run.backend);
    status = fine ? status_of(c) : command_fail("shrink", &e);
    store_finding_clear(&c->finding);
    free(c);
    return status;
}
