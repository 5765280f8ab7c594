/* SPDX-License-Identifier: Apache-2.0 */
/* A file for the test of the generator: mutate_test.c checks the results of its mutants. */
#include "audit/mutate/mutate_sample.h"

bool sample_less(uint32_t a, uint32_t b)
{
    return a < b;
}

uint32_t sample_sum(const uint32_t *values, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; ++i)
        sum += values[i];
    return sum;
}

uint64_t sample_product(uint32_t a, uint32_t b)
{
    return (uint64_t)a * b;
}

int32_t sample_quotient(int32_t a, int32_t b)
{
    return a / b;
}

uint32_t sample_clamp(uint32_t value, uint32_t most)
{
    if (value > most)
        value = most;
    return value;
}

bool sample_both(bool a, bool b)
{
    return a && b;
}
