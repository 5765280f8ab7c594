/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/changes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- making a change ---- */

static bool is_given(const ts_descriptor *d, unsigned k)
{
    return (d->tensors[k].given & TS_GIVEN_TENSOR) != 0;
}

void changes_settle(ts_tensor *t)
{
    uint64_t bytes = 0;
    tensor_pack(t);
    t->given &= ~TS_GIVEN_STRIDES;
    if (tensor_min_bytes(t, &bytes))
        t->total_bytes = bytes;
}

void changes_set_rank(ts_tensor *t, uint32_t rank)
{
    tensor_set_rank(t, rank);
    changes_settle(t);
}

static bool make_of_tensor(ts_descriptor *d, const field_change *c)
{
    ts_tensor *t = &d->tensors[c->at];
    if (c->at >= d->op->tensor_count || is_given(d, c->at) == (c->kind == CHANGE_GIVEN))
        return false;
    switch (c->kind) {
    case CHANGE_GIVEN:
        for (unsigned i = 0; i < d->op->tensor_count; ++i)
            if (i != c->at && is_given(d, i))
                *t = d->tensors[i];
        return true;
    case CHANGE_MISSING: t->given = 0; return true;
    case CHANGE_TYPE:
        t->dtype = (uint32_t)c->value;
        changes_settle(t);
        return true;
    case CHANGE_FLAGS: t->flags = (uint32_t)c->value; return true;
    case CHANGE_SIZE:
        if (c->element >= t->rank)
            return false;
        t->sizes[c->element] = (uint64_t)c->value;
        changes_settle(t);
        return true;
    default: changes_set_rank(t, (uint32_t)c->value); return true;
    }
}

static bool make_nested(ts_descriptor *d, unsigned k, int64_t which)
{
    const ts_nested_operator was = operator_nested(d, k, 0);
    const ts_nested_operator others[] = { { .op = 0 },
                                          { .op = was.op, .tensors = 1, .attrs_given = was.attrs_given },
                                          { .op = was.op, .attrs_given = 0 } };
    if (which < 0 || which >= (int64_t)(sizeof others / sizeof others[0]))
        return false;
    memcpy(d->attrs + d->op->attrs[k].offset, &others[which], sizeof others[which]);
    return true;
}

/* The bits of a value that its field holds: a union those of the data type that another attribute names. */
static uint64_t value_bits(const ts_descriptor *d, const ts_attr_decl *a, int64_t value)
{
    size_t bytes = operator_attr_range(a->type).bytes;
    if (a->type == TS_ATTR_UNION) {
        uint32_t type;
        memcpy(&type, d->attrs + a->type_offset, sizeof type);
        bytes = tensor_dtype(type) && type ? tensor_element_bytes(type) : 4;
    }
    return bytes < 8 ? (uint64_t)value & ((UINT64_C(1) << 8 * bytes) - 1) : (uint64_t)value;
}

static bool make_of_attr(ts_descriptor *d, const field_change *c)
{
    if (c->at >= d->op->attr_count)
        return false;
    const ts_attr_decl *a = &d->op->attrs[c->at];
    const size_t bytes = operator_attr_range(a->type).bytes;
    if (c->kind == CHANGE_ABSENT) {
        d->attrs_given &= ~(UINT32_C(1) << c->at);
        return true;
    }
    if (c->kind == CHANGE_NESTED)
        return make_nested(d, c->at, c->value);
    if (c->element >= operator_attr_count(d, c->at) || c->element >= a->capacity)
        return false;
    const uint64_t value = value_bits(d, a, c->value);
    memcpy(d->attrs + a->offset + c->element * bytes, &value, bytes);
    return true;
}

bool changes_make(ts_descriptor *d, const field_change *c)
{
    switch (c->kind) {
    case CHANGE_NOTHING: return true;
    case CHANGE_EVERY_TYPE:
        for (unsigned k = 0; k < d->op->tensor_count; ++k) {
            d->tensors[k].dtype = (uint32_t)c->value;
            changes_settle(&d->tensors[k]);
        }
        return true;
    case CHANGE_EVERY_RANK:
        for (unsigned k = 0; k < d->op->tensor_count; ++k)
            if (is_given(d, k))
                changes_set_rank(&d->tensors[k], (uint32_t)c->value);
        return true;
    case CHANGE_ABSENT:
    case CHANGE_NESTED:
    case CHANGE_VALUE: return make_of_attr(d, c);
    default: return make_of_tensor(d, c);
    }
}

/* ---- every change ---- */

typedef struct changes {
    const ts_descriptor *legal;
    ts_descriptor d; /* to be changed */
    changes_visit *visit;
    void *context;
} changes;

static void visit(changes *c, change_kind kind, unsigned at, unsigned element, int64_t value)
{
    const field_change made = { kind, at, element, value };
    c->d = *c->legal;
    if (changes_make(&c->d, &made))
        c->visit(c->context, &c->d, &made);
}

static void change_tensor(changes *c, unsigned k)
{
    const ts_tensor *t = &c->legal->tensors[k];
    if (!is_given(c->legal, k)) {
        visit(c, CHANGE_GIVEN, k, 0, 0);
        return;
    }
    visit(c, CHANGE_MISSING, k, 0, 0);
    for (uint32_t type = 0; type < TS_DTYPE_COUNT; ++type)
        visit(c, CHANGE_TYPE, k, 0, type);
    visit(c, CHANGE_FLAGS, k, 0, 1);
    for (uint32_t i = 0; i < t->rank; ++i) {
        const int64_t size = (int64_t)t->sizes[i], sizes[] = { 1, size - 1, size + 1, size * 2 };
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n)
            visit(c, CHANGE_SIZE, k, i, sizes[n]);
    }
    for (uint32_t rank = 1; rank <= TS_MAX_DIMS; ++rank)
        visit(c, CHANGE_RANK, k, 0, rank);
}

static void change_attr(changes *c, unsigned k)
{
    const ts_attr_decl *a = &c->legal->op->attrs[k];
    visit(c, CHANGE_ABSENT, k, 0, 0);
    if (a->type == TS_ATTR_OPERATOR) {
        for (int which = 0; which < 3; ++which)
            visit(c, CHANGE_NESTED, k, 0, which);
        return;
    }
    for (unsigned i = 0; i < operator_attr_count(c->legal, k) && i < a->capacity; ++i) {
        const int64_t was = operator_attr_value(c->legal, k, i);
        const int64_t values[] = { 0, 1, 2, 3, 4, was - 1, was + 1, was + 9, 77 };
        /* The bits of a FLOAT: the value negated, infinity, no number. Those above are denormals. */
        const int64_t floats[] = { was ^ 0x80000000, 0x7f800000, 0x7fc00000 };
        for (size_t n = 0; n < sizeof values / sizeof values[0]; ++n)
            visit(c, CHANGE_VALUE, k, i, values[n]);
        if (a->type == TS_ATTR_U32 && !a->names && !a->counts)
            visit(c, CHANGE_VALUE, k, i, INT64_C(0x80000000));
        for (size_t n = 0; a->type == TS_ATTR_F32 && n < sizeof floats / sizeof floats[0]; ++n)
            visit(c, CHANGE_VALUE, k, i, floats[n]);
    }
}

void changes_each(const ts_descriptor *legal, changes_visit *visited, void *context)
{
    changes c = { .legal = legal, .visit = visited, .context = context };
    visit(&c, CHANGE_NOTHING, 0, 0, 0);
    for (uint32_t type = 0; type < TS_DTYPE_COUNT; ++type)
        visit(&c, CHANGE_EVERY_TYPE, 0, 0, type);
    for (uint32_t rank = 1; rank <= TS_MAX_DIMS; ++rank)
        visit(&c, CHANGE_EVERY_RANK, 0, 0, rank);
    for (unsigned k = 0; k < legal->op->tensor_count; ++k)
        change_tensor(&c, k);
    for (unsigned k = 0; k < legal->op->attr_count; ++k)
        change_attr(&c, k);
}

/* ---- in words ---- */

void changes_describe(const ts_operator *op, const field_change *c, char *buf, size_t size)
{
    static const char *const nested[] = { "an unknown operator", "with a tensor", "without its attributes" };
    const bool of_attr = c->kind >= CHANGE_ABSENT;
    const char *name = of_attr && c->at < op->attr_count      ? op->attrs[c->at].name
                       : !of_attr && c->at < op->tensor_count ? op->tensors[c->at].name
                                                              : "?";
    switch (c->kind) {
    case CHANGE_NOTHING: snprintf(buf, size, "nothing"); break;
    case CHANGE_EVERY_TYPE:
        snprintf(buf, size, "every DataType = %s", operator_dtype_name(op, (uint32_t)c->value));
        break;
    case CHANGE_EVERY_RANK: snprintf(buf, size, "every DimensionCount = %" PRId64, c->value); break;
    case CHANGE_GIVEN: snprintf(buf, size, "%s is given", name); break;
    case CHANGE_MISSING:
    case CHANGE_ABSENT: snprintf(buf, size, "%s is missing", name); break;
    case CHANGE_TYPE: snprintf(buf, size, "%s.DataType = %s", name, operator_dtype_name(op, (uint32_t)c->value)); break;
    case CHANGE_FLAGS: snprintf(buf, size, "%s.Flags = OWNED_BY_DML", name); break;
    case CHANGE_SIZE: snprintf(buf, size, "%s.Sizes[%u] = %" PRIu64, name, c->element, (uint64_t)c->value); break;
    case CHANGE_RANK: snprintf(buf, size, "%s.DimensionCount = %" PRId64, name, c->value); break;
    case CHANGE_NESTED:
        snprintf(buf, size, "%s is %s", name, nested[c->value >= 0 && c->value < 3 ? c->value : 0]);
        break;
    case CHANGE_VALUE: snprintf(buf, size, "%s[%u] = %" PRId64, name, c->element, c->value); break;
    }
}
