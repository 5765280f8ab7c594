/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/lua_json.h"
#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <math.h>
#include <stdio.h>

#define BOX        "touchstone.json"
#define MOST_DEPTH 64

/* ---- who owns the result ----------------------------------------------------------------------------------- */

static int free_box(lua_State *lua)
{
    json_t **box = lua_touserdata(lua, 1);
    json_decref(*box);
    *box = NULL;
    return 0;
}

/* Any function of Lua may leave by longjmp. So each value is attached to its parent, and the root to a userdata, before
   the next function of Lua is called. */
static json_t **push_box(lua_State *lua)
{
    json_t **box = lua_newuserdatauv(lua, sizeof *box, 0);
    *box = NULL;
    if (luaL_newmetatable(lua, BOX)) {
        lua_pushcfunction(lua, free_box);
        lua_setfield(lua, -2, "__gc");
    }
    lua_setmetatable(lua, -2);
    return box;
}

/* ---- conversion -------------------------------------------------------------------------------------------- */

typedef struct converter {
    lua_State *lua;
    unsigned flags;
    const char *what;
    int depth;
    size_t used; /* of LUA_JSON_MOST */
} converter;

/* Count the value at `index`, before anything is allocated for it. */
static void count_value(converter *c, int index)
{
    const size_t size = LUA_JSON_VALUE + (lua_type(c->lua, index) == LUA_TSTRING ? lua_rawlen(c->lua, index) : 0);
    if (size > LUA_JSON_MOST - c->used)
        luaL_error(c->lua, "%s: needs more than %d MiB: does a table or string appear in it very often?", c->what,
                   (int)(LUA_JSON_MOST >> 20));
    c->used += size;
}

static json_t *number_to_json(const converter *c, int index)
{
    char text[24];
    if (!lua_isinteger(c->lua, index)) {
        double value = lua_tonumber(c->lua, index);
        if (isfinite(value))
            return json_real(value);
        return json_string(isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    }
    lua_Integer value = lua_tointeger(c->lua, index);
    if (value >= 0 || !(c->flags & LUA_JSON_UNSIGNED))
        return json_integer(value);
    snprintf(text, sizeof text, "%" PRIu64, (uint64_t)value);
    return json_string(text);
}

/* Is the table a record? It must be either a record or a list, not a mixture. */
static bool is_record(const converter *c, int table)
{
    lua_Unsigned length = lua_rawlen(c->lua, table), numbered = 0, named = 0;
    lua_pushnil(c->lua);
    while (lua_next(c->lua, table)) {
        lua_pop(c->lua, 1);
        if (lua_type(c->lua, -1) == LUA_TSTRING) {
            named++;
            continue;
        }
        if (!lua_isinteger(c->lua, -1))
            luaL_error(c->lua, "%s: a key that is a %s", c->what, luaL_typename(c->lua, -1));
        if (lua_tointeger(c->lua, -1) < 1 || (lua_Unsigned)lua_tointeger(c->lua, -1) > length)
            luaL_error(c->lua, "%s: a list with a hole before element %I", c->what, lua_tointeger(c->lua, -1));
        numbered++;
    }
    if (named && numbered)
        luaL_error(c->lua, "%s: a table that is both a list and a record", c->what);
    if (numbered != length)
        luaL_error(c->lua, "%s: a list of %I elements with a nil among them", c->what, (lua_Integer)length);
    return named > 0;
}

/* Convert a value to JSON; a table becomes an empty container. Raises no error after memory was allocated. */
static json_t *shallow(const converter *c, int index)
{
    size_t length;
    const char *text;
    json_t *json = NULL;
    switch (lua_type(c->lua, index)) {
    case LUA_TBOOLEAN: return json_boolean(lua_toboolean(c->lua, index));
    case LUA_TNUMBER: return number_to_json(c, index);
    case LUA_TTABLE: return is_record(c, index) ? json_object() : json_array();
    case LUA_TSTRING:
        text = lua_tolstring(c->lua, index, &length);
        json = json_stringn(text, length);
        if (!json)
            luaL_error(c->lua, "%s: a string that is no UTF-8 text", c->what);
        return json;
    case LUA_TLIGHTUSERDATA:
        if (!lua_touserdata(c->lua, index))
            return json_null();
        break;
    default: break;
    }
    luaL_error(c->lua, "%s: a %s, where only tables, numbers, strings, truth values and ts.null can be", c->what,
               luaL_typename(c->lua, index));
    return NULL;
}

static void fill_table(converter *c, int table, json_t *json);

/* Add the value on top of the stack to its parent (a record if there is a key) and pop it. */
static void attach(converter *c, json_t *parent, const char *key)
{
    int index = lua_gettop(c->lua);
    count_value(c, index);
    json_t *json = shallow(c, index);
    int failed = key ? json_object_set_new(parent, key, json) : json_array_append_new(parent, json);
    if (failed)
        luaL_error(c->lua, "%s: a key that is no UTF-8 text, or out of memory", c->what);
    if (lua_istable(c->lua, index))
        fill_table(c, index, json);
    lua_pop(c->lua, 1);
}

static void fill_table(converter *c, int table, json_t *json)
{
    luaL_checkstack(c->lua, 6, "too many tables within tables");
    if (++c->depth > MOST_DEPTH)
        luaL_error(c->lua, "%s: tables within tables, deeper than %d: does one contain itself?", c->what, MOST_DEPTH);
    if (json_is_array(json)) {
        lua_Integer length = (lua_Integer)lua_rawlen(c->lua, table);
        for (lua_Integer i = 1; i <= length; ++i) {
            lua_rawgeti(c->lua, table, i);
            attach(c, json, NULL);
        }
    } else {
        lua_pushnil(c->lua);
        while (lua_next(c->lua, table))
            attach(c, json, lua_tostring(c->lua, -2));
    }
    c->depth--;
}

json_t *lua_json_convert(lua_State *lua, int index, unsigned flags, const char *what)
{
    converter c = { .lua = lua, .flags = flags, .what = what };
    luaL_checkstack(lua, 6, NULL);
    index = lua_absindex(lua, index);
    json_t **box = push_box(lua);
    if ((flags & LUA_JSON_RECORD) && lua_istable(lua, index) && lua_rawlen(lua, index) == 0) {
        is_record(&c, index); /* complains about holes */
        *box = json_object();
    } else {
        *box = shallow(&c, index);
    }
    if (!*box)
        luaL_error(lua, "%s: out of memory", what);
    if (lua_istable(lua, index))
        fill_table(&c, index, *box);
    return *box;
}

/* ---- inputs ------------------------------------------------------------------------------------------------ */

static json_t *raw_to_json(const char *bytes, size_t size)
{
    json_t *record = json_object();
    if (json_object_set_new(record, "raw", descriptor_raw_to_json(bytes, size)) == 0)
        return record;
    json_decref(record);
    return NULL;
}

/* Add the data of one tensor, which is on top of the stack and is popped. Raises an error if memory is out. */
static void add_data(converter *c, json_t *to, const char *name)
{
    size_t size;
    if (lua_type(c->lua, -1) != LUA_TSTRING) {
        attach(c, to, name);
        return;
    }
    count_value(c, -1);
    const char *bytes = lua_tolstring(c->lua, -1, &size);
    json_t *raw = raw_to_json(bytes, size);
    if ((name ? json_object_set_new(to, name, raw) : json_array_append_new(to, raw)) != 0)
        luaL_error(c->lua, "%s: out of memory", c->what);
    lua_pop(c->lua, 1);
}

/* Add the data of a list's tensors, a list that is on top of the stack and is popped. */
static void add_list(converter *c, json_t *to, const ts_tensor_list *l, const ts_descriptor *d)
{
    json_t *list = json_array();
    if (json_object_set_new(to, l->name, list) != 0)
        luaL_error(c->lua, "%s: out of memory", l->name);
    if (!lua_istable(c->lua, -1))
        luaL_error(c->lua, "inputs: expected a list of the data of each tensor of %s, found a %s", l->name,
                   luaL_typename(c->lua, -1));
    luaL_checkstack(c->lua, 6, NULL);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(c->lua, -1); ++i) {
        const unsigned k = l->first + (unsigned)(i - 1);
        c->flags = i <= (lua_Integer)l->most && d->tensors[k].dtype == TS_UINT64 ? LUA_JSON_UNSIGNED : 0;
        lua_rawgeti(c->lua, -1, i);
        add_data(c, list, NULL);
    }
    lua_pop(c->lua, 1);
}

json_t *lua_json_inputs(lua_State *lua, int index, const ts_descriptor *d)
{
    luaL_checkstack(lua, 6, NULL);
    index = lua_absindex(lua, index);
    json_t **box = push_box(lua);
    *box = json_object();
    if (!lua_istable(lua, index))
        luaL_error(lua, "inputs is no record of data by tensor, but a %s", luaL_typename(lua, index));
    size_t used = 0; /* by all of them together */
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        if (lua_type(lua, -2) != LUA_TSTRING)
            luaL_error(lua,
                       "inputs: expected the data of each tensor by its name, such as inputs = { %s = {1,2} }, found a "
                       "%s in place of a name",
                       d ? d->op->tensors[0].name : "InputTensor", luaL_typename(lua, -2));
        const char *name = lua_tostring(lua, -2);
        int k = d ? operator_tensor_index(d->op, name) : -1;
        converter c = { .lua = lua, .what = name, .used = used };
        c.flags = k >= 0 && d->tensors[k].dtype == TS_UINT64 ? LUA_JSON_UNSIGNED : 0;
        const ts_tensor_list *l = d ? operator_list_named(d->op, name) : NULL;
        if (l)
            add_list(&c, *box, l, d);
        else
            add_data(&c, *box, name);
        used = c.used;
    }
    return *box;
}
