/* SPDX-License-Identifier: Apache-2.0 */
/* Moments as runs have them: "2026-11-21T16:08:50Z", UTC (platform_utc writes them). */
#ifndef TOUCHSTONE_TIMESTAMP_H
#define TOUCHSTONE_TIMESTAMP_H

#include <stdbool.h>
#include <time.h>

/* False where it is none, or NULL. */
bool timestamp_read(const char *text, time_t *moment);

#endif
