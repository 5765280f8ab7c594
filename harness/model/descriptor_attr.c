/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of a descriptor. */
#include "harness/model/descriptor_internal.h"
#include "harness/base/did_you_mean.h"
#include "harness/model/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

/* ---- reading attributes ------------------------------------------------------------------------------------ */

/* Read a number. In a mask, any value other than 0 and 1 breaks the mask's clause. */
static bool read_number(const ts_attr_decl *a, const descriptor_place *p, const json_t *json, int64_t *value)
{
    char name[128];
    bigint n;
    bool inside;
    if (a->type == TS_ATTR_BIT && json_is_boolean(json)) {
        *value = json_is_true(json);
        return true;
    }
    if (a->type == TS_ATTR_BIT && p->r->found && bigint_from_json(json, &n)) {
        *value = bigint_clamp(&n, 0, UINT8_MAX, &inside);
        if (!inside) {
            operator_violate(p->r->found, a->bit_clause, TS_RESULT_INVALID, -1, p->index, "%s = %s is neither 0 nor 1",
                             descriptor_place_name(p, name, sizeof name), n.text);
            *value = 0;
        }
        return true;
    }
    const ts_attr_range range = operator_attr_range(a->type);
    return descriptor_read_signed(p, json, range.min, range.max, value);
}

/* The value of an enumeration whose name, or its end, is most similar to a word; NULL: none is. */
static const char *meant_value(const ts_attr_decl *a, const char *word)
{
    did_you_mean whole, end;
    did_you_mean_start(&whole, word);
    did_you_mean_start(&end, word);
    for (unsigned i = 0; a->names[i]; ++i) {
        did_you_mean_try(&whole, a->names[i]);
        for (const char *part = strchr(a->names[i], '_'); part; part = strchr(part + 1, '_'))
            did_you_mean_try(&end, part + 1);
    }
    return whole.best ? whole.best : end.best;
}

/* One value of an attribute: a number, or the name of an enumeration's value with or without the prefix that its
   names share. */
static bool read_value(const ts_attr_decl *a, const descriptor_place *p, const json_t *json, int64_t *value)
{
    char where[128];
    did_you_mean_names known = { .count = 0 };
    bigint ignored;
    if (!json_is_string(json) || !a->names || bigint_from_json(json, &ignored))
        return read_number(a, p, json, value);
    const char *word = json_string_value(json);
    const int64_t named = operator_value_named(a, word);
    if (named >= 0) {
        *value = named;
        return true;
    }
    for (size_t i = 0; a->names[i]; ++i)
        did_you_mean_add(&known, a->names[i]);
    return did_you_mean_told(p->r->e, descriptor_place_name(p, where, sizeof where), "value", word,
                             meant_value(a, word), &known);
}

/* A number of a data type, as its bits. */
static bool read_bits(const descriptor_place *p, uint32_t dtype, const json_t *json, int64_t *value)
{
    char name[128], expected[64];
    unsigned char element[8] = { 0 };
    const ts_dtype_info *type = tensor_dtype(dtype);
    const char *word = json_is_string(json) ? json_string_value(json) : "";
    bigint n;
    if (!type || tensor_element_bytes(dtype) == 0) { /* the data type's own clause reports it */
        *value = 0;
        return true;
    }
    /* "nan" and "inf" are numbers; of digits, a string has only those that JSON's numbers cannot hold */
    const bool quoted = isdigit((unsigned char)word[*word == '-']) && !bigint_from_json(json, &n);
    if (!json || quoted || json_is_boolean(json) || !descriptor_element_from_json(dtype, json, element)) {
        snprintf(expected, sizeof expected, "a number of type %s", type->dml ? type->dml : type->id);
        if (!json || !json_is_number(json))
            return descriptor_expected(p, json, expected);
        char *number = json_dumps(json, JSON_ENCODE_ANY);
        error_usage(p->r->e, "%s: expected %s, which %.40s is not", descriptor_place_name(p, name, sizeof name),
                    expected, number ? number : "the number found");
        free(number);
        return false;
    }
    *value = (int64_t)value_bits(dtype, element);
    return true;
}

/* A DML_SCALAR_UNION: a number of the data type that another field names, or a record with the member of this type,
   which DxDispatch names as the union does: { "Float32": 1.5 }. It ignores the others. */
static bool read_union(const ts_attr_decl *a, const descriptor_place *p, json_t *json, int64_t *value)
{
    char member[24], expected[96], name[128];
    uint32_t dtype;
    memcpy(&dtype, p->r->d->attrs + a->type_offset, sizeof dtype);
    const ts_dtype_info *type = tensor_dtype(dtype);
    if (!json_is_object(json) || !type || !type->dml)
        return read_bits(p, dtype, json, value);
    snprintf(member, sizeof member, "%s", dtype == TS_FLOAT16 ? "UINT16" : type->dml);
    const char *key;
    json_t *number;
    json_object_foreach(json, key, number)
    {
        if (strcasecmp(key, member) == 0)
            return read_bits(p, dtype == TS_FLOAT16 ? TS_UINT16 : dtype, number, value);
    }
    key = json_object_iter_key(json_object_iter(json));
    snprintf(expected, sizeof expected, "a number, or a record with %s in any case", member);
    if (key)
        return error_usage(p->r->e, "%s: expected %s, found one with \"%.40s\"",
                           descriptor_place_name(p, name, sizeof name), expected, key);
    return descriptor_expected(p, json, expected);
}

static bool read_any(const ts_attr_decl *a, const descriptor_place *p, json_t *json, int64_t *value)
{
    if (a->type == TS_ATTR_F32)
        return read_bits(p, TS_FLOAT32, json, value);
    if (a->type == TS_ATTR_UNION)
        return read_union(a, p, json, value);
    if (a->type == TS_ATTR_BOOL && json_is_boolean(json)) {
        *value = json_is_true(json);
        return true;
    }
    return read_value(a, p, json, value);
}

static bool read_values(descriptor_reader *r, unsigned k, json_t *json, size_t count)
{
    const ts_attr_decl *a = &r->d->op->attrs[k];
    int64_t values[TS_MAX_ATTR_BYTES];
    descriptor_place p = { r, a->name, NULL, -1, -1 };
    for (size_t i = 0; i < count; ++i) {
        json_t *one = a->count == TS_ARRAY    ? json_array_get(json, i)
                      : a->count == TS_RECORD ? json_object_get(json, a->members[i])
                                              : json;
        p.index = a->count == TS_ARRAY ? (int)i : -1;
        p.field = a->count == TS_RECORD ? a->members[i] : NULL;
        values[i] = 0; /* unless it can be read */
        if (!read_any(a, &p, one, &values[i]) && !descriptor_forgive(&p, NULL))
            return false;
    }
    return operator_set_attr(r->d, k, values, count) || error_set(r->e, "%s: cannot be stored", a->name);
}

/* The fields of a nested operator: in its Desc, or beside its Type, as DxDispatch has it. The caller owns them. */
static json_t *nested_fields(json_t *json)
{
    json_t *inner = json_object_get(json, "Desc");
    if (!inner)
        inner = json_object_get(json, "desc");
    json_t *fields = json_copy(inner ? inner : json);
    if (!inner) {
        json_object_del(fields, "Type");
        json_object_del(fields, "type");
    }
    return fields;
}

/* An operator's type that lacks ACTIVATION_ is a mistake: "RELU". Sets the message that says so. */
static bool is_short_type(const ts_attr_decl *a, const descriptor_place *p, const char *word)
{
    enum { MOST = 32 };
    char types[MOST][48], name[128], full[64];
    const char *meant = NULL;
    did_you_mean_names known = { .count = 0 };
    snprintf(full, sizeof full, "ACTIVATION_%.40s", strncmp(word, "DML_OPERATOR_", 13) == 0 ? word + 13 : word);
    for (unsigned i = 0; a->operators[i] && i < MOST; ++i) {
        snprintf(types[i], sizeof types[i], "%.*s", (int)descriptor_stem_length(a->operators[i]),
                 a->operators[i]->title + strlen("DML_"));
        did_you_mean_add(&known, types[i]);
        if (strcmp(types[i], full) == 0)
            meant = types[i];
    }
    descriptor_place_name(p, name, sizeof name - strlen(".Type"));
    strcat(name, ".Type");
    if (meant)
        did_you_mean_told(p->r->e, name, "operator", word, meant, &known);
    return meant != NULL;
}

/* Read the description of a nested operator. One that is none of a->operators is stored as 0, for `check` to report. */
static bool read_nested(const ts_attr_decl *a, const descriptor_place *p, json_t *json, ts_nested_operator *nested)
{
    char name[128];
    json_t *type = json_object_get(json, json_object_get(json, "Type") ? "Type" : "type");
    ts_descriptor inner;
    memset(nested, 0, sizeof *nested);
    if (!json_is_object(json) || !json_is_string(type))
        return descriptor_expected(p, json, "an operator: a record with a Type and the fields of its Desc");
    const char *word = json_string_value(type);
    unsigned i = 0;
    while (a->operators[i] && !descriptor_is_of_type(a->operators[i]->title, word))
        ++i;
    if (!a->operators[i])
        return !is_short_type(a, p, word);
    json_t *fields = nested_fields(json);
    const bool read = fields && descriptor_from_json(a->operators[i], fields, &inner, p->r->found, p->r->e);
    if (read)
        *nested = operator_to_nested(&inner, i + 1);
    else if (fields)
        error_prefix(p->r->e, "%s", descriptor_place_name(p, name, sizeof name));
    else
        error_set(p->r->e, "out of memory");
    json_decref(fields);
    return read;
}

static bool read_nested_values(descriptor_reader *r, unsigned k, json_t *json, size_t count)
{
    const ts_attr_decl *a = &r->d->op->attrs[k];
    ts_nested_operator nested[TS_MAX_ATTR_BYTES / sizeof(ts_nested_operator)];
    descriptor_place p = { r, a->name, NULL, -1, -1 };
    for (size_t i = 0; i < count; ++i) {
        p.index = a->count == TS_ARRAY ? (int)i : -1;
        if (!read_nested(a, &p, a->count == TS_ARRAY ? json_array_get(json, i) : json, &nested[i]) &&
            !descriptor_forgive(&p, NULL))
            return false;
    }
    return operator_set_nested(r->d, k, nested, count) || error_set(r->e, "%s: cannot be stored", a->name);
}

/* Every member of a record must be there, and no other. */
static bool check_members(const descriptor_place *p, const ts_attr_decl *a, json_t *json)
{
    char name[128];
    did_you_mean_names known = { .count = 0 };
    const char *key;
    json_t *value;
    for (unsigned i = 0; i < a->capacity; ++i)
        did_you_mean_add(&known, a->members[i]);
    json_object_foreach(json, key, value)
    {
        unsigned i = 0;
        while (i < a->capacity && strcmp(key, a->members[i]) != 0)
            ++i;
        if (i == a->capacity)
            return did_you_mean_unknown(p->r->e, descriptor_place_name(p, name, sizeof name), "member", key, &known);
    }
    return true;
}

static bool read_attr(descriptor_reader *r, unsigned k, json_t *json)
{
    const ts_attr_decl *a = &r->d->op->attrs[k];
    size_t count = a->count == TS_ARRAY ? json_array_size(json) : a->count == TS_RECORD ? a->capacity : 1;
    descriptor_place p = { r, a->name, NULL, -1, -1 };
    if (!json || json_is_null(json))
        return true;
    if (a->count == TS_ARRAY && !json_is_array(json))
        return descriptor_expected(&p, json,
                                   a->type == TS_ATTR_OPERATOR ? "a list of operators"
                                   : a->type == TS_ATTR_F32    ? "a list of numbers"
                                                               : "a list of integers") ||
               descriptor_forgive(&p, NULL);
    if (a->count == TS_ARRAY && count > a->capacity)
        return descriptor_exceeds(r, "%s: %zu values, of which Touchstone judges up to %u", a->name, count,
                                  (unsigned)a->capacity) ||
               descriptor_forgive(&p, NULL);
    if (a->count == TS_RECORD && !json_is_object(json))
        return descriptor_expected(&p, json, "a record") || descriptor_forgive(&p, NULL);
    if (a->count == TS_RECORD && !check_members(&p, a, json) && !descriptor_forgive(&p, NULL))
        return false;
    return a->type == TS_ATTR_OPERATOR ? read_nested_values(r, k, json, count) : read_values(r, k, json, count);
}

/* Does list j have the count of list k, and does the descriptor give it? */
static bool is_counted_alike(const ts_operator *op, json_t *const *attrs, unsigned j, unsigned k)
{
    return op->attrs[j].count == TS_ARRAY && op->attrs[j].count_offset == op->attrs[k].count_offset &&
           json_is_array(attrs[j]);
}

bool descriptor_common_count(const ts_operator *op, json_t *const *attrs, unsigned k, uint32_t *count)
{
    unsigned all = 0;
    for (unsigned j = 0; j < op->attr_count; ++j)
        all += is_counted_alike(op, attrs, j, k);
    for (unsigned j = 0; j < op->attr_count; ++j) {
        unsigned same = 0;
        for (unsigned i = 0; is_counted_alike(op, attrs, j, k) && i < op->attr_count; ++i)
            same += is_counted_alike(op, attrs, i, k) && json_array_size(attrs[i]) == json_array_size(attrs[j]);
        *count = (uint32_t)json_array_size(attrs[j]);
        if (same > all / 2 && same > 1)
            return true;
    }
    return false;
}

/* A list has as many values as the most of those that share its count; where these are not the most, as each of them.
 */
static bool compare_lists(descriptor_reader *r, json_t *const *attrs, unsigned k)
{
    const ts_operator *op = r->d->op;
    const ts_attr_decl *a = &op->attrs[k];
    const size_t count = json_array_size(attrs[k]);
    const char *plural = count == 1 ? "" : "s";
    uint32_t common;
    if (descriptor_common_count(op, attrs, k, &common))
        return count == common || descriptor_miscounted(r, -1, "%s has %zu value%s, but the other lists have %u",
                                                        a->name, count, plural, (unsigned)common);
    for (unsigned j = k + 1; j < op->attr_count; ++j)
        if (is_counted_alike(op, attrs, j, k) && json_array_size(attrs[j]) != count &&
            !descriptor_miscounted(r, -1, "%s has %zu value%s, but %s has %zu", a->name, count, plural,
                                   op->attrs[j].name, json_array_size(attrs[j])))
            return false;
    return true;
}

/* Arrays that share a count must have equally many values, and as many as the count if it is given. Exception: full
   arrays may have a count above their capacity. */
static bool check_counts(descriptor_reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        bool is_stated = false;
        if (a->count != TS_ARRAY || !json_is_array(attrs[k]))
            continue;
        const size_t count = json_array_size(attrs[k]);
        for (unsigned j = 0; j < op->attr_count; ++j) {
            const ts_attr_decl *b = &op->attrs[j];
            if (!b->counts || b->offset != a->count_offset || !(r->d->attrs_given >> j & 1))
                continue;
            const int64_t stated = operator_attr_value(r->d, j, 0);
            is_stated = true;
            if ((int64_t)count != stated && !(count == a->capacity && stated > (int64_t)count) &&
                !descriptor_miscounted(r, -1, "%s is %" PRId64 ", but %s has %zu value%s", b->name, stated, a->name,
                                       count, count == 1 ? "" : "s"))
                return false;
        }
        if (!is_stated && !compare_lists(r, attrs, k))
            return false;
    }
    return true;
}

/* A scalar that counts arrays, at least one of which is present. */
static bool read_count(descriptor_reader *r, unsigned k, json_t *json, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    uint32_t count = 0;
    bool listed = false, stated = false;
    for (unsigned j = 0; j < op->attr_count; ++j)
        listed = listed || (op->attrs[j].count == TS_ARRAY && op->attrs[j].count_offset == op->attrs[k].offset &&
                            json_is_array(attrs[j]));
    for (unsigned i = 0; i < op->list_count; ++i)
        listed = listed || (op->lists[i].count == k && r->listed >> i & 1);
    if (!listed || !json || json_is_null(json))
        return read_attr(r, k, json);
    descriptor_place p = { r, op->attrs[k].name, NULL, -1, -1 };
    if (!descriptor_read_count(&p, json, &count, &stated))
        return descriptor_forgive(&p, NULL);
    return !stated || operator_set_attr(r->d, k, &(int64_t){ count }, 1) ||
           error_set(r->e, "%s: cannot be stored", op->attrs[k].name);
}

/* A list of tensors has as many members as its count says, which follows from the list if it is left out. */
static bool count_lists(descriptor_reader *r)
{
    const ts_operator *op = r->d->op;
    for (unsigned i = 0; i < op->list_count; ++i) {
        const ts_tensor_list *l = &op->lists[i];
        const ts_attr_decl *a = &op->attrs[l->count];
        const int64_t stated = operator_attr_value(r->d, l->count, 0), length = r->list_length[i];
        if (!(r->listed >> i & 1))
            continue;
        if ((r->d->attrs_given >> l->count & 1) && stated != length &&
            !descriptor_miscounted(r, -1, "%s is %" PRId64 ", but %s has %" PRId64 " tensor%s", a->name, stated,
                                   l->name, length, length == 1 ? "" : "s"))
            return false;
        operator_set_attr(r->d, l->count, &length, 1);
    }
    return true;
}

/* Scalars that count arrays come first, so that arrays do not override them. */
bool descriptor_read_attrs(descriptor_reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (op->attrs[k].counts && !read_count(r, k, attrs[k], attrs))
            return false;
    }
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (!op->attrs[k].counts && !read_attr(r, k, attrs[k]))
            return false;
    }
    if (!check_counts(r, attrs) || !count_lists(r))
        return false;
    descriptor_fill_attrs(r, attrs);
    return true;
}
