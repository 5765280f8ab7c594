/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/color.h"

#include "harness/base/platform.h"
#include "harness/base/visible.h"

#include <stdlib.h>
#include <string.h>

typedef enum state { UNDECIDED, OFF, ON } state;

/* The choice of the process, as its streams are: the one place that every verb and reader of runs agrees on. */
static state of_output, of_error;

static state decide(FILE *to)
{
    const char *refused = getenv("NO_COLOR");
    return !(refused && *refused) && platform_shows_colors(to) ? ON : OFF;
}

bool color_choose(const char *when)
{
    const bool always = strcmp(when, "always") == 0;
    if (!always && strcmp(when, "never") != 0 && strcmp(when, "auto") != 0)
        return false;
    of_output = of_error = always ? ON : strcmp(when, "never") == 0 ? OFF : UNDECIDED;
    if (always) { /* a console may have to be told first; whether it can is not asked */
        (void)platform_shows_colors(stdout);
        (void)platform_shows_colors(stderr);
    }
    return true;
}

bool color_is_on(FILE *to)
{
    state *s = to == stdout ? &of_output : to == stderr ? &of_error : NULL;
    if (s && *s == UNDECIDED)
        *s = decide(to);
    return s && *s == ON;
}

void color_begin(FILE *to, color c)
{
    static const char *const codes[] = { "", "\033[1m", "\033[32m", "\033[1;31m", "\033[33m" };
    if (color_is_on(to))
        fputs(codes[c], to);
}

void color_end(FILE *to)
{
    if (color_is_on(to))
        fputs("\033[0m", to);
}

void color_print(FILE *to, color c, const char *format, ...)
{
    va_list args;
    const size_t blanks = strspn(format, " \n");
    va_start(args, format);
    fwrite(format, 1, blanks, to);
    color_begin(to, c);
    visible_print_list(to, format + blanks, args);
    color_end(to);
    va_end(args);
}

color color_of_verdict(verdict v)
{
    return v == VERDICT_PASS ? COLOR_GOOD : verdict_fails(v) ? COLOR_BAD : COLOR_OPEN;
}
