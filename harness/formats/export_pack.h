/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOUCHSTONE_EXPORT_PACK_H
#define TOUCHSTONE_EXPORT_PACK_H

#include "harness/base/text.h"
#include "harness/model/tensor.h"

/* Copy the elements of a tensor in row-major order, without gaps. The caller frees them. *size is set to their bytes.
   NULL without memory. */
unsigned char *export_pack(const ts_tensor *t, size_t *size);

/* Append an element as a decimal number that has its value exactly; floats have a point. False: it is no number. */
bool export_number(text *t, uint32_t dtype, const unsigned char *at);

#endif
