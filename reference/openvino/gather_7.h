/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO Gather-7: the attribute batch_dims and the input axis, a single integer, which is
   part of a descriptor here. Tensors: 0 data, 1 indices, 2 output. */
#ifndef TOUCHSTONE_OPENVINO_GATHER_7_H
#define TOUCHSTONE_OPENVINO_GATHER_7_H

#include <stdint.h>

typedef struct ts_openvino_gather_7 {
    int64_t axis;       /* the dimension of data that indices select from; negative from the last one */
    int64_t batch_dims; /* how many leading dimensions are batches; negative from the last one of indices */
} ts_openvino_gather_7;

/* The bits of ts_call::attrs_given: which attributes are present. The members of an absent one have no meaning. */
enum { TS_GATHER_7_GIVEN_AXIS = 1u << 0, TS_GATHER_7_GIVEN_BATCH_DIMS = 1u << 1 };

#endif
