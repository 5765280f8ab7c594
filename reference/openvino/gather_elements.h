/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO GatherElements-6: the attribute axis. Tensors: 0 data, 1 indices, 2 output. */
#ifndef TOUCHSTONE_OPENVINO_GATHER_ELEMENTS_H
#define TOUCHSTONE_OPENVINO_GATHER_ELEMENTS_H

#include <stdint.h>

typedef struct ts_openvino_gather_elements {
    int64_t axis; /* the dimension of data that indices select from; negative from the last one */
} ts_openvino_gather_elements;

/* The bits of ts_call::attrs_given: which attributes are present. The members of an absent one have no meaning. */
enum { TS_OPENVINO_GATHER_ELEMENTS_GIVEN_AXIS = 1u << 0 };

#endif
