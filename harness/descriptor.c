/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/descriptor.h"
#include "harness/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ------------------------------------------------------------------------------------------------- */

/* The fields of a tensor, as DirectML and as OpenVINO spell them, with a third spelling where people use one. */
enum field { KIND, DESC, TYPE, DIMS, SIZES, STRIDES, TOTAL, ALIGNMENT, FLAGS, FIELDS };
static const struct {
    const char *dml, *openvino, *other;
} field_names[FIELDS] = {
    [KIND] = { "Type", NULL, NULL },
    [DESC] = { "Desc", NULL, NULL },
    [TYPE] = { "DataType", "type", "dtype" },
    [DIMS] = { "DimensionCount", "rank", NULL },
    [SIZES] = { "Sizes", "shape", "sizes" },
    [STRIDES] = { "Strides", "strides", NULL },
    [TOTAL] = { "TotalTensorSizeInBytes", "total_bytes", NULL },
    [ALIGNMENT] = { "GuaranteedBaseOffsetAlignment", "alignment", NULL },
    [FLAGS] = { "Flags", "flags", NULL },
};

/* A number by name. */
typedef struct named_value {
    const char *name;
    uint32_t value;
} named_value;

static const named_value kinds[] = {
    { "BUFFER", 1 }, { "DML_TENSOR_TYPE_BUFFER", 1 }, { "INVALID", 0 }, { "DML_TENSOR_TYPE_INVALID", 0 }, { NULL, 0 }
};
static const named_value flag_values[] = { { "NONE", 0 },
                                           { "DML_TENSOR_FLAG_NONE", 0 },
                                           { "OWNED_BY_DML", 1 },
                                           { "DML_TENSOR_FLAG_OWNED_BY_DML", 1 },
                                           { NULL, 0 } };

static bool is_word(const char *word, const char *name)
{
    return name && strcmp(word, name) == 0;
}

/* The field of this name, or FIELDS. */
static unsigned field_named(const char *name)
{
    unsigned f = 0;
    while (f < FIELDS && !is_word(name, field_names[f].dml) && !is_word(name, field_names[f].openvino) &&
           !is_word(name, field_names[f].other))
        ++f;
    return f;
}

/* The name that the operator's specification uses for a field. */
static const char *field_name(const ts_operator *op, unsigned field)
{
    const char *openvino = field_names[field].openvino;
    return op->openvino_types && openvino ? openvino : field_names[field].dml;
}

static const char *dtype_name(const ts_operator *op, const ts_dtype_info *type)
{
    const char *name = op->openvino_types ? type->openvino : type->dml;
    return name ? name : type->id;
}

const char *descriptor_dtype_name(const ts_operator *op, uint32_t dtype)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    return type ? dtype_name(op, type) : "UNKNOWN";
}

static const char *what_is(const json_t *json)
{
    if (!json)
        return "nothing";
    switch (json_typeof(json)) {
    case JSON_OBJECT: return "a record";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: return "an integer";
    case JSON_REAL: return "a fraction";
    case JSON_NULL: return "null";
    default: return "a truth value";
    }
}

/* ---- reading numbers --------------------------------------------------------------------------------------- */

/* What is being read, for messages: "InputTensor.Sizes" or "InputWindowOffsets[2]". */
typedef struct place {
    const char *owner, *field; /* the field may be NULL */
    int index;                 /* or -1 */
} place;

static const char *place_name(const place *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "%s%s%s", p->owner, p->field ? "." : "", p->field ? p->field : "");
    if (p->index >= 0 && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, "[%d]", p->index);
    return buf;
}

static bool expected(error *e, const place *p, const json_t *json, const char *what)
{
    char name[128];
    return error_usage(e, "%s: expected %s, found %s", place_name(p, name, sizeof name), what, what_is(json));
}

/* An integer between the limits; a fraction that is none, as Lua and JavaScript write it, counts. */
static bool read_signed(const place *p, const json_t *json, int64_t min, int64_t max, int64_t *value, error *e)
{
    char name[128];
    if (json_is_integer(json))
        *value = json_integer_value(json);
    else if (json_is_boolean(json))
        *value = json_is_true(json);
    else if (json_is_real(json) && json_real_value(json) >= -0x1p63 && json_real_value(json) < 0x1p63 &&
             (double)(int64_t)json_real_value(json) == json_real_value(json))
        *value = (int64_t)json_real_value(json);
    else
        return expected(e, p, json, "an integer");
    if (*value < min || *value > max)
        return error_usage(e, "%s = %" PRId64 " is out of range: %" PRId64 " to %" PRId64,
                           place_name(p, name, sizeof name), *value, min, max);
    return true;
}

/* An integer of 64 bits without sign; what JSON has no integers for may be a string. */
static bool read_unsigned(const place *p, const json_t *json, uint64_t max, uint64_t *value, error *e)
{
    int64_t number = 0;
    if (json_is_string(json) && max == UINT64_MAX) {
        const char *text = json_string_value(json);
        char *end;
        *value = strtoull(text, &end, 0);
        return end != text && *end == 0 && text[0] != '-' ? true : expected(e, p, json, "an integer");
    }
    if (!read_signed(p, json, 0, max > INT64_MAX ? INT64_MAX : (int64_t)max, &number, e))
        return false;
    *value = (uint64_t)number;
    return true;
}

/* A list of at most TS_MAX_DIMS integers. */
static bool read_list(place p, const json_t *json, uint64_t *values, uint32_t *count, error *e)
{
    char name[128];
    if (!json_is_array(json))
        return expected(e, &p, json, "a list of integers");
    if (json_array_size(json) > TS_MAX_DIMS)
        return error_usage(e, "%s: %zu values, there is room for %d", place_name(&p, name, sizeof name),
                           json_array_size(json), TS_MAX_DIMS);
    *count = (uint32_t)json_array_size(json);
    for (uint32_t i = 0; i < *count; ++i) {
        p.index = (int)i;
        if (!read_unsigned(&p, json_array_get(json, i), UINT64_MAX, &values[i], e))
            return false;
    }
    return true;
}

/* A number, or one of the names. */
static bool read_named(const place *p, const json_t *json, const named_value *names, uint32_t *value, error *e)
{
    char where[128];
    uint64_t number = 0;
    nearest_names known = { .count = 0 };
    if (!json_is_string(json)) {
        if (!read_unsigned(p, json, UINT32_MAX, &number, e))
            return false;
        *value = (uint32_t)number;
        return true;
    }
    for (; names->name; ++names) {
        if (is_word(json_string_value(json), names->name)) {
            *value = names->value;
            return true;
        }
        nearest_add(&known, names->name);
    }
    return nearest_unknown(e, place_name(p, where, sizeof where), "value", json_string_value(json), &known);
}

static bool read_dtype(const ts_operator *op, const place *p, const json_t *json, uint32_t *dtype, error *e)
{
    char where[128];
    static const named_value none[] = { { "UNKNOWN", 0 }, { "DML_TENSOR_DATA_TYPE_UNKNOWN", 0 }, { NULL, 0 } };
    nearest_names known = { .count = 0 };
    if (!json_is_string(json) || strstr(json_string_value(json), "UNKNOWN"))
        return read_named(p, json, none, dtype, e);
    *dtype = tensor_dtype_named(json_string_value(json));
    if (*dtype != TS_DTYPE_UNKNOWN)
        return true;
    for (uint32_t i = 0; i < TS_DTYPE_COUNT; ++i) {
        if (tensor_dtype(i))
            nearest_add(&known, dtype_name(op, tensor_dtype(i)));
    }
    return nearest_unknown(e, place_name(p, where, sizeof where), "data type", json_string_value(json), &known);
}

/* ---- reading tensors --------------------------------------------------------------------------------------- */

/* A descriptor while it is read: what is still to be derived. */
typedef struct reader {
    ts_descriptor *d;
    error *e;
    bool derive_type[TS_MAX_TENSORS], derive_sizes[TS_MAX_TENSORS];
    bool total_stated[TS_MAX_TENSORS];
    uint32_t stride_count[TS_MAX_TENSORS];
} reader;

/* Sort a record's values by field; those of a nested Desc count as its own. */
static bool collect_fields(reader *r, const char *owner, json_t *json, json_t **fields)
{
    const char *key;
    json_t *value;
    if (json_is_array(json) && json_array_size(json) == 0)
        return true; /* an empty Lua table */
    if (!json_is_object(json))
        return expected(r->e, &(place){ owner, NULL, -1 }, json, "a record with a data type and sizes");
    json_object_foreach(json, key, value)
    {
        unsigned f = field_named(key);
        if (f == FIELDS) {
            nearest_names known = { .count = 0 };
            for (unsigned i = r->d->op->openvino_types ? TYPE : 0; i < FIELDS; ++i)
                nearest_add(&known, field_name(r->d->op, i));
            return nearest_unknown(r->e, owner, "field", key, &known);
        }
        if (fields[f])
            return error_usage(r->e, "%s: %s is given twice", owner, key);
        fields[f] = value;
        if (f == DESC && !json_is_null(value) && !collect_fields(r, owner, value, fields))
            return false;
    }
    return true;
}

static bool read_kind(reader *r, place p, json_t *const *fields, ts_tensor *t)
{
    uint32_t kind;
    if (fields[DESC] && json_is_null(fields[DESC]))
        t->given &= ~TS_GIVEN_DESC;
    if (!fields[KIND])
        return true;
    p.field = field_names[KIND].dml;
    if (json_is_string(fields[KIND]) && tensor_dtype_named(json_string_value(fields[KIND])))
        return error_usage(r->e, "%s.Type is the kind of tensor, BUFFER; the type of its elements is %s", p.owner,
                           field_name(r->d->op, TYPE));
    if (!read_named(&p, fields[KIND], kinds, &kind, r->e))
        return false;
    if (kind != 1)
        t->given &= ~TS_GIVEN_DESC;
    return true;
}

/* Sizes and DimensionCount, which must agree unless the latter is more than there is room for. */
static bool read_sizes(reader *r, place p, json_t *const *fields, unsigned k, ts_tensor *t)
{
    uint64_t dims = 0;
    uint32_t count = 0;
    bool null = fields[SIZES] && json_is_null(fields[SIZES]);
    if (null)
        t->given &= ~TS_GIVEN_SIZES;
    if (fields[DIMS]) {
        p.field = field_name(r->d->op, DIMS);
        if (!read_unsigned(&p, fields[DIMS], UINT32_MAX, &dims, r->e))
            return false;
    }
    p.field = field_name(r->d->op, SIZES);
    if (!fields[SIZES] && !(t->given & TS_GIVEN_DESC))
        t->given &= ~TS_GIVEN_SIZES;
    else if (!fields[SIZES] && r->d->op->tensors[k].role == TS_OUTPUT)
        r->derive_sizes[k] = true;
    else if (!fields[SIZES])
        return error_usage(r->e, "%s: %s is missing (null stands for a null pointer)", p.owner, p.field);
    else if (!null && !read_list(p, fields[SIZES], t->sizes, &count, r->e))
        return false;
    t->rank = fields[DIMS] ? (uint32_t)dims : count;
    if (fields[SIZES] && !null && t->rank != count && (t->rank <= TS_MAX_DIMS || count < TS_MAX_DIMS))
        return error_usage(r->e, "%s: %s is %u, but %s has %u values", p.owner, field_name(r->d->op, DIMS),
                           (unsigned)t->rank, p.field, (unsigned)count);
    if (r->derive_sizes[k] && fields[DIMS])
        return error_usage(r->e, "%s: %s is given without %s", p.owner, field_name(r->d->op, DIMS), p.field);
    return true;
}

static bool read_tensor(reader *r, unsigned k, json_t *json)
{
    const ts_operator *op = r->d->op;
    ts_tensor *t = &r->d->tensors[k];
    json_t *fields[FIELDS] = { NULL };
    place p = { op->tensors[k].name, NULL, -1 };
    uint64_t alignment;
    if (json_is_null(json))
        return true;
    if (!collect_fields(r, p.owner, json, fields))
        return false;
    t->given = TS_GIVEN_ALL;
    if (!read_kind(r, p, fields, t) || !read_sizes(r, p, fields, k, t))
        return false;

    p.field = field_name(op, TYPE);
    if (fields[TYPE] && !read_dtype(op, &p, fields[TYPE], &t->dtype, r->e))
        return false;
    if (!fields[TYPE] && op->tensors[k].role == TS_OUTPUT)
        r->derive_type[k] = true;
    else if (!fields[TYPE] && (t->given & TS_GIVEN_DESC))
        return error_usage(r->e, "%s: %s is missing", p.owner, p.field);

    p.field = field_name(op, STRIDES);
    if (fields[STRIDES] && !json_is_null(fields[STRIDES])) {
        if (!read_list(p, fields[STRIDES], t->strides, &r->stride_count[k], r->e))
            return false;
        t->given |= TS_GIVEN_STRIDES;
    }
    p.field = field_name(op, TOTAL);
    r->total_stated[k] = fields[TOTAL] != NULL;
    if (fields[TOTAL] && !read_unsigned(&p, fields[TOTAL], UINT64_MAX, &t->total_bytes, r->e))
        return false;
    p.field = field_name(op, ALIGNMENT);
    if (fields[ALIGNMENT]) {
        if (!read_unsigned(&p, fields[ALIGNMENT], UINT32_MAX, &alignment, r->e))
            return false;
        t->alignment = (uint32_t)alignment;
    }
    p.field = field_name(op, FLAGS);
    return !fields[FLAGS] || read_named(&p, fields[FLAGS], flag_values, &t->flags, r->e);
}

/* ---- what was left out ------------------------------------------------------------------------------------- */

/* The first present input, or NULL. */
static const ts_tensor *first_input(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (d->op->tensors[k].role == TS_INPUT && (d->tensors[k].given & TS_GIVEN_TENSOR))
            return &d->tensors[k];
    }
    return NULL;
}

/* Give outputs the sizes that the specification determines. Where a broken clause leaves it unable to tell, ones in
   as many dimensions as the input has: then nothing is reported but that clause. */
static bool derive_sizes(reader *r)
{
    const ts_tensor *input = first_input(r->d);
    ts_descriptor shaped = *r->d;
    for (unsigned k = 0; k < shaped.op->tensor_count; ++k) {
        if (r->derive_sizes[k])
            shaped.tensors[k].rank = UINT32_MAX;
    }
    bool known = input && shaped.op->shape(&shaped);
    for (unsigned k = 0; k < shaped.op->tensor_count; ++k) {
        ts_tensor *t = &r->d->tensors[k];
        if (!r->derive_sizes[k])
            continue;
        if (known && shaped.tensors[k].rank == UINT32_MAX)
            return error_usage(r->e, "%s: %s is missing: the specification leaves it open", shaped.op->tensors[k].name,
                               field_name(shaped.op, SIZES));
        if (known) {
            t->rank = shaped.tensors[k].rank;
            memcpy(t->sizes, shaped.tensors[k].sizes, sizeof t->sizes);
        } else {
            t->rank = input ? input->rank : 1;
            for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
                t->sizes[i] = 1;
        }
        for (uint32_t i = t->rank; i < TS_MAX_DIMS; ++i)
            t->sizes[i] = 0;
    }
    return true;
}

/* Strides and the number of bytes, which follow from the sizes. */
static bool complete_tensor(reader *r, unsigned k)
{
    const ts_operator *op = r->d->op;
    ts_tensor *t = &r->d->tensors[k];
    uint32_t room = t->rank < TS_MAX_DIMS ? t->rank : TS_MAX_DIMS;
    if ((t->given & TS_GIVEN_STRIDES) && (t->given & TS_GIVEN_SIZES) && r->stride_count[k] != room)
        return error_usage(r->e, "%s: %s has %u values, but %s has %u", op->tensors[k].name, field_name(op, STRIDES),
                           (unsigned)r->stride_count[k], field_name(op, SIZES), (unsigned)room);
    if ((t->given & TS_GIVEN_SIZES) && !(t->given & TS_GIVEN_STRIDES))
        tensor_pack(t);
    if (!r->total_stated[k] && !tensor_min_bytes(t, &t->total_bytes))
        t->total_bytes = 0;
    return true;
}

static bool complete(reader *r)
{
    const ts_tensor *input = first_input(r->d);
    for (unsigned k = 0; k < r->d->op->tensor_count; ++k) {
        if (r->derive_type[k])
            r->d->tensors[k].dtype = input ? input->dtype : TS_DTYPE_UNKNOWN;
    }
    if (!derive_sizes(r))
        return false;
    for (unsigned k = 0; k < r->d->op->tensor_count; ++k) {
        if ((r->d->tensors[k].given & TS_GIVEN_TENSOR) && !complete_tensor(r, k))
            return false;
    }
    return true;
}

/* ---- reading attributes ------------------------------------------------------------------------------------ */

static const struct {
    int64_t min, max;
} attr_ranges[] = {
    [TS_ATTR_U32] = { 0, UINT32_MAX },
    [TS_ATTR_I32] = { INT32_MIN, INT32_MAX },
    [TS_ATTR_I64] = { INT64_MIN, INT64_MAX },
    [TS_ATTR_BIT] = { 0, UINT8_MAX },
};

/* One value of an attribute: a number, or the name of an enumeration's value with or without the prefix that its
   names share. */
static bool read_value(const ts_attr_decl *a, const place *p, const json_t *json, int64_t *value, error *e)
{
    char where[128];
    nearest_names known = { .count = 0 };
    if (!json_is_string(json) || !a->names)
        return read_signed(p, json, attr_ranges[a->type].min, attr_ranges[a->type].max, value, e);
    const char *word = json_string_value(json);
    for (int64_t i = 0; a->names[i]; ++i) {
        const char *name = a->names[i];
        size_t extra = strlen(name) > strlen(word) ? strlen(name) - strlen(word) : 0;
        if (is_word(word, name + extra) && (extra == 0 || name[extra - 1] == '_')) {
            *value = i;
            return true;
        }
        nearest_add(&known, name);
    }
    return nearest_unknown(e, place_name(p, where, sizeof where), "value", word, &known);
}

static bool read_attr(reader *r, unsigned k, json_t *json)
{
    const ts_attr_decl *a = &r->d->op->attrs[k];
    int64_t values[TS_MAX_ATTR_BYTES];
    size_t count = a->count == TS_ARRAY ? json_array_size(json) : 1;
    place p = { a->name, NULL, -1 };
    if (!json || json_is_null(json))
        return true;
    if (a->count == TS_ARRAY && !json_is_array(json))
        return expected(r->e, &p, json, "a list of integers");
    if (a->count == TS_ARRAY && count > a->capacity)
        return error_usage(r->e, "%s: %zu values, there is room for %u", a->name, count, (unsigned)a->capacity);
    for (size_t i = 0; i < count; ++i) {
        p.index = a->count == TS_ARRAY ? (int)i : -1;
        if (!read_value(a, &p, a->count == TS_ARRAY ? json_array_get(json, i) : json, &values[i], r->e))
            return false;
    }
    if (!operator_set_attr(r->d, k, values, count))
        return error_set(r->e, "%s: cannot be stored", a->name);
    return true;
}

/* Arrays that share a count must have as many values as each other, and as the count says where it is stated; only a
   count that is more than there is room for goes with full arrays. */
static bool check_counts(reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        if (a->count != TS_ARRAY || !json_is_array(attrs[k]))
            continue;
        size_t count = json_array_size(attrs[k]);
        for (unsigned j = 0; j < op->attr_count; ++j) {
            const ts_attr_decl *b = &op->attrs[j];
            if (b->counts && b->offset == a->count_offset && (r->d->attrs_given >> j & 1)) {
                int64_t stated = operator_attr_value(r->d, j, 0);
                if ((int64_t)count != stated && !(count == a->capacity && stated > (int64_t)count))
                    return error_usage(r->e, "%s is %" PRId64 ", but %s has %zu values", b->name, stated, a->name,
                                       count);
            } else if (b->count == TS_ARRAY && b->count_offset == a->count_offset && json_is_array(attrs[j]) &&
                       json_array_size(attrs[j]) != count) {
                return error_usage(r->e, "%s has %zu values, but %s has %zu", a->name, count, b->name,
                                   json_array_size(attrs[j]));
            }
        }
    }
    return true;
}

/* A scalar that counts arrays comes first, so that it stands as stated. */
static bool read_attrs(reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (op->attrs[k].counts && !read_attr(r, k, attrs[k]))
            return false;
    }
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (!op->attrs[k].counts && !read_attr(r, k, attrs[k]))
            return false;
    }
    return check_counts(r, attrs);
}

/* ---- reading a descriptor ---------------------------------------------------------------------------------- */

bool descriptor_has_levels(const ts_operator *op)
{
    return op->support_count > 0 && op->support[op->support_count - 1].level != 0;
}

bool descriptor_set_level(ts_descriptor *d, const char *name, error *e)
{
    size_t count;
    nearest_names known = { .count = 0 };
    const ts_level *levels = tensor_levels(&count);
    if (!descriptor_has_levels(d->op))
        return error_usage(e, "%s: its specification has no feature levels", d->op->name);
    d->feature_level = tensor_level_named(name);
    for (size_t i = 0; i < count; ++i)
        nearest_add(&known, tensor_level_name(levels[i]));
    return d->feature_level ? true : nearest_unknown(e, d->op->name, "feature level", name, &known);
}

bool descriptor_set_profile(ts_descriptor *d, const char *name, error *e)
{
    nearest_names known = { .count = 0 };
    nearest_add(&known, "default");
    if (d->op->openvino_types) {
        nearest_add(&known, "openvino");
        nearest_add(&known, "numpy");
    }
    for (size_t i = 0; i < known.count; ++i) {
        if (strcmp(name, known.names[i]) == 0) {
            d->profile = strcmp(name, "numpy") == 0 ? TS_PROFILE_NUMPY : TS_PROFILE_DEFAULT;
            return true;
        }
    }
    return nearest_unknown(e, d->op->name, "profile", name, &known);
}

/* "4_1", or the number 4.1. */
static bool read_level(reader *r, const json_t *json)
{
    char text[32];
    if (json_is_real(json) && json_real_value(json) > 0 && json_real_value(json) < 100)
        snprintf(text, sizeof text, "%.1f", json_real_value(json));
    else if (json_is_string(json))
        snprintf(text, sizeof text, "%s", json_string_value(json));
    else
        return expected(r->e, &(place){ "feature_level", NULL, -1 }, json, "a name such as \"4_1\"");
    return descriptor_set_level(r->d, text, r->e);
}

static bool read_setting(reader *r, const char *key, const json_t *json)
{
    if (strcmp(key, "profile") != 0)
        return read_level(r, json);
    if (!json_is_string(json))
        return expected(r->e, &(place){ key, NULL, -1 }, json, "a name");
    return descriptor_set_profile(r->d, json_string_value(json), r->e);
}

static bool unknown_field(const ts_operator *op, const char *key, error *e)
{
    nearest_names known = { .count = 0 };
    for (unsigned k = 0; k < op->tensor_count; ++k)
        nearest_add(&known, op->tensors[k].name);
    for (unsigned k = 0; k < op->attr_count; ++k)
        nearest_add(&known, op->attrs[k].name);
    nearest_add(&known, "profile");
    nearest_add(&known, "feature_level");
    return nearest_unknown(e, op->name, "field", key, &known);
}

bool descriptor_from_json(const ts_operator *op, json_t *json, ts_descriptor *d, error *e)
{
    reader r = { .d = d, .e = e };
    json_t *attrs[TS_MAX_ATTRS] = { NULL }, *tensors[TS_MAX_TENSORS] = { NULL }, *value, **slot;
    const char *key;
    operator_begin(d, op);
    if (!json_is_object(json) && !(json_is_array(json) && json_array_size(json) == 0))
        return expected(e, &(place){ op->name, NULL, -1 }, json, "a record of tensors and attributes");
    json_object_foreach(json, key, value)
    {
        int tensor = operator_tensor_index(op, key), attr = operator_attr_index(op, key);
        if (tensor < 0 && attr < 0 && (strcmp(key, "profile") == 0 || strcmp(key, "feature_level") == 0)) {
            if (!json_is_null(value) && !read_setting(&r, key, value))
                return false;
            continue;
        }
        if (tensor < 0 && attr < 0)
            return unknown_field(op, key, e);
        slot = tensor >= 0 ? &tensors[tensor] : &attrs[attr];
        if (*slot)
            return error_usage(e, "%s: %s is given twice", op->name, key);
        *slot = value;
    }
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        bool derived = !tensors[k] && op->tensors[k].role == TS_OUTPUT && !op->tensors[k].optional;
        if (derived) {
            d->tensors[k].given = TS_GIVEN_ALL;
            r.derive_type[k] = r.derive_sizes[k] = true;
        } else if (tensors[k] && !read_tensor(&r, k, tensors[k])) {
            return false;
        }
    }
    return read_attrs(&r, attrs) && complete(&r);
}
