/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/raw_call.h"

#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The descriptor of a finding, which reads as the one that was submitted: descriptor_to_json leaves nothing out. */
static bool read_descriptor(const store_finding *f, ts_descriptor *d)
{
    const char *name;
    json_t *descriptor;
    error e;
    json_t *record = f->verdict == VERDICT_REJECTED_VALID && f->descriptor ? json_loads(f->descriptor, 0, NULL) : NULL;
    bool fine = record && json_unpack(record, "{s:s,s:o}", "operator", &name, "descriptor", &descriptor) == 0;
    const ts_operator *op = fine ? operators_find_known(name) : NULL;
    fine = op && descriptor_from_json(op, descriptor, d, NULL, &e);
    json_decref(record);
    return fine;
}

static json_t *bits(uint32_t set)
{
    char digits[16];
    snprintf(digits, sizeof digits, "0x%x", set);
    return json_string(digits);
}

static json_t *number(uint64_t value)
{
    char digits[24];
    if (value <= INT64_MAX)
        return json_integer((json_int_t)value);
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    return json_string(digits);
}

static json_t *numbers(const uint64_t *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count && i < TS_MAX_DIMS; ++i)
        json_array_append_new(list, number(values[i]));
    return list;
}

static json_t *tensor_to_json(const ts_descriptor *d, unsigned k)
{
    const ts_tensor *t = &d->tensors[k];
    return json_pack("{s:s,s:I,s:I,s:o,s:I,s:I,s:o,s:o,s:o}", "name", d->op->tensors[k].name, "dtype",
                     (json_int_t)t->dtype, "rank", (json_int_t)t->rank, "given", bits(t->given), "flags",
                     (json_int_t)t->flags, "alignment", (json_int_t)t->alignment, "total_bytes", number(t->total_bytes),
                     "sizes", numbers(t->sizes, t->rank), "strides", numbers(t->strides, t->rank));
}

static json_t *attr_to_json(const ts_descriptor *d, unsigned k)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const bool given = (d->attrs_given >> k & 1u) != 0;
    json_t *value = json_array();
    if (a->count == TS_SCALAR) {
        json_decref(value);
        value = given || a->counts ? json_integer(operator_attr_value(d, k, 0)) : json_null();
    }
    for (unsigned i = 0; a->count != TS_SCALAR && given && i < operator_attr_count(d, k) && i < a->capacity; ++i)
        json_array_append_new(value, json_integer(operator_attr_value(d, k, i)));
    return json_pack("{s:s,s:b,s:o}", "name", a->name, "given", (int)given, "value", value);
}

json_t *raw_call(const store_finding *f)
{
    ts_descriptor d;
    if (!read_descriptor(f, &d))
        return NULL;
    const ts_call call = operator_call(&d);
    json_t *tensors = json_array(), *attrs = json_array();
    for (unsigned k = 0; k < d.op->tensor_count; ++k)
        json_array_append_new(tensors, tensor_to_json(&d, k));
    for (unsigned k = 0; k < d.op->attr_count; ++k)
        json_array_append_new(attrs, attr_to_json(&d, k));
    return json_pack("{s:s,s:I,s:o,s:o,s:I,s:I,s:o,s:o}", "op", call.op, "profile", (json_int_t)call.profile,
                     "feature_level", bits(call.feature_level), "attrs_given", bits(call.attrs_given), "attrs_size",
                     (json_int_t)call.attrs_size, "tensor_count", (json_int_t)call.tensor_count, "tensors", tensors,
                     "attrs", attrs);
}

/* Append the members of an object from `first` on: "dtype 1, rank 4, sizes [1,4]". */
static void add_members(text *t, json_t *object, size_t first)
{
    const char *key;
    json_t *value;
    size_t k = 0;
    json_object_foreach(object, key, value)
    {
        if (json_is_array(value) && json_array_size(value) && json_is_object(json_array_get(value, 0)))
            continue;
        char *line = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
        if (k++ >= first)
            text_format(t, "%s%s %s", k > first + 1 ? ", " : "", key,
                        json_is_string(value) ? json_string_value(value)
                        : line                ? line
                                              : "");
        free(line);
    }
}

static void add_list(text *t, json_t *list, const char *of)
{
    for (size_t i = 0; i < json_array_size(list); ++i) {
        json_t *one = json_array_get(list, i);
        text_format(t, "\n  %s %s: ", of, json_string_value(json_object_get(one, "name")));
        add_members(t, one, 1);
    }
}

void raw_call_text(text *t, const store_finding *f)
{
    json_t *call = raw_call(f);
    if (!call)
        return;
    add_members(t, call, 0);
    add_list(t, json_object_get(call, "tensors"), "tensor");
    add_list(t, json_object_get(call, "attrs"), "attribute");
    json_decref(call);
}
