/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/explain_file.h"
#include "harness/descriptor.h"
#include "harness/nearest.h"
#include "harness/sandbox.h"
#include "harness/ts_module.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>

#define MOST_JSON ((size_t)64 << 20) /* bytes of a file */

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length > tail && strcmp(path + length - tail, end) == 0;
}

bool explain_file_named(const char *path)
{
    return strcmp(path, "-") == 0 || ends_with(path, ".json") || ends_with(path, ".lua");
}

/* ---- JSON -------------------------------------------------------------------------------------------------- */

typedef struct json_source {
    FILE *file;
    size_t left;
    bool too_long;
} json_source;

static size_t read_json(void *buffer, size_t size, void *context)
{
    json_source *from = context;
    size_t n = fread(buffer, 1, size, from->file);
    if (n > from->left) {
        from->too_long = true;
        return (size_t)-1;
    }
    from->left -= n;
    return n;
}

static json_t *load_json(const char *path, error *e)
{
    bool standard = strcmp(path, "-") == 0;
    json_source from = { .file = standard ? stdin : fopen(path, "rb"), .left = MOST_JSON };
    json_error_t problem;
    if (!from.file) {
        error_usage(e, "%s: %s", path, strerror(errno));
        return NULL;
    }
    json_t *json = json_load_callback(read_json, &from, JSON_REJECT_DUPLICATES, &problem);
    bool unreadable = ferror(from.file);
    if (!standard)
        fclose(from.file);
    if (json && !unreadable)
        return json;
    json_decref(json);
    if (from.too_long)
        error_usage(e, "more than %zu MiB", MOST_JSON >> 20);
    else if (unreadable)
        error_usage(e, "it cannot be read");
    else
        error_usage(e, "line %d, column %d: %s", problem.line, problem.column, problem.text);
    error_prefix(e, "%s", standard ? "standard input" : path);
    return NULL;
}

/* ---- Lua --------------------------------------------------------------------------------------------------- */

static int install_module(lua_State *lua)
{
    ts_module_install(lua);
    ts_module_limit(lua, SANDBOX_MEMORY);
    return 0;
}

/* Arguments: the json_t * that receives the records, and what the file returned: a record or a list of them. */
static int take_records(lua_State *lua)
{
    json_t *list = lua_touserdata(lua, 1);
    if (!lua_istable(lua, 2))
        luaL_error(lua, "it returns a %s, where an evaluation or a list of them belongs", luaL_typename(lua, 2));
    lua_Integer count = (lua_Integer)lua_rawlen(lua, 2);
    bool single = count == 0;
    for (lua_Integer i = 1; i <= count + single; ++i) {
        if (single)
            lua_pushvalue(lua, 2);
        else
            lua_rawgeti(lua, 2, i);
        if (json_array_append(list, ts_module_record(lua, -1)) != 0)
            luaL_error(lua, "out of memory");
        lua_settop(lua, 2);
    }
    return 0;
}

static json_t *load_lua(const char *path, error *e)
{
    sandbox s;
    json_t *list = json_array();
    bool ok = list && sandbox_open(&s, SANDBOX_MEMORY, SANDBOX_STEPS, e);
    if (!ok) {
        json_decref(list);
        return NULL;
    }
    ok = sandbox_call(&s, install_module, NULL, 0, e) && sandbox_run_file(&s, path, path, 0, 1, e);
    if (ok && !sandbox_call(&s, take_records, list, 1, e))
        ok = error_prefix(e, "%s", path);
    sandbox_close(&s);
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

json_t *explain_file_load(const char *path, error *e)
{
    json_t *json = ends_with(path, ".lua") ? load_lua(path, e) : load_json(path, e);
    if (json && !json_is_array(json)) {
        json_t *list = json_array();
        if (json_array_append_new(list, json) != 0) {
            json_decref(list);
            error_set(e, "out of memory");
            return NULL;
        }
        json = list;
    }
    if (json && json_array_size(json) == 0) {
        error_usage(e, "%s: no evaluation in it", path);
        json_decref(json);
        return NULL;
    }
    return json;
}

/* ---- one record -------------------------------------------------------------------------------------------- */

static const nearest_names fields = {
    .names = { "operator", "descriptor", "inputs", "name", "profile", "feature_level" }, .count = 6
};

static bool known_fields(json_t *record, error *e)
{
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

static const ts_operator *find_operator(json_t *record, error *e)
{
    const char *name = json_string_value(json_object_get(record, "operator"));
    const ts_operator *op = name ? operator_find(name) : NULL;
    if (op)
        return op;
    if (!name) {
        error_usage(e, "operator is missing, or no string");
        return NULL;
    }
    size_t count;
    nearest_names known = { .count = 0 };
    const ts_operator *const *all = operator_all(&count);
    for (size_t i = 0; i < count; ++i)
        nearest_add(&known, all[i]->name);
    nearest_unknown(e, "touchstone", "operator", name, &known);
    return NULL;
}

/* Put profile and level into the descriptor's record, where descriptor_from_json looks for them. */
static bool settle(const ts_operator *op, json_t *record, const char *level, const char *profile, json_t *descriptor,
                   error *e)
{
    static const char *const keys[] = { "profile", "feature_level" };
    const char *options[] = { op->openvino_types ? profile : NULL, descriptor_has_levels(op) ? level : NULL };
    for (size_t i = 0; i < 2; ++i) {
        json_t *value = json_object_get(record, keys[i]);
        if (value && json_object_get(descriptor, keys[i]))
            return error_usage(e, "%s is given twice", keys[i]);
        if (value && json_object_set(descriptor, keys[i], value) != 0)
            return error_set(e, "out of memory");
        if (options[i] && json_object_set_new(descriptor, keys[i], json_string(options[i])) != 0)
            return error_set(e, "out of memory");
    }
    return true;
}

bool explain_file_record(json_t *record, const char *level, const char *profile, ts_descriptor *d, const char **name,
                         json_t **inputs, error *e)
{
    json_t *given = json_object_get(record, "descriptor"), *title = json_object_get(record, "name");
    if (!json_is_object(record))
        return error_usage(e, "an evaluation is a record { operator, descriptor, inputs }");
    if (!known_fields(record, e))
        return false;
    if (title && !json_is_null(title) && !json_is_string(title))
        return error_usage(e, "name is no string");
    const ts_operator *op = find_operator(record, e);
    if (!op)
        return false;
    /* An empty Lua table is an empty list. */
    if (given && !json_is_object(given) && !(json_is_array(given) && json_array_size(given) == 0))
        return error_usage(e, "descriptor is no record");
    json_t *descriptor = json_is_object(given) ? json_copy(given) : json_object();
    bool ok = descriptor ? settle(op, record, level, profile, descriptor, e) : error_set(e, "out of memory");
    ok = ok && descriptor_from_json(op, descriptor, d, e);
    json_decref(descriptor);
    *name = json_string_value(title);
    *inputs = json_object_get(record, "inputs");
    return ok;
}
