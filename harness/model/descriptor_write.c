/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "harness/model/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

/* Every value is added to its parent as soon as it is made. jansson frees a value that cannot be added, so that a
   failure anywhere only has to be remembered. */
static bool put(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* An integer; beyond JSON's own range a string. */
static json_t *unsigned_to_json(uint64_t value)
{
    char text[24];
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

static json_t *list_to_json(const uint64_t *values, uint32_t rank)
{
    json_t *list = json_array();
    for (uint32_t i = 0; list && i < rank && i < TS_MAX_DIMS; ++i) {
        if (json_array_append_new(list, unsigned_to_json(values[i])) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *dtype_to_json(const ts_operator *op, uint32_t dtype)
{
    return dtype == 0 || tensor_dtype(dtype) ? json_string(operator_dtype_name(op, dtype)) : json_integer(dtype);
}

static bool write_tensor(const ts_operator *op, const ts_tensor *t, json_t *object)
{
    bool dml = !op->openvino_types, sizes = t->given & TS_GIVEN_SIZES;
    uint64_t least;
    bool ok = true;
    if (!tensor_min_bytes(t, &least))
        least = 0;
    if (!(t->given & TS_GIVEN_DESC))
        ok = ok && put(object, "Desc", json_null());
    ok = ok && put(object, dml ? "DataType" : "type", dtype_to_json(op, t->dtype));
    if (t->rank > TS_MAX_DIMS || (!sizes && t->rank > 0))
        ok = ok && put(object, dml ? "DimensionCount" : "rank", json_integer(t->rank));
    ok = ok && put(object, dml ? "Sizes" : "shape", sizes ? list_to_json(t->sizes, t->rank) : json_null());
    if (t->given & TS_GIVEN_STRIDES)
        ok = ok && put(object, dml ? "Strides" : "strides", list_to_json(t->strides, t->rank));
    if (t->total_bytes != least)
        ok = ok && put(object, dml ? "TotalTensorSizeInBytes" : "total_bytes", unsigned_to_json(t->total_bytes));
    if (t->alignment)
        ok = ok && put(object, dml ? "GuaranteedBaseOffsetAlignment" : "alignment", json_integer(t->alignment));
    if (t->flags)
        ok = ok &&
             put(object, dml ? "Flags" : "flags", t->flags == 1 ? json_string("OWNED_BY_DML") : json_integer(t->flags));
    return ok;
}

bool descriptor_is_of_type(const char *title, const char *type)
{
    const char *stem = strncmp(type, "DML_OPERATOR_", 13) == 0 ? type + 13 : type;
    const size_t n = strlen(stem);
    return title && strncmp(title, "DML_", 4) == 0 && strncmp(title + 4, stem, n) == 0 &&
           strcmp(title + 4 + n, "_OPERATOR_DESC") == 0;
}

bool descriptor_is_alias(const ts_operator *op, const char *name)
{
    char stem[64];
    size_t n = 0;
    if (strncmp(name, "dml.", 4) != 0)
        return false;
    for (; name[4 + n] && n + 1 < sizeof stem; ++n)
        stem[n] = (char)toupper((unsigned char)name[4 + n]);
    stem[n] = 0;
    return descriptor_is_of_type(op->other_title, stem);
}

size_t descriptor_stem_length(const ts_operator *op)
{
    static const char first[] = "DML_", last[] = "_OPERATOR_DESC";
    const size_t n = strlen(op->title), around = sizeof first - 1 + sizeof last - 1;
    return strncmp(op->title, first, sizeof first - 1) == 0 && n > around ? n - around : 0;
}

/* As DxDispatch has it: the fields of the Desc beside the Type. */
static json_t *nested_to_json(const ts_attr_decl *a, ts_nested_operator nested)
{
    ts_descriptor inner;
    char type[64];
    if (!operator_of_nested(&inner, a, &nested))
        return json_pack("{s:s}", "Type", "UNKNOWN");
    json_t *json = descriptor_to_json(&inner);
    snprintf(type, sizeof type, "%.*s", (int)descriptor_stem_length(inner.op), inner.op->title + strlen("DML_"));
    for (unsigned k = 0; json && k < inner.op->tensor_count; ++k)
        json_object_del(json, inner.op->tensors[k].name);
    if (json && !put(json, "Type", json_string(type))) {
        json_decref(json);
        json = NULL;
    }
    return json;
}

/* Value i of an attribute that is a float, or a union of a known data type, as an element. False for any other. */
static bool attr_element(const ts_descriptor *d, unsigned k, unsigned i, uint32_t *dtype, unsigned char element[8])
{
    const ts_attr_decl *a = &d->op->attrs[k];
    *dtype = TS_FLOAT32;
    if (a->type == TS_ATTR_UNION)
        memcpy(dtype, d->attrs + a->type_offset, sizeof *dtype);
    if ((a->type != TS_ATTR_F32 && a->type != TS_ATTR_UNION) || tensor_element_bytes(*dtype) == 0)
        return false;
    value_store_bits(*dtype, element, (uint64_t)operator_attr_value(d, k, i));
    return true;
}

static json_t *value_to_json(const ts_descriptor *d, unsigned k, unsigned i)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const int64_t value = operator_attr_value(d, k, i);
    uint32_t dtype;
    unsigned char element[8];
    if (attr_element(d, k, i, &dtype, element))
        return descriptor_element_to_json(dtype, element);
    if (a->type == TS_ATTR_BOOL && value <= 1)
        return json_boolean(value == 1);
    if (a->type == TS_ATTR_OPERATOR)
        return nested_to_json(a, operator_nested(d, k, i));
    return value >= 0 && value < operator_name_count(a) ? json_string(a->names[value]) : json_integer(value);
}

static bool write_attr(const ts_descriptor *d, unsigned k, json_t *object)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    json_t *list;
    for (unsigned i = 0; i < d->op->list_count; ++i) /* a list says how many members it has */
        if (d->op->lists[i].count == k && operator_attr_value(d, k, 0) == operator_list_length(d, &d->op->lists[i]))
            return true;
    if (!(d->attrs_given >> k & 1))
        return a->optional || a->counts ? true : put(object, a->name, json_null());
    if (a->count == TS_SCALAR)
        return put(object, a->name, value_to_json(d, k, 0));
    if (a->count == TS_RECORD) {
        json_t *record = json_object();
        bool ok = put(object, a->name, record);
        for (unsigned i = 0; ok && i < a->capacity; ++i)
            ok = put(record, a->members[i], value_to_json(d, k, i));
        return ok;
    }
    list = json_array();
    if (!put(object, a->name, list))
        return false;
    for (unsigned i = 0; i < operator_attr_count(d, k) && i < a->capacity; ++i) {
        if (json_array_append_new(list, value_to_json(d, k, i)) != 0)
            return false;
    }
    return true;
}

/* A list, as long as its count says, with null for each member that is absent. */
static bool write_list(const ts_descriptor *d, const ts_tensor_list *l, json_t *root)
{
    json_t *list = json_array();
    bool ok = put(root, l->name, list);
    for (unsigned k = 0; ok && k < operator_list_length(d, l); ++k) {
        const ts_tensor *t = &d->tensors[l->first + k];
        const bool given = t->given & TS_GIVEN_TENSOR;
        json_t *member = given ? json_object() : json_null();
        ok = json_array_append_new(list, member) == 0 && (!given || write_tensor(d->op, t, member));
    }
    return ok;
}

bool descriptor_put_tensor(json_t *record, const ts_operator *op, unsigned k, json_t *value)
{
    const ts_tensor_list *l = operator_list_of(op, k);
    if (!l)
        return put(record, op->tensors[k].name, value);
    json_t *list = json_object_get(record, l->name);
    if (!list) {
        list = json_array();
        if (!put(record, l->name, list)) {
            json_decref(value);
            return false;
        }
    }
    return json_array_append_new(list, value) == 0;
}

json_t *descriptor_get_tensor(const json_t *record, const ts_operator *op, unsigned k)
{
    const ts_tensor_list *l = operator_list_of(op, k);
    json_t *field = json_object_get(record, operator_field_of_tensor(op, k));
    return l ? json_array_get(field, k - l->first) : field;
}

static bool write_descriptor(const ts_descriptor *d, json_t *root)
{
    const ts_operator *op = d->op;
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        const ts_tensor *t = &d->tensors[k];
        const ts_tensor_list *l = operator_list_of(op, k);
        json_t *object = NULL;
        if (l) { /* it is written as a whole */
            if (k == l->first && !write_list(d, l, root))
                return false;
            continue;
        }
        if (!(t->given & TS_GIVEN_TENSOR)) {
            if (!op->tensors[k].optional && !put(root, op->tensors[k].name, json_null()))
                return false;
            continue;
        }
        object = json_object();
        if (!put(root, op->tensors[k].name, object) || !write_tensor(op, t, object))
            return false;
    }
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (!write_attr(d, k, root))
            return false;
    }
    if (d->profile == TS_PROFILE_NUMPY && !put(root, "profile", json_string("numpy")))
        return false;
    return d->feature_level == 0 || put(root, "feature_level", json_string(tensor_level_name(d->feature_level)));
}

json_t *descriptor_to_json(const ts_descriptor *d)
{
    json_t *root = json_object();
    if (root && !write_descriptor(d, root)) {
        json_decref(root);
        root = NULL;
    }
    return root;
}

/* ---- text --------------------------------------------------------------------------------------------------- */

/* "ELEMENT_WISE_CLIP(ScaleBias {2,1}, Min 0, Max 6)" */
static char *nested_text(const ts_attr_decl *a, const ts_nested_operator *nested, char *buf, size_t size)
{
    ts_descriptor inner;
    char value[64];
    if (!operator_of_nested(&inner, a, nested)) {
        snprintf(buf, size, "unknown");
        return buf;
    }
    size_t used = (size_t)snprintf(buf, size, "%.*s", (int)descriptor_stem_length(inner.op), inner.op->title + 4);
    const char *separator = "(";
    for (unsigned k = 0; k < inner.op->attr_count; ++k) {
        const unsigned count = inner.attrs_given >> k & 1 ? operator_attr_count(&inner, k) : 0;
        const char *end = count > 1 ? "}" : "";
        for (unsigned i = 0; i < count && used < size; ++i) {
            descriptor_attr_text(&inner, k, i, value, sizeof value);
            if (i == 0)
                used += (size_t)snprintf(buf + used, size - used, "%s%s %s%s", separator, inner.op->attrs[k].name,
                                         count > 1 ? "{" : "", value);
            else
                used += (size_t)snprintf(buf + used, size - used, ",%s", value);
        }
        if (count && used < size)
            used += (size_t)snprintf(buf + used, size - used, "%s", end);
        separator = count ? ", " : separator;
    }
    if (separator[0] == ',' && used < size)
        snprintf(buf + used, size - used, ")");
    return buf;
}

char *descriptor_attr_text(const ts_descriptor *d, unsigned k, unsigned i, char *buf, size_t size)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const int64_t value = operator_attr_value(d, k, i);
    unsigned char element[8];
    uint32_t dtype;
    if (attr_element(d, k, i, &dtype, element))
        return value_format(dtype, element, buf, size);
    if (a->type == TS_ATTR_OPERATOR) {
        const ts_nested_operator nested = operator_nested(d, k, i);
        return nested_text(a, &nested, buf, size);
    }
    if (value >= 0 && value < operator_name_count(a))
        snprintf(buf, size, "%s", a->names[value]);
    else if (a->type == TS_ATTR_BOOL && value <= 1)
        snprintf(buf, size, "%s", value ? "true" : "false");
    else
        snprintf(buf, size, "%" PRId64, value);
    return buf;
}
