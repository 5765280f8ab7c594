/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_dxdispatch.h"

#include "harness/model/descriptor.h"
#include "harness/model/value.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the operator ---------------------------------------------------------------------------------------------- */

/* DML_SLICE1_OPERATOR_DESC is DML_OPERATOR_SLICE1. */
static json_t *operator_type(const ts_operator *op)
{
    const char *stem = op->title + strlen("DML_"), *end = strstr(stem, "_OPERATOR_DESC");
    return json_sprintf("DML_OPERATOR_%.*s", end ? (int)(end - stem) : 0, stem);
}

/* Is the value of a field a null that means a null pointer, or is there one inside? *name is set to its field. */
static bool has_null(json_t *value, const char *field, const char **name)
{
    const char *key;
    json_t *inner;
    if (json_is_null(value) || strcmp(field, "Desc") == 0) {
        *name = field;
        return true;
    }
    json_object_foreach(value, key, inner)
    {
        if (has_null(inner, key, name))
            return true;
    }
    for (size_t i = 0; i < json_array_size(value); ++i) {
        if (has_null(json_array_get(value, i), field, name))
            return true;
    }
    return false;
}

/* Does a tensor, or one of a list of them, state its DimensionCount? */
static bool states_dimensions(const json_t *value)
{
    bool states = json_object_get(value, "DimensionCount") != NULL;
    for (size_t i = 0; i < json_array_size(value) && !states; ++i)
        states = json_object_get(json_array_get(value, i), "DimensionCount") != NULL;
    return states;
}

/* The descriptor with its counts, which Touchstone's own records omit. *what is set to the reason where DxDispatch
   cannot express field *name; else to NULL. */
static json_t *operator_fields(const ts_descriptor *d, const char **what, const char **name)
{
    json_t *fields = descriptor_to_json(d);
    const char *dimensions = NULL, *key;
    json_t *value;
    json_object_foreach(fields, key, value)
    {
        if (states_dimensions(value))
            dimensions = key;
    }
    *what = NULL;
    if (dimensions) {
        *name = dimensions;
        *what = "'s DimensionCount is not that of its Sizes";
    } else if (has_null(fields, "", name)) {
        *what = " is null";
    }
    for (unsigned k = 0; k < d->op->attr_count && !*what; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        if (a->counts && !json_object_get(fields, a->name))
            json_object_set_new(fields, a->name, json_integer(operator_attr_value(d, k, 0)));
        if (a->count == TS_ARRAY && (d->attrs_given >> k & 1) && operator_attr_count(d, k) > a->capacity) {
            *name = a->name;
            *what = " is shorter than its count";
        }
    }
    return fields;
}

/* ---- the buffers ----------------------------------------------------------------------------------------------- */

/* The type of a buffer's values: see the header. */
static uint32_t buffer_type(const ts_tensor *t)
{
    static const uint32_t unsigned_types[] = { [1] = TS_UINT8, [2] = TS_UINT16, [4] = TS_UINT32, [8] = TS_UINT64 };
    const ts_dtype_info *type = tensor_dtype(t->dtype);
    const size_t size = tensor_element_bytes(t->dtype);
    if (!type || size == 0 || t->total_bytes % size != 0)
        return TS_UINT8;
    return type->is_float ? unsigned_types[size] : t->dtype;
}

/* A buffer's bytes as values of its type. `map`: a byte per element of the tensor, not zero for those that are to be
   null; or NULL. */
static json_t *buffer_values(const ts_tensor *t, const unsigned char *data, const uint8_t *map)
{
    const uint32_t type = buffer_type(t);
    const size_t size = tensor_element_bytes(type), element = tensor_element_bytes(t->dtype);
    json_t *list = json_array();
    for (uint64_t at = 0; at + size <= t->total_bytes; at += size) {
        const bool undefined = map && element && at / element < t->total_bytes / element && map[at / element];
        json_array_append_new(list, undefined ? json_null() : descriptor_element_to_json(type, data + at));
    }
    return list;
}

static json_t *type_name(uint32_t dtype)
{
    return json_string(tensor_dtype(dtype)->dml);
}

/* The expected values of an output's buffer; null where an element is undefined, or may have one of several values. */
static json_t *expected_values(const case_view *c, unsigned t)
{
    const ts_tensor *tensor = &c->value.descriptor.tensors[t];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count;
    uint8_t *map = NULL;
    if (c->value.marks[t].map && tensor_element_count(tensor, &count) && count > 0)
        map = calloc(1, (size_t)(tensor->total_bytes + 1)); /* elements behind the span hold poison */
    if (map) {
        do {
            map[tensor_offset(tensor, coord)] = evaluate_open(&c->value, t, coord) != TS_ONE_ANSWER;
        } while (tensor_next(tensor, coord));
    }
    json_t *list = buffer_values(tensor, tensor->data, map);
    free(map);
    return list;
}

/* A tensor's buffer, filled or poisoned. In a case that is not executed only its size matters. */
static json_t *buffer(const case_view *c, unsigned t)
{
    const ts_tensor *tensor = &c->build.now.descriptor.tensors[t], *filled = &c->value.descriptor.tensors[t];
    const bool input = tensor->dtype && c->build.now.descriptor.op->tensors[t].role == TS_INPUT;
    if (input && case_view_executes(c))
        return json_pack("{s:o, s:o, s:I}", "initialValuesDataType", type_name(buffer_type(tensor)), "initialValues",
                         buffer_values(tensor, filled->data, NULL), "sizeInBytes", (json_int_t)tensor->total_bytes);
    const uint64_t bytes = tensor->total_bytes > 0 && tensor->total_bytes < (1 << 30) ? tensor->total_bytes : 4;
    unsigned char poison[8];
    memset(poison, EXPORT_POISON, sizeof poison);
    uint32_t type = bytes == tensor->total_bytes ? buffer_type(tensor) : TS_UINT8;
    return json_pack("{s:o, s:{s:I, s:o}, s:I}", "initialValuesDataType", type_name(type), "initialValues",
                     "valueCount", (json_int_t)(bytes / tensor_element_bytes(type)), "value",
                     descriptor_element_to_json(type, poison), "sizeInBytes", (json_int_t)bytes);
}

/* ---- the model --------------------------------------------------------------------------------------------------- */

/* The model; NULL if the format cannot express the case, or memory is out. */
static json_t *make_model(case_view *c, export_files *f)
{
    const ts_descriptor *d = &c->build.now.descriptor;
    const char *what, *name = "";
    json_t *fields = operator_fields(d, &what, &name);
    if (what) {
        json_decref(fields);
        export_cannot(f, "%s%s", name, what);
        return NULL;
    }
    json_t *resources = json_object(), *bindings = json_object(), *commands = json_array(), *expected = json_object();
    json_array_append_new(
        commands, json_pack("{s:s, s:s, s:O}", "type", "dispatch", "dispatchable", "case", "bindings", bindings));
    for (unsigned t = 0; t < d->op->tensor_count; ++t) {
        const char *tensor = d->op->tensors[t].name;
        if (!(d->tensors[t].given & TS_GIVEN_TENSOR))
            continue;
        json_object_set_new(resources, tensor, buffer(c, t));
        descriptor_put_tensor(bindings, d->op, t, json_string(tensor));
        if (d->op->tensors[t].role != TS_OUTPUT)
            continue;
        json_array_append_new(commands, json_pack("{s:s, s:s}", "type", "print", "resource", tensor));
        if (case_view_executes(c))
            json_object_set_new(expected, tensor, expected_values(c, t));
    }
    json_decref(bindings);
    const char *broken = c->build.now.invalid;
    json_t *model =
        json_pack("{s:{s:s, s:s, s:s*, s:o}, s:o, s:{s:{s:o, s:o}}, s:o}", "touchstone", "case", c->id, "expect",
                  case_is_open(&c->build.now) ? "open"
                  : broken                    ? "refused"
                                              : "accepted",
                  "clause", broken ? broken : c->build.now.ambiguous, "outputs", expected, "resources", resources,
                  "dispatchables", "case", "type", operator_type(d->op), "desc", fields, "commands", commands);
    return model;
}

/* Append the model. What is a string of digits in a tree, because it is beyond 63 bits, is a number in the file:
   DxDispatch and the checker read no other. */
static void add_model(text *t, const char *model)
{
    const char *quote;
    for (; (quote = strchr(model, '"')); model = quote) {
        text_bytes(t, model, (size_t)(quote - model));
        const char *string = quote++;
        const size_t digits = strspn(quote + (*quote == '-'), "0123456789") + (*quote == '-');
        if (digits >= 19 && quote[digits] == '"') {
            text_bytes(t, quote, digits);
            quote += digits + 1;
            continue;
        }
        while (*quote != '"')
            quote += *quote == '\\' ? 2 : 1;
        quote++;
        text_bytes(t, string, (size_t)(quote - string));
    }
    text_add(t, model);
}

bool export_dxdispatch(case_view *c, export_files *f, error *e)
{
    const ts_operator *op = c->build.now.descriptor.op;
    if (strncmp(op->title, "DML_", 4) != 0)
        return export_cannot(f, "%s is no operator of DirectML", op->name);
    if (c->test->sparse)
        return export_cannot(f, "%s: its elements lie gigabytes apart", c->test->name);
    json_t *model = make_model(c, f);
    char *model_text = model ? json_dumps(model, JSON_INDENT(1)) : NULL;
    json_decref(model);
    if (!model_text)
        return *f->why ? false : error_set(e, "out of memory");
    text *t = export_add(f, "");
    add_model(t, model_text);
    text_add(t, "\n");
    free(model_text);
    return true;
}
