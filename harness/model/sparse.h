/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors of a few elements that lie gigabytes apart (`sparse = true` in a case file). Only the neighbourhood of each
 * element and the two ends of the region are filled, copied and compared; the pages between are never touched, so that
 * they take address space and no memory. What a backend reads there is 0; what it writes there is not seen, but is
 * missing elsewhere.
 */
#ifndef TOUCHSTONE_SPARSE_H
#define TOUCHSTONE_SPARSE_H

#include "harness/model/arena.h"
#include "harness/model/fill.h"
#include "harness/model/tensor.h"

#define SPARSE_MARGIN 64 /* bytes looked at on either side of an element, and at the ends */

/* Set all that is looked at, in the golden or the subject's buffer (`base`), to a byte. */
void sparse_set(const ts_tensor *t, const arena_place *p, unsigned char *base, unsigned char byte);

/* Copy it from the golden to the subject's buffer. */
void sparse_copy(const ts_tensor *t, const arena_place *p);

/* Is it the same in both? The bytes around the tensor included. */
bool sparse_same(const ts_tensor *t, const arena_place *p);

/* Fill what is looked at of a tensor's own bytes, at its `data`, as fill_buffer fills all of them. */
void sparse_fill(const ts_tensor *t, fill f, uint64_t key);

#endif
