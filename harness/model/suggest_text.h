/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a suggestion: "InputWindowSizes[2] = 1 to 4, or InputWindowOffsets[2] = 0 to 1". */
#ifndef TOUCHSTONE_SUGGEST_TEXT_H
#define TOUCHSTONE_SUGGEST_TEXT_H

#include "harness/model/suggest.h"

#include <stddef.h>

/* Write the text for a descriptor that a suggestion is for; "" for one without options. What does not fit is cut off.
 */
void suggest_text(const ts_descriptor *d, const ts_suggestion *s, char *buf, size_t size);

#endif
