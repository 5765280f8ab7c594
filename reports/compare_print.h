/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison for people and for programs. */
#ifndef TOUCHSTONE_COMPARE_PRINT_H
#define TOUCHSTONE_COMPARE_PRINT_H

#include "harness/analysis/compare.h"

#include <stdio.h>

/* What it came to, in one line of words. */
const char *compare_headline(const compare *c);

/* What a side made of the cases, without what is 0: "120 pass, 20 fail"; "-" for nothing. Returns buf. */
const char *compare_cell(const uint64_t states[COMPARE_STATES], char *buf, size_t size);

/* What all sides made of the cases of a group: "cpu: pass; mine: mismatch". Returns buf. */
const char *compare_verdicts(const compare *c, const compare_group *g, char *buf, size_t size);

/* For people: sides, a matrix by operator and data type, regions by kind, clauses, answers. */
bool compare_print_text(const compare *c, FILE *out, error *e);

/* One JSON object (harness/README.md). */
bool compare_print_json(const compare *c, FILE *out, error *e);

#endif
