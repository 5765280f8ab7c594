/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on the library, its instances and what it says of itself. */
#include "harness/base/platform.h"
#include "harness/base/text.h"
#include "harness/probe/probe_internal.h"

#include <stdlib.h>
#include <string.h>

void *probe_guarded(probe *p, probe_page which, size_t size)
{
    unsigned char **page = &p->pages[which];
    if (!*page)
        *page = platform_map_guarded(platform_page_size());
    unsigned char *at = *page ? *page + platform_page_size() - size : NULL;
    if (at)
        memset(at, 0, size);
    return at;
}

/* A backend that cannot be loaded or opened, although it is not at fault. */
static bool refuse(probe *p, exit_status status, const char *reason)
{
    p->refusal = status;
    snprintf(p->text, sizeof p->text, "%.990s", reason);
    return false;
}

bool probe_open(probe *p)
{
    error e;
    probe_step(p, "open");
    if (plugin_open(&p->plugin, p->options->name, p->options->options.list, p->options->options.count, &e))
        return true;
    if (!p->shared->info_broken)
        return probe_breaks(p, CLAUSE_OPEN, "it was opened before, and now: %s", e.text);
    probe_saw(p, PROBE_NOT_RUN, "its info is not accepted");
    return false;
}

/* ---- the library ---- */

void probe_check_entry(probe *p)
{
    static const uint32_t others[] = { 0, TS_BACKEND_ABI + 1, UINT32_MAX };
    char message[400];
    error e;
    probe_step(p, "touchstone_backend(%d)", TS_BACKEND_ABI);
    if (!plugin_load(&p->plugin, p->options->name, &e)) {
        /* What is no library, or no backend, was not probed; a backend without its functions was. */
        void *library = platform_library_open(p->plugin.path, message, sizeof message);
        if (!library || !platform_library_symbol(library, "touchstone_backend")) {
            refuse(p, e.status, e.text);
            return;
        }
        probe_breaks(p,
                     strstr(e.text, "missing")       ? CLAUSE_FUNCTIONS
                     : strstr(e.text, "struct_size") ? CLAUSE_SIZE
                                                     : CLAUSE_ENTRY,
                     "%s", e.text);
        return;
    }
    touchstone_backend_function entry =
        (touchstone_backend_function)platform_library_symbol(p->plugin.library, "touchstone_backend");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        probe_step(p, "touchstone_backend(%u)", others[i]);
        const ts_backend *other = entry(others[i]);
        if (other && other->abi != others[i])
            probe_breaks(p, CLAUSE_ENTRY,
                         "for version %u of the interface it returns a structure of version %u, and not NULL",
                         others[i], other->abi);
    }
    probe_step(p, "touchstone_backend(%d) once more", TS_BACKEND_ABI);
    const ts_backend *again = entry(TS_BACKEND_ABI);
    if (!again || again->struct_size != p->plugin.backend->struct_size || again->submit != p->plugin.backend->submit)
        probe_breaks(p, CLAUSE_ENTRY, "the second call returns another structure");
}

/* ---- instances ---- */

static void take_note(void *context, const char *note)
{
    probe_host *log = context;
    log->notes++;
    snprintf(log->text, sizeof log->text, "%s", note ? note : "");
}

/* The note that belongs to a failure: one line of text. */
static bool note_is_sound(probe *p, const probe_host *log, const char *of)
{
    if (log->notes == 0 || log->text[0] == '\0')
        return probe_breaks(p, CLAUSE_ERRORS, "%s, without a note that says why", of);
    return !strpbrk(log->text, "\r\n") ||
           probe_breaks(p, CLAUSE_NOTE, "%s, with a note of several lines: %s", of, log->text);
}

ts_status probe_open_with(probe *p, probe_host *log, const ts_option *more, void **self)
{
    const plugin_options *given = &p->options->options;
    ts_option list[PLUGIN_MAX_OPTIONS + 1];
    size_t count = given->count;
    ts_host *host = probe_guarded(p, PAGE_HOST, sizeof *host);
    *self = NULL;
    if (!host)
        return TS_ERROR;
    memcpy(list, given->list, sizeof given->list);
    if (more)
        list[count++] = *more;
    *host = (ts_host){ .struct_size = sizeof *host, .context = log, .note = take_note };
    return p->plugin.backend->open(host, count ? list : NULL, count, self);
}

bool probe_load_library(probe *p)
{
    error e;
    probe_step(p, "touchstone_backend(%d)", TS_BACKEND_ABI);
    return plugin_load(&p->plugin, p->options->name, &e) || probe_breaks(p, CLAUSE_ENTRY, "%s", e.text);
}

void probe_check_open(probe *p)
{
    probe_host log = { .notes = 0 };
    char reason[900];
    void *self;
    if (!probe_load_library(p))
        return;
    probe_step(p, "open");
    const ts_status status = probe_open_with(p, &log, NULL, &self);
    if (status == TS_REJECTED || status == TS_ERROR) {
        if (!note_is_sound(p, &log, status == TS_ERROR ? "open returns TS_ERROR" : "open returns TS_REJECTED"))
            return;
        snprintf(reason, sizeof reason, "backend %s %s: %s", p->options->name,
                 status == TS_ERROR              ? "cannot be opened"
                 : p->options->options.count > 0 ? "refuses its options"
                                                 : "does not open without options (--backend-opt)",
                 log.text);
        refuse(p, status == TS_ERROR ? EXIT_HARNESS : EXIT_BAD_USAGE, reason);
        return;
    }
    if (status != TS_OK) {
        probe_breaks(p, CLAUSE_STATUS, "open returns %d: %s", (int)status, plugin_status_name(status));
        return;
    }
    if (!self) {
        probe_breaks(p, CLAUSE_OPEN, "open returns TS_OK, and *self is NULL");
        return;
    }
    probe_step(p, "close of an instance that was not used");
    p->plugin.backend->close(self);
}

void probe_check_options(probe *p)
{
    static const ts_option unknown[] = { { "touchstone-probe-no-such-option", "1" }, { "", "" } };
    if (!probe_load_library(p))
        return;
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; ++i) {
        probe_host log = { .notes = 0 };
        char what[200];
        void *self;
        probe_step(p, "open with the unknown option '%s=%s'", unknown[i].key, unknown[i].value);
        const ts_status status = probe_open_with(p, &log, &unknown[i], &self);
        if (status != TS_REJECTED) {
            probe_breaks(p, CLAUSE_OPTIONS, "open returns %s for the unknown option '%s=%s'",
                         plugin_status_name(status), unknown[i].key, unknown[i].value);
            if (status == TS_OK && self)
                p->plugin.backend->close(self);
            return;
        }
        snprintf(what, sizeof what, "open refuses the unknown option '%s=%s'", unknown[i].key, unknown[i].value);
        if (!note_is_sound(p, &log, what))
            return;
    }
}

void probe_check_describe(probe *p)
{
    if (!probe_load_library(p))
        return;
    const ts_backend *b = p->plugin.backend;
    if (b->struct_size < offsetof(ts_backend, describe_options) + sizeof b->describe_options || !b->describe_options) {
        probe_saw(p, PROBE_NOT_APPLICABLE, "it has no describe_options");
        return;
    }
    probe_step(p, "describe_options");
    const char *lines = b->describe_options(), *again = b->describe_options();
    if (!lines || !again || strcmp(lines, again) != 0) {
        probe_breaks(p, CLAUSE_DESCRIBE, "describe_options returns %s", !lines ? "NULL" : "another lines each time");
        return;
    }
    for (const char *line = lines; *line;) {
        const size_t length = strcspn(line, "\n");
        if (length && line[0] != ' ' && (line[0] == '=' || !memchr(line, '=', length))) {
            probe_breaks(p, CLAUSE_DESCRIBE, "a line is not of the form \"key=value  what it does\": %.*s",
                         (int)(length < 100 ? length : 100), line);
            return;
        }
        line += length + (line[length] == '\n');
    }
}

/* ---- info ---- */

static bool string_is_sound(probe *p, const char *what, const char *s, size_t size)
{
    text valid = { .data = NULL };
    if (!memchr(s, '\0', size))
        return probe_breaks(p, CLAUSE_STRINGS, "info.%s has no NUL in its %zu bytes", what, size);
    text_utf8(&valid, s);
    const bool fine = !*s || (valid.data && strcmp(valid.data, s) == 0);
    text_free(&valid);
    return fine || probe_breaks(p, CLAUSE_STRINGS, "info.%s is not valid UTF-8", what);
}

static bool info_is_sound(probe *p, const ts_info *i, uint32_t size)
{
    if (i->struct_size != size)
        return probe_breaks(p, CLAUSE_INFO, "info changes struct_size from %u to %u", size, i->struct_size);
    if (!string_is_sound(p, "name", i->name, sizeof i->name) ||
        !string_is_sound(p, "vendor", i->vendor, sizeof i->vendor) ||
        !string_is_sound(p, "version", i->version, sizeof i->version) ||
        !string_is_sound(p, "driver", i->driver, sizeof i->driver) ||
        !string_is_sound(p, "device", i->device, sizeof i->device))
        return false;
    if (!i->name[0])
        return probe_breaks(p, CLAUSE_INFO, "info.name is empty: reports have nothing to call the backend by");
    if (i->highest_level && strcmp(tensor_level_name(i->highest_level), "?") == 0)
        return probe_breaks(p, CLAUSE_LEVEL, "info.highest_level is 0x%x, which is no feature level", i->highest_level);
    if ((i->buffer_alignment & (i->buffer_alignment - 1)) != 0 || i->buffer_alignment > TS_MAX_ALIGNMENT)
        return probe_breaks(p, CLAUSE_ALIGNMENT, "info.buffer_alignment is %u", i->buffer_alignment);
    const struct {
        const char *name;
        uint32_t value;
    } flags[] = { { "sparse", i->sparse }, { "packs", i->packs }, { "in_place", i->in_place } };
    for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k)
        if (flags[k].value > 1)
            return probe_breaks(p, CLAUSE_INFO, "info.%s is %u, and not 0 or 1", flags[k].name, flags[k].value);
    return true;
}

/* Open an instance without asking it for its info. */
static bool open_without_info(probe *p, probe_host *log)
{
    if (!probe_load_library(p))
        return false;
    probe_step(p, "open");
    const ts_status status = probe_open_with(p, log, NULL, &p->plugin.self);
    return (status == TS_OK && p->plugin.self) ||
           probe_breaks(p, CLAUSE_OPEN, "it was opened before, and now returns %s", plugin_status_name(status));
}

static bool ask_info(probe *p, ts_info *info, size_t size)
{
    memset(info, 0, size);
    info->struct_size = (uint32_t)size;
    probe_step(p, "info with a structure of %zu bytes", size);
    const ts_status status = p->plugin.backend->info(p->plugin.self, info);
    return status == TS_OK || probe_breaks(p, CLAUSE_INFO, "info returns %s", plugin_status_name(status));
}

void probe_check_info(probe *p)
{
    probe_host log = { .notes = 0 };
    ts_info first;
    if (!open_without_info(p, &log))
        return;
    ts_info *info = probe_guarded(p, PAGE_INFO, sizeof *info); /* a write behind it is a fault */
    if (!info || !ask_info(p, info, sizeof *info) || !info_is_sound(p, info, sizeof *info))
        return;
    first = *info;
    if (ask_info(p, info, sizeof *info) && memcmp(info, &first, sizeof first) != 0)
        probe_breaks(p, CLAUSE_RESULTS, "a second call of info gives other members");
    memcpy(p->shared->name, first.name, sizeof first.name);
    memcpy(p->shared->version, first.version, sizeof first.version);
}

void probe_check_info_newer(probe *p)
{
    enum { MORE = 64 };
    probe_host log = { .notes = 0 };
    ts_info *longer = probe_guarded(p, PAGE_INFO, sizeof *longer + MORE);
    if (!longer || !open_without_info(p, &log) || !ask_info(p, longer, sizeof *longer + MORE) ||
        !info_is_sound(p, longer, sizeof *longer + MORE))
        return;
    const unsigned char *more = (const unsigned char *)(longer + 1);
    for (size_t i = 0; i < MORE; ++i)
        if (more[i] != 0) {
            probe_breaks(p, CLAUSE_VERSIONS, "info writes byte %zu of a structure of which it knows %zu",
                         sizeof *longer + i, sizeof *longer);
            return;
        }
}
