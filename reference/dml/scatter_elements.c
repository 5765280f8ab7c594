/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_elements.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

#include <inttypes.h>

#define PAGE "DML_SCATTER_OPERATOR_DESC"

/* scatter_elements_suggest.c */
ts_suggest dml_scatter_elements_suggest_type, dml_scatter_elements_suggest_axis, dml_scatter_elements_suggest_indices,
    dml_scatter_elements_suggest_count, dml_scatter_elements_suggest_updates;

/* clang-format off */
enum { IN, INDICES, UPDATES, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",   "in",      TS_INPUT,  false },
    { "IndicesTensor", "indices", TS_INPUT,  false },
    { "UpdatesTensor", "updates", TS_INPUT,  false },
    { "OutputTensor",  "out",     TS_OUTPUT, false },
};

static const ts_attr_decl attrs[] = {
    { "Axis", "axis", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_scatter_elements, Axis), .capacity = 1 },
};

#define UNSIGNED_32 TS_DTYPE_BIT(TS_UINT32)
#define INDEX_TYPES (TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_INT32) | \
                     TS_DTYPE_BIT(TS_UINT64) | TS_DTYPE_BIT(TS_UINT32))
#define ROW(level, least, most, types, index_types) \
    { level, { { least, most, types }, { least, most, index_types }, { least, most, types }, { least, most, types } } }
static const ts_support_row support[] = {
    ROW(TS_LEVEL_1_0, 4, 4, DML_FLOATS,   UNSIGNED_32),
    ROW(TS_LEVEL_2_1, 4, 4, DML_8_TYPES,  UNSIGNED_32),
    ROW(TS_LEVEL_3_0, 1, 8, DML_8_TYPES,  INDEX_TYPES),
    ROW(TS_LEVEL_4_1, 1, 8, DML_11_TYPES, INDEX_TYPES),
};

static const ts_clause clauses[] = {
    { "SE-01", "the operator exists from feature level 1_0 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "SE-02", "all tensors have the same DimensionCount D, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "SE-03", "InputTensor, UpdatesTensor and OutputTensor have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_elements_suggest_type },
    { "SE-04", "indices are UINT32; from feature level 3_0 on also INT32, UINT64 or INT64",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    { "SE-05", "Axis < D",
      PAGE, "Axis", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_elements_suggest_axis },
    { "SE-06", "IndicesTensor.Sizes[i] = InputTensor.Sizes[i] for every dimension i but Axis",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_elements_suggest_indices },
    { "SE-07", "UpdatesTensor.Sizes = IndicesTensor.Sizes",
      PAGE, "UpdatesTensor", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_elements_suggest_updates },
    { "SE-08", "OutputTensor.Sizes = InputTensor.Sizes",
      PAGE, "OutputTensor", TS_STATED, .result = TS_RESULT_INVALID },
    { "SE-09", "output = input; then output[i, j, ...], with the coordinate along Axis replaced by indices[i, j, ...], "
               "= updates[i, j, ...]",
      PAGE, "Description", TS_STATED, .result = TS_RESULT_NONE },
    { "SE-10", "an element on which several updates fall has the value of one of them, whichever it is",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "\"no guarantee of which last write wins\": one does; example 1 has such updates and a result" },
    { "SE-11", "a negative index counts from the end of the axis; unsigned ones never do",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_NONE },
    { "SE-12", "an index beyond the axis does not fail the call; the elements of the output are undefined then",
      PAGE, "IndicesTensor", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page has no sentence about indices beyond the axis" },
    { "SE-13", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page copies and overwrites elements; in Direct3D no move of data changes a bit" },
    { "SE-14", "IndicesTensor.Sizes[Axis] <= InputTensor.Sizes[Axis]",
      PAGE, "IndicesTensor", TS_OBSERVED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_elements_suggest_count,
      .ground = "the page bounds no size along Axis, but calls updates of one element invalid",
      .refused_by = "DirectML 1.15.4", .computes = true },
};
/* clang-format on */

/* SE-06 to SE-08 and SE-14; sizes of zero are BUF-06. */
static void check_sizes(const ts_descriptor *d, ts_report *report)
{
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    static const struct {
        const char *clause;
        unsigned tensor, like;
    } rules[] = { { "SE-06", INDICES, IN }, { "SE-07", UPDATES, INDICES }, { "SE-08", OUT, IN } };
    for (unsigned r = 0; r < sizeof rules / sizeof rules[0]; ++r)
        for (uint32_t i = 0; i < d->tensors[IN].rank; ++i) {
            const uint64_t size = d->tensors[rules[r].tensor].sizes[i], like = d->tensors[rules[r].like].sizes[i];
            if (size == like || size == 0 || like == 0 || (rules[r].tensor == INDICES && i == axis))
                continue;
            operator_violate(report, rules[r].clause, TS_RESULT_INVALID, (int)rules[r].tensor, (int)i,
                             "%s.Sizes[%u] = %" PRIu64 " differs from %s.Sizes[%u] = %" PRIu64,
                             tensors[rules[r].tensor].name, i, size, tensors[rules[r].like].name, i, like);
        }
    const uint64_t count = d->tensors[INDICES].sizes[axis], size = d->tensors[IN].sizes[axis];
    if (count > size && size != 0)
        operator_violate(report, "SE-14", TS_RESULT_INVALID, INDICES, (int)axis,
                         "IndicesTensor.Sizes[%u] = %" PRIu64 " exceeds InputTensor.Sizes[%u] = %" PRIu64
                         ", so that some updates fall on one element",
                         axis, count, axis, size);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis, dims = d->tensors[IN].rank;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const ts_tensor *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    bool comparable = dml_check_tensors(d, report, "SE-01", (const char *[]){ "SE-02", "SE-02", "SE-02", "SE-02" },
                                        (const char *[]){ "SE-03", "SE-04", "SE-03", "SE-03" });
    if (!operator_check_given(d, report, "SE-01") || !comparable)
        return;
    for (unsigned t = UPDATES; t <= OUT; ++t)
        if (d->tensors[t].dtype != in->dtype)
            operator_violate(report, "SE-03", TS_RESULT_INVALID, (int)t, -1,
                             "%s.DataType = %s differs from InputTensor.DataType = %s", tensors[t].name,
                             operator_dtype_name(d->op, d->tensors[t].dtype), operator_dtype_name(d->op, in->dtype));
    if (indices->rank != dims || updates->rank != dims || out->rank != dims) {
        operator_violate(report, "SE-02", TS_RESULT_INVALID, -1, -1,
                         "the DimensionCounts of InputTensor, IndicesTensor, UpdatesTensor and OutputTensor differ: "
                         "%u, %u, %u, %u",
                         dims, indices->rank, updates->rank, out->rank);
        return;
    }
    if (dims < 1 || dims > TS_MAX_DIMS)
        return; /* BUF-05 */
    if (axis >= dims)
        operator_violate(report, "SE-05", TS_RESULT_INVALID, OUT, -1, "Axis = %u is not below DimensionCount = %u",
                         axis, dims);
    else
        check_sizes(d, report);
}

static bool shape(ts_descriptor *d)
{
    const ts_tensor *in = &d->tensors[IN];
    ts_tensor *out = &d->tensors[OUT];
    if (in->rank < 1 || in->rank > TS_MAX_DIMS)
        return false;
    out->rank = in->rank;
    memcpy(out->sizes, in->sizes, in->rank * sizeof out->sizes[0]);
    return true;
}

/* SE-12: is an index beyond the axis? */
static bool strays(const ts_descriptor *d)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    const uint64_t size = d->tensors[OUT].sizes[TS_ATTRS(ts_dml_scatter_elements, d)->Axis];
    uint64_t at[TS_MAX_DIMS] = { 0 };
    bool inside;
    do
        dml_index(indices, at, size, &inside);
    while (inside && tensor_next(indices, at));
    return !inside;
}

#define WINDOW 65536 /* elements of a line whose updates are counted at once */

/* Write the updates that fall on `size` elements of a line along the axis, from `first` on: the last one for each. The
   coordinates of the line are those of `line` but for the axis. */
static void update(const ts_descriptor *d, const uint64_t *line, uint64_t first, uint64_t size, ts_unspecified *open)
{
    const ts_tensor *indices = &d->tensors[INDICES], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    uint64_t at[TS_MAX_DIMS], to[TS_MAX_DIMS];
    uint8_t updates[WINDOW]; /* of each element; 2: or more */
    memcpy(at, line, sizeof at);
    memcpy(to, line, sizeof to);
    memset(updates, 0, size);
    for (at[axis] = 0; at[axis] < indices->sizes[axis]; ++at[axis]) {
        bool inside;
        to[axis] = dml_index(indices, at, out->sizes[axis], &inside);
        if (!inside || to[axis] < first || to[axis] - first >= size)
            continue;
        tensor_copy_element(out, to, &d->tensors[UPDATES], at);
        uint8_t *const seen = &updates[to[axis] - first];
        if (*seen == 1)
            operator_several(open, OUT, tensor_number(out, to));
        *seen = *seen ? 2 : 1;
    }
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    uint64_t o[TS_MAX_DIMS] = { 0 };
    const bool undefined = strays(d);
    do {
        tensor_copy_element(out, o, in, o);
        if (undefined)
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
    } while (tensor_next(out, o));
    do {
        if (o[axis] % WINDOW != 0)
            continue;
        const uint64_t left = out->sizes[axis] - o[axis];
        update(d, o, o[axis], left < WINDOW ? left : WINDOW, undefined ? NULL : unspecified);
    } while (tensor_next(out, o));
}

static void answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *allowed)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    const uint32_t axis = TS_ATTRS(ts_dml_scatter_elements, d)->Axis;
    uint64_t at[TS_MAX_DIMS];
    bool updated = false;
    (void)tensor; /* there is one output */
    memcpy(at, coord, sizeof at);
    for (at[axis] = 0; at[axis] < indices->sizes[axis]; ++at[axis]) {
        bool inside;
        if (dml_index(indices, at, d->tensors[IN].sizes[axis], &inside) != coord[axis] || !inside)
            continue;
        operator_allow(allowed, &d->tensors[UPDATES], at);
        updated = true;
    }
    if (!updated)
        operator_allow(allowed, &d->tensors[IN], coord);
}

ts_explain dml_scatter_elements_explain; /* scatter_elements_explain.c */

const ts_operator operator_dml_scatter_elements = {
    .name = "dml.scatter_elements",
    .title = "DML_SCATTER_ELEMENTS_OPERATOR_DESC",
    .other_title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_scatter_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_scatter_elements),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "SE-09",
    .copy_clause = "SE-13",
    .index_clause = "SE-11",
    .accepts_several = "SE-10",
    .shape_clause = "SE-08",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .undefined = "E-SE-3",
    .several = "E-SE-2",
    .copied = 1u << IN | 1u << UPDATES,
    .interpretation_count = DML_SCATTER_ELEMENTS_INTERPRETATIONS,
    .interpretations = dml_scatter_elements_interpretations,
    .check = check,
    .shape = shape,
    .run = run,
    .answers = answers,
    .explain = dml_scatter_elements_explain,
};
