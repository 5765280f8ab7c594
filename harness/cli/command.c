/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/command.h"
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
    visible_print(stderr, "touchstone %s: %s\nTry 'touchstone %s --help'.\n", verb, e.text, verb);
    va_end(args);
    return EXIT_BAD_USAGE;
}

int command_bad_option(const char *verb)
{
    return command_usage(verb, "unknown option, or an option without its value");
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
    return fflush(stdout) == 0 && !ferror(stdout) ? true : error_set(e, "standard output: %s", strerror(errno));
}
