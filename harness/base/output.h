/* SPDX-License-Identifier: Apache-2.0 */
/* The output file of a report: after a failure, no partial file remains. */
#ifndef TOUCHSTONE_REPORTS_OUTPUT_H
#define TOUCHSTONE_REPORTS_OUTPUT_H

#include "harness/base/text.h"

#include <stdio.h>

typedef struct output {
    text text; /* not yet written; callers append to it */
    FILE *file;
    const char *path;
    char *temporary; /* the name of the file until it is complete; NULL for "-", devices and pipes */
    bool failed;
    int number; /* errno of the first write that failed */
} output;

/* Open a file for writing; "-" is standard output. An existing file is replaced when the new one is complete, but never
   a run or a history. */
bool output_open(output *o, const char *path, error *e);

/* Could output_open() open this file? For an error before a long run instead of behind it. Leaves nothing behind, and
   does not open devices and pipes. */
bool output_probe(const char *path, error *e);

/* Write out the text if it is long. To be called after each record. */
void output_flush(output *o);

/* Close the file and give it its name, or, if `ok` is false or writing failed, delete it. Returns false in that case,
   and sets *e if writing failed. */
bool output_close(output *o, bool ok, error *e);

#endif
