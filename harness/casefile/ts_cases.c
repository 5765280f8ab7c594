/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/ts_cases.h"

#include "harness/casefile/casebuild.h"
#include "harness/casefile/plan.h"
#include "harness/casefile/ts_module.h"
#include "harness/model/descriptor.h"
#include "harness/model/evaluate.h"
#include "harness/model/value.h"

#include <lauxlib.h>
#include <string.h>

#define WALK "touchstone.cases"

/* An iterator: a userdata, which a case keeps alive. */
typedef struct cases_walk {
    plan plan;
    uint64_t first, most;
    size_t item;      /* of the plan */
    uint64_t visited; /* cases of it */
    space_cursor at;
    casebuild build;
    evaluation value; /* of the current case */
    uint64_t number;  /* of the current case, from 1 */
} cases_walk;

static int end_walk(lua_State *lua)
{
    cases_walk *w = lua_touserdata(lua, 1);
    evaluate_end(&w->value);
    plan_free(&w->plan);
    return 0;
}

static cases_walk *push_walk(lua_State *lua)
{
    cases_walk *w = lua_newuserdatauv(lua, sizeof *w, 0);
    memset(w, 0, sizeof *w);
    if (luaL_newmetatable(lua, WALK)) {
        lua_pushcfunction(lua, end_walk);
        lua_setfield(lua, -2, "__gc");
    }
    lua_setmetatable(lua, -2);
    return w;
}

/* ---- the table of a case ---- */

static void push_json(lua_State *lua, const json_t *value)
{
    const char *key;
    json_t *member;
    luaL_checkstack(lua, 4, NULL);
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        lua_newtable(lua);
        json_object_foreach((json_t *)(uintptr_t)value, key, member)
        {
            push_json(lua, member);
            lua_setfield(lua, -2, key);
        }
        break;
    case JSON_ARRAY:
        lua_newtable(lua);
        for (size_t i = 0; i < json_array_size(value); ++i) {
            push_json(lua, json_array_get(value, i));
            lua_rawseti(lua, -2, (lua_Integer)i + 1);
        }
        break;
    case JSON_STRING: lua_pushstring(lua, json_string_value(value)); break;
    case JSON_INTEGER: lua_pushinteger(lua, json_integer_value(value)); break;
    case JSON_REAL: lua_pushnumber(lua, json_real_value(value)); break;
    case JSON_TRUE:
    case JSON_FALSE: lua_pushboolean(lua, json_is_true(value)); break;
    default: lua_pushlightuserdata(lua, NULL);
    }
}

static void set_string(lua_State *lua, const char *key, const char *value)
{
    lua_pushstring(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_tensor(lua_State *lua, const ts_descriptor *d, unsigned k)
{
    const ts_tensor *t = &d->tensors[k];
    uint64_t count = 0;
    lua_newtable(lua);
    set_string(lua, "role", d->op->tensors[k].role == TS_INPUT ? "input" : "output");
    set_string(lua, "dtype", operator_dtype_name(d->op, t->dtype));
    lua_pushinteger(lua, (lua_Integer)tensor_dtype(t->dtype)->bits);
    lua_setfield(lua, -2, "bits");
    lua_createtable(lua, (int)t->rank, 0);
    for (uint32_t i = 0; i < t->rank; ++i) {
        lua_pushinteger(lua, (lua_Integer)t->sizes[i]);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
    lua_setfield(lua, -2, "sizes");
    tensor_element_count(t, &count);
    lua_pushinteger(lua, count > INT64_MAX ? INT64_MAX : (lua_Integer)count);
    lua_setfield(lua, -2, "count");
    lua_setfield(lua, -2, d->op->tensors[k].name);
}

/* case:at(name, coordinates). Upvalues: the walk, and the number of the case. */
static int case_at(lua_State *lua)
{
    const cases_walk *w = lua_touserdata(lua, lua_upvalueindex(1));
    const ts_descriptor *d = &w->value.descriptor;
    const char *name = luaL_checkstring(lua, 2);
    uint64_t coord[TS_MAX_DIMS] = { 0 };
    luaL_checktype(lua, 3, LUA_TTABLE);
    if ((uint64_t)lua_tointeger(lua, lua_upvalueindex(2)) != w->number)
        return luaL_error(lua, "the iterator has gone on to another case");
    for (unsigned k = 0; w->value.status == EVALUATE_OK && k < d->op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        if (strcmp(d->op->tensors[k].name, name) != 0 || !t->data)
            continue;
        luaL_argcheck(lua, lua_rawlen(lua, 3) == t->rank, 3, "a coordinate for each dimension");
        for (uint32_t i = 0; i < t->rank; ++i) {
            lua_rawgeti(lua, 3, (lua_Integer)i + 1);
            coord[i] = (uint64_t)luaL_checkinteger(lua, -1);
            lua_pop(lua, 1);
            luaL_argcheck(lua, coord[i] < t->sizes[i], 3, "a coordinate leaves the tensor");
        }
        if (evaluate_open(&w->value, k, coord) != TS_ONE_ANSWER)
            return 0;
        lua_pushinteger(lua, (lua_Integer)value_bits(t->dtype, tensor_at(t, coord)));
        return 1;
    }
    return luaL_error(lua, "the case has no tensor '%s'", name);
}

/* Push the table of the current case. The walk is upvalue 1 of the caller. */
static void push_case(lua_State *lua, cases_walk *w, const case_test *t)
{
    const case_instance *now = &w->build.now;
    const ts_descriptor *d = &w->value.descriptor;
    char id[CASE_ID_SIZE];
    space_format_id(&w->at, id, sizeof id);
    lua_newtable(lua);
    set_string(lua, "id", id);
    set_string(lua, "operator", t->file->op->name);
    set_string(lua, "test", t->name);
    lua_pushboolean(lua, t->draw != NULL);
    lua_setfield(lua, -2, "drawn");
    json_t *descriptor = descriptor_to_json(&now->descriptor);
    if (!descriptor)
        luaL_error(lua, "out of memory");
    push_json(lua, descriptor);
    json_decref(descriptor);
    lua_setfield(lua, -2, "descriptor");
    if (now->invalid)
        set_string(lua, "invalid", now->invalid);
    lua_pushboolean(lua, now->ambiguous != NULL);
    lua_setfield(lua, -2, "ambiguous");
    lua_pushboolean(lua, case_is_unjudged(now));
    lua_setfield(lua, -2, "unjudged");
    lua_newtable(lua);
    for (unsigned k = 0; w->value.status == EVALUATE_OK && k < d->op->tensor_count; ++k)
        if (d->tensors[k].data)
            set_tensor(lua, d, k);
    lua_setfield(lua, -2, "tensors");
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_pushinteger(lua, (lua_Integer)w->number);
    lua_pushcclosure(lua, case_at, 2);
    lua_setfield(lua, -2, "at");
}

/* ---- the iterator ---- */

/* Go to the next case. False after the last one, or with *e set. */
static bool next_case(cases_walk *w, error *e)
{
    for (; w->item < w->plan.item_count; ++w->item, w->visited = 0) {
        const plan_item *item = &w->plan.items[w->item];
        const uint64_t first = item->first + (w->first < item->end - item->first ? w->first : item->end - item->first);
        bool more = w->visited < w->most;
        if (more && w->visited == 0) {
            casebuild_init(&w->build, item->test, TS_PROFILE_DEFAULT, 0, NULL);
            more = space_start(&w->at, item->test->space, first, item->end, NULL, NULL);
        } else if (more) {
            more = space_next(&w->at);
        }
        if (more) {
            ++w->visited;
            return true;
        }
        if (w->visited < w->most && space_failed(&w->at, e))
            return false;
    }
    return false;
}

static int iterate(lua_State *lua)
{
    cases_walk *w = lua_touserdata(lua, lua_upvalueindex(1));
    error e = { .text = "" };
    evaluate_end(&w->value);
    memset(&w->value, 0, sizeof w->value);
    ++w->number;
    if (!next_case(w, &e))
        return *e.text ? luaL_error(lua, "%s", e.text) : 0;
    const case_test *t = w->plan.items[w->item].test;
    const bool fine = casebuild_case(&w->build, &w->at, &e) &&
                      evaluate_begin_case(&w->value, &w->build.now.descriptor, (evaluate_how){ .sparse = t->sparse }, &e) &&
                      (w->value.status != EVALUATE_OK ||
                       (casebuild_fill_inputs(&w->build, &w->value.descriptor, &e) && evaluate_run(&w->value, &e)));
    if (!fine)
        return luaL_error(lua, "%s", e.text);
    push_case(lua, w, t);
    return 1;
}

static uint64_t number_of(lua_State *lua, const char *name, uint64_t otherwise)
{
    lua_Integer value = (lua_Integer)otherwise;
    if (lua_istable(lua, 2) && lua_getfield(lua, 2, name) != LUA_TNIL)
        value = luaL_checkinteger(lua, -1);
    if (value < 0)
        luaL_error(lua, "ts.cases: %s is a number from 0 on", name);
    return (uint64_t)value;
}

static void check_options(lua_State *lua)
{
    static const char *const known[] = { "tier", "seed", "first", "most", NULL };
    if (lua_isnoneornil(lua, 2))
        return;
    luaL_checktype(lua, 2, LUA_TTABLE);
    for (lua_pushnil(lua); lua_next(lua, 2); lua_pop(lua, 1)) {
        const char *key = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "?";
        size_t k = 0;
        while (known[k] && strcmp(known[k], key) != 0)
            ++k;
        if (!known[k])
            luaL_error(lua, "ts.cases: unknown option '%s'; expected tier, seed, first and most", key);
    }
}

int ts_cases(lua_State *lua)
{
    const char *query = luaL_checkstring(lua, 1);
    plan_options options = { .tier = TIER_FULL };
    error e;
    if (lua_getfield(lua, LUA_REGISTRYINDEX, TS_LIMIT) != LUA_TNIL)
        return luaL_error(lua, "ts.cases is for scripts of 'touchstone lua' alone");
    lua_settop(lua, 2);
    check_options(lua);
    options.seed = number_of(lua, "seed", 0);
    const uint64_t first = number_of(lua, "first", 0), most = number_of(lua, "most", INT64_MAX);
    if (lua_istable(lua, 2) && lua_getfield(lua, 2, "tier") != LUA_TNIL &&
        !case_tier_named(luaL_checkstring(lua, -1), &options.tier))
        return luaL_error(lua, "ts.cases: tier '%s': expected quick, full or exhaustive", lua_tostring(lua, -1));
    cases_walk *w = push_walk(lua);
    w->first = first;
    w->most = most;
    if (!plan_make_with(&w->plan, &query, 1, &options, &e))
        return luaL_error(lua, "%s", e.text);
    lua_pushcclosure(lua, iterate, 1);
    return 1;
}
