/* SPDX-License-Identifier: Apache-2.0 */
/* Is a case that the suite did not draw one that its test may have? For candidates of shrinking, and for ids that a
   user wrote. */
#ifndef TOUCHSTONE_CASE_SOUND_H
#define TOUCHSTONE_CASE_SOUND_H

#include "harness/casefile/casebuild.h"

/* Build the cursor's case into b->now and hold its descriptor against the reference: a legal case must break no clause,
   an illegal one that of its test and no other. False, and says why, where this is not so or a binding fails. */
bool case_is_claimed(casebuild *b, space_cursor *cursor, error *e);

/* The same, and false also where a tensor has more than `most` bytes. */
bool case_sound(casebuild *b, space_cursor *cursor, uint64_t most);

#endif
