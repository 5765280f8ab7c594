/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_corpus.h"

#include "harness/base/platform.h"
#include "harness/casefile/query_meant.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_OF_A_FOLDER = 1000, MANIFEST_CHUNK = 1 << 18 };

typedef struct writer {
    export_corpus *x;
    char root[PATH_MAX]; /* the folder that gets its name at the end */
    case_view c;
    export_files files;
    uint64_t of_test; /* cases of the current test that are written */
    FILE *manifest;
    sha256 digest; /* of the manifest */
    text line;
} writer;

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* Store DIR/NAME in `path`. */
static bool join(char *path, const char *folder, const char *name, error *e)
{
    const int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return (n > 0 && n < PATH_MAX) || error_usage(e, "%.200s...: the path is too long", folder);
}

static bool failed(const char *path, int number, error *e)
{
    if (number == ENOSPC)
        error_set(e, "%s: the disk is full", path);
    else
        error_set(e, "%s: cannot be written: %s", path, strerror(number));
    e->status = EXIT_HARNESS;
    return false;
}

static bool write_file(const char *path, const text *bytes, error *e)
{
    FILE *f = platform_new_file(path);
    bool fine = f && (bytes->length == 0 || fwrite(bytes->data, 1, bytes->length, f) == bytes->length);
    int number = errno;
    if (f && fclose(f) != 0 && fine) {
        fine = false;
        number = errno;
    }
    return fine || failed(path, number, e);
}

static bool make_folder(const char *path, error *e)
{
    if (platform_make_folder(path, e))
        return true;
    e->status = EXIT_HARNESS;
    return false;
}

/* ---- the manifest ------------------------------------------------------------------------------------------------ */

static bool flush_manifest(writer *w, size_t least, error *e)
{
    if (w->line.failed)
        return error_set(e, "out of memory");
    if (w->line.length < least)
        return true;
    sha256_add(&w->digest, w->line.data, w->line.length);
    const bool fine = fwrite(w->line.data, 1, w->line.length, w->manifest) == w->line.length;
    w->line.length = 0;
    return fine || failed("manifest.json", errno, e);
}

static bool begin_manifest(writer *w, const plan *p, error *e)
{
    const export_corpus *x = w->x;
    char path[PATH_MAX];
    if (!join(path, w->root, "manifest.json", e))
        return false;
    w->manifest = platform_new_file(path);
    if (!w->manifest)
        return failed(path, errno, e);
    sha256_start(&w->digest);
    text_add(&w->line, "{\n \"manifest\": 1,\n \"format\": ");
    text_json(&w->line, x->format->name);
    if (x->format->facts)
        text_format(&w->line, ",\n %s", x->format->facts);
    text_add(&w->line, ",\n \"touchstone\": ");
    text_json(&w->line, x->version);
    text_format(&w->line, ",\n \"suite\": \"%s\",\n \"tier\": \"%s\",\n \"seed\": %" PRIu64 ",\n \"queries\": [",
                p->suite_digest, case_tier_name(x->planned.tier), x->planned.seed);
    for (size_t i = 0; i < x->query_count; ++i) {
        text_add(&w->line, i ? ", " : "");
        text_json(&w->line, x->queries[i]);
    }
    text_add(&w->line, "],\n \"cases\": [");
    return true;
}

static bool end_manifest(writer *w, error *e)
{
    const export_corpus *x = w->x;
    text *t = &w->line;
    text_add(t, x->cases ? "\n ],\n \"left_out\": [" : "],\n \"left_out\": [");
    for (size_t i = 0; i < x->reason_count; ++i) {
        const corpus_left_out *l = &x->reasons[i];
        text_add(t, i ? ",\n  { \"reason\": " : "\n  { \"reason\": ");
        text_json(t, l->reason);
        text_format(t, ", \"test\": \"%s\", \"cases\": %" PRIu64 ", \"example\": ", l->test, l->cases);
        text_json(t, l->example);
        text_add(t, " }");
    }
    text_add(t, x->reason_count ? "\n ],\n" : "],\n");
    text_format(t, " \"total\": { \"cases\": %" PRIu64, x->cases);
    for (int d = 0; d < 4; ++d)
        text_format(t, ", \"%s\": %" PRIu64, export_demand_name((export_demand)d), x->demands[d]);
    text_format(t, ", \"left_out\": %" PRIu64 ", \"files\": %" PRIu64 ", \"bytes\": %" PRIu64 " }\n}\n", x->left_out,
                x->files, x->bytes);
    return flush_manifest(w, 0, e);
}

/* ---- one case ---------------------------------------------------------------------------------------------------- */

/* "dml.slice1:invalid-SL-02" -> "test_dml_slice1_invalid-SL-02_17": a name for every file system. */
static void name_case(const writer *w, char *name, size_t size)
{
    snprintf(name, size, "test_%s_%s_%" PRIu64, w->c.test->file->op->name, w->c.test->name, w->c.build.now.index);
    for (char *at = name; *at; ++at)
        if (*at == '.' || *at == ':')
            *at = '_';
}

/* Make the folders above the case, where it is the first in them, and store the path of the last one below the root. */
static bool folder_of(const writer *w, char *path, error *e)
{
    char below[300], full[PATH_MAX];
    const int parts[] = { snprintf(below, sizeof below, "%s", w->c.test->file->op->name),
                          snprintf(below, sizeof below, "%s/%s", w->c.test->file->op->name, w->c.test->name),
                          snprintf(below, sizeof below, "%s/%s/%05" PRIu64, w->c.test->file->op->name, w->c.test->name,
                                   w->of_test / CASES_OF_A_FOLDER) };
    for (size_t i = 0; w->of_test % CASES_OF_A_FOLDER == 0 && i < sizeof parts / sizeof *parts; ++i) {
        char part[300];
        snprintf(part, sizeof part, "%.*s", parts[i], below);
        if (!join(full, w->root, part, e) || !make_folder(full, e))
            return false;
    }
    snprintf(path, PATH_MAX, "%s", below);
    return true;
}

/* Write file i of the case to root/folder/, and its line to the manifest. */
static bool write_one(writer *w, size_t i, const char *folder, const char *name, error *e)
{
    const export_file *file = &w->files.list[i];
    char below[PATH_MAX], path[PATH_MAX], digest[SHA256_HEX];
    const char *slash = strrchr(name, '/');
    if (slash) { /* a folder in the folder of the case; the files in it follow each other */
        const size_t length = (size_t)(slash - name);
        const bool again = i > 0 && strncmp(w->files.list[i - 1].name, name, length + 1) == 0;
        char part[sizeof file->name];
        snprintf(part, sizeof part, "%.*s", (int)length, name);
        if (!join(below, folder, part, e) || !join(path, w->root, below, e) || (!again && !make_folder(path, e)))
            return false;
    }
    if (!join(below, folder, name, e) || !join(path, w->root, below, e) || !write_file(path, &file->bytes, e))
        return false;
    sha256_of(file->bytes.data, file->bytes.length, digest);
    text_add(&w->line, i ? ", " : "");
    text_json(&w->line, name);
    text_format(&w->line, ": \"%s\"", digest);
    w->x->files++;
    w->x->bytes += file->bytes.length;
    return true;
}

static bool write_case(writer *w, error *e)
{
    const export_demand demand = export_demand_of(&w->c);
    const char *clause = w->c.build.now.invalid ? w->c.build.now.invalid : w->c.build.now.ambiguous;
    char above[PATH_MAX], folder[PATH_MAX], name[200], single[220], full[PATH_MAX];
    name_case(w, name, sizeof name);
    if (!folder_of(w, above, e) || !join(folder, above, name, e))
        return false;
    if (w->x->format->ending)
        snprintf(folder, sizeof folder, "%s", above);
    else if (!join(full, w->root, folder, e) || !make_folder(full, e))
        return false;
    text_add(&w->line, w->x->cases ? ",\n  { \"id\": " : "\n  { \"id\": ");
    text_json(&w->line, w->c.id);
    text_format(&w->line, ", \"expect\": \"%s\"", export_demand_name(demand));
    if (clause)
        text_format(&w->line, ", \"clause\": \"%s\"", clause);
    text_add(&w->line, ", \"folder\": ");
    text_json(&w->line, folder);
    text_add(&w->line, ", \"files\": { ");
    for (size_t i = 0; i < w->files.count; ++i) {
        snprintf(single, sizeof single, "%s%s", name, w->x->format->ending ? w->x->format->ending : "");
        if (!write_one(w, i, folder, w->x->format->ending ? single : w->files.list[i].name, e))
            return false;
    }
    text_add(&w->line, " } }");
    w->x->cases++;
    w->x->demands[demand]++;
    w->of_test++;
    return flush_manifest(w, MANIFEST_CHUNK, e);
}

/* ---- all cases --------------------------------------------------------------------------------------------------- */

static char *copy(const char *s)
{
    char *made = malloc(strlen(s) + 1);
    return made ? strcpy(made, s) : NULL;
}

static bool leave_out(writer *w, error *e)
{
    export_corpus *x = w->x;
    char test[160];
    snprintf(test, sizeof test, "%s:%s", w->c.test->file->op->name, w->c.test->name);
    x->left_out++;
    for (size_t i = x->reason_count; i > 0; --i) /* those of the same test are the last ones */
        if (strcmp(x->reasons[i - 1].test, test) == 0 && strcmp(x->reasons[i - 1].reason, w->files.why) == 0) {
            x->reasons[i - 1].cases++;
            return true;
        }
    if (x->reason_count == x->reason_capacity) {
        const size_t capacity = x->reason_capacity ? 2 * x->reason_capacity : 64;
        corpus_left_out *grown = realloc(x->reasons, capacity * sizeof *grown);
        if (!grown)
            return error_set(e, "out of memory");
        x->reasons = grown;
        x->reason_capacity = capacity;
    }
    corpus_left_out *l = &x->reasons[x->reason_count++];
    *l = (corpus_left_out){ .reason = copy(w->files.why), .cases = 1, .example = copy(w->c.id), .test = copy(test) };
    return (l->reason && l->example && l->test) || error_set(e, "out of memory");
}

static bool take_case(writer *w, error *e)
{
    const export_format *format = w->x->format;
    if (!export_write(format, &w->c, &w->files, e))
        return w->files.why[0] && leave_out(w, e);
    if (export_demand_of(&w->c) == EXPORT_OPEN && !format->open) {
        export_cannot(&w->files, "the specification leaves the output open (%s)",
                      w->c.build.now.ambiguous ? w->c.build.now.ambiguous : "a data type that is not judged");
        return leave_out(w, e);
    }
    return write_case(w, e);
}

static bool take_item(writer *w, const plan_item *item, error *e)
{
    bool found = false, fine = case_view_first(&w->c, item, &found, e);
    w->of_test = 0;
    while (fine && found)
        fine = take_case(w, e) && case_view_next(&w->c, &found, e);
    return fine;
}

/* Nothing to write is an error: an empty corpus would pass anywhere. */
static bool any(const export_corpus *x, error *e)
{
    if (x->cases > 0)
        return true;
    char note[QUERY_NOTE_SIZE];
    if (x->left_out > 0)
        return error_usage(e, "none of the %" PRIu64 " cases can be exported as %s; the first one: %s%s", x->left_out,
                           x->format->title, x->reasons[0].reason, query_note(x->queries, x->query_count, note));
    error_set(e, "the queries select no case of the tier (--tier full has more cases than quick)");
    e->status = EXIT_NOT_RUN;
    return false;
}

static bool write_all(writer *w, error *e)
{
    plan p;
    bool fine = plan_make_with(&p, w->x->queries, w->x->query_count, &w->x->planned, e) && begin_manifest(w, &p, e);
    for (size_t i = 0; fine && i < p.item_count; ++i)
        fine = take_item(w, &p.items[i], e);
    plan_free(&p);
    fine = fine && any(w->x, e) && end_manifest(w, e);
    if (w->manifest && fclose(w->manifest) != 0 && fine)
        fine = failed("manifest.json", errno, e);
    if (fine)
        sha256_end(&w->digest, w->x->manifest);
    evaluate_end(&w->c.value);
    export_files_free(&w->files);
    text_free(&w->line);
    return fine;
}

/* Make an empty folder beside `folder`. */
static bool make_root(char *root, const char *folder, error *e)
{
    bool exists = true;
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        --length;
    for (int i = 0; exists && i < 1000; ++i) {
        const int n = snprintf(root, PATH_MAX, "%.*s.partial-%d", (int)length, folder, i);
        if (n < 0 || n >= PATH_MAX - 400)
            return error_usage(e, "%.200s...: the path is too long", folder);
        if (platform_new_folder(root, &exists, e))
            return true;
    }
    return false;
}

bool export_corpus_write(export_corpus *x, const char *folder, error *e)
{
    const platform_folder there = platform_folder_kind(folder);
    if (there == PLATFORM_FOLDER_FULL)
        return error_usage(e, "%s: the folder is not empty; a corpus gets a folder of its own", folder);
    if (there == PLATFORM_FOLDER_OTHER)
        return error_usage(e, "%s: is no folder that can be read", folder);
    writer *w = calloc(1, sizeof *w);
    if (!w)
        return error_set(e, "out of memory");
    w->x = x;
    bool fine = make_root(w->root, folder, e);
    if (fine) {
        fine = write_all(w, e);
        if (fine && there == PLATFORM_FOLDER_EMPTY)
            platform_remove_folder(folder);
        if (fine && !platform_replace_file(w->root, folder))
            fine = failed(folder, errno, e);
        if (!fine)
            platform_remove_tree(w->root);
    }
    free(w);
    return fine;
}

void export_corpus_free(export_corpus *x)
{
    for (size_t i = 0; i < x->reason_count; ++i) {
        free(x->reasons[i].reason);
        free(x->reasons[i].example);
        free(x->reasons[i].test);
    }
    free(x->reasons);
    x->reasons = NULL;
    x->reason_count = x->reason_capacity = 0;
}
