/* SPDX-License-Identifier: Apache-2.0 */
/* Find, load and open backends, and check them against the plugin interface. */
#ifndef TOUCHSTONE_PLUGIN_H
#define TOUCHSTONE_PLUGIN_H

#include "backends/backend.h"
#include "harness/base/error.h"
#include "harness/execute/isolation.h"

#define PLUGIN_MAX_OPTIONS 32
#define PLUGIN_MAX_NOTES   16 /* about single calls of one batch; further ones are not kept */

/* The options of a backend (--backend-opt key=value). The texts are the caller's and outlive the list. */
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
    char note[512]; /* the backend's last message; the reader empties it */
    struct {
        size_t call; /* of the batch */
        char text[512];
    } call_notes[PLUGIN_MAX_NOTES]; /* its messages about single calls; the reader sets the count to 0 */
    size_t call_note_count;
    isolation isolation; /* after each function of this header, the process is as before it */
} plugin;

/* Is there a file for a backend of this name? Loads nothing. The error is that of plugin_open. */
bool plugin_exists(const char *name, error *e);

/* Load and open a backend. `name` is a path (with a slash) or a name such as "cpu", which is searched for in
   $TOUCHSTONE_BACKENDS, or else beside the program and where backends are installed. The options are "key=value"
   strings and live until plugin_close. *p must not move. Errors: not found (with the folders searched), not loadable,
   no touchstone_backend, another interface version, refused options. */
bool plugin_open(plugin *p, const char *name, const ts_option *options, size_t option_count, error *e);
void plugin_close(plugin *p);

/* While this is on, a backend that ends the process in which it is used, where that is Touchstone's own, ends it with
   EXIT_HARNESS and a message, whatever its status. */
void plugin_guard_process(bool on);

/* Load a backend without opening it: p->self stays NULL. */
bool plugin_load(plugin *p, const char *name, error *e);

/* The text about the options of a loaded backend; NULL: it has none. */
const char *plugin_describe_options(plugin *p);

/* Call each for every backend library in the folders that plugin_open searches; name is the file name without its
   suffix. */
void plugin_each(void (*each)(void *context, const char *name, const char *path), void *context);

/* "TS_OK"; of a number that backend.h does not declare, words that say so. */
const char *plugin_status_name(ts_status s);

#endif
