/* SPDX-License-Identifier: Apache-2.0 */
#include "commit.h" /* made by commit.cmake */
#include "harness/base/did_you_mean.h"
#include "harness/base/platform.h"
#include "harness/base/visible.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/verbs.h"
#include "harness/cli/version.h"
#include "harness/run/worker_spawn.h"

#include <errno.h>
#include <stdio.h>

/* A full disk or a closed pipe behind standard output must not look like success. */
static int finish_output(const char *command, int status)
{
    error e;
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == EXIT_HARNESS || status == EXIT_BAD_USAGE)
        return status; /* the verb has printed why */
    error_output(&e);
    command_fail(command, &e);
    return EXIT_HARNESS;
}

static int unknown_verb(const char *word)
{
    char hint[DID_YOU_MEAN_SIZE];
    size_t count;
    did_you_mean d;
    const verb *verbs = verbs_all(&count);
    did_you_mean_start(&d, word);
    for (size_t i = 0; i < count; ++i)
        did_you_mean_try(&d, verbs[i].name);
    return command_usage(NULL, "there is no verb '%s'%s; 'touchstone help' lists the verbs", word,
                         did_you_mean_hint(&d, hint));
}

static int run_verb(int argc, char **argv)
{
    static const struct option options[] = { { "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 } };
    arguments args;
    int c;
    arguments_start(&args, argc, argv, options);
    args.verb = NULL;
    args.in_order = true; /* the options behind the verb are the verb's */
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'h': return finish_output("help", command_overview(stdout) ? EXIT_CONFORMANT : EXIT_HARNESS);
        case 'V': version_print(TOUCHSTONE_COMMIT); return finish_output("--version", EXIT_CONFORMANT);
        default: return EXIT_BAD_USAGE;
        }
    }
    if (optind >= argc) {
        command_overview(stderr);
        return EXIT_BAD_USAGE;
    }
    const int first = optind;
    const verb *v = verbs_find(argv[first]);
    return v ? finish_output(v->name, v->run(argc - first, argv + first)) : unknown_verb(argv[first]);
}

int main(int argc, char **argv)
{
    worker_run_if_spawned();
    platform_begin();
    return platform_run(run_verb, argc, argv);
}
