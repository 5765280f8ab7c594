/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/space/covering_missing.h"

#include <stdlib.h>
#include <string.h>

size_t missing_bytes(unsigned strength, size_t values)
{
    size_t words = (values + 63) / 64, sets = 1;
    for (unsigned k = 1; k < strength; ++k)
        if (__builtin_mul_overflow(sets, values, &sets))
            return SIZE_MAX;
    if (__builtin_mul_overflow(sets, words * sizeof(uint64_t), &sets))
        return SIZE_MAX;
    return sets;
}

static uint64_t *set_of_pair(const missing_set *m, size_t a, size_t b)
{
    return m->bits + (a * m->values + b) * m->words;
}

static uint64_t *set_of(const missing_set *m, size_t a)
{
    return m->bits + a * m->words;
}

static bool has(const uint64_t *set, size_t value)
{
    return set[value / 64] >> value % 64 & 1;
}

/* Set or clear a range of values. */
static void mark(uint64_t *set, size_t first, size_t end, bool on)
{
    for (size_t v = first; v < end; ++v) {
        uint64_t bit = UINT64_C(1) << v % 64;
        set[v / 64] = on ? set[v / 64] | bit : set[v / 64] & ~bit;
    }
}

bool missing_open(missing_set *m, unsigned strength, const size_t *first, size_t count)
{
    m->strength = strength;
    m->values = first[count];
    m->words = (m->values + 63) / 64;
    m->bits = calloc(missing_bytes(strength, m->values) + 1, 1);
    if (!m->bits)
        return false;
    if (strength == 1) {
        mark(m->bits, 0, m->values, true);
        return true;
    }
    for (size_t p = 0; p < count; ++p)
        for (size_t a = first[p]; a < first[p + 1]; ++a) {
            for (size_t q = 0; strength == 3 && q < count; ++q)
                for (size_t b = first[q]; q != p && b < first[q + 1]; ++b) {
                    uint64_t *set = set_of_pair(m, a, b);
                    mark(set, 0, m->values, true);
                    mark(set, first[p], first[p + 1], false);
                    mark(set, first[q], first[q + 1], false);
                }
            if (strength == 2) {
                mark(set_of(m, a), 0, m->values, true);
                mark(set_of(m, a), first[p], first[p + 1], false);
            }
        }
    return true;
}

void missing_close(missing_set *m)
{
    free(m->bits);
    memset(m, 0, sizeof *m);
}

/* How many bits are set. Without the machine's own instruction the compiler calls a function, which takes longer. */
static inline unsigned count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
}

/* Members of both sets. */
static inline unsigned common(const uint64_t *set, const uint64_t *mask, size_t words)
{
    unsigned n = 0;
    for (size_t w = 0; w < words; ++w)
        n += set[w] & mask[w] ? count_bits(set[w] & mask[w]) : 0;
    return n;
}

unsigned missing_gain(const missing_set *m, size_t value, const size_t *row, size_t count, const uint64_t *mask)
{
    unsigned n = 0;
    if (m->strength == 1)
        return has(m->bits, value);
    if (m->strength == 2)
        return common(set_of(m, value), mask, m->words);
    for (size_t i = 0; i < count; ++i)
        n += common(set_of_pair(m, value, row[i]), mask, m->words);
    return n;
}

unsigned missing_shown(const missing_set *m, const size_t *row, size_t count, const uint64_t *mask)
{
    unsigned n = 0;
    for (size_t i = 0; i < count; ++i)
        n += missing_gain(m, row[i], row, count, mask);
    return n;
}

static void remove_all(uint64_t *set, const uint64_t *mask, size_t words)
{
    for (size_t w = 0; w < words; ++w)
        set[w] &= ~mask[w];
}

void missing_strike(missing_set *m, const size_t *row, size_t count, const uint64_t *mask)
{
    if (m->strength == 1)
        remove_all(m->bits, mask, m->words);
    for (size_t i = 0; m->strength == 2 && i < count; ++i)
        remove_all(set_of(m, row[i]), mask, m->words);
    for (size_t i = 0; m->strength == 3 && i < count; ++i)
        for (size_t k = 0; k < count; ++k)
            if (i != k)
                remove_all(set_of_pair(m, row[i], row[k]), mask, m->words);
}

void missing_strike_pair(missing_set *m, size_t a, size_t b)
{
    if (m->strength == 2) {
        mark(set_of(m, a), b, b + 1, false);
        mark(set_of(m, b), a, a + 1, false);
    }
    for (size_t c = 0; m->strength == 3 && c < m->values; ++c) {
        mark(set_of_pair(m, a, c), b, b + 1, false);
        mark(set_of_pair(m, b, c), a, a + 1, false);
        mark(set_of_pair(m, c, a), b, b + 1, false);
        mark(set_of_pair(m, c, b), a, a + 1, false);
    }
    if (m->strength == 3) {
        memset(set_of_pair(m, a, b), 0, m->words * sizeof *m->bits);
        memset(set_of_pair(m, b, a), 0, m->words * sizeof *m->bits);
    }
}

bool missing_next(const missing_set *m, uint64_t *at, size_t *members)
{
    size_t width = m->words * 64;
    uint64_t end = missing_bytes(m->strength, m->values) * UINT64_C(8);
    for (; *at < end; ++*at) {
        uint64_t word = m->bits[*at / 64] >> *at % 64;
        if (word == 0) {
            *at |= 63; /* to the last bit of this word */
            continue;
        }
        *at += (unsigned)__builtin_ctzll(word);
        uint64_t rest = *at / width;
        members[m->strength - 1] = (size_t)(*at % width);
        for (unsigned k = m->strength - 1; k-- > 0; rest /= m->values)
            members[k] = (size_t)(rest % m->values);
        bool ascends = true; /* each combination exists in every order; one is enough */
        for (unsigned k = 0; k + 1 < m->strength; ++k)
            ascends = ascends && members[k] < members[k + 1];
        if (ascends)
            return true;
    }
    return false;
}
