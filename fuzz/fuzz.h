/* SPDX-License-Identifier: Apache-2.0 */
/* What the fuzz targets share. Each is one file with LLVMFuzzerTestOneInput; its seeds are in seeds/NAME/. */
#ifndef TOUCHSTONE_FUZZ_H
#define TOUCHSTONE_FUZZ_H

#include "harness/check/check_print.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A printer whose output is thrown away. */
typedef struct fuzz_printer {
    check_printer printer;
    check_options options;
} fuzz_printer;

static inline void fuzz_printer_begin(fuzz_printer *p, check_format format)
{
    memset(p, 0, sizeof *p);
    p->printer.o = &p->options;
    p->printer.format = format;
    p->printer.to = fopen("/dev/null", "w");
    if (!p->printer.to)
        abort();
    check_print_begin(&p->printer);
}

/* An error must have a text. */
static inline void fuzz_printer_end(fuzz_printer *p, bool ok, const error *e)
{
    if (ok)
        check_print_end(&p->printer);
    else if (e->text[0] == 0)
        abort();
    fclose(p->printer.to);
}

/* The input as a string, which the caller frees. */
static inline char *fuzz_string(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        abort();
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    return text;
}

/* Write the input where files are read, under a name of this process. */
static inline const char *fuzz_file(const uint8_t *data, size_t size, const char *ending)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/touchstone-fuzz-%d%s", (int)getpid(), ending);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

#endif
