/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of mutated kernels: what a call may access, what is kept from call to call, and what is allocated. */
#ifndef TOUCHSTONE_MUTATE_MEMORY_H
#define TOUCHSTONE_MUTATE_MEMORY_H

#include "backends/backend.h"

#include <stdbool.h>
#include <stddef.h>

/* Save the first values of the kernels' variables, and find the read-only memory of this library. Call it once, before
   any call of a kernel. False if there is no memory. */
bool memory_open(void);

/* Give the kernels' variables their first values, and free what they allocated: the next call is as the first of a
   process. If not `all`, only those that were changed through pointers: the compiler does not report other writes. */
void memory_reset(bool all);

/* From now on a kernel may access the tensors of this call and its attributes, and write to the tensors whose bits are
   set in `outputs` and to the shapes that they report; and the stack below `frame`. */
void memory_begin(const ts_call *call, uint32_t outputs);
void memory_enter(const void *frame);

/* ---- what the copies of kernels call instead of the functions of the C library ---- */

void *memory_copy(void *to, const void *from, size_t n); /* also of overlapping bytes */
void *memory_set(void *to, int value, size_t n);
int memory_compare(const void *a, const void *b, size_t n);

/* Allocated memory has the same contents in each run. NULL if there is no memory, or too much is asked for. */
void *memory_allocate(size_t n);
void *memory_allocate_zero(size_t count, size_t n);
void memory_free(void *p);

#endif
