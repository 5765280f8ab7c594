/* SPDX-License-Identifier: Apache-2.0 */
/* What would be legal where a tensor descriptor breaks one of the clauses that all DirectML operators share. */
#include "reference/dml_suggest.h"

#define MOST_ELEMENTS UINT32_MAX

static uint32_t tensor_of(const ts_violation *v)
{
    return UINT32_C(1) << v->tensor;
}

void dml_suggest_buffer(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    suggest_tensor(d, (unsigned)v->tensor, out);
}

void dml_suggest_flags(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const bool input = d->op->tensors[v->tensor].role == TS_INPUT;
    suggest_add(out, &(suggest_edit){
                         .kind = SUGGEST_FLAGS, .tensors = tensor_of(v), .count = input ? 2 : 1, .values = { 0, 1 } });
}

/* A size of 0 becomes any other; sizes that are a null pointer become those of another tensor, or ones. */
void dml_suggest_sizes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const uint64_t ones[TS_MAX_DIMS] = { 1, 1, 1, 1, 1, 1, 1, 1 };
    if (v->axis >= 0) {
        suggest_size(out, tensor_of(v), (unsigned)v->axis, 1, MOST_ELEMENTS);
        return;
    }
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if ((int)k == v->tensor || !operator_has_tensor(d, k) || !(d->tensors[k].given & TS_GIVEN_SIZES))
            continue;
        suggest_or(out);
        suggest_sizes(out, tensor_of(v), d->tensors[k].rank, d->tensors[k].sizes);
    }
    suggest_or(out);
    suggest_sizes(out, tensor_of(v), d->tensors[v->tensor].rank, ones);
}

void dml_suggest_bytes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t bytes;
    if (!tensor_min_bytes(&d->tensors[v->tensor], &bytes))
        return;
    suggest_add(out, &(suggest_edit){ .kind = SUGGEST_BYTES,
                                      .span = SUGGEST_OR_MORE,
                                      .tensors = tensor_of(v),
                                      .count = 2,
                                      .values = { (int64_t)bytes, (int64_t)(UINT64_MAX - 3) } });
}

/* No strides, where they span too much; else one of the sizes, as large as the others permit. */
void dml_suggest_elements(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_tensor *t = &d->tensors[v->tensor];
    ts_tensor packed = *t;
    uint64_t elements, span;
    tensor_pack(&packed);
    if (tensor_element_count(t, &elements) && elements <= MOST_ELEMENTS) {
        suggest_add(out, &(suggest_edit){ .kind = SUGGEST_PACKED, .tensors = tensor_of(v) });
        return;
    }
    for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i) {
        packed = *t;
        packed.sizes[i] = 1;
        if (!tensor_element_count(&packed, &elements) || elements > MOST_ELEMENTS || elements == 0)
            continue;
        suggest_or(out);
        suggest_size(out, tensor_of(v), i, 1, MOST_ELEMENTS / elements);
        if ((t->given & TS_GIVEN_STRIDES) && (!tensor_span_elements(&packed, &span) || span > MOST_ELEMENTS))
            suggest_add(out, &(suggest_edit){ .kind = SUGGEST_PACKED, .tensors = tensor_of(v) });
    }
}

void dml_suggest_strides(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    suggest_add(out, &(suggest_edit){ .kind = SUGGEST_PACKED, .tensors = tensor_of(v) });
}

void dml_suggest_multiple_of_4(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t bytes = d->tensors[v->tensor].total_bytes | 3;
    bytes = bytes == UINT64_MAX ? bytes - 3 : bytes + 1;
    suggest_tensor_number(out, SUGGEST_BYTES, tensor_of(v), bytes, bytes);
}

void dml_suggest_most_bytes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    uint64_t bytes;
    if (tensor_min_bytes(&d->tensors[v->tensor], &bytes) && bytes < d->tensors[v->tensor].total_bytes)
        suggest_tensor_number(out, SUGGEST_BYTES, tensor_of(v), bytes, bytes);
}

/* DirectML 1.15.4 refuses what is below 16. */
void dml_suggest_alignment(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    suggest_add(out,
                &(suggest_edit){
                    .kind = SUGGEST_ALIGNMENT, .tensors = tensor_of(v), .count = 5, .values = { 0, 16, 32, 64, 128 } });
}
