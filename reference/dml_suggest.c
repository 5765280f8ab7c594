/* SPDX-License-Identifier: Apache-2.0 */
/* What would be legal where a tensor descriptor breaks one of the clauses that all DirectML operators share. */
#include "reference/dml_suggest.h"

#include <inttypes.h>

static const char *name_of(const ts_descriptor *d, const ts_violation *v)
{
    return d->op->tensors[v->tensor].name;
}

void dml_suggest_buffer(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "{ Type = DML_TENSOR_TYPE_BUFFER, Desc = { ... } }");
}

void dml_suggest_flags(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "%s.Flags = DML_TENSOR_FLAG_NONE%s", name_of(d, v),
                d->op->tensors[v->tensor].role == TS_INPUT ? " or DML_TENSOR_FLAG_OWNED_BY_DML" : "");
}

void dml_suggest_sizes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    if (v->axis >= 0)
        suggest_add(out, "%s.Sizes[%d] >= 1", name_of(d, v), v->axis);
    else
        suggest_add(out, "%s.Sizes with a size for each dimension", name_of(d, v));
}

void dml_suggest_bytes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t bytes;
    if (tensor_min_bytes(&d->tensors[v->tensor], &bytes))
        suggest_add(out, "%s.TotalTensorSizeInBytes >= %" PRIu64, name_of(d, v), bytes);
}

void dml_suggest_elements(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "%s with at most 4294967295 elements, counted and spanned", name_of(d, v));
}

void dml_suggest_strides(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    (void)v;
    suggest_add(out, "null Strides, or each stride beyond what the smaller ones span");
}

void dml_suggest_multiple_of_4(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t bytes = d->tensors[v->tensor].total_bytes | 3;
    suggest_add(out, "%s.TotalTensorSizeInBytes = %" PRIu64, name_of(d, v),
                bytes == UINT64_MAX ? bytes - 3 : bytes + 1);
}

void dml_suggest_most_bytes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t bytes;
    if (tensor_min_bytes(&d->tensors[v->tensor], &bytes) && bytes < d->tensors[v->tensor].total_bytes)
        suggest_add(out, "%s.TotalTensorSizeInBytes = %" PRIu64, name_of(d, v), bytes);
}

void dml_suggest_alignment(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_add(out, "%s.GuaranteedBaseOffsetAlignment = 0, 16, 32, ...", name_of(d, v));
}
