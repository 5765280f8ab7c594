/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/casefile_lua.h"

#include "harness/casefile/lua_json.h"
#include "harness/casefile/variant.h"

#include "harness/model/fill.h"
#include "harness/model/layout.h"
#include "harness/model/operator.h"
#include "reference/operators.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The functions that a case file calls. They only record the declarations; C interprets the record after the file
   has run. */
static const char words[] =
    "local line, record, wanted = ...\n"
    "local op, texts = {}, {}\n"
    "op.__index = op\n"
    "local function need(value, kind, what)\n"
    "  if type(value) ~= kind then\n"
    "    error(what .. ': expected a ' .. kind .. ', not ' .. type(value), 3)\n"
    "  end\n"
    "  return value\n"
    "end\n"
    "local function new(record)\n"
    "  record.axes, record.where, record.tests, record.texts = {}, {}, {}, texts\n"
    "  return setmetatable({ record = record }, op)\n"
    "end\n"
    "local function add(self, list, entry) self.record[list][#self.record[list] + 1] = entry end\n"
    "function operator(name)\n"
    "  need(name, 'string', 'operator')\n"
    "  if record.op then error('a case file declares one operator; this is the second', 2) end\n"
    "  record.op, record.line = name, line()\n"
    "  all.dtypes, all.unjudged_dtypes = dtypes(name)\n"
    "  return new(record)\n"
    "end\n"
    "function operators(lines)\n"
    "  need(lines, 'table', 'operators')\n"
    "  for name in pairs(lines) do dtypes(need(name, 'string', 'operators')) end\n"
    "  if not wanted then error('the file is a family of operators, and none of them is asked for', 2) end\n"
    "  local own = lines[wanted]\n"
    "  if not own then error('the family has no line of ' .. wanted, 2) end\n"
    "  return operator(wanted), need(own, 'table', wanted)\n"
    "end\n"
    "function op:family()\n"
    "  local family = new({ line = line() })\n"
    "  record.families[#record.families + 1] = family.record\n"
    "  return family\n"
    "end\n"
    "function op:axis(name, text)\n"
    "  local at = line()\n"
    "  need(name, 'string', 'axis')\n"
    "  if text ~= nil then\n"
    "    need(text, 'string', 'the description of axis ' .. name)\n"
    "    if #text == 0 or #text > 120 or text:find '%c' then\n"
    "      error('axis ' .. name .. ': its description is not one line of at most 120 characters', 2)\n"
    "    end\n"
    "    texts[name] = texts[name] or text\n"
    "  end\n"
    "  return function(values)\n"
    "    need(values, 'table', 'axis ' .. name)\n"
    "    add(self, 'axes', { name = name, line = at, values = values, text = text })\n"
    "  end\n"
    "end\n"
    "function op:positions(name, per)\n"
    "  need(name, 'string', 'positions')\n"
    "  need(per, 'string', 'positions ' .. name)\n"
    "  add(self, 'axes', { name = name, line = line(), values = { 1, per = per }, position = true,\n"
    "    text = 'the number of the element, from 1' })\n"
    "end\n"
    "function op:where(text)\n"
    "  if text == nil then error('where: expected a string or a list of strings', 2) end\n"
    "  add(self, 'where', { text = text, line = line() })\n"
    "end\n"
    "function op:bind(def)\n"
    "  need(def, 'table', 'bind')\n"
    "  if self.record.bind then error('bind is given twice', 2) end\n"
    "  self.record.bind = { def = def, line = line() }\n"
    "end\n"
    "local function named(list, what)\n"
    "  return function(self, name)\n"
    "    local at = line()\n"
    "    need(name, 'string', what)\n"
    "    return function(def)\n"
    "      need(def, 'table', what .. ' ' .. name)\n"
    "      add(list == 'examples' and { record = record } or self, list, { name = name, line = at, def = def })\n"
    "    end\n"
    "  end\n"
    "end\n"
    "op.test = named('tests', 'test')\n"
    "op.example = named('examples', 'example')\n"
    "function op:invalid(clause)\n"
    "  local at = line()\n"
    "  need(clause, 'string', 'invalid')\n"
    "  return function(def)\n"
    "    need(def, 'table', 'invalid ' .. clause)\n"
    "    local name = 'invalid-' .. clause .. (def.name and '-' .. def.name or '')\n"
    "    add(self, 'tests', { name = name, line = at, def = def, invalid = clause })\n"
    "  end\n"
    "end\n"
    "function op:limit(clause)\n"
    "  local at = line()\n"
    "  need(clause, 'string', 'limit')\n"
    "  return function(def)\n"
    "    need(def, 'table', 'limit ' .. clause)\n"
    "    local name = 'legal-' .. clause:match('^[^ ]*') .. (def.name and '-' .. def.name or '')\n"
    "    add(self, 'tests', { name = name, line = at, def = def, inside = clause })\n"
    "  end\n"
    "end\n"
    "function op:beyond(def)\n"
    "  need(def, 'table', 'beyond')\n"
    "  add(self, 'tests', { name = 'beyond', line = line(), def = def, beyond = 1 })\n"
    "end\n"
    "function range(first, last, step)\n"
    "  local list = {}\n"
    "  for n = first, last, step or 1 do list[#list + 1] = n end\n"
    "  return list\n"
    "end\n";

/* The line of the case file that calls a function. A declaration of the shared file has the line that called
   `shared`. */
static int lua_line(lua_State *L)
{
    lua_Debug at, outer = { 0 };
    int line = 0;
    for (int level = 2; lua_getstack(L, level, &at); ++level)
        if (lua_getinfo(L, "S", &at))
            outer = at; /* the outermost call is in the case file */
    for (int level = 2; line == 0 && lua_getstack(L, level, &at); ++level)
        if (lua_getinfo(L, "Sl", &at) && strcmp(at.source, outer.source) == 0)
            line = at.currentline;
    lua_pushinteger(L, line);
    return 1;
}

/* The data types of an operator's cases, by its widest row: those that are judged, and those that are not. */
static int lua_dtypes(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    const ts_operator *op = operators_find(name);
    if (!op) {
        size_t count;
        luaL_Buffer b;
        luaL_buffinit(L, &b);
        const ts_operator *const *all = operators_all(&count);
        for (size_t i = 0; i < count; ++i) {
            luaL_addstring(&b, i ? ", " : "");
            luaL_addstring(&b, all[i]->name);
        }
        luaL_pushresult(&b);
        lua_Debug at;
        int line = lua_getstack(L, 2, &at) && lua_getinfo(L, "Sl", &at) ? at.currentline : 0;
        lua_pushfstring(L, "%s:%d: there is no operator '%s'; there are %s", at.short_src, line, name,
                        lua_tostring(L, -1));
        return lua_error(L);
    }
    uint32_t types = op->support[op->support_count - 1].tensors[operator_typed(op)].dtypes;
    /* Simplest first: this is also the order of shrinking, and the first one is the default. */
    static const uint8_t order[] = { TS_FLOAT32, TS_FLOAT16, TS_FLOAT64, TS_UINT32, TS_INT32,    TS_UINT16, TS_INT16,
                                     TS_UINT8,   TS_INT8,    TS_UINT64,  TS_INT64,  TS_BFLOAT16, TS_BOOLEAN };
    for (int judged = 1; judged >= 0; --judged) {
        lua_Integer n = 0;
        lua_newtable(L);
        for (size_t i = 0; i < sizeof order; ++i)
            if ((types & TS_DTYPE_BIT(order[i])) && operator_judges(op, order[i]) == judged) {
                lua_pushstring(L, tensor_dtype(order[i])->id);
                lua_rawseti(L, -2, ++n);
            }
    }
    return 2;
}

static void set_names(lua_State *L, const char *field, const char *(*name)(int), int count)
{
    lua_createtable(L, count, 0);
    for (int i = 0; i < count; ++i) {
        lua_pushstring(L, name(i));
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, field);
}

static const char *layout_at(int i)
{
    return layout_name((layout)i);
}

static const char *far_layout_at(int i)
{
    return layout_name((layout)(i + LAYOUT_NEAR_COUNT));
}

static const char *fill_at(int i)
{
    return fill_name((fill)i);
}

static const char *how_at(int i)
{
    return variant_hows[i];
}

static int how_count(void)
{
    int n = 0;
    while (variant_hows[n])
        ++n;
    return n;
}

bool casefile_lua_run(sandbox *box, const char *path, const char *op, error *e)
{
    lua_State *L = box->lua;
    if (!sandbox_share(box, path, e))
        return false;
    lua_newtable(L); /* the record */
    static const char *const lists[] = { "examples", "families" };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i) {
        lua_newtable(L);
        lua_setfield(L, -2, lists[i]);
    }
    lua_newtable(L);
    set_names(L, "layouts", layout_at, LAYOUT_NEAR_COUNT);
    set_names(L, "far_layouts", far_layout_at, LAYOUT_FAR_COUNT);
    set_names(L, "output_layouts", layout_at, LAYOUT_BROADCAST_FIRST);
    set_names(L, "fills", fill_at, FILL_LISTED);
    set_names(L, "hows", how_at, how_count());
    lua_setglobal(L, "all");
    lua_createtable(L, 0, 3); /* the fields that a change makes null pointers */
    lua_pushinteger(L, TS_GIVEN_TENSOR);
    lua_setfield(L, -2, "tensor");
    lua_pushinteger(L, TS_GIVEN_DESC);
    lua_setfield(L, -2, "desc");
    lua_pushinteger(L, TS_GIVEN_SIZES);
    lua_setfield(L, -2, "sizes");
    lua_setglobal(L, "null");
    lua_pushcfunction(L, lua_dtypes);
    lua_setglobal(L, "dtypes");
    if (luaL_loadbufferx(L, words, sizeof words - 1, "=case words", "t") != LUA_OK)
        return error_set(e, "%s", lua_tostring(L, -1));
    lua_pushcfunction(L, lua_line);
    lua_pushvalue(L, -3);
    lua_pushstring(L, op);
    if (lua_pcall(L, 3, 0, 0) != LUA_OK)
        return error_set(e, "%s", lua_tostring(L, -1));
    return sandbox_run_file(box, path, path, 0, 0, e);
}

/* Deep nesting has no use in a descriptor and would overflow this recursion. */
#define MAX_DEPTH 32

static json_t *to_json(lua_State *L, int index, int depth, size_t *used, char *message, size_t size)
{
    index = lua_absindex(L, index);
    *used += LUA_JSON_VALUE + (lua_type(L, index) == LUA_TSTRING ? lua_rawlen(L, index) : 0);
    if (*used > LUA_JSON_MOST) {
        snprintf(message, size, "needs more than %zu MiB: does a table or string appear in it very often?",
                 LUA_JSON_MOST >> 20);
        return NULL;
    }
    switch (lua_type(L, index)) {
    case LUA_TBOOLEAN: return json_boolean(lua_toboolean(L, index));
    case LUA_TNUMBER:
        if (lua_isinteger(L, index))
            return json_integer(lua_tointeger(L, index));
        if (isfinite(lua_tonumber(L, index)))
            return json_real(lua_tonumber(L, index));
        snprintf(message, size, "a number that is not finite; data may have \"inf\" and \"nan\"");
        return NULL;
    case LUA_TSTRING: {
        size_t n;
        const char *text = lua_tolstring(L, index, &n);
        json_t *string = json_stringn(text, n);
        if (!string)
            snprintf(message, size, "a string is not valid UTF-8");
        return string;
    }
    case LUA_TTABLE: break;
    default: snprintf(message, size, "a %s has no place in a descriptor", luaL_typename(L, index)); return NULL;
    }
    if (depth == MAX_DEPTH || !lua_checkstack(L, 4)) {
        snprintf(message, size, "tables nested deeper than %d", MAX_DEPTH);
        return NULL;
    }
    size_t length = lua_rawlen(L, index);
    lua_pushnil(L);
    bool empty = !lua_next(L, index);
    if (!empty)
        lua_pop(L, 2);
    json_t *json = length || empty ? json_array() : json_object();
    if (length || empty) {
        for (size_t i = 1; i <= length; ++i) {
            lua_rawgeti(L, index, (lua_Integer)i);
            json_t *value = to_json(L, -1, depth + 1, used, message, size);
            lua_pop(L, 1);
            if (!value || json_array_append_new(json, value) != 0) {
                json_decref(json);
                return NULL;
            }
        }
        return json;
    }
    for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
        json_t *value = NULL;
        if (lua_type(L, -2) == LUA_TSTRING)
            value = to_json(L, -1, depth + 1, used, message, size);
        else
            snprintf(message, size, "a table with a key that is neither a name nor 1..n");
        if (!value || json_object_set_new(json, lua_tostring(L, -2), value) != 0) {
            lua_pop(L, 2);
            json_decref(json);
            return NULL;
        }
    }
    return json;
}

json_t *casefile_lua_to_json(lua_State *L, int index, char *message, size_t size)
{
    snprintf(message, size,
             "a name that is not valid UTF-8, or out of memory"); /* replaced by a better message if possible */
    size_t used = 0;
    return to_json(L, index, 0, &used, message, size);
}
