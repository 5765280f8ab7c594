/* SPDX-License-Identifier: Apache-2.0 */
/* A case as a file that numpy.load reads: inputs and expected outputs as arrays. */
#ifndef TOUCHSTONE_EXPORT_NPZ_H
#define TOUCHSTONE_EXPORT_NPZ_H

#include "harness/formats/export.h"

/* A zip archive, not compressed, with an array NAME.npy for each input and output, in the names of the specification
   and row-major order, and case.json: id, operator and descriptor. BFLOAT16, which numpy does not have, is uint16.
   Illegal cases, elements that the specification leaves undefined and types of less than a byte cannot be expressed. */
export_writer export_npz;

#endif
