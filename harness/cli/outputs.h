/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of a verb must not replace its inputs, a run, a history, or each other. */
#ifndef TOUCHSTONE_OUTPUTS_H
#define TOUCHSTONE_OUTPUTS_H

#include "harness/base/error.h"

#include <stddef.h>

/* An output that the command line names. */
typedef struct output_name {
    const char *option; /* "--html" */
    const char *path;   /* NULL: not wanted; "-": standard output */
} output_name;

/* Refuse outputs that lead to the same file as an input or as another output, by whatever name (./x, a link), and files
   that are a run or a history. To be called before anything is read or written. NULL entries are skipped. False with
   EXIT_BAD_USAGE. */
bool outputs_check(const output_name *outputs, size_t output_count, const char *const *inputs, size_t input_count,
                   error *e);

#endif
