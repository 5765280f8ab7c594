/* SPDX-License-Identifier: Apache-2.0 */
/* The inverse of addressing: which element of a tensor is at a place of its buffer. */
#ifndef TOUCHSTONE_LOCATE_H
#define TOUCHSTONE_LOCATE_H

#include "harness/model/tensor.h"

typedef enum locate_result {
    LOCATE_GAP,     /* no element is there */
    LOCATE_ONE,     /* exactly one element */
    LOCATE_SEVERAL, /* several elements share the address: broadcast or overlapping strides */
    LOCATE_UNKNOWN  /* the strides overlap so much that the search was given up; *coord is not set */
} locate_result;

/* Find an element whose offset is `position`, in elements from the tensor's first, and set coord[0 .. rank-1] to it.
   Takes a few steps per dimension for nested strides (packed, padded, broadcast, in any axis order), whatever the
   number of elements; at most 2^16 steps for others. */
locate_result locate_element(const ts_tensor *t, uint64_t position, uint64_t *coord);

/* Find an element at `position` or before it: the last one where the strides are nested. Sets coord and returns its
   offset. The tensor must have no zero size. */
uint64_t locate_before(const ts_tensor *t, uint64_t position, uint64_t *coord);

#endif
