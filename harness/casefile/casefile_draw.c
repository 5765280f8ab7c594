/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/casefile_draw.h"

#include "harness/base/decimal.h"
#include "harness/casefile/casefile_internal.h"

#include "harness/casefile/casefile_generator.h"
#include "harness/casefile/random.h"
#include "harness/casefile/variant.h"
#include "harness/model/fill.h"

#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#define DRAW_STEPS UINT64_C(1000000) /* instructions for one point */

struct case_draw {
    sandbox *box;
    char *path;
    const space *space;
    uint64_t name_hash; /* of the operator and the test */
    uint64_t key;       /* of the same and the seed */
    random_source random;
    int function, generator, classes; /* references: the function, its arguments */
    int slots[SPACE_MAX_AXES];        /* the axes that the function returned last, in the order of its table */
};

/* ---- drawing ---- */

typedef struct request {
    case_draw *draw;
    expr_value *values;
    uint64_t class_slots;
    bool *again;
} request;

/* Push the value of a scalar axis as a case file writes it. */
static void push_value(lua_State *L, const space_axis *axis, int64_t value)
{
    const char *symbol = space_symbol(axis, value);
    if (axis->numbers)
        lua_pushnumber(L, decimal_of_key(value));
    else if (symbol)
        lua_pushstring(L, symbol);
    else
        lua_pushinteger(L, value);
}

/* The value on top of the stack as one of the axis. */
static int64_t take_value(lua_State *L, const space_axis *axis)
{
    if (axis->numbers && lua_type(L, -1) == LUA_TNUMBER && space_symbol(axis, decimal_key(lua_tonumber(L, -1))))
        return decimal_key(lua_tonumber(L, -1));
    if (lua_isinteger(L, -1) && !axis->symbols)
        return lua_tointeger(L, -1);
    if (lua_isboolean(L, -1) && !axis->symbols)
        return lua_toboolean(L, -1);
    if (lua_type(L, -1) == LUA_TSTRING)
        for (size_t i = 0; i < axis->symbol_count; ++i)
            if (strcmp(axis->symbols[i], lua_tostring(L, -1)) == 0)
                return axis->symbol_values[i];
    return luaL_error(L, "axis '%s' was given %s; expected %s", axis->name, luaL_tolstring(L, -1, NULL),
                      axis->numbers   ? "one of its numbers"
                      : axis->symbols ? "one of its names"
                                      : "an integer");
}

/* Store the value on top of the stack. */
static void store_value(lua_State *L, const space_axis *axis, expr_value *value)
{
    if (axis->per == SPACE_SCALAR) {
        value->v[0] = take_value(L, axis);
        return;
    }
    if (!lua_istable(L, -1))
        luaL_error(L, "axis '%s' is a vector and was given a %s", axis->name, luaL_typename(L, -1));
    const size_t n = lua_rawlen(L, -1);
    if (n > EXPR_MAX_LENGTH)
        luaL_error(L, "axis '%s' was given %d elements; at most %d are possible", axis->name, (int)n, EXPR_MAX_LENGTH);
    value->length = (uint32_t)n;
    for (size_t k = 0; k < n; ++k) {
        lua_rawgeti(L, -1, (lua_Integer)k + 1);
        value->v[k] = take_value(L, axis);
        lua_pop(L, 1);
    }
}

/* The slot of the nth name that the function returned, or -1. A function mostly returns the names of the last call, in
   the same order. */
static int slot_named(case_draw *d, unsigned nth, const char *name)
{
    const int guess = nth < SPACE_MAX_AXES ? d->slots[nth] : 0;
    if (strcmp(space_axis_at(d->space, (size_t)guess)->name, name) == 0)
        return guess;
    const int slot = space_axis_named(d->space, name);
    if (slot >= 0 && nth < SPACE_MAX_AXES)
        d->slots[nth] = slot;
    return slot;
}

/* In protected mode: call the function with r and the values of the class axes, and store what it returns. */
static int protected_draw(lua_State *L)
{
    const request *q = lua_touserdata(L, 1);
    case_draw *d = q->draw;
    unsigned nth = 0;
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->function);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->generator);
    lua_rawgeti(L, LUA_REGISTRYINDEX, d->classes);
    for (size_t i = 0; i < space_axis_count(d->space); ++i)
        if (space_axis_at(d->space, i)->per == SPACE_SCALAR && (q->class_slots >> i & 1)) {
            push_value(L, space_axis_at(d->space, i), q->values[i].v[0]);
            lua_setfield(L, -2, space_axis_at(d->space, i)->name);
        }
    lua_call(L, 2, 1);
    *q->again = lua_isnil(L, -1);
    if (*q->again)
        return 0;
    if (!lua_istable(L, -1))
        return luaL_error(L, "draw returns a table of axes and their values, or nil to draw again, not a %s",
                          luaL_typename(L, -1));
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const int slot = lua_type(L, -2) == LUA_TSTRING ? slot_named(d, nth++, lua_tostring(L, -2)) : -1;
        if (slot < 0 || space_axis_at(d->space, (size_t)slot)->position || (q->class_slots >> slot & 1))
            return luaL_error(L, "draw returns a value of '%s', which is %s",
                              lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?",
                              slot < 0 ? "no axis" : "an axis that is not drawn");
        store_value(L, space_axis_at(d->space, (size_t)slot), &q->values[slot]);
    }
    return 0;
}

bool case_draw_point(void *context, uint64_t index, unsigned attempt, expr_value *values, bool *again, error *e)
{
    case_draw *d = context;
    request q = { .draw = d, .values = values, .class_slots = space_class_slots(d->space), .again = again };
    random_begin(&d->random, d->key ^ fill_mix(index + 1) ^ fill_mix(~(uint64_t)attempt));
    sandbox_refill(d->box, DRAW_STEPS);
    return sandbox_call(d->box, protected_draw, &q, 0, e) ||
           error_prefix(e, "%s: %s:%s, point %llu", d->path, space_op(d->space), space_test(d->space),
                        (unsigned long long)index);
}

/* ---- */

static int make_arguments(lua_State *L)
{
    case_draw *d = lua_touserdata(L, 1);
    casefile_push_generator(L, &d->random);
    d->generator = luaL_ref(L, LUA_REGISTRYINDEX);
    lua_newtable(L);
    d->classes = luaL_ref(L, LUA_REGISTRYINDEX);
    return 0;
}

case_draw *case_draw_new(sandbox *box, const char *path, const space *s)
{
    char name[256];
    error e;
    case_draw *d = calloc(1, sizeof *d);
    if (!d || !(d->path = strdup(path))) {
        free(d);
        return NULL;
    }
    d->box = box;
    d->space = s;
    const int length = snprintf(name, sizeof name, "%s:%s", space_op(s), space_test(s));
    d->key = d->name_hash = XXH3_64bits(name, (size_t)length);
    d->function = luaL_ref(box->lua, LUA_REGISTRYINDEX);
    if (!sandbox_call(box, make_arguments, d, 0, &e)) {
        case_draw_free(d);
        return NULL;
    }
    return d;
}

void case_draw_free(case_draw *d)
{
    if (d)
        free(d->path);
    free(d);
}

void case_draw_set_seed(case_draw *d, uint64_t seed)
{
    d->key = seed ? XXH3_64bits_withSeed(&d->name_hash, sizeof d->name_hash, seed) : d->name_hash;
}

const char *casefile_title(const case_test *t, uint64_t index, char *buf, size_t size)
{
    snprintf(buf, size, "%s%s", t->title,
             space_is_added(t->space, index) ? " (named by its values: a case that is drawn, or the shrunk form of one)"
                                             : "");
    return buf;
}

void casefile_set_draws(case_test *t, uint64_t cases, uint64_t seed)
{
    space_set_draws(t->space, cases);
    case_draw_set_seed(t->draw, seed);
}

/* ---- the words of a drawn test ---- */

/* each: the axes whose combinations are enumerated, not drawn. The definition is on top of the stack. */
static bool read_each(loader *l, int line, const case_test *t, uint64_t *slots)
{
    lua_State *L = l->lua;
    char names[512];
    const int top = lua_gettop(L);
    if (lua_getfield(L, top, "each") != LUA_TTABLE)
        return casefile_fail(l, line, "test '%s': each is a list of axes whose values are taken in turn, not drawn",
                             t->name);
    for (lua_Integer i = 1; lua_rawgeti(L, -1, i) != LUA_TNIL; ++i, lua_pop(L, 1)) {
        const int slot = lua_type(L, -1) == LUA_TSTRING ? casefile_axis(l, lua_tostring(L, -1)) : -1;
        if (slot < 0)
            return casefile_fail(l, line, "test '%s': each: there is no axis '%s'; the axes are %s", t->name,
                                 lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "?",
                                 casefile_axis_names(l, names, sizeof names));
        *slots |= UINT64_C(1) << slot;
    }
    lua_settop(L, top);
    for (size_t a = 0; a < l->axis_count; ++a) {
        if (lua_getfield(L, top, l->axes[a].name) != LUA_TNIL && !(*slots >> a & 1))
            return casefile_fail(l, line, "test '%s': axis '%s' is drawn; name it in each to take its values in turn",
                                 t->name, l->axes[a].name);
        lua_settop(L, top);
    }
    return true;
}

/* cases: how many of them each tier has. The definition is on top of the stack. */
static bool read_cases(loader *l, int line, case_test *t)
{
    lua_State *L = l->lua;
    const int top = lua_gettop(L);
    uint64_t before = 0;
    bool fine = lua_getfield(L, top, "cases") == LUA_TTABLE;
    for (int tier = TIER_QUICK; fine && tier <= TIER_EXHAUSTIVE; ++tier) {
        const int type = lua_getfield(L, top + 1, case_tier_name((case_tier)tier));
        const lua_Integer n = type == LUA_TNIL ? (lua_Integer)before : lua_tointeger(L, -1);
        fine = (type == LUA_TNIL || lua_isinteger(L, -1)) && n >= (lua_Integer)before && n <= INT64_C(1) << 40;
        before = t->draws[tier] = (uint64_t)n;
        lua_settop(L, top + 1);
    }
    if (!fine || before == 0)
        return casefile_fail(l, line,
                             "test '%s': cases says how many cases each tier has, none fewer than the tier before and "
                             "at most 2^40: { quick = 2000, full = 20000, exhaustive = 1000000 }",
                             t->name);
    lua_settop(L, top);
    t->tier = t->draws[TIER_QUICK] ? TIER_QUICK : t->draws[TIER_FULL] ? TIER_FULL : TIER_EXHAUSTIVE;
    return true;
}

static bool is_word(const char *const *words, const char *word)
{
    while (*words && strcmp(*words, word) != 0)
        ++words;
    return *words != NULL;
}

/* Can the calls before a case change this axis? Not one that is the length of others. */
static bool can_differ(const loader *l, const char *name)
{
    const int axis = casefile_axis(l, name);
    bool fits = axis >= 0 && !l->axes[axis].position;
    for (size_t a = 0; fits && a < l->axis_count; ++a)
        fits = l->axes[a].per != axis;
    return fits;
}

/* The axis `how`, which may be absent. */
static bool check_how(loader *l, int line, const case_test *t)
{
    const int how = casefile_axis(l, "how");
    for (size_t i = 0; how >= 0 && i < l->axes[how].symbol_count; ++i)
        if (!is_word(variant_hows, l->axes[how].symbols[i]))
            return casefile_fail(l, line, "test '%s': how: '%s' is none of default, one, near, flip, negated and swap",
                                 t->name, l->axes[how].symbols[i]);
    return true;
}

/* preceded: the axes `before` and `times` name the calls before a case. The definition is on top of the stack. */
static bool read_preceded(loader *l, int line, case_test *t)
{
    lua_State *L = l->lua;
    const int before = casefile_axis(l, "before"), times = casefile_axis(l, "times");
    lua_getfield(L, -1, "preceded");
    t->preceded = lua_toboolean(L, -1);
    lua_pop(L, 1);
    if (!t->preceded)
        return true;
    if (before < 0 || times < 0 || l->axes[before].symbol_count == 0 || l->axes[times].per != SPACE_SCALAR)
        return casefile_fail(l, line,
                             "test '%s': preceded needs an axis `before`, whose values are \"data\", \"refused\", "
                             "\"swapped\", \"others\" and names of axes, and an axis `times`",
                             t->name);
    for (size_t i = 0; i < l->axes[before].symbol_count; ++i) {
        const char *name = l->axes[before].symbols[i];
        if (!is_word(variant_words, name) && !can_differ(l, name))
            return casefile_fail(l, line,
                                 "test '%s': before: '%s' is neither \"data\", \"refused\", \"swapped\" or "
                                 "\"others\" nor an axis that is no length of others",
                                 t->name, name);
    }
    return check_how(l, line, t);
}

bool casefile_read_draw(loader *l, int line, case_test *t)
{
    lua_State *L = l->lua;
    uint64_t slots = 0;
    if (t->strength || t->after_count || t->kind == CASE_BEYOND)
        return casefile_fail(l, line, "test '%s': a drawn test has no strength and no after, and is not beyond a level",
                             t->name);
    if (!read_each(l, line, t, &slots) || !read_cases(l, line, t) || !read_preceded(l, line, t))
        return false;
    if (lua_getfield(L, -1, "draw") != LUA_TFUNCTION)
        return casefile_fail(l, line, "test '%s': draw is a function of a generator and the values of each", t->name);
    if (!(t->draw = case_draw_new(l->box, l->path, t->space)))
        return error_set(l->e, "out of memory");
    if (!space_close_drawn(t->space, slots, case_draw_point, t->draw, l->e))
        return error_prefix(l->e, "%s:%d", l->path, line);
    space_set_draws(t->space, t->draws[TIER_EXHAUSTIVE]);
    return true;
}

/* The axes that decide which cases are planned: those that choose types, tensors and numbers of dimensions. */
static uint64_t deciding_slots(const case_test *t)
{
    const case_bindings *b = &t->family->bind;
    uint64_t slots = 0;
    for (unsigned i = 0; i < t->file->op->tensor_count; ++i) {
        const case_tensor *c = &b->tensors[i];
        slots |= (c->present ? expr_uses(c->present) : 0) | (c->dtype ? expr_uses(c->dtype) : 0) |
                 (c->rank ? expr_uses(c->rank) : 0);
        for (size_t a = 0; c->sizes && !c->rank && a < space_axis_count(t->space); ++a)
            if ((expr_uses(c->sizes) >> a & 1) && space_axis_at(t->space, a)->per >= 0)
                slots |= UINT64_C(1) << space_axis_at(t->space, a)->per;
    }
    return slots;
}

bool casefile_check_draw(loader *l, int line, const case_test *t)
{
    const uint64_t missing = deciding_slots(t) & ~space_class_slots(t->space);
    for (size_t a = 0; a < space_axis_count(t->space); ++a)
        if (missing >> a & 1)
            return casefile_fail(l, line,
                                 "test '%s': axis '%s' decides which cases a backend supports; name it in each",
                                 t->name, space_axis_at(t->space, a)->name);
    return true;
}
