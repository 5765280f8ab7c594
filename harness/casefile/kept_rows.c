/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/kept_rows.h"

#include "harness/casefile/kept_file.h"

#define WORTH_A_FILE 64 /* rows: fewer are made at once */

static bool file_of(const space *s, unsigned strength, kept_file *f)
{
    text t = { .data = NULL };
    text_format(&t, "%s\nstrength %u\n", TOUCHSTONE_COVERING_DIGEST, strength);
    space_describe(s, &t);
    if (!t.failed)
        *f = (kept_file){ "TSROWS1\n", NULL, "rows", kept_key_of(t.data, t.length) };
    const bool fine = !t.failed;
    text_free(&t);
    return fine;
}

static bool take_rows(void *context, const void *bytes, size_t size)
{
    return space_read_rows(context, bytes, size);
}

bool kept_rows_load(space *s, unsigned strength)
{
    kept_file f;
    return file_of(s, strength, &f) && (kept_file_load(&f, take_rows, s) || kept_file_load_cached(&f, take_rows, s));
}

void kept_rows_save(const space *s, unsigned strength)
{
    kept_file f;
    text rows = { .data = NULL };
    if (space_points(s) < WORTH_A_FILE || !file_of(s, strength, &f))
        return;
    space_write_rows(s, &rows);
    kept_file_cache(&f, &rows);
    text_free(&rows);
}

bool kept_rows_write(const space *s, unsigned strength, const char *folder, error *e)
{
    kept_file f;
    text rows = { .data = NULL };
    if (!file_of(s, strength, &f))
        return error_set(e, "out of memory");
    space_write_rows(s, &rows);
    const bool fine = kept_file_write(&f, &rows, folder, e);
    text_free(&rows);
    return fine;
}
