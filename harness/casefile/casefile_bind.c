/* SPDX-License-Identifier: Apache-2.0 */
/* From op:bind to compiled expressions. */
#include "harness/base/text.h"
#include "harness/casefile/casefile_internal.h"

static expr *compile_field(loader *l, const char *field, const char *what, int line, const expr_scope *scope,
                           expr_type wanted, bool *fine)
{
    lua_State *L = l->lua;
    char place[PATH_MAX + 160], number[32];
    expr *x = NULL;
    lua_getfield(L, -1, field);
    if (!lua_isnil(L, -1)) {
        const char *source = NULL;
        if (lua_isinteger(L, -1)) {
            snprintf(number, sizeof number, "%lld", (long long)lua_tointeger(L, -1));
            source = number;
        } else if (lua_type(L, -1) == LUA_TSTRING) {
            source = lua_tostring(L, -1);
        }
        snprintf(place, sizeof place, "%s:%d: bind %s.%s", l->path, line, what, field);
        if (!source)
            *fine = error_usage(l->e, "%s: expected an expression in a string, not %s", place, luaL_typename(L, -1));
        else if (!(x = expr_compile(source, scope, place, l->e)))
            *fine = false;
        else if (expr_type_of(x) != wanted && !(wanted == EXPR_BOOL && expr_type_of(x) == EXPR_INT)) {
            static const char *const types[] = { "an integer", "a vector", "a truth value" };
            *fine =
                error_usage(l->e, "%s: '%s' is %s; expected %s", place, source, types[expr_type_of(x)], types[wanted]);
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
            return casefile_fail(l, line, "bind %s has no field '%s'", what,
                                 lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?");
    }
    return true;
}

/* The table that binds a tensor is on top of the stack. */
static bool bind_tensor(loader *l, int line, const char *name, bool change, case_tensor *t, const expr_scope *scope,
                        const expr_scope *data_scope)
{
    static const char *const fields[] = {
        "Present", "DataType", "Sizes",     "Rank",           "Layout",
        "Strides", "Extra",    "Alignment", "Fill",           "Data",
        "Flags",   "Base",     "Null",      "DimensionCount", "TotalTensorSizeInBytes"
    };
    const size_t legal = 12; /* the fields behind these are allowed only in a change */
    bool fine = check_fields(l, name, line, fields, change ? sizeof fields / sizeof fields[0] : legal);
    struct {
        const char *field;
        expr **to;
        expr_type type;
        const expr_scope *scope;
    } rows[] = {
        { "Present", &t->present, EXPR_BOOL, scope },    { "DataType", &t->dtype, EXPR_INT, scope },
        { "Sizes", &t->sizes, EXPR_VECTOR, scope },      { "Rank", &t->rank, EXPR_INT, scope },
        { "Layout", &t->layout, EXPR_INT, scope },       { "Strides", &t->strides, EXPR_VECTOR, scope },
        { "Extra", &t->extra, EXPR_INT, scope },         { "Alignment", &t->alignment, EXPR_INT, scope },
        { "Fill", &t->fill, EXPR_INT, scope },           { "Data", &t->data, EXPR_INT, data_scope },
        { "DimensionCount", &t->dims, EXPR_INT, scope }, { "TotalTensorSizeInBytes", &t->bytes, EXPR_INT, scope },
        { "Flags", &t->flags, EXPR_INT, scope },         { "Base", &t->base, EXPR_INT, scope },
        { "Null", &t->null, EXPR_INT, scope },
    };
    for (size_t i = 0; fine && i < sizeof rows / sizeof rows[0]; ++i)
        *rows[i].to = compile_field(l, rows[i].field, name, line, rows[i].scope, rows[i].type, &fine);
    t->bound = true;
    return fine;
}

static bool bind_attr(loader *l, int line, const ts_attr_decl *decl, bool change, case_attr *a, const expr_scope *scope)
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
        if (fine && ((!a->value && !change) || (wanted == EXPR_INT && (a->count || a->rest))))
            fine = casefile_fail(l, line, "bind %s: %s", decl->name,
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

/* The bindings of a list's tensors, in their order, are on top of the stack. */
static bool bind_list(loader *l, int line, const ts_tensor_list *list, bool change, case_bindings *b,
                      const expr_scope *scope, const expr_scope *data_scope)
{
    lua_State *L = l->lua;
    const ts_operator *op = l->file->op;
    const lua_Unsigned n = lua_istable(L, -1) ? lua_rawlen(L, -1) : 0;
    if (n < 1 || n > list->most)
        return casefile_fail(l, line, "bind %s: expected a list of 1 to %u tables with DataType, Sizes, ...",
                             list->name, list->most);
    for (unsigned k = 0; k < n; ++k) {
        lua_rawgeti(L, -1, (lua_Integer)k + 1);
        const unsigned t = list->first + k;
        const char *name = op->tensors[t].name;
        if (!lua_istable(L, -1))
            return casefile_fail(l, line, "bind %s: expected a table with DataType, Sizes, ...", name);
        lua_pushnil(L); /* a table without fields changes nothing */
        if (lua_next(L, -2)) {
            lua_pop(L, 2);
            if (!bind_tensor(l, line, name, change, &b->tensors[t], scope, data_scope))
                return false;
        }
        lua_pop(L, 1);
    }
    return true;
}

/* A table of bindings by the names of tensors and attributes is on top of the stack. */
static bool read_table(loader *l, int line, bool change, case_bindings *b, const expr_scope *scope)
{
    lua_State *L = l->lua;
    const ts_operator *op = l->file->op;
    expr_name names[EXPR_MAX_SLOTS];
    memcpy(names, scope->names, scope->count * sizeof *names);
    names[scope->count] = (expr_name){ .name = "i", .per = -1 };
    const expr_scope data_scope = { .names = names, .count = scope->count + 1 };
    l->family->index_slot = (int)scope->count;
    for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "?";
        int tensor = operator_tensor_index(op, name), attr = operator_attr_index(op, name);
        const ts_tensor_list *list = tensor < 0 && attr < 0 ? operator_list_named(op, name) : NULL;
        if (list) {
            if (!bind_list(l, line, list, change, b, scope, &data_scope))
                return false;
            continue;
        }
        if (tensor < 0 && attr < 0)
            return casefile_fail(l, line, "bind: %s has no tensor or attribute '%s'", op->name, name);
        if (tensor >= 0 && !lua_istable(L, -1))
            return casefile_fail(l, line, "bind %s: expected a table with DataType, Sizes, ...", name);
        if (tensor >= 0 ? !bind_tensor(l, line, name, change, &b->tensors[tensor], scope, &data_scope)
                        : !bind_attr(l, line, &op->attrs[attr], change, &b->attrs[attr], scope))
            return false;
    }
    return true;
}

/* The record is on top of the stack. */
bool casefile_read_bindings(loader *l, const expr_scope *scope)
{
    lua_State *L = l->lua;
    const ts_operator *op = l->file->op;
    lua_getfield(L, -1, "bind");
    if (!lua_istable(L, -1))
        return casefile_fail(l, 1, "%s: op:bind { ... } is missing, which binds the axes to tensors and attributes",
                             op->name);
    int line = casefile_int(L, "line");
    lua_getfield(L, -1, "def");
    if (!read_table(l, line, false, &l->family->bind, scope))
        return false;
    lua_pop(L, 2);
    for (unsigned t = 0; t < op->tensor_count; ++t)
        if (op->tensors[t].role == TS_INPUT && !op->tensors[t].optional && !l->family->bind.tensors[t].sizes)
            return casefile_fail(l, line, "bind: input %s needs Sizes", op->tensors[t].name);
    if (!l->family->bind.tensors[operator_typed(op)].dtype)
        return casefile_fail(l, line, "bind: %s needs a DataType", op->tensors[operator_typed(op)].name);
    return true;
}

bool casefile_read_change(loader *l, int line, case_test *t, const expr_scope *scope)
{
    lua_State *L = l->lua;
    lua_getfield(L, -1, "change");
    if (!lua_istable(L, -1))
        return casefile_fail(l, line, "test '%s' needs change = { ... }, which makes a legal descriptor break %s",
                             t->name, t->clause);
    if (!(t->change = calloc(1, sizeof *t->change)))
        return error_set(l->e, "out of memory");
    bool fine = read_table(l, line, true, t->change, scope);
    lua_pop(L, 1);
    return fine;
}

static void free_tensor(case_tensor *c)
{
    expr *all[] = { c->present, c->dtype, c->sizes, c->rank, c->layout, c->strides, c->extra, c->alignment,
                    c->fill,    c->data,  c->flags, c->base, c->dims,   c->bytes,   c->null };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        expr_free(all[i]);
}

void casefile_free_bindings(case_bindings *b)
{
    for (size_t t = 0; t < TS_MAX_TENSORS; ++t)
        free_tensor(&b->tensors[t]);
    for (size_t a = 0; a < TS_MAX_ATTRS; ++a) {
        expr_free(b->attrs[a].value);
        expr_free(b->attrs[a].present);
        expr_free(b->attrs[a].count);
        expr_free(b->attrs[a].rest);
    }
}

/* Let queries write `name`, or `name.field`, for a bound vector or integer. */
static bool add_alias(loader *l, case_test *t, const char *name, const char *field, const expr *x)
{
    char joined[96];
    snprintf(joined, sizeof joined, "%s%s%s", name, *field ? "." : "", field);
    return !x || expr_type_of(x) == EXPR_BOOL || space_axis_named(t->space, joined) >= 0 ||
           space_add_alias(t->space, joined, expr_text(x), l->e);
}

/* Let queries ask for a property of all cases of the test. */
static bool add_truth(loader *l, case_test *t, const char *name, bool truth)
{
    return space_axis_named(t->space, name) >= 0 || space_add_alias(t->space, name, truth ? "1 == 1" : "1 == 0", l->e);
}

/* Let queries write `ElementBytes`: the bytes of an element of the tensor whose type is an axis. */
static bool add_element_bytes(loader *l, case_test *t, const char *dtype)
{
    const int slot = dtype ? space_axis_named(t->space, dtype) : -1;
    const space_axis *axis = slot >= 0 ? space_axis_at(t->space, (size_t)slot) : NULL;
    text choice = { .data = NULL };
    if (!axis || !axis->symbols || axis->symbol_count == 0)
        return true;
    for (size_t bytes = 1; bytes < 8; bytes *= 2) {
        bool any = false;
        for (size_t i = 0; i < axis->symbol_count; ++i)
            if (tensor_element_bytes(tensor_dtype_named(axis->symbols[i])) == bytes) {
                text_format(&choice, "%s%s == '%s'", any ? " or " : "(", axis->name, axis->symbols[i]);
                any = true;
            }
        if (any)
            text_format(&choice, ") and %zu or ", bytes);
    }
    text_add(&choice, "8");
    const bool fine =
        choice.failed ? error_set(l->e, "out of memory") : space_add_alias(t->space, "ElementBytes", choice.data, l->e);
    text_free(&choice);
    return fine;
}

bool casefile_name_bindings(loader *l, case_test *t)
{
    const ts_operator *op = l->file->op;
    const case_bindings *bind = &t->family->bind, *change = t->change;
    const bool legal = t->kind == CASE_VALID;
    const expr *dtype = bind->tensors[operator_typed(op)].dtype;
    bool fine = add_truth(l, t, "legal", legal) && add_truth(l, t, "executed", legal && !t->asked) &&
                add_truth(l, t, "preceded", case_is_preceded(t)) && add_truth(l, t, "in_place", t->in_place) &&
                add_element_bytes(l, t, dtype ? expr_text(dtype) : NULL);
    for (unsigned i = 0; fine && i < op->tensor_count; ++i) {
        const expr *sizes = change && change->tensors[i].sizes ? change->tensors[i].sizes : bind->tensors[i].sizes;
        fine = operator_list_of(op, i) || add_alias(l, t, op->tensors[i].name, "Sizes", sizes);
    }
    for (unsigned i = 0; fine && i < op->attr_count; ++i) {
        const expr *value = change && change->attrs[i].value ? change->attrs[i].value : bind->attrs[i].value;
        fine = add_alias(l, t, op->attrs[i].name, "", value);
    }
    return fine;
}

bool casefile_name_examples(loader *l, case_test *t)
{
    text legal = { .data = NULL };
    text_add(&legal, "1 == 1");
    for (size_t i = 0; i < t->file->example_count; ++i)
        if (t->file->examples[i].invalid)
            text_format(&legal, " and example ~= '%s'", t->file->examples[i].name);
    const bool fine = legal.failed ? error_set(l->e, "out of memory")
                                   : space_add_alias(t->space, "legal", legal.data, l->e) &&
                                         space_add_alias(t->space, "executed", legal.data, l->e) &&
                                         add_truth(l, t, "preceded", false) && add_truth(l, t, "in_place", false) &&
                                         add_element_bytes(l, t, "dtype");
    text_free(&legal);
    return fine;
}

bool casefile_check_types(loader *l, int line, const case_test *t)
{
    const ts_operator *op = t->file->op;
    const expr *types = t->family->bind.tensors[operator_typed(op)].dtype;
    const int slot = t->kind == CASE_VALID && types ? space_axis_named(t->space, expr_text(types)) : -1;
    const space_axis *axis = slot >= 0 ? space_axis_at(t->space, (size_t)slot) : NULL;
    for (size_t i = 1; axis && i < axis->count; ++i) {
        const uint32_t first = (uint32_t)axis->values[0], other = (uint32_t)axis->values[i];
        if (operator_judges(op, first) != operator_judges(op, other))
            return casefile_fail(l, line,
                                 "test '%s': of the data types %s and %s one is judged and the other is not; a test of "
                                 "legal cases has all.dtypes or all.unjudged_dtypes, not both",
                                 t->name, tensor_dtype(first)->id, tensor_dtype(other)->id);
    }
    return true;
}
