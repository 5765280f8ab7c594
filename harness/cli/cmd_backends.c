/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/base/wire.h"
#include "harness/execute/plugin.h"
#include "harness/model/tensor.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone backends [-v]\n"
    "List the backends that Touchstone finds: name, version, vendor, driver, device, feature level and path.\n"
    "\n"
    "Touchstone looks in the folder that the environment variable TOUCHSTONE_BACKENDS names; without the\n"
    "variable, in the folders of its build and of its installation. 'touchstone run -b' also accepts the path of\n"
    "any other backend.\n"
    "\n"
    "  -v, --verbose  also print the options of each backend\n"
    "      --help     print this text\n"
    "\n"
    "Touchstone asks each backend in a process of its own (except on Windows). A backend that crashes, exits or does\n"
    "not answer within 10 seconds is listed with that error, and the others are listed as well.\n"
    "\n"
    "Exit status: 0, also if a listed backend cannot be used; 3 no backend was found; 64 wrong usage.\n";

#define ANSWER_SECONDS 10.0

typedef struct listing {
    bool verbose;
    unsigned count;
} listing;

/* What a process asks about a backend. */
typedef struct question {
    const char *path;
    bool options; /* ask for the text about its options, too */
} question;

/* One line about the backend, and the text about its options. */
static void describe(const question *q, text *line, text *options)
{
    plugin p;
    error e, reason;
    if (plugin_open(&p, q->path, NULL, 0, &e)) {
        const ts_info *i = &p.info;
        const char *const parts[] = { i->vendor, i->driver, i->device };
        text_visible(line, i->version);
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
            text_add(line, *parts[k] ? ", " : "");
            text_visible(line, parts[k]);
        }
        if (i->highest_level)
            text_format(line, ", feature level %s", tensor_level_name(i->highest_level));
    } else if (reason = e, plugin_load(&p, q->path, &e)) {
        text_visible(line, reason.status == EXIT_BAD_USAGE ? "needs options to open (-v lists them)" : reason.text);
    } else {
        text_visible(line, e.text);
    }
    const ts_backend *b = p.library ? p.backend : NULL;
    const char *about =
        q->options && b && b->struct_size >= sizeof *b && b->describe_options ? b->describe_options() : NULL;
    if (about)
        text_visible_lines(options, about, strlen(about));
    plugin_close(&p);
}

/* Called in a process of its own, which the backend may end. */
static void answer(void *context, platform_line *connection)
{
    text line = { .data = NULL }, options = { .data = NULL };
    wire w = { .bytes = NULL };
    describe(context, &line, &options);
    wire_encode_text(&w, line.data ? line.data : "");
    wire_encode_text(&w, options.data ? options.data : "");
    wire_send(&w, connection);
    wire_free(&w);
    text_free(&line);
    text_free(&options);
}

/* Describe the backend in a process of its own, so that it cannot end or stop this one. */
static void ask(const question *q, text *line, text *options)
{
    char end[200] = "";
    error e;
    wire w = { .bytes = NULL };
    bool ready = false, answered = false;
    platform_process *p = platform_process_start(answer, (void *)(uintptr_t)q, NULL, &e);
    if (!p) {
        text_visible(line, e.text);
        return;
    }
    /* Waiting may end early, for what the process prints. */
    for (const double last = platform_seconds() + ANSWER_SECONDS; !ready && platform_seconds() < last;)
        platform_process_wait(&p, 1, last - platform_seconds(), &ready);
    if (ready && wire_receive(&w, platform_process_line(p))) {
        const char *first = wire_decode_text(&w), *second = wire_decode_text(&w);
        answered = !w.broken && first && second;
        if (answered) { /* the backend may have forged the message */
            text_visible(line, first);
            text_visible_lines(options, second, strlen(second));
        }
    }
    wire_free(&w);
    platform_process_end(p, answered ? 0.5 : 0, end, sizeof end);
    if (answered)
        return;
    if (ready)
        text_format(line, "cannot be asked: its process %s before it answered", end);
    else
        text_format(line, "cannot be asked: it does not answer within %.0f s", ANSWER_SECONDS);
}

static void print_backend(void *context, const char *name, const char *path)
{
    listing *l = context;
    const question q = { path, l->verbose };
    text line = { .data = NULL }, options = { .data = NULL };
    l->count++;
    (platform_process_can_fork() ? ask : describe)(&q, &line, &options);
    visible_print(stdout, "%-14s %s\n    %s\n", name, line.data ? line.data : "", path);
    visible_print_lines(stdout, "    ", options.data);
    text_free(&line);
    text_free(&options);
}

int cmd_backends(int argc, char **argv)
{
    static const struct option options[] = {
        { "verbose", no_argument, NULL, 'v' },
        { "help", no_argument, NULL, 'h' },
        { NULL, 0, NULL, 0 },
    };
    listing l = { false, 0 };
    int c;
    while ((c = getopt_long(argc, argv, "v", options, NULL)) != -1) {
        switch (c) {
        case 'v': l.verbose = true; break;
        case 'h': fputs(help, stdout); return 0;
        default: return command_bad_option("backends");
        }
    }
    if (optind != argc)
        return command_usage("backends", "unexpected argument");
    plugin_each(print_backend, &l);
    if (l.count)
        return 0;
    fprintf(stderr,
            "touchstone backends: none found beside the program or in %s/backends; set TOUCHSTONE_BACKENDS to "
            "the folder that contains the backends\n",
            TOUCHSTONE_LIBDIR);
    return EXIT_HARNESS;
}
