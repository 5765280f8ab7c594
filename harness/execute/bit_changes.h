/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happened to the bits of elements on their way: named changes, such as "its upper half was lost". Each is a
 * function of an element's bits. A name is given only where its function yields the bits of every element that was
 * looked at; then nothing is guessed.
 */
#ifndef TOUCHSTONE_BIT_CHANGES_H
#define TOUCHSTONE_BIT_CHANGES_H

#include "harness/model/tensor.h"

/* The changes that still explain everything that was added. */
typedef struct bit_changes {
    uint32_t dtype;
    uint64_t all;       /* a bit each: they yield every element, those that came right included */
    uint64_t differing; /* a bit each: they yield every element that differs */
    uint64_t looked;    /* elements that differ, among those added */
} bit_changes;

/* Begin with all changes that elements of this type may undergo. */
void bit_changes_begin(bit_changes *b, uint32_t dtype);

/* Add an element: its right bits, and those that the backend wrote. */
void bit_changes_add(bit_changes *b, uint64_t expected, uint64_t actual);

/* Write the clauses that explain all elements: "signalling NaNs were quieted", joined by "or" if several do. Where none
   explains the elements that came right as well, those that explain the elements that differ. Returns their number; 0
   where nothing explains the elements, or more than three changes do: *buf is "" then. */
unsigned bit_changes_describe(const bit_changes *b, char *buf, size_t size);

#endif
