/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/analysis/compare_sides.h"

#include "harness/base/platform.h"
#include "harness/execute/plugin.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- labels ---- */

static const compare_side *find_label(const compare_set *s, const char *label)
{
    for (size_t i = 0; i < s->count; ++i)
        if (strcmp(s->sides[i].label, label) == 0)
            return &s->sides[i];
    return NULL;
}

/* Set the label of the next side; a second side with the same label gets a number: "cpu (2)". */
static void set_label(compare_set *s, const char *text)
{
    char *label = s->sides[s->count].label;
    snprintf(label, COMPARE_LABEL_SIZE, "%s", text);
    for (unsigned n = 2; find_label(s, label); ++n)
        snprintf(label, COMPARE_LABEL_SIZE, "%.*s (%u)", COMPARE_LABEL_SIZE - 16, text, n);
}

/* "faulty fault=vector-tail" */
static void make_label(compare_set *s, const compare_backend *b)
{
    char text[COMPARE_LABEL_SIZE];
    const char *name = platform_file_name(b->name);
    size_t n = strlen(name), suffix = strlen(platform_library_suffix());
    if (name != b->name && n > suffix && strcmp(name + n - suffix, platform_library_suffix()) == 0)
        n -= suffix;
    size_t used = (size_t)snprintf(text, sizeof text, "%.*s", (int)n, name);
    for (size_t i = 0; i < b->options.count && used < sizeof text; ++i)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s=%s", b->options.list[i].key,
                                 b->options.list[i].value);
    set_label(s, text);
}

static bool label_backend(compare_set *s, const compare_backend *b, error *e)
{
    if (!b->label) {
        make_label(s, b);
        return true;
    }
    if (!*b->label || strlen(b->label) >= COMPARE_LABEL_SIZE)
        return error_usage(e, "--as '%s': expected a label of 1 to %d bytes", b->label, COMPARE_LABEL_SIZE - 1);
    if (find_label(s, b->label))
        return error_usage(e, "--as '%s': two backends have this label", b->label);
    set_label(s, b->label);
    return true;
}

/* ---- runs ---- */

static bool open_side(compare_side *side, const char *path, error *e)
{
    return (side->store = store_open(path, e)) && store_snapshot(side->store, e);
}

bool compare_open_runs(compare_set *s, const char *const *paths, size_t count, error *e)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < count; ++i) {
        compare_side *side = &s->sides[i];
        char text[COMPARE_LABEL_SIZE];
        snprintf(s->paths[i], sizeof s->paths[i], "%s", paths[i]);
        side->path = s->paths[i];
        if (!open_side(side, paths[i], e)) {
            s->count = i + 1; /* compare_set_free closes it */
            return false;
        }
        const char *value = store_get(side->store, STORE_BACKEND);
        size_t used = (size_t)snprintf(text, sizeof text, "%s", value ? value : "?");
        value = store_get(side->store, STORE_BACKEND_OPTIONS);
        if (value && *value && used < sizeof text)
            snprintf(text + used, sizeof text - used, " %s", value);
        s->count = i;
        set_label(s, text);
        s->count = i + 1;
    }
    return true;
}

/* "FOLDER/2-faulty-fault-vector-tail.run" */
static bool make_path(compare_set *s, size_t i, const char *folder, error *e)
{
    char name[COMPARE_LABEL_SIZE];
    snprintf(name, sizeof name, "%s", s->sides[i].label);
    for (char *p = name; *p; ++p)
        if (!isalnum((unsigned char)*p) && !strchr("._-", *p))
            *p = '-';
    int n = snprintf(s->paths[i], sizeof s->paths[i], "%s/%zu-%s.run", folder, i + 1, name);
    return (n > 0 && (size_t)n < sizeof s->paths[i]) || error_usage(e, "%s: the path is too long", folder);
}

static bool run_side(compare_set *s, size_t i, const compare_backend *b, const run_options *common, error *e)
{
    run_options o = *common;
    run_result result;
    o.backend = b->name;
    o.backend_options = b->options.list;
    o.backend_option_count = b->options.count;
    o.output = s->paths[i];
    if (!run_execute(&o, &result, e))
        return error_prefix(e, "%s", s->sides[i].label);
    s->interrupted = result.interrupted;
    if (result.planned == 0 || (result.interrupted && result.ran == 0)) {
        s->paths[i][0] = '\0'; /* there is no run file */
        return true;
    }
    return open_side(&s->sides[i], s->paths[i], e);
}

/* Report a wrong name before the first run, which may take hours. */
static bool can_load(const compare_backend *b, error *e)
{
    plugin p;
    bool fine = plugin_load(&p, b->name, e);
    if (fine)
        plugin_close(&p);
    return fine;
}

bool compare_run_backends(compare_set *s, const compare_backend *list, size_t count, const run_options *common,
                          const char *folder, error *e)
{
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < count; ++i, ++s->count)
        if (!label_backend(s, &list[i], e) || !can_load(&list[i], e))
            return false;
    if (folder ? !platform_make_folder(folder, e) : !platform_temporary_folder(s->folder, sizeof s->folder, e)) {
        s->folder[0] = '\0';
        return false;
    }
    for (size_t i = 0; i < count && !s->interrupted; ++i) {
        if (!make_path(s, i, folder ? folder : s->folder, e) || !run_side(s, i, &list[i], common, e))
            return false;
        if (folder && s->paths[i][0])
            s->sides[i].path = s->paths[i];
    }
    return true;
}

void compare_set_free(compare_set *s)
{
    for (size_t i = 0; i < s->count; ++i) {
        store_close(s->sides[i].store);
        if (*s->folder && s->paths[i][0])
            remove(s->paths[i]);
    }
    if (*s->folder)
        platform_remove_folder(s->folder);
    memset(s, 0, sizeof *s);
}
