/* SPDX-License-Identifier: Apache-2.0 */
/* All operators that there are. The table is written by CMake: a file in reference/SPECIFICATION/ is an operator. */
#ifndef TOUCHSTONE_OPERATORS_H
#define TOUCHSTONE_OPERATORS_H

#include "harness/model/operator.h"

/* Every operator, in order of name; *count of them. */
const ts_operator *const *operators_all(size_t *count);

/* An operator by its name ("dml.slice1"), or NULL. */
const ts_operator *operators_find(const char *name);

/* How the outputs of an operator that computes them come about (derive.h); NULL for an operator that copies elements.
 */
const struct ts_derivation *operators_derivation(const char *name);

/* A hash over what the sources in reference/ mean, comments and include lines left out: part of the suite digest. */
const char *operators_digest(void);

#endif
