/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a library can change of the process that it is loaded into, besides memory: noted before it is called, compared
 * and restored afterwards, so that nothing else in the process depends on the library. The control words of the
 * processor are in platform_controls.h.
 */
#ifndef TOUCHSTONE_PLATFORM_ENVIRONMENT_H
#define TOUCHSTONE_PLATFORM_ENVIRONMENT_H

#include <stdbool.h>

/* Bits of a set. */
typedef enum platform_changes {
    PLATFORM_ROUNDING = 1 << 0,
    PLATFORM_DENORMALS = 1 << 1, /* whether they are flushed to zero: FTZ, DAZ */
    PLATFORM_TRAPS = 1 << 2,     /* whether floating-point exceptions end the process */
    PLATFORM_X87 = 1 << 3,
    PLATFORM_LOCALE = 1 << 4,
    PLATFORM_VARIABLES = 1 << 5,
    PLATFORM_FOLDER = 1 << 6,
    PLATFORM_UMASK = 1 << 7,
    PLATFORM_SIGNAL_MASK = 1 << 8,
    PLATFORM_SIGNAL_HANDLERS = 1 << 9, /* of the signals that this program uses; others are not watched */
} platform_changes;

#define PLATFORM_CHANGES 10 /* there are so many */

/* The words for one of them, by its bit: "rounding mode". */
const char *platform_change_name(unsigned bit);

typedef struct platform_environment platform_environment;

/* NULL where memory is out. */
platform_environment *platform_environment_open(void);
void platform_environment_close(platform_environment *p); /* may be NULL */

/* Note the present state of the process. False where memory is out. */
bool platform_environment_note(platform_environment *p);

/* Compare with the state that was noted, and restore it. Returns what was changed. `quickly`: only the locale,
   on which the text of a number depends, in some nanoseconds; the others cost microseconds. On Windows only the locale
   and the working folder are watched. */
unsigned platform_environment_restore(platform_environment *p, bool quickly);

/* What was found in place of the noted state when that bit was changed last, in a few words: "de_DE.UTF-8"; or "". */
const char *platform_environment_found(const platform_environment *p, unsigned bit);

#endif
