/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/source_text.h"
#include "harness/base/input.h"
#include "harness/base/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ------------------------------------------------------------------------------------------------- */

void source_text_rewind(source_text *t)
{
    t->mark = 0;
    t->mark_line = t->mark_column = 1;
}

static void begin_text(source_text *t, const char *name)
{
    memset(t, 0, sizeof *t);
    t->name = name;
    source_text_rewind(t);
}

void source_text_free(source_text *t)
{
    free(t->bytes);
    t->bytes = NULL;
    t->size = 0;
}

bool source_text_copy(source_text *t, const char *name, const void *bytes, size_t size, error *e)
{
    begin_text(t, name);
    if (size > SOURCE_TEXT_MOST)
        return error_usage(e, "%s: more than %zu MiB", name, SOURCE_TEXT_MOST >> 20);
    t->bytes = malloc(size + 1);
    if (!t->bytes)
        return error_set(e, "%s: out of memory", name);
    if (size > 0)
        memcpy(t->bytes, bytes, size);
    t->bytes[size] = 0;
    t->size = size;
    return true;
}

/* Read the rest of a file. */
static bool read_all(source_text *t, FILE *file, size_t most, error *e)
{
    size_t capacity = 0, n;
    do {
        if (!array_reserve(&t->bytes, &capacity, t->size + ((size_t)1 << 16), 1))
            return error_set(e, "%s: out of memory", t->name);
        n = fread(t->bytes + t->size, 1, capacity - 1 - t->size, file);
        t->size += n;
        if (t->size > most)
            return error_usage(e, "%s: more than %zu MiB", t->name, most >> 20);
    } while (n > 0);
    if (ferror(file))
        return error_usage(e, "%s: %s", t->name, strerror(errno));
    t->bytes[t->size] = 0;
    return true;
}

bool source_text_read(source_text *t, const char *path, error *e)
{
    return source_text_read_within(t, path, SOURCE_TEXT_MOST, e);
}

bool source_text_read_within(source_text *t, const char *path, size_t most, error *e)
{
    bool standard = strcmp(path, "-") == 0;
    begin_text(t, standard ? "standard input" : path);
    FILE *file = standard ? stdin : input_open(path, e);
    if (!file)
        return false;
    bool ok = read_all(t, file, most, e);
    if (!standard)
        fclose(file);
    if (!ok)
        source_text_free(t);
    return ok;
}

/* ---- places ------------------------------------------------------------------------------------------------ */

static check_place count_lines(const source_text *t, size_t from, check_place place, size_t to)
{
    for (size_t i = from; i < to && i < t->size; ++i) {
        if (t->bytes[i] == '\n') {
            place.line++;
            place.column = 1;
        } else if (((unsigned char)t->bytes[i] & 0xC0) != 0x80) { /* count only the first byte of a character */
            place.column++;
        }
    }
    return place;
}

check_place source_text_place(const source_text *t, size_t offset)
{
    if (offset < t->mark)
        return count_lines(t, 0, (check_place){ 1, 1 }, offset);
    return count_lines(t, t->mark, (check_place){ t->mark_line, t->mark_column }, offset);
}

void source_text_advance(source_text *t, size_t offset)
{
    check_place place = source_text_place(t, offset);
    if (offset <= t->mark || offset > t->size)
        return;
    t->mark = offset;
    t->mark_line = place.line;
    t->mark_column = place.column;
}

bool source_text_verror(error *e, const char *name, check_place place, const char *format, va_list args)
{
    vsnprintf(e->text, sizeof e->text, format, args);
    e->status = EXIT_BAD_USAGE;
    return error_prefix(e, "%s:%zu:%zu", name, place.line, place.column);
}

bool source_text_error(error *e, const source_text *t, size_t offset, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    source_text_verror(e, t->name, source_text_place(t, offset), format, args);
    va_end(args);
    return false;
}
