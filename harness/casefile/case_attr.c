/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/case_attr.h"

#include "harness/base/decimal.h"
#include "harness/model/value.h"

#include <math.h>
#include <string.h>

int case_length_slot(const expr *x, const space *s)
{
    const uint64_t uses = x ? expr_uses(x) : 0;
    const expr_name *names = space_scope(s)->names;
    for (size_t i = 0; i < space_axis_count(s); ++i)
        if ((uses >> i & 1) && names[i].vector && (expr_type_of(x) != EXPR_VECTOR || names[i].per == expr_per_of(x)))
            return (int)i;
    return -1;
}

/* Are the bits of the attribute those of a number of some data type? */
static bool has_elements(const ts_attr_decl *a)
{
    return a->type == TS_ATTR_F32 || a->type == TS_ATTR_UNION;
}

int case_attr_slot(const case_test *t, unsigned k)
{
    const case_value *c = &t->family->bind.attrs[k].value;
    const bool plain = c->x && c->form == CASE_WHOLE && !has_elements(&t->file->op->attrs[k]);
    return plain ? space_axis_named(t->space, expr_text(c->x)) : -1;
}

/* The attribute that holds the data type of a DML_SCALAR_UNION, or NULL. */
static const ts_attr_decl *type_of(const ts_operator *op, const ts_attr_decl *a)
{
    for (unsigned k = 0; a->type == TS_ATTR_UNION && k < op->attr_count; ++k)
        if (&op->attrs[k] != a && op->attrs[k].offset == a->type_offset)
            return &op->attrs[k];
    return NULL;
}

static uint64_t own_uses(const case_attr *c)
{
    const expr *all[] = { c->value.x, c->present, c->count, c->rest };
    uint64_t uses = 0;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i)
        uses |= all[i] ? expr_uses(all[i]) : 0;
    for (unsigned i = 0; i < CASE_MEMBERS; ++i)
        uses |= c->members[i].x ? expr_uses(c->members[i].x) : 0;
    return uses;
}

uint64_t case_attr_uses(const case_test *t, unsigned k)
{
    const ts_operator *op = t->file->op;
    const case_attr *bound = t->family->bind.attrs;
    const ts_attr_decl *type = type_of(op, &op->attrs[k]);
    return own_uses(&bound[k]) | (type ? own_uses(&bound[type - op->attrs]) : 0);
}

unsigned case_attr_nth(const ts_operator *op, unsigned n)
{
    unsigned plain = 0;
    for (unsigned k = 0; k < op->attr_count; ++k)
        plain += op->attrs[k].type != TS_ATTR_UNION;
    const bool of_unions = n >= plain;
    unsigned left = of_unions ? n - plain : n, k = 0;
    while ((op->attrs[k].type == TS_ATTR_UNION) != of_unions || left-- > 0)
        ++k;
    return k;
}

/* ---- the value of an expression as one of an attribute ---- */

/* The data type that the bits of an attribute have. */
static uint32_t element_type(const ts_descriptor *d, const ts_attr_decl *a)
{
    uint32_t dtype = TS_FLOAT32;
    if (a->type == TS_ATTR_UNION)
        memcpy(&dtype, d->attrs + a->type_offset, sizeof dtype);
    return dtype;
}

/* The bits of the number in a data type that holds it, zero-extended. */
static bool bits_of_number(uint32_t dtype, double number, int64_t *bits)
{
    unsigned char element[8] = { 0 };
    if (!value_store_double(dtype, element, number))
        return false;
    *bits = (int64_t)value_bits(dtype, element);
    return decimal_key(value_to_double(dtype, element)) == decimal_key(number);
}

static bool bits_of_integer(uint32_t dtype, int64_t value, int64_t *bits)
{
    unsigned char element[8] = { 0 };
    *bits = value;
    if (dtype == TS_UINT64) /* of 64 bits, as all numbers of expressions */
        return true;
    if (tensor_dtype(dtype)->is_float)
        return (int64_t)(double)value == value && bits_of_number(dtype, (double)value, bits);
    if (!value_store_int(dtype, element, value))
        return false;
    *bits = (int64_t)value_bits(dtype, element);
    return true;
}

/* What is stored of a value of an axis or expression. False: the attribute cannot hold it. */
static bool stored_value(const ts_descriptor *d, const ts_attr_decl *a, const case_value *c, int64_t value,
                         int64_t *stored)
{
    *stored = value;
    if (c->form == CASE_NAMED) {
        size_t i = 0;
        while (i < c->named_count && c->named[i].symbol != value)
            ++i;
        *stored = i < c->named_count ? c->named[i].value : 0;
        return i < c->named_count;
    }
    if (!has_elements(a))
        return true;
    const uint32_t dtype = element_type(d, a);
    const uint64_t bytes = tensor_dtype(dtype) ? tensor_element_bytes(dtype) : 0;
    if (bytes == 0) { /* a union without a type has no value */
        *stored = 0;
        return true;
    }
    if (c->form == CASE_BITS)
        return bytes == 8 || (uint64_t)value >> 8 * bytes == 0;
    return c->form == CASE_NUMBER ? bits_of_number(dtype, decimal_of_key(value), stored)
                                  : bits_of_integer(dtype, value, stored);
}

int64_t case_attr_axis_value(const ts_descriptor *d, unsigned k, unsigned i, const case_value *c)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const int64_t value = operator_attr_value(d, k, i);
    unsigned char element[8];
    if (c->form == CASE_NAMED)
        for (size_t n = 0; n < c->named_count; ++n)
            if (c->named[n].value == value)
                return c->named[n].symbol;
    const uint32_t dtype = element_type(d, a);
    if (!has_elements(a) || c->form == CASE_BITS || !tensor_dtype(dtype) || tensor_element_bytes(dtype) == 0)
        return value;
    value_store_bits(dtype, element, (uint64_t)value);
    const double number = value_to_double(dtype, element);
    if (c->form == CASE_NUMBER)
        return decimal_key(number);
    /* A double has the sign of an integer that it holds. */
    const bool exact = tensor_dtype(dtype)->is_float || tensor_element_bytes(dtype) < 8;
    return exact && fabs(number) < 0x1p63 ? (int64_t)number : value;
}

/* ---- binding ---- */

/* The members of a record. */
static bool bind_record(ts_descriptor *d, unsigned k, const case_attr *c, const expr_value *values, bool *failed)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    int64_t v[CASE_MEMBERS];
    for (unsigned i = 0; i < a->capacity; ++i)
        if (!stored_value(d, a, &c->members[i], expr_eval(c->members[i].x, values, failed), &v[i]))
            return false;
    return operator_set_attr(d, k, v, a->capacity);
}

bool case_attr_bind(ts_descriptor *d, unsigned k, const case_attr *c, int slot, int length, bool change,
                    const expr_value *values, bool *failed)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const expr *x = c->value.x;
    bool too_many = false;
    uint32_t stated = 0;
    if (!case_attr_is_bound(c) || (c->present && !expr_eval(c->present, values, failed))) {
        d->attrs_given &= ~(1u << k);
        return true;
    }
    if (!x)
        return bind_record(d, k, c, values, failed);
    if (slot >= 0 && !c->count) {
        const expr_value *value = &values[slot];
        return operator_set_attr(d, k, value->v, value->length);
    }
    int64_t v[EXPR_MAX_LENGTH];
    size_t n = 1;
    if (expr_type_of(x) == EXPR_VECTOR) {
        n = length >= 0 ? values[length].length : 0;
        for (uint32_t i = 0; i < n; ++i)
            v[i] = expr_eval_at(x, values, i, failed);
    } else {
        v[0] = expr_eval(x, values, failed);
    }
    if (c->count) {
        int64_t count = expr_eval(c->count, values, failed), rest = c->rest ? expr_eval(c->rest, values, failed) : 0;
        if (change && a->count == TS_ARRAY && count > a->capacity && count <= UINT32_MAX) {
            too_many = true;
            stated = (uint32_t)count;
            count = a->capacity;
        }
        if (count < 0 || count > EXPR_MAX_LENGTH)
            return false;
        for (; n < (size_t)count; ++n)
            v[n] = rest;
        n = (size_t)count;
    }
    for (size_t i = 0; i < n; ++i)
        if (!stored_value(d, a, &c->value, v[i], &v[i]))
            return false;
    if (!operator_set_attr(d, k, v, n))
        return false;
    if (too_many)
        memcpy(d->attrs + a->count_offset, &stated, sizeof stated);
    return true;
}
