/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO StridedSlice-1: the attributes, and the inputs begin, end and stride, which are small integer vectors and
   part of a descriptor here. Tensors: 0 data, 1 output. */
#ifndef TOUCHSTONE_OPENVINO_STRIDED_SLICE_H
#define TOUCHSTONE_OPENVINO_STRIDED_SLICE_H

#include <stdint.h>

#define TS_STRIDED_SLICE_STEPS 16 /* room for slicing steps (the M of the page) */

typedef struct ts_openvino_strided_slice {
    /* Each list has its own count, because masks may be shorter or longer than begin (SS-03). */
    uint32_t begin_count, end_count, stride_count; /* stride absent (SS: optional) is attrs_given cleared */
    uint32_t begin_mask_count, end_mask_count, new_axis_mask_count, shrink_axis_mask_count, ellipsis_mask_count;
    int64_t begin[TS_STRIDED_SLICE_STEPS];
    int64_t end[TS_STRIDED_SLICE_STEPS];
    int64_t stride[TS_STRIDED_SLICE_STEPS];
    uint8_t begin_mask[TS_STRIDED_SLICE_STEPS];
    uint8_t end_mask[TS_STRIDED_SLICE_STEPS];
    uint8_t new_axis_mask[TS_STRIDED_SLICE_STEPS];
    uint8_t shrink_axis_mask[TS_STRIDED_SLICE_STEPS];
    uint8_t ellipsis_mask[TS_STRIDED_SLICE_STEPS];
} ts_openvino_strided_slice;

/* The bits of ts_call::attrs_given: which attributes are present. The members of an absent one have no meaning. */
enum {
    TS_STRIDED_SLICE_GIVEN_BEGIN = 1u << 0,
    TS_STRIDED_SLICE_GIVEN_END = 1u << 1,
    TS_STRIDED_SLICE_GIVEN_STRIDE = 1u << 2,
    TS_STRIDED_SLICE_GIVEN_BEGIN_MASK = 1u << 3,
    TS_STRIDED_SLICE_GIVEN_END_MASK = 1u << 4,
    TS_STRIDED_SLICE_GIVEN_NEW_AXIS_MASK = 1u << 5,
    TS_STRIDED_SLICE_GIVEN_SHRINK_AXIS_MASK = 1u << 6,
    TS_STRIDED_SLICE_GIVEN_ELLIPSIS_MASK = 1u << 7
};

#endif
