/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors whose few elements are gigabytes apart (`sparse = true` in a case file). Only the neighbourhood of each
 * element and both ends of the region are filled, copied and compared ("checked bytes"). The pages between are never
 * touched, so they use address space but no memory. A backend reads zeros there; a wrong write there is not detected
 * itself, but the element that should have been written is wrong.
 */
#ifndef TOUCHSTONE_SPARSE_H
#define TOUCHSTONE_SPARSE_H

#include "harness/model/arena.h"
#include "harness/model/fill.h"
#include "harness/model/tensor.h"

#define SPARSE_MARGIN 64 /* checked bytes on either side of an element, and at the ends */

/* A dimension of more than SPARSE_LONG elements counts as one whose first and last SPARSE_ENDS coordinates, and as many
   on either side of 2^31, are elements: others are not checked. Only dimensions that indices select from are as long,
   whose indices point there, and a block that is copied whole. */
#define SPARSE_LONG 65536
#define SPARSE_ENDS 8

/* Set all checked bytes of the golden or the subject's buffer (`base`) to `byte`. */
void sparse_set(const ts_tensor *t, const arena_place *p, unsigned char *base, unsigned char byte);

/* Copy the checked bytes from the golden to the subject's buffer. */
void sparse_copy(const ts_tensor *t, const arena_place *p);

/* Advance coordinates in row-major order to the next element that is checked, as tensor_next does to the next one. */
bool sparse_next(const ts_tensor *t, uint64_t *coord);

/* Are the checked bytes of both buffers equal, including those around the tensor? */
bool sparse_same(const ts_tensor *t, const arena_place *p);

/* Fill the checked bytes of a tensor, at its `data`, as fill_buffer fills all of its bytes. */
void sparse_fill(const ts_tensor *t, fill f, uint64_t key);

#endif
