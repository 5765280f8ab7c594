/* SPDX-License-Identifier: Apache-2.0 */
/* The options of --backend-opt. */
#ifndef TOUCHSTONE_DIRECTML_OPTIONS_H
#define TOUCHSTONE_DIRECTML_OPTIONS_H

#include "backends/backend.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct directml_options {
    const char *adapter; /* borrowed: an index, a part of a name, "warp", or NULL: the system's first */
    const char *dll;     /* borrowed: a file, or NULL: where Windows looks for DirectML.dll */
    bool debug;          /* D3D12's and DirectML's debug layers */
    bool disable_meta_commands;
    ts_level target; /* the feature level that the device is to have at least */
} directml_options;

/* Read them. What cannot be judged here (is there such an adapter?) is left to who opens it. False with a message that
   says what was expected. */
bool options_read(const ts_option *options, size_t count, directml_options *out, char *message, size_t capacity);

/* One option per line, for `touchstone backends`. */
const char *options_describe(void);

/* Every feature level, from the lowest on. */
#define OPTIONS_LEVELS 15
extern const ts_level options_levels[OPTIONS_LEVELS];

/* "6_4" of a level, or "0x1234" of one that has no name. Returns out. */
const char *options_level_name(ts_level level, char *out, size_t capacity);

#endif
