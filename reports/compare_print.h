/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison as text and as JSON. */
#ifndef TOUCHSTONE_COMPARE_PRINT_H
#define TOUCHSTONE_COMPARE_PRINT_H

#include "harness/analysis/compare.h"

#include <stdio.h>

enum { COMPARE_HEADLINE_SIZE = 512 + COMPARE_MAX_SIDES * (COMPARE_LABEL_SIZE + 32) };

/* Write the result in one line: "differs from the reference: mine (66 cases), other (1 case)". Returns buf. */
const char *compare_headline(const compare *c, char *buf, size_t size);

/* Print text: sides, a matrix by operator and data type, regions by kind, clauses, observed behaviours, the headline.
 */
bool compare_print_text(const compare *c, FILE *out, error *e);

/* Print one JSON object (docs/formats.md). */
bool compare_print_json(const compare *c, FILE *out, error *e);

#endif
