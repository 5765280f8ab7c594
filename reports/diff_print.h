/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a diff as text and as JSON. */
#ifndef TOUCHSTONE_DIFF_PRINT_H
#define TOUCHSTONE_DIFF_PRINT_H

#include "harness/analysis/diff.h"

#include <stdio.h>

/* Print text: by kind of change, one region per line. The paths name the runs. */
bool diff_print_text(const diff *d, store *before, store *after, const char *before_path, const char *after_path,
                     FILE *out, error *e);

/* Print one JSON object (docs/formats.md). */
bool diff_print_json(const diff *d, store *before, store *after, const char *before_path, const char *after_path,
                     FILE *out, error *e);

#endif
