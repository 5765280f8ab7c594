/* SPDX-License-Identifier: Apache-2.0 */
/* Describes bytes that a backend wrote where no element is: in gaps between elements, and around a tensor. */
#ifndef TOUCHSTONE_FINDING_PLACE_H
#define TOUCHSTONE_FINDING_PLACE_H

#include "harness/execute/execute_item.h"

/* Describe byte `at` of the subject's tensor t, counted from its first byte, negative before it: where it is by the
   nearest element, and what it holds: "It is directly behind OutputTensor[0,2] and holds 0x40400000 (3), the bits of
   InputTensor[0,2]." */
void place_describe(const execute_item *item, unsigned t, int64_t at, char *buf, size_t size);

/* Describe the write to gaps of an item that differs from the reference in gaps of an output alone: how many bytes, the
   first of them, and what it holds. */
void place_describe_gap_write(const execute_item *item, char *buf, size_t size);

#endif
