/* SPDX-License-Identifier: Apache-2.0 */
/* Backends as the suite sees them: found, loaded, checked against the plugin interface, opened. */
#ifndef TOUCHSTONE_PLUGIN_H
#define TOUCHSTONE_PLUGIN_H

#include "backends/backend.h"
#include "harness/base/error.h"

#define PLUGIN_MAX_OPTIONS 32

/* Options of a backend (--backend-opt key=value), collected. The texts are the caller's and outlive the list. */
typedef struct plugin_options {
    ts_option list[PLUGIN_MAX_OPTIONS];
    size_t count;
} plugin_options;

typedef struct plugin {
    char path[1024];
    void *library;
    const ts_backend *backend;
    void *self;
    ts_info info;
    ts_host host;
    char note[512]; /* the last thing it said, emptied by whoever has used it */
} plugin;

/* Load and open a backend. `name` is a name ("cpu": looked for in $TOUCHSTONE_BACKENDS, beside the program and where
   backends are installed) or a path (with a slash). The options are "key=value" strings and live until plugin_close.
   p must stay where it is. Errors: not found (with where it was looked for), not loadable, no touchstone_backend,
   another interface version, refused options. */
bool plugin_open(plugin *p, const char *name, const ts_option *options, size_t option_count, error *e);
void plugin_close(plugin *p);

/* Load only, to look at it: p->self stays NULL. */
bool plugin_load(plugin *p, const char *name, error *e);

/* Call each for every backend library in the folders that plugin_open looks in; name is the file's stem. */
void plugin_each(void (*each)(void *context, const char *name, const char *path), void *context);

#endif
