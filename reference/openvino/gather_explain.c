/* SPDX-License-Identifier: Apache-2.0 */
/* The explanation of Gather-1, Gather-7 and Gather-8. */
#include "harness/model/explain.h"
#include "reference/openvino/gather_shared.h"

#include <inttypes.h>
#include <stdio.h>

enum { DATA, INDICES, OUT };

/* What explain_elements passes on. */
typedef struct gathering {
    const ts_descriptor *d;
    openvino_gather g;
} gathering;

static void describe_call(ts_explanation *x, const ts_descriptor *d)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    explain_step(x, openvino_gather_clause(d, GATHER_GIVEN), "Gathering along an axis");
    explain_say(x, "Each element of indices selects a slice of data along one dimension, the axis. The output has the "
                   "selected slices in the order of the indices; a slice may be selected several times or not at all.");
    explain_show(x, "data     %s", explain_list(data->sizes, data->rank).text);
    explain_show(x, "indices  %s", explain_list(indices->sizes, indices->rank).text);
}

/* The attributes. False if they, or the ranks, leave the call without meaning. */
static bool describe_attributes(ts_explanation *x, const ts_descriptor *d, openvino_gather *g)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const int64_t axis = operator_attr_value(d, 0, 0);
    explain_step(x, openvino_gather_clause(d, GATHER_AXIS), "The axis: axis = %" PRId64, axis);
    if (data->rank < 1 || data->rank > OPENVINO_GATHER_MOST_DIMS || indices->rank > OPENVINO_GATHER_MOST_DIMS) {
        explain_say(x,
                    "data has to have 1 to %d dimensions, and indices at most as many; they have %u and %u. The "
                    "explanation ends here.",
                    OPENVINO_GATHER_MOST_DIMS, data->rank, indices->rank);
        return false;
    }
    if (!openvino_gather_place(d, g, NULL)) {
        explain_say(x, "axis or batch_dims is no dimension of these tensors, or the axis is one of the batches. The "
                       "explanation ends here.");
        return false;
    }
    if (axis < 0)
        explain_say(x, "axis is negative and counts from the end: %" PRId64 " + %u = %u.", axis, data->rank, g->axis);
    explain_say(x, "Dimension %u of data, counted from 0, has the size %" PRIu64 ".", g->axis, data->sizes[g->axis]);
    if (d->op->clause_count == GATHER_1_CLAUSES)
        return true;
    const int64_t batch = operator_attr_value(d, 1, 0);
    explain_step(x, openvino_gather_clause(d, GATHER_BATCH), "The batches: batch_dims = %" PRId64, batch);
    if (batch < 0)
        explain_say(x, "batch_dims is negative and counts from the end of the shape of indices: %" PRId64 " + %u = %u.",
                    batch, indices->rank, g->batch);
    explain_say(x,
                "The first %u dimension%s of data and of indices %s batches: every batch is gathered by itself, with "
                "its own indices.",
                g->batch, g->batch == 1 ? "" : "s", g->batch == 1 ? "has the" : "are");
    return true;
}

/* The shape. False if the output has another one, or the batches differ. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d, const openvino_gather *g)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    ts_descriptor expected = *d;
    explain_step(x, openvino_gather_clause(d, GATHER_SHAPE), "The shape: indices replace the axis");
    if (memcmp(data->sizes, indices->sizes, g->batch * sizeof data->sizes[0]) != 0) {
        explain_say(x, "The batches of data and of indices differ: this breaks %s. The explanation ends here.",
                    openvino_gather_clause(d, GATHER_BATCH_SIZES));
        return false;
    }
    explain_say(x, "The output has data's sizes before the axis, then those of indices behind the batches, then data's "
                   "sizes behind the axis:");
    explain_show(x, "%s ++ %s ++ %s", explain_list(data->sizes, g->axis).text,
                 explain_list(indices->sizes + g->batch, indices->rank - g->batch).text,
                 explain_list(data->sizes + g->axis + 1, data->rank - g->axis - 1).text);
    if (!openvino_gather_shape(&expected)) {
        explain_say(x,
                    "A dimension of data or of indices is beyond 2^63 - 1: this breaks %s. The explanation ends here.",
                    openvino_gather_clause(d, GATHER_DIMS));
        return false;
    }
    const ts_tensor *wanted = &expected.tensors[OUT];
    const bool same =
        out->rank == wanted->rank && memcmp(wanted->sizes, out->sizes, out->rank * sizeof out->sizes[0]) == 0;
    explain_show(x, "expected  %s", explain_list(wanted->sizes, wanted->rank).text);
    explain_show(x, "output    %s%s", explain_list(out->sizes, out->rank <= TS_MAX_DIMS ? out->rank : 0).text,
                 same ? "" : "  differs");
    return same;
}

/* Append "o0,o1" for the output's dimensions from `first` to before `last`, separated from what is there. */
static void add_names(char *text, size_t room, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; ++i)
        explain_append(text, room, "%so%u", *text ? "," : "", i);
}

static void describe_formula(ts_explanation *x, const ts_descriptor *d, const openvino_gather *g)
{
    const uint32_t rank = d->tensors[OUT].rank, picked = d->tensors[INDICES].rank - g->batch;
    char output[80] = "", index[80] = "", data[80] = "";
    add_names(output, sizeof output, 0, rank);
    add_names(index, sizeof index, 0, g->batch);
    add_names(index, sizeof index, g->axis, g->axis + picked);
    add_names(data, sizeof data, 0, g->axis);
    explain_append(data, sizeof data, "%sk", *data ? "," : "");
    add_names(data, sizeof data, g->axis + picked, rank);
    explain_step(x, openvino_gather_clause(d, GATHER_FORMULA), "From a coordinate of the output to its index");
    explain_say(x, "The output's coordinate has the same three parts: those before the axis, those that look up the "
                   "index k, and those behind the axis. In data, k is the coordinate along the axis.");
    explain_show(x, "k = indices[%s]", index);
    explain_show(x, "output[%s] = data[%s]", output, data);
}

static void describe_indices(ts_explanation *x, const ts_descriptor *d, const openvino_gather *g)
{
    const uint64_t n = d->tensors[DATA].sizes[g->axis];
    explain_step(x, openvino_gather_clause(d, GATHER_INDEX), "What an index means on an axis of %" PRIu64 " element%s",
                 n, n == 1 ? "" : "s");
    if (d->op->clause_count == GATHER_8_CLAUSES)
        explain_say(x,
                    "A negative index counts from the end, so %" PRIu64 " is added to it, and -1 is the last element. "
                    "An index that is then outside of [0, %" PRIu64 ") does not make the call fail: the elements that "
                    "it selects are 0.",
                    n, n);
    else
        explain_say(x,
                    "Indices count from 0. With a negative index, or one of %" PRIu64 " or more, the call may fail. If "
                    "it does not, the value of the elements that the index selects is not defined. The reference makes "
                    "them 0; other values are no mismatch (ledger: %s).",
                    n, d->op->undefined);
    if (!d->tensors[INDICES].data)
        explain_say(x, "The descriptor has no values of the indices, so the elements below only name the index that "
                       "they use.");
}

static bool source(const void *context, explain_element *e)
{
    const gathering *c = context;
    const ts_descriptor *d = c->d;
    e->via = INDICES;
    openvino_gather_trace(d, &c->g, e->to_coord, e->from_coord, e->via_coord);
    if (!d->tensors[INDICES].data)
        return true;
    if (openvino_gather_selects(d, e->via_coord, d->tensors[DATA].sizes[c->g.axis], &e->from_coord[c->g.axis])) {
        e->from = DATA;
    } else {
        e->undefined = d->op->undefined != NULL;
        e->has_bits = true;
        snprintf(e->source, sizeof e->source, "0, as the index is beyond the axis");
    }
    return true;
}

void openvino_gather_explain(const ts_descriptor *d, ts_explanation *x)
{
    gathering c = { .d = d };
    describe_call(x, d);
    if (!describe_attributes(x, d, &c.g) || !describe_shape(x, d, &c.g))
        return;
    describe_formula(x, d, &c.g);
    describe_indices(x, d, &c.g);
    explain_step(x, openvino_gather_clause(d, GATHER_BITS), "Each element");
    explain_elements(x, d, OUT, source, &c);
}
