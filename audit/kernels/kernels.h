/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels written as libraries write them: a dispatcher and a dozen code paths per operator, chosen by size, layout,
 * alignment, type and history. They are a subject of the audit, which changes them and measures what the suite finds.
 * No verdict depends on them.
 */
#ifndef TOUCHSTONE_KERNELS_H
#define TOUCHSTONE_KERNELS_H

#include "backends/backend.h"

/* The kernels of one operator. */
typedef struct kernel_operator {
    const char *name; /* "dml.slice1" */

    /* Compute the outputs of a call. The call must be legal: the descriptor as the operator's check accepts it, the
       sizes of the outputs as inferred, and every present tensor with data. Return TS_OK. Elements of outputs that the
       specification leaves undefined get some value. */
    ts_status (*run)(const ts_call *call);

    /* Forget what calls left behind: cached plans and scratch memory. The next call is as the first of a process. */
    void (*reset)(void);
} kernel_operator;

extern const kernel_operator kernel_slice1;
extern const kernel_operator kernel_gather;
extern const kernel_operator kernel_gather_elements;
extern const kernel_operator kernel_gather_nd;
extern const kernel_operator kernel_gather_nd1;
extern const kernel_operator kernel_scatter_elements;
extern const kernel_operator kernel_scatter_nd;
extern const kernel_operator kernel_random_generator;
extern const kernel_operator kernel_element_wise_identity;
extern const kernel_operator kernel_strided_slice;
extern const kernel_operator kernel_join;
extern const kernel_operator kernel_depth_to_space;
extern const kernel_operator kernel_depth_to_space1;
extern const kernel_operator kernel_space_to_depth;
extern const kernel_operator kernel_space_to_depth1;
extern const kernel_operator kernel_cumulative_summation;
extern const kernel_operator kernel_openvino_gather_1;
extern const kernel_operator kernel_openvino_gather_7;
extern const kernel_operator kernel_openvino_gather_8;
extern const kernel_operator kernel_openvino_gather_elements;
extern const kernel_operator kernel_openvino_gather_nd_5;
extern const kernel_operator kernel_openvino_gather_nd_8;
extern const kernel_operator kernel_openvino_gather_tree;
extern const kernel_operator kernel_openvino_scatter_elements_update_3;
extern const kernel_operator kernel_openvino_scatter_nd_update_3;
extern const kernel_operator kernel_openvino_scatter_update;
extern const kernel_operator kernel_openvino_non_zero;

/* All of them, and NULL at the end. */
extern const kernel_operator *const kernel_operators[];

#endif
