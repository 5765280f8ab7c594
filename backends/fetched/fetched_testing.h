/* SPDX-License-Identifier: Apache-2.0 */
/* For unit tests of the adapters of fetched libraries. */
#ifndef TOUCHSTONE_FETCHED_TESTING_H
#define TOUCHSTONE_FETCHED_TESTING_H

#include "harness/execute/plugin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The backend in `file` refuses to open with the option: `status`, and a message with `text` in it. */
static inline void testing_refuses(const char *file, const char *key, const char *value, int status, const char *text)
{
    const ts_option option = { key, value };
    plugin p;
    error e;
    assert_false(plugin_open(&p, file, &option, 1, &e));
    assert_int_equal(e.status, status);
    if (!strstr(e.text, text))
        fail_msg("'%s' does not contain '%s'", e.text, text);
}

/* It refuses an option that it does not know, a library that is not there, and one that is not the vendor's. */
static inline void testing_refuses_options(const char *file)
{
    static const char other[] = TOUCHSTONE_BINARY_DIR "/backends/cpu" TOUCHSTONE_LIBRARY_SUFFIX;
    testing_refuses(file, "colour", "red", EXIT_BAD_USAGE, "library=PATH");
    testing_refuses(file, "library", "/nowhere/libvendor.so", EXIT_HARNESS, "/nowhere/libvendor.so");
    testing_refuses(file, "library", other, EXIT_HARNESS, "it is not ");
}

#endif
