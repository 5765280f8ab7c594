/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather.h"
#include "reference/dml_suggest.h"

enum { IN, INDICES, OUT };

ts_suggest dml_gather_suggest_axis, dml_gather_suggest_index_dims, dml_gather_suggest_leading_sizes,
    dml_gather_suggest_crop;

void dml_gather_suggest_axis(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "Axis", 0, 0, (int64_t)d->tensors[IN].rank - 1);
}

void dml_gather_suggest_index_dims(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)v;
    suggest_value(d, out, "IndexDimensions", 0, 0, d->tensors[IN].rank);
}

void dml_gather_suggest_leading_sizes(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    (void)d;
    suggest_size(out, 1u << INDICES, (unsigned)v->axis, 1, 1);
}

/* A smaller IndexDimensions, or as many leading sizes of 1 as are cropped. */
void dml_gather_suggest_crop(const ts_descriptor *d, const ts_violation *v, ts_suggestion *out)
{
    const ts_tensor *in = &d->tensors[IN];
    const int64_t axis = suggest_attr(d, "Axis", 0), stated = suggest_attr(d, "IndexDimensions", 0);
    int64_t smaller[TS_MAX_DIMS];
    unsigned count = 0, ones = 0;
    (void)v;
    while (ones < in->rank && ones < TS_MAX_DIMS && in->sizes[ones] == 1)
        ++ones;
    for (int64_t n = stated - 1; n >= 0 && count < TS_MAX_DIMS; --n)
        smaller[count++] = n;
    suggest_values(d, out, "IndexDimensions", 0, smaller, count);
    const int64_t missing = stated - 1 - (axis < ones ? axis : ones);
    if (missing < 1 || missing + in->rank > TS_MAX_DIMS)
        return;
    suggest_or(out);
    suggest_tensor_number(out, SUGGEST_LEADING, 1u << IN | 1u << INDICES | 1u << OUT, (uint64_t)missing,
                          (uint64_t)missing);
    suggest_value(d, out, "Axis", 0, axis + missing, axis + missing);
}
