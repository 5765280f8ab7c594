/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/timestamp.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Days from 1970-01-01 to a day of the proleptic Gregorian calendar. C11 has no conversion from UTC to time_t. */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year, era = y / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

bool timestamp_read(const char *text, time_t *result)
{
    int year, month, day, hour, minute, second;
    if (!text || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second) != 6)
        return false;
    *result = (time_t)(days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second);
    return true;
}

const char *timestamp_short(const char *text, char *buf, size_t size)
{
    time_t at;
    const size_t length = strlen(text);
    const bool fraction = timestamp_read(text, &at) && length > 20 && text[19] == '.' && text[length - 1] == 'Z';
    snprintf(buf, size, fraction ? "%.19sZ" : "%s", text);
    return buf;
}
