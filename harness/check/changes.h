/* SPDX-License-Identifier: Apache-2.0 */
/* A legal call, and every call that differs from it in one field, or in the same field of all tensors: what shows whether
   a rule is checked. */
#ifndef TOUCHSTONE_CHANGES_H
#define TOUCHSTONE_CHANGES_H

#include "harness/model/operator.h"

/* Called with each changed descriptor, which is only valid during the call, and what was changed:
   "InputTensor.Sizes[1] = 3". */
typedef void changes_visit(void *context, const ts_descriptor *d, const char *what);

/* Visit the legal descriptor itself and its changes, always in the same order. Sizes and types keep the tensors packed,
   and of the bytes that they need. */
void changes_each(const ts_descriptor *legal, changes_visit *visit, void *context);

#endif
