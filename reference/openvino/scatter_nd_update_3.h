/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO ScatterNDUpdate-3, which has no attributes. Tensors: 0 data, 1 indices, 2 updates, 3 output. */
#ifndef TOUCHSTONE_OPENVINO_SCATTER_ND_UPDATE_3_H
#define TOUCHSTONE_OPENVINO_SCATTER_ND_UPDATE_3_H

#include <stdint.h>

typedef struct ts_openvino_scatter_nd_update_3 {
    uint32_t reserved; /* 0 */
} ts_openvino_scatter_nd_update_3;

#endif
