/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_shared.h"

#include <inttypes.h>

/* clang-format off */
enum { DATA, INDICES, OUT };
const ts_tensor_decl openvino_gather_tensors[3] = {
    { "data",    "data",    TS_INPUT,  false },
    { "indices", "indices", TS_INPUT,  false },
    { "output",  "out",     TS_OUTPUT, false },
};
enum { AXIS, BATCH_DIMS };

const ts_support_row openvino_gather_support = {
    0, { { 1, OPENVINO_GATHER_MOST_DIMS, OPENVINO_TYPES },
         { 0, OPENVINO_GATHER_MOST_DIMS, OPENVINO_INTEGER_TYPES },
         { 0, 2 * OPENVINO_GATHER_MOST_DIMS - 1, OPENVINO_TYPES } },
};
static const int64_t axes[] = { -1, 0, 1, 2, 3, 4, 5, 6 }; /* the last one is a dimension of any data */
const ts_ir_list openvino_gather_ir_axis = { "axis", axes, sizeof axes / sizeof axes[0], NULL };
/* clang-format on */

const char *openvino_gather_clause(const ts_descriptor *d, unsigned place)
{
    return d->op->clauses[place].id;
}

/* GATHER_BATCH: batch_dims as it is stated; 0 in Gather-1, which has no batches. */
static int64_t stated_batch(const ts_descriptor *d)
{
    return d->op->attr_count > BATCH_DIMS ? operator_attr_value(d, BATCH_DIMS, 0) : 0;
}

bool openvino_gather_place(const ts_descriptor *d, openvino_gather *g, ts_report *report)
{
    const int64_t rank = d->tensors[DATA].rank, indices_rank = d->tensors[INDICES].rank;
    const int64_t axis = operator_attr_value(d, AXIS, 0), batch = stated_batch(d);
    const int64_t most = rank < indices_rank ? rank : indices_rank;
    bool legal = true;
    if (axis < -rank || axis >= rank) {
        operator_violate(report, openvino_gather_clause(d, GATHER_AXIS), TS_RESULT_INVALID, DATA, -1,
                         "axis = %" PRId64 " is not within -%" PRId64 " to %" PRId64 ", as data has rank %" PRId64,
                         axis, rank, rank - 1, rank);
        legal = false;
    }
    if (batch < -most || batch > most) {
        operator_violate(report, openvino_gather_clause(d, GATHER_BATCH), TS_RESULT_INVALID, -1, -1,
                         "batch_dims = %" PRId64 " is not within -%" PRId64 " to %" PRId64
                         ", the smaller of the ranks of data and indices",
                         batch, most, most);
        legal = false;
    }
    if (!legal)
        return false;
    g->axis = (uint32_t)(axis < 0 ? axis + rank : axis);
    g->batch = (uint32_t)(batch < 0 ? batch + indices_rank : batch);
    if (g->batch > g->axis) {
        operator_violate(report, openvino_gather_clause(d, GATHER_BATCH_AXIS), TS_RESULT_INVALID, -1, -1,
                         "batch_dims = %" PRId64 " is dimension %u, and axis = %" PRId64 " is dimension %u before it",
                         batch, g->batch, axis, g->axis);
        return false;
    }
    return true;
}

/* How many dimensions of output are those of indices. */
static uint32_t picked_dims(const ts_descriptor *d, const openvino_gather *g)
{
    return d->tensors[INDICES].rank - g->batch;
}

/* GATHER_SHAPE: the rank of output, and size `o` of it. */
static uint32_t output_rank(const ts_descriptor *d, const openvino_gather *g)
{
    return d->tensors[DATA].rank - 1 + picked_dims(d, g);
}

static uint64_t output_size(const ts_descriptor *d, const openvino_gather *g, uint32_t o)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const uint32_t picked = picked_dims(d, g);
    if (o < g->axis)
        return data->sizes[o];
    if (o < g->axis + picked)
        return indices->sizes[g->batch + o - g->axis];
    return data->sizes[o - picked + 1];
}

/* GATHER_DIMS: has a tensor dimensions that are judged? */
static bool check_dims(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *clause = openvino_gather_clause(d, GATHER_DIMS), *name = d->op->tensors[tensor].name;
    if (t->rank == 0 && tensor == DATA) {
        operator_violate(report, clause, TS_RESULT_INVALID, DATA, -1, "data has no dimension");
        return false;
    }
    if (t->rank > OPENVINO_GATHER_MOST_DIMS) {
        operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, (int)tensor, -1,
                         "%s has %u dimensions; Touchstone judges up to %d", name, t->rank, OPENVINO_GATHER_MOST_DIMS);
        return false;
    }
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] > INT64_MAX) {
            operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, (int)tensor, (int)i,
                             "%s's dimension %u = %" PRIu64 " exceeds 2^63 - 1", name, i, t->sizes[i]);
            return false;
        }
    }
    return true;
}

/* GATHER_BATCH_SIZES. */
static void check_batches(const ts_descriptor *d, const openvino_gather *g, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    for (uint32_t i = 0; i < g->batch; ++i)
        if (indices->sizes[i] != data->sizes[i])
            operator_violate(report, openvino_gather_clause(d, GATHER_BATCH_SIZES), TS_RESULT_INVALID, INDICES, (int)i,
                             "dimension %u is a batch, and has the size %" PRIu64 " in indices and %" PRIu64 " in data",
                             i, indices->sizes[i], data->sizes[i]);
}

void openvino_gather_check(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    const char *given = openvino_gather_clause(d, GATHER_GIVEN), *type = openvino_gather_clause(d, GATHER_TYPE);
    openvino_gather g;
    operator_check_support(d, report, given, (const char *[]){ NULL, NULL, NULL },
                           (const char *[]){ type, openvino_gather_clause(d, GATHER_INDEX_TYPE), type });
    if (!operator_check_given(d, report, given))
        return;
    for (unsigned i = DATA; i <= OUT; ++i) {
        if ((d->tensors[i].given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
            operator_violate(report, given, TS_RESULT_INVALID, (int)i, -1, "%s has no shape", d->op->tensors[i].name);
            return;
        }
        openvino_check_bytes(d, i, openvino_gather_clause(d, GATHER_BYTES), report);
    }
    if (out->dtype != data->dtype)
        operator_violate(report, type, TS_RESULT_INVALID, OUT, -1, "output's type %s differs from data's %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, data->dtype));
    if (!check_dims(d, DATA, report) || !check_dims(d, INDICES, report) || !openvino_gather_place(d, &g, report))
        return;
    check_batches(d, &g, report);
    if (out->rank != output_rank(d, &g)) {
        operator_violate(report, openvino_gather_clause(d, GATHER_SHAPE), TS_RESULT_INVALID, OUT, -1,
                         "output has %u dimensions, expected %u", out->rank, output_rank(d, &g));
        return;
    }
    for (uint32_t o = 0; o < out->rank; ++o) {
        const uint64_t size = output_size(d, &g, o);
        if (out->sizes[o] != size)
            operator_violate(report, openvino_gather_clause(d, GATHER_SHAPE), TS_RESULT_INVALID, OUT, (int)o,
                             "output's dimension %u = %" PRIu64 ", expected %" PRIu64, o, out->sizes[o], size);
    }
}

bool openvino_gather_shape(ts_descriptor *d)
{
    ts_tensor *out = &d->tensors[OUT];
    openvino_gather g;
    if (!check_dims(d, DATA, NULL) || !check_dims(d, INDICES, NULL) || !openvino_gather_place(d, &g, NULL))
        return false;
    out->rank = output_rank(d, &g);
    for (uint32_t o = 0; o < out->rank; ++o)
        out->sizes[o] = output_size(d, &g, o);
    return true;
}

bool openvino_gather_selects(const ts_descriptor *d, const uint64_t *index, uint64_t n, uint64_t *at)
{
    bool negative;
    const uint64_t stated = openvino_index(&d->tensors[INDICES], index, &negative);
    openvino_selection *const selects =
        d->op->clause_count < GATHER_8_CLAUSES ? openvino_from_start : openvino_from_either_end; /* GATHER_NEGATIVE */
    return selects(stated, negative, n, at);
}

void openvino_gather_trace(const ts_descriptor *d, const openvino_gather *g, const uint64_t *o, uint64_t *from,
                           uint64_t *index)
{
    const uint32_t rank = d->tensors[DATA].rank, picked = picked_dims(d, g);
    for (uint32_t i = 0; i < g->batch; ++i)
        index[i] = o[i];
    for (uint32_t i = 0; i < picked; ++i)
        index[g->batch + i] = o[g->axis + i];
    for (uint32_t i = 0; i < g->axis; ++i)
        from[i] = o[i];
    for (uint32_t i = g->axis + 1; i < rank; ++i)
        from[i] = o[i + picked - 1];
}

void openvino_gather_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *data = &d->tensors[DATA], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], elements;
    openvino_gather g;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    openvino_gather_place(d, &g, NULL);
    do {
        openvino_gather_trace(d, &g, o, from, index);
        if (openvino_gather_selects(d, index, data->sizes[g.axis], &from[g.axis])) {
            tensor_copy_element(out, o, data, from);
        } else { /* GATHER_BEYOND */
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
            if (d->op->undefined)
                openvino_stray(unspecified, OUT, tensor_number(out, o));
        }
    } while (tensor_next(out, o));
}
