/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/ts_module.h"
#include "harness/casefile/ts_cases.h"
#include "harness/model/descriptor.h"
#include "harness/model/evaluate.h"
#include "harness/casefile/lua_json.h"
#include "harness/base/did_you_mean.h"
#include "harness/casefile/query_meant.h"
#include "harness/model/value.h"
#include "reference/ledger.h"
#include "reference/operators.h"

#include <inttypes.h>
#include <lauxlib.h>

#ifndef TOUCHSTONE_VERSION
#define TOUCHSTONE_VERSION "unknown"
#endif

#define WORK             "touchstone.evaluation"
#define MOST_LUA_NUMBERS (UINT64_C(1) << 26) /* elements of a list of numbers: 1 GiB of Lua's memory */

/* ---- small change ------------------------------------------------------------------------------------------ */

static void set_string(lua_State *lua, const char *key, const char *value)
{
    lua_pushstring(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_integer(lua_State *lua, const char *key, lua_Integer value)
{
    lua_pushinteger(lua, value);
    lua_setfield(lua, -2, key);
}

static void set_flag(lua_State *lua, const char *key, bool value)
{
    lua_pushboolean(lua, value);
    lua_setfield(lua, -2, key);
}

/* Append the value on top of the stack to the list under it. */
static void append(lua_State *lua)
{
    lua_rawseti(lua, -2, (lua_Integer)lua_rawlen(lua, -2) + 1);
}

/* The operator that argument 1 names; checked: it may be one that is not computed. */
static const ts_operator *check_operator(lua_State *lua, bool checked)
{
    size_t count;
    error e;
    char note[QUERY_NOTE_SIZE];
    did_you_mean_names known = { .count = 0 };
    const char *name = luaL_checkstring(lua, 1);
    const ts_operator *op = checked ? operators_find_known(name) : operators_find(name);
    const ts_operator *const *all = operators_all(&count);
    if (op)
        return op;
    for (size_t i = 0; i < count; ++i)
        did_you_mean_add(&known, all[i]->name);
    if (operators_find_known(name))
        luaL_error(lua, "no such operator is computed%s", query_note(&name, 1, note));
    const ts_operator *meant = query_meant(name);
    did_you_mean_told(&e, "touchstone", "operator", name, meant ? meant->name : NULL, &known);
    luaL_error(lua, "%s", e.text);
    return NULL;
}

/* ---- the result of an evaluation --------------------------------------------------------------------------- */

static void push_sizes(lua_State *lua, const ts_tensor *t)
{
    lua_createtable(lua, (int)t->rank, 0);
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        lua_pushinteger(lua, (lua_Integer)t->sizes[i]);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
}

static void push_element(lua_State *lua, const ts_dtype_info *type, uint32_t dtype, const void *p)
{
    uint64_t bits = value_bits(dtype, p);
    if (type->is_float) {
        lua_pushnumber(lua, value_to_double(dtype, p));
        return;
    }
    if (type->is_signed && type->bits < 64 && bits >> (type->bits - 1) != 0)
        bits |= ~UINT64_C(0) << type->bits;
    lua_pushinteger(lua, (lua_Integer)bits);
}

/* Push the list of the values that the specification allows for an element. */
static void push_answers(lua_State *lua, const evaluation *v, unsigned k, const uint64_t *coord)
{
    const uint32_t dtype = v->descriptor.tensors[k].dtype;
    const ts_answers answers = evaluate_answers(v, k, coord);
    lua_newtable(lua);
    for (unsigned i = 0; i < answers.count; ++i) {
        unsigned char element[8];
        value_store_bits(dtype, element, answers.bits[i]);
        push_element(lua, tensor_dtype(dtype), dtype, element);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
}

/* Set a field of the table below it to the table on top, or to nil where that is empty, and pop it. */
static void set_unless_empty(lua_State *lua, int table, const char *key)
{
    lua_pushnil(lua);
    if (lua_next(lua, -2)) {
        lua_pop(lua, 2);
        lua_setfield(lua, table, key);
    } else {
        lua_pop(lua, 1);
    }
}

/* data; unspecified and answers where some elements are open. */
static void set_data(lua_State *lua, const evaluation *v, unsigned k)
{
    const ts_tensor *t = &v->descriptor.tensors[k];
    const int output = lua_gettop(lua);
    const ts_dtype_info *type = tensor_dtype(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    lua_Integer position = 0, marked = 0;
    tensor_element_count(t, &count);
    if (count > MOST_LUA_NUMBERS)
        luaL_error(lua, "an output of %I elements is too large for a list of numbers", (lua_Integer)count);
    lua_createtable(lua, (int)count, 0);
    lua_newtable(lua);
    lua_newtable(lua);
    for (bool more = count > 0; more; more = tensor_next(t, coord)) {
        const ts_open open = evaluate_open(v, k, coord);
        push_element(lua, type, t->dtype, tensor_at(t, coord));
        lua_rawseti(lua, output + 1, ++position);
        if (open == TS_UNDEFINED) {
            lua_pushinteger(lua, position);
            lua_rawseti(lua, output + 2, ++marked);
        } else if (open == TS_SEVERAL) {
            push_answers(lua, v, k, coord);
            lua_rawseti(lua, output + 3, position);
        }
    }
    set_unless_empty(lua, output, "answers");
    set_unless_empty(lua, output, "unspecified");
    lua_setfield(lua, output, "data");
}

static void push_outputs(lua_State *lua, const evaluation *v, bool with_data)
{
    const ts_descriptor *d = &v->descriptor;
    lua_newtable(lua);
    for (unsigned k = 0; k < d->op->tensor_count && v->status == EVALUATE_OK; ++k) {
        const ts_tensor *t = &d->tensors[k];
        if (d->op->tensors[k].role != TS_OUTPUT || !(t->given & TS_GIVEN_TENSOR))
            continue;
        lua_newtable(lua);
        set_string(lua, "name", d->op->tensors[k].name);
        set_string(lua, "dtype", operator_dtype_name(d->op, t->dtype));
        push_sizes(lua, t);
        lua_setfield(lua, -2, "sizes");
        if (with_data) {
            uint64_t bytes = 0;
            set_data(lua, v, k);
            tensor_span_bytes(t, &bytes);
            lua_pushlstring(lua, t->data, (size_t)bytes);
            lua_setfield(lua, -2, "raw");
        }
        append(lua);
    }
}

static void push_violations(lua_State *lua, const evaluation *v)
{
    const ts_operator *op = v->descriptor.op;
    lua_newtable(lua);
    for (unsigned i = 0; i < v->report.count; ++i) {
        const ts_violation *broken = &v->report.items[i];
        const ts_clause *clause = operator_clause(op, broken->clause);
        lua_newtable(lua);
        set_string(lua, "clause", broken->clause);
        set_string(lua, "result", evaluate_result_name(broken->result));
        set_string(lua, "message", broken->text);
        if (broken->tensor >= 0)
            set_string(lua, "tensor", op->tensors[broken->tensor].name);
        if (broken->axis >= 0)
            set_integer(lua, "axis", broken->axis);
        if (broken->needs)
            set_string(lua, "needs", tensor_level_name(broken->needs));
        if (clause) {
            set_string(lua, "text", clause->text);
            set_string(lua, "page", operator_clause_page(op, clause, broken->tensor));
            set_string(lua, "section", clause->section);
        }
        append(lua);
    }
}

/* The ids of the clauses, each once, in the order in which they were found. */
static void push_clauses(lua_State *lua, const ts_report *report)
{
    lua_newtable(lua);
    for (unsigned i = 0; i < report->count; ++i) {
        if (!evaluate_names_clause(report, i))
            continue;
        lua_pushstring(lua, report->items[i].clause);
        append(lua);
    }
}

static void push_result(lua_State *lua, const evaluation *v, bool with_data)
{
    lua_newtable(lua);
    set_string(lua, "status", evaluate_status_name(v->status));
    push_clauses(lua, &v->report);
    lua_setfield(lua, -2, "clauses");
    push_violations(lua, v);
    lua_setfield(lua, -2, "violations");
    push_outputs(lua, v, with_data);
    lua_setfield(lua, -2, "outputs");
    lua_pushboolean(lua, operator_judges(v->descriptor.op, operator_dtype(&v->descriptor)));
    lua_setfield(lua, -2, "judged");
}

/* ---- ts.eval ----------------------------------------------------------------------------------------------- */

static int end_work(lua_State *lua)
{
    evaluate_end(lua_touserdata(lua, 1));
    return 0;
}

/* An evaluation that is ended however the function is left. */
static evaluation *push_work(lua_State *lua)
{
    evaluation *v = lua_newuserdatauv(lua, sizeof *v, 0);
    memset(v, 0, sizeof *v);
    if (luaL_newmetatable(lua, WORK)) {
        lua_pushcfunction(lua, end_work);
        lua_setfield(lua, -2, "__gc");
    }
    lua_setmetatable(lua, -2);
    return v;
}

/* Options go where the descriptor has them, and win over it. */
static void apply_options(lua_State *lua, int index, json_t *descriptor)
{
    const char *key;
    json_t *value;
    error e;
    did_you_mean_names known = { .names = { "profile", "feature_level" }, .count = 2 };
    json_t *options = lua_json_convert(lua, index, LUA_JSON_RECORD, "options");
    if (!json_is_object(options))
        luaL_error(lua, "options: a list, where { profile =, feature_level = } belongs");
    json_object_foreach(options, key, value)
    {
        if (strcmp(key, known.names[0]) != 0 && strcmp(key, known.names[1]) != 0) {
            did_you_mean_unknown(&e, "options", "field", key, &known);
            luaL_error(lua, "%s", e.text);
        }
        if (json_object_set(descriptor, key, value) != 0)
            luaL_error(lua, "options: out of memory");
    }
}

static void check_limit(lua_State *lua, const ts_descriptor *d)
{
    uint64_t total = 0;
    lua_getfield(lua, LUA_REGISTRYINDEX, TS_LIMIT);
    uint64_t limit = lua_isinteger(lua, -1) ? (uint64_t)lua_tointeger(lua, -1) : UINT64_MAX;
    lua_pop(lua, 1);
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        uint64_t bytes = d->tensors[k].total_bytes;
        if (bytes > limit || (total += bytes) > limit)
            luaL_error(lua, "%s: its tensors need more than %I KiB", d->op->name, (lua_Integer)(limit >> 10));
    }
}

static int ts_eval(lua_State *lua)
{
    const ts_operator *op = check_operator(lua, false);
    bool with_data = !lua_isnoneornil(lua, 3);
    ts_descriptor d;
    ts_report found = { .count = 0 };
    error e;
    luaL_checktype(lua, 2, LUA_TTABLE);
    luaL_argexpected(lua, !with_data || lua_istable(lua, 3), 3, "table");
    luaL_argexpected(lua, lua_isnoneornil(lua, 4) || lua_istable(lua, 4), 4, "table");
    lua_settop(lua, 4);
    json_t *descriptor = lua_json_convert(lua, 2, LUA_JSON_RECORD, "descriptor");
    if (lua_istable(lua, 4) && json_is_object(descriptor))
        apply_options(lua, 4, descriptor);
    if (!descriptor_from_json(op, descriptor, &d, &found, &e))
        return luaL_error(lua, "%s", e.text);
    evaluation *v = push_work(lua);
    check_limit(lua, &d);
    if (!evaluate_begin(v, &d, &found, &e))
        return luaL_error(lua, "%s", e.text);
    if (with_data && v->status == EVALUATE_OK) {
        json_t *inputs = lua_json_inputs(lua, 3, &d);
        if (!evaluate_fill(v, inputs, &e) || !evaluate_run(v, &e))
            return luaL_error(lua, "%s", e.text);
    }
    push_result(lua, v, with_data);
    evaluate_end(v);
    return 1;
}

/* ---- ts.operator ------------------------------------------------------------------------------------------- */

static int ts_operators(lua_State *lua)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count), *op;
    const bool checked = lua_toboolean(lua, 1);
    lua_newtable(lua);
    for (size_t i = 0; (op = checked ? operators_known(i) : i < count ? all[i] : NULL); ++i) {
        lua_pushstring(lua, op->name);
        append(lua);
    }
    return 1;
}

static void push_tensor_declarations(lua_State *lua, const ts_operator *op)
{
    lua_newtable(lua);
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        lua_newtable(lua);
        set_string(lua, "name", op->tensors[k].name);
        set_string(lua, "alias", op->tensors[k].alias);
        set_string(lua, "role", op->tensors[k].role == TS_INPUT ? "input" : "output");
        set_flag(lua, "optional", op->tensors[k].optional);
        append(lua);
    }
}

static void push_attribute_declarations(lua_State *lua, const ts_operator *op)
{
    static const char *const types[] = {
        [TS_ATTR_U32] = "u32",   [TS_ATTR_I32] = "i32", [TS_ATTR_I64] = "i64",     [TS_ATTR_BIT] = "bit",
        [TS_ATTR_BOOL] = "bool", [TS_ATTR_F32] = "f32", [TS_ATTR_UNION] = "union", [TS_ATTR_OPERATOR] = "operator"
    };
    lua_newtable(lua);
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        lua_newtable(lua);
        set_string(lua, "name", a->name);
        set_string(lua, "alias", a->alias);
        set_string(lua, "type", types[a->type]);
        set_flag(lua, "list", a->count == TS_ARRAY);
        set_flag(lua, "optional", a->optional);
        if (a->count == TS_ARRAY)
            set_integer(lua, "capacity", a->capacity);
        if (a->names) {
            lua_newtable(lua);
            for (lua_Integer value = 0; a->names[value]; ++value) {
                lua_pushinteger(lua, value);
                lua_setfield(lua, -2, a->names[value]);
            }
            lua_setfield(lua, -2, "values");
        }
        append(lua);
    }
}

static void append_clauses(lua_State *lua, const ts_operator *op, const ts_clause *clauses, unsigned count)
{
    for (unsigned i = 0; i < count; ++i) {
        lua_newtable(lua);
        set_string(lua, "id", clauses[i].id);
        set_string(lua, "text", clauses[i].text);
        set_string(lua, "page", clauses[i].page);
        set_string(lua, "section", clauses[i].section);
        set_string(lua, "basis", operator_basis_name(clauses[i].basis));
        if (clauses[i].ground)
            set_string(lua, "ground", clauses[i].ground);
        if (clauses[i].refused_by)
            set_string(lua, "refused_by", clauses[i].refused_by);
        if (clauses[i].computes)
            set_flag(lua, "computes", true);
        const ledger_entry *entry = operator_binds(&clauses[i]) ? NULL : ledger_of_clause(op->name, clauses[i].id);
        if (entry)
            set_string(lua, "entry", entry->id);
        set_string(lua, "result", evaluate_result_name(clauses[i].result));
        append(lua);
    }
}

static void push_support(lua_State *lua, const ts_operator *op)
{
    lua_newtable(lua);
    for (unsigned r = 0; r < op->support_count; ++r) {
        const ts_support_row *row = &op->support[r];
        lua_newtable(lua);
        if (row->level)
            set_string(lua, "level", tensor_level_name(row->level));
        for (unsigned k = 0; k < op->tensor_count; ++k) {
            lua_newtable(lua);
            set_integer(lua, "min_dims", row->tensors[k].min_dims);
            set_integer(lua, "max_dims", row->tensors[k].max_dims);
            lua_newtable(lua);
            for (uint32_t dtype = 0; dtype < TS_DTYPE_COUNT; ++dtype) {
                if (!(row->tensors[k].dtypes & TS_DTYPE_BIT(dtype)))
                    continue;
                lua_pushstring(lua, operator_dtype_name(op, dtype));
                append(lua);
            }
            lua_setfield(lua, -2, "dtypes");
            lua_setfield(lua, -2, op->tensors[k].name);
        }
        append(lua);
    }
}

static int ts_operator_table(lua_State *lua)
{
    const ts_operator *op = check_operator(lua, true);
    lua_newtable(lua);
    set_string(lua, "name", op->name);
    set_string(lua, "title", op->title);
    set_string(lua, "page", op->page);
    if (operators_family(op))
        set_string(lua, "family", operators_family(op));
    push_tensor_declarations(lua, op);
    lua_setfield(lua, -2, "tensors");
    push_attribute_declarations(lua, op);
    lua_setfield(lua, -2, "attributes");
    lua_newtable(lua);
    append_clauses(lua, op, op->clauses, op->clause_count);
    append_clauses(lua, op, op->shared, op->shared_count);
    lua_setfield(lua, -2, "clauses");
    push_support(lua, op);
    lua_setfield(lua, -2, "support");
    return 1;
}

/* ---- the module -------------------------------------------------------------------------------------------- */

int luaopen_ts(lua_State *lua)
{
    static const luaL_Reg functions[] = { { "eval", ts_eval },
                                          { "cases", ts_cases },
                                          { "operators", ts_operators },
                                          { "operator", ts_operator_table },
                                          { NULL, NULL } };
    luaL_newlib(lua, functions);
    set_string(lua, "version", TOUCHSTONE_VERSION);
    lua_pushlightuserdata(lua, NULL);
    lua_setfield(lua, -2, "null");
    return 1;
}

void ts_module_install(lua_State *lua)
{
    int top = lua_gettop(lua);
    luaL_requiref(lua, "ts", luaopen_ts, 1);
    if (lua_getglobal(lua, "package") == LUA_TTABLE && lua_getfield(lua, -1, "preload") == LUA_TTABLE) {
        lua_pushcfunction(lua, luaopen_ts);
        lua_setfield(lua, -2, "ts");
    }
    lua_settop(lua, top);
}

void ts_module_limit(lua_State *lua, uint64_t bytes)
{
    lua_pushinteger(lua, bytes > INT64_MAX ? INT64_MAX : (lua_Integer)bytes);
    lua_setfield(lua, LUA_REGISTRYINDEX, TS_LIMIT);
}

json_t *ts_module_record(lua_State *lua, int index)
{
    ts_descriptor d;
    ts_report found = { .count = 0 };
    error ignored; /* the reader of the record reports it */
    index = lua_absindex(lua, index);
    luaL_checkstack(lua, 8, NULL);
    if (!lua_istable(lua, index))
        luaL_error(lua, "expected a record { operator =, descriptor =, inputs = }, found a %s",
                   luaL_typename(lua, index));
    lua_newtable(lua); /* all but inputs */
    lua_pushnil(lua);
    while (lua_next(lua, index)) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_pushnil(lua);
    lua_setfield(lua, -2, "inputs");
    json_t *record = lua_json_convert(lua, -1, LUA_JSON_RECORD, "the record");
    lua_replace(lua, -2); /* the owner alone stays */
    if (lua_getfield(lua, index, "inputs") != LUA_TNIL) {
        const char *name = json_string_value(json_object_get(record, "operator"));
        const ts_operator *op = name ? operators_find(name) : NULL;
        bool known = op && descriptor_from_json(op, json_object_get(record, "descriptor"), &d, &found, &ignored);
        json_t *inputs = lua_json_inputs(lua, -1, known ? &d : NULL);
        if (json_object_set(record, "inputs", inputs) != 0)
            luaL_error(lua, "record: out of memory");
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return record;
}
