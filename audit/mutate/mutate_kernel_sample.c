/* SPDX-License-Identifier: Apache-2.0 */
/* A file for the test of the generator that is mutated as kernels are: mutate_kernel_test.c checks the results. */
#include "audit/mutate/mutate_kernel_sample.h"

#include <stdlib.h>
#include <string.h>

static uint32_t calls;
static unsigned char *block;

uint32_t sample_count_calls(void)
{
    calls += 1;
    return calls;
}

void sample_copy(unsigned char *to, const unsigned char *from, uint64_t n)
{
    const unsigned char *end = from + n;
    while (from < end)
        *to++ = *from++;
}

void sample_clear(unsigned char *to, uint64_t n)
{
    memset(to, 0, n + 0);
}

uint32_t sample_table(uint32_t row, uint32_t column)
{
    static const uint32_t table[3][2] = { { 1, 2 }, { 3, 4 }, { 5, 6 } };
    return table[row][column];
}

uint32_t sample_half(uint32_t n)
{
    uint32_t half = 0;
    for (;;) {
        if (n < 2)
            return half;
        n -= 2;
        ++half;
    }
}

unsigned char sample_scratch(uint32_t n)
{
    if (!block)
        block = malloc(16);
    block[n] = 1;
    return block[15 - n];
}

void sample_forget(void)
{
    free(block);
    block = NULL;
}
