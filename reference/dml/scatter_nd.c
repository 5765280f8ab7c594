/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/scatter_nd.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"
#include "reference/dml_index.h"
#include "reference/dml_interpretations.h"

#include <inttypes.h>

#define PAGE "DML_SCATTER_ND_OPERATOR_DESC"

/* scatter_nd_suggest.c */
ts_suggest dml_scatter_nd_suggest_type, dml_scatter_nd_suggest_input_count, dml_scatter_nd_suggest_indices_count,
    dml_scatter_nd_suggest_ones, dml_scatter_nd_suggest_tuple, dml_scatter_nd_suggest_updates;

/* clang-format off */
enum { IN, INDICES, UPDATES, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",   "in",      TS_INPUT,  false },
    { "IndicesTensor", "indices", TS_INPUT,  false },
    { "UpdatesTensor", "updates", TS_INPUT,  false },
    { "OutputTensor",  "out",     TS_OUTPUT, false },
};

#define FIELD(name) .offset = offsetof(ts_dml_scatter_nd, name)
static const ts_attr_decl attrs[] = {
    { "InputDimensionCount",   "input_dims",   TS_ATTR_U32, TS_SCALAR, FIELD(InputDimensionCount),   .capacity = 1 },
    { "IndicesDimensionCount", "indices_dims", TS_ATTR_U32, TS_SCALAR, FIELD(IndicesDimensionCount), .capacity = 1 },
};

#define UNSIGNED_32 TS_DTYPE_BIT(TS_UINT32)
#define INDEX_TYPES (TS_DTYPE_BIT(TS_INT64) | TS_DTYPE_BIT(TS_INT32) | \
                     TS_DTYPE_BIT(TS_UINT64) | TS_DTYPE_BIT(TS_UINT32))
#define ROW(level, least, most, types, index_types) \
    { level, { { least, most, types }, { least, most, index_types }, { least, most, types }, { least, most, types } } }
static const ts_support_row support[] = {
    ROW(TS_LEVEL_2_1, 4, 4, DML_8_TYPES,  UNSIGNED_32),
    ROW(TS_LEVEL_3_0, 1, 8, DML_8_TYPES,  INDEX_TYPES),
    ROW(TS_LEVEL_4_1, 1, 8, DML_11_TYPES, INDEX_TYPES),
};

static const ts_clause clauses[] = {
    { "SN-01", "the operator exists from feature level 2_1 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "SN-02", "all tensors have the same DimensionCount D, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_dims },
    { "SN-03", "InputTensor, UpdatesTensor and OutputTensor have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_type },
    { "SN-04", "indices are UINT32; from feature level 3_0 on also INT32, UINT64 or INT64",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    { "SN-05", "1 <= InputDimensionCount <= D",
      PAGE, "InputDimensionCount", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_input_count,
      .ground = "the printed sizes have 5 of 5; for 1 dimension, which the table allows, the range would be empty" },
    { "SN-06", "1 <= IndicesDimensionCount <= D",
      PAGE, "IndicesDimensionCount", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_indices_count,
      .ground = "the example needs 2 of 2; for 1 dimension, which the table allows, the range would be empty" },
    { "SN-07", "all InputTensor.Sizes before the last InputDimensionCount are 1",
      PAGE, "InputDimensionCount", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_ones,
      .ground = "\"irrelevant leading ones\" does not say what other sizes mean there",
      .computes = true },
    { "SN-08", "all IndicesTensor.Sizes before the last IndicesDimensionCount are 1",
      PAGE, "IndicesDimensionCount", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_ones,
      .ground = "\"irrelevant leading ones\" does not say what other sizes mean there",
      .computes = true },
    { "SN-09", "a tuple, the last size of IndicesTensor, has at most D indices",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_tuple },
    { "SN-10", "UpdatesTensor.Sizes = 1... ++ those of the array of tuples ++ those of InputTensor behind the tuple",
      PAGE, "UpdatesTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_updates,
      .ground = "the sizes that the page prints agree with this and not with its formula" },
    { "SN-11", "OutputTensor.Sizes = InputTensor.Sizes",
      PAGE, "OutputTensor", TS_STATED, .result = TS_RESULT_INVALID },
    { "SN-12", "output = input; then output[indices[i, ..., 0], indices[i, ..., 1], ..., j, ...] = updates[i, ..., j, ...]",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the example and the printed sizes leave one meaning of the pseudo-code's \"...\"" },
    { "SN-13", "an element on which several updates fall has the value of one of them, whichever it is",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "\"no guarantee of which last write wins\": one of them does" },
    { "SN-14", "a negative index counts from the end of its dimension; unsigned ones never do",
      PAGE, "IndicesTensor", TS_STATED, .result = TS_RESULT_NONE },
    { "SN-15", "an index beyond its dimension does not fail the call; the elements of the output are undefined then",
      PAGE, "IndicesTensor", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page has no sentence about indices beyond their dimension" },
    { "SN-16", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page copies and overwrites elements; in Direct3D no move of data changes a bit" },
    { "SN-17", "a tuple, the last size of IndicesTensor, has at most InputDimensionCount indices",
      PAGE, "IndicesTensor", TS_DECIDED, .result = TS_RESULT_INVALID,
      .suggest = dml_scatter_nd_suggest_tuple,
      .ground = "the page bounds a tuple by DimensionCount alone" },
    { "SN-18", "several updates of one element do not fail the call",
      PAGE, "Description", TS_DECIDED, .result = TS_RESULT_NONE,
      .ground = "the page calls such updates invalid, and no example has any" },
};
/* clang-format on */

bool dml_scatter_nd_updates_sizes(const ts_descriptor *d, uint64_t sizes[TS_MAX_DIMS])
{
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    const uint32_t dims = in->rank, tuple = (uint32_t)indices->sizes[dims - 1];
    const uint32_t count = a->IndicesDimensionCount - 1 + a->InputDimensionCount - tuple;
    uint32_t u = 0;
    if (count > dims)
        return false;
    while (u < dims - count)
        sizes[u++] = 1;
    for (uint32_t i = dims - a->IndicesDimensionCount; i < dims - 1; ++i)
        sizes[u++] = indices->sizes[i];
    for (uint32_t i = dims - a->InputDimensionCount + tuple; i < dims; ++i)
        sizes[u++] = in->sizes[i];
    return true;
}

/* The sizes of a tensor are these; sizes of zero are BUF-06. */
static void expect_sizes(const ts_descriptor *d, unsigned tensor, const uint64_t *sizes, const char *clause,
                         ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    for (uint32_t i = 0; i < t->rank; ++i)
        if (t->sizes[i] != sizes[i] && t->sizes[i] != 0 && sizes[i] != 0)
            operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, (int)i,
                             "%s.Sizes[%u] = %" PRIu64 ", expected %" PRIu64, tensors[tensor].name, i, t->sizes[i],
                             sizes[i]);
}

/* SN-07 and SN-08. */
static void expect_ones(const ts_descriptor *d, unsigned tensor, uint32_t count, const char *clause, ts_report *report)
{
    const ts_tensor *t = &d->tensors[tensor];
    for (uint32_t i = 0; i + count < t->rank; ++i)
        if (t->sizes[i] > 1)
            operator_violate(report, clause, TS_RESULT_INVALID, (int)tensor, (int)i,
                             "%s.Sizes[%u] = %" PRIu64 " is not 1, and only the last %u dimension%s",
                             tensors[tensor].name, i, t->sizes[i], count, count == 1 ? " counts" : "s count");
}

/* SN-05 to SN-11 and SN-17, of tensors of one legal number of dimensions. */
static void check_sizes(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    const uint32_t dims = d->tensors[IN].rank;
    const uint64_t tuple = d->tensors[INDICES].sizes[dims - 1];
    uint64_t sizes[TS_MAX_DIMS];
    const bool input_fits = a->InputDimensionCount >= 1 && a->InputDimensionCount <= dims;
    const bool indices_fit = a->IndicesDimensionCount >= 1 && a->IndicesDimensionCount <= dims;
    expect_sizes(d, OUT, d->tensors[IN].sizes, "SN-11", report);
    if (!input_fits)
        operator_violate(report, "SN-05", TS_RESULT_INVALID, IN, -1,
                         "InputDimensionCount = %u is not within 1 to DimensionCount = %u", a->InputDimensionCount,
                         dims);
    if (!indices_fit)
        operator_violate(report, "SN-06", TS_RESULT_INVALID, INDICES, -1,
                         "IndicesDimensionCount = %u is not within 1 to DimensionCount = %u", a->IndicesDimensionCount,
                         dims);
    if (!input_fits || !indices_fit)
        return;
    expect_ones(d, IN, a->InputDimensionCount, "SN-07", report);
    expect_ones(d, INDICES, a->IndicesDimensionCount, "SN-08", report);
    if (tuple > a->InputDimensionCount)
        operator_violate(report, tuple > dims ? "SN-09" : "SN-17", TS_RESULT_INVALID, INDICES, (int)dims - 1,
                         "a tuple of %" PRIu64 " indices is too long for the %u dimension%s of InputTensor that count",
                         tuple, a->InputDimensionCount, a->InputDimensionCount == 1 ? "" : "s");
    else if (tuple > 0 && !dml_scatter_nd_updates_sizes(d, sizes)) /* a size of zero is BUF-06 */
        operator_violate(report, "SN-10", TS_RESULT_INVALID, UPDATES, -1,
                         "UpdatesTensor needs %u dimensions for the array of tuples and %u for their blocks, and "
                         "DimensionCount is %u",
                         a->IndicesDimensionCount - 1, a->InputDimensionCount - (uint32_t)tuple, dims);
    else if (tuple > 0)
        expect_sizes(d, UPDATES, sizes, "SN-10", report);
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const uint32_t dims = d->tensors[IN].rank;
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const ts_tensor *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    bool comparable = dml_check_tensors(d, report, "SN-01", (const char *[]){ "SN-02", "SN-02", "SN-02", "SN-02" },
                                        (const char *[]){ "SN-03", "SN-04", "SN-03", "SN-03" });
    if (!operator_check_given(d, report, "SN-01") || !comparable)
        return;
    for (unsigned t = UPDATES; t <= OUT; ++t)
        if (d->tensors[t].dtype != in->dtype)
            operator_violate(report, "SN-03", TS_RESULT_INVALID, (int)t, -1,
                             "%s.DataType = %s differs from InputTensor.DataType = %s", tensors[t].name,
                             operator_dtype_name(d->op, d->tensors[t].dtype), operator_dtype_name(d->op, in->dtype));
    if (indices->rank != dims || updates->rank != dims || out->rank != dims) {
        operator_violate(report, "SN-02", TS_RESULT_INVALID, -1, -1,
                         "the DimensionCounts of InputTensor, IndicesTensor, UpdatesTensor and OutputTensor differ: "
                         "%u, %u, %u, %u",
                         dims, indices->rank, updates->rank, out->rank);
        return;
    }
    if (dims >= 1 && dims <= TS_MAX_DIMS) /* else BUF-05 */
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

uint32_t dml_scatter_nd_block(const ts_descriptor *d)
{
    const ts_tensor *indices = &d->tensors[INDICES];
    return TS_ATTRS(ts_dml_scatter_nd, d)->InputDimensionCount - (uint32_t)indices->sizes[indices->rank - 1];
}

bool dml_scatter_nd_target(const ts_descriptor *d, const uint64_t *u, uint64_t *to, uint64_t *index)
{
    const ts_dml_scatter_nd *a = TS_ATTRS(ts_dml_scatter_nd, d);
    const ts_tensor *in = &d->tensors[IN], *indices = &d->tensors[INDICES];
    const uint32_t dims = in->rank, array = a->IndicesDimensionCount - 1, block = dml_scatter_nd_block(d);
    bool inside = true;
    memset(to, 0, TS_MAX_DIMS * sizeof *to);
    memset(index, 0, TS_MAX_DIMS * sizeof *index);
    for (uint32_t i = 0; i < array; ++i)
        index[dims - 1 - array + i] = u[dims - block - array + i];
    for (uint32_t i = dims - a->InputDimensionCount; i < dims - block; ++i, ++index[dims - 1]) {
        bool fits;
        to[i] = dml_index(indices, index, in->sizes[i], &fits);
        inside = inside && fits;
    }
    index[dims - 1] = 0;
    for (uint32_t i = dims - block; i < dims; ++i)
        to[i] = u[i];
    return inside;
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
static void mark_block(const ts_descriptor *d, const uint64_t *to, ts_unspecified *unspecified)
{
    const ts_tensor *out = &d->tensors[OUT];
    const uint32_t begin = out->rank - dml_scatter_nd_block(d);
    ts_tensor block = *out;
    uint64_t o[TS_MAX_DIMS] = { 0 }, at[TS_MAX_DIMS];
    for (uint32_t i = 0; i < begin; ++i)
        block.sizes[i] = 1;
    do {
        memcpy(at, o, sizeof at);
        memcpy(at, to, begin * sizeof *to);
        operator_several(unspecified, OUT, tensor_number(out, at));
    } while (tensor_next(&block, o));
}

#define WINDOW 65536 /* blocks of the output whose updates are counted at once */

/* SN-13: mark the blocks on which several updates fall, of WINDOW blocks from number `first` on. */
static void mark_several(const ts_descriptor *d, uint64_t first, ts_unspecified *unspecified)
{
    const uint32_t block = dml_scatter_nd_block(d);
    const ts_tensor updates = firsts(&d->tensors[UPDATES], block), blocks = firsts(&d->tensors[OUT], block);
    uint64_t u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    uint8_t count[WINDOW]; /* of the updates of each; 2: or more */
    memset(count, 0, sizeof count);
    do {
        const uint64_t number = dml_scatter_nd_target(d, u, to, index) ? tensor_number(&blocks, to) : UINT64_MAX;
        if (number < first || number - first >= WINDOW)
            continue;
        uint8_t *const seen = &count[number - first];
        if (*seen == 1)
            mark_block(d, to, unspecified);
        *seen = *seen ? 2 : 1;
    } while (tensor_next(&updates, u));
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_tensor *in = &d->tensors[IN], *updates = &d->tensors[UPDATES], *out = &d->tensors[OUT];
    const ts_tensor blocks = firsts(out, dml_scatter_nd_block(d));
    uint64_t o[TS_MAX_DIMS] = { 0 }, u[TS_MAX_DIMS] = { 0 }, to[TS_MAX_DIMS], index[TS_MAX_DIMS], count = 0;
    bool inside = true;
    do
        tensor_copy_element(out, o, in, o);
    while (tensor_next(out, o));
    do {
        if (dml_scatter_nd_target(d, u, to, index))
            tensor_copy_element(out, to, updates, u);
        else
            inside = false; /* SN-15 */
    } while (tensor_next(updates, u));
    if (!inside) {
        do
            operator_unspecified(unspecified, OUT, tensor_number(out, o));
        while (tensor_next(out, o));
        return;
    }
    tensor_element_count(&blocks, &count);
    for (uint64_t first = 0; first < count; first += WINDOW)
        mark_several(d, first, unspecified);
}

static void answers(const ts_descriptor *d, unsigned tensor, const uint64_t *coord, ts_answers *allowed)
{
    const uint32_t block = dml_scatter_nd_block(d), begin = d->tensors[OUT].rank - block;
    const ts_tensor updates = firsts(&d->tensors[UPDATES], block);
    uint64_t u[TS_MAX_DIMS] = { 0 }, from[TS_MAX_DIMS], to[TS_MAX_DIMS], index[TS_MAX_DIMS];
    bool updated = false;
    (void)tensor; /* there is one output */
    do {
        if (!dml_scatter_nd_target(d, u, to, index) || memcmp(to, coord, begin * sizeof *to) != 0)
            continue;
        memcpy(from, u, sizeof from);
        memcpy(from + begin, coord + begin, block * sizeof *from);
        operator_allow(allowed, &d->tensors[UPDATES], from);
        updated = true;
    } while (tensor_next(&updates, u));
    if (!updated)
        operator_allow(allowed, &d->tensors[IN], coord);
}

ts_explain dml_scatter_nd_explain; /* scatter_nd_explain.c */

const ts_operator operator_dml_scatter_nd = {
    .name = "dml.scatter_nd",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_scatter_nd_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_scatter_nd),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "SN-12",
    .copy_clause = "SN-16",
    .index_clause = "SN-14",
    .shape_clause = "SN-11",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .undefined = "E-SN-5",
    .several = "E-SN-4",
    .copied = 1u << IN | 1u << UPDATES,
    .interpretation_count = DML_SCATTER_ND_INTERPRETATIONS,
    .interpretations = dml_scatter_nd_interpretations,
    .check = check,
    .shape = shape,
    .run = run,
    .answers = answers,
    .explain = dml_scatter_nd_explain,
};
