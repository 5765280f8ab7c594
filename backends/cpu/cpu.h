/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the cpu backend share: one entry per operator. */
#ifndef TOUCHSTONE_CPU_H
#define TOUCHSTONE_CPU_H

#include "backends/backend.h"

/* One operator. `query` hands a pointer to its entry out as the token, so that a call needs no search. */
typedef struct cpu_operator {
    const char *name;
    uint32_t tensor_count;
    uint32_t attrs_size;
    ts_status (*run)(const ts_call *call); /* check the descriptor, then execute unless only that was asked */
} cpu_operator;

extern const cpu_operator cpu_slice1;
extern const cpu_operator cpu_gather;
extern const cpu_operator cpu_random_generator;
extern const cpu_operator cpu_element_wise_identity;
extern const cpu_operator cpu_strided_slice;

/* Everything but the descriptor itself was in order: was data asked for and does it exist? */
static inline int cpu_only_asks(const ts_call *call)
{
    return (call->flags & TS_CALL_DESCRIPTOR_ONLY) != 0;
}

/* The level to judge at: the highest where the call names none. */
static inline ts_level cpu_level(const ts_call *call)
{
    return call->feature_level ? call->feature_level : TS_LEVEL_6_4;
}

#endif
