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
    NULL,
};
