/* SPDX-License-Identifier: Apache-2.0 */
/* Lua values as JSON, the form in which descriptors and data are read. Lists are tables with 1..n, records tables with
   string keys; an empty table is an empty list. The light userdata NULL (ts.null) is null. Integers stay exact. */
#ifndef TOUCHSTONE_LUA_JSON_H
#define TOUCHSTONE_LUA_JSON_H

#include "harness/model/operator.h"

#include <jansson.h>
#include <lua.h>

#define LUA_JSON_RECORD   1u /* the value is a record, even if it is empty */
#define LUA_JSON_UNSIGNED 2u /* negative integers are the bit patterns of unsigned ones */

/* What a conversion may produce: a value counts LUA_JSON_VALUE bytes and its characters. A table or string that appears
   in many places is copied to each, so that a few tables can stand for more than any memory holds. */
#define LUA_JSON_MOST  ((size_t)512 << 20)
#define LUA_JSON_VALUE 32

/* Convert the value at index. Pushes one userdata, which owns the result. A value that JSON cannot represent (a
   function, a list with holes, a table that contains itself, more than LUA_JSON_MOST) is a Lua error that describes it.
   `what` names the value.
 */
json_t *lua_json_convert(lua_State *lua, int index, unsigned flags, const char *what);

/* Convert a table of data by tensor name. A string is the raw bytes of a buffer, { "raw": "hex" }; in data for a
   tensor of UINT64, as d says, negative integers are bit patterns. d may be NULL. Pushes the owner, as above. */
json_t *lua_json_inputs(lua_State *lua, int index, const ts_descriptor *d);

#endif
