/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The exponent without what does not count: "1e+05" becomes "1e5". */
static void shorten_exponent(char *text)
{
    char *at = strchr(text, 'e');
    if (!at)
        return;
    char *from = ++at;
    at += *at == '-';
    from += strspn(from, "+-");
    from += strspn(from, "0");
    memmove(at, from, strlen(from) + 1);
}

char *decimal_text(double value, char buf[DECIMAL_SIZE])
{
    if (isnan(value) || isinf(value)) {
        snprintf(buf, DECIMAL_SIZE, "%s", isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
        return buf;
    }
    if (fabs(value) < 0x1p53 && trunc(value) == value) {
        snprintf(buf, DECIMAL_SIZE, "%.0f", value); /* 100000 rather than 1e5 */
        return buf;
    }
    for (int digits = 1; digits <= 17; ++digits) {
        snprintf(buf, DECIMAL_SIZE, "%.*g", digits, value);
        if (strtod(buf, NULL) == value)
            break;
    }
    shorten_exponent(buf);
    return buf;
}

bool decimal_read(const char *text, size_t length, double *value)
{
    char word[64], *end;
    const size_t sign = length > 0 && *text == '-';
    if (length >= sizeof word)
        return false;
    memcpy(word, text, length);
    word[length] = '\0';
    const bool named = strcmp(word + sign, "inf") == 0 || strcmp(word, "nan") == 0;
    if (!named && (word[sign] < '0' || word[sign] > '9' || strspn(word + sign, "0123456789.e+-") + sign != length))
        return false;
    *value = strtod(word, &end);
    return *end == '\0';
}

int64_t decimal_key(double value)
{
    int64_t bits;
    if (isnan(value))
        return INT64_MAX;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

double decimal_of_key(int64_t key)
{
    double value;
    if (key == INT64_MAX)
        return NAN;
    const int64_t bits = key < 0 ? key ^ INT64_MAX : key;
    memcpy(&value, &bits, sizeof value);
    return value;
}
