/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/bigint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void from_signed(int64_t value, bigint *n)
{
    n->negative = value < 0;
    n->magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    n->huge = false;
    snprintf(n->text, sizeof n->text, "%" PRId64, value);
}

static bool from_real(double value, bigint *n)
{
    double magnitude = fabs(value);
    if (!isfinite(value) || trunc(value) != value)
        return false;
    n->negative = value < 0;
    n->huge = magnitude >= 0x1p64;
    n->magnitude = n->huge ? UINT64_MAX : (uint64_t)magnitude;
    snprintf(n->text, sizeof n->text, magnitude < 0x1p53 ? "%.0f" : "%.17g", value);
    return true;
}

const char *bigint_from_text(const char *text, bigint *n)
{
    const char *p = text;
    n->negative = *p == '-';
    n->huge = false;
    n->magnitude = 0;
    p += n->negative;
    if (*p < '0' || *p > '9')
        return NULL;
    for (; *p >= '0' && *p <= '9'; ++p) {
        unsigned digit = (unsigned)(*p - '0');
        if (n->huge || n->magnitude > (UINT64_MAX - digit) / 10)
            n->huge = true;
        else
            n->magnitude = 10 * n->magnitude + digit;
    }
    if (n->huge)
        n->magnitude = UINT64_MAX;
    size_t length = (size_t)(p - text), room = sizeof n->text - 1;
    if (length <= room)
        snprintf(n->text, sizeof n->text, "%.*s", (int)length, text);
    else
        snprintf(n->text, sizeof n->text, "%.*s...", (int)room - 3, text);
    return p;
}

bool bigint_from_json(const json_t *json, bigint *n)
{
    const char *text = json_string_value(json), *end;
    bool inside;
    if (json_is_integer(json)) {
        from_signed(json_integer_value(json), n);
        return true;
    }
    if (json_is_real(json))
        return from_real(json_real_value(json), n);
    end = text ? bigint_from_text(text, n) : NULL;
    if (!end || end != text + json_string_length(json))
        return false;
    bigint_clamp(n, INT64_MIN, INT64_MAX, &inside);
    return !inside;
}

int64_t bigint_clamp(const bigint *n, int64_t min, int64_t max, bool *inside)
{
    bool ignored;
    inside = inside ? inside : &ignored;
    *inside = false;
    if (n->negative ? n->magnitude > (uint64_t)INT64_MAX + 1 : n->magnitude > INT64_MAX)
        return n->negative ? min : max;
    int64_t value = (int64_t)(n->negative ? 0 - n->magnitude : n->magnitude);
    if (value < min || value > max)
        return value < min ? min : max;
    *inside = true;
    return value;
}

uint64_t bigint_clamp_unsigned(const bigint *n, uint64_t max, bool *inside)
{
    bool fits = !n->huge && n->magnitude <= max && (!n->negative || n->magnitude == 0);
    if (inside)
        *inside = fits;
    return fits ? n->magnitude : n->negative ? 0 : max;
}
