/* SPDX-License-Identifier: Apache-2.0 */
/* The Lua side of case files: the functions that a file may call, and the record of its calls. */
#ifndef TOUCHSTONE_CASEFILE_LUA_H
#define TOUCHSTONE_CASEFILE_LUA_H

#include "harness/casefile/sandbox.h"

#include <jansson.h>

/* Run a case file, for operator `op` if it is a family of them, else NULL. Leaves one table on the stack:
   { op, line, axes = { {name, line, values, per, text} }, texts, where = { {text, line} }, bind = {def, line},
     tests = { {name, line, def} }, examples = { {name, line, def} } }
   The function `shared` is available to the file. */
bool casefile_lua_run(sandbox *box, const char *path, const char *op, error *e);

/* The Lua value at an index as JSON: a table with 1..n is an array, any other an object with string keys; an empty
   table is an array. NULL with a message if JSON cannot represent it. The caller owns the result. */
json_t *casefile_lua_to_json(lua_State *L, int index, char *message, size_t size);

#endif
