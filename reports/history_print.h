/* SPDX-License-Identifier: Apache-2.0 */
/* A history as text and as JSON (docs/formats.md). */
#ifndef TOUCHSTONE_REPORTS_HISTORY_PRINT_H
#define TOUCHSTONE_REPORTS_HISTORY_PRINT_H

#include "harness/store/history.h"

#include <stdio.h>

/* Print the last `most` runs of each series (0: all), what fails now and since when, and what failed before. */
bool history_print_text(history *h, uint64_t most, FILE *out, error *e);
bool history_print_json(history *h, uint64_t most, FILE *out, error *e);

#endif
