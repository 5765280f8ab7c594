/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Macros for the generated copies of files. Each place that can be mutated evaluates the original expression unless one
 * of its mutants is selected. While recording, it notes which of its mutants would have given another value (weak
 * mutation). Only the generator (generate.c) writes uses of these macros. Copies of reference files include
 * schemata_reference.h, copies of kernels schemata_kernel.h: these check accesses of memory.
 *
 * An access outside of a tensor or an array, a division that traps and an endless loop leave the call at once, so that
 * the result of a mutant is the same each time.
 *
 * With SCHEMATA_FIXED, a copy is the code of that one mutant, without recording and without these checks: to compare
 * what a compiler makes of it with the original (audit_twin.h).
 */
#ifndef TOUCHSTONE_SCHEMATA_H
#define TOUCHSTONE_SCHEMATA_H

#include "audit/mutate/schemata_state.h"

#include <inttypes.h>
#include <string.h>

#ifndef SCHEMATA_UNCHECKED
#define SCHEMATA_UNCHECKED /* attributes of functions that are called while recording */
#endif

#ifdef SCHEMATA_FIXED
#define SCHEMATA_SELECTED  (SCHEMATA_FIXED)
#define SCHEMATA_RECORDING false
#else
#define SCHEMATA_SELECTED  schemata.selected
#define SCHEMATA_RECORDING schemata.recording
#endif

SCHEMATA_UNCHECKED static inline void schemata_infect(uint32_t m)
{
    if (!schemata.infected[m])
        schemata.list[schemata.listed++] = m;
    schemata.infected[m] |= schemata.part;
}

/* Is it unknown so far whether m is infected in this part of the call? */
#define SCHEMATA_OPEN(m) (SCHEMATA_RECORDING && !(schemata.infected[m] & schemata.part))

/* Is recording on, or one of the n mutants from `first` on selected? */
#define SCHEMATA_ON(first, n) (SCHEMATA_RECORDING || SCHEMATA_SELECTED - (first) < (uint32_t)(n))

/* Mutant m gives the variable r another value. The alternative is evaluated only if it is needed. */
#define SCHEMATA_VALUE(m, r, alternative)                                                                              \
    do {                                                                                                               \
        if (SCHEMATA_SELECTED == (m))                                                                                  \
            r = (__typeof__(r))(alternative);                                                                          \
        else if (SCHEMATA_OPEN(m) && (__typeof__(r))(alternative) != r)                                                \
            schemata_infect(m);                                                                                        \
    } while (0)

/* Does a / b trap? */
#ifdef SCHEMATA_FIXED
#define SCHEMATA_TRAPS(a, operator, b) false
#else
#define SCHEMATA_TRAPS(a, operator, b)                                                                                 \
    ((b) == 0 || ((__typeof__((a) operator(b)))(-1) < 0 && (b) == (__typeof__(b))(-1) &&                               \
                  (a) == (__typeof__(a))(UINT64_C(1) << (sizeof((a) operator(b)) * 8 - 1))))
#endif

/* A division, of the original or by mutant m. */
#define SCHEMATA_QUOTIENT(a, operator, b)                                                                              \
    (SCHEMATA_TRAPS(a, operator, b) ? (schemata_leave(SCHEMATA_DIVISION), (a)) : (a) operator(b))
#define SCHEMATA_DIVIDE(m, r, a, operator, b)                                                                          \
    do {                                                                                                               \
        if (SCHEMATA_RECORDING && SCHEMATA_TRAPS(a, operator, b))                                                      \
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
        if (SCHEMATA_SELECTED == (m))                                                                                  \
            j = other_;                                                                                                \
        else if (SCHEMATA_OPEN(m) && other_ != (i) &&                                                                  \
                 !((read) && (limit) != 0 && other_ < (uint64_t)(limit) &&                                             \
                   memcmp((const void *)((p) + other_), (const void *)((p) + (i)), sizeof *(p)) == 0))                 \
            schemata_infect(m);                                                                                        \
    } while (0)

/* limit 0: unknown; no array of the reference has an index beyond 32 bits. */
#ifdef SCHEMATA_FIXED
#define SCHEMATA_BOUND(j, limit) (void)0
#elif !defined SCHEMATA_BOUND
#define SCHEMATA_BOUND(j, limit)                                                                                       \
    do {                                                                                                               \
        if ((j) >= ((limit) ? (uint64_t)(limit) : UINT32_MAX))                                                         \
            schemata_leave(SCHEMATA_OUTSIDE);                                                                          \
    } while (0)
#endif

/* Is the mutant selected? While recording, it counts as infected because its place was reached. */
static inline bool schemata_reached(uint32_t m)
{
    if (SCHEMATA_RECORDING)
        schemata_infect(m);
    return SCHEMATA_SELECTED == m;
}

/* A condition with mutants m (always true) and m + 1 (always false). */
static inline bool schemata_condition(uint32_t m, bool value)
{
    if (SCHEMATA_RECORDING)
        schemata_infect(value ? m + 1 : m);
    else if (SCHEMATA_SELECTED - m < 2)
        return SCHEMATA_SELECTED == m;
    return value;
}

/* a && b and a || b, with mutants m (the other operator), m + 1 (a alone), m + 2 (b alone). The _needs functions: must
   b be evaluated? */
static inline bool schemata_and_needs(uint32_t m, bool a)
{
    if (SCHEMATA_SELECTED == m)
        return !a;
    if (SCHEMATA_SELECTED == m + 1)
        return false;
    return a || SCHEMATA_SELECTED == m + 2;
}

static inline bool schemata_and(uint32_t m, bool a, bool b)
{
    if (SCHEMATA_SELECTED == m)
        return a || b;
    if (SCHEMATA_SELECTED == m + 1)
        return a;
    if (SCHEMATA_SELECTED == m + 2)
        return b;
    if (SCHEMATA_RECORDING) {
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
    if (SCHEMATA_SELECTED == m)
        return a;
    if (SCHEMATA_SELECTED == m + 1)
        return false;
    return !a || SCHEMATA_SELECTED == m + 2;
}

static inline bool schemata_or(uint32_t m, bool a, bool b)
{
    if (SCHEMATA_SELECTED == m)
        return a && b;
    if (SCHEMATA_SELECTED == m + 1)
        return a;
    if (SCHEMATA_SELECTED == m + 2)
        return b;
    if (SCHEMATA_RECORDING) {
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
SCHEMATA_UNCHECKED static inline void schemata_step(void)
{
#ifndef SCHEMATA_FIXED
    if (++schemata.steps > schemata.limit)
        schemata_leave(SCHEMATA_ENDLESS);
#endif
}

#endif
