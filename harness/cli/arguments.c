/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"

#include "harness/base/color.h"
#include "harness/base/did_you_mean.h"
#include "harness/cli/command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { OPT_COLOR = ARGUMENTS_OWN };

int arguments_repeat;

static bool has_letter(const struct option *o)
{
    return o->val > 0 && o->val < 128 && isalpha(o->val);
}

void arguments_start(arguments *a, int argc, char **argv, const struct option *options)
{
    static const struct option own[] = { { "help", no_argument, NULL, 'h' },
                                         { "color", required_argument, NULL, OPT_COLOR } };
    size_t n = 0;
    *a = (arguments){ .verb = argv[0], .argc = argc, .argv = argv };
    for (; options[n].name && n + 3 < ARGUMENTS_MOST; ++n) {
        a->options[n] = options[n];
        a->options[n].flag = NULL; /* getopt_long() would store `val` there */
        a->repeats[n] = options[n].flag == ARGUMENTS_REPEAT;
    }
    a->options[n++] = own[0];
    a->options[n] = own[1];
}

static void begin(arguments *a)
{
    size_t used = 0;
    if (a->in_order)
        a->letters[used++] = '+';
    a->letters[used++] = ':'; /* a missing value is told from an unknown option */
    for (const struct option *o = a->options; o->name; ++o) {
        if (!has_letter(o))
            continue;
        a->letters[used++] = (char)o->val;
        if (o->has_arg == required_argument)
            a->letters[used++] = ':';
    }
    a->started = true;
    opterr = 0; /* the messages are those below */
    optind = 0; /* start, also where another verb of this process has read options */
}

/* ---- messages ---- */

/* "--jbos": unknown, or the beginning of several. */
static void refuse_long(const arguments *a, const char *word)
{
    char name[64], listed[160] = "";
    size_t used = 0, fitting = 0;
    did_you_mean d;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    did_you_mean_start(&d, name + 2);
    for (const struct option *o = a->options; o->name; ++o) {
        did_you_mean_try(&d, o->name);
        if (strncmp(o->name, name + 2, strlen(name + 2)) == 0 && used < sizeof listed)
            used += (size_t)snprintf(listed + used, sizeof listed - used, "%s--%s", fitting++ ? ", " : "", o->name);
    }
    if (fitting > 1)
        command_usage(a->verb, "option '%s' is ambiguous: %s", name, listed);
    else if (d.best)
        command_usage(a->verb, "unknown option '%s' (did you mean '--%s'?)", name, d.best);
    else
        command_usage(a->verb, "unknown option '%s'", name);
}

/* A letter that is no option, maybe of "-tier". */
static void refuse_letter(const arguments *a, int letter)
{
    const char *word = optind < a->argc ? a->argv[optind] : "";
    for (const struct option *o = a->options; o->name; ++o)
        if (word[0] == '-' && strcmp(word + 1, o->name) == 0) {
            command_usage(a->verb, "unknown option '%s' (did you mean '--%s'?)", word, o->name);
            return;
        }
    command_usage(a->verb, "unknown option '-%c'", letter);
}

/* getopt_long() has returned '?' or ':', which systems choose differently for a value that an option does not take. */
static int refuse(const arguments *a)
{
    const char *word = a->argv[optind - 1];
    const struct option *o = a->options;
    while (o->name && o->val != optopt)
        ++o;
    if (optopt == 0)
        refuse_long(a, word);
    else if (!o->name)
        refuse_letter(a, optopt);
    else
        command_usage(a->verb, "option '--%s' %s", o->name,
                      o->has_arg == required_argument ? "needs a value" : "takes no value");
    return '?';
}

/* Two names may stand for the same option: then they have the same `val`. */
static bool is_first(arguments *a, int c)
{
    size_t i = 0;
    while (a->options[i].name && a->options[i].val != c)
        ++i;
    if (!a->options[i].name || a->options[i].has_arg == no_argument || a->repeats[i])
        return true;
    if (a->first[i]) {
        command_usage(a->verb, "option '--%s' is given twice, with '%s' and '%s'; it takes one value",
                      a->options[i].name, a->first[i], optarg ? optarg : "");
        return false;
    }
    a->first[i] = optarg ? optarg : "";
    return true;
}

int arguments_next(arguments *a)
{
    int c;
    if (!a->started)
        begin(a);
    do {
        c = getopt_long(a->argc, a->argv, a->letters, a->options, NULL);
        if (c == '?' || c == ':')
            return refuse(a);
        if (c != -1 && !is_first(a, c))
            return '?';
        if (c == OPT_COLOR && !color_choose(optarg)) {
            command_usage(a->verb, "--color '%s': expected auto, always or never", optarg);
            return '?';
        }
    } while (c == OPT_COLOR);
    return c;
}
