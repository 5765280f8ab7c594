/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"
#include "harness/cli/command.h"
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"
#include "harness/base/wire.h"
#include "harness/execute/plugin.h"
#include "harness/model/tensor.h"
#include "harness/run/printed.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: touchstone backends [BACKEND...] [-v]\n"
    "List the backends that Touchstone finds, or those that are named: name, version, vendor, driver, device, feature\n"
    "level, what it is for, and path.\n"
    "\n"
    "Touchstone looks in the folder that the environment variable TOUCHSTONE_BACKENDS names; without the\n"
    "variable, in the folders of its build and of its installation. 'touchstone run -b' also accepts the path of\n"
    "any other backend.\n"
    "\n"
    "  -v, --verbose  also print the options of each backend\n"
    "  -h, --help     print this text\n"
    "\n"
    "Touchstone asks each backend in a process of its own (except on Windows). A backend that crashes, exits or does\n"
    "not answer within 10 seconds is listed with that error, and the others are listed as well. Of what a backend\n"
    "prints meanwhile, the last lines are listed if the backend cannot be used.\n"
    "\n"
    "Exit status: 0, also if a listed backend cannot be used; 3 no backend was found; 64 wrong usage, or there is no\n"
    "backend of that name.\n"
    "\n"
    "Example:\n"
    "  touchstone backends\n"
    "  touchstone backends faulty -v\n";

#define ANSWER_SECONDS 10.0

typedef struct listing {
    const char *only; /* NULL: all */
    bool verbose;
    unsigned count;
} listing;

/* What a process asks about a backend. */
typedef struct question {
    const char *path;
    bool options; /* ask for the text about its options, too */
} question;

/* What is known about a backend. */
typedef struct description {
    text line, summary, options; /* one line, what it is for, and the text about its options */
    char *printed; /* the last lines that it printed, as visible text; NULL: none, or they went to standard error */
    bool usable;   /* it was opened */
} description;

/* *p: the backend, for the caller to close. */
static void describe(const question *q, description *d, plugin *p)
{
    text *line = &d->line;
    error e, reason;
    d->usable = plugin_open(p, q->path, NULL, 0, &e);
    if (d->usable) {
        const ts_info *i = &p->info;
        const char *const parts[] = { i->vendor, i->driver, i->device };
        text_visible(line, i->version);
        for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
            text_add(line, *parts[k] ? ", " : "");
            text_visible(line, parts[k]);
        }
        if (i->highest_level)
            text_format(line, ", feature level %s", tensor_level_name(i->highest_level));
    } else if (reason = e, plugin_load(p, q->path, &e)) {
        text_visible(line, reason.status == EXIT_BAD_USAGE ? "needs options to open (-v lists them)" : reason.text);
    } else {
        text_visible(line, e.text);
    }
    const ts_backend *b = p->library ? p->backend : NULL;
    const char *about = q->options ? plugin_describe_options(p) : NULL;
    if (b && b->struct_size >= offsetof(ts_backend, summary) + sizeof b->summary && b->summary)
        text_visible(&d->summary, b->summary);
    if (about)
        text_visible_lines(&d->options, about, strlen(about));
}

/* Called in a process of its own, which the backend may end. */
static void answer(void *context, platform_line *connection)
{
    description d = { .usable = false };
    wire w = { .bytes = NULL };
    plugin p;
    describe(context, &d, &p);
    wire_encode_u64(&w, d.usable);
    wire_encode_text(&w, d.line.data ? d.line.data : "");
    wire_encode_text(&w, d.summary.data ? d.summary.data : "");
    wire_encode_text(&w, d.options.data ? d.options.data : "");
    fflush(stdout); /* a line without an end, too */
    wire_send(&w, connection);
    plugin_close(&p); /* after the answer: a thread that the backend left running may crash now */
    wire_free(&w);
    text_free(&d.line);
    text_free(&d.summary);
    text_free(&d.options);
}

/* Read the answer, which the backend may have forged. */
static bool receive(platform_line *connection, description *d)
{
    wire w = { .bytes = NULL };
    bool answered = false;
    if (wire_receive(&w, connection)) {
        const uint64_t usable = wire_decode_count(&w, 1);
        const char *line = wire_decode_text(&w), *summary = wire_decode_text(&w), *options = wire_decode_text(&w);
        answered = !w.broken && line && summary && options;
        if (answered) {
            d->usable = usable;
            text_visible(&d->line, line);
            text_visible(&d->summary, summary);
            text_visible_lines(&d->options, options, strlen(options));
        }
    }
    wire_free(&w);
    return answered;
}

/* Describe the backend in a process of its own, so that it cannot end or stop this one. */
static void ask(const question *q, description *d)
{
    char end[200] = "";
    error e;
    printed output = { .position = 0 };
    platform_printed count = { 0 };
    const platform_spawn_data spawn = { .output = { printed_take, &output, &count } };
    bool ready = false, answered = false;
    platform_process *p = platform_process_start(answer, (void *)(uintptr_t)q, &spawn, &e);
    if (!p) {
        text_visible(&d->line, e.text);
        return;
    }
    /* Waiting may end early, for what the process prints. */
    for (const double last = platform_seconds() + ANSWER_SECONDS; !ready && platform_seconds() < last;)
        platform_process_wait(&p, 1, last - platform_seconds(), &ready);
    answered = ready && receive(platform_process_line(p), d);
    platform_process_end(p, answered ? 0.5 : 0, end, sizeof end);
    if (!answered && ready)
        text_format(&d->line, "cannot be asked: its process %s before it answered", end);
    else if (!answered)
        text_format(&d->line, "cannot be asked: it does not answer within %.0f s", ANSWER_SECONDS);
    d->printed = printed_last_lines(&output, 0);
}

static void print_backend(void *context, const char *name, const char *path)
{
    listing *l = context;
    const question q = { path, l->verbose };
    description d = { .usable = false };
    if (l->only && strcmp(l->only, name) != 0)
        return;
    l->count++;
    if (platform_process_can_fork()) {
        ask(&q, &d);
    } else {
        plugin p;
        describe(&q, &d, &p);
        plugin_close(&p);
    }
    visible_print(stdout, "%-14s %s\n", name, d.line.data ? d.line.data : "");
    if (d.summary.length)
        visible_print(stdout, "    %s\n", d.summary.data);
    visible_print(stdout, "    %s\n", path);
    if (!d.usable && d.printed) {
        visible_print(stdout, "    The last lines that the backend printed:\n");
        visible_print_lines(stdout, "    | ", d.printed);
    }
    visible_print_lines(stdout, "    ", d.options.data);
    free(d.printed);
    text_free(&d.line);
    text_free(&d.summary);
    text_free(&d.options);
}

int cmd_backends(int argc, char **argv)
{
    static const struct option options[] = {
        { "verbose", no_argument, NULL, 'v' },
        { NULL, 0, NULL, 0 },
    };
    listing l = { .verbose = false };
    error e;
    int c;
    arguments args;
    arguments_start(&args, argc, argv, options);
    while ((c = arguments_next(&args)) != -1) {
        switch (c) {
        case 'v': l.verbose = true; break;
        case 'h': return command_help(help);
        default: return EXIT_BAD_USAGE;
        }
    }
    for (int i = optind; i < argc; ++i)
        if (!plugin_exists(argv[i], &e))
            return command_fail("backends", &e);
    for (int i = optind; i < argc; ++i) {
        l.only = argv[i];
        if (platform_file_name(argv[i]) != argv[i])
            print_backend(&l, argv[i], argv[i]);
        else
            plugin_each(print_backend, &l);
    }
    if (optind == argc)
        plugin_each(print_backend, &l);
    if (l.count)
        return 0;
    fprintf(stderr,
            "touchstone backends: none found beside the program or in %s/backends; set TOUCHSTONE_BACKENDS to "
            "the folder that contains the backends\n",
            TOUCHSTONE_LIBDIR);
    return EXIT_HARNESS;
}
