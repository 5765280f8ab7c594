/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_nd_shared.h"

#include <inttypes.h>

/* clang-format off */
enum { DATA, INDICES, OUT };
const ts_tensor_decl openvino_gather_nd_tensors[3] = {
    { "data",    "data",    TS_INPUT,  false },
    { "indices", "indices", TS_INPUT,  false },
    { "output",  "out",     TS_OUTPUT, false },
};

const ts_attr_decl openvino_gather_nd_attrs[1] = {
    { "batch_dims", "batch_dims", TS_ATTR_I64, TS_SCALAR, .offset = 0, .capacity = 1, .optional = true },
};

#define MOST_DIMS OPENVINO_GATHER_ND_MOST_DIMS
const ts_support_row openvino_gather_nd_support = {
    0, { { 1, MOST_DIMS, OPENVINO_TYPES }, { 1, MOST_DIMS, OPENVINO_INTEGER_TYPES },
         { 0, 2 * MOST_DIMS - 2, OPENVINO_TYPES } },
};
/* clang-format on */

const char *openvino_gather_nd_clause(const ts_descriptor *d, unsigned place)
{
    return d->op->clauses[place].id;
}

bool openvino_gather_nd_place(const ts_descriptor *d, openvino_gather_nd *n, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const int64_t batch = operator_attr_value(d, 0, 0);
    const uint32_t most = data->rank < indices->rank ? data->rank : indices->rank;
    const uint64_t tuple = indices->sizes[indices->rank - 1];
    if (batch < 0 || batch >= most) {
        operator_violate(report, openvino_gather_nd_clause(d, ND_BATCH), TS_RESULT_INVALID, -1, -1,
                         "batch_dims = %" PRId64 " is not within 0 to %u, below the ranks of data and indices", batch,
                         most - 1);
        return false;
    }
    n->batch = (uint32_t)batch;
    if (tuple < 1) {
        operator_violate(report, openvino_gather_nd_clause(d, ND_HAS_INDEX), TS_RESULT_INVALID, INDICES,
                         (int)indices->rank - 1, "a tuple has no index");
        return false;
    }
    if (tuple > data->rank - n->batch) {
        operator_violate(report, openvino_gather_nd_clause(d, ND_TUPLE), TS_RESULT_INVALID, INDICES,
                         (int)indices->rank - 1, "a tuple has %" PRIu64 " indices, for %u dimensions of data", tuple,
                         data->rank - n->batch);
        return false;
    }
    n->tuple = (uint32_t)tuple;
    n->flat = d->op == &operator_openvino_gather_nd_5;
    return true;
}

uint64_t openvino_gather_nd_batches(const ts_descriptor *d, uint32_t i)
{
    const uint64_t size = d->tensors[INDICES].sizes[i];
    return size == 1 ? d->tensors[DATA].sizes[i] : size;
}

bool openvino_gather_nd_sizes(const ts_descriptor *d, const openvino_gather_nd *n, uint32_t *rank, uint64_t *sizes)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    bool fits = true;
    *rank = 0;
    for (uint32_t i = 0; i + 1 < indices->rank; ++i) {
        const uint64_t size = i < n->batch ? openvino_gather_nd_batches(d, i) : indices->sizes[i];
        if (n->flat && i > 0 && i < n->batch)
            fits = !__builtin_mul_overflow(sizes[0], size, &sizes[0]) && fits;
        else
            sizes[(*rank)++] = size;
    }
    for (uint32_t i = n->batch + n->tuple; i < data->rank; ++i)
        sizes[(*rank)++] = data->sizes[i];
    return fits;
}

static void check_batches(const ts_descriptor *d, const openvino_gather_nd *n, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    for (uint32_t i = 0; i < n->batch; ++i)
        if (indices->sizes[i] != data->sizes[i] && indices->sizes[i] != 1 && data->sizes[i] != 1)
            operator_violate(report, openvino_gather_nd_clause(d, ND_BATCH_SIZES), TS_RESULT_INVALID, INDICES, (int)i,
                             "dimension %u is a batch, and has the size %" PRIu64 " in indices and %" PRIu64
                             " in data, of which none is 1",
                             i, indices->sizes[i], data->sizes[i]);
}

static void check_output(const ts_descriptor *d, const openvino_gather_nd *n, ts_report *report)
{
    const ts_tensor *out = &d->tensors[OUT];
    const char *clause = openvino_gather_nd_clause(d, ND_SHAPE);
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t rank;
    if (!openvino_gather_nd_sizes(d, n, &rank, sizes)) {
        operator_violate(report, openvino_gather_nd_clause(d, ND_DIMS), TS_RESULT_UNSUPPORTED_FL, INDICES, -1,
                         "the batches are more than 2^64 - 1");
        return;
    }
    if (out->rank != rank) {
        operator_violate(report, clause, TS_RESULT_INVALID, OUT, -1, "output has %u dimensions, expected %u", out->rank,
                         rank);
        return;
    }
    for (uint32_t o = 0; o < rank; ++o)
        if (out->sizes[o] != sizes[o])
            operator_violate(report, clause, TS_RESULT_INVALID, OUT, (int)o,
                             "output's dimension %u = %" PRIu64 ", expected %" PRIu64, o, out->sizes[o], sizes[o]);
}

void openvino_gather_nd_check(const ts_descriptor *d, ts_report *report)
{
    const char *given = openvino_gather_nd_clause(d, ND_GIVEN), *type = openvino_gather_nd_clause(d, ND_TYPE);
    const char *dims = openvino_gather_nd_clause(d, ND_DIMS);
    openvino_gather_nd n;
    operator_check_support(d, report, given, (const char *[]){ NULL, NULL, NULL },
                           (const char *[]){ type, openvino_gather_nd_clause(d, ND_INDEX_TYPE), type });
    if (!operator_check_given(d, report, given) ||
        !openvino_check_tensors(d, given, openvino_gather_nd_clause(d, ND_BYTES), report))
        return;
    openvino_check_same_type(d, OUT, type, report);
    if (!openvino_check_dims(d, DATA, 1, MOST_DIMS, dims, report) ||
        !openvino_check_dims(d, INDICES, 1, MOST_DIMS, dims, report) || !openvino_gather_nd_place(d, &n, report))
        return;
    check_batches(d, &n, report);
    check_output(d, &n, report);
}

bool openvino_gather_nd_shape(ts_descriptor *d)
{
    ts_tensor *out = &d->tensors[OUT];
    openvino_gather_nd n;
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t rank;
    if (!openvino_check_dims(d, DATA, 1, MOST_DIMS, NULL, NULL) ||
        !openvino_check_dims(d, INDICES, 1, MOST_DIMS, NULL, NULL) || !openvino_gather_nd_place(d, &n, NULL) ||
        !openvino_gather_nd_sizes(d, &n, &rank, sizes))
        return false;
    out->rank = rank;
    memcpy(out->sizes, sizes, rank * sizeof sizes[0]);
    return true;
}

void openvino_gather_nd_trace(const ts_descriptor *d, const openvino_gather_nd *n, const uint64_t *o, uint64_t *from,
                              uint64_t *index)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    uint32_t at = n->batch; /* the dimension of output behind the batches */
    memcpy(from, o, n->batch * sizeof *o);
    if (n->flat && n->batch > 0) {
        uint64_t number = o[0]; /* of the batch, in row-major order */
        for (uint32_t i = n->batch; i > 0; --i) {
            const uint64_t size = openvino_gather_nd_batches(d, i - 1);
            from[i - 1] = number % size;
            number /= size;
        }
        at = 1;
    }
    for (uint32_t i = 0; i < n->batch; ++i) { /* ND_BROADCAST */
        index[i] = indices->sizes[i] == 1 ? 0 : from[i];
        from[i] = data->sizes[i] == 1 ? 0 : from[i];
    }
    for (uint32_t i = n->batch; i + 1 < indices->rank; ++i)
        index[i] = o[at++];
    index[indices->rank - 1] = 0;
    for (uint32_t i = n->batch + n->tuple; i < data->rank; ++i)
        from[i] = o[at++];
}

bool openvino_gather_nd_selects(const ts_descriptor *d, const uint64_t *index, uint64_t n, uint64_t *at)
{
    bool negative;
    const uint64_t stated = openvino_index(&d->tensors[INDICES], index, &negative);
    openvino_selection *const selects =
        d->op == &operator_openvino_gather_nd_5 ? openvino_from_start : openvino_from_either_end; /* ND_NEGATIVE */
    return selects(stated, negative, n, at);
}

void openvino_gather_nd_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], index[TS_MAX_DIMS], elements;
    openvino_gather_nd n;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    openvino_gather_nd_place(d, &n, NULL);
    do {
        bool inside = true;
        openvino_gather_nd_trace(d, &n, o, from, index);
        for (uint32_t k = 0; k < n.tuple; ++k) {
            index[indices->rank - 1] = k;
            inside = openvino_gather_nd_selects(d, index, data->sizes[n.batch + k], &from[n.batch + k]) && inside;
        }
        if (inside) {
            tensor_copy_element(out, o, data, from);
        } else { /* ND_BEYOND */
            memset(tensor_at(out, o), 0, tensor_element_bytes(out->dtype));
            openvino_stray(unspecified, OUT, tensor_number(out, o));
        }
    } while (tensor_next(out, o));
}
