/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO ScatterUpdate-3: the input axis, a single integer, which is
   part of a descriptor here. Tensors: 0 data, 1 indices, 2 updates, 3 output. */
#ifndef TOUCHSTONE_OPENVINO_SCATTER_UPDATE_H
#define TOUCHSTONE_OPENVINO_SCATTER_UPDATE_H

#include <stdint.h>

typedef struct ts_openvino_scatter_update {
    int64_t axis; /* the dimension of data that indices select from; negative from the last one */
} ts_openvino_scatter_update;

/* The bits of ts_call::attrs_given: which attributes are present. The members of an absent one have no meaning. */
enum { TS_SCATTER_UPDATE_GIVEN_AXIS = 1u << 0 };

#endif
