/* SPDX-License-Identifier: Apache-2.0 */
/* Named memory layouts: how the strides of a tensor follow from its sizes (strides guide; BUF-07, BUF-08). */
#ifndef TOUCHSTONE_LAYOUT_H
#define TOUCHSTONE_LAYOUT_H

#include "harness/model/tensor.h"

typedef enum layout {
    LAYOUT_PACKED,          /* row-major, no gaps; Strides is a null pointer */
    LAYOUT_EXPLICIT,        /* the same, with Strides given */
    LAYOUT_PADDED,          /* each row is followed by 3 unused elements, each plane by one row's worth */
    LAYOUT_TRANSPOSED,      /* dimensions stored in reverse order, packed */
    LAYOUT_NHWC,            /* dimension 1 stored innermost, packed (rank >= 3, else as transposed) */
    LAYOUT_GAPS,            /* every element apart from the next: innermost stride 2, odd gaps further out */
    LAYOUT_LOOSE,           /* packed, but dimensions of size 1 have strides that would leave the buffer if used */
    LAYOUT_BROADCAST_FIRST, /* inputs only: the outermost dimension of size > 1 has stride 0 */
    LAYOUT_BROADCAST_LAST,  /* inputs only: the innermost dimension of size > 1 has stride 0 */
    LAYOUT_BROADCAST_ALL,   /* inputs only: one element serves all */
    LAYOUT_OVERLAPPING,     /* inputs only: every stride is 1, as in a sliding window */
    /* Only for sparse tests: the outermost dimension of size > 1 has a stride so long that small tensors span
       gigabytes. Elements are on both sides of the named border. */
    LAYOUT_FAR_BYTES,    /* steps of 2^31 bytes less one element: byte 2^31, and 2^32 from size 3 on */
    LAYOUT_FAR_ELEMENTS, /* steps of 2^31 - 2 elements: element 2^31; the largest legal tensor of DirectML from size 3
                            on */
    LAYOUT_FAR_INNER,    /* the same stride for the innermost dimension of size > 1 */
    LAYOUT_FAR_BEYOND,   /* steps of 2^32 - 1 elements: element 2^32; no tensor of DirectML is as large */
    LAYOUT_STRIDES,      /* as a vector of strides says, which a case file binds */
    LAYOUT_COUNT,
    LAYOUT_FAR_COUNT = LAYOUT_STRIDES - LAYOUT_FAR_BYTES,
    LAYOUT_NEAR_COUNT = LAYOUT_FAR_BYTES /* the layouts of all other tests */
} layout;

/* "padded", "broadcast-first". */
const char *layout_name(layout l);

/* May an output have this layout: do distinct coordinates have distinct addresses (BUF-12)? */
bool layout_injective(layout l);

/* Set strides and the Strides pointer's presence from the sizes, and TotalTensorSizeInBytes to the smallest legal
   one. False on overflow. */
bool layout_apply(layout l, ts_tensor *t);

#endif
