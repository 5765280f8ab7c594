/* SPDX-License-Identifier: Apache-2.0 */
/* The control words of the processor's floating-point units: what a library may leave behind in a thread that calls it,
   and what every result computed afterwards would depend on. */
#ifndef TOUCHSTONE_PLATFORM_CONTROLS_H
#define TOUCHSTONE_PLATFORM_CONTROLS_H

#include "harness/base/platform_environment.h"

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <fenv.h>
#endif

#include <stdint.h>

typedef struct platform_controls {
#if defined(__x86_64__)
    uint32_t mxcsr;
    uint16_t x87;
#elif defined(__aarch64__)
    uint64_t fpcr;
#else
    fenv_t all;
#endif
} platform_controls;

/* Note the control words of this thread. */
void platform_controls_note(platform_controls *c);

/* Restore them, empty the registers of the x87 unit and clear the direction flag, where there are such. Returns what
   was changed since, as bits of platform_changes; flags of exceptions that happened are no change. Takes a few
   nanoseconds. */
unsigned platform_controls_restore(const platform_controls *c);

#endif
