/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/kernels/divmod.h"

/*
 * With s = ceil(log2 d) and m = floor(2^32 * (2^s - d) / d) + 1, the quotient is (n + floor(m * n / 2^32)) >> s. The
 * sum stays within 32 bits as long as n is below 2^31.
 */
divisor divisor_of(uint32_t value)
{
    divisor d = { value, 0, 0 };
    while (((uint64_t)1 << d.shift) < value)
        ++d.shift;
    const uint64_t excess = ((uint64_t)1 << d.shift) - value;
    d.magic = (uint32_t)((excess << 32) / value + 1);
    return d;
}

uint32_t divisor_split(const divisor *d, uint32_t n, uint32_t *rest)
{
    const uint32_t high = (uint32_t)((uint64_t)d->magic * n >> 32);
    const uint32_t quotient = (n + high) >> d->shift;
    *rest = n - quotient * d->value;
    return quotient;
}
