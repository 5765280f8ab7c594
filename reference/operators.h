/* SPDX-License-Identifier: Apache-2.0 */
/* All operators that there are. The table is written by CMake: a file in reference/SPECIFICATION/ is an operator, and a
   file in reference/checked/ declares a family of them. */
#ifndef TOUCHSTONE_OPERATORS_H
#define TOUCHSTONE_OPERATORS_H

#include "harness/model/loops.h"
#include "harness/model/operator.h"

/* Every operator, in order of name; *count of them. */
const ts_operator *const *operators_all(size_t *count);

/* An operator by its name ("dml.slice1"), or NULL. */
const ts_operator *operators_find(const char *name);

/* The operators that are known, by number from 0: those of operators_all, then those that are checked, but not computed
   (their `run` is NULL), in order of name. NULL behind the last one. */
const ts_operator *operators_known(size_t i);

/* One of these by its name, or NULL. */
const ts_operator *operators_find_known(const char *name);

/* Is it declared in reference/checked/, whether it is computed or not? Then its tests `legal` and `invalid` follow from
   the declaration. */
bool operators_declared(const ts_operator *op);

/* The family of a declared operator that is computed: the name of the file that declares it, and of the case file of the
   family. NULL for other operators. */
const char *operators_family(const ts_operator *op);

/* A legal call of a declared operator, as a record of JSON with its "descriptor":
   reference/checked/legal.json. *length: its bytes; no NUL follows. NULL: there is none. */
const char *operators_legal_call(const char *name, size_t *length);

/* How the outputs of an operator that computes them come about (derive.h); NULL for an operator that copies elements.
 */
const struct ts_derivation *operators_derivation(const char *name);

/* Where the elements of an operator's first output come from; NULL where that is not written down. */
ts_find_sources *operators_loops(const char *name);

/* A hash over what the sources mean that decide the verdicts of an operator: its own, those that it shares with others
   of its specification, and the parts of the harness that fill inputs and judge outputs. Comments and include lines are
   left out. A part of the operator's digest (suite_digest.h). */
const char *operators_digest(const ts_operator *op);

#endif
