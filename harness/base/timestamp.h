/* SPDX-License-Identifier: Apache-2.0 */
/* Timestamps of runs: "2026-11-21T16:08:50Z", UTC (platform_utc writes them). */
#ifndef TOUCHSTONE_TIMESTAMP_H
#define TOUCHSTONE_TIMESTAMP_H

#include <stdbool.h>
#include <time.h>

/* Parse a timestamp. False if the text is NULL or no timestamp. */
bool timestamp_read(const char *text, time_t *result);

#endif
