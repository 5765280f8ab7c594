/* SPDX-License-Identifier: Apache-2.0 */
/* Read the options of a verb. Every verb has -h, --help and --color as well, and an option is short everywhere where
   its entry has a letter: the table of the verb is the only place that says so. */
#ifndef TOUCHSTONE_ARGUMENTS_H
#define TOUCHSTONE_ARGUMENTS_H

#include <getopt.h>
#include <stdbool.h>

#define ARGUMENTS_MOST 40

typedef struct arguments {
    const char *verb; /* for messages; NULL: the program itself */
    int argc;
    char **argv;
    struct option options[ARGUMENTS_MOST];
    char letters[2 * ARGUMENTS_MOST + 4];
    const char *first[ARGUMENTS_MOST]; /* the first value of each option that takes one */
    bool repeats[ARGUMENTS_MOST];
    bool in_order; /* to be set before the first call of arguments_next(): the first argument that is no option ends
                      them */
    bool started;
} arguments;

/* The `flag` of an option in a verb's table that may be given several times. Of every other option that takes a value,
   a second one is wrong usage. */
extern int arguments_repeat;
#define ARGUMENTS_REPEAT (&arguments_repeat)

/* `options` ends with an entry without a name. An entry whose `val` is a letter has this letter as its short form. The
   values from ARGUMENTS_OWN on are taken. */
#define ARGUMENTS_OWN 1000
void arguments_start(arguments *a, int argc, char **argv, const struct option *options);

/* The next option: its `val`, with optarg; 'h' for help; -1 behind the last one, with optind. '?': wrong usage, and the
   message has been printed. --color is obeyed here. */
int arguments_next(arguments *a);

#endif
