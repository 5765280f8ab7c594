/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/explain.h"
#include "reference/openvino/gather_elements.h"
#include "reference/openvino_index.h"

#include <inttypes.h>
#include <stdio.h>

enum { DATA, INDICES, OUT };

/* What explain_elements passes on. */
typedef struct gathering {
    const ts_descriptor *d;
    uint32_t axis;
} gathering;

static void describe_call(ts_explanation *x, const ts_descriptor *d)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    explain_step(x, "GE6-01", "Gathering elements along an axis");
    explain_say(x, "Each element of output is picked from the line of data that runs along the axis through its own "
                   "coordinate. The index at that coordinate says which element of the line.");
    explain_show(x, "data     %s", explain_list(data->sizes, data->rank <= TS_MAX_DIMS ? data->rank : 0).text);
    explain_show(x, "indices  %s", explain_list(indices->sizes, indices->rank <= TS_MAX_DIMS ? indices->rank : 0).text);
}

/* False if the axis or the ranks leave the call without meaning. */
static bool describe_axis(ts_explanation *x, const ts_descriptor *d, uint32_t *found)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const int64_t axis = TS_ATTRS(ts_openvino_gather_elements, d)->axis, rank = data->rank;
    explain_step(x, "GE6-06", "The axis: axis = %" PRId64, axis);
    if (rank < 1 || rank > TS_MAX_DIMS || indices->rank != data->rank) {
        explain_say(x,
                    "data has %u dimensions and indices have %u: they need the same number, 1 or more. The "
                    "explanation ends here.",
                    data->rank, indices->rank);
        return false;
    }
    if (axis < -rank || axis >= rank) {
        explain_say(x, "data has %u dimensions, so axis is -%u to %u. The explanation ends here.", data->rank,
                    data->rank, data->rank - 1);
        return false;
    }
    *found = (uint32_t)(axis < 0 ? axis + rank : axis);
    if (axis < 0)
        explain_say(x, "axis is negative and counts from the end: %" PRId64 " + %u = %u.", axis, data->rank, *found);
    explain_say(x, "Dimension %u of data, counted from 0, has the size %" PRIu64 ".", *found, data->sizes[*found]);
    return true;
}

/* False if the sizes do not fit. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d, uint32_t axis)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    bool fits = true;
    explain_step(x, "GE6-08 GE6-09", "The shape: that of the indices");
    explain_say(x,
                "indices has one index for each element of output. It has data's sizes in every dimension but the "
                "axis, where it may have any number of elements: %" PRIu64 " here.",
                indices->sizes[axis]);
    for (uint32_t i = 0; i < data->rank; ++i)
        if (i != axis && indices->sizes[i] != data->sizes[i]) {
            explain_say(x,
                        "In dimension %u, indices has the size %" PRIu64 " and data %" PRIu64 ": this breaks GE6-08.",
                        i, indices->sizes[i], data->sizes[i]);
            fits = false;
        }
    const bool same =
        out->rank == indices->rank && memcmp(indices->sizes, out->sizes, out->rank * sizeof out->sizes[0]) == 0;
    explain_show(x, "expected  %s", explain_list(indices->sizes, indices->rank).text);
    explain_show(x, "output    %s%s", explain_list(out->sizes, out->rank <= TS_MAX_DIMS ? out->rank : 0).text,
                 same ? "" : "  differs: this breaks GE6-09");
    return fits && same;
}

static void describe_formula(ts_explanation *x, uint32_t rank, uint32_t axis)
{
    char output[128] = "", data[128] = "";
    for (uint32_t i = 0; i < rank; ++i) {
        explain_append(output, sizeof output, "%so%u", i ? "," : "", i);
        if (i == axis)
            explain_append(data, sizeof data, "%sk", i ? "," : "");
        else
            explain_append(data, sizeof data, "%so%u", i ? "," : "", i);
    }
    explain_step(x, "GE6-10", "From a coordinate of the output to its index");
    explain_say(x, "The index at the output's own coordinate replaces the coordinate along the axis. All other "
                   "coordinates stay.");
    explain_show(x, "k = indices[%s]", output);
    explain_show(x, "output[%s] = data[%s]", output, data);
}

static void describe_indices(ts_explanation *x, const ts_descriptor *d, uint32_t axis)
{
    const uint64_t n = d->tensors[DATA].sizes[axis];
    explain_step(x, "GE6-11 GE6-12 GE6-14", "What an index means on an axis of %" PRIu64 " element%s", n,
                 n == 1 ? "" : "s");
    explain_say(x,
                "A negative index counts from the end, so %" PRIu64
                " is added to it, and -1 is the last element. With an "
                "index that is then outside of [0, %" PRIu64 ") the call may fail. If it does not, the value of the "
                "elements that the index selects is not defined. The reference makes them 0; other values are no "
                "mismatch (ledger: %s).",
                n, n, d->op->undefined);
    if (!d->tensors[INDICES].data)
        explain_say(x, "The descriptor has no values of the indices, so the elements below only name the index that "
                       "they use.");
}

static bool source(const void *context, explain_element *e)
{
    const gathering *c = context;
    const ts_tensor *data = &c->d->tensors[DATA], *indices = &c->d->tensors[INDICES];
    e->via = INDICES;
    memcpy(e->via_coord, e->to_coord, data->rank * sizeof e->to_coord[0]);
    if (!indices->data)
        return true;
    bool negative;
    const uint64_t stated = openvino_index(indices, e->via_coord, &negative);
    memcpy(e->from_coord, e->to_coord, data->rank * sizeof e->to_coord[0]);
    if (openvino_from_either_end(stated, negative, data->sizes[c->axis], &e->from_coord[c->axis])) {
        e->from = DATA;
    } else {
        e->undefined = true;
        e->has_bits = true;
        snprintf(e->source, sizeof e->source, "0, as the index is beyond the axis");
    }
    return true;
}

ts_explain openvino_gather_elements_explain;
void openvino_gather_elements_explain(const ts_descriptor *d, ts_explanation *x)
{
    gathering c = { .d = d };
    describe_call(x, d);
    if (!describe_axis(x, d, &c.axis) || !describe_shape(x, d, c.axis))
        return;
    describe_formula(x, d->tensors[DATA].rank, c.axis);
    describe_indices(x, d, c.axis);
    explain_step(x, "GE6-13", "Each element");
    explain_elements(x, d, OUT, source, &c);
}
