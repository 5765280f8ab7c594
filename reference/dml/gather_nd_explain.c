/* SPDX-License-Identifier: Apache-2.0 */
/* The explanation of GATHER_ND and GATHER_ND1. */
#include "reference/dml/gather_nd_shared.h"
#include "reference/dml_explain.h"
#include "reference/dml_index_explain.h"

#include <inttypes.h>

enum { IN, INDICES, OUT };

/* The ids of two clauses, for a step. */
#define CLAUSES(d, first, second)                                                                                      \
    ((d)->op->clause_count == ND1_CLAUSES ? "ND1-" first " ND1-" second : "ND-" first " ND-" second)
#define TUPLE_CLAUSES(d) ((d)->op->clause_count == ND1_CLAUSES ? "ND1-09 ND1-18 ND1-10" : "ND-09 ND-15 ND-10")

/* One tensor and the dimensions of it that count. False: its count is none. */
static bool describe_count(ts_explanation *x, const ts_descriptor *d, unsigned tensor, uint32_t count,
                           const char *attribute, unsigned ones)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *name = d->op->tensors[tensor].name;
    if (count < 1 || count > t->rank) {
        explain_say(x, "%s = %u has to be 1 to %u, the dimensions of the tensors. The explanation ends here.",
                    attribute, count, t->rank);
        return false;
    }
    explain_say(x, "%s = %u: the last %u dimension%s of %s count, %s.", attribute, count, count, count == 1 ? "" : "s",
                name, explain_list(t->sizes + (t->rank - count), count).text);
    for (uint32_t i = 0; i + count < t->rank; ++i)
        if (t->sizes[i] != 1) {
            explain_say(x,
                        "%s.Sizes[%u] = %" PRIu64 " precedes them and is not 1: this breaks %s. The explanation ends "
                        "here.",
                        name, i, t->sizes[i], dml_gather_nd_clause(d, ones));
            return false;
        }
    return true;
}

/* The batch dimensions. False: there cannot be so many, or their sizes differ. */
static bool describe_batch(ts_explanation *x, const ts_descriptor *d, const dml_gather_nd *n)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    if (n->batch == 0)
        return true;
    explain_step(x, "ND1-15 ND1-17 ND1-16", "The batches: BatchDimensionCount = %u", n->batch);
    if (n->batch >= n->input || n->batch >= n->indices) {
        explain_say(x, "It has to be below both other counts, %u and %u. The explanation ends here.", n->input,
                    n->indices);
        return false;
    }
    const uint64_t *of_input = in->sizes + (in->rank - n->input);
    const uint64_t *of_indices = indices->sizes + (indices->rank - n->indices);
    const bool same = memcmp(of_input, of_indices, n->batch * sizeof *of_input) == 0;
    explain_say(x, "Both inputs and the output have these dimensions, and every batch is gathered by itself.");
    explain_show(x, "of InputTensor    %s", explain_list(of_input, n->batch).text);
    explain_show(x, "of IndicesTensor  %s%s", explain_list(of_indices, n->batch).text,
                 same ? "" : "  differs. The explanation ends here.");
    return same;
}

/* The tuples and the shape of the output. False if it has none, or another one than OutputTensor. */
static bool describe_shape(ts_explanation *x, const ts_descriptor *d, const dml_gather_nd *n)
{
    const ts_tensor *out = &d->tensors[OUT];
    ts_descriptor expected = *d;
    explain_step(x, TUPLE_CLAUSES(d), "The shape: the array of tuples, then what a tuple selects");
    explain_say(x,
                "The last dimension of IndicesTensor is one tuple: %" PRIu64 " %s, for as many dimensions of "
                "InputTensor%s. The dimensions of InputTensor behind them are copied whole.",
                n->tuple, n->tuple == 1 ? "index" : "indices", n->batch ? " behind those of the batches" : "");
    if (n->tuple > n->input - n->batch) {
        explain_say(x, "InputTensor has only %u such dimensions. The explanation ends here.", n->input - n->batch);
        return false;
    }
    if (!d->op->shape(&expected)) {
        explain_say(x,
                    "The output would have %" PRIu64 " dimensions, and the tensors have %u. The explanation ends here.",
                    dml_gather_nd_dims(n), out->rank);
        return false;
    }
    const ts_tensor *wanted = &expected.tensors[OUT];
    const bool same = memcmp(wanted->sizes, out->sizes, out->rank * sizeof out->sizes[0]) == 0;
    explain_show(x, "expected      %s", explain_list(wanted->sizes, wanted->rank).text);
    explain_show(x, "OutputTensor  %s%s", explain_list(out->sizes, out->rank).text, same ? "" : "  differs");
    return same;
}

static void describe_formula(ts_explanation *x, const ts_descriptor *d, const dml_gather_nd *n)
{
    const uint32_t dims = d->tensors[IN].rank, lead = dims - (uint32_t)dml_gather_nd_dims(n);
    char output[160] = "", tuple[160] = "", input[160] = "";
    for (uint32_t i = 0; i < dims; ++i)
        explain_append(output, sizeof output, "%so%u", i ? "," : "", i);
    for (uint32_t i = 0; i + 1 < dims; ++i)
        if (i < dims - n->indices)
            explain_append(tuple, sizeof tuple, "0,");
        else
            explain_append(tuple, sizeof tuple, "o%u,", lead + i - (dims - n->indices));
    for (uint32_t i = 0; i < dims; ++i) {
        const uint32_t own = i + n->input - dims, picked = own - n->batch; /* meant where i reaches them */
        explain_append(input, sizeof input, "%s", i ? "," : "");
        if (i < dims - n->input)
            explain_append(input, sizeof input, "0");
        else if (own < n->batch)
            explain_append(input, sizeof input, "o%u", lead + own);
        else if (picked < n->tuple)
            explain_append(input, sizeof input, "k%u", picked);
        else
            explain_append(input, sizeof input, "o%u", lead + n->indices - 1 + picked - (uint32_t)n->tuple);
    }
    explain_step(x, dml_gather_nd_clause(d, ND_FORMULA), "From a coordinate of the output to its tuple");
    explain_say(x, "The output's coordinate names a tuple and, behind it, an element of what the tuple selects.");
    for (uint64_t k = 0; k < n->tuple; ++k)
        explain_show(x, "k%" PRIu64 " = IndicesTensor[%s%" PRIu64 "]", k, tuple, k);
    explain_show(x, "OutputTensor[%s] = InputTensor[%s]", output, input);
}

static bool source(const void *context, explain_element *e)
{
    const ts_descriptor *d = context;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint32_t first;
    e->via = INDICES;
    e->by_tuple = true;
    e->addresses = dml_explain_addresses(d);
    const dml_gather_nd n = dml_gather_nd_counts(d);
    dml_gather_nd_trace(d, n, e->to_coord, e->from_coord, e->via_coord, &first);
    if (!indices->data)
        return true;
    e->from = IN;
    uint64_t at[TS_MAX_DIMS];
    memcpy(at, e->via_coord, sizeof at);
    for (uint64_t k = 0; k < indices->sizes[indices->rank - 1]; ++k) {
        at[indices->rank - 1] = k;
        const explained_index v = dml_explained_index(indices, at, in->sizes[first + k]);
        e->from_coord[first + k] = v.taken;
        e->undefined = e->undefined || !v.inside;
    }
    return true;
}

void dml_gather_nd_explain(const ts_descriptor *d, ts_explanation *x)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const dml_gather_nd n = dml_gather_nd_counts(d);
    explain_step(x, CLAUSES(d, "05", "06"), "Gathering by tuples of indices");
    explain_say(x, "Each tuple of IndicesTensor names a part of InputTensor: an element, or a block where it has fewer "
                   "indices than InputTensor has dimensions. The output has one such part for each tuple.");
    explain_show(x, "InputTensor    %s", explain_list(in->sizes, in->rank).text);
    explain_show(x, "IndicesTensor  %s", explain_list(indices->sizes, indices->rank).text);
    if (!dml_explain_same_rank(x, d) || !describe_count(x, d, IN, n.input, "InputDimensionCount", ND_INPUT_ONES) ||
        !describe_count(x, d, INDICES, n.indices, "IndicesDimensionCount", ND_INDICES_ONES) ||
        !describe_batch(x, d, &n) || !describe_shape(x, d, &n))
        return;
    dml_explain_strided(x, d);
    describe_formula(x, d, &n);
    const uint32_t first = in->rank - n.input + n.batch;
    dml_explain_indices(x, indices, in->rank - n.indices, in->sizes + first, (uint32_t)n.tuple, CLAUSES(d, "12", "13"),
                        d->op->undefined);
    explain_step(x, CLAUSES(d, "11", "14"), "Each element");
    explain_elements(x, d, OUT, source, d);
}
