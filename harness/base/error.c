/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool error_set(error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    e->status = EXIT_HARNESS;
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

bool error_usage(error *e, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    e->status = EXIT_BAD_USAGE;
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

static const char *reason(int number)
{
    switch (number) {
    case 0: return "the operating system gives no reason";
    case ENXIO: return "no process is at its other end";
    case EFBIG: return "it would be larger than this process may write (ulimit -f)";
    default: return strerror(number);
    }
}

/* Errors that another file name would not cure. */
static bool is_of_machine(int number)
{
    static const int list[] = { EMFILE, ENFILE, ENOMEM, ENOSPC, EFBIG, EIO,
#ifdef EDQUOT
                                EDQUOT
#endif
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; ++i)
        if (number == list[i])
            return true;
    return false;
}

bool error_file(error *e, const char *path, const char *doing, int number)
{
    error_usage(e, "%s%s%s: %s", path, doing ? ": " : "", doing ? doing : "", reason(number));
    if (is_of_machine(number))
        e->status = EXIT_HARNESS;
    return false;
}

bool error_prefix(error *e, const char *format, ...)
{
    char prefix[512], text[sizeof e->text];
    va_list args;
    va_start(args, format);
    vsnprintf(prefix, sizeof prefix, format, args);
    va_end(args);
    memcpy(text, e->text, sizeof text);
    snprintf(e->text, sizeof e->text, "%s: %.*s", prefix, (int)(sizeof e->text - strlen(prefix) - 3), text);
    return false;
}

bool error_output(error *e)
{
    const int number = errno;
    return error_set(e, "standard output cannot be written%s%s", number ? ": " : "", number ? strerror(number) : "");
}
