/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/output.h"

#include "harness/base/input.h"
#include "harness/base/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OUTPUT_CHUNK = 1 << 18 };

bool output_open(output *o, const char *path, error *e)
{
    struct stat info;
    *o = (output){ .path = path };
    if (strcmp(path, "-") == 0) {
        o->path = "standard output";
        o->file = stdout;
        return true;
    }
    if (stat(path, &info) == 0) {
        if ((info.st_mode & S_IFMT) == S_IFDIR)
            return error_usage(e, "%s: is a directory; give the name of a file", path);
        /* Write to a device or a pipe directly: renaming would replace it by a file. */
        if ((info.st_mode & S_IFMT) != S_IFREG) {
            o->file = platform_open_stream(path);
            return o->file || error_file(e, path, "cannot be written", errno);
        }
        if (input_is_database(path, NULL))
            return error_usage(e, "%s: is a run or a history, and those are never overwritten; choose another name",
                               path);
    }
    size_t size = strlen(path) + 32;
    o->temporary = malloc(size);
    if (!o->temporary)
        return error_set(e, "%s: out of memory", path);
    /* Two simultaneous reports must not share a temporary file: take the first free name. */
    for (int i = 0; !o->file && i < 1000; ++i) {
        snprintf(o->temporary, size, "%s.partial-%d", path, i);
        o->file = platform_new_file(o->temporary);
        if (!o->file && errno != EEXIST)
            break;
    }
    if (!o->file) {
        error_file(e, path, "cannot be written", errno);
        free(o->temporary);
        o->temporary = NULL;
        return false;
    }
    return true;
}

bool output_probe(const char *path, error *e)
{
    struct stat info;
    output o;
    if (strcmp(path, "-") == 0 ||
        (stat(path, &info) == 0 && (info.st_mode & S_IFMT) != S_IFREG && (info.st_mode & S_IFMT) != S_IFDIR))
        return true;
    if (!output_open(&o, path, e))
        return false;
    error none;
    output_close(&o, false, &none);
    return true;
}

static void output_write(output *o)
{
    if (!o->failed && o->text.length > 0 && fwrite(o->text.data, 1, o->text.length, o->file) != o->text.length) {
        o->failed = true;
        o->number = errno;
    }
    o->text.length = 0;
}

void output_flush(output *o)
{
    if (o->text.length >= OUTPUT_CHUNK)
        output_write(o);
}

bool output_close(output *o, bool ok, error *e)
{
    bool memory = !o->text.failed;
    output_write(o);
    if (o->file && (fflush(o->file) != 0 || ferror(o->file)) && !o->failed) {
        o->failed = true;
        o->number = errno;
    }
    if (o->file && o->file != stdout && fclose(o->file) != 0 && !o->failed) {
        o->failed = true;
        o->number = errno;
    }
    if (ok && !memory)
        ok = error_set(e, "%s: out of memory", o->path);
    if (ok && o->failed) {
        ok = o->number == ENOSPC
                 ? error_set(e, "%s: the disk is full%s", o->path, o->temporary ? "; the partial file was deleted" : "")
                 : error_file(e, o->path, "cannot be written", o->number);
        e->status = EXIT_HARNESS;
    }
    if (o->temporary && ok && !platform_replace_file(o->temporary, o->path))
        ok = error_set(e, "%s: cannot be replaced: %s", o->path, strerror(errno));
    if (o->temporary && !ok)
        remove(o->temporary);
    free(o->temporary);
    text_free(&o->text);
    *o = (output){ 0 };
    return ok;
}
