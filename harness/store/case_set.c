/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/case_set.h"

#include "harness/base/array.h"
#include "harness/store/store_blob.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_BYTES = 10 }; /* of 64 bits, 7 a byte */

static size_t write_number(uint8_t *to, uint64_t n)
{
    size_t used = 0;
    for (; n >= 0x80; n >>= 7)
        to[used++] = (uint8_t)(n | 0x80);
    to[used++] = (uint8_t)n;
    return used;
}

/* Read a number at *at. False: there is none. */
static bool read_number(const case_set *s, size_t *at, uint64_t *n)
{
    *n = 0;
    for (unsigned shift = 0; shift < 64 && *at < s->size; shift += 7) {
        const uint8_t byte = s->bytes[(*at)++];
        *n |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Write the last range. */
static void flush(case_set *s)
{
    if (s->first == s->end)
        return;
    if (!array_reserve(&s->bytes, &s->capacity, s->size + 2 * (size_t)NUMBER_BYTES, 1)) {
        s->failed = true;
        return;
    }
    s->size += write_number(s->bytes + s->size, s->first - s->written);
    s->size += write_number(s->bytes + s->size, s->end - s->first);
    s->written = s->first = s->end;
}

void case_set_add(case_set *s, uint64_t first, uint64_t end)
{
    if (first >= end)
        return;
    if (s->first == s->end || s->end != first) {
        flush(s);
        s->first = first;
    }
    s->end = end;
    s->count += end - first;
}

void case_set_free(case_set *s)
{
    free(s->bytes);
    memset(s, 0, sizeof *s);
}

void *case_set_pack(case_set *s, size_t *size, size_t *raw)
{
    flush(s);
    *raw = s->size;
    return s->failed ? NULL : blob_pack(s->bytes ? (const void *)s->bytes : "", s->size, size);
}

bool case_set_unpack(case_set *s, const void *packed, size_t size, uint64_t raw)
{
    memset(s, 0, sizeof *s);
    if (raw > SIZE_MAX / 2 || !(s->bytes = blob_unpack(packed, size, raw)))
        return false;
    s->size = s->capacity = (size_t)raw;
    for (size_t at = 0; at < s->size;) {
        uint64_t gap, length;
        if (!read_number(s, &at, &gap) || !read_number(s, &at, &length) || length == 0 ||
            gap > UINT64_MAX - s->written || length > UINT64_MAX - s->written - gap) {
            case_set_free(s);
            return false;
        }
        s->written += gap + length;
        s->count += length;
    }
    s->first = s->end = s->written;
    return true;
}

/* Go to the next range. False: there is none. */
static bool next_range(case_set_place *p)
{
    uint64_t gap, length;
    const uint64_t before = p->end;
    if (!read_number(p->set, &p->at, &gap) || !read_number(p->set, &p->at, &length))
        return false;
    p->first = before + gap;
    p->end = p->first + length;
    return true;
}

void case_set_start(case_set_place *p, case_set *s)
{
    flush(s);
    *p = (case_set_place){ .set = s };
}

bool case_set_holds(case_set_place *p, uint64_t index)
{
    while (index >= p->end && next_range(p))
        ;
    if (index < p->first || index >= p->end)
        return false;
    p->first = index + 1;
    return true;
}

void case_set_copy(case_set_place *p, uint64_t index, case_set *to)
{
    do {
        const uint64_t end = p->end < index ? p->end : index;
        if (p->first < end) {
            case_set_add(to, p->first, end);
            p->first = end;
        }
    } while (p->end <= index && next_range(p));
}
