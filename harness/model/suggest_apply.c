/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/suggest_apply.h"

#include <string.h>

/* ---- tensors ----------------------------------------------------------------------------------------------------- */

/* Give a tensor packed strides again, unless its own are stated, and the bytes that it needs, unless it has more. */
static void settle_tensor(ts_tensor *t, const ts_tensor *before)
{
    uint64_t needed = 0, needed_before = 0;
    if (!(t->given & TS_GIVEN_STRIDES))
        tensor_pack(t);
    if (tensor_min_bytes(t, &needed) &&
        (t->total_bytes < needed || (tensor_min_bytes(before, &needed_before) && before->total_bytes == needed_before)))
        t->total_bytes = needed;
}

/* Strides of another rank are no longer those of the author. */
static void forget_strides(ts_tensor *t)
{
    t->given &= ~(uint32_t)TS_GIVEN_STRIDES;
}

static void set_shape(ts_tensor *t, const suggest_edit *edit)
{
    if (edit->strided || edit->shape.rank != t->rank)
        forget_strides(t);
    t->rank = edit->shape.rank;
    t->given |= TS_GIVEN_SIZES;
    memcpy(t->sizes, edit->shape.sizes, sizeof t->sizes);
    if (!edit->strided)
        return;
    t->given |= TS_GIVEN_STRIDES;
    memcpy(t->strides, edit->shape.strides, sizeof t->strides);
}

static bool set_dims(ts_tensor *t, uint64_t rank)
{
    if (rank > TS_MAX_DIMS)
        return false;
    if (rank != t->rank)
        forget_strides(t);
    tensor_set_rank(t, (uint32_t)rank);
    return true;
}

static bool set_leading(ts_tensor *t, uint64_t ones)
{
    return t->rank <= TS_MAX_DIMS && ones <= TS_MAX_DIMS && set_dims(t, t->rank + ones);
}

static bool edit_tensor(ts_descriptor *d, unsigned k, const suggest_edit *edit, int64_t value)
{
    ts_tensor *t = &d->tensors[k];
    const ts_tensor before = *t;
    switch (edit->kind) {
    case SUGGEST_TYPE: t->dtype = (uint32_t)value; break;
    case SUGGEST_SIZE:
        if (edit->index >= t->rank)
            return false;
        t->sizes[edit->index] = (uint64_t)value;
        break;
    case SUGGEST_DIMS:
        if (!set_dims(t, (uint64_t)value))
            return false;
        break;
    case SUGGEST_LEADING:
        if (!set_leading(t, (uint64_t)value))
            return false;
        break;
    case SUGGEST_SHAPE: set_shape(t, edit); break;
    case SUGGEST_PACKED: forget_strides(t); break;
    case SUGGEST_BYTES: t->total_bytes = (uint64_t)value; return true;
    case SUGGEST_ALIGNMENT: t->alignment = (uint32_t)value; return true;
    case SUGGEST_FLAGS: t->flags = (uint32_t)value; return true;
    case SUGGEST_NO_TENSOR: memset(t, 0, sizeof *t); return true;
    case SUGGEST_TENSOR: tensor_init(t, (uint32_t)value, edit->shape.rank, edit->shape.sizes); return true;
    default: return false;
    }
    settle_tensor(t, &before);
    return true;
}

/* The sizes that follow from the rest. */
static bool fit(ts_descriptor *d, uint32_t tensors)
{
    ts_descriptor shaped = *d;
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if (tensors >> k & 1)
            shaped.tensors[k].rank = UINT32_MAX; /* so that it can be seen whether `shape` sets it */
    if (!d->op->shape(&shaped))
        return false;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        suggest_edit edit = { .kind = SUGGEST_SHAPE };
        if (!(tensors >> k & 1) || !operator_has_tensor(d, k))
            continue;
        edit.shape.rank = shaped.tensors[k].rank;
        if (edit.shape.rank > TS_MAX_DIMS)
            return false;
        memcpy(edit.shape.sizes, shaped.tensors[k].sizes, sizeof edit.shape.sizes);
        edit_tensor(d, k, &edit, 0);
    }
    return true;
}

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* Give a list of tensors another length: copies of its last one, or of the operator's first tensor. */
static bool resize_tensors(ts_descriptor *d, const ts_tensor_list *l, uint32_t count)
{
    if (count > l->most)
        return false;
    for (unsigned i = 0; i < l->most; ++i) {
        ts_tensor *t = &d->tensors[l->first + i];
        if (i >= count)
            memset(t, 0, sizeof *t);
        else if (!(t->given & TS_GIVEN_TENSOR))
            *t = i > 0 ? t[-1] : d->tensors[0];
    }
    return true;
}

/* Give a list another length: its last value repeated, or left out. */
static bool resize_list(ts_descriptor *d, unsigned k, uint32_t count)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    const uint32_t n = operator_attr_count(d, k);
    int64_t values[TS_MAX_ATTR_BYTES];
    ts_nested_operator list[TS_MAX_ATTR_BYTES / sizeof(ts_nested_operator)];
    if (count > a->capacity)
        return false;
    if (a->type == TS_ATTR_OPERATOR) {
        for (uint32_t i = 0; i < count; ++i)
            list[i] = operator_nested(d, k, i < n ? i : n - 1);
        return n > 0 && operator_set_nested(d, k, list, count);
    }
    for (uint32_t i = 0; i < count; ++i)
        values[i] = n == 0 ? 1 : operator_attr_value(d, k, i < n && i < a->capacity ? i : n - 1);
    return operator_set_attr(d, k, values, count);
}

/* Give the lists that share a count another length. */
static bool resize_lists(ts_descriptor *d, unsigned k, uint32_t count)
{
    const ts_operator *op = d->op;
    for (unsigned i = 0; i < op->list_count; ++i)
        if (op->lists[i].count == k && !resize_tensors(d, &op->lists[i], count))
            return false;
    for (unsigned j = 0; j < op->attr_count; ++j) {
        const ts_attr_decl *a = &op->attrs[j];
        if (a->count != TS_ARRAY || a->count_offset != op->attrs[k].offset || !(d->attrs_given >> j & 1))
            continue;
        d->attrs_given &= ~(UINT32_C(1) << k); /* so that the list sets it */
        if (!resize_list(d, j, count))
            return false;
    }
    return operator_set_attr(d, k, &(int64_t){ count }, 1);
}

/* ---- attributes -------------------------------------------------------------------------------------------------- */

typedef ts_nested_operator nested_list[TS_MAX_ATTR_BYTES / sizeof(ts_nested_operator)];

/* The nested operators of an attribute, and the descriptor of number i; of another operator, if `number` says so. */
static bool begin_nested(const ts_descriptor *d, const suggest_edit *edit, uint32_t number, nested_list list,
                         uint32_t *count, ts_descriptor *inner)
{
    const ts_attr_decl *a = &d->op->attrs[edit->attr];
    *count = a->count == TS_SCALAR ? 1 : operator_attr_count(d, edit->attr);
    if (!a->operators || *count > sizeof(nested_list) / sizeof(ts_nested_operator) || edit->index >= *count)
        return false;
    for (unsigned j = 0; j < *count; ++j)
        list[j] = operator_nested(d, edit->attr, j);
    if (number != 0)
        list[edit->index] = (ts_nested_operator){ .op = number };
    return operator_of_nested(inner, a, &list[edit->index]);
}

static bool store_nested(ts_descriptor *d, const suggest_edit *edit, nested_list list, uint32_t count,
                         const ts_descriptor *inner, uint32_t tensors)
{
    list[edit->index] = operator_to_nested(inner, list[edit->index].op);
    list[edit->index].tensors = tensors;
    return operator_set_nested(d, edit->attr, list, count);
}

/* A nested operator gets all attributes that it lacks, and loses its tensors. */
static bool complete_nested(ts_descriptor *d, const suggest_edit *edit, uint32_t number)
{
    nested_list list;
    uint32_t count;
    ts_descriptor inner;
    if (!begin_nested(d, edit, number, list, &count, &inner))
        return false;
    const uint32_t missing = operator_missing_attrs(&inner);
    for (unsigned j = 0; j < inner.op->attr_count; ++j) {
        const int64_t one = inner.op->attrs[j].type == TS_ATTR_F32 ? 0x3f800000 : 1;
        const bool counted = inner.op->attrs[j].count == TS_ARRAY;
        if ((missing >> j & 1) && !operator_set_attr(&inner, j, counted ? &(int64_t){ 0 } : &one, 1))
            return false;
    }
    return store_nested(d, edit, list, count, &inner, 0);
}

/* A nested operator loses an attribute. */
static bool reduce_nested(ts_descriptor *d, const suggest_edit *edit, unsigned attr)
{
    nested_list list;
    uint32_t count;
    ts_descriptor inner;
    if (!begin_nested(d, edit, 0, list, &count, &inner) || attr >= inner.op->attr_count)
        return false;
    inner.attrs_given &= ~(UINT32_C(1) << attr);
    return store_nested(d, edit, list, count, &inner, list[edit->index].tensors);
}

/* A value of an attribute; one of a float or of a union is its bits. */
static bool set_value(ts_descriptor *d, unsigned k, unsigned index, int64_t value)
{
    int64_t values[TS_MAX_ATTR_BYTES];
    const ts_attr_decl *a = &d->op->attrs[k];
    const uint32_t n = a->count == TS_SCALAR ? 1 : operator_attr_count(d, k);
    if (index >= n || n > TS_MAX_ATTR_BYTES)
        return false;
    for (unsigned i = 0; i < n; ++i)
        values[i] = i == index ? value : operator_attr_value(d, k, i);
    if (a->count == TS_ARRAY) /* whatever the count is */
        d->attrs_given |= UINT32_C(1) << k;
    return operator_set_attr(d, k, values, n);
}

/* An attribute that is missing gets this value, a list as many of them as its count or the first tensor has dimensions.
 */
static bool give(ts_descriptor *d, unsigned k, int64_t value)
{
    const ts_attr_decl *a = &d->op->attrs[k];
    int64_t values[TS_MAX_ATTR_BYTES];
    size_t n = a->count == TS_RECORD ? a->capacity : 1;
    for (unsigned j = 0; j < d->op->attr_count && a->count == TS_ARRAY; ++j) {
        if (!d->op->attrs[j].counts || d->op->attrs[j].offset != a->count_offset)
            continue;
        n = d->attrs_given >> j & 1 ? (size_t)operator_attr_value(d, j, 0) : d->tensors[0].rank;
    }
    if (a->type == TS_ATTR_OPERATOR || n > a->capacity)
        return false;
    for (size_t i = 0; i < n; ++i)
        values[i] = value;
    return operator_set_attr(d, k, values, n);
}

bool suggest_apply_edit(ts_descriptor *d, const suggest_edit *edit, int64_t value)
{
    switch (edit->kind) {
    case SUGGEST_FIT: return fit(d, edit->tensors);
    case SUGGEST_ATTR: return set_value(d, edit->attr, edit->index, value);
    case SUGGEST_ATTR_GIVEN: return give(d, edit->attr, value);
    case SUGGEST_NO_ATTR: d->attrs_given &= ~(UINT32_C(1) << edit->attr); return true;
    case SUGGEST_COUNT: return resize_lists(d, edit->attr, (uint32_t)value);
    case SUGGEST_LENGTH: return resize_list(d, edit->attr, (uint32_t)value);
    case SUGGEST_COMPLETE: return complete_nested(d, edit, 0);
    case SUGGEST_NESTED: return complete_nested(d, edit, (uint32_t)value);
    case SUGGEST_NESTED_LESS: return reduce_nested(d, edit, (unsigned)value);
    case SUGGEST_LEVEL: d->feature_level = (ts_level)value; return true;
    case SUGGEST_VALUES:
    case SUGGEST_BINDING: return true;
    default: break;
    }
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        if ((edit->tensors >> k & 1) && !edit_tensor(d, k, edit, value))
            return false;
    return true;
}

unsigned suggest_apply_choices(const suggest_option *option)
{
    unsigned most = 1;
    for (unsigned i = 0; i < option->count; ++i)
        most = option->edits[i].count > most ? option->edits[i].count : most;
    return most;
}

bool suggest_apply(ts_descriptor *d, const suggest_option *option, unsigned choice)
{
    for (unsigned i = 0; i < option->count; ++i) {
        const suggest_edit *edit = &option->edits[i];
        const unsigned at = choice < edit->count ? choice : edit->count ? edit->count - 1 : 0;
        if (!suggest_apply_edit(d, edit, edit->values[at]))
            return false;
    }
    return true;
}
