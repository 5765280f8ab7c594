/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/did_you_mean.h"
#include "harness/base/text.h"
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/cli/verbs.h"

#include <stdio.h>
#include <string.h>

static const char help[] = "Usage: touchstone help [VERB|TOPIC]\n"
                           "Explain a verb or a topic; without either, list them.\n"
                           "\n"
                           "  -h, --help  print this text\n"
                           "\n"
                           "Exit status: 0; 64 there is no such verb or topic.\n"
                           "\n"
                           "Examples:\n"
                           "  touchstone help run\n"
                           "  touchstone help queries\n";

static const char options_of_the_program[] =
    "\n"
    "Options:\n"
    "  -h, --help        print this text; behind a verb, explain the verb\n"
    "  -V, --version     print the version, its commit, the version of the plugin interface and the digest of the\n"
    "                    suite\n"
    "      --color WHEN  use colours: auto (default: on a terminal, unless the environment variable NO_COLOR is\n"
    "                    set), always or never. Every verb has this option, too\n"
    "\n"
    "'touchstone help VERB' and 'touchstone VERB --help' explain a verb, 'touchstone help TOPIC' a topic.\n";

bool command_overview(FILE *to)
{
    size_t count;
    text t = { .data = NULL };
    const verb *verbs = verbs_all(&count);
    text_add(&t, "Usage: touchstone [OPTION...] VERB [ARGUMENT...]\n"
                 "Conformance tests for tensor operators: compares implementations with a bit-exact reference.\n"
                 "\n"
                 "Verbs:\n");
    for (size_t i = 0; i < count; ++i)
        text_format(&t, "  %-10s %s\n", verbs[i].name, verbs[i].summary);
    text_add(&t, "\nTopics:\n");
    const help_topic *topics = help_topics_all(&count);
    for (size_t i = 0; i < count; ++i)
        text_format(&t, "  %-10s %s\n", topics[i].name, topics[i].summary);
    text_add(&t, options_of_the_program);
    const bool fine = !t.failed;
    if (fine)
        command_print_help(to, t.data);
    text_free(&t);
    return fine;
}

static int unknown(const char *word)
{
    char hint[DID_YOU_MEAN_SIZE];
    size_t count;
    did_you_mean d;
    did_you_mean_start(&d, word);
    const verb *verbs = verbs_all(&count);
    for (size_t i = 0; i < count; ++i)
        did_you_mean_try(&d, verbs[i].name);
    const help_topic *topics = help_topics_all(&count);
    for (size_t i = 0; i < count; ++i)
        did_you_mean_try(&d, topics[i].name);
    return command_usage("help", "there is no verb or topic '%s'%s", word, did_you_mean_hint(&d, hint));
}

int cmd_help(int argc, char **argv)
{
    static const struct option options[] = { { NULL, 0, NULL, 0 } };
    arguments args;
    error e;
    int c;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1)
        return c == 'h' ? command_help(help) : EXIT_BAD_USAGE;
    if (argc - optind > 1)
        return command_usage("help", "expected one verb or topic");
    if (optind == argc)
        return command_overview(stdout) ? EXIT_CONFORMANT : command_fail("help", (error_set(&e, "out of memory"), &e));
    char *word = argv[optind], option[] = "--help", *explain[] = { word, option, NULL };
    size_t count;
    const help_topic *topics = help_topics_all(&count);
    for (size_t i = 0; i < count; ++i)
        if (strcmp(topics[i].name, word) == 0) {
            for (const char *const *part = topics[i].text; *part; ++part)
                command_help(*part);
            return EXIT_CONFORMANT;
        }
    const verb *v = verbs_find(word);
    return v ? v->run(2, explain) : unknown(word);
}
