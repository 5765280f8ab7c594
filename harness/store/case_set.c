/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/case_set.h"

#include "harness/base/array.h"
#include "harness/base/number.h"
#include "harness/store/store_blob.h"

#include <stdlib.h>
#include <string.h>

/* Write the last range. */
static void flush(case_set *s)
{
    if (s->first == s->end)
        return;
    if (!array_reserve(&s->bytes, &s->capacity, s->size + 2 * NUMBER_BYTES, 1)) {
        s->failed = true;
        return;
    }
    s->size += number_write(s->bytes + s->size, s->first - s->written);
    s->size += number_write(s->bytes + s->size, s->end - s->first);
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
        if (!number_read(s->bytes, s->size, &at, &gap) || !number_read(s->bytes, s->size, &at, &length) ||
            length == 0 || gap > UINT64_MAX - s->written || length > UINT64_MAX - s->written - gap) {
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
    const case_set *s = p->set;
    if (!number_read(s->bytes, s->size, &p->at, &gap) || !number_read(s->bytes, s->size, &p->at, &length))
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
