/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOUCHSTONE_MUTATE_KERNEL_SAMPLE_H
#define TOUCHSTONE_MUTATE_KERNEL_SAMPLE_H

#include <stdint.h>

uint32_t sample_count_calls(void);
void sample_copy(unsigned char *to, const unsigned char *from, uint64_t n);
void sample_clear(unsigned char *to, uint64_t n);
uint32_t sample_table(uint32_t row, uint32_t column);
uint32_t sample_half(uint32_t n);
unsigned char sample_scratch(uint32_t n); /* n below 16; what it returns was not written unless n is 7 or 8 */
void sample_forget(void);

#endif
