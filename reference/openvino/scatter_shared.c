/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/scatter_shared.h"

#include <inttypes.h>

/* clang-format off */
enum { DATA, INDICES, UPDATES, OUT };
const ts_tensor_decl openvino_scatter_tensors[4] = {
    { "data",    "data",    TS_INPUT,  false },
    { "indices", "indices", TS_INPUT,  false },
    { "updates", "updates", TS_INPUT,  false },
    { "output",  "out",     TS_OUTPUT, false },
};
static const int64_t axes[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
const ts_ir_list openvino_scatter_ir_axis = { "axis", axes, sizeof axes / sizeof axes[0], NULL };
/* clang-format on */

const char *openvino_scatter_clause(const ts_descriptor *d, unsigned place)
{
    return d->op->clauses[place].id;
}

/* ScatterNDUpdate: the indices of a tuple, and the rest of data behind them. */
static bool place_tuples(const ts_descriptor *d, openvino_scatter *s, ts_report *report)
{
    const uint32_t rank = d->tensors[DATA].rank, array = d->tensors[INDICES].rank - 1;
    const uint64_t tuple = d->tensors[INDICES].sizes[array];
    if (tuple > rank) {
        operator_violate(report, openvino_scatter_clause(d, SCATTER_TUPLE), TS_RESULT_INVALID, INDICES, (int)array,
                         "a tuple of %" PRIu64 " indices is too long for data of rank %u", tuple, rank);
        return false;
    }
    *s = (openvino_scatter){ .tuple = (uint32_t)tuple, .array = array, .block = rank - (uint32_t)tuple };
    return true;
}

bool openvino_scatter_place(const ts_descriptor *d, openvino_scatter *s, ts_report *report)
{
    const uint32_t array = d->tensors[INDICES].rank;
    const int64_t rank = d->tensors[DATA].rank;
    const bool beside = d->op->clause_count > SCATTER_SIZES;
    if (d->op->attr_count == 0)
        return place_tuples(d, s, report);
    const int64_t axis = operator_attr_value(d, 0, 0);
    if (axis < -rank || axis >= rank) {
        operator_violate(report, openvino_scatter_clause(d, SCATTER_AXIS), TS_RESULT_INVALID, DATA, -1,
                         "axis = %" PRId64 " is not within -%" PRId64 " to %" PRId64 ", as data has rank %" PRId64,
                         axis, rank, rank - 1, rank);
        return false;
    }
    if (beside && array != rank) {
        operator_violate(report, openvino_scatter_clause(d, SCATTER_SIZES), TS_RESULT_INVALID, INDICES, -1,
                         "indices have %u dimensions, and data has %" PRId64, array, rank);
        return false;
    }
    *s = (openvino_scatter){
        .axis = (uint32_t)(axis < 0 ? axis + rank : axis), .tuple = 1, .array = array, .beside = beside
    };
    s->block = beside ? 0 : (uint32_t)rank - 1 - s->axis;
    return true;
}

void openvino_scatter_updates(const ts_descriptor *d, const openvino_scatter *s, uint32_t *rank,
                              uint64_t sizes[TS_MAX_DIMS])
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    const uint32_t axis = s->beside ? 0 : s->axis;
    memcpy(sizes, data->sizes, axis * sizeof *sizes);
    memcpy(sizes + axis, indices->sizes, s->array * sizeof *sizes);
    memcpy(sizes + axis + s->array, data->sizes + data->rank - s->block, s->block * sizeof *sizes);
    *rank = axis + s->array + s->block;
}

/* SCATTER_DIMS: has a tensor dimensions that are judged? */
static bool check_dims(const ts_descriptor *d, unsigned tensor, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *clause = openvino_scatter_clause(d, SCATTER_DIMS), *name = d->op->tensors[tensor].name;
    if (t->rank < d->op->support->tensors[tensor].min_dims) {
        operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, -1, "%s: no dimension, expected at least 1",
                         name);
        return false;
    }
    if (t->rank > OPENVINO_SCATTER_MOST_DIMS) {
        operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, (int)tensor, -1,
                         "%s: %u dimensions; Touchstone judges up to %d", name, t->rank, OPENVINO_SCATTER_MOST_DIMS);
        return false;
    }
    for (uint32_t i = 0; i < t->rank; ++i) {
        if (t->sizes[i] > INT64_MAX) {
            operator_violate(report, clause, TS_RESULT_UNSUPPORTED_FL, (int)tensor, (int)i,
                             "%s: dimension %u = %" PRIu64 " exceeds 2^63 - 1", name, i, t->sizes[i]);
            return false;
        }
    }
    return true;
}

static void expect_shape(const ts_descriptor *d, unsigned tensor, unsigned place, uint32_t rank, const uint64_t *sizes,
                         ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    const char *clause = openvino_scatter_clause(d, place), *name = d->op->tensors[tensor].name;
    if (t->rank != rank) {
        operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, -1, "%s: %u dimensions, expected %u", name,
                         t->rank, rank);
        return;
    }
    for (uint32_t i = 0; i < rank; ++i)
        if (t->sizes[i] != sizes[i])
            operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, (int)i,
                             "%s: dimension %u = %" PRIu64 ", expected %" PRIu64, name, i, t->sizes[i], sizes[i]);
}

/* SCATTER_SIZES: no size of the indices exceeds that of data. */
static void check_fits(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA], *indices = &d->tensors[INDICES];
    for (uint32_t i = 0; i < data->rank; ++i)
        if (indices->sizes[i] > data->sizes[i])
            operator_violate(report, openvino_scatter_clause(d, SCATTER_SIZES), TS_RESULT_INVALID, INDICES, (int)i,
                             "indices: dimension %u = %" PRIu64 " exceeds that of data, %" PRIu64, i, indices->sizes[i],
                             data->sizes[i]);
}

/* Is it a single element, in any number of dimensions? */
static bool is_single(const ts_tensor *t)
{
    uint64_t count = 0;
    return tensor_element_count(t, &count) && count == 1;
}

void openvino_scatter_check(const ts_descriptor *d, ts_report *report)
{
    const ts_tensor *data = &d->tensors[DATA];
    const char *given = openvino_scatter_clause(d, SCATTER_GIVEN), *type = openvino_scatter_clause(d, SCATTER_TYPE);
    const char *types[] = { type, openvino_scatter_clause(d, SCATTER_INDEX_TYPE), type, type };
    openvino_scatter s;
    uint64_t sizes[TS_MAX_DIMS];
    uint32_t rank;
    for (unsigned i = DATA; i <= OUT; ++i)
        if (i != INDICES && d->tensors[i].dtype == TS_BOOLEAN)
            types[i] = openvino_scatter_clause(d, SCATTER_BOOLEAN);
    operator_check_support(d, report, given, (const char *[]){ NULL, NULL, NULL, NULL }, types);
    if (!operator_check_given(d, report, given))
        return;
    for (unsigned i = DATA; i <= OUT; ++i) {
        if ((d->tensors[i].given & TS_GIVEN_ALL) != TS_GIVEN_ALL) {
            operator_violate(report, given, TS_RESULT_INVALID, (int)i, -1, "%s: no shape", d->op->tensors[i].name);
            return;
        }
        openvino_check_bytes(d, i, openvino_scatter_clause(d, SCATTER_BYTES), report);
        if (i >= UPDATES && d->tensors[i].dtype != data->dtype)
            operator_violate(report, type, TS_RESULT_INVALID, (int)i, -1, "%s: type %s, but data has %s",
                             d->op->tensors[i].name, operator_dtype_name(d->op, d->tensors[i].dtype),
                             operator_dtype_name(d->op, data->dtype));
    }
    if (!check_dims(d, DATA, report))
        return;
    expect_shape(d, OUT, SCATTER_OUTPUT, data->rank, data->sizes, report);
    if (!check_dims(d, INDICES, report) || !openvino_scatter_place(d, &s, report))
        return;
    if (s.beside)
        check_fits(d, report);
    openvino_scatter_updates(d, &s, &rank, sizes);
    if (rank > 0 || d->op->attr_count > 0 || !is_single(&d->tensors[UPDATES]))
        expect_shape(d, UPDATES, SCATTER_UPDATES, rank, sizes, report);
}

bool openvino_scatter_shape(ts_descriptor *d)
{
    const ts_tensor *data = &d->tensors[DATA];
    ts_tensor *out = &d->tensors[OUT];
    if (!check_dims(d, DATA, NULL))
        return false;
    out->rank = data->rank;
    memcpy(out->sizes, data->sizes, data->rank * sizeof *data->sizes);
    return true;
}

bool openvino_scatter_target(const ts_descriptor *d, const openvino_scatter *s, openvino_selection *selects,
                             const uint64_t *u, uint64_t *to, uint64_t *index)
{
    const ts_tensor *out = &d->tensors[OUT];
    const uint32_t axis = s->beside ? 0 : s->axis;
    bool inside = true, negative;
    memset(index, 0, TS_MAX_DIMS * sizeof *index);
    memcpy(index, u + axis, s->array * sizeof *index);
    memcpy(to, u, TS_MAX_DIMS * sizeof *to);
    for (uint32_t k = 0; k < s->tuple; ++k, ++index[s->array]) {
        const uint64_t stated = openvino_index(&d->tensors[INDICES], index, &negative);
        inside = selects(stated, negative, out->sizes[s->axis + k], &to[s->axis + k]) && inside;
    }
    index[s->array] = 0;
    memcpy(to + out->rank - s->block, u + axis + s->array, s->block * sizeof *to);
    return inside;
}

bool openvino_scatter_strays(const ts_descriptor *d, const openvino_scatter *s)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    uint64_t at[TS_MAX_DIMS] = { 0 }, count, place;
    bool inside = true, negative;
    if (!tensor_element_count(indices, &count) || count == 0)
        return false;
    do { /* at[s->array] is the number of the index in its tuple */
        const uint64_t stated = openvino_index(indices, at, &negative);
        inside = openvino_from_start(stated, negative, d->tensors[OUT].sizes[s->axis + at[s->array]], &place);
    } while (inside && tensor_next(indices, at));
    return !inside;
}

/* A tensor without its last `count` dimensions, which get the size 1: its elements are the first ones of its blocks. */
static ts_tensor firsts(const ts_tensor *t, uint32_t count)
{
    ts_tensor first = *t;
    for (uint32_t i = t->rank - count; i < t->rank; ++i)
        first.sizes[i] = 1;
    return first;
}

/* Several updates fall on the elements of the block of the output that begins at `to`. */
static void mark_block(const ts_descriptor *d, const openvino_scatter *s, const uint64_t *to,
                       ts_unspecified *unspecified)
{
    const ts_tensor *out = &d->tensors[OUT];
    ts_tensor block = *out;
    uint64_t o[TS_MAX_DIMS] = { 0 }, at[TS_MAX_DIMS];
    for (uint32_t i = 0; i < out->rank - s->block; ++i)
        block.sizes[i] = 1;
    do {
        memcpy(at, o, sizeof at);
        memcpy(at, to, (out->rank - s->block) * sizeof *to);
        operator_several(unspecified, OUT, tensor_number(out, at));
    } while (tensor_next(&block, o));
}

#define WINDOW 65536 /* blocks of the output whose updates are counted at once */

/* SCATTER_SEVERAL: mark the blocks on which several updates fall, of WINDOW blocks from number `first` on. */
static void mark_several(const ts_descriptor *d, const openvino_scatter *s, uint64_t first, ts_unspecified *unspecified)
{
    const ts_tensor updates = firsts(&d->tensors[UPDATES], s->block), blocks = firsts(&d->tensors[OUT], s->block);
    uint64_t u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    uint8_t count[WINDOW]; /* of the updates of each; 2: or more */
    memset(count, 0, sizeof count);
    do {
        openvino_scatter_target(d, s, openvino_from_start, u, to, index);
        const uint64_t number = tensor_number(&blocks, to);
        if (number < first || number - first >= WINDOW)
            continue;
        uint8_t *const seen = &count[number - first];
        if (*seen == 1)
            mark_block(d, s, to, unspecified);
        *seen = *seen ? 2 : 1;
    } while (tensor_next(&updates, u));
}

void openvino_scatter_run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *data = &d->tensors[DATA], *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    uint64_t o[TS_MAX_DIMS] = { 0 }, u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS], elements, count;
    openvino_scatter s;
    openvino_scatter_place(d, &s, NULL);
    const bool stray = openvino_scatter_strays(d, &s);
    if (stray && unspecified)
        unspecified->may_fail = true;
    if (!tensor_element_count(out, &elements) || elements == 0)
        return;
    do {
        tensor_copy_element(out, o, data, o);
        if (stray) /* SCATTER_BEYOND */
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
    } while (tensor_next(out, o));
    if (!tensor_element_count(updates, &count) || count == 0)
        return;
    do
        if (openvino_scatter_target(d, &s, openvino_from_start, u, to, index))
            tensor_copy_element(out, to, updates, u);
    while (tensor_next(updates, u));
    const ts_tensor blocks = firsts(out, s.block);
    if (!stray && tensor_element_count(&blocks, &count))
        for (uint64_t first = 0; first < count; first += WINDOW)
            mark_several(d, &s, first, unspecified);
}

void openvino_scatter_answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *allowed)
{
    uint64_t u[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], to[TS_MAX_DIMS], index[TS_MAX_DIMS], count;
    bool updated = false;
    openvino_scatter s;
    (void)tensor; /* there is one output */
    openvino_scatter_place(d, &s, NULL);
    if (d->op->attr_count == 0) /* SN3-09 */
        operator_allow_bits(allowed, allowed->asked);
    const uint32_t begin = d->tensors[OUT].rank - s.block, head = d->tensors[UPDATES].rank - s.block;
    const ts_tensor updates = firsts(&d->tensors[UPDATES], s.block);
    if (tensor_element_count(&updates, &count) && count > 0)
        do {
            if (!openvino_scatter_target(d, &s, openvino_from_start, u, to, index) ||
                memcmp(to, coord, begin * sizeof *to) != 0)
                continue;
            memcpy(from, u, sizeof from);
            memcpy(from + head, coord + begin, s.block * sizeof *from);
            operator_allow(allowed, &d->tensors[UPDATES], from);
            updated = true;
        } while (tensor_next(&updates, u));
    if (!updated)
        operator_allow(allowed, &d->tensors[DATA], coord);
}
