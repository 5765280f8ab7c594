/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros for the generated copies of reference files. Each place that can be mutated evaluates the original expression
 * unless one of its mutants is selected. While recording, it notes which of its mutants would have given another value
 * (weak mutation). Only the generator (generate.c) writes uses of these macros.
 *
 * An access outside of a tensor or an array, a division that traps and an endless loop leave the call at once, so that
 * the result of a mutant is the same each time.
 */
#ifndef TOUCHSTONE_SCHEMATA_H
#define TOUCHSTONE_SCHEMATA_H

#include "audit/mutate/schemata_state.h"
#include "harness/model/operator.h"

#include <inttypes.h>
#include <string.h>

static inline void schemata_infect(uint32_t m)
{
    if (!schemata.infected[m])
        schemata.list[schemata.listed++] = m;
    schemata.infected[m] |= schemata.part;
}

/* Is it unknown so far whether m is infected in this part of the call? */
#define SCHEMATA_OPEN(m) (schemata.recording && !(schemata.infected[m] & schemata.part))

/* Is recording on, or one of the n mutants from `first` on selected? */
#define SCHEMATA_ON(first, n) (schemata.recording || schemata.selected - (first) < (uint32_t)(n))

/* Mutant m gives the variable r another value. The alternative is evaluated only if it is needed. */
#define SCHEMATA_VALUE(m, r, alternative)                                                                              \
    do {                                                                                                               \
        if (schemata.selected == (m))                                                                                  \
            r = (__typeof__(r))(alternative);                                                                          \
        else if (SCHEMATA_OPEN(m) && (__typeof__(r))(alternative) != r)                                                \
            schemata_infect(m);                                                                                        \
    } while (0)

/* Does a / b trap? */
#define SCHEMATA_TRAPS(a, operator, b)                                                                                 \
    ((b) == 0 || ((__typeof__((a) operator(b)))(-1) < 0 && (b) == (__typeof__(b))(-1) &&                               \
                  (a) == (__typeof__(a))(UINT64_C(1) << (sizeof((a) operator(b)) * 8 - 1))))

/* A division, of the original or by mutant m. */
#define SCHEMATA_QUOTIENT(a, operator, b)                                                                              \
    (SCHEMATA_TRAPS(a, operator, b) ? (schemata_leave(SCHEMATA_DIVISION), (a)) : (a) operator(b))
#define SCHEMATA_DIVIDE(m, r, a, operator, b)                                                                          \
    do {                                                                                                               \
        if (schemata.recording && SCHEMATA_TRAPS(a, operator, b))                                                      \
            schemata_infect(m);                                                                                        \
        else                                                                                                           \
            SCHEMATA_VALUE(m, r, SCHEMATA_QUOTIENT(a, operator, b));                                                   \
    } while (0)

/* Shifts by the machine's rule, which C leaves open for distances beyond the width. */
#define SCHEMATA_DISTANCE(a, b) ((uint64_t)(b) & (sizeof(a) * 8 - 1))

/* Mutant m takes another element j of p[0..limit) than i. Where the element is only read, one of the same bits is no
   infection. */
#define SCHEMATA_INDEX(m, p, i, j, limit, read, alternative)                                                           \
    do {                                                                                                               \
        uint64_t other_ = (alternative);                                                                               \
        if (schemata.selected == (m))                                                                                  \
            j = other_;                                                                                                \
        else if (SCHEMATA_OPEN(m) && other_ != (i) &&                                                                  \
                 !((read) && (limit) != 0 && other_ < (uint64_t)(limit) &&                                             \
                   memcmp((const void *)((p) + other_), (const void *)((p) + (i)), sizeof *(p)) == 0))                 \
            schemata_infect(m);                                                                                        \
    } while (0)

/* limit 0: unknown; no array has an index beyond 32 bits. */
#define SCHEMATA_BOUND(j, limit)                                                                                       \
    do {                                                                                                               \
        if ((j) >= ((limit) ? (uint64_t)(limit) : UINT32_MAX))                                                         \
            schemata_leave(SCHEMATA_OUTSIDE);                                                                          \
    } while (0)

/* Is the mutant selected? While recording, it counts as infected because its place was reached. */
static inline bool schemata_reached(uint32_t m)
{
    if (schemata.recording)
        schemata_infect(m);
    return schemata.selected == m;
}

/* A condition with mutants m (always true) and m + 1 (always false). */
static inline bool schemata_condition(uint32_t m, bool value)
{
    if (schemata.recording)
        schemata_infect(value ? m + 1 : m);
    else if (schemata.selected - m < 2)
        return schemata.selected == m;
    return value;
}

/* a && b and a || b, with mutants m (the other operator), m + 1 (a alone), m + 2 (b alone). The _needs functions: must
   b be evaluated? */
static inline bool schemata_and_needs(uint32_t m, bool a)
{
    if (schemata.selected == m)
        return !a;
    if (schemata.selected == m + 1)
        return false;
    return a || schemata.selected == m + 2;
}

static inline bool schemata_and(uint32_t m, bool a, bool b)
{
    if (schemata.selected == m)
        return a || b;
    if (schemata.selected == m + 1)
        return a;
    if (schemata.selected == m + 2)
        return b;
    if (schemata.recording) {
        if (a && !b) {
            schemata_infect(m);
            schemata_infect(m + 1);
        } else if (!a) { /* b was not evaluated */
            schemata_infect(m);
            schemata_infect(m + 2);
        }
    }
    return a && b;
}

static inline bool schemata_or_needs(uint32_t m, bool a)
{
    if (schemata.selected == m)
        return a;
    if (schemata.selected == m + 1)
        return false;
    return !a || schemata.selected == m + 2;
}

static inline bool schemata_or(uint32_t m, bool a, bool b)
{
    if (schemata.selected == m)
        return a && b;
    if (schemata.selected == m + 1)
        return a;
    if (schemata.selected == m + 2)
        return b;
    if (schemata.recording) {
        if (!a && b) {
            schemata_infect(m);
            schemata_infect(m + 1);
        } else if (a) {
            schemata_infect(m);
            schemata_infect(m + 2);
        }
    }
    return a || b;
}

/* Called once per iteration of a loop. */
static inline void schemata_step(void)
{
    if (++schemata.steps > schemata.limit)
        schemata_leave(SCHEMATA_ENDLESS);
}

/* ---- memory: checked accesses of the reference ---------------------------------------------------------- */

static inline void *schemata_tensor_at(const ts_tensor *t, const uint64_t *coord)
{
    size_t element = tensor_element_bytes(t->dtype);
    if (!t->data || element == 0 || t->rank > TS_MAX_DIMS || tensor_offset(t, coord) >= t->total_bytes / element)
        schemata_leave(SCHEMATA_OUTSIDE);
    return tensor_at(t, coord);
}

static inline void schemata_copy_element(const ts_tensor *to, const uint64_t *to_coord, const ts_tensor *from,
                                         const uint64_t *from_coord)
{
    if (tensor_element_bytes(to->dtype) != tensor_element_bytes(from->dtype))
        schemata_leave(SCHEMATA_OUTSIDE);
    schemata_tensor_at(from, from_coord);
    schemata_tensor_at(to, to_coord);
    tensor_copy_element(to, to_coord, from, from_coord);
}

/* A copy that checks the bounds of objects whose size the compiler knows. */
#define SCHEMATA_COPY(to, from, n)                                                                                     \
    ({                                                                                                                 \
        size_t n_ = (n);                                                                                               \
        if (n_ > __builtin_object_size((to), 0) || n_ > __builtin_object_size((from), 0))                              \
            schemata_leave(SCHEMATA_OUTSIDE);                                                                          \
        (memcpy)((to), (from), n_);                                                                                    \
    })

#define tensor_at(t, coord)                       schemata_tensor_at(t, coord)
#define tensor_copy_element(to, at, from, source) schemata_copy_element(to, at, from, source)
#undef memcpy
#define memcpy(to, from, n) SCHEMATA_COPY(to, from, n)

#endif
