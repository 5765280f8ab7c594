/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/space/covering_tuples.h"

#include <stdlib.h>
#include <string.h>

bool covering_tuples_make(covering_tuples *t, const space *s, const space_group *group, const space_tuples *tuples)
{
    t->count = tuples->count;
    t->width = group->axis_count;
    t->words = ((size_t)tuples->count + 63) / 64;
    t->columns = malloc((size_t)tuples->count * t->width * sizeof *t->columns);
    if (!t->columns)
        return false;
    for (unsigned a = 0; a < t->width; ++a) {
        const space_axis *axis = space_axis_at(s, group->axes[a]);
        t->having[a] = calloc(axis->count * t->words, sizeof *t->having[a]);
        t->present[a] = calloc(axis->count, 1);
        if (!t->having[a] || !t->present[a])
            return false;
        for (size_t i = 0; i < tuples->count; ++i) {
            uint32_t v = 0;
            while (axis->values[v] != tuples->values[i * t->width + a])
                ++v;
            t->columns[i * t->width + a] = v;
            t->having[a][v * t->words + i / 64] |= UINT64_C(1) << i % 64;
            t->present_count[a] += !t->present[a][v];
            t->present[a][v] = 1;
        }
    }
    return true;
}

void covering_tuples_free(covering_tuples *t)
{
    free(t->columns);
    for (size_t a = 0; a < SPACE_MAX_AXES; ++a) {
        free(t->having[a]);
        free(t->present[a]);
    }
    memset(t, 0, sizeof *t);
}

void covering_tuples_all(const covering_tuples *t, uint64_t *set)
{
    memset(set, 0xFF, t->words * sizeof *set);
    set[t->words - 1] >>= t->words * 64 - t->count;
}

void covering_tuples_narrow(const covering_tuples *t, uint64_t *set, unsigned column, uint32_t value)
{
    const uint64_t *having = t->having[column] + (size_t)value * t->words;
    for (size_t w = 0; w < t->words; ++w)
        set[w] &= having[w];
}

int64_t covering_tuples_next(const covering_tuples *t, const uint64_t *set, uint32_t from)
{
    for (size_t w = from / 64; w < t->words; ++w) {
        uint64_t bits = w == from / 64 ? set[w] >> from % 64 << from % 64 : set[w];
        if (bits)
            return (int64_t)(w * 64) + __builtin_ctzll(bits);
    }
    return -1;
}

uint32_t covering_tuples_values(const covering_tuples *t, const uint64_t *set, unsigned column, uint32_t values,
                                uint8_t *allowed)
{
    const uint64_t *having = t->having[column];
    size_t first = 0, end = t->words; /* the words of the set that are not empty lie between these */
    uint32_t found = 0;
    while (end > 0 && !set[end - 1])
        --end;
    while (first < end && !set[first])
        ++first;
    for (uint32_t v = 0; v < values; ++v, having += t->words) {
        size_t w = first;
        while (w < end && !(set[w] & having[w]))
            ++w;
        allowed[v] = w < end;
        found += w < end;
    }
    return found;
}
