/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check_record.h"
#include "harness/descriptor.h"
#include "harness/nearest.h"
#include "harness/sandbox.h"
#include "harness/ts_module.h"

#include <lauxlib.h>

/* ---- Lua files --------------------------------------------------------------------------------------------- */

static int install_module(lua_State *lua)
{
    ts_module_install(lua);
    ts_module_limit(lua, SANDBOX_MEMORY);
    return 0;
}

/* Arguments: json_t **, and what the file returned. */
static int take_records(lua_State *lua)
{
    json_t *list = *(json_t **)lua_touserdata(lua, 1);
    if (!lua_istable(lua, 2))
        luaL_error(lua, "it returns a %s, where an evaluation or a list of them belongs", luaL_typename(lua, 2));
    lua_Integer count = (lua_Integer)lua_rawlen(lua, 2);
    for (lua_Integer i = count > 0 ? 1 : 0; i <= count; ++i) { /* no elements: the table is itself the record */
        if (i == 0)
            lua_pushvalue(lua, 2);
        else
            lua_rawgeti(lua, 2, i);
        if (json_array_append(list, ts_module_record(lua, -1)) != 0)
            luaL_error(lua, "out of memory");
        lua_settop(lua, 2);
    }
    return 0;
}

json_t *check_record_load_lua(const char *path, error *e)
{
    sandbox s;
    json_t *list = json_array();
    if (!sandbox_open(&s, SANDBOX_MEMORY, SANDBOX_STEPS, e)) {
        json_decref(list);
        return NULL;
    }
    bool ok = sandbox_call(&s, install_module, NULL, 0, e) && sandbox_run_file(&s, path, path, 0, 1, e);
    if (ok && !sandbox_call(&s, take_records, &list, 1, e))
        ok = error_prefix(e, "%s", path);
    sandbox_close(&s);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

/* ---- one record -------------------------------------------------------------------------------------------- */

static bool take_string(const json_t *record, const char *key, const char **value, error *e)
{
    const json_t *json = json_object_get(record, key);
    if (json && !json_is_null(json) && !json_is_string(json))
        return error_usage(e, "%s is no string", key);
    *value = json_string_value(json);
    return true;
}

/* Level and profile go into the descriptor before it is read, because output sizes may follow from them. */
static bool settle_descriptor(const ts_operator *op, json_t *record, const char *level, const char *profile,
                              json_t *descriptor, error *e)
{
    static const char *const settings[] = { "profile", "feature_level" };
    for (size_t i = 0; i < 2; ++i) {
        json_t *value = json_object_get(record, settings[i]);
        if (value && json_object_get(descriptor, settings[i]))
            return error_usage(e, "%s is given twice", settings[i]);
        if (value && json_object_set(descriptor, settings[i], value) != 0)
            return error_set(e, "out of memory");
    }
    if (profile && (op->openvino_types || strcmp(profile, "default") == 0) &&
        json_object_set_new(descriptor, "profile", json_string(profile)) != 0)
        return error_set(e, "out of memory");
    if (level && descriptor_has_levels(op) && json_object_set_new(descriptor, "feature_level", json_string(level)) != 0)
        return error_set(e, "out of memory");
    return true;
}

static bool check_fields(json_t *record, error *e)
{
    static const nearest_names fields = {
        .names = { "operator", "descriptor", "inputs", "name", "profile", "feature_level" }, .count = 6
    };
    const char *key;
    json_t *value;
    json_object_foreach(record, key, value)
    {
        size_t i = 0;
        while (i < fields.count && strcmp(key, fields.names[i]) != 0)
            ++i;
        if (i == fields.count)
            return nearest_unknown(e, "evaluation", "field", key, &fields);
    }
    return true;
}

static const ts_operator *find_operator(const char *name, error *e)
{
    const ts_operator *op = operator_find(name);
    size_t count;
    nearest_names known = { .count = 0 };
    if (op)
        return op;
    const ts_operator *const *all = operator_all(&count);
    for (size_t i = 0; i < count; ++i)
        nearest_add(&known, all[i]->name);
    nearest_unknown(e, "touchstone", "operator", name, &known);
    return NULL;
}

bool check_record_read(json_t *record, const char *level, const char *profile, ts_descriptor *d, const char **name,
                       error *e)
{
    const char *operator_name = NULL;
    json_t *given = json_object_get(record, "descriptor");
    if (!json_is_object(record))
        return error_usage(e, "an evaluation is a record { operator, descriptor, inputs }");
    if (!check_fields(record, e) || !take_string(record, "operator", &operator_name, e) ||
        !take_string(record, "name", name, e))
        return false;
    if (!operator_name)
        return error_usage(e, "operator is missing");
    const ts_operator *op = find_operator(operator_name, e);
    if (!op)
        return false;
    json_t *descriptor = json_is_object(given) ? json_copy(given) : json_object();
    if (given && !json_is_object(given) && !(json_is_array(given) && json_array_size(given) == 0)) {
        json_decref(descriptor);
        return error_usage(e, "descriptor is no record");
    }
    bool ok =
        settle_descriptor(op, record, level, profile, descriptor, e) && descriptor_from_json(op, descriptor, d, e);
    json_decref(descriptor);
    return ok;
}
