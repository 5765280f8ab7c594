/* SPDX-License-Identifier: Apache-2.0 */
/* The file that a report becomes: whole or not there. */
#ifndef TOUCHSTONE_REPORTS_OUTPUT_H
#define TOUCHSTONE_REPORTS_OUTPUT_H

#include "harness/base/text.h"

#include <stdio.h>

typedef struct output {
    text text; /* what is still to be written: add to it */
    FILE *file;
    const char *path;
    char *temporary; /* its name until it is whole; NULL where there is none ("-", devices, pipes) */
    bool failed;
    int number; /* errno of the first write that failed */
} output;

/* "-" is standard output. */
bool output_open(output *o, const char *path, error *e);

/* Write the text out when it has become long. Call it after each record. */
void output_flush(output *o);

/* Finish: the file gets its name, or, if `ok` is false or anything failed, nothing is left of it. Returns ok, and
   fills in *e where it is the writing that failed. */
bool output_close(output *o, bool ok, error *e);

#endif
