/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decimal numbers with one way to write each: the shortest digits that read back to the same double, "nan", "inf",
 * "-inf", "-0". A key is the number as an integer: keys have the order of the numbers, -0 before 0 and nan last.
 */
#ifndef TOUCHSTONE_DECIMAL_H
#define TOUCHSTONE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DECIMAL_SIZE 32 /* bytes of the longest text, its NUL included */

/* The text of a number, whatever sign and payload a NaN has. Returns buf. */
char *decimal_text(double value, char buf[DECIMAL_SIZE]);

/* Read a number that ends after `length` characters. False: these are no decimal number. Other ways to write one, such
   as 1.50 and 1e+30, are read as well. */
bool decimal_read(const char *text, size_t length, double *value);

int64_t decimal_key(double value);
double decimal_of_key(int64_t key);

#endif
