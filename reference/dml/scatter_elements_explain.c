/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_elements.h"
#include "reference/dml_explain.h"
#include "reference/dml_index_explain.h"

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

/* Show the sizes of a tensor, and whether they are as expected. */
static bool show_sizes(ts_explanation *x, const char *name, const ts_tensor *t, const uint64_t *expected,
                       const char *clause)
{
    const bool same = memcmp(t->sizes, expected, t->rank * sizeof *expected) == 0;
    explain_show(x, "%-14s %s%s%s", name, explain_list(t->sizes, t->rank).text, same ? "" : "  differs: this breaks ",
                 same ? "" : clause);
    return same;
}

/* SE-06 to SE-08. False if the sizes do not fit. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d, uint32_t axis)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint64_t expected[TS_MAX_DIMS];
    explain_step(x, "SE-06 SE-07 SE-08 SE-14", "The shapes");
    explain_say(x,
                "The output has the sizes of the input. IndicesTensor has them, too, except along the axis, where it "
                "may have fewer elements: %" PRIu64 " here. UpdatesTensor has an element for each index.",
                indices->sizes[axis]);
    if (indices->sizes[axis] > in->sizes[axis])
        explain_say(x,
                    "It has more than the %" PRIu64 " of the input: the page does not forbid this, and implementations "
                    "differ (ledger: E-SE-4).",
                    in->sizes[axis]);
    memcpy(expected, in->sizes, sizeof expected);
    explain_show(x, "%-14s %s", "InputTensor", explain_list(in->sizes, in->rank).text);
    bool fits = show_sizes(x, "OutputTensor", &d->tensors[OUT], expected, "SE-08");
    expected[axis] = indices->sizes[axis];
    fits = show_sizes(x, "IndicesTensor", indices, expected, "SE-06") && fits;
    return show_sizes(x, "UpdatesTensor", &d->tensors[UPDATES], indices->sizes, "SE-07") && fits;
}

static void describe_formula(ts_explanation *x, uint32_t dims, uint32_t axis)
{
    char plain[128] = "", outputs[128] = "";
    for (uint32_t i = 0; i < dims; ++i) {
        explain_append(plain, sizeof plain, "%si%u", i ? "," : "", i);
        if (i == axis)
            explain_append(outputs, sizeof outputs, "%sk", i ? "," : "");
        else
            explain_append(outputs, sizeof outputs, "%si%u", i ? "," : "", i);
    }
    explain_step(x, "SE-09 SE-10", "From an index to the element that its update replaces");
    explain_say(x,
                "The output begins as a copy of the input. Each update then replaces one element of it: the index at "
                "the update's own coordinate replaces the coordinate along the axis.");
    explain_show(x, "k = IndicesTensor[%s]", plain);
    explain_show(x, "OutputTensor[%s] = UpdatesTensor[%s]", outputs, plain);
    explain_say(x, "The page does not say which of several updates of one element remains. The element may have the "
                   "value of any of them; the reference gives it the last one (ledger: E-SE-2).");
}

/* SE-11 and SE-12, and the first indices. */
static void describe_indices(ts_explanation *x, const ts_descriptor *d, uint32_t axis)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    const uint64_t n = d->tensors[IN].sizes[axis];
    const bool is_signed = indices->dtype == TS_INT32 || indices->dtype == TS_INT64;
    uint64_t coord[TS_MAX_DIMS] = { 0 }, shown = 0;
    bool more = indices->data != NULL;
    explain_step(x, "SE-11 SE-12", "What an index means on an axis of %" PRIu64 " element%s", n, n == 1 ? "" : "s");
    explain_say(x,
                "%s An index that is then outside of [0, %" PRIu64 ") must not make the call fail or fault, nor write "
                "outside of the output; the elements of the output are not defined then (ledger: E-SE-3).",
                is_signed ? "The indices are signed: a negative index counts from the end of the axis."
                          : "The indices are unsigned, so none is negative.",
                n);
    for (; more && shown < x->most; ++shown, more = tensor_next(indices, coord)) {
        const explained_index v = dml_explained_index(indices, coord, n);
        char at[160] = "";
        for (uint32_t i = 0; i < indices->rank; ++i)
            explain_append(at, sizeof at, "%s%" PRIu64, i ? "," : "", coord[i]);
        if (!v.inside)
            explain_show(x, "IndicesTensor[%s] = %s: outside of the axis", at, v.text);
        else if (v.negative)
            explain_show(x, "IndicesTensor[%s] = %s: %s + %" PRIu64 " = %" PRIu64, at, v.text, v.text, n, v.taken);
        else
            explain_show(x, "IndicesTensor[%s] = %s", at, v.text);
    }
    if (more)
        explain_show(x, "and so on");
}

/* What the explanation of each element needs. */
typedef struct elements {
    const ts_descriptor *d;
    bool strays; /* an index is beyond the axis */
} elements;

/* The last update that falls on the element, or else the input's element. */
static bool source(const void *context, explain_element *e)
{
    const elements *all = context;
    const ts_descriptor *d = all->d;
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint64_t at[TS_MAX_DIMS];
    if (!indices->data)
        return false;
    e->from = IN;
    e->addresses = dml_explain_addresses(d);
    e->undefined = all->strays || indices->sizes[axis] > in->sizes[axis]; /* SE-12, SE-14 */
    memcpy(e->from_coord, e->to_coord, sizeof e->from_coord);
    memcpy(at, e->to_coord, sizeof at);
    for (at[axis] = 0; at[axis] < indices->sizes[axis]; ++at[axis]) {
        const explained_index v = dml_explained_index(indices, at, in->sizes[axis]);
        if (!v.inside || v.taken != e->to_coord[axis])
            continue;
        explain_choose(e, UPDATES, at, INDICES, at);
    }
    e->several = e->choices > 1 && !e->undefined;
    return true;
}

static bool any_strays(const ts_descriptor *d, uint32_t axis)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    uint64_t at[TS_MAX_DIMS] = { 0 };
    bool strays = false;
    if (indices->data)
        do
            strays = !dml_explained_index(indices, at, d->tensors[IN].sizes[axis]).inside;
        while (!strays && tensor_next(indices, at));
    return strays;
}

ts_explain dml_scatter_elements_explain;
void dml_scatter_elements_explain(const ts_descriptor *d, ts_explanation *x)
{
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis, dims = d->tensors[IN].rank;
    explain_step(x, "SE-02 SE-05", "Scattering elements along axis %u", axis);
    explain_say(x, "The output is the input with some elements replaced. Each element of UpdatesTensor replaces one of "
                   "the line of the output that runs along the axis through its own coordinate. The index at that "
                   "coordinate says which element of the line.");
    explain_show(x, "Axis = %u", axis);
    if (!have_same_rank(x, d))
        return;
    if (axis >= dims) {
        explain_say(x, "The tensors have %u dimensions, so Axis must be 0 to %u. The explanation ends here.", dims,
                    dims - 1);
        return;
    }
    if (!describe_shape(x, d, axis))
        return;
    dml_explain_strided(x, d);
    describe_formula(x, dims, axis);
    describe_indices(x, d, axis);
    explain_step(x, "SE-09 SE-13", "Each element");
    if (!d->tensors[INDICES].data)
        explain_say(x, "The descriptor has no values of the indices, so it is not known which elements are replaced.");
    const elements all = { d, any_strays(d, axis) };
    explain_elements(x, d, OUT, source, &all);
}
