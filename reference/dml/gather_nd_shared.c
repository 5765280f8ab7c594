/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/gather_nd_shared.h"
#include "reference/dml/gather_nd.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

#include <inttypes.h>

/* clang-format off */
enum { IN, INDICES, OUT };
const ts_tensor_decl dml_gather_nd_tensors[3] = {
    { "InputTensor",   "in",      TS_INPUT,  false },
    { "IndicesTensor", "indices", TS_INPUT,  false },
    { "OutputTensor",  "out",     TS_OUTPUT, false },
};
/* clang-format on */

dml_gather_nd dml_gather_nd_counts(const ts_descriptor *d)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    dml_gather_nd n = { .batch = 0 };
    if (d->op->clause_count == ND1_CLAUSES) {
        const ts_dml_gather_nd1 *a = TS_ATTRS(ts_dml_gather_nd1, d);
        n.input = a->InputDimensionCount;
        n.indices = a->IndicesDimensionCount;
        n.batch = a->BatchDimensionCount;
    } else {
        const ts_dml_gather_nd *a = TS_ATTRS(ts_dml_gather_nd, d);
        n.input = a->InputDimensionCount;
        n.indices = a->IndicesDimensionCount;
    }
    n.tuple = indices->rank >= 1 && indices->rank <= TS_MAX_DIMS ? indices->sizes[indices->rank - 1] : 0;
    return n;
}

const char *dml_gather_nd_clause(const ts_descriptor *d, unsigned place)
{
    return d->op->clauses[place].id;
}

uint64_t dml_gather_nd_dims(const dml_gather_nd *n)
{
    return n->indices - 1 + (n->input - n->batch - n->tuple);
}

/* ND_INPUT_COUNT, ND_INDICES_COUNT, ND_BATCH_COUNT and ND_MANY_BATCHES. A count that is illegal bounds no other one. */
static bool check_counts(const ts_descriptor *d, const dml_gather_nd *n, ts_report *report)
{
    const uint32_t dims = d->tensors[IN].rank;
    const bool input = n->input >= 1 && n->input <= dims, indices = n->indices >= 1 && n->indices <= dims;
    bool fine = input && indices;
    if (!input)
        operator_violate(report, dml_gather_nd_clause(d, ND_INPUT_COUNT), TS_RESULT_INVALID, IN, -1,
                         "InputDimensionCount = %u is not within 1 to DimensionCount = %u", n->input, dims);
    if (!indices)
        operator_violate(report, dml_gather_nd_clause(d, ND_INDICES_COUNT), TS_RESULT_INVALID, INDICES, -1,
                         "IndicesDimensionCount = %u is not within 1 to DimensionCount = %u", n->indices, dims);
    if (n->batch > 0 && n->batch >= dims) {
        operator_violate(report, dml_gather_nd_clause(d, ND_BATCH_COUNT), TS_RESULT_INVALID, -1, -1,
                         "BatchDimensionCount = %u is not below DimensionCount = %u", n->batch, dims);
        fine = false;
    } else if ((input && n->batch >= n->input) || (indices && n->batch >= n->indices)) {
        operator_violate(report, dml_gather_nd_clause(d, ND_MANY_BATCHES), TS_RESULT_INVALID, -1, -1,
                         "BatchDimensionCount = %u is not below InputDimensionCount = %u and "
                         "IndicesDimensionCount = %u",
                         n->batch, n->input, n->indices);
        fine = false;
    }
    return fine;
}

/* ND_INPUT_ONES and ND_INDICES_ONES: the sizes of a tensor before the last `count`. */
static void check_ones(const ts_descriptor *d, unsigned tensor, uint32_t count, unsigned clause, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    for (uint32_t i = 0; i + count < t->rank; ++i)
        if (t->sizes[i] > 1) /* sizes of zero are BUF-06 */
            operator_violate(report, dml_gather_nd_clause(d, clause), TS_RESULT_INVALID, (int)tensor, (int)i,
                             "%s.Sizes[%u] = %" PRIu64 " is not 1, but precedes the last %u",
                             d->op->tensors[tensor].name, i, t->sizes[i], count);
}

/* ND_BATCH_SIZES. */
static void check_batch(const ts_descriptor *d, const dml_gather_nd *n, ts_report *report)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    for (uint32_t i = 0; i < n->batch; ++i) {
        const uint32_t a = in->rank - n->input + i, b = indices->rank - n->indices + i;
        if (in->sizes[a] != indices->sizes[b] && in->sizes[a] != 0 && indices->sizes[b] != 0)
            operator_violate(report, dml_gather_nd_clause(d, ND_BATCH_SIZES), TS_RESULT_INVALID, INDICES, (int)b,
                             "IndicesTensor.Sizes[%u] = %" PRIu64 " differs from InputTensor.Sizes[%u] = %" PRIu64
                             ", which is of the same batch dimension",
                             b, indices->sizes[b], a, in->sizes[a]);
    }
}

/* Size `o` of the output, by ND_SIZES. The counts and the tuple are legal, and the output has room for its dimensions.
 */
static uint64_t output_size(const ts_descriptor *d, const dml_gather_nd *n, uint32_t o)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const uint32_t lead = in->rank - (uint32_t)dml_gather_nd_dims(n), tuples = n->indices - 1;
    if (o < lead)
        return 1;
    if (o < lead + tuples)
        return indices->sizes[in->rank - n->indices + o - lead];
    return in->sizes[in->rank - n->input + n->batch + (uint32_t)n->tuple + o - lead - tuples];
}

static void check_sizes(const ts_descriptor *d, const dml_gather_nd *n, ts_report *report)
{
    const ts_tensor *out = &d->tensors[OUT];
    if (n->tuple > n->input - n->batch) {
        operator_violate(report, dml_gather_nd_clause(d, n->tuple > out->rank ? ND_TUPLE : ND_LONG_TUPLE),
                         TS_RESULT_INVALID, INDICES, (int)out->rank - 1,
                         "the tuples of IndicesTensor have %" PRIu64 " coordinates for %u dimensions of InputTensor",
                         n->tuple, n->input - n->batch);
        return;
    }
    if (dml_gather_nd_dims(n) > out->rank) {
        operator_violate(report, dml_gather_nd_clause(d, ND_SIZES), TS_RESULT_INVALID, OUT, -1,
                         "the output needs %" PRIu64 " dimensions, and DimensionCount is %u", dml_gather_nd_dims(n),
                         out->rank);
        return;
    }
    for (uint32_t i = 0; i < out->rank; ++i) {
        const uint64_t size = output_size(d, n, i);
        if (out->sizes[i] != size && out->sizes[i] != 0 && size != 0)
            operator_violate(report, dml_gather_nd_clause(d, ND_SIZES), TS_RESULT_INVALID, OUT, (int)i,
                             "OutputTensor.Sizes[%u] = %" PRIu64 ", expected %" PRIu64, i, out->sizes[i], size);
    }
}

void dml_gather_nd_check(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const char *given = dml_gather_nd_clause(d, ND_GIVEN), *dims = dml_gather_nd_clause(d, ND_DIMS);
    const char *type = dml_gather_nd_clause(d, ND_TYPE), *index_type = dml_gather_nd_clause(d, ND_INDEX_TYPE);
    const dml_gather_nd n = dml_gather_nd_counts(d);
    bool comparable = dml_check_tensors(d, report, given, (const char *[]){ dims, dims, dims },
                                        (const char *[]){ type, index_type, type });
    if (!operator_check_given(d, report, given) || !comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, type, TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    if (indices->rank != in->rank || out->rank != in->rank) {
        operator_violate(report, dims, TS_RESULT_INVALID, -1, -1,
                         "the DimensionCounts of InputTensor, IndicesTensor and OutputTensor differ: %u, %u, %u",
                         in->rank, indices->rank, out->rank);
        return;
    }
    if (in->rank < 1 || in->rank > TS_MAX_DIMS || !check_counts(d, &n, report))
        return; /* BUF-05, or a count that is none */
    check_ones(d, IN, n.input, ND_INPUT_ONES, report);
    check_ones(d, INDICES, n.indices, ND_INDICES_ONES, report);
    check_batch(d, &n, report);
    if (n.tuple > 0) /* BUF-06 */
        check_sizes(d, &n, report);
}

bool dml_gather_nd_shape(ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const dml_gather_nd n = dml_gather_nd_counts(d);
    ts_tensor *out = &d->tensors[OUT];
    if (in->rank < 1 || in->rank > TS_MAX_DIMS || indices->rank != in->rank || !check_counts(d, &n, NULL) ||
        n.tuple < 1 || n.tuple > n.input - n.batch || dml_gather_nd_dims(&n) > in->rank)
        return false;
    out->rank = in->rank;
    for (uint32_t i = 0; i < out->rank; ++i)
        out->sizes[i] = output_size(d, &n, i);
    return true;
}

void dml_gather_nd_trace(const ts_descriptor *d, dml_gather_nd n, const uint64_t *o, uint64_t *from, uint64_t *index,
                         uint32_t *first)
{
    const uint32_t dims = d->tensors[IN].rank, tuple = (uint32_t)n.tuple;
    const uint64_t *at = o + (dims - dml_gather_nd_dims(&n)); /* without leading ones */
    memset(from, 0, TS_MAX_DIMS * sizeof *from);
    memset(index, 0, TS_MAX_DIMS * sizeof *index);
    for (uint32_t i = 0; i + 1 < n.indices; ++i)
        index[dims - n.indices + i] = at[i];
    for (uint32_t i = 0; i < n.batch; ++i)
        from[dims - n.input + i] = at[i];
    *first = dims - n.input + n.batch;
    for (uint32_t i = *first + tuple; i < dims; ++i)
        from[i] = at[n.indices - 1 + i - (*first + tuple)];
}

bool dml_gather_nd_source(const ts_descriptor *d, dml_gather_nd n, const uint64_t *o, uint64_t *from)
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    uint64_t index[TS_MAX_DIMS];
    uint32_t first;
    bool inside, all_inside = true;
    dml_gather_nd_trace(d, n, o, from, index, &first);
    for (uint64_t k = 0; k < n.tuple; ++k) {
        index[indices->rank - 1] = k;
        from[first + k] = dml_index(indices, index, in->sizes[first + k], &inside);
        all_inside = all_inside && inside;
    }
    return all_inside;
}

void dml_gather_nd_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const dml_gather_nd n = dml_gather_nd_counts(d);
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS];
    do {
        if (!dml_gather_nd_source(d, n, o, from))
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
        tensor_copy_element(out, o, in, from);
    } while (tensor_next(out, o));
}
