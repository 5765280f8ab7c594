/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/error.h"

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
