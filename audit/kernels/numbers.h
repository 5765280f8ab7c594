/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of any type that are used as integers: lengths, numbers of beams, and tokens. */
#ifndef TOUCHSTONE_KERNELS_NUMBERS_H
#define TOUCHSTONE_KERNELS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* The integer at `from`, rounded towards zero; negative if that is not 0 to 2^63 - 1. dtype: a ts_dtype. */
int64_t number_read(uint32_t dtype, const unsigned char *from);

/* Are two elements of a type the same bits, or both zero? */
bool number_equal(uint32_t dtype, const unsigned char *a, const unsigned char *b);

#endif
