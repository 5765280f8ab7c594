/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A case file runs once, in a sandbox, against a few lines of Lua that only write down what it declares. Then this
 * file turns what was written down into spaces and compiled expressions. So every mistake is found at loading, with
 * the line of the declaration.
 */
#include "harness/casefile.h"

#include "harness/casefile_lua.h"
#include "harness/descriptor.h"
#include "harness/fill.h"
#include "harness/layout.h"
#include "harness/platform.h"

#include <limits.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tier_names[] = { "quick", "full", "exhaustive" };

const char *case_tier_name(case_tier t)
{
    return tier_names[t];
}

/* ---- names of enumerated values ---- */

/* One axis as declared for the operator, with every name that it or a test gives to a value. */
typedef struct declared_axis {
    const char *name; /* lives in the Lua state */
    int line;
    int per;          /* as in space_axis */
    uint32_t fixed;
    bool position;
    int64_t *values;
    size_t count;
    const char *symbols[96];
    int64_t symbol_values[96];
    size_t symbol_count;
} declared_axis;

typedef struct loader {
    lua_State *lua;
    const char *path;
    case_file *file;
    declared_axis axes[SPACE_MAX_AXES];
    size_t axis_count;
    error *e;
} loader;

static bool fail(loader *l, int line, const char *format, ...) ERROR_PRINTF(3, 4);
static bool fail(loader *l, int line, const char *format, ...)
{
    char text[700];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return error_usage(l->e, "%s:%d: %s", l->path, line, text);
}

/* What a name stands for: data types, layouts, fills and profiles have numbers of their own, other names get one in
   order of appearance. */
static int64_t symbol_number(const declared_axis *a, const char *name)
{
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
        return fail(l, line, "axis '%s' has more than %zu named values", a->name, a->symbol_count);
    if (strpbrk(name, ",=:* ") || *name == '\0')
        return fail(l, line, "axis '%s': '%s' cannot be a value: ids use , = : * and blanks", a->name, name);
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
        } else if (lua_type(L, -1) == LUA_TSTRING) {
            if (!add_symbol(l, a, line, lua_tostring(L, -1)))
                return false;
        }
    }
    lua_pop(L, 1);
    return true;
}

/* Append the values of a (nested) list on top of the stack. */
static bool collect_values(loader *l, const declared_axis *a, int line, int64_t **values, size_t *count)
{
    lua_State *L = l->lua;
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        int64_t value = 0;
        switch (lua_type(L, -1)) {
        case LUA_TTABLE:
            if (!collect_values(l, a, line, values, count))
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
            if (lua_isinteger(L, -1)) {
                if (a->symbol_count)
                    return fail(l, line, "axis '%s' mixes names and numbers", a->name);
                value = lua_tointeger(L, -1);
                break;
            } /* fall through */
        default:
            return fail(l, line, "axis '%s': value %zu is %s; expected an integer or a name", a->name, *count + 1,
                        luaL_typename(L, -1));
        }
        for (size_t k = 0; k < *count; ++k)
            if ((*values)[k] == value)
                return fail(l, line, "axis '%s' has a value twice (number %zu)", a->name, *count + 1);
        int64_t *grown = realloc(*values, (*count + 1) * sizeof **values);
        if (!grown)
            return error_set(l->e, "out of memory");
        *values = grown;
        grown[(*count)++] = value;
    }
    lua_pop(L, 1);
    return true;
}

static int axis_index(const loader *l, const char *name)
{
    for (size_t i = 0; i < l->axis_count; ++i)
        if (strcmp(l->axes[i].name, name) == 0)
            return (int)i;
    return -1;
}

/* "rank, dtype, size" for messages. */
static const char *axis_names(const loader *l, char *buf, size_t size)
{
    size_t used = 0;
    *buf = '\0';
    for (size_t i = 0; i < l->axis_count && used < size; ++i)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "", l->axes[i].name);
    return buf;
}

/* The field of the table on top of the stack as a string that lives as long as the state, or NULL. */
static const char *string_field(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    lua_pop(L, 1);
    return text;
}

static int int_field(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    int value = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return value;
}

/* Read the declared axes. The record is on top of the stack. */
static bool read_axes(loader *l)
{
    lua_State *L = l->lua;
    lua_getfield(L, -1, "axes");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i) {
        declared_axis *a = &l->axes[l->axis_count];
        if (l->axis_count == SPACE_MAX_AXES)
            return fail(l, int_field(L, "line"), "more than %d axes", SPACE_MAX_AXES);
        a->name = string_field(L, "name");
        a->line = int_field(L, "line");
        a->per = SPACE_SCALAR;
        if (!a->name || strspn(a->name, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(a->name) || !*a->name)
            return fail(l, a->line, "an axis needs a name of small letters, digits and _");
        if (strcmp(a->name, "i") == 0 || axis_index(l, a->name) >= 0)
            return fail(l, a->line, "axis '%s' is %s", a->name,
                        axis_index(l, a->name) >= 0 ? "declared twice" : "not possible: i numbers elements");
        lua_getfield(L, -1, "position");
        a->position = lua_toboolean(L, -1);
        lua_pop(L, 1);
        lua_getfield(L, -1, "values");
        lua_getfield(L, -1, "per");
        if (lua_type(L, -1) == LUA_TSTRING) {
            a->per = axis_index(l, lua_tostring(L, -1));
            if (a->per < 0)
                return fail(l, a->line, "axis '%s': per = \"%s\" names no axis declared before it", a->name,
                            lua_tostring(L, -1));
        } else if (lua_isinteger(L, -1)) {
            a->per = SPACE_FIXED;
            a->fixed = (uint32_t)lua_tointeger(L, -1);
        } else if (!lua_isnil(L, -1)) {
            return fail(l, a->line, "axis '%s': per is the name of an axis or a number", a->name);
        }
        lua_pop(L, 1);
        if (!collect_symbols(l, a, a->line))
            return false;
        l->axis_count++;
        lua_pop(L, 2);
    }
    lua_pop(L, 2);

    /* Names that only a test uses. */
    lua_getfield(L, -1, "tests");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        int line = int_field(L, "line");
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
        if (!collect_values(l, &l->axes[a], l->axes[a].line, &l->axes[a].values, &l->axes[a].count))
            return false;
        if (l->axes[a].count == 0)
            return fail(l, l->axes[a].line, "axis '%s' has no values", l->axes[a].name);
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
    return true;
}

/* ---- tests ---- */

static bool reserved_key(const char *key)
{
    static const char *const keys[] = { "where", "tier", "strength", "vary", "limit" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i)
        if (strcmp(key, keys[i]) == 0)
            return true;
    return false;
}

/* Does `vary` name the axis ("*", or a list of names)? The definition is on top of the stack; the caller restores
   the stack. */
static bool varies(lua_State *L, const char *axis)
{
    bool yes = false;
    lua_getfield(L, -1, "vary");
    if (lua_type(L, -1) == LUA_TSTRING)
        yes = strcmp(lua_tostring(L, -1), "*") == 0;
    else if (lua_istable(L, -1))
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
            yes = yes || (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), axis) == 0);
    return yes;
}

/* The values of one axis in one test. The definition is on top of the stack. */
static bool test_values(loader *l, const declared_axis *a, int line, int64_t **values, size_t *count)
{
    lua_State *L = l->lua;
    int top = lua_gettop(L);
    lua_getfield(L, -1, a->name);
    bool all = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "*") == 0;
    if (lua_istable(L, -1)) {
        if (!collect_values(l, a, line, values, count))
            return false;
        if (*count == 0)
            return fail(l, line, "axis '%s' has no values in this test", a->name);
        lua_settop(L, top);
        return true;
    }
    if (!all && !lua_isnil(L, -1))
        return fail(l, line, "axis '%s': expected a list of values or \"*\", not %s", a->name, luaL_typename(L, -1));
    lua_settop(L, top);
    if (!all)
        all = varies(L, a->name);
    lua_settop(L, top);
    int64_t limit = INT64_MAX;
    lua_getfield(L, -1, "limit");
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, a->name);
        if (lua_isinteger(L, -1))
            limit = lua_tointeger(L, -1);
    }
    lua_settop(L, top);
    *values = malloc(a->count * sizeof **values);
    if (!*values)
        return error_set(l->e, "out of memory");
    for (size_t i = 0; i < (all ? a->count : 1); ++i)
        if (a->symbol_count || llabs(a->values[i]) <= limit)
            (*values)[(*count)++] = a->values[i];
    return *count ? true : fail(l, line, "limit leaves no value of axis '%s'", a->name);
}

/* A string or a list of strings, each through f. The value is on top of the stack and is popped. */
static bool each_string(loader *l, int line, const char *what, bool (*f)(loader *l, space *s, const char *text,
                                                                        int line), space *s)
{
    lua_State *L = l->lua;
    bool fine = true;
    if (lua_type(L, -1) == LUA_TSTRING) {
        fine = f(l, s, lua_tostring(L, -1), line);
    } else if (lua_istable(L, -1)) {
        for (lua_Integer i = 1; fine && lua_rawgeti(L, -1, i) != LUA_TNIL; ++i) {
            fine = lua_type(L, -1) == LUA_TSTRING ? f(l, s, lua_tostring(L, -1), line)
                                                  : fail(l, line, "%s: expected strings", what);
            lua_pop(L, 1);
        }
        if (fine)
            lua_pop(L, 1);
    } else if (!lua_isnil(L, -1)) {
        fine = fail(l, line, "%s: expected a string or a list of strings, not %s", what, luaL_typename(L, -1));
    }
    if (fine)
        lua_pop(L, 1);
    return fine;
}

static bool add_where(loader *l, space *s, const char *text, int line)
{
    char place[PATH_MAX + 16];
    snprintf(place, sizeof place, "%s:%d", l->path, line);
    return space_where(s, text, place, l->e);
}

/* Add the axes of a test to its space. The definition is on top of the stack. */
static bool add_axes(loader *l, case_test *t, int line)
{
    for (size_t a = 0; a < l->axis_count; ++a) {
        declared_axis *d = &l->axes[a];
        int64_t *values = NULL;
        size_t count = 0;
        bool fine = test_values(l, d, line, &values, &count);
        if (fine) {
            space_axis axis = { .name = d->name,
                                .per = d->per,
                                .fixed = d->fixed,
                                .fallback = d->values[0],
                                .position = d->position,
                                .values = values,
                                .count = count,
                                .symbols = d->symbol_count ? d->symbols : NULL,
                                .symbol_values = d->symbol_values,
                                .symbol_count = d->symbol_count };
            fine = space_add_axis(t->space, &axis, l->e);
            if (!fine)
                error_prefix(l->e, "%s:%d", l->path, line);
        }
        free(values);
        if (!fine)
            return false;
    }
    return true;
}

/* Predicates of the operator, then of the test. The definition is on top of the stack, the record below `record`. */
static bool add_predicates(loader *l, int record, case_test *t, int line)
{
    lua_State *L = l->lua;
    lua_getfield(L, record, "where");
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i) {
        int where_line = int_field(L, "line");
        lua_getfield(L, -1, "text");
        if (!each_string(l, where_line, "where", add_where, t->space))
            return false;
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    lua_getfield(L, -1, "where");
    return each_string(l, line, "where", add_where, t->space);
}

static bool read_test(loader *l, int record, case_test *t)
{
    lua_State *L = l->lua;
    char names[512];
    int line = int_field(L, "line");
    const char *name = string_field(L, "name");
    t->file = l->file;
    t->kind = CASE_VALID;
    t->tier = TIER_FULL;
    if (!name || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != strlen(name) || !*name)
        return fail(l, line, "a test needs a name of small letters, digits, - and _");
    t->name = strdup(name);
    lua_getfield(L, -1, "def");
    if (!lua_istable(L, -1))
        return fail(l, line, "test '%s': expected a table, not %s", name, luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TNUMBER) {
            if (lua_tointeger(L, -2) != 1 || lua_type(L, -1) != LUA_TSTRING)
                return fail(l, line, "test '%s': the only value without a name is its title, a string", name);
            free(t->title);
            t->title = strdup(lua_tostring(L, -1));
        } else if (lua_type(L, -2) != LUA_TSTRING ||
                   (!reserved_key(lua_tostring(L, -2)) && axis_index(l, lua_tostring(L, -2)) < 0)) {
            return fail(l, line, "test '%s': there is no axis '%s'; the axes are %s", name,
                        lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?",
                        axis_names(l, names, sizeof names));
        }
    }
    if (!t->title)
        return fail(l, line, "test '%s' needs a title: one line that says what it tries", name);
    lua_getfield(L, -1, "vary"); /* a misspelt axis must not pass for none */
    if (lua_istable(L, -1))
        for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
            if (lua_type(L, -1) != LUA_TSTRING || axis_index(l, lua_tostring(L, -1)) < 0)
                return fail(l, line, "test '%s': vary: there is no axis '%s'; the axes are %s", name,
                            lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?",
                            axis_names(l, names, sizeof names));
    lua_settop(L, record + 3);
    const char *tier = string_field(L, "tier");
    for (int i = 0; tier && i <= TIER_EXHAUSTIVE; ++i)
        if (strcmp(tier, tier_names[i]) == 0) {
            t->tier = (case_tier)i;
            tier = NULL;
        }
    if (tier)
        return fail(l, line, "test '%s': tier \"%s\"; expected quick, full or exhaustive", name, tier);
    t->strength = (unsigned)int_field(L, "strength");
    t->space = space_new(l->file->op->name, name);
    if (!t->space)
        return error_set(l->e, "out of memory");
    if (!add_axes(l, t, line) || !add_predicates(l, record, t, line))
        return false;
    if (!space_close(t->space, l->e))
        return error_prefix(l->e, "%s:%d", l->path, line);
    if (t->strength == 0 && space_points(t->space) >= UINT64_C(1) << 62)
        return fail(l, line, "test '%s' has more than 2^62 points; limit it, or give it a strength", name);
    return true;
}

/* ---- bindings ---- */

static expr *compile_field(loader *l, const char *field, const char *what, int line, const expr_scope *scope,
                           expr_type wanted, bool *fine)
{
    lua_State *L = l->lua;
    char place[PATH_MAX + 160], number[32];
    expr *x = NULL;
    lua_getfield(L, -1, field);
    if (!lua_isnil(L, -1)) {
        const char *text = NULL;
        if (lua_isinteger(L, -1)) {
            snprintf(number, sizeof number, "%lld", (long long)lua_tointeger(L, -1));
            text = number;
        } else if (lua_type(L, -1) == LUA_TSTRING) {
            text = lua_tostring(L, -1);
        }
        snprintf(place, sizeof place, "%s:%d: bind %s.%s", l->path, line, what, field);
        if (!text)
            *fine = error_usage(l->e, "%s: expected an expression in a string, not %s", place, luaL_typename(L, -1));
        else if (!(x = expr_compile(text, scope, place, l->e)))
            *fine = false;
        else if (expr_type_of(x) != wanted && !(wanted == EXPR_BOOL && expr_type_of(x) == EXPR_INT)) {
            static const char *const types[] = { "an integer", "a vector", "a truth value" };
            *fine = error_usage(l->e, "%s: '%s' is %s; expected %s", place, text, types[expr_type_of(x)],
                                types[wanted]);
        }
    }
    lua_pop(L, 1);
    return x;
}

static bool check_fields(loader *l, const char *what, int line, const char *const *known, size_t count)
{
    lua_State *L = l->lua;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        bool found = false;
        for (size_t i = 0; i < count; ++i)
            found = found || (lua_type(L, -2) == LUA_TSTRING && strcmp(known[i], lua_tostring(L, -2)) == 0);
        if (!found)
            return fail(l, line, "bind %s has no field '%s'", what,
                        lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?");
    }
    return true;
}

/* The table that binds a tensor is on top of the stack. */
static bool bind_tensor(loader *l, int line, const char *name, case_tensor *t, const expr_scope *scope,
                        const expr_scope *data_scope)
{
    static const char *const fields[] = { "Present", "DataType", "Sizes",     "Rank", "Layout",
                                          "Strides", "Extra",    "Alignment", "Fill", "Data" };
    bool fine = check_fields(l, name, line, fields, sizeof fields / sizeof fields[0]);
    struct {
        const char *field;
        expr **to;
        expr_type type;
        const expr_scope *scope;
    } rows[] = {
        { "Present", &t->present, EXPR_BOOL, scope }, { "DataType", &t->dtype, EXPR_INT, scope },
        { "Sizes", &t->sizes, EXPR_VECTOR, scope },   { "Rank", &t->rank, EXPR_INT, scope },
        { "Layout", &t->layout, EXPR_INT, scope },    { "Strides", &t->strides, EXPR_VECTOR, scope },
        { "Extra", &t->extra, EXPR_INT, scope },      { "Alignment", &t->alignment, EXPR_INT, scope },
        { "Fill", &t->fill, EXPR_INT, scope },        { "Data", &t->data, EXPR_INT, data_scope },
    };
    for (size_t i = 0; fine && i < sizeof rows / sizeof rows[0]; ++i)
        *rows[i].to = compile_field(l, rows[i].field, name, line, rows[i].scope, rows[i].type, &fine);
    t->bound = true;
    return fine;
}

static bool bind_attr(loader *l, int line, const ts_attr_decl *decl, case_attr *a, const expr_scope *scope)
{
    lua_State *L = l->lua;
    bool fine = true;
    expr_type wanted = decl->count == TS_SCALAR ? EXPR_INT : EXPR_VECTOR;
    if (lua_istable(L, -1)) {
        static const char *const fields[] = { "Value", "Present", "Count", "Rest" };
        fine = check_fields(l, decl->name, line, fields, sizeof fields / sizeof fields[0]);
        if (fine)
            a->value = compile_field(l, "Value", decl->name, line, scope, wanted, &fine);
        if (fine)
            a->present = compile_field(l, "Present", decl->name, line, scope, EXPR_BOOL, &fine);
        if (fine)
            a->count = compile_field(l, "Count", decl->name, line, scope, EXPR_INT, &fine);
        if (fine)
            a->rest = compile_field(l, "Rest", decl->name, line, scope, EXPR_INT, &fine);
        if (fine && (!a->value || (wanted == EXPR_INT && (a->count || a->rest))))
            fine = fail(l, line, "bind %s: %s", decl->name,
                        a->value ? "only a vector has a Count and a Rest" : "needs a Value");
        return fine;
    }
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "Value");
    a->value = compile_field(l, "Value", decl->name, line, scope, wanted, &fine);
    lua_pop(L, 1);
    return fine;
}

/* The record is on top of the stack. */
static bool read_bindings(loader *l, const expr_scope *scope)
{
    lua_State *L = l->lua;
    const ts_operator *op = l->file->op;
    expr_name names[EXPR_MAX_SLOTS];
    memcpy(names, scope->names, scope->count * sizeof *names);
    names[scope->count] = (expr_name){ .name = "i", .per = -1 };
    expr_scope data_scope = { names, scope->count + 1, false };
    l->file->index_slot = (int)scope->count;
    lua_getfield(L, -1, "bind");
    if (!lua_istable(L, -1))
        return fail(l, 1, "%s: no op:bind { ... } says how the axes become tensors and attributes", op->name);
    int line = int_field(L, "line");
    lua_getfield(L, -1, "def");
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
        int tensor = operator_tensor_index(op, name), attr = operator_attr_index(op, name);
        if (tensor < 0 && attr < 0)
            return fail(l, line, "bind: %s has no tensor or attribute '%s'", op->name, name);
        if (tensor >= 0 && !lua_istable(L, -1))
            return fail(l, line, "bind %s: expected a table with DataType, Sizes, ...", name);
        if (tensor >= 0 ? !bind_tensor(l, line, name, &l->file->tensors[tensor], scope, &data_scope)
                        : !bind_attr(l, line, &op->attrs[attr], &l->file->attrs[attr], scope))
            return false;
    }
    lua_pop(L, 2);
    for (unsigned t = 0; t < op->tensor_count; ++t)
        if (op->tensors[t].role == TS_INPUT && !op->tensors[t].optional && !l->file->tensors[t].sizes)
            return fail(l, line, "bind: input %s needs Sizes", op->tensors[t].name);
    if (!l->file->tensors[0].dtype)
        return fail(l, line, "bind: %s needs a DataType", op->tensors[0].name);
    return true;
}

/* ---- examples ---- */

/* Take "data" out of each tensor's object: it is no part of a descriptor. */
static void take_data(const ts_operator *op, json_t *record, json_t **data)
{
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        json_t *tensor = json_object_get(record, op->tensors[t].name);
        json_t *values = json_object_get(tensor, "data");
        if (values) {
            data[t] = json_incref(values);
            json_object_del(tensor, "data");
        }
    }
}

static char *take_string(json_t *record, const char *key)
{
    json_t *value = json_object_get(record, key);
    char *text = json_is_string(value) ? strdup(json_string_value(value)) : NULL;
    json_object_del(record, key);
    return text;
}

static bool read_example(loader *l, case_example *x)
{
    lua_State *L = l->lua;
    int line = int_field(L, "line");
    const char *name = string_field(L, "name");
    if (!name || !*name || strpbrk(name, ",=:* ."))
        return fail(l, line, "an example needs a name without blanks and , = : * .");
    x->name = strdup(name);
    lua_getfield(L, -1, "def");
    char message[256];
    json_t *record = casefile_lua_to_json(L, lua_gettop(L), message, sizeof message);
    lua_pop(L, 1);
    if (!record || !json_is_object(record)) {
        json_decref(record);
        return fail(l, line, "example '%s': %s", name, record ? "expected a table of fields" : message);
    }
    x->note = take_string(record, "note");
    x->invalid = take_string(record, "invalid");
    x->ambiguous = take_string(record, "ambiguous");
    take_data(l->file->op, record, x->data);
    bool fine = descriptor_from_json(l->file->op, record, &x->descriptor, l->e);
    json_decref(record);
    if (!fine)
        return error_prefix(l->e, "%s:%d: example '%s'", l->path, line, name);
    if (x->invalid && !operator_clause(l->file->op, x->invalid))
        return fail(l, line, "example '%s': %s has no clause '%s'", name, l->file->op->name, x->invalid);
    return true;
}

/* The space of the examples: which example, and which data type it is tried with. */
static bool make_example_test(loader *l, case_test *t)
{
    case_file *f = l->file;
    const ts_operator *op = f->op;
    t->file = f;
    t->name = strdup("examples");
    t->title = strdup("The published page's own examples, with every data type");
    t->tier = TIER_QUICK;
    t->kind = CASE_EXAMPLES;
    t->space = space_new(op->name, "examples");
    const char **names = calloc(f->example_count, sizeof *names);
    int64_t *numbers = calloc(f->example_count, sizeof *numbers);
    const char *types[TS_DTYPE_COUNT];
    int64_t type_values[TS_DTYPE_COUNT];
    size_t type_count = 0;
    if (!t->space || !names || !numbers) {
        free(names);
        free(numbers);
        return error_set(l->e, "out of memory");
    }
    for (size_t i = 0; i < f->example_count; ++i) {
        names[i] = f->examples[i].name;
        numbers[i] = (int64_t)i;
    }
    uint32_t natural = f->examples[0].descriptor.tensors[0].dtype;
    types[type_count] = tensor_dtype(natural)->id;
    type_values[type_count++] = natural;
    uint32_t allowed = op->support[op->support_count - 1].tensors[0].dtypes;
    for (uint32_t d = 1; d < TS_DTYPE_COUNT; ++d)
        if (d != natural && (allowed & TS_DTYPE_BIT(d))) {
            types[type_count] = tensor_dtype(d)->id;
            type_values[type_count++] = d;
        }
    space_axis axis = { .name = "example",
                        .per = SPACE_SCALAR,
                        .fallback = 0,
                        .always = true,
                        .values = numbers,
                        .count = f->example_count,
                        .symbols = names,
                        .symbol_values = numbers,
                        .symbol_count = f->example_count };
    space_axis dtype = { .name = "dtype",
                         .per = SPACE_SCALAR,
                         .fallback = natural,
                         .values = type_values,
                         .count = type_count,
                         .symbols = types,
                         .symbol_values = type_values,
                         .symbol_count = type_count };
    bool fine = space_add_axis(t->space, &axis, l->e) && space_add_axis(t->space, &dtype, l->e) &&
                space_close(t->space, l->e);
    free(names);
    free(numbers);
    return fine;
}

/* ---- the whole file ---- */

static size_t list_length(lua_State *L, const char *field)
{
    lua_getfield(L, -1, field);
    size_t n = lua_rawlen(L, -1);
    lua_pop(L, 1);
    return n;
}

static bool build(loader *l)
{
    lua_State *L = l->lua;
    int record = lua_gettop(L);
    const char *name = string_field(L, "op");
    if (!name)
        return fail(l, 1, "the file declares no operator; expected: local op = operator \"dml.name\"");
    if (!(l->file->op = operator_find(name)))
        return fail(l, int_field(L, "line"), "there is no operator '%s'", name);
    size_t tests = list_length(L, "tests"), examples = list_length(L, "examples");
    l->file->tests = calloc(tests + 1, sizeof *l->file->tests);
    l->file->examples = calloc(examples + 1, sizeof *l->file->examples);
    if (!l->file->tests || !l->file->examples)
        return error_set(l->e, "out of memory");
    if (tests + examples == 0)
        return fail(l, 1, "the file declares no tests");
    lua_getfield(L, record, "examples");
    for (size_t i = 0; i < examples; ++i) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        l->file->example_count++;
        if (!read_example(l, &l->file->examples[i]))
            return false;
        for (size_t k = 0; k < i; ++k)
            if (strcmp(l->file->examples[k].name, l->file->examples[i].name) == 0)
                return fail(l, int_field(L, "line"), "example '%s' is declared twice", l->file->examples[i].name);
        lua_pop(L, 1);
    }
    lua_settop(L, record);
    if (examples && !make_example_test(l, &l->file->tests[l->file->test_count++]))
        return false;
    if (tests == 0)
        return true;
    if (!read_axes(l))
        return false;
    for (size_t i = 0; i < tests; ++i) {
        lua_getfield(L, record, "tests");
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        case_test *t = &l->file->tests[l->file->test_count++];
        if (!read_test(l, record, t))
            return false;
        for (size_t k = 0; k + 1 < l->file->test_count; ++k)
            if (strcmp(l->file->tests[k].name, t->name) == 0)
                return fail(l, int_field(L, "line"), "test '%s' is declared twice", t->name);
        lua_settop(L, record);
    }
    return read_bindings(l, space_scope(l->file->tests[l->file->test_count - 1].space));
}

case_file *casefile_load(const char *path, error *e)
{
    sandbox box;
    if (!sandbox_open(&box, SANDBOX_MEMORY, SANDBOX_STEPS, e))
        return NULL;
    case_file *f = calloc(1, sizeof *f);
    loader *l = calloc(1, sizeof *l);
    bool fine = f && l;
    if (fine) {
        f->path = strdup(path);
        l->lua = box.lua;
        l->path = path;
        l->file = f;
        l->e = e;
        fine = casefile_lua_run(&box, path, f->digest, e) && build(l);
        for (size_t i = 0; i < l->axis_count; ++i)
            free(l->axes[i].values);
    } else {
        error_set(e, "out of memory");
    }
    free(l);
    sandbox_close(&box);
    if (!fine) {
        casefile_free(f);
        return NULL;
    }
    return f;
}

void casefile_free(case_file *f)
{
    if (!f)
        return;
    for (size_t i = 0; i < f->test_count; ++i) {
        free(f->tests[i].name);
        free(f->tests[i].title);
        space_free(f->tests[i].space);
    }
    for (size_t i = 0; i < f->example_count; ++i) {
        case_example *x = &f->examples[i];
        free(x->name);
        free(x->note);
        free(x->invalid);
        free(x->ambiguous);
        for (size_t t = 0; t < TS_MAX_TENSORS; ++t)
            json_decref(x->data[t]);
    }
    for (size_t t = 0; t < TS_MAX_TENSORS; ++t) {
        case_tensor *c = &f->tensors[t];
        expr *all[] = { c->present, c->dtype, c->sizes,     c->rank, c->layout,
                        c->strides, c->extra, c->alignment, c->fill, c->data };
        for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
            expr_free(all[i]);
    }
    for (size_t a = 0; a < TS_MAX_ATTRS; ++a) {
        expr_free(f->attrs[a].value);
        expr_free(f->attrs[a].present);
        expr_free(f->attrs[a].count);
        expr_free(f->attrs[a].rest);
    }
    free(f->tests);
    free(f->examples);
    free(f->path);
    free(f);
}

bool casefile_path(const ts_operator *op, char *buf, size_t size, error *e)
{
    char name[128], folder[PATH_MAX];
    snprintf(name, sizeof name, "%s", op->name);
    for (char *p = name; *p; ++p)
        if (*p == '.')
            *p = '/';
    const char *set = getenv("TOUCHSTONE_CASES");
    if (set) {
        if ((size_t)snprintf(buf, size, "%s/%s.lua", set, name) < size && access(buf, R_OK) == 0)
            return true;
        return error_usage(e, "%s: no case file of operator %s there (TOUCHSTONE_CASES)", buf, op->name);
    }
    if (platform_program_folder(folder, sizeof folder)) {
        static const char *const beside[] = { "../share/touchstone/cases", "../../cases", "../cases" };
        for (size_t i = 0; i < sizeof beside / sizeof beside[0]; ++i)
            if ((size_t)snprintf(buf, size, "%s/%s/%s.lua", folder, beside[i], name) < size && access(buf, R_OK) == 0)
                return true;
    }
    if ((size_t)snprintf(buf, size, "%s/cases/%s.lua", TOUCHSTONE_DATADIR, name) < size && access(buf, R_OK) == 0)
        return true;
    return error_usage(e, "no case file cases/%s.lua of operator %s found beside the program or in %s; set "
                          "TOUCHSTONE_CASES to the folder that holds it", name, op->name, TOUCHSTONE_DATADIR);
}

bool casefile_prepare(case_test *t, error *e)
{
    if (t->strength == 0 || t->covered)
        return true;
    t->covered = space_cover(t->space, t->strength, e);
    return t->covered;
}
