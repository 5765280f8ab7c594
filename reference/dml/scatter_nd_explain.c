/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_nd.h"
#include "reference/dml_explain.h"
#include "reference/dml_index_explain.h"
#include "reference/dml_interpretations.h"

#include <inttypes.h>

enum { IN, INDICES, UPDATES, OUT };

/* Do the four tensors have sizes, and the same number of dimensions? Else the explanation says so. */
static bool have_same_rank(ts_explanation *x, const ts_descriptor *d)
{
    const ts_tensor *t = d->tensors;
    bool same = t[IN].rank >= 1 && t[IN].rank <= TS_MAX_DIMS;
    for (unsigned k = IN; k <= OUT; ++k)
        same = same && t[k].rank == t[IN].rank && (t[k].given & TS_GIVEN_ALL) == TS_GIVEN_ALL;
    if (!same)
        explain_say(x,
                    "All four tensors must have the same number of dimensions, 1 to 8, and sizes; they have %u, %u, "
                    "%u and %u dimensions. The explanation ends here.",
                    t[IN].rank, t[INDICES].rank, t[UPDATES].rank, t[OUT].rank);
    return same;
}

/* SN-05, SN-06, SN-09 and SN-17. False if the counts do not fit the tensors. */
static bool describe_counts(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const uint32_t dims = in->rank;
    const uint64_t tuple = indices->sizes[dims - 1];
    explain_step(x, "SN-05 SN-06 SN-07 SN-08 SN-09 SN-17", "The dimensions that count");
    explain_say(x, "Leading dimensions pad the tensors to one number of dimensions. The two attributes say how many "
                   "trailing ones are meant. The last dimension of IndicesTensor holds the indices of one tuple.");
    if (a->InputDimensionCount < 1 || a->InputDimensionCount > dims || a->IndicesDimensionCount < 1 ||
        a->IndicesDimensionCount > dims || tuple < 1 || tuple > a->InputDimensionCount) {
        explain_say(
            x,
            "Both counts must be 1 to %u, and a tuple has 1 to InputDimensionCount indices; here it has %" PRIu64
            ". The explanation ends here.",
            dims, tuple);
        return false;
    }
    explain_show(x, "of InputTensor    %s",
                 explain_list(in->sizes + dims - a->InputDimensionCount, a->InputDimensionCount).text);
    explain_show(x, "of IndicesTensor  %s",
                 explain_list(indices->sizes + dims - a->IndicesDimensionCount, a->IndicesDimensionCount).text);
    if (a->InputDimensionCount == tuple)
        explain_say(x, "A tuple has an index for each of these dimensions of the input, so it selects one element.");
    else
        explain_say(x,
                    "A tuple has an index for the first %" PRIu64 " of these dimensions of the input, so it selects a "
                    "block of the %" PRIu64 " others.",
                    tuple, a->InputDimensionCount - tuple);
    return true;
}

/* Show the sizes of a tensor, and whether they are as expected. */
static bool show_sizes(ts_explanation *x, const char *name, const ts_tensor *t, const uint64_t *expected,
                       const char *clause)
{
    const bool same = memcmp(t->sizes, expected, t->rank * sizeof *expected) == 0;
    explain_show(x, "%-14s %s%s%s", name, explain_list(t->sizes, t->rank).text, same ? "" : "  differs: this breaks ",
                 same ? "" : clause);
    return same;
}

/* SN-10 and SN-11. False if the sizes do not fit. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d)
{
    uint64_t expected[TS_MAX_DIMS];
    explain_step(x, "SN-10 SN-11", "The shapes");
    explain_say(x,
                "The output has the sizes of the input. UpdatesTensor has a block, or an element, for each tuple: its "
                "sizes are those of the array of tuples and then those of a block, behind leading ones.");
    if (!dml_scatter_nd_updates_sizes(d, expected)) {
        explain_say(x, "These are more than the %u dimensions of the tensors. The explanation ends here.",
                    d->tensors[UPDATES].rank);
        return false;
    }
    explain_show(x, "%-14s %s", "InputTensor", explain_list(d->tensors[IN].sizes, d->tensors[IN].rank).text);
    const bool fits = show_sizes(x, "OutputTensor", &d->tensors[OUT], d->tensors[IN].sizes, "SN-11");
    return show_sizes(x, "UpdatesTensor", &d->tensors[UPDATES], expected, "SN-10") && fits;
}

static void describe_formula(ts_explanation *x, const ts_descriptor *d)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    const uint32_t block = dml_scatter_nd_block(d), tuple = a->InputDimensionCount - block;
    char place[128] = "", update[128] = "", output[200] = "";
    for (uint32_t i = 0; i + 1 < a->IndicesDimensionCount; ++i)
        explain_append(place, sizeof place, "i%u,", i);
    explain_append(update, sizeof update, "%s", place);
    for (uint32_t k = 0; k < tuple; ++k)
        explain_append(output, sizeof output, "%sk%u", k ? "," : "", k);
    for (uint32_t j = 0; j < block; ++j) {
        explain_append(update, sizeof update, "j%u,", j);
        explain_append(output, sizeof output, ",j%u", j);
    }
    if (update[0])
        update[strlen(update) - 1] = '\0'; /* the last comma */
    explain_step(x, "SN-12 SN-13 SN-18", "From a tuple to what its updates replace");
    explain_say(x, "The output begins as a copy of the input. Each update then replaces one element of it. Without the "
                   "leading dimensions:");
    for (uint32_t k = 0; k < tuple; ++k)
        explain_show(x, "k%u = IndicesTensor[%s%u]", k, place, k);
    explain_show(x, "OutputTensor[%s] = UpdatesTensor[%s]", output, update);
    explain_say(x, "The page does not say which of several updates of one element remains. The element may have the "
                   "value of any of them; the reference gives it the last one (ledger: E-SN-4).");
}

/* SN-14 and SN-15, and the first indices. */
static void describe_indices(ts_explanation *x, const ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const uint32_t dims = in->rank, first = dims - TS_ATTRS(ts_dml_scatter_nd, d)->InputDimensionCount;
    const bool is_signed = indices->dtype == TS_INT32 || indices->dtype == TS_INT64;
    uint64_t coord[TS_MAX_DIMS] = { 0 }, shown = 0;
    bool more = indices->data != NULL;
    explain_step(x, "SN-14 SN-15", "What an index means in its dimension");
    explain_say(x,
                "%s An index that is then outside of its dimension must not make the call fail or fault, nor write "
                "outside of the output; the elements of the output are not defined then (ledger: E-SN-5).",
                is_signed ? "The indices are signed: a negative index counts from the end of its dimension."
                          : "The indices are unsigned, so none is negative.");
    for (; more && shown < x->most; ++shown, more = tensor_next(indices, coord)) {
        const uint32_t axis = first + (uint32_t)coord[dims - 1];
        const uint64_t n = in->sizes[axis];
        const explained_index v = dml_explained_index(indices, coord, n);
        char at[160] = "";
        for (uint32_t i = 0; i < dims; ++i)
            explain_append(at, sizeof at, "%s%" PRIu64, i ? "," : "", coord[i]);
        if (!v.inside)
            explain_show(x, "IndicesTensor[%s] = %s: outside of dimension %u", at, v.text, axis);
        else if (v.negative)
            explain_show(x, "IndicesTensor[%s] = %s in dimension %u: %s + %" PRIu64 " = %" PRIu64, at, v.text, axis,
                         v.text, n, v.taken);
        else
            explain_show(x, "IndicesTensor[%s] = %s in dimension %u", at, v.text, axis);
    }
    if (more)
        explain_show(x, "and so on");
}

/* What the explanation of each element needs. */
typedef struct elements {
    const ts_descriptor *d;
    bool undefined; /* an index is beyond its dimension, or dimensions that do not count are above 1 */
} elements;

/* The last update that falls on the element, or else the input's element. */
static bool source(const void *context, explain_element *e)
{
    const elements *all = context;
    const ts_descriptor *d = all->d;
    const ts_tensor *updates = &d->tensors[UPDATES];
    uint64_t u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    if (!d->tensors[INDICES].data)
        return false;
    e->from = IN;
    e->by_tuple = true;
    e->addresses = dml_explain_addresses(d);
    e->undefined = all->undefined;
    memcpy(e->from_coord, e->to_coord, sizeof e->from_coord);
    do {
        if (!dml_scatter_nd_target(d, u, to, index) || memcmp(to, e->to_coord, updates->rank * sizeof *to) != 0)
            continue;
        explain_choose(e, UPDATES, u, INDICES, index);
    } while (tensor_next(updates, u));
    e->several = e->choices > 1 && !e->undefined;
    return true;
}

/* Are the elements of the output undefined? */
static bool is_undefined(const ts_descriptor *d)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint64_t u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    for (uint32_t i = 0; i < in->rank; ++i)
        if ((i + a->InputDimensionCount < in->rank && in->sizes[i] > 1) ||
            (i + a->IndicesDimensionCount < in->rank && indices->sizes[i] > 1))
            return true; /* SN-07, SN-08 */
    if (indices->data)
        do
            if (!dml_scatter_nd_target(d, u, to, index))
                return true;
        while (tensor_next(&d->tensors[UPDATES], u));
    return false;
}

ts_explain dml_scatter_nd_explain;
void dml_scatter_nd_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    explain_step(x, "SN-02", "Scattering elements or blocks by tuples of indices");
    explain_say(
        x, "The output is the input with some elements or blocks replaced. Each tuple of IndicesTensor says which; "
           "the part of UpdatesTensor that belongs to the tuple replaces it.");
    explain_show(x, "InputDimensionCount = %u, IndicesDimensionCount = %u", a->InputDimensionCount,
                 a->IndicesDimensionCount);
    if (!have_same_rank(x, d) || !describe_counts(x, d) || !describe_shape(x, d))
        return;
    dml_explain_strided(x, d);
    describe_formula(x, d);
    describe_indices(x, d);
    explain_step(x, "SN-12 SN-16", "Each element");
    if (!d->tensors[INDICES].data)
        explain_say(x, "The descriptor has no values of the indices, so it is not known which elements are replaced.");
    const elements all = { d, is_undefined(d) };
    explain_elements(x, d, OUT, source, &all);
}
