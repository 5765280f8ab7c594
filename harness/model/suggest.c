/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/suggest.h"

/* ---- building ---------------------------------------------------------------------------------------------------- */

void suggest_or(ts_suggestion *out)
{
    if (out->count > 0 && out->options[out->count - 1].count == 0)
        return;
    if (out->count < SUGGEST_MOST_OPTIONS)
        out->options[out->count++].count = 0;
    else
        out->full = true;
}

void suggest_add(ts_suggestion *out, const suggest_edit *edit)
{
    if (out->count == 0)
        suggest_or(out);
    suggest_option *option = &out->options[out->count - 1];
    if (!out->full && option->count < SUGGEST_MOST_EDITS)
        option->edits[option->count++] = *edit;
}

static suggest_edit number(suggest_kind kind, int64_t low, int64_t high)
{
    const bool one = low == high;
    return (suggest_edit){
        .kind = kind, .span = one ? SUGGEST_LIST : SUGGEST_RANGE, .count = one ? 1 : 2, .values = { low, high }
    };
}

void suggest_size(ts_suggestion *out, uint32_t tensors, unsigned axis, uint64_t low, uint64_t high)
{
    suggest_edit edit = number(SUGGEST_SIZE, (int64_t)low, (int64_t)high);
    edit.tensors = tensors;
    edit.index = axis;
    if (axis < TS_MAX_DIMS)
        suggest_add(out, &edit);
}

void suggest_tensor_number(ts_suggestion *out, suggest_kind kind, uint32_t tensors, uint64_t low, uint64_t high)
{
    suggest_edit edit = number(kind, (int64_t)low, (int64_t)high);
    edit.tensors = tensors;
    suggest_add(out, &edit);
}

void suggest_sizes(ts_suggestion *out, uint32_t tensors, uint32_t rank, const uint64_t *sizes)
{
    suggest_edit edit = { .kind = SUGGEST_SHAPE, .tensors = tensors };
    if (rank > TS_MAX_DIMS)
        return;
    edit.shape.rank = rank;
    memcpy(edit.shape.sizes, sizes, rank * sizeof sizes[0]);
    suggest_add(out, &edit);
}

void suggest_type(ts_suggestion *out, uint32_t tensors, uint32_t dtype)
{
    suggest_tensor_number(out, SUGGEST_TYPE, tensors, dtype, dtype);
}

void suggest_fit(ts_suggestion *out, uint32_t tensors)
{
    suggest_add(out, &(suggest_edit){ .kind = SUGGEST_FIT, .tensors = tensors });
}

void suggest_value(const ts_descriptor *d, ts_suggestion *out, const char *name, unsigned i, int64_t low, int64_t high)
{
    const int k = operator_attr_index(d->op, name);
    suggest_edit edit = number(SUGGEST_ATTR, low, high);
    if (k < 0 || low > high)
        return;
    edit.attr = (unsigned)k;
    edit.index = i;
    suggest_add(out, &edit);
}

void suggest_values(const ts_descriptor *d, ts_suggestion *out, const char *name, unsigned i, const int64_t *values,
                    unsigned count)
{
    const int k = operator_attr_index(d->op, name);
    suggest_edit edit = { .kind = SUGGEST_ATTR, .index = i };
    if (k < 0 || count == 0)
        return;
    edit.attr = (unsigned)k;
    edit.count = count < SUGGEST_MOST_VALUES ? count : SUGGEST_MOST_VALUES;
    memcpy(edit.values, values, edit.count * sizeof values[0]);
    suggest_add(out, &edit);
}

void suggest_length(const ts_descriptor *d, ts_suggestion *out, const char *name, uint32_t count)
{
    const int k = operator_attr_index(d->op, name);
    if (k < 0)
        return;
    suggest_edit edit = number(d->op->attrs[k].count == TS_ARRAY ? SUGGEST_LENGTH : SUGGEST_COUNT, count, count);
    edit.attr = (unsigned)k;
    suggest_add(out, &edit);
}

/* ---- of clauses -------------------------------------------------------------------------------------------------- */

int64_t suggest_attr(const ts_descriptor *d, const char *name, unsigned i)
{
    int k = operator_attr_index(d->op, name);
    return k < 0 ? 0 : operator_attr_value(d, (unsigned)k, i);
}

void suggest_supported_types(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    suggest_edit edit = { .kind = SUGGEST_TYPE };
    if (!row || v->tensor < 0)
        return;
    edit.tensors = UINT32_C(1) << v->tensor;
    for (uint32_t type = 1; type < TS_DTYPE_COUNT && edit.count < SUGGEST_MOST_VALUES; ++type)
        if (row->tensors[v->tensor].dtypes & TS_DTYPE_BIT(type))
            edit.values[edit.count++] = type;
    suggest_add(out, &edit);
}

void suggest_supported_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    if (row && v->tensor >= 0)
        suggest_tensor_number(out, SUGGEST_DIMS, UINT32_C(1) << v->tensor, row->tensors[v->tensor].min_dims,
                              row->tensors[v->tensor].max_dims);
}

void suggest_tensor(const ts_descriptor *d, unsigned k, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    suggest_edit edit = { .kind = SUGGEST_TENSOR, .tensors = UINT32_C(1) << k, .count = 1 };
    for (unsigned i = 0; i < d->op->tensor_count; ++i) {
        const ts_tensor *t = &d->tensors[i];
        if (i == k || !operator_has_tensor(d, i) || t->rank > TS_MAX_DIMS)
            continue;
        edit.values[0] = t->dtype;
        edit.shape.rank = t->rank;
        memcpy(edit.shape.sizes, t->sizes, sizeof t->sizes);
        suggest_or(out);
        suggest_add(out, &edit);
    }
    if (!row)
        return;
    for (uint32_t type = 1; type < TS_DTYPE_COUNT; ++type)
        if (row->tensors[k].dtypes & TS_DTYPE_BIT(type)) {
            edit.values[0] = type;
            break;
        }
    edit.shape.rank = row->tensors[k].min_dims;
    for (uint32_t i = 0; i < edit.shape.rank; ++i)
        edit.shape.sizes[i] = 1;
    suggest_or(out);
    suggest_add(out, &edit);
}

void suggest_required(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const size_t n = strcspn(v->text, " ");
    if (v->tensor >= 0)
        suggest_tensor(d, (unsigned)v->tensor, out);
    for (unsigned k = 0; v->tensor < 0 && k < d->op->attr_count; ++k) {
        const ts_attr_decl *a = &d->op->attrs[k];
        static const int64_t ordinary[] = { 0, 1, 2 };
        if (strlen(a->name) != n || strncmp(v->text, a->name, n) != 0)
            continue;
        for (unsigned i = 0; i < sizeof ordinary / sizeof ordinary[0]; ++i) {
            const int64_t value = a->type == TS_ATTR_F32 && i > 0 ? i == 1 ? 0x3f800000 : 0x40000000 : ordinary[i];
            suggest_or(out);
            suggest_add(out, &(suggest_edit){ .kind = SUGGEST_ATTR_GIVEN, .attr = k, .count = 1, .values = { value } });
        }
    }
}

void suggest_same_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    const uint32_t type = d->tensors[0].dtype;
    const unsigned k = v->tensor > 0 ? (unsigned)v->tensor : 0;
    const uint32_t all = type && type < TS_DTYPE_COUNT ? TS_DTYPE_BIT(type) : 0;
    if (k > 0 && row && (row->tensors[k].dtypes & row->tensors[0].dtypes & all))
        suggest_type(out, UINT32_C(1) << k, type);
    else
        suggest_supported_types(d, v, out);
}

void suggest_same_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    uint32_t all = 0;
    for (unsigned as = 0; as < d->op->tensor_count; ++as) {
        uint32_t others = 0, before = 0;
        if (!operator_has_tensor(d, as))
            continue;
        for (unsigned k = 0; k < d->op->tensor_count; ++k) {
            if (!operator_has_tensor(d, k))
                continue;
            others |= d->tensors[k].rank != d->tensors[as].rank ? UINT32_C(1) << k : 0;
            before |= k < as && d->tensors[k].rank == d->tensors[as].rank; /* was tried already */
        }
        if (others == 0 || before)
            continue;
        suggest_or(out);
        suggest_tensor_number(out, SUGGEST_DIMS, others, d->tensors[as].rank, d->tensors[as].rank);
    }
    for (unsigned k = 0; k < d->op->tensor_count; ++k)
        all |= operator_has_tensor(d, k) ? UINT32_C(1) << k : 0;
    if (out->count > 0 || !row || !all) /* one that the support table does not have */
        return;
    const unsigned k = v->tensor >= 0 ? (unsigned)v->tensor : 0;
    suggest_tensor_number(out, SUGGEST_DIMS, all, row->tensors[k].min_dims, row->tensors[k].max_dims);
}

void suggest_shape(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    ts_descriptor shaped = *d;
    if (v->tensor < 0 || d->op->tensors[v->tensor].role != TS_OUTPUT)
        return;
    ts_tensor *legal = &shaped.tensors[v->tensor];
    const ts_tensor *stated = &d->tensors[v->tensor];
    legal->rank =
        UINT32_MAX; /* so that it can be seen if `shape` does not set the sizes, because the caller chooses them */
    if (!d->op->shape(&shaped) || legal->rank > TS_MAX_DIMS)
        return;
    if (stated->rank == legal->rank && memcmp(stated->sizes, legal->sizes, legal->rank * sizeof legal->sizes[0]) == 0)
        return; /* the sizes are correct */
    suggest_sizes(out, UINT32_C(1) << v->tensor, legal->rank, legal->sizes);
}
