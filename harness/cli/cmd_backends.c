/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
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
    "Exit status: 0; 3 no backend was found; 64 wrong usage.\n";

typedef struct listing {
    bool verbose;
    unsigned count;
} listing;

static void print_indented(const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        printf("    %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
}

static void print_backend(void *context, const char *name, const char *path)
{
    listing *l = context;
    plugin p;
    error e, reason;
    l->count++;
    if (plugin_open(&p, path, NULL, 0, &e)) {
        const ts_info *i = &p.info;
        printf("%-14s %s%s%s%s%s%s%s", name, i->version, *i->vendor ? ", " : "", i->vendor, *i->driver ? ", " : "",
               i->driver, *i->device ? ", " : "", i->device);
        if (i->highest_level)
            printf(", feature level %s", tensor_level_name(i->highest_level));
        printf("\n");
    } else if (reason = e, plugin_load(&p, path, &e)) {
        printf("%-14s %s\n", name,
               reason.status == EXIT_BAD_USAGE ? "needs options to open (-v lists them)" : reason.text);
    } else {
        printf("%-14s %s\n", name, e.text);
    }
    printf("    %s\n", path);
    const ts_backend *b = p.library ? p.backend : NULL;
    if (l->verbose && b && b->struct_size >= sizeof *b && b->describe_options)
        print_indented(b->describe_options());
    plugin_close(&p);
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
