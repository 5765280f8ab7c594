/* SPDX-License-Identifier: Apache-2.0 */
/* Timestamps of runs: "2026-11-21T16:08:50Z", UTC (platform_utc writes them), also with a fraction of the second
   (platform_utc_now). */
#ifndef TOUCHSTONE_TIMESTAMP_H
#define TOUCHSTONE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Parse a timestamp, without its fraction. False if the text is NULL or no timestamp. */
bool timestamp_read(const char *text, time_t *result);

/* The timestamp without its fraction of a second, for people. What is no timestamp is left as it is. Returns buf;
   TIMESTAMP_SIZE bytes are enough for a timestamp. */
#define TIMESTAMP_SIZE 32
const char *timestamp_short(const char *text, char *buf, size_t size);

#endif
