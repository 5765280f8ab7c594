/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_import.h"

#include "harness/base/platform.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 30) /* of a manifest, which has a line for each case */

/* DIR/NAME, or DIR/FOLDER/NAME. */
static bool join(char path[PATH_MAX], const char *root, const char *folder, const char *name, error *e)
{
    const int n = snprintf(path, PATH_MAX, "%s/%s%s%s", root, folder, *folder ? "/" : "", name);
    return (n > 0 && n < PATH_MAX) || error_usage(e, "%.200s...: the path is too long", root);
}

bool check_import_is_corpus(const char *path)
{
    const platform_folder kind = platform_folder_kind(path);
    return kind == PLATFORM_FOLDER_FULL || kind == PLATFORM_FOLDER_EMPTY;
}

/* Does a name lead out of the folder of the corpus? */
static bool leads_out(const char *name)
{
    return !name || name[0] == '/' || strstr(name, "..") || strchr(name, '\\') || strchr(name, ':');
}

static bool visit_case(const char *root, const json_t *item, check_import_each *each, void *context, error *e)
{
    const char *folder = json_string_value(json_object_get(item, "folder")), *name;
    json_t *files = json_object_get(item, "files"), *digest;
    char path[PATH_MAX];
    bool fine = true;
    if (leads_out(folder) || !json_is_object(files))
        return error_usage(e, "%s/manifest.json: a case without a folder and its files", root);
    json_object_foreach(files, name, digest)
    {
        if (leads_out(name))
            return error_usage(e, "%s/manifest.json: '%.100s' is no name of a file", root, name);
        fine = fine && join(path, root, folder, name, e) && each(context, path, e);
    }
    return fine;
}

static json_t *read_manifest(const char *root, error *e)
{
    char path[PATH_MAX];
    source_text t;
    json_error_t problem;
    if (!join(path, root, "", "manifest.json", e))
        return NULL;
    if (!source_text_read_within(&t, path, MOST_BYTES, e)) {
        error_prefix(e, "expected the folder of 'touchstone export --format webnn', with a manifest.json");
        return NULL;
    }
    json_t *manifest = json_loadb(t.bytes, t.size, 0, &problem);
    if (!manifest)
        error_usage(e, "%s:%d:%d: %s", path, problem.line, problem.column, problem.text);
    source_text_free(&t);
    return manifest;
}

bool check_import_corpus(const char *folder, check_import_each *each, void *context, error *e)
{
    json_t *manifest = read_manifest(folder, e), *item;
    const char *format = json_string_value(json_object_get(manifest, "format"));
    size_t i;
    if (!manifest)
        return false;
    bool fine = true;
    if (!format)
        fine = error_usage(e, "%s/manifest.json: no format: it is no manifest of 'touchstone export'", folder);
    else if (strcmp(format, "webnn") != 0)
        fine = error_usage(e, "%s: a corpus of the format %.40s; import reads webnn%s", folder, format,
                           strcmp(format, "dxdispatch") == 0 || strcmp(format, "openvino-ir") == 0
                               ? ", 'touchstone check' reads the files of this one"
                               : "");
    json_array_foreach(json_object_get(manifest, "cases"), i, item)
    {
        fine = fine && visit_case(folder, item, each, context, e);
    }
    json_decref(manifest);
    return fine;
}
