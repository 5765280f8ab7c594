/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/options.h"
#include "harness/cli/outputs.h"
#include "harness/probe/probe.h"

#include <stdio.h>
#include <stdlib.h>

static const char help[] =
    "Usage: touchstone probe BACKEND [OPTION...]\n"
    "Check whether a backend keeps the contract of backends/backend.h: calls that are legal and hostile, such as\n"
    "empty batches, longer structures, garbage in descriptors, and memory that can only be read. Whether outputs are\n"
    "right is the subject of 'touchstone run'.\n"
    "\n"
    "BACKEND is a name or the path of a library, as for 'run -b'. Each check is a process of its own: a crash or a\n"
    "hang is the result of that check. The checks take a second or two. They need an operating system that copies\n"
    "processes: there is no probe on Windows.\n"
    "\n"
    "      --backend-opt KEY=VALUE  an option of the backend; may be repeated\n"
    "      --check NAME             run this check only, with those that it builds on\n"
    "      --time-limit T           the time that a check may take: 30s (default), 500ms, 2m\n"
    "      --json FILE              also write the result as JSON; - is standard output, instead of the text\n"
    "  -h, --help                   print this text\n"
    "\n"
    "Exit status: 0 it keeps the contract; 1 it breaks a promise; 3 it cannot be opened on this machine, or\n"
    "Touchstone itself failed; 64 wrong usage, no such backend, or an option that it refuses.\n"
    "\n"
    "Examples:\n"
    "  touchstone probe cpu\n"
    "  touchstone probe ./mine.so --check batch-many\n";

enum { OPT_BACKEND_OPT = 256, OPT_CHECK, OPT_TIME_LIMIT, OPT_JSON };

static int probe_and_print(const probe_options *o, const char *json)
{
    error e;
    const output_name outputs[] = { { "--json", json } };
    probe_result *r = malloc(sizeof *r);
    if (!r) {
        error_set(&e, "out of memory");
        return command_fail("probe", &e);
    }
    plan quick = { .item_count = 0 };
    bool fine = outputs_check(outputs, 1, NULL, 0, &e) && plan_make(&quick, NULL, 0, TIER_QUICK, &e) &&
                probe_run(o, &quick, r, &e);
    fine = fine && (!json || probe_write_json(r, json, &e));
    if (fine && !(json && json[0] == '-' && !json[1]))
        probe_print(r);
    const int status = !fine ? command_fail("probe", &e) : r->outcomes[PROBE_BROKEN] ? EXIT_FAILURES : EXIT_CONFORMANT;
    plan_free(&quick);
    free(r);
    return status;
}

int cmd_probe(int argc, char **argv)
{
    static const struct option options[] = {
        { "backend-opt", required_argument, ARGUMENTS_REPEAT, OPT_BACKEND_OPT },
        { "check", required_argument, NULL, OPT_CHECK },
        { "time-limit", required_argument, NULL, OPT_TIME_LIMIT },
        { "json", required_argument, NULL, OPT_JSON },
        { NULL, 0, NULL, 0 },
    };
    probe_options o = { .seconds = 30 };
    const char *json = NULL;
    bool fine = true;
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while (fine && (c = arguments_next(&args)) != -1) {
        switch (c) {
        case OPT_BACKEND_OPT: fine = options_add_backend(&o.options, optarg, &e); break;
        case OPT_CHECK: o.only = optarg; break;
        case OPT_TIME_LIMIT: fine = options_seconds("--time-limit", optarg, &o.seconds, &e); break;
        case OPT_JSON: json = optarg; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (!fine)
        return command_fail("probe", &e);
    if (argc - optind != 1)
        return command_usage("probe", "expected one backend");
    if (!options_backend(&o.name, &o.options, argv[optind], &e))
        return command_fail("probe", &e);
    return probe_and_print(&o, json);
}
