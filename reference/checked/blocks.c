/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of elements that become channels, and channels that become blocks. */
#include "reference/checked/source.h"
#include "reference/dml/blocks.h"

/* Elements in a plane of blocks have these parts of a coordinate; of those in channels, the channel has three. */
enum { BATCH, CHANNELS, HEIGHT, WIDTH };
typedef struct part {
    uint64_t channel, row, column; /* the latter two in the block */
} part;

static uint64_t block_of(const ts_descriptor *d)
{
    return TS_ATTRS(ts_dml_depth_to_space, d)->BlockSize;
}

/* The operators without Order have the order that their successors call DEPTH_COLUMN_ROW. */
static bool is_depth_first(const ts_descriptor *d)
{
    return d->op->attr_count == 1 || TS_ATTRS(ts_dml_depth_to_space1, d)->Order == TS_DEPTH_COLUMN_ROW;
}

/* The output has blocks. */
static void depth_source(const ts_descriptor *d, const uint64_t *to, uint64_t *from)
{
    const uint64_t block = block_of(d), channels = d->tensors[source_output(d->op)].sizes[CHANNELS];
    const part p = { to[CHANNELS], to[HEIGHT] % block, to[WIDTH] % block };
    from[BATCH] = to[BATCH];
    from[CHANNELS] = is_depth_first(d) ? (p.row * block + p.column) * channels + p.channel
                                       : (p.channel * block + p.row) * block + p.column;
    from[HEIGHT] = to[HEIGHT] / block;
    from[WIDTH] = to[WIDTH] / block;
}

/* The input has blocks. */
static void space_source(const ts_descriptor *d, const uint64_t *to, uint64_t *from)
{
    const uint64_t block = block_of(d), channels = d->tensors[SOURCE_INPUT].sizes[CHANNELS], depth = to[CHANNELS];
    const part p = is_depth_first(d)
                       ? (part){ depth % channels, depth / channels / block, depth / channels % block }
                       : (part){ depth / block / block, depth / block % block, depth % block };
    from[BATCH] = to[BATCH];
    from[CHANNELS] = p.channel;
    from[HEIGHT] = to[HEIGHT] * block + p.row;
    from[WIDTH] = to[WIDTH] * block + p.column;
}

/* clang-format off */

static const ts_tensor_decl tensors[] = {
    { "InputTensor",  "in",  TS_INPUT,  false },
    { "OutputTensor", "out", TS_OUTPUT, false },
};
static const ts_attr_decl attrs[] = {
    { "BlockSize", "block", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_depth_to_space, BlockSize),
      .capacity = 1 },
};
static const ts_attr_decl ordered_attrs[] = {
    { "BlockSize", "block", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_depth_to_space1, BlockSize),
      .capacity = 1 },
    { "Order",     "order", TS_ATTR_U32, TS_SCALAR, .offset = offsetof(ts_dml_depth_to_space1, Order),
      .capacity = 1, .names = checked_depth_space_order },
};
static const ts_support_row support[] = {
    { TS_LEVEL_1_0, { CHECKED_2({ 4, 4, DML_FLOATS }) } },
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 4, 4, DML_11_TYPES }) } },
};
static const ts_support_row ordered_support[] = {
    { TS_LEVEL_2_1, { CHECKED_2({ 4, 4, DML_8_TYPES }) } },
    { TS_LEVEL_5_0, { CHECKED_2({ 4, 4, DML_11_TYPES }) } },
};

/* The rules, where the channels of the input are parts of blocks, and where its height and width are whole blocks. A
   size of the input gets its name first. */
#define DEPTH_RULES(same, block, input, output) \
    { same, checked_same_type, .tensors = 0x3 }, \
    { block, checked_at_least, .attr = 0, .number = 1 }, \
    { input, checked_shape, .tensors = 0x1, .shape = "{ N, C*BlockSize*BlockSize, H, W }" }, \
    { output, checked_shape, .tensors = 0x2, .shape = "{ N, C, H*BlockSize, W*BlockSize }" }
#define SPACE_RULES(same, block, input, output) \
    { same, checked_same_type, .tensors = 0x3 }, \
    { block, checked_at_least, .attr = 0, .number = 1 }, \
    { input, checked_shape, .tensors = 0x1, .shape = "{ N, C, H*BlockSize, W*BlockSize }" }, \
    { output, checked_shape, .tensors = 0x2, .shape = "{ N, C*BlockSize*BlockSize, H, W }" }

#define BLOCK_CLAUSES(why, input, output) \
    CHECKED_CLAUSES, \
    CHECKED_CLAUSE("OP-06", "InputTensor and OutputTensor have the same DataType", "Tensor constraints"), \
    CHECKED_IMPLIED("OP-07", "BlockSize >= 1", "OutputTensor", why), \
    input, output
#define COPIED(id) \
    CHECKED_FORMULA(id, "elements are copied bit for bit", "Description", \
                    "the page rearranges elements; in Direct3D no move of data changes a bit")
#define OF_BLOCK "0 <= y, x < BlockSize; k = (y * BlockSize + x) * Channels + c"
#define OF_BLOCK_BY_ORDER OF_BLOCK ", of COLUMN_ROW_DEPTH (c * BlockSize + y) * BlockSize + x"

/* ---- DML_DEPTH_TO_SPACE_OPERATOR_DESC ---- */
#define DEPTH_CLAUSES \
    BLOCK_CLAUSES("the output's channels are divided by BlockSize*BlockSize, and its height and width multiplied by " \
                  "BlockSize: none of them has a size for 0", \
                  CHECKED_IMPLIED("OP-08", "InputTensor.Sizes = { N, C*BlockSize*BlockSize, H, W }", "OutputTensor", \
                                  "the output's channels are those of the input divided by BlockSize*BlockSize, and " \
                                  "a size is a whole number"), \
                  CHECKED_CLAUSE("OP-09", "OutputTensor.Sizes = { N, C, H*BlockSize, W*BlockSize }", "OutputTensor"))
#define DEPTH_TO_SPACE "Output[n, c, h * BlockSize + y, w * BlockSize + x] = Input[n, k, h, w], "
static const ts_clause depth_to_space_clauses[] = {
    DEPTH_CLAUSES,
    CHECKED_FORMULA("OP-10", DEPTH_TO_SPACE OF_BLOCK, "Examples",
                    "the page's example; DML_DEPTH_TO_SPACE1_OPERATOR_DESC says the order"),
    COPIED("OP-11"),
};
static const checked_rule depth_to_space_rules[] = {
    DEPTH_RULES("OP-06", "OP-07", "OP-08", "OP-09"),
};
const checked_operator computed_dml_depth_to_space =
    CHECKED("depth_to_space", "DEPTH_TO_SPACE", 69, "tta", tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(attrs, ts_dml_depth_to_space), support, depth_to_space_clauses,
            CHECKED_RULES(depth_to_space_rules), SOURCE_COPIES(depth_source, "OP-10", "OP-11", "OP-09"));

/* ---- DML_DEPTH_TO_SPACE1_OPERATOR_DESC ---- */
static const ts_clause depth_to_space1_clauses[] = {
    DEPTH_CLAUSES,
    CHECKED_FORMULA("OP-10", DEPTH_TO_SPACE OF_BLOCK_BY_ORDER, "Order",
                    "the layouts of DML_DEPTH_SPACE_ORDER, and examples 1 and 2"),
    COPIED("OP-11"),
};
const checked_operator computed_dml_depth_to_space1 =
    CHECKED("depth_to_space1", "DEPTH_TO_SPACE1", 113, "ttaa", tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(ordered_attrs, ts_dml_depth_to_space1), ordered_support, depth_to_space1_clauses,
            CHECKED_RULES(depth_to_space_rules), SOURCE_COPIES(depth_source, "OP-10", "OP-11", "OP-09"));

/* ---- DML_SPACE_TO_DEPTH_OPERATOR_DESC ---- */
#define SPACE_TO_DEPTH "Output[n, k, h, w] = Input[n, c, h * BlockSize + y, w * BlockSize + x], "
static const ts_clause space_to_depth_clauses[] = {
    BLOCK_CLAUSES("the example divides height and width by BlockSize, the text the channels: neither has a value for 0",
                  CHECKED_IMPLIED("OP-08", "OutputTensor.Sizes = { N, C*BlockSize*BlockSize, H, W }", "OutputTensor",
                                  "the example has these sizes, and not those that the page prints"),
                  CHECKED_IMPLIED("OP-09", "InputTensor.Sizes = { N, C, H*BlockSize, W*BlockSize }", "Examples",
                                  "the example makes whole blocks of height and width, and a size is a whole number")),
    CHECKED_FORMULA("OP-10", SPACE_TO_DEPTH OF_BLOCK, "Examples",
                    "the page's example; DML_SPACE_TO_DEPTH1_OPERATOR_DESC says the order"),
    COPIED("OP-11"),
};
static const checked_rule space_to_depth_rules[] = {
    SPACE_RULES("OP-06", "OP-07", "OP-09", "OP-08"),
};
const checked_operator computed_dml_space_to_depth =
    CHECKED("space_to_depth", "SPACE_TO_DEPTH", 68, "tta", tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(attrs, ts_dml_space_to_depth), support, space_to_depth_clauses,
            CHECKED_RULES(space_to_depth_rules), SOURCE_COPIES(space_source, "OP-10", "OP-11", "OP-08"));

/* ---- DML_SPACE_TO_DEPTH1_OPERATOR_DESC ---- */
static const checked_common space_to_depth1_common = { "SD1-01", "SD1-03", "SD1-02", "SD1-04", NULL };
static const ts_clause space_to_depth1_clauses[] = {
    CHECKED_IMPLIED("SD1-01", "the operator exists from feature level 2_1 on; no pointer is null", "Availability",
                    "the level is stated; pointers that may be null are marked with _Maybenull_, and these are not"),
    CHECKED_CLAUSE("SD1-02", "both tensors have the same DataType, one of the feature level's row",
                   "Tensor constraints"),
    CHECKED_CLAUSE("SD1-03", "both tensors have 4 dimensions: { Batch, Channels, Height, Width }", "Tensor support"),
    CHECKED_IMPLIED("SD1-04", "Order is DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW or "
                    "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH", "Order",
                    "DML_DEPTH_SPACE_ORDER, to which the page refers, has these two values"),
    CHECKED_IMPLIED("SD1-05", "BlockSize >= 1", "BlockSize",
                    "a BlockSize of 0 gives sizes of 0, which DML_BUFFER_TENSOR_DESC forbids"),
    CHECKED_IMPLIED("SD1-06", "BlockSize divides the Height and the Width of InputTensor", "InputTensor",
                    "DML_DEPTH_SPACE_ORDER makes the input's (Height, BlockHeight) and (Width, BlockWidth) whole blocks"),
    CHECKED_IMPLIED("SD1-07", "OutputTensor.Sizes = { Batch, Channels * BlockSize * BlockSize, Height / BlockSize, "
                    "Width / BlockSize } of InputTensor", "OutputTensor",
                    "examples 1 and 2 have these sizes, and not those that the page prints"),
    CHECKED_FORMULA("SD1-08", SPACE_TO_DEPTH OF_BLOCK_BY_ORDER, "Order",
                    "the layouts of DML_DEPTH_SPACE_ORDER, and examples 1 and 2"),
    CHECKED_FORMULA("SD1-09", "elements are copied bit for bit", "Description",
                    "the page rearranges elements, and speaks of a copy; in Direct3D no move of data changes a bit"),
};
static const checked_rule space_to_depth1_rules[] = {
    SPACE_RULES("SD1-02", "SD1-05", "SD1-06", "SD1-07"),
};
const checked_operator computed_dml_space_to_depth1 =
    CHECKED("space_to_depth1", "SPACE_TO_DEPTH1", 114, "ttaa", tensors, CHECKED_NO_LISTS,
            CHECKED_ATTRS(ordered_attrs, ts_dml_space_to_depth1), ordered_support, space_to_depth1_clauses,
            CHECKED_RULES(space_to_depth1_rules), SOURCE_COPIES(space_source, "SD1-08", "SD1-09", "SD1-07"),
            .common = &space_to_depth1_common);
