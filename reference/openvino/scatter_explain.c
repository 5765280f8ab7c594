/* SPDX-License-Identifier: Apache-2.0 */
/* The explanation of ScatterNDUpdate-3, ScatterElementsUpdate-3 and ScatterUpdate-3. */
#include "harness/model/explain.h"
#include "reference/openvino/scatter_shared.h"

#include <inttypes.h>
#include <stdio.h>

enum { DATA, INDICES, UPDATES, OUT };

/* What explain_elements passes on. */
typedef struct scattering {
    const ts_descriptor *d;
    openvino_scatter s;
    bool stray; /* an index is beyond its dimension */
} scattering;

static bool has_tuples(const ts_descriptor *d)
{
    return d->op->attr_count == 0;
}

static void describe_call(ts_explanation *x, const ts_descriptor *d, bool beside)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *updates = &d->tensors[UPDATES];
    explain_step(x, openvino_scatter_clause(d, SCATTER_GIVEN), "Replacing a part of data");
    if (has_tuples(d))
        explain_say(x,
                    "The output is data with some elements or blocks replaced. Each tuple of indices says which; the "
                    "part of updates that belongs to the tuple replaces it.");
    else if (beside)
        explain_say(x,
                    "The output is data with some elements replaced. Each element of updates replaces one of the line "
                    "of the output that runs along the axis through its own coordinate. The index at that coordinate "
                    "says which element of the line.");
    else
        explain_say(x,
                    "The output is data with some slices along the axis replaced. Each index says which; the part of "
                    "updates that belongs to the index replaces it.");
    explain_show(x, "data     %s", explain_list(data->sizes, data->rank <= TS_MAX_DIMS ? data->rank : 0).text);
    explain_show(x, "indices  %s", explain_list(indices->sizes, indices->rank <= TS_MAX_DIMS ? indices->rank : 0).text);
    explain_show(x, "updates  %s", explain_list(updates->sizes, updates->rank <= TS_MAX_DIMS ? updates->rank : 0).text);
}

/* The axis, or the tuples. False if the ranks or the axis leave the call without meaning. */
static bool describe_place(ts_explanation *x, const ts_descriptor *d, openvino_scatter *s)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const uint32_t least = d->op->support->tensors[INDICES].min_dims;
    explain_step(x, openvino_scatter_clause(d, has_tuples(d) ? SCATTER_TUPLE : SCATTER_AXIS),
                 has_tuples(d) ? "The tuples" : "The axis");
    if (data->rank < 1 || data->rank > OPENVINO_SCATTER_MOST_DIMS || indices->rank < least ||
        indices->rank > OPENVINO_SCATTER_MOST_DIMS) {
        explain_say(
            x,
            "data has to have 1 to %d dimensions, and indices %u to %d; they have %u and %u. The explanation ends "
            "here.",
            OPENVINO_SCATTER_MOST_DIMS, least, OPENVINO_SCATTER_MOST_DIMS, data->rank, indices->rank);
        return false;
    }
    if (!openvino_scatter_place(d, s, NULL)) {
        explain_say(x, has_tuples(d) ? "A tuple has more indices than data has dimensions. The explanation ends here."
                                     : "axis is no dimension of data, or indices do not have the dimensions that they "
                                       "need. The explanation ends here.");
        return false;
    }
    if (has_tuples(d)) {
        explain_say(x,
                    "The last size of indices, %u, is the number of indices of a tuple. They select from the first "
                    "dimensions of data; the other %u %s what a tuple replaces.",
                    s->tuple, s->block, s->block == 1 ? "is" : "are");
        return true;
    }
    const int64_t axis = operator_attr_value(d, 0, 0);
    if (axis < 0)
        explain_say(x, "axis is negative and counts from the end: %" PRId64 " + %u = %u.", axis, data->rank, s->axis);
    explain_say(x, "Dimension %u of data, counted from 0, has the size %" PRIu64 ".", s->axis, data->sizes[s->axis]);
    return true;
}

static bool show_shape(ts_explanation *x, const char *name, const ts_tensor *t, uint32_t rank, const uint64_t *sizes)
{
    const bool same = t->rank == rank && memcmp(t->sizes, sizes, rank * sizeof *sizes) == 0;
    explain_show(x, "%-8s %s%s", name, explain_list(t->sizes, t->rank <= TS_MAX_DIMS ? t->rank : 0).text,
                 same ? "" : "  differs");
    return same;
}

/* The shapes. False if the output or the updates have others. */
static bool describe_shapes(ts_explanation *x, const ts_descriptor *d, const openvino_scatter *s)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *updates = &d->tensors[UPDATES];
    uint64_t sizes[TS_MAX_DIMS], count;
    uint32_t rank;
    explain_step(x, openvino_scatter_clause(d, SCATTER_UPDATES), "The shapes");
    openvino_scatter_updates(d, s, &rank, sizes);
    explain_say(x, "The output has the shape of data. Updates have to have this one:");
    if (s->beside)
        explain_show(x, "%s", explain_list(sizes, rank).text);
    else
        explain_show(x, "%s ++ %s ++ %s", explain_list(data->sizes, s->axis).text,
                     explain_list(indices->sizes, s->array).text,
                     explain_list(data->sizes + data->rank - s->block, s->block).text);
    for (uint32_t i = 0; s->beside && i < rank; ++i)
        if (indices->sizes[i] > data->sizes[i]) {
            explain_say(x, "A size of indices exceeds that of data: this breaks %s. The explanation ends here.",
                        openvino_scatter_clause(d, SCATTER_SIZES));
            return false;
        }
    const bool fits = show_shape(x, "output", &d->tensors[OUT], data->rank, data->sizes);
    if (rank == 0 && has_tuples(d) && updates->rank <= TS_MAX_DIMS && tensor_element_count(updates, &count) &&
        count == 1)
        return fits; /* a single element in any number of dimensions */
    return show_shape(x, "updates", updates, rank, sizes) && fits;
}

/* Append "u0,u1" for the dimensions of updates from `first` to before `last`, separated from what is there. */
static void add_names(char *text, size_t room, uint32_t first, uint32_t last)
{
    for (uint32_t i = first; i < last; ++i)
        explain_append(text, room, "%su%u", *text ? "," : "", i);
}

static void describe_formula(ts_explanation *x, const ts_descriptor *d, const openvino_scatter *s)
{
    const uint32_t rank = d->tensors[DATA].rank, axis = s->beside ? 0 : s->axis;
    char update[120] = "", index[120] = "", output[160] = "";
    add_names(update, sizeof update, 0, axis + s->array + s->block);
    add_names(index, sizeof index, axis, axis + s->array);
    add_names(output, sizeof output, 0, s->axis);
    for (uint32_t k = 0; k < s->tuple; ++k)
        explain_append(output, sizeof output, "%sk%u", *output ? "," : "", k);
    if (s->beside)
        add_names(output, sizeof output, s->axis + 1, rank);
    else
        add_names(output, sizeof output, axis + s->array, axis + s->array + s->block);
    explain_step(x, openvino_scatter_clause(d, SCATTER_FORMULA), "From an update to the element that it replaces");
    explain_say(x, "The output begins as a copy of data. Each update then replaces one element of it:");
    for (uint32_t k = 0; k < s->tuple; ++k) {
        char place[12] = "";
        if (has_tuples(d))
            snprintf(place, sizeof place, "%s%u", *index ? "," : "", k);
        explain_show(x, "k%u = indices[%s%s]", k, index, place);
    }
    explain_show(x, "output[%s] = updates[%s]", output, update);
    explain_say(
        x,
        has_tuples(d)
            ? "Equal tuples are not allowed: the call may fail. If it does not, the element that they select may "
              "have any value; the reference gives it the last update (ledger: %s)."
            : "Which of several updates of one element remains is not defined. The element may have the value "
              "of any of them; the reference gives it the last one (ledger: %s).",
        d->op->several);
}

static void describe_indices(ts_explanation *x, const ts_descriptor *d, bool stray)
{
    explain_step(x, openvino_scatter_clause(d, SCATTER_INDEX), "What an index means");
    explain_say(
        x,
        "Indices count from 0, and none is negative. With an index beyond its dimension the call may fail; if it "
        "does not, it must not write outside of the output, and the elements of the output are not defined "
        "(ledger: %s).",
        d->op->undefined);
    if (!d->tensors[INDICES].data)
        explain_say(x, "The descriptor has no values of the indices, so it is not known which elements are replaced.");
    else
        explain_say(x, stray ? "An index of this descriptor is beyond its dimension."
                             : "No index of this descriptor is beyond its dimension.");
}

/* The last update that falls on the element, or else that of data. */
static bool source(const void *context, explain_element *e)
{
    const scattering *c = context;
    const ts_descriptor *d = c->d;
    const ts_tensor *updates = &d->tensors[UPDATES];
    uint64_t u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS], elements;
    if (!d->tensors[INDICES].data)
        return false;
    e->from = DATA;
    e->by_tuple = has_tuples(d);
    e->undefined = c->stray;
    memcpy(e->from_coord, e->to_coord, sizeof e->from_coord);
    if (!tensor_element_count(updates, &elements) || elements == 0)
        return true;
    do {
        if (!openvino_scatter_target(d, &c->s, openvino_from_start, u, to, index) ||
            memcmp(to, e->to_coord, d->tensors[OUT].rank * sizeof *to) != 0)
            continue;
        /* a tuple without indices replaces everything, and there is no index to show */
        explain_choose(e, UPDATES, u, c->s.tuple > 0 ? INDICES : -1, index);
    } while (tensor_next(updates, u));
    e->several = e->choices > 1 && !e->undefined;
    return true;
}

void openvino_scatter_explain(const ts_descriptor *d, ts_explanation *x)
{
    scattering c = { .d = d };
    describe_call(x, d, d->op->clause_count > SCATTER_SIZES);
    if (!describe_place(x, d, &c.s) || !describe_shapes(x, d, &c.s))
        return;
    c.stray = d->tensors[INDICES].data && openvino_scatter_strays(d, &c.s);
    describe_formula(x, d, &c.s);
    describe_indices(x, d, c.stray);
    explain_step(x, openvino_scatter_clause(d, SCATTER_BITS), "Each element");
    explain_elements(x, d, OUT, source, &c);
}
