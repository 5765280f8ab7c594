/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/plugin.h"

#include "harness/base/array.h"
#include "harness/base/did_you_mean.h"
#include "harness/base/platform.h"
#include "harness/model/tensor.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FOLDERS 4

/* The folders that hold backends, most specific first. */
static size_t folders(char out[MAX_FOLDERS][900])
{
    char program[800];
    size_t n = 0;
    const char *set = getenv("TOUCHSTONE_BACKENDS");
    if (set) {
        snprintf(out[n++], sizeof out[0], "%s", set);
        return n; /* the variable replaces the other folders */
    }
    if (platform_program_folder(program, sizeof program)) {
        snprintf(out[n++], sizeof out[0], "%s/../lib/touchstone/backends", program);
        snprintf(out[n++], sizeof out[0], "%s/../backends", program);
    }
    snprintf(out[n++], sizeof out[0], "%s/backends", TOUCHSTONE_LIBDIR);
    return n;
}

static void take_note(void *context, const char *text)
{
    plugin *p = context;
    snprintf(p->note, sizeof p->note, "%s", text ? text : "");
}

static void take_call_note(void *context, size_t call, const char *text)
{
    plugin *p = context;
    if (p->call_note_count == PLUGIN_MAX_NOTES)
        return;
    p->call_notes[p->call_note_count].call = call;
    snprintf(p->call_notes[p->call_note_count++].text, sizeof p->call_notes[0].text, "%s", text ? text : "");
}

/* The search for a backend with a similar name. */
typedef struct similar {
    did_you_mean d;
    char found[64];
} similar;

static void compare_name(void *context, const char *name, const char *path)
{
    similar *s = context;
    (void)path;
    did_you_mean_try(&s->d, name);
    if (s->d.best == name) { /* which is freed soon */
        snprintf(s->found, sizeof s->found, "%s", name);
        s->d.best = s->found;
    }
}

static bool find(plugin *p, const char *name, error *e)
{
    if (platform_file_name(name) != name) {
        snprintf(p->path, sizeof p->path, "%s", name);
        return access(p->path, R_OK) == 0 || error_usage(e, "%s: there is no such file to load a backend from", name);
    }
    char list[MAX_FOLDERS][900], looked[700] = "";
    size_t n = folders(list), used = 0;
    for (size_t i = 0; i < n; ++i) {
        snprintf(p->path, sizeof p->path, "%.890s/%.100s%.16s", list[i], name, platform_library_suffix());
        if (access(p->path, R_OK) == 0)
            return true;
        if (used < sizeof looked)
            used += (size_t)snprintf(looked + used, sizeof looked - used, "%s%.200s", i ? ", " : "", list[i]);
    }
    similar s = { .found = "" };
    char hint[DID_YOU_MEAN_SIZE];
    did_you_mean_start(&s.d, name);
    plugin_each(compare_name, &s);
    return error_usage(e, "there is no backend '%s'%s in %s; 'touchstone backends' lists the backends that are there",
                       name, did_you_mean_hint(&s.d, hint), looked);
}

static void unload(plugin *p)
{
    if (p->self)
        p->backend->close(p->self);
    if (p->library)
        platform_library_close(p->library);
    p->self = NULL;
    p->library = NULL;
}

/* Has the structure that touchstone_backend() returned what a backend needs? */
static bool is_sound(const ts_backend *b, const char *path, error *e)
{
    const unsigned least = offsetof(ts_backend, describe_options);
    if (!b)
        return error_usage(e,
                           "%s: touchstone_backend() returned NULL for version %d of the plugin interface, the one "
                           "that this touchstone speaks",
                           path, TS_BACKEND_ABI);
    /* The size is read first: a structure may be shorter than what follows. */
    if (b->struct_size >= sizeof(uint32_t) * 2 && b->abi != TS_BACKEND_ABI)
        return error_usage(e, "%s was built for version %u of the plugin interface; this touchstone speaks version %d",
                           path, b->abi, TS_BACKEND_ABI);
    if (b->struct_size < least)
        return error_usage(e,
                           "%s breaks the plugin interface: struct_size is %u; expected at least %u, as "
                           "sizeof(ts_backend) is",
                           path, b->struct_size, least);
    return (b->open && b->close && b->info && b->query && b->submit) ||
           error_usage(e, "%s breaks the plugin interface: one of open, close, info, query, submit is missing", path);
}

static bool load(plugin *p, const char *name, error *e)
{
    char message[400];
    if (!find(p, name, e))
        return false;
    p->library = platform_library_open(p->path, message, sizeof message);
    if (!p->library)
        return error_usage(e, "%s cannot be loaded as a backend: %s", p->path, message);
    touchstone_backend_function entry =
        (touchstone_backend_function)platform_library_symbol(p->library, "touchstone_backend");
    if (!entry) {
        error_usage(e, "%s is no backend: it exports no function touchstone_backend", p->path);
        unload(p);
        return false;
    }
    p->backend = entry(TS_BACKEND_ABI);
    const ts_backend *b = p->backend;
    if (is_sound(b, p->path, e))
        return true;
    unload(p);
    return false;
}

/* The backend states a feature level that there is, or none. */
static bool level_exists(ts_level level, const char *name, error *e)
{
    size_t count;
    const ts_level *all = tensor_levels(&count);
    for (size_t i = 0; i < count; ++i)
        if (level == all[i])
            return true;
    return level == 0 ||
           error_usage(e,
                       "backend %s: info.highest_level is 0x%x, which is no feature level; expected TS_LEVEL_%s (0x%x) "
                       "to TS_LEVEL_%s (0x%x), or 0 where the specification has no levels",
                       name, level, tensor_level_name(all[0]), all[0], tensor_level_name(all[count - 1]),
                       all[count - 1]);
}

static bool open_backend(plugin *p, const char *name, const ts_option *options, size_t option_count, error *e)
{
    if (!load(p, name, e))
        return false;
    p->host = (ts_host){ .struct_size = sizeof p->host, .context = p, .note = take_note, .note_call = take_call_note };
    ts_status status = p->backend->open(&p->host, options, option_count, &p->self);
    if (status != TS_OK) {
        const char *reason = *p->note ? p->note : "it gives no reason";
        p->self = NULL;
        if (status == TS_REJECTED)
            error_usage(e, "backend %s refuses its options: %s", name, reason);
        else
            error_set(e, "backend %s cannot be opened: %s", name, reason);
        unload(p);
        return false;
    }
    memset(&p->info, 0, sizeof p->info);
    p->info.struct_size = sizeof p->info;
    if (p->backend->info(p->self, &p->info) != TS_OK) {
        error_set(e, "backend %s gives no information about itself: %s", name, *p->note ? p->note : "its info fails");
        unload(p);
        return false;
    }
    if (!level_exists(p->info.highest_level, name, e)) {
        unload(p);
        return false;
    }
    const uint32_t alignment = p->info.buffer_alignment;
    if ((alignment & (alignment - 1)) != 0 || alignment > TS_MAX_ALIGNMENT) {
        error_usage(e, "backend %s requires buffers aligned to %u bytes; expected a power of two, at most %d", name,
                    alignment, TS_MAX_ALIGNMENT);
        unload(p);
        return false;
    }
    char *const strings[] = { p->info.name, p->info.vendor, p->info.version, p->info.driver, p->info.device };
    const size_t sizes[] = { sizeof p->info.name, sizeof p->info.vendor, sizeof p->info.version, sizeof p->info.driver,
                             sizeof p->info.device };
    for (size_t i = 0; i < sizeof strings / sizeof strings[0]; ++i)
        strings[i][sizes[i] - 1] = '\0';
    return true;
}

/* Output that a backend prints while it is loaded, opened or closed is kept out of the program's own output. */

bool plugin_exists(const char *name, error *e)
{
    plugin p;
    memset(&p, 0, sizeof p);
    return find(&p, name, e);
}

bool plugin_load(plugin *p, const char *name, error *e)
{
    int output = platform_divert_output();
    memset(p, 0, sizeof *p);
    isolation_begin(&p->isolation);
    bool fine = load(p, name, e);
    isolation_end(&p->isolation);
    if (!fine)
        isolation_close(&p->isolation);
    platform_restore_output(output);
    return fine;
}

bool plugin_open(plugin *p, const char *name, const ts_option *options, size_t option_count, error *e)
{
    int output = platform_divert_output();
    memset(p, 0, sizeof *p);
    isolation_begin(&p->isolation);
    bool fine = open_backend(p, name, options, option_count, e);
    isolation_end(&p->isolation);
    if (!fine)
        isolation_close(&p->isolation);
    platform_restore_output(output);
    return fine;
}

const char *plugin_describe_options(plugin *p)
{
    const ts_backend *b = p->backend;
    const size_t least = offsetof(ts_backend, describe_options) + sizeof b->describe_options;
    if (!p->library || b->struct_size < least || !b->describe_options)
        return NULL;
    int output = platform_divert_output();
    isolation_begin(&p->isolation);
    const char *lines = b->describe_options();
    isolation_end(&p->isolation);
    platform_restore_output(output);
    return lines;
}

static bool guarded;

static void on_exit_of_process(void)
{
    static const char text[] = "touchstone: the backend ended the program in which it was called; 'run' without -j 0 goes "
                               "on in other processes\n";
    if (!guarded)
        return;
    fputs(text, stderr);
    fflush(stderr);
    _Exit(EXIT_HARNESS);
}

void plugin_guard_process(bool on)
{
    static bool registered;
    if (on && !registered)
        registered = atexit(on_exit_of_process) == 0;
    guarded = on;
}

void plugin_close(plugin *p)
{
    int output = platform_divert_output();
    isolation_begin(&p->isolation);
    unload(p);
    isolation_end(&p->isolation);
    isolation_close(&p->isolation);
    platform_restore_output(output);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* List the libraries in a folder by name, without suffix, sorted. The caller frees each name and the list. */
static size_t libraries_in(const char *folder, char ***names)
{
    const char *suffix = platform_library_suffix();
    size_t count = 0, capacity = 0;
    DIR *d = opendir(folder);
    *names = NULL;
    for (struct dirent *entry; d && (entry = readdir(d)) != NULL;) {
        const size_t length = strlen(entry->d_name), tail = strlen(suffix);
        if (length <= tail || strcmp(entry->d_name + length - tail, suffix) != 0)
            continue;
        if (!array_reserve(names, &capacity, count + 1, sizeof **names) || !((*names)[count] = strdup(entry->d_name)))
            break;
        (*names)[count++][length - tail] = '\0';
    }
    if (d)
        closedir(d);
    if (count)
        qsort(*names, count, sizeof **names, compare_names);
    return count;
}

void plugin_each(void (*each)(void *context, const char *name, const char *path), void *context)
{
    char list[MAX_FOLDERS][900];
    size_t n = folders(list);
    const char *suffix = platform_library_suffix();
    for (size_t i = 0; i < n; ++i) {
        char **names, path[1200];
        size_t count = libraries_in(list[i], &names);
        for (size_t k = 0; k < count; ++k) {
            snprintf(path, sizeof path, "%.890s/%.260s%s", list[i], names[k], suffix);
            each(context, names[k], path);
            free(names[k]);
        }
        free(names);
        if (count > 0)
            return; /* plugin_open finds these before those of the next folders */
    }
}

const char *plugin_status_name(ts_status s)
{
    static const char *const names[] = {
        "TS_OK", "TS_REJECTED", "TS_UNSUPPORTED", "TS_LOST", "TS_ERROR", "TS_CRASHED"
    };
    return (unsigned)s <= TS_CRASHED ? names[s] : "no status that the header declares";
}
