/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The points that tier quick has of drawn tests, drawn from seed 0 and kept as files (kept_file) by the build, one for
 * each case file: drawing them takes longer than most of what a run of the tier does with them. They depend on the case
 * file, the files that it shares with others, and the source of what draws. Points that are not kept are drawn.
 */
#ifndef TOUCHSTONE_KEPT_POINTS_H
#define TOUCHSTONE_KEPT_POINTS_H

#include "harness/casefile/casefile.h"

/* Give the drawn tests of a case file the points that are kept for these sources, a digest (suite_operator_digest).
   They are those of seed 0. Does nothing where there are none. */
void kept_points_load(case_file *f, const char *sources);

/* Draw the points of a case file with these sources, and write them into a folder, for the build. */
bool kept_points_write(case_file *f, const char *sources, const char *folder, error *e);

#endif
