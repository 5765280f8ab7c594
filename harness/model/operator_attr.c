/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of descriptors: storing and reading their values. */
#include "harness/model/operator.h"

static const ts_attr_range attr_types[] = {
    [TS_ATTR_U32] = { 0, UINT32_MAX, 4 },          [TS_ATTR_I32] = { INT32_MIN, INT32_MAX, 4 },
    [TS_ATTR_I64] = { INT64_MIN, INT64_MAX, 8 },   [TS_ATTR_BIT] = { 0, UINT8_MAX, 1 },
    [TS_ATTR_BOOL] = { 0, UINT32_MAX, 4 },         [TS_ATTR_F32] = { 0, UINT32_MAX, 4 },
    [TS_ATTR_UNION] = { INT64_MIN, INT64_MAX, 8 }, [TS_ATTR_OPERATOR] = { 0, UINT32_MAX, sizeof(ts_nested_operator) },
};

ts_attr_range operator_attr_range(ts_attr_type type)
{
    return attr_types[type];
}

/* Does a scalar attribute that the caller set count the array a? */
static bool count_is_set(const ts_descriptor *d, const ts_attr_decl *a)
{
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        if (d->op->attrs[k].counts && d->op->attrs[k].offset == a->count_offset)
            return d->attrs_given >> k & 1;
    }
    return false;
}

/* Is there room for n values of attribute a? */
static bool has_room(const ts_attr_decl *a, size_t n)
{
    return a->count == TS_SCALAR ? n == 1 : a->count == TS_RECORD ? n == a->capacity : n <= a->capacity;
}

/* Mark attribute k as present with n values. */
static void set_given(ts_descriptor *d, unsigned k, size_t n)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const size_t bytes = attr_types[a->type].bytes;
    if (a->count == TS_ARRAY) {
        memset(d->attrs + a->offset + n * bytes, 0, (a->capacity - n) * bytes);
        if (!count_is_set(d, a))
            memcpy(d->attrs + a->count_offset, &(uint32_t){ (uint32_t)n }, sizeof(uint32_t));
    }
    d->attrs_given |= 1u << k;
}

bool operator_set_attr(ts_descriptor *d, unsigned k, const int64_t *values, size_t n)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const ts_attr_range *range = &attr_types[a->type];
    if (!has_room(a, n))
        return false;
    for (size_t i = 0; i < n; ++i) {
        if (values[i] < range->min || values[i] > range->max)
            return false;
    }
    for (size_t i = 0; i < n; ++i) {
        unsigned char *field = d->attrs + a->offset + i * range->bytes;
        switch (range->bytes) {
        case 1: *field = (unsigned char)values[i]; break;
        case 8: memcpy(field, &values[i], 8); break;
        default: memcpy(field, &(uint32_t){ (uint32_t)values[i] }, 4); break; /* of a nested operator, its number */
        }
    }
    set_given(d, k, n);
    return true;
}

uint32_t operator_attr_count(const ts_descriptor *d, unsigned k)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const bool given = d->attrs_given >> k & 1;
    uint32_t count = 0;
    if (a->count == TS_SCALAR)
        return 1;
    if (a->count == TS_RECORD)
        return given ? a->capacity : 0;
    if (given)
        memcpy(&count, d->attrs + a->count_offset, sizeof count);
    return count;
}

int64_t operator_attr_value(const ts_descriptor *d, unsigned k, unsigned i)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    union {
        uint32_t u32;
        int32_t i32;
        int64_t i64;
    } value;
    if (a->optional && !(d->attrs_given >> k & 1))
        return a->absent;
    if (i >= operator_attr_count(d, k) || (a->count == TS_ARRAY && i >= a->capacity)) /* invalid counts may be larger */
        return a->absent;
    const unsigned char *field = d->attrs + a->offset + i * attr_types[a->type].bytes;
    switch (a->type) {
    case TS_ATTR_BIT: return *field;
    case TS_ATTR_I32: memcpy(&value, field, sizeof value.i32); return value.i32;
    case TS_ATTR_I64:
    case TS_ATTR_UNION: memcpy(&value, field, sizeof value.i64); return value.i64;
    default: memcpy(&value, field, sizeof value.u32); return value.u32;
    }
}

unsigned operator_name_count(const ts_attr_decl *a)
{
    unsigned count = 0;
    while (a->names && a->names[count])
        ++count;
    return count;
}

int64_t operator_value_named(const ts_attr_decl *a, const char *name)
{
    const size_t n = strlen(name);
    for (int64_t i = 0; a->names && a->names[i]; ++i) {
        const size_t whole = strlen(a->names[i]), extra = whole > n ? whole - n : 0;
        if (strcmp(name, a->names[i] + extra) == 0 && (extra == 0 || a->names[i][extra - 1] == '_'))
            return i;
    }
    return -1;
}

/* ---- nested operators --------------------------------------------------------------------------------------- */

bool operator_set_nested(ts_descriptor *d, unsigned k, const ts_nested_operator *nested, size_t n)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    if (!has_room(a, n))
        return false;
    memcpy(d->attrs + a->offset, nested, n * sizeof *nested);
    set_given(d, k, n);
    return true;
}

ts_nested_operator operator_nested(const ts_descriptor *d, unsigned k, unsigned i)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    ts_nested_operator nested = { .op = 0 };
    if ((d->attrs_given >> k & 1) && i < operator_attr_count(d, k) && i < a->capacity)
        memcpy(&nested, d->attrs + a->offset + i * sizeof nested, sizeof nested);
    return nested;
}

bool operator_of_nested(ts_descriptor *d, const ts_attr_decl *a, const ts_nested_operator *nested)
{
    unsigned number = 0, next = 0;
    while (a->operators[number] && number + 1 != nested->op)
        ++number;
    if (!a->operators[number])
        return false;
    operator_begin(d, a->operators[number]);
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const ts_attr_decl *own = &d->op->attrs[k];
        int64_t values[TS_MAX_NESTED];
        uint32_t n = own->count == TS_SCALAR ? 1 : own->capacity;
        if (!(nested->attrs_given >> k & 1))
            continue;
        if (own->count == TS_ARRAY && next < TS_MAX_NESTED)
            n = nested->values[next++];
        for (uint32_t i = 0; i < n && next < TS_MAX_NESTED; ++i)
            values[i] = nested->values[next++];
        operator_set_attr(d, k, values, n < TS_MAX_NESTED ? n : TS_MAX_NESTED);
    }
    return true;
}

ts_nested_operator operator_to_nested(const ts_descriptor *d, uint32_t number)
{
    ts_nested_operator nested = { .op = number, .attrs_given = d->attrs_given };
    unsigned next = 0;
    for (unsigned k = 0; k < d->op->tensor_count && k < TS_MAX_TENSORS; ++k)
        nested.tensors |= (uint32_t)((d->tensors[k].given & TS_GIVEN_TENSOR) != 0) << k;
    for (unsigned k = 0; k < d->op->attr_count; ++k) {
        const uint32_t n = operator_attr_count(d, k);
        if (!(d->attrs_given >> k & 1))
            continue;
        if (d->op->attrs[k].count == TS_ARRAY && next < TS_MAX_NESTED)
            nested.values[next++] = n;
        for (uint32_t i = 0; i < n && next < TS_MAX_NESTED; ++i)
            nested.values[next++] = (uint32_t)operator_attr_value(d, k, i);
    }
    return nested;
}
