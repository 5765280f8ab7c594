/* SPDX-License-Identifier: Apache-2.0 */
/* The generator `r` of drawn tests: what case files call. docs/cases.md describes each function. */
#ifndef TOUCHSTONE_CASEFILE_GENERATOR_H
#define TOUCHSTONE_CASEFILE_GENERATOR_H

#include "harness/casefile/random.h"

#include <lua.h>

/* Push a table of functions that draw from `random`, which has to outlive it. */
void casefile_push_generator(lua_State *L, random_source *random);

#endif
