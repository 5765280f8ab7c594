/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
#include "harness/base/color.h"
#include "harness/base/text.h"
#include "harness/base/visible.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int command_fail(const char *verb, const error *e)
{
    visible_print(stderr, "touchstone %s: %s\n", verb, e->text);
    return (int)e->status;
}

int command_usage(const char *verb, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error e;
    vsnprintf(e.text, sizeof e.text, format, args);
    const char *blank = verb ? " " : "";
    visible_print(stderr, "touchstone%s%s: %s\nTry 'touchstone%s%s --help'.\n", blank, verb, e.text, blank, verb);
    va_end(args);
    return EXIT_BAD_USAGE;
}

/* The length of the heading that a line of help begins with, its colon included; 0: it is no heading. */
static size_t heading_of(const char *line)
{
    const size_t n = strcspn(line, ":\n");
    const bool capital = line[0] >= 'A' && line[0] <= 'Z';
    return capital && line[n] == ':' && n < 24 && strcspn(line, ".,(") > n ? n + 1 : 0;
}

void command_print_help(FILE *to, const char *page)
{
    while (*page) {
        const size_t heading = heading_of(page), length = strcspn(page, "\n") + 1;
        if (heading) {
            color_begin(to, COLOR_HEADING);
            fwrite(page, 1, heading, to);
            color_end(to);
        }
        fwrite(page + heading, 1, length - heading, to);
        page += length;
    }
}

static text *kept;

void command_keep_help(struct text *to)
{
    kept = to;
}

int command_help(const char *page)
{
    if (kept)
        text_add(kept, page);
    else
        command_print_help(stdout, page);
    return EXIT_CONFORMANT;
}

bool command_copy_out(FILE *from, error *e)
{
    char buffer[1 << 16];
    size_t n;
    if (fflush(from) != 0 || ferror(from) || fseek(from, 0, SEEK_SET) != 0)
        return error_set(e, "temporary file: %s", strerror(errno));
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0) {
        if (fwrite(buffer, 1, n, stdout) != n)
            break;
    }
    if (ferror(from))
        return error_set(e, "temporary file: %s", strerror(errno));
    return fflush(stdout) == 0 && !ferror(stdout) ? true : error_output(e);
}
