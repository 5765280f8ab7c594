/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of covering tests, kept as files, because making them takes longer than a whole run of tier quick. The build
 * makes those of the case files that Touchstone comes with (cases/make_rows.c), and installs them in the folder `rows`
 * beside the case files. Those of other case files are kept in the user's cache (platform_cache_folder) when they are
 * made for the first time.
 *
 * A file is named by a hash of all that its rows depend on: axes, predicates, strength, and the source of the
 * algorithm. It is used only if its checksum is right, each of its rows is a legal point, and, in the cache, nobody
 * else could have written it. Every other file is as good as none: the rows are made again.
 */
#ifndef TOUCHSTONE_KEPT_ROWS_H
#define TOUCHSTONE_KEPT_ROWS_H

#include "harness/base/error.h"
#include "harness/space/space.h"

/* Give a closed space the rows that were kept for this strength. False if there are none. */
bool kept_rows_load(space *s, unsigned strength);

/* Keep the rows of a covering space in the user's cache, if making them takes time. Says nothing where that fails. */
void kept_rows_save(const space *s, unsigned strength);

/* Write the rows of a covering space into a folder, for the build. */
bool kept_rows_write(const space *s, unsigned strength, const char *folder, error *e);

#endif
