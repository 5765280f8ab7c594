/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a case's inputs: the fill, and over it what the case file binds to the elements. */
#include "harness/casefile/casebuild.h"

#include "harness/model/descriptor.h"
#include "harness/model/sparse.h"
#include "harness/model/value.h"

#include <assert.h>
#include <string.h>

#define MANY 16 /* elements for which expr_residual pays */

static_assert((int)CASEBUILD_DATA_VALUES <= (int)EXPR_SERIES, "the values that are kept are one block");

/* The values of a binding, a block at a time. */
typedef struct bound_values {
    casebuild *b;
    const expr *data, *value_of; /* the binding; what of it is evaluated */
    expr *residual;
    int64_t *kept; /* receives all values, or NULL */
    uint64_t first, end, count;
    int64_t block[EXPR_SERIES]; /* of the elements from first to end */
} bound_values;

static bool bound_error(const bound_values *v, uint64_t element, bool failed, error *e)
{
    const case_test *t = v->b->test;
    return error_usage(e, "%s: %s:%s: binding '%s' at element %llu: %s", t->file->path, t->file->op->name, t->name,
                       expr_text(v->data), (unsigned long long)element,
                       failed ? CASEBUILD_UNDEFINED : "the value does not fit the data type");
}

/* Evaluate the next block. */
static bool bound_next(bound_values *v, error *e)
{
    const int slot = v->b->test->family->index_slot;
    const uint64_t left = v->count - v->end;
    v->first = v->end;
    v->end += left < EXPR_SERIES ? left : EXPR_SERIES;
    const size_t count = (size_t)(v->end - v->first);
    if (!v->residual || !expr_series(v->residual, v->b->values, (int64_t)v->first, count, v->block))
        for (size_t k = 0; k < count; ++k) {
            bool failed = false;
            v->b->values[slot].v[0] = (int64_t)(v->first + k);
            v->block[k] = expr_eval(v->value_of, v->b->values, &failed);
            if (failed)
                return bound_error(v, v->first + k, true, e);
        }
    if (v->kept)
        memcpy(v->kept + v->first, v->block, count * sizeof v->block[0]);
    return true;
}

/* Store the values at the addresses of the tensor's elements; gaps keep the fill. */
static bool store_bound(bound_values *v, const ts_tensor *t, error *e)
{
    uint64_t coord[TS_MAX_DIMS] = { 0 }, i = 0;
    const size_t size = tensor_element_bytes(t->dtype);
    const uint64_t row = t->rank > 0 ? t->sizes[t->rank - 1] : 1,
                   step = t->rank > 0 ? t->strides[t->rank - 1] * size : 0;
    do {
        unsigned char *const first = tensor_at(t, coord);
        for (uint64_t column = 0; column < row;) {
            if (i == v->end && !bound_next(v, e))
                return false;
            const uint64_t rest = row - column, ready = v->end - i;
            const size_t count = (size_t)(rest < ready ? rest : ready);
            const size_t fit =
                value_store_ints(t->dtype, first + column * step, step, v->block + (i - v->first), count);
            if (fit < count)
                return bound_error(v, i + fit, false, e);
            column += count;
            i += count;
        }
    } while (tensor_next_row(t, coord));
    return true;
}

/* Bound data: one value per logical element. The binding is not evaluated again where it reads nothing that changed
   since. */
static bool fill_bound(casebuild *b, unsigned tensor, const expr *data, error *e)
{
    const ts_tensor *t = &b->now.descriptor.tensors[tensor];
    casebuild_data *kept = &b->data[tensor];
    bound_values v = { .b = b, .data = data, .value_of = data };
    if (!tensor_element_count(t, &v.count) || v.count == 0)
        return true;
    const bool keeps = v.count <= CASEBUILD_DATA_VALUES;
    if (keeps && kept->count == v.count && !kept->stale) {
        memcpy(v.block, kept->values, (size_t)v.count * sizeof v.block[0]);
        v.end = v.count;
        return store_bound(&v, t, e);
    }
    const int slot = b->test->family->index_slot;
    b->values[slot].length = 1;
    v.residual = v.count >= MANY ? expr_residual(data, b->values, slot) : NULL;
    v.value_of = v.residual ? v.residual : data;
    v.kept = keeps ? kept->values : NULL;
    kept->count = 0;
    const bool fits = store_bound(&v, t, e);
    expr_free(v.residual);
    if (!fits)
        return false;
    kept->count = keeps ? v.count : 0;
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
    const uint64_t key = b->now.fills[t] == FILL_CROSSED ? t : b->now.key + t;
    if (b->test->sparse)
        sparse_fill(tensor, b->now.fills[t], key);
    else
        fill_cached(b->cache, b->now.fills[t], tensor->dtype, tensor->data, tensor->total_bytes, key);
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
