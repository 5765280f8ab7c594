/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Lua module `ts`:
 *   ts.eval(operator, descriptor, inputs [, options])   one descriptor through the golden reference
 *   ts.cases(query [, options])                         cases of the suite (ts_cases.h)
 *   ts.operators()                                      their names
 *   ts.operator(name)                                   a declaration as a table
 *   ts.version, ts.null                                 null stands for a null pointer in a descriptor
 *
 * ts.eval takes the specification's own field names and returns
 *   { status = "ok" | "invalid" | "unsupported",
 *     clauses = { "SL-05", ... },       -- every clause that the descriptor breaks, without warnings
 *     violations = { { clause=, result=, tensor=, axis=, needs=, message=, text=, page=, section= }, ... },
 *     outputs = { { name=, dtype=, sizes=, data=, raw=, unspecified=, answers= }, ... },
 *     judged = true | false }           -- false: the specification does not determine results of this type to the bit
 *
 * Inputs are tables by tensor name: lists of numbers in logical row-major order, nested or not, or a string of the
 * raw bytes of the buffer. `data` is such a list, `raw` such a string. 64-bit integers are exact, unsigned ones
 * beyond 2^63 by their bit pattern. `unspecified` lists the positions in `data`, from 1, that the specification does
 * not define; it is nil if all are defined. `answers` has, by position, the lists of the values that it allows where
 * there are several; it is nil if there are none. `axis` counts from 0, as the specifications do. Without inputs the
 * descriptor is only checked, and outputs have neither data nor raw. Options are profile and feature_level, which the
 * descriptor may contain as well. An error in the call itself is a Lua error.
 */
#ifndef TOUCHSTONE_TS_MODULE_H
#define TOUCHSTONE_TS_MODULE_H

#include <jansson.h>
#include <lua.h>
#include <stdint.h>

#define TS_LIMIT "touchstone.limit" /* in the registry of a state with a limit */

/* Push the module. */
int luaopen_ts(lua_State *lua);

/* Install the module in a state as the global `ts` and, if the state has `package`, for require. Only in protected
   calls. */
void ts_module_install(lua_State *lua);

/* Limit the bytes that one ts.eval in this state may allocate for tensors. */
void ts_module_limit(lua_State *lua, uint64_t bytes);

/* Convert { operator=, descriptor=, inputs=, ... } at index to JSON as lua_json_convert does, inputs as
   lua_json_inputs does. Pushes the owner of the result. */
json_t *ts_module_record(lua_State *lua, int index);

#endif
