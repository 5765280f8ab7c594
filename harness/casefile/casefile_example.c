/* SPDX-License-Identifier: Apache-2.0 */
/* From op:example to descriptors, and the test that they make up. */
#include "harness/casefile/casefile_internal.h"

#include "harness/model/descriptor.h"

#define MOST_DATA (1 << 20) /* elements of a tensor whose values are written out */

/* Take "data" out of each tensor's object: it is no part of a descriptor. */
static void take_data(const ts_operator *op, json_t *record, json_t **data)
{
    for (unsigned t = 0; t < op->tensor_count; ++t) {
        json_t *tensor = descriptor_get_tensor(record, op, t);
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
    if (!json_is_string(value))
        return NULL; /* a field that is left is reported as an unknown field of the descriptor */
    char *text = strdup(json_string_value(value));
    json_object_del(record, key);
    return text;
}

static bool take_bool(json_t *record, const char *key)
{
    const json_t *value = json_object_get(record, key);
    if (!json_is_boolean(value))
        return false;
    const bool is_true = json_is_true(value);
    json_object_del(record, key);
    return is_true;
}

/* Can the example's values of tensor k be stored in it, as this type? */
static bool store_data(const case_example *x, unsigned k, uint32_t dtype, error *e)
{
    ts_tensor t = x->descriptor.tensors[k];
    uint64_t elements;
    t.dtype = dtype;
    if (operator_dependent(x->descriptor.op, k)) { /* how many there are is known once the reference has run */
        t.rank = 1;
        t.sizes[0] = json_array_size(x->data[k]);
        tensor_pack(&t);
    }
    if (t.rank > TS_MAX_DIMS || !tensor_span_elements(&t, &elements) || elements > MOST_DATA)
        return error_usage(e, "%s has data and more than %d elements", x->descriptor.op->tensors[k].name, MOST_DATA);
    t.total_bytes = 8 * (elements + 1);
    t.data = calloc(elements + 1, 8);
    if (!t.data)
        return error_set(e, "out of memory");
    bool fits = descriptor_data_from_json(&t, x->descriptor.op->tensors[k].name, x->data[k], e);
    free(t.data);
    return fits;
}

/* Is the example executed with this data type as well? Values of a page go up to some number, booleans
   up to 1. */
static bool takes_type(const case_example *x, uint32_t dtype)
{
    error ignored;
    const uint32_t printed = operator_dtype(&x->descriptor);
    if (printed == dtype || x->own_types)
        return printed == dtype;
    for (unsigned k = 0; k < x->descriptor.op->tensor_count; ++k)
        if (x->data[k] && x->descriptor.tensors[k].dtype == printed && !store_data(x, k, dtype, &ignored))
            return false;
    return true;
}

/* The data types that examples are executed with: all that the operator has, and that of the first example. */
static bool is_executed(const case_file *f, uint32_t dtype)
{
    const ts_support_row *last = &f->op->support[f->op->support_count - 1];
    return (last->tensors[operator_typed(f->op)].dtypes & TS_DTYPE_BIT(dtype)) ||
           dtype == operator_dtype(&f->examples[0].descriptor);
}

/* An example that the page prints is legal, and has the values of its inputs and outputs. */
static bool check_printed(loader *l, int line, const case_example *x)
{
    if (x->invalid || x->ambiguous)
        return casefile_fail(l, line, "example '%s': what the page prints is neither invalid nor ambiguous", x->name);
    for (unsigned k = 0; k < x->descriptor.op->tensor_count; ++k)
        if (!x->data[k] && (x->descriptor.tensors[k].given & TS_GIVEN_TENSOR))
            return casefile_fail(l, line, "example '%s': the page prints it, so %s needs its data", x->name,
                                 x->descriptor.op->tensors[k].name);
    return true;
}

bool casefile_read_example(loader *l, case_example *x)
{
    lua_State *L = l->lua;
    int line = casefile_int(L, "line");
    const char *name = casefile_string(L, "name");
    if (!name || !*name || strpbrk(name, ",=:* ."))
        return casefile_fail(l, line, "an example needs a name without blanks and , = : * .");
    x->name = strdup(name);
    lua_getfield(L, -1, "def");
    char message[256];
    json_t *record = casefile_lua_to_json(L, lua_gettop(L), message, sizeof message);
    lua_pop(L, 1);
    if (!record || !json_is_object(record)) {
        json_decref(record);
        return casefile_fail(l, line, "example '%s': %s", name, record ? "expected a table of fields" : message);
    }
    x->note = take_string(record, "note");
    x->invalid = take_string(record, "invalid");
    x->ambiguous = take_string(record, "ambiguous");
    x->own_types = take_bool(record, "own_types");
    x->printed = take_bool(record, "printed");
    take_data(l->file->op, record, x->data);
    bool fine = descriptor_from_json(l->file->op, record, &x->descriptor, NULL, l->e);
    json_decref(record);
    if (!fine)
        return error_prefix(l->e, "%s:%d: example '%s'", l->path, line, name);
    if (x->invalid && !operator_clause(l->file->op, x->invalid))
        return casefile_fail(l, line, "example '%s': %s has no clause '%s'", name, l->file->op->name, x->invalid);
    for (unsigned k = 0; k < l->file->op->tensor_count; ++k)
        if (x->data[k] && !store_data(x, k, x->descriptor.tensors[k].dtype, l->e))
            return error_prefix(l->e, "%s:%d: example '%s'", l->path, line, name);
    if (x->printed && !check_printed(l, line, x))
        return false;
    for (uint32_t d = 1; d < TS_DTYPE_COUNT; ++d)
        if (is_executed(l->file, d) && takes_type(x, d))
            return true;
    return casefile_fail(l, line, "example '%s' is never executed: %s has no data type for it", name,
                         l->file->op->name);
}

/* Rule out the types that an example is not executed with. */
static bool leave_out(loader *l, space *s, const int64_t *dtypes, const char *const *names, size_t count)
{
    const case_file *f = l->file;
    for (size_t d = 0; d < count; ++d)
        for (size_t i = 0; i < f->example_count; ++i) {
            const case_example *x = &f->examples[i];
            char predicate[256];
            if (takes_type(x, (uint32_t)dtypes[d]))
                continue;
            snprintf(predicate, sizeof predicate, "dtype ~= '%s' or example ~= '%.100s'", names[d], x->name);
            if (!space_where(s, predicate, l->path, l->e))
                return false;
        }
    return true;
}

/* The space of the examples: the example, and the data type of the case. */
bool casefile_example_test(loader *l, case_test *t)
{
    case_file *f = l->file;
    const ts_operator *op = f->op;
    t->file = f;
    t->family = f->families;
    t->name = strdup("examples");
    t->title = strdup("The published page's own examples, with every data type");
    t->tier = TIER_QUICK; /* what the specification prints is in every tier */
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
    uint32_t natural = operator_dtype(&f->examples[0].descriptor);
    if (!tensor_dtype(natural)) {
        free(names);
        free(numbers);
        return error_usage(l->e, "%s: example '%s', the first one, needs a data type for %s", l->path,
                           f->examples[0].name, op->tensors[operator_typed(op)].name);
    }
    types[type_count] = tensor_dtype(natural)->id;
    type_values[type_count++] = natural;
    for (uint32_t d = 1; d < TS_DTYPE_COUNT; ++d)
        if (d != natural && is_executed(f, d)) {
            types[type_count] = tensor_dtype(d)->id;
            type_values[type_count++] = d;
        }
    space_axis axis = { .name = "example",
                        .description = "the example: of the published page, or the smallest case of a decision",
                        .per = SPACE_SCALAR,
                        .fallback = 0,
                        .always = true,
                        .values = numbers,
                        .count = f->example_count,
                        .symbols = names,
                        .symbol_values = numbers,
                        .symbol_count = f->example_count };
    space_axis dtype = { .name = "dtype",
                         .description = "the data type, of every tensor that has that of the example",
                         .per = SPACE_SCALAR,
                         .fallback = natural,
                         .values = type_values,
                         .count = type_count,
                         .symbols = types,
                         .symbol_values = type_values,
                         .symbol_count = type_count };
    bool fine = space_add_axis(t->space, &axis, l->e) && space_add_axis(t->space, &dtype, l->e) &&
                leave_out(l, t->space, type_values, types, type_count) && space_close(t->space, l->e);
    free(names);
    free(numbers);
    return fine;
}
