/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/suggest.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void suggest_add(ts_suggestion *out, const char *format, ...)
{
    va_list args;
    if (out->used + 1 >= out->size)
        return;
    va_start(args, format);
    int n = vsnprintf(out->text + out->used, out->size - out->used, format, args);
    va_end(args);
    if (n > 0)
        out->used += (size_t)n < out->size - out->used ? (size_t)n : out->size - out->used - 1;
}

void suggest_add_range(ts_suggestion *out, int64_t low, uint64_t high, const char *format, ...)
{
    char name[96];
    va_list args;
    va_start(args, format);
    vsnprintf(name, sizeof name, format, args);
    va_end(args);
    suggest_add(out, "%s = %" PRId64, name, low);
    if (low < 0 || (uint64_t)low != high)
        suggest_add(out, " to %" PRIu64, high);
}

int64_t suggest_attr(const ts_descriptor *d, const char *name, unsigned i)
{
    int k = operator_attr_index(d->op, name);
    return k < 0 ? 0 : operator_attr_value(d, (unsigned)k, i);
}

void suggest_supported_types(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    const char *separator = "";
    if (!row || v->tensor < 0)
        return;
    suggest_add(out, "%s of type ", d->op->tensors[v->tensor].name);
    for (uint32_t type = 1; type < TS_DTYPE_COUNT; ++type) {
        if (!(row->tensors[v->tensor].dtypes & TS_DTYPE_BIT(type)))
            continue;
        suggest_add(out, "%s%s", separator, operator_dtype_name(d->op, type));
        separator = ", ";
    }
}

void suggest_supported_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_support_row *row = operator_support_row(d->op, d->feature_level);
    if (!row || v->tensor < 0)
        return;
    unsigned least = row->tensors[v->tensor].min_dims, most = row->tensors[v->tensor].max_dims;
    suggest_add(out, "%s of %u", d->op->tensors[v->tensor].name, least);
    if (most > least)
        suggest_add(out, " to %u", most);
    suggest_add(out, " dimensions");
}

/* What the value of an attribute is. */
static void suggest_value(const ts_attr_decl *a, ts_suggestion *out)
{
    static const char *const kinds[] = {
        [TS_ATTR_U32] = "integer", [TS_ATTR_I32] = "integer", [TS_ATTR_I64] = "integer",  [TS_ATTR_BIT] = "0 or 1",
        [TS_ATTR_BOOL] = "0 or 1", [TS_ATTR_F32] = "number",  [TS_ATTR_UNION] = "number",
    };
    const char *kind = a->type == TS_ATTR_OPERATOR ? "operator" : kinds[a->type];
    if (a->names)
        for (unsigned i = 0; a->names[i]; ++i)
            suggest_add(out, "%s%s", i ? " or " : "", a->names[i]);
    else if (a->count == TS_SCALAR)
        suggest_add(out, "%s%s", *kind == '0' ? "" : strchr("aeio", *kind) ? "an " : "a ", kind);
    else
        suggest_add(out, "a %s of %ss", a->count == TS_RECORD ? "record" : "list", *kind == '0' ? "bit" : kind);
}

void suggest_required(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const size_t n = strcspn(v->text, " ");
    if (v->tensor >= 0)
        suggest_add(out, "%s stated, as a data type and sizes", d->op->tensors[v->tensor].name);
    for (unsigned k = 0; v->tensor < 0 && k < d->op->attr_count; ++k) {
        const char *name = d->op->attrs[k].name;
        if (strlen(name) != n || strncmp(v->text, name, n) != 0)
            continue;
        suggest_add(out, "%s stated, as ", name);
        suggest_value(&d->op->attrs[k], out);
    }
}

void suggest_same_type(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_add(out, "both of type %s", operator_dtype_name(d->op, d->tensors[0].dtype));
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
    suggest_add(out, "%s sizes {", d->op->tensors[v->tensor].name);
    for (uint32_t i = 0; i < legal->rank; ++i)
        suggest_add(out, "%s%" PRIu64, i ? "," : "", legal->sizes[i]);
    suggest_add(out, "}");
}
