/* SPDX-License-Identifier: Apache-2.0 */
/* A diff for people and for programs. */
#ifndef TOUCHSTONE_DIFF_PRINT_H
#define TOUCHSTONE_DIFF_PRINT_H

#include "harness/analysis/diff.h"

#include <stdio.h>

/* For people: by kind, a region a line. The paths name the runs. */
bool diff_print_text(const diff *d, store *before, store *after, const char *before_path, const char *after_path,
                     FILE *out, error *e);

/* One JSON object (harness/README.md). */
bool diff_print_json(const diff *d, store *before, store *after, const char *before_path, const char *after_path,
                     FILE *out, error *e);

#endif
