/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rows of covering tests, kept as files (kept_file), because making them takes longer than a whole run of tier
 * quick. Those of case files that do not come with Touchstone are kept in the user's cache when they are made for the
 * first time. They depend on axes, predicates, strength, and the source of the algorithm. Each row is checked to be a
 * legal point; rows that are not are made again.
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
