/* SPDX-License-Identifier: Apache-2.0 */
/* The updates of SCATTER_ELEMENTS and SCATTER_ND, one after the other. */
#ifndef TOUCHSTONE_FAULT_UPDATE_H
#define TOUCHSTONE_FAULT_UPDATE_H

#include "backends/faulty/fault.h"

/* One update whose indices are inside of their dimensions. */
typedef struct fault_update {
    const fault_call *call;
    const ts_tensor *updates;
    uint32_t axis;             /* SCATTER_ELEMENTS */
    uint64_t number;           /* in row-major order of the updates */
    const uint64_t *at;        /* its coordinates there, */
    const uint64_t *to;        /* and those of the element that it replaces */
    unsigned char *element;    /* that element */
    const unsigned char *from; /* its new value */
    size_t bytes;              /* of an element */
    bool again;                /* an update before fell on the same element */
} fault_update;

/* Call `apply` for each update. The output has the elements of the input already. */
void fault_each_update(const fault_call *call, void (*apply)(const fault_update *u));

/* Apply an update as the specification says. */
void fault_apply(const fault_update *u);

/* The value at an offset of an index tensor, in elements, as a coordinate of an axis of `size` elements: negative ones
   of signed types count from the end. It may be outside of the axis. */
int64_t fault_index_value(const ts_tensor *indices, uint64_t offset, int64_t size);

#endif
