/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TOUCHSTONE_MUTATE_SAMPLE_H
#define TOUCHSTONE_MUTATE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

bool sample_less(uint32_t a, uint32_t b);
uint32_t sample_sum(const uint32_t *values, uint32_t n);
uint64_t sample_product(uint32_t a, uint32_t b);
int32_t sample_quotient(int32_t a, int32_t b);
uint32_t sample_clamp(uint32_t value, uint32_t most);
bool sample_both(bool a, bool b);

#endif
