/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/dml/space_to_depth1.h"
#include "harness/model/suggest.h"
#include "reference/dml.h"

#include <inttypes.h>

#define PAGE "DML_SPACE_TO_DEPTH1_OPERATOR_DESC"

ts_suggest dml_space_to_depth1_suggest_order, dml_space_to_depth1_suggest_block; /* space_to_depth1_suggest.c */

/* clang-format off */
enum { IN, OUT };
static const ts_tensor_decl tensors[] = {
    { "InputTensor",  "in",  TS_INPUT,  false },
    { "OutputTensor", "out", TS_OUTPUT, false },
};

static const char *const orders[] = {
    "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW", "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH", NULL
};
static const ts_attr_decl attrs[] = {
    { "BlockSize", "block", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_space_to_depth1, BlockSize),
      .capacity = 1 },
    { "Order",     "order", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_space_to_depth1, Order),
      .capacity = 1, .names = orders },
};

static const ts_support_row support[] = {
    { TS_LEVEL_2_1, { { 4, 4, DML_8_TYPES },  { 4, 4, DML_8_TYPES } } },
    { TS_LEVEL_5_0, { { 4, 4, DML_11_TYPES }, { 4, 4, DML_11_TYPES } } },
};

static const ts_clause clauses[] = {
    { "SD1-01", "the operator exists from feature level 2_1 on; no pointer is null",
      PAGE, "Availability", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not" },
    { "SD1-02", "both tensors have the same DataType, one of the feature level's row",
      PAGE, "Tensor constraints", TS_STATED, .result = TS_RESULT_INVALID,
      .suggest = suggest_same_type },
    { "SD1-03", "both tensors have 4 dimensions: { Batch, Channels, Height, Width }",
      PAGE, "Tensor support", TS_STATED, .result = TS_RESULT_INVALID },
    { "SD1-04", "Order is DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW or DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH",
      PAGE, "Order", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_space_to_depth1_suggest_order,
      .ground = "DML_DEPTH_SPACE_ORDER, to which the page refers, has these two values" },
    { "SD1-05", "BlockSize >= 1",
      PAGE, "BlockSize", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_space_to_depth1_suggest_block,
      .ground = "a BlockSize of 0 gives sizes of 0, which DML_BUFFER_TENSOR_DESC forbids" },
    { "SD1-06", "BlockSize divides the Height and the Width of InputTensor",
      PAGE, "InputTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .suggest = dml_space_to_depth1_suggest_block,
      .ground = "DML_DEPTH_SPACE_ORDER makes the input's (Height, BlockHeight) and (Width, BlockWidth) whole blocks" },
    { "SD1-07", "OutputTensor.Sizes = { Batch, Channels * BlockSize * BlockSize, Height / BlockSize, "
                "Width / BlockSize } of InputTensor",
      PAGE, "OutputTensor", TS_IMPLIED, .result = TS_RESULT_INVALID,
      .ground = "examples 1 and 2 have these sizes, and not those that the page prints" },
    { "SD1-08", "Output[n, k, h, w] = Input[n, c, h * BlockSize + y, w * BlockSize + x], 0 <= y, x < BlockSize; "
                "k = (y * BlockSize + x) * Channels + c, of COLUMN_ROW_DEPTH (c * BlockSize + y) * BlockSize + x",
      PAGE, "Order", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the layouts of DML_DEPTH_SPACE_ORDER, and examples 1 and 2" },
    { "SD1-09", "elements are copied bit for bit",
      PAGE, "Description", TS_IMPLIED, .result = TS_RESULT_NONE,
      .ground = "the page rearranges elements, and speaks of a copy; in Direct3D no move of data changes a bit" },
};
/* clang-format on */

enum { BATCH, CHANNELS, HEIGHT, WIDTH, DIMS };

static void expect_size(const ts_descriptor *d, ts_report *report, unsigned axis, bool right, const char *expected)
{
    if (!right && d->tensors[IN].sizes[axis] != 0 && d->tensors[OUT].sizes[axis] != 0) /* zeros are BUF-06 */
        operator_violate(report, "SD1-07", TS_RESULT_INVALID, OUT, (int)axis,
                         "OutputTensor.Sizes[%u] = %" PRIu64 " is not InputTensor.Sizes[%u]%s, with "
                         "InputTensor.Sizes[%u] = %" PRIu64 " and BlockSize = %u",
                         axis, d->tensors[OUT].sizes[axis], axis, expected, axis, d->tensors[IN].sizes[axis],
                         TS_ATTRS(ts_dml_space_to_depth1, d)->BlockSize);
}

static void check_sizes(const ts_descriptor *d, ts_report *report)
{
    const uint64_t block = TS_ATTRS(ts_dml_space_to_depth1, d)->BlockSize, area = block * block;
    const uint64_t *in = d->tensors[IN].sizes, *out = d->tensors[OUT].sizes;
    expect_size(d, report, BATCH, out[BATCH] == in[BATCH], "");
    /* By division, because the product may need more than 64 bits. */
    expect_size(d, report, CHANNELS, out[CHANNELS] % area == 0 && out[CHANNELS] / area == in[CHANNELS],
                " * BlockSize * BlockSize");
    for (unsigned i = HEIGHT; i <= WIDTH; ++i) {
        if (in[i] % block != 0)
            operator_violate(report, "SD1-06", TS_RESULT_INVALID, IN, (int)i,
                             "BlockSize = %" PRIu64 " does not divide InputTensor.Sizes[%u] = %" PRIu64, block, i,
                             in[i]);
        else
            expect_size(d, report, i, out[i] == in[i] / block, " / BlockSize");
    }
}

static void check(const ts_descriptor *d, ts_report *report)
{
    const ts_dml_space_to_depth1 *a = TS_ATTRS(ts_dml_space_to_depth1, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    bool comparable = dml_check_tensors(d, report, "SD1-01", (const char *[]){ "SD1-03", "SD1-03" },
                                        (const char *[]){ "SD1-02", "SD1-02" });
    if (!operator_check_given(d, report, "SD1-01"))
        return;
    if (a->Order > TS_COLUMN_ROW_DEPTH)
        operator_violate(report, "SD1-04", TS_RESULT_INVALID, -1, -1,
                         "Order = %u is neither DEPTH_COLUMN_ROW = 0 nor COLUMN_ROW_DEPTH = 1", a->Order);
    if (a->BlockSize < 1)
        operator_violate(report, "SD1-05", TS_RESULT_INVALID, -1, -1, "BlockSize = 0");
    if (!comparable)
        return;
    if (out->dtype != in->dtype)
        operator_violate(report, "SD1-02", TS_RESULT_INVALID, OUT, -1,
                         "OutputTensor.DataType = %s differs from InputTensor.DataType = %s",
                         operator_dtype_name(d->op, out->dtype), operator_dtype_name(d->op, in->dtype));
    if (in->rank == DIMS && out->rank == DIMS && a->BlockSize >= 1)
        check_sizes(d, report);
}

static bool shape(ts_descriptor *d)
{
    const uint64_t block = TS_ATTRS(ts_dml_space_to_depth1, d)->BlockSize, area = block * block;
    const ts_tensor *in = &d->tensors[IN];
    ts_tensor *out = &d->tensors[OUT];
    if (in->rank != DIMS || block < 1 || in->sizes[HEIGHT] % block != 0 || in->sizes[WIDTH] % block != 0 ||
        in->sizes[CHANNELS] > UINT64_MAX / area)
        return false;
    out->rank = DIMS;
    out->sizes[BATCH] = in->sizes[BATCH];
    out->sizes[CHANNELS] = in->sizes[CHANNELS] * area;
    out->sizes[HEIGHT] = in->sizes[HEIGHT] / block;
    out->sizes[WIDTH] = in->sizes[WIDTH] / block;
    return true;
}

static void run(const ts_descriptor *d, ts_unspecified *unspecified)
{
    const ts_dml_space_to_depth1 *a = TS_ATTRS(ts_dml_space_to_depth1, d);
    const ts_tensor *in = &d->tensors[IN], *out = &d->tensors[OUT];
    const uint64_t block = a->BlockSize, channels = in->sizes[CHANNELS];
    uint64_t i[TS_MAX_DIMS] = { 0 }, o[TS_MAX_DIMS];
    (void)unspecified; /* every element is defined */
    do {
        const uint64_t c = i[CHANNELS], y = i[HEIGHT] % block, x = i[WIDTH] % block;
        o[BATCH] = i[BATCH];
        o[CHANNELS] = a->Order == TS_DEPTH_COLUMN_ROW ? (y * block + x) * channels + c : (c * block + y) * block + x;
        o[HEIGHT] = i[HEIGHT] / block;
        o[WIDTH] = i[WIDTH] / block;
        tensor_copy_element(out, o, in, i);
    } while (tensor_next(in, i));
}

ts_explain dml_space_to_depth1_explain; /* space_to_depth1_explain.c */

const ts_operator operator_dml_space_to_depth1 = {
    .name = "dml.space_to_depth1",
    .title = PAGE,
    .page = "https://learn.microsoft.com/windows/win32/api/directml/ns-directml-dml_space_to_depth1_operator_desc",
    .tensor_count = sizeof tensors / sizeof tensors[0],
    .tensors = tensors,
    .attr_count = sizeof attrs / sizeof attrs[0],
    .attrs = attrs,
    .attrs_size = sizeof(ts_dml_space_to_depth1),
    .support_count = sizeof support / sizeof support[0],
    .support = support,
    .clause_count = sizeof clauses / sizeof clauses[0],
    .clauses = clauses,
    .shared_count = DML_CLAUSE_COUNT,
    .shared = dml_clauses,
    .run_clause = "SD1-08",
    .copy_clause = "SD1-09",
    .shape_clause = "SD1-07",
    .write_clause = "BUF-19",
    .read_clause = "BUF-16",
    .check = check,
    .shape = shape,
    .run = run,
    .explain = dml_space_to_depth1_explain,
};
