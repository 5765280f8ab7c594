/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the directml backend (--backend-opt). */
#ifndef TOUCHSTONE_DIRECTML_OPTIONS_H
#define TOUCHSTONE_DIRECTML_OPTIONS_H

#include "backends/backend.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct directml_options {
    const char *adapter; /* not owned: an index, a part of a name, "warp", or NULL: the first adapter */
    const char *dll;     /* not owned: a file, or NULL: search DirectML.dll as Windows does */
    bool debug;          /* D3D12's and DirectML's debug layers */
    bool disable_meta_commands;
    ts_level target; /* the feature level that the device must have at least */
} directml_options;

/* Parse the options. False with a message that says what was expected. Whether the adapter exists is checked when it is
   opened. */
bool options_read(const ts_option *options, size_t count, directml_options *out, char *message, size_t capacity);

/* The options, one per line, for `touchstone backends`. */
const char *options_describe(void);
#define OPTIONS_SUMMARY "DirectML's own operators on a Direct3D 12 device"

/* All feature levels, lowest first. */
#define OPTIONS_LEVELS 15
extern const ts_level options_levels[OPTIONS_LEVELS];

/* Write the name of a level ("6_4"), or "0x1234" if it has none. Returns out. */
const char *options_level_name(ts_level level, char *out, size_t capacity);

#endif
