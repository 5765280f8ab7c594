/* SPDX-License-Identifier: Apache-2.0 */
/* ts.cases: the cases of the suite for a Lua script, with their inputs and what the reference makes of them. */
#ifndef TOUCHSTONE_TS_CASES_H
#define TOUCHSTONE_TS_CASES_H

#include <lua.h>

/* ts.cases(query [, { tier =, seed =, first =, most = }]): an iterator over the cases that a query selects, at most
   `most` of each test, from number `first` (0) on. Each is a table
     { id =, operator =, test =, drawn =, descriptor =,
       invalid =,      -- the clause that it breaks on purpose; it then has no tensors
       ambiguous =,    -- the specification leaves its result open
       unjudged =,     -- it does not determine the results of the data type to the bit
       tensors = { [name] = { role = "input" | "output", dtype =, bits =, sizes =, count = } } }
   and has a method: case:at(name, coordinates) is the element of a tensor, as an integer with its bits, or nil where
   the specification leaves the element of an output undefined. Coordinates count from 0. A tensor may have more
   elements than memory has bytes: elements are computed and looked up, not copied. Only the last case of an iterator
   can be asked. An error in a state with a limit (ts_module_limit). */
int ts_cases(lua_State *lua);

#endif
