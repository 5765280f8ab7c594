/* SPDX-License-Identifier: Apache-2.0 */
/* From op:bind to compiled expressions. */
#include "harness/base/decimal.h"
#include "harness/base/text.h"
#include "harness/casefile/case_attr.h"
#include "harness/casefile/casefile_internal.h"

#include <ctype.h>
#include <math.h>

/* Compile the field of the table on top of the stack. NULL: there is none, or it is wrong (*fine). */
static expr *compile_any(loader *l, const char *field, const char *what, int line, const expr_scope *scope,
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
        } else if (lua_type(L, -1) == LUA_TNUMBER && isfinite(lua_tonumber(L, -1))) {
            source = strpbrk(decimal_text(lua_tonumber(L, -1), number), ".e") ? number : strcat(number, ".0");
        } else if (lua_type(L, -1) == LUA_TSTRING) {
            source = lua_tostring(L, -1);
        }
        snprintf(place, sizeof place, "%s:%d: bind %s.%s", l->path, line, what, field);
        if (!source && lua_type(L, -1) == LUA_TNUMBER)
            *fine = error_usage(l->e, "%s: nan and inf are values of an axis: bind its name", place);
        else if (!source)
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

/* The same where decimal numbers have no meaning. */
static expr *compile_field(loader *l, const char *field, const char *what, int line, const expr_scope *scope,
                           expr_type wanted, bool *fine)
{
    expr *x = compile_any(l, field, what, line, scope, wanted, fine);
    if (x && expr_is_number(x))
        *fine = casefile_fail(l, line, "bind %s.%s: '%s' is a decimal number; expected an integer", what, field,
                              expr_text(x));
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

/* ---- attributes ---- */

/* The value of an enumeration that an axis names, in small letters where the specification has capitals: "constant" is
   DML_PADDING_MODE_CONSTANT. -1: there is none. */
static int64_t value_named(const ts_attr_decl *decl, const char *name)
{
    char capitals[64];
    const int64_t value = operator_value_named(decl, name);
    size_t n = 0;
    for (; value < 0 && name[n] && n + 1 < sizeof capitals; ++n)
        capitals[n] = (char)toupper((unsigned char)name[n]);
    capitals[n] = '\0';
    return value >= 0 ? value : operator_value_named(decl, capitals);
}

/* Map the names of an axis to the values of an enumeration. */
static bool map_names(loader *l, int line, const ts_attr_decl *decl, const expr_name *axis, case_value *c)
{
    c->form = CASE_NAMED;
    if (!(c->named = calloc(axis->symbol_count, sizeof *c->named)))
        return error_set(l->e, "out of memory");
    for (size_t s = 0; s < axis->symbol_count; ++s) {
        const int64_t value = value_named(decl, axis->symbols[s]);
        if (value < 0)
            return casefile_fail(l, line, "bind %s: '%s' of axis '%s' is no value of it, such as %s", decl->name,
                                 axis->symbols[s], axis->name, decl->names[0]);
        c->named[c->named_count++] = (case_named){ axis->symbol_values[s], value };
    }
    return true;
}

/* What the values of the expression mean to the attribute. */
static bool find_form(loader *l, int line, const ts_attr_decl *decl, const expr_scope *scope, case_value *c)
{
    const bool element = decl->type == TS_ATTR_F32 || decl->type == TS_ATTR_UNION;
    const int domain = expr_domain_of(c->x);
    if (expr_is_number(c->x)) {
        c->form = CASE_NUMBER;
        return element || casefile_fail(l, line, "bind %s: '%s' is a decimal number; expected an integer", decl->name,
                                        expr_text(c->x));
    }
    if (!decl->names || domain < 0)
        return true;
    for (size_t s = 0; s < scope->names[domain].symbol_count; ++s)
        if (tensor_dtype_named(scope->names[domain].symbols[s]) != TS_DTYPE_UNKNOWN)
            return true; /* data types have the numbers of the enumeration */
    return map_names(l, line, decl, &scope->names[domain], c);
}

/* Compile the field of the table on top of the stack: a value of the attribute, or of one of its members. */
static bool bind_value(loader *l, const char *field, int line, const ts_attr_decl *decl, const expr_scope *scope,
                       case_value *c)
{
    bool fine = true;
    c->x = compile_any(l, field, decl->name, line, scope, decl->count == TS_ARRAY ? EXPR_VECTOR : EXPR_INT, &fine);
    return fine && (!c->x || find_form(l, line, decl, scope, c));
}

/* The table of a record: its members, and whether it is present. */
static bool bind_record(loader *l, int line, const ts_attr_decl *decl, bool change, case_attr *a,
                        const expr_scope *scope)
{
    const char *fields[CASE_MEMBERS + 1] = { "Present" };
    bool fine = lua_istable(l->lua, -1) && decl->capacity <= CASE_MEMBERS;
    if (!fine)
        return casefile_fail(l, line, "bind %s: expected a table with %s, ... and Present", decl->name,
                             decl->members[0]);
    for (unsigned i = 0; i < decl->capacity; ++i)
        fields[i + 1] = decl->members[i];
    fine = check_fields(l, decl->name, line, fields, decl->capacity + 1u);
    unsigned bound = 0;
    for (unsigned i = 0; fine && i < decl->capacity; ++i) {
        fine = bind_value(l, decl->members[i], line, decl, scope, &a->members[i]);
        bound += a->members[i].x != NULL;
    }
    if (fine && bound < decl->capacity && (bound > 0 || !change))
        fine = casefile_fail(l, line, "bind %s: a value of each of its %u members is needed", decl->name,
                             (unsigned)decl->capacity);
    if (fine)
        a->present = compile_field(l, "Present", decl->name, line, scope, EXPR_BOOL, &fine);
    return fine;
}

static bool bind_attr_fields(loader *l, int line, const ts_attr_decl *decl, bool change, case_attr *a,
                             const expr_scope *scope)
{
    static const char *const fields[] = { "Value", "Bits", "Present", "Count", "Rest" };
    const bool vector = decl->count == TS_ARRAY;
    bool fine = check_fields(l, decl->name, line, fields, sizeof fields / sizeof fields[0]) &&
                bind_value(l, "Value", line, decl, scope, &a->value);
    if (fine && !a->value.x && (decl->type == TS_ATTR_F32 || decl->type == TS_ATTR_UNION)) {
        fine = bind_value(l, "Bits", line, decl, scope, &a->value);
        a->value.form = CASE_BITS;
    }
    if (fine)
        a->present = compile_field(l, "Present", decl->name, line, scope, EXPR_BOOL, &fine);
    if (fine)
        a->count = compile_field(l, "Count", decl->name, line, scope, EXPR_INT, &fine);
    if (fine)
        a->rest = compile_field(l, "Rest", decl->name, line, scope, EXPR_INT, &fine);
    if (fine && ((!a->value.x && !change) || (!vector && (a->count || a->rest))))
        fine = casefile_fail(l, line, "bind %s: %s", decl->name,
                             a->value.x ? "only a vector has a Count and a Rest" : "needs a Value");
    return fine;
}

static bool bind_attr(loader *l, int line, const ts_attr_decl *decl, bool change, case_attr *a, const expr_scope *scope)
{
    lua_State *L = l->lua;
    if (decl->type == TS_ATTR_OPERATOR)
        return casefile_fail(l, line, "bind %s: a case file binds no operator inside of another", decl->name);
    if (decl->count == TS_RECORD)
        return bind_record(l, line, decl, change, a, scope);
    if (lua_istable(L, -1))
        return bind_attr_fields(l, line, decl, change, a, scope);
    lua_createtable(L, 0, 1);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, "Value");
    const bool fine = bind_value(l, "Value", line, decl, scope, &a->value);
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

static void free_value(case_value *c)
{
    expr_free(c->x);
    free(c->named);
}

void casefile_free_bindings(case_bindings *b)
{
    for (size_t t = 0; t < TS_MAX_TENSORS; ++t)
        free_tensor(&b->tensors[t]);
    for (size_t a = 0; a < TS_MAX_ATTRS; ++a) {
        free_value(&b->attrs[a].value);
        for (unsigned i = 0; i < CASE_MEMBERS; ++i)
            free_value(&b->attrs[a].members[i]);
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
        const case_attr *a = change && case_attr_is_bound(&change->attrs[i]) ? &change->attrs[i] : &bind->attrs[i];
        fine = add_alias(l, t, op->attrs[i].name, "", a->value.x);
        for (unsigned m = 0; fine && op->attrs[i].count == TS_RECORD && m < op->attrs[i].capacity; ++m)
            fine = add_alias(l, t, op->attrs[i].name, op->attrs[i].members[m], a->members[m].x);
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
