/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/command.h"

#include <stdio.h>

int command_fail(const char *verb, const error *e)
{
    fprintf(stderr, "touchstone %s: %s\n", verb, e->text);
    return (int)e->status;
}

int command_usage(const char *verb, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "touchstone %s: ", verb);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\nTry 'touchstone %s --help'.\n", verb);
    va_end(args);
    return EXIT_BAD_USAGE;
}
