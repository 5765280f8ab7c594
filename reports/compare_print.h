/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a comparison as text and as JSON. */
#ifndef TOUCHSTONE_COMPARE_PRINT_H
#define TOUCHSTONE_COMPARE_PRINT_H

#include "harness/analysis/compare.h"

#include <stdio.h>

enum { COMPARE_HEADLINE_SIZE = 512 + COMPARE_MAX_SIDES * (COMPARE_LABEL_SIZE + 32) };

/* Write the result in one line: "openvino differs from cpu in 12,345 of 2,000,000 cases, onnxruntime in 12". Returns
   buf. */
const char *compare_headline(const compare *c, char *buf, size_t size);

/* Print text: the headline, the sides, a matrix by operator and data type, what may be relied on everywhere, the
   answers to open questions, the other regions by kind, clauses. */
bool compare_print_text(const compare *c, FILE *out, error *e);

/* Print one JSON object (docs/formats.md). */
bool compare_print_json(const compare *c, FILE *out, error *e);

#endif
