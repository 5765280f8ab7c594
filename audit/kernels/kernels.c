/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/kernels.h"

const kernel_operator *const kernel_operators[] = {
    &kernel_slice1,
    &kernel_gather,
    &kernel_gather_nd,
    &kernel_gather_nd1,
    &kernel_gather_elements,
    &kernel_scatter_elements,
    &kernel_scatter_nd,
    &kernel_random_generator,
    &kernel_element_wise_identity,
    &kernel_strided_slice,
    &kernel_join,
    &kernel_space_to_depth1,
    &kernel_cumulative_summation,
    &kernel_openvino_gather_1,
    &kernel_openvino_gather_7,
    &kernel_openvino_gather_8,
    &kernel_openvino_gather_elements,
    &kernel_openvino_gather_nd_5,
    &kernel_openvino_gather_nd_8,
    &kernel_openvino_gather_tree,
    &kernel_openvino_scatter_elements_update_3,
    &kernel_openvino_scatter_nd_update_3,
    &kernel_openvino_scatter_update,
    NULL,
};
