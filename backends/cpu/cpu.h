/* SPDX-License-Identifier: Apache-2.0 */
/* The operators of the cpu backend, and helpers that their files share. */
#ifndef TOUCHSTONE_CPU_H
#define TOUCHSTONE_CPU_H

#include "backends/backend.h"

#include <stddef.h>

/* One operator. `query` returns a pointer to it as the token, so that a call needs no search by name. */
typedef struct cpu_operator {
    const char *name;
    uint32_t tensor_count;
    uint32_t attrs_size;
    ts_status (*run)(const ts_call *call); /* check the descriptor; then execute, unless the call is descriptor-only */
} cpu_operator;

extern const cpu_operator cpu_slice1;
extern const cpu_operator cpu_gather;
extern const cpu_operator cpu_gather_elements;
extern const cpu_operator cpu_gather_nd;
extern const cpu_operator cpu_gather_nd1;
extern const cpu_operator cpu_random_generator;
extern const cpu_operator cpu_element_wise_identity;
extern const cpu_operator cpu_strided_slice;
extern const cpu_operator cpu_scatter_elements;
extern const cpu_operator cpu_scatter_nd;
extern const cpu_operator cpu_join;
extern const cpu_operator cpu_gather_1;
extern const cpu_operator cpu_gather_7;
extern const cpu_operator cpu_gather_8;
extern const cpu_operator cpu_scatter_nd_update_3;
extern const cpu_operator cpu_scatter_elements_update_3;
extern const cpu_operator cpu_scatter_update;
extern const cpu_operator cpu_gather_lines;
extern const cpu_operator cpu_gather_nd_5;
extern const cpu_operator cpu_gather_nd_8;
extern const cpu_operator cpu_gather_tree;
extern const cpu_operator cpu_cumulative_summation;
extern const cpu_operator cpu_non_zero_3;

/* Those that compute element by element (each.c), and that move blocks (blocks.c). */
extern const cpu_operator cpu_each[], cpu_blocks[];
extern const size_t cpu_each_count, cpu_blocks_count;

/* Is the call descriptor-only, so that nothing is to be executed? */
static inline int cpu_only_asks(const ts_call *call)
{
    return (call->flags & TS_CALL_DESCRIPTOR_ONLY) != 0;
}

/* The feature level to judge at: the highest if the call has none. */
static inline ts_level cpu_level(const ts_call *call)
{
    return call->feature_level ? call->feature_level : TS_LEVEL_6_4;
}

#endif
