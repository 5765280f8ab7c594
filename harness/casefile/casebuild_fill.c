/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a case's inputs: the fill, and over it what the case file binds to the elements. */
#include "harness/casefile/casebuild.h"

#include "harness/model/descriptor.h"
#include "harness/model/sparse.h"
#include "harness/model/value.h"

#include <string.h>

#define MANY 16 /* elements for which expr_residual pays */

static bool bound_error(const casebuild *b, const expr *data, int64_t element, bool failed, error *e)
{
    return error_usage(e, "%s: %s:%s: binding '%s' at element %lld: %s", b->test->file->path, b->test->file->op->name,
                       b->test->name, expr_text(data), (long long)element,
                       failed ? CASEBUILD_UNDEFINED : "the value does not fit the data type");
}

/* Bound data: one value per logical element, stored at its address; gaps keep the fill. The binding is not evaluated
   again where it reads nothing that changed since. */
static bool fill_bound(casebuild *b, unsigned tensor, const expr *data, error *e)
{
    const ts_tensor *t = &b->now.descriptor.tensors[tensor];
    casebuild_data *kept = &b->data[tensor];
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count;
    const int slot = b->test->family->index_slot;
    const size_t size = tensor_element_bytes(t->dtype);
    if (!tensor_element_count(t, &count) || count == 0)
        return true;
    const bool keeps = count <= CASEBUILD_DATA_VALUES, known = keeps && kept->count == count && !kept->stale;
    const uint64_t row = t->rank > 0 ? t->sizes[t->rank - 1] : 1,
                   step = t->rank > 0 ? t->strides[t->rank - 1] * size : 0;
    uint64_t i = 0;
    kept->count = 0;
    b->values[slot].length = 1;
    expr *const residual = !known && count >= MANY ? expr_residual(data, b->values, slot) : NULL;
    const expr *const value_of = residual ? residual : data;
    bool fits = true;
    do {
        unsigned char *const first = tensor_at(t, coord);
        for (uint64_t column = 0; column < row && fits; ++column, ++i) {
            bool failed = false;
            int64_t value;
            if (known) {
                value = kept->values[i];
            } else {
                b->values[slot].v[0] = (int64_t)i;
                value = expr_eval(value_of, b->values, &failed);
                if (keeps)
                    kept->values[i] = value;
            }
            /* no step behind the last element: the stride of a dimension of one element may be any */
            if (failed || !value_store_int(t->dtype, first + column * step, value))
                fits = bound_error(b, data, (int64_t)i, failed, e);
        }
    } while (fits && tensor_next_row(t, coord));
    expr_free(residual);
    if (!fits)
        return false;
    kept->count = keeps ? count : 0;
    kept->stale = false;
    return true;
}

/* Fill a tensor with bound data, and keep the result where another case may have the same. */
static bool fill_and_keep(casebuild *b, unsigned t, const expr *data, error *e)
{
    const ts_tensor *tensor = &b->now.descriptor.tensors[t];
    casebuild_data *kept = &b->data[t];
    const bool keeps = !b->test->sparse && !fill_uses_key(b->now.fills[t]) &&
                       tensor->total_bytes <= CASEBUILD_IMAGE_BYTES && b->test->family->bind.tensors[t].sizes;
    kept->image_size = 0;
    if (!fill_bound(b, t, data, e))
        return false;
    if (keeps) {
        memcpy(kept->image, tensor->data, (size_t)tensor->total_bytes);
        kept->image_size = tensor->total_bytes;
        kept->image_stale = false;
    }
    return true;
}

bool casebuild_fill(casebuild *b, unsigned t, error *e)
{
    const ts_tensor *tensor = &b->now.descriptor.tensors[t];
    if (b->data[t].image_size > 0 && !b->data[t].image_stale) {
        memcpy(tensor->data, b->data[t].image, (size_t)b->data[t].image_size);
        return true;
    }
    if (b->test->sparse)
        sparse_fill(tensor, b->now.fills[t], b->now.key + t);
    else
        fill_cached(b->cache, b->now.fills[t], tensor->dtype, tensor->data, tensor->total_bytes, b->now.key + t);
    const case_tensor *c = &b->test->family->bind.tensors[t];
    if (b->now.example)
        return !b->now.example->data[t] ||
               descriptor_data_from_json(tensor, b->now.example->name, b->now.example->data[t], e);
    return !c->data || fill_and_keep(b, t, c->data, e);
}

bool casebuild_fill_inputs(casebuild *b, const ts_descriptor *d, error *e)
{
    for (unsigned t = 0; t < d->op->tensor_count; ++t)
        if (d->op->tensors[t].role == TS_INPUT && d->tensors[t].data) {
            b->now.descriptor.tensors[t].data = d->tensors[t].data;
            if (!casebuild_fill(b, t, e))
                return false;
        }
    return true;
}
