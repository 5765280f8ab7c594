/* SPDX-License-Identifier: Apache-2.0 */
/* Division by a divisor that is known before: a multiplication and a shift, for dividends below 2^31. */
#ifndef TOUCHSTONE_KERNELS_DIVMOD_H
#define TOUCHSTONE_KERNELS_DIVMOD_H

#include <stdint.h>

typedef struct divisor {
    uint32_t value;
    uint32_t magic;
    uint32_t shift;
} divisor;

/* Prepare to divide by `value`, 1 to 2^31. */
divisor divisor_of(uint32_t value);

/* The quotient n / d for n < 2^31; *rest is the remainder. */
uint32_t divisor_split(const divisor *d, uint32_t n, uint32_t *rest);

#endif
