/* SPDX-License-Identifier: Apache-2.0 */
/* From one op:test to a space. */
#include "harness/base/array.h"
#include "harness/casefile/casefile_internal.h"

static bool reserved_key(const char *key)
{
    static const char *const keys[] = { "where",  "tier",   "strength", "vary",  "limit", "name",
                                        "change", "sparse", "vast",     "after", "from",  "draw",
                                        "each",   "cases",  "preceded", "asked", "fresh", "in_place" };
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
static bool test_values(loader *l, const declared_axis *a, int line, value_list *values)
{
    lua_State *L = l->lua;
    int top = lua_gettop(L);
    lua_getfield(L, -1, a->name);
    bool all = lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "*") == 0;
    if (lua_istable(L, -1)) {
        if (!casefile_values(l, a, line, values))
            return false;
        if (values->count == 0)
            return casefile_fail(l, line, "axis '%s' has no values in this test", a->name);
        lua_settop(L, top);
        return true;
    }
    if (!all && !lua_isnil(L, -1))
        return casefile_fail(l, line, "axis '%s': expected a list of values or \"*\", not %s", a->name,
                             luaL_typename(L, -1));
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
    if (!array_reserve(&values->items, &values->capacity, a->values.count, sizeof *values->items))
        return error_set(l->e, "out of memory");
    for (size_t i = 0; i < (all ? a->values.count : 1); ++i) {
        const int64_t value = a->values.items[i];
        if (a->symbol_count || limit == INT64_MAX || (value <= limit && value >= -limit))
            values->items[values->count++] = value;
    }
    return values->count ? true : casefile_fail(l, line, "limit leaves no value of axis '%s'", a->name);
}

/* A string or a list of strings, each through f. The value is on top of the stack and is popped. */
static bool each_string(loader *l, int line, const char *what,
                        bool (*f)(loader *l, space *s, const char *text, int line), space *s)
{
    lua_State *L = l->lua;
    bool fine = true;
    if (lua_type(L, -1) == LUA_TSTRING) {
        fine = f(l, s, lua_tostring(L, -1), line);
    } else if (lua_istable(L, -1)) {
        lua_Integer i = 1, count = 0;
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
            ++count;
        for (; fine && lua_rawgeti(L, -1, i) != LUA_TNIL; ++i) {
            fine = lua_type(L, -1) == LUA_TSTRING ? f(l, s, lua_tostring(L, -1), line)
                                                  : casefile_fail(l, line, "%s: expected strings", what);
            lua_pop(L, 1);
        }
        if (fine)
            lua_pop(L, 1);
        if (fine && count != i - 1) /* what stands behind a nil would never be read */
            fine = casefile_fail(l, line, "%s: expected a list of strings without gaps: number %d is nil", what, (int)i);
    } else if (!lua_isnil(L, -1)) {
        fine = casefile_fail(l, line, "%s: expected a string or a list of strings, not %s", what, luaL_typename(L, -1));
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
        value_list values = { .items = NULL };
        bool fine = test_values(l, d, line, &values);
        if (fine) {
            space_axis axis = { .name = d->name,
                                .description = d->description,
                                .per = d->per,
                                .fixed = d->fixed,
                                .fallback = d->values.items[0],
                                .position = d->position,
                                .values = values.items,
                                .count = values.count,
                                .symbols = d->symbol_count ? d->symbols : NULL,
                                .symbol_values = d->symbol_values,
                                .symbol_count = d->symbol_count,
                                .numbers = d->numbers };
            fine = space_add_axis(t->space, &axis, l->e);
            if (!fine)
                error_prefix(l->e, "%s:%d", l->path, line);
        }
        free(values.items);
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
        int where_line = casefile_int(L, "line");
        lua_getfield(L, -1, "text");
        if (!each_string(l, where_line, "where", add_where, t->space))
            return false;
        lua_pop(L, 1);
    }
    lua_pop(L, 2);
    lua_getfield(L, -1, "where");
    return each_string(l, line, "where", add_where, t->space);
}

/* The calls before each case: a list of words. The definition is on top of the stack. */
static bool read_after(loader *l, case_test *t, int line)
{
    static const char *const words[] = {
        [AFTER_SAME] = "same", [AFTER_DATA] = "data", [AFTER_OTHER] = "other", [AFTER_CLASS] = "class"
    };
    lua_State *L = l->lua;
    int top = lua_gettop(L), type = lua_getfield(L, top, "after");
    for (lua_Integer i = 1; type == LUA_TTABLE && lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        unsigned k = 0;
        while (k < 4 && !(lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), words[k]) == 0))
            ++k;
        if (k == 4 || t->after_count == CASE_MAX_AFTER)
            break;
        t->after[t->after_count++] = (case_after)k;
    }
    if (type != LUA_TNIL && (type != LUA_TTABLE || lua_gettop(L) != top + 2 || !lua_isnil(L, -1) || !t->after_count))
        return casefile_fail(l, line,
                             "test '%s': after is a list of up to %d words: \"same\", \"data\", \"other\" or \"class\"",
                             t->name, CASE_MAX_AFTER);
    lua_settop(L, top);
    return true;
}

/* A word that is true or false. The definition is on top of the stack. */
static bool read_flag(loader *l, const case_test *t, int line, const char *word, bool *flag)
{
    lua_State *L = l->lua;
    int type = lua_getfield(L, -1, word);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        return casefile_fail(l, line, "test '%s': %s is true or false, not %s", t->name, word, luaL_typename(L, -1));
    *flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return true;
}

/* Check the fields of a test that are no axes, so that a misspelt one is an error. The definition is on top of the
   stack. */
static bool read_words(loader *l, case_test *t, int line)
{
    lua_State *L = l->lua;
    char names[512];
    int top = lua_gettop(L), type = lua_getfield(L, top, "tier");
    int tier = type == LUA_TNIL ? TIER_FULL : TIER_QUICK;
    while (type == LUA_TSTRING && tier <= TIER_EXHAUSTIVE &&
           strcmp(lua_tostring(L, -1), case_tier_name((case_tier)tier)))
        ++tier;
    if ((type != LUA_TNIL && type != LUA_TSTRING) || tier > TIER_EXHAUSTIVE)
        return casefile_fail(l, line, "test '%s': tier is \"%s\"; expected quick, full or exhaustive", t->name,
                             type == LUA_TSTRING ? lua_tostring(L, -1) : luaL_typename(L, -1));
    t->tier = (case_tier)tier;
    lua_settop(L, top);
    if (!read_flag(l, t, line, "sparse", &t->sparse) || !read_flag(l, t, line, "vast", &t->vast) ||
        !read_flag(l, t, line, "asked", &t->asked) || !read_flag(l, t, line, "fresh", &t->fresh) ||
        !read_flag(l, t, line, "in_place", &t->in_place) || !read_after(l, t, line))
        return false;
    if (t->in_place && (t->sparse || t->asked || t->kind != CASE_VALID))
        return casefile_fail(l, line, "test '%s': in_place is for legal cases that are executed in ordinary memory",
                             t->name);
    if (t->in_place && !t->file->op->in_place)
        return casefile_fail(l, line, "test '%s': in_place: the specification of %s does not allow it", t->name,
                             t->file->op->name);
    type = lua_getfield(L, top, "strength");
    t->strength = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 0 ? (unsigned)lua_tointeger(L, -1) : 0;
    if (type != LUA_TNIL && t->strength != 2 && t->strength != 3)
        return casefile_fail(l, line, "test '%s': strength: 2 (every pair) or 3 (every triple) is possible", t->name);
    type = lua_getfield(L, top, "from");
    t->from = type == LUA_TSTRING ? tensor_level_named(lua_tostring(L, -1)) : 0;
    if (type != LUA_TNIL && t->from == 0)
        return casefile_fail(l, line, "test '%s': from must be a feature level such as \"6_3\"", t->name);
    type = lua_getfield(L, top, "vary");
    if (type != LUA_TNIL && type != LUA_TTABLE && !(type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "*") == 0))
        return casefile_fail(l, line, "test '%s': vary is \"*\" or a list of axes", t->name);
    for (lua_Integer i = 1; type == LUA_TTABLE && lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1))
        if (lua_type(L, -1) != LUA_TSTRING || casefile_axis(l, lua_tostring(L, -1)) < 0)
            return casefile_fail(l, line, "test '%s': vary: there is no axis '%s'; the axes are %s", t->name,
                                 lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?",
                                 casefile_axis_names(l, names, sizeof names));
    lua_settop(L, top);
    type = lua_getfield(L, top, "limit");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        return casefile_fail(l, line, "test '%s': limit must be a table such as { size = 5 }", t->name);
    if (type == LUA_TTABLE)
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
            if (lua_type(L, -2) != LUA_TSTRING || casefile_axis(l, lua_tostring(L, -2)) < 0 || !lua_isinteger(L, -1))
                return casefile_fail(l, line, "test '%s': limit: '%s' is no axis with an integer; the axes are %s",
                                     t->name, lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?",
                                     casefile_axis_names(l, names, sizeof names));
    lua_settop(L, top);
    return true;
}

/* The clauses whose limits the test reaches from inside, with blanks between them. */
static bool read_inside(loader *l, int line, const char *clauses, case_test *t)
{
    char clause[32];
    if (!(t->inside = strdup(clauses)))
        return error_set(l->e, "out of memory");
    for (const char *at = clauses; *at; at += strspn(at, " ")) {
        const size_t n = strcspn(at, " ");
        snprintf(clause, sizeof clause, "%.*s", (int)(n < sizeof clause ? n : sizeof clause - 1), at);
        if (!operator_clause(l->file->op, clause))
            return casefile_fail(l, line, "limit: %s has no clause '%s'", l->file->op->name, clause);
        at += n;
    }
    return true;
}

const case_test *casefile_first_of_family(const case_test *t)
{
    const case_test *first = t->file->tests;
    while (first < t && (first->family != t->family || first->kind == CASE_EXAMPLES))
        ++first;
    return first < t ? first : NULL;
}

bool casefile_read_test(loader *l, int record, case_test *t)
{
    lua_State *L = l->lua;
    char names[512];
    int line = casefile_int(L, "line");
    const char *name = casefile_string(L, "name");
    t->file = l->file;
    t->family = l->family;
    t->kind = CASE_VALID;
    const char *clause = casefile_string(L, "invalid");
    if (clause) {
        t->kind = CASE_INVALID;
        t->clause = strdup(clause);
        if (!operator_clause(l->file->op, clause))
            return casefile_fail(l, line, "invalid: %s has no clause '%s'", l->file->op->name, clause);
    } else if (casefile_int(L, "beyond")) {
        t->kind = CASE_BEYOND;
    }
    const char *inside = casefile_string(L, "inside");
    if (inside && !read_inside(l, line, inside, t))
        return false;
    const char *letters = clause || inside ? "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
                                           : "abcdefghijklmnopqrstuvwxyz0123456789_-";
    if (!name || strspn(name, letters) != strlen(name) || !*name)
        return casefile_fail(l, line, "a test needs a name of small letters, digits, - and _");
    t->name = strdup(name);
    lua_getfield(L, -1, "def");
    if (!lua_istable(L, -1))
        return casefile_fail(l, line, "test '%s': expected a table, not %s", name, luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TNUMBER) {
            if (lua_tointeger(L, -2) != 1 || lua_type(L, -1) != LUA_TSTRING)
                return casefile_fail(l, line, "test '%s': the only value without a name is its title, a string", name);
            free(t->title);
            t->title = strdup(lua_tostring(L, -1));
        } else if (lua_type(L, -2) != LUA_TSTRING ||
                   (!reserved_key(lua_tostring(L, -2)) && casefile_axis(l, lua_tostring(L, -2)) < 0)) {
            return casefile_fail(l, line, "test '%s': there is no axis '%s'; the axes are %s", name,
                                 lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?",
                                 casefile_axis_names(l, names, sizeof names));
        }
    }
    if (!t->title)
        return casefile_fail(l, line, "test '%s' needs a title: one line that describes what it tests", name);
    if (!read_words(l, t, line))
        return false;
    lua_getfield(L, -1, "draw");
    const bool drawn = !lua_isnil(L, -1);
    lua_pop(L, 1);
    t->space = space_new(l->file->op->name, name);
    if (!t->space)
        return error_set(l->e, "out of memory");
    const case_test *first = casefile_first_of_family(t);
    space_share_texts(t->space, first ? first->space : NULL);
    if (!add_axes(l, t, line) || !add_predicates(l, record, t, line))
        return false;
    if (drawn)
        return casefile_read_draw(l, line, t);
    if (t->strength == 0 && t->after_count == 0) /* there the next case has other vectors */
        space_allow_inner(t->space);
    if (!space_close(t->space, l->e))
        return error_prefix(l->e, "%s:%d", l->path, line);
    if (t->strength == 0 && space_points(t->space) >= UINT64_C(1) << 62)
        return casefile_fail(l, line, "test '%s' has more than 2^62 points; limit it, or give it a strength", name);
    return true;
}
