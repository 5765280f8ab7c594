/* SPDX-License-Identifier: Apache-2.0 */
/* Axes as a case file declares them, and the names of their values. */
#include "harness/base/array.h"
#include "harness/base/decimal.h"
#include "harness/casefile/casefile_internal.h"

#include "harness/model/fill.h"
#include "harness/model/layout.h"

int casefile_axis(const loader *l, const char *name)
{
    for (size_t i = 0; i < l->axis_count; ++i)
        if (strcmp(l->axes[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* "rank, dtype, size" for messages. */
const char *casefile_axis_names(const loader *l, char *buf, size_t size)
{
    size_t used = 0;
    *buf = '\0';
    for (size_t i = 0; i < l->axis_count && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", l->axes[i].name);
    return buf;
}

/* The field of the table on top of the stack as a string that lives as long as the state, or NULL. */
const char *casefile_string(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

int casefile_int(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    int value = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Is there a decimal number in the (nested) list of values on top of the stack? */
static bool has_decimals(lua_State *L)
{
    bool found = false;
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
        found =
            found || (lua_istable(L, -1) ? has_decimals(L) : lua_type(L, -1) == LUA_TNUMBER && !lua_isinteger(L, -1));
    lua_pop(L, 1);
    return found;
}

/* The number on top of the stack as the name that it has on an axis of numbers. The name lives as long as the state. */
static const char *number_name(lua_State *L)
{
    char text[DECIMAL_SIZE];
    lua_pushstring(L, decimal_text(lua_tonumber(L, -1), text));
    const char *name = lua_tostring(L, -1);
    luaL_ref(L, LUA_REGISTRYINDEX);
    return name;
}

/* The number of a named value: data types, layouts and fills have the numbers of their enumerations, other names
   are numbered in order of appearance. */
static int64_t symbol_number(const declared_axis *a, const char *name)
{
    double number = 0;
    if (a->numbers && decimal_read(name, strlen(name), &number))
        return decimal_key(number);
    for (uint32_t t = 1; t < TS_DTYPE_COUNT; ++t)
        if (tensor_dtype(t) && strcmp(tensor_dtype(t)->id, name) == 0)
            return t;
    for (int i = 0; i < LAYOUT_COUNT; ++i)
        if (strcmp(layout_name((layout)i), name) == 0)
            return i;
    for (int i = 0; i < FILL_COUNT; ++i)
        if (strcmp(fill_name((fill)i), name) == 0)
            return i;
    return 1000 + (int64_t)a->symbol_count;
}

static bool add_symbol(loader *l, declared_axis *a, int line, const char *name)
{
    for (size_t i = 0; i < a->symbol_count; ++i)
        if (strcmp(a->symbols[i], name) == 0)
            return true;
    if (a->symbol_count == sizeof a->symbols / sizeof a->symbols[0])
        return casefile_fail(l, line, "axis '%s' has more than %zu named values", a->name, a->symbol_count);
    if (strpbrk(name, ",=:* ") || *name == '\0')
        return casefile_fail(l, line, "axis '%s': '%s' cannot be a value: ids use , = : * and blanks", a->name, name);
    double number;
    char text[DECIMAL_SIZE];
    if (a->numbers && !(decimal_read(name, strlen(name), &number) && strcmp(decimal_text(number, text), name) == 0))
        return casefile_fail(l, line, "axis '%s': '%s' is not written as a number is: 1.5, -0, 1e30, nan, inf", a->name,
                             name);
    a->symbol_values[a->symbol_count] = symbol_number(a, name);
    a->symbols[a->symbol_count++] = name;
    return true;
}

/* An axis of layouts has the names of all layouts, so that it can be compared with any other axis of layouts. */
static void complete_layouts(declared_axis *a)
{
    for (size_t i = 0; i < a->symbol_count; ++i) {
        int n = 0;
        while (n < LAYOUT_COUNT && strcmp(layout_name((layout)n), a->symbols[i]) != 0)
            ++n;
        if (n == LAYOUT_COUNT)
            return;
    }
    for (int i = 0; a->symbol_count > 0 && i < LAYOUT_COUNT; ++i) {
        a->symbols[i] = layout_name((layout)i);
        a->symbol_values[i] = i;
    }
    if (a->symbol_count > 0)
        a->symbol_count = LAYOUT_COUNT;
}

/* Collect the names in a (nested) list of values on top of the stack. */
static bool collect_symbols(loader *l, declared_axis *a, int line)
{
    lua_State *L = l->lua;
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        if (lua_type(L, -1) == LUA_TTABLE) {
            if (!collect_symbols(l, a, line))
                return false;
        } else if (lua_type(L, -1) == LUA_TSTRING || (a->numbers && lua_type(L, -1) == LUA_TNUMBER)) {
            if (!add_symbol(l, a, line, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : number_name(L)))
                return false;
        }
    }
    lua_pop(L, 1);
    return true;
}

/* Append the values of a (nested) list on top of the stack. */
bool casefile_values(loader *l, const declared_axis *a, int line, value_list *values)
{
    lua_State *L = l->lua;
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        int64_t value = 0;
        switch (lua_type(L, -1)) {
        case LUA_TTABLE:
            if (!casefile_values(l, a, line, values))
                return false;
            continue;
        case LUA_TSTRING: {
            size_t s = 0;
            while (s < a->symbol_count && strcmp(a->symbols[s], lua_tostring(L, -1)) != 0)
                ++s;
            value = a->symbol_values[s];
            break;
        }
        case LUA_TNUMBER:
            if (a->numbers) {
                value = decimal_key(lua_tonumber(L, -1));
                break;
            }
            if (lua_isinteger(L, -1)) {
                if (a->symbol_count)
                    return casefile_fail(l, line, "axis '%s' mixes names and numbers", a->name);
                value = lua_tointeger(L, -1);
                break;
            } /* fall through */
        default:
            return casefile_fail(l, line, "axis '%s': value %zu is %s; expected %s", a->name, values->count + 1,
                                 luaL_typename(L, -1), a->numbers ? "a number" : "an integer or a name");
        }
        for (size_t k = 0; k < values->count; ++k)
            if (values->items[k] == value)
                return casefile_fail(l, line, "axis '%s' has a value twice (number %zu)", a->name, values->count + 1);
        if (!array_reserve(&values->items, &values->capacity, values->count + 1, sizeof *values->items))
            return error_set(l->e, "out of memory");
        values->items[values->count++] = value;
    }
    lua_pop(L, 1);
    return true;
}

/* An axis without a description has the one of the axis of that name which was described first: families have many axes
   in common. The record is on top of the stack. */
static void describe_axes(loader *l)
{
    lua_getfield(l->lua, -1, "texts");
    for (size_t a = 0; a < l->axis_count; ++a)
        if (!l->axes[a].description)
            l->axes[a].description = casefile_string(l->lua, l->axes[a].name);
    lua_pop(l->lua, 1);
}

/* Read the declared axes. The record is on top of the stack. */
bool casefile_read_axes(loader *l)
{
    lua_State *L = l->lua;
    lua_getfield(L, -1, "axes");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i) {
        declared_axis *a = &l->axes[l->axis_count];
        if (l->axis_count == SPACE_MAX_AXES)
            return casefile_fail(l, casefile_int(L, "line"), "more than %d axes", SPACE_MAX_AXES);
        a->name = casefile_string(L, "name");
        a->description = casefile_string(L, "text");
        a->line = casefile_int(L, "line");
        a->per = SPACE_SCALAR;
        if (!a->name || strspn(a->name, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(a->name) || !*a->name)
            return casefile_fail(l, a->line, "an axis needs a name of small letters, digits and _");
        if (strcmp(a->name, "i") == 0 || casefile_axis(l, a->name) >= 0)
            return casefile_fail(l, a->line, "axis '%s' is %s", a->name,
                                 casefile_axis(l, a->name) >= 0 ? "declared twice"
                                                                : "not possible: i numbers elements");
        lua_getfield(L, -1, "position");
        a->position = lua_toboolean(L, -1);
        lua_pop(L, 1);
        lua_getfield(L, -1, "values");
        lua_getfield(L, -1, "per");
        if (lua_type(L, -1) == LUA_TSTRING) {
            a->per = casefile_axis(l, lua_tostring(L, -1));
            if (a->per < 0)
                return casefile_fail(l, a->line, "axis '%s': per = \"%s\" names no axis declared before it", a->name,
                                     lua_tostring(L, -1));
        } else if (lua_isinteger(L, -1)) {
            a->per = SPACE_FIXED;
            a->fixed = (uint32_t)lua_tointeger(L, -1);
        } else if (!lua_isnil(L, -1)) {
            return casefile_fail(l, a->line, "axis '%s': per is the name of an axis or a number", a->name);
        }
        lua_pop(L, 1);
        a->numbers = has_decimals(L);
        if (a->numbers && a->per != SPACE_SCALAR)
            return casefile_fail(l, a->line, "axis '%s': a vector has integers or names: ids join its values by dots",
                                 a->name);
        if (!collect_symbols(l, a, a->line))
            return false;
        l->axis_count++;
        lua_pop(L, 2);
    }
    lua_pop(L, 2);
    describe_axes(l);

    /* Names that only a test uses. */
    lua_getfield(L, -1, "tests");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        int line = casefile_int(L, "line");
        lua_getfield(L, -1, "def");
        for (size_t a = 0; a < l->axis_count; ++a) {
            lua_getfield(L, -1, l->axes[a].name);
            if (lua_istable(L, -1) && !collect_symbols(l, &l->axes[a], line))
                return false;
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 2);

    for (size_t a = 0; a < l->axis_count; ++a)
        complete_layouts(&l->axes[a]);
    lua_getfield(L, -1, "axes");
    for (size_t a = 0; a < l->axis_count; ++a) {
        lua_rawgeti(L, -1, (lua_Integer)a + 1);
        lua_getfield(L, -1, "values");
        if (!casefile_values(l, &l->axes[a], l->axes[a].line, &l->axes[a].values))
            return false;
        if (l->axes[a].values.count == 0)
            return casefile_fail(l, l->axes[a].line, "axis '%s' has no values", l->axes[a].name);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return true;
}
