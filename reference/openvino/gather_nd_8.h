/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO GatherND-8: the attribute batch_dims. Tensors: 0 data, 1 indices, 2 output. */
#ifndef TOUCHSTONE_OPENVINO_GATHER_ND_8_H
#define TOUCHSTONE_OPENVINO_GATHER_ND_8_H

#include <stdint.h>

typedef struct ts_openvino_gather_nd_8 {
    int64_t batch_dims; /* how many leading dimensions of data and indices are batches */
} ts_openvino_gather_nd_8;

/* The bits of ts_call::attrs_given: which attributes are present. The members of an absent one have no meaning. */
enum { TS_GATHER_ND_8_GIVEN_BATCH_DIMS = 1u << 0 };

#endif
