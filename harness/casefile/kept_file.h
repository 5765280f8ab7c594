/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of what takes longer to make than to read: the rows of covering tests (kept_rows) and the first points of drawn
 * ones (kept_points). The build makes those of the case files that Touchstone comes with (cases/make_rows.c), and
 * installs them in the folder `rows` beside the case files. Others may be kept in the user's cache
 * (platform_cache_folder).
 *
 * A file has a key, a hash of all that its content depends on. It is used only if it has the key that is asked for, its
 * checksum is right, whoever takes its content accepts it, and, in the cache, nobody else could have written it. Every
 * other file is as good as none.
 */
#ifndef TOUCHSTONE_KEPT_FILE_H
#define TOUCHSTONE_KEPT_FILE_H

#include "harness/base/text.h"

#define KEPT_MAGIC_SIZE 8

/* A hash of what a content depends on. */
typedef struct kept_key {
    unsigned char bytes[16];
} kept_key;
kept_key kept_key_of(const void *bytes, size_t size);

typedef struct kept_file {
    const char *magic;  /* KEPT_MAGIC_SIZE characters that it begins with: the kind of content and its version */
    const char *name;   /* of the file, without its ending; NULL: its key */
    const char *ending; /* "rows" */
    kept_key key;
} kept_file;

/* Takes a content, which lives until it returns. False: it is not what it should be. */
typedef bool kept_take(void *context, const void *bytes, size_t size);

/* Give the content that came with Touchstone to `take`, or that of the user's cache. False if there is none that `take`
   accepts. */
bool kept_file_load(const kept_file *f, kept_take *take, void *context);
bool kept_file_load_cached(const kept_file *f, kept_take *take, void *context);

/* Write a content into a folder, for the build. */
bool kept_file_write(const kept_file *f, const text *content, const char *folder, error *e);

/* Keep a content in the user's cache. Says nothing where that fails. */
void kept_file_cache(const kept_file *f, const text *content);

#endif
