/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/onnx/translate.h"

#include "reference/dml/blocks.h"
#include "reference/dml/cumulative_summation.h"
#include "reference/dml/gather.h"
#include "reference/dml/gather_elements.h"
#include "reference/dml/gather_nd1.h"
#include "reference/dml/scatter_elements.h"
#include "reference/dml/scatter_nd.h"
#include "reference/dml/slice1.h"
#include "reference/openvino/strided_slice.h"

#include <string.h>

/* The attributes of StridedSlice in the order of its declaration: the bits of attrs_given. */
enum { BEGIN, END, STRIDE, BEGIN_MASK, END_MASK, NEW_AXIS_MASK, SHRINK_AXIS_MASK, ELLIPSIS_MASK };

typedef struct translation {
    const char *operator_name;
    onnx_op op;
    uint32_t tensors;
    bool (*translate)(const ts_call *call, onnx_call *out, const char **why);
    const char *clauses; /* that ONNX has, each between spaces */
    const char *models;  /* of these, those that a model can break */
} translation;

static bool refuse(const char **why, const char *reason)
{
    *why = reason;
    return false;
}

/* Axes `from` and following of a tensor. */
static void take_shape(onnx_shape *shape, const ts_tensor *t, uint32_t from)
{
    shape->rank = t->rank - from;
    for (uint32_t i = from; i < t->rank; ++i)
        shape->sizes[i - from] = (int64_t)t->sizes[i];
}

/* ---- one for each operator --------------------------------------------------------------------------------------- */

static bool translate_slice1(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_slice1 *a = call->attrs;
    const ts_tensor *output = ts_call_tensor(call, 1);
    if ((call->attrs_given & 14u) != 14u || a->DimensionCount > TS_SLICE1_DIMS)
        return refuse(why, "ONNX has no null lists");
    take_shape(&out->data, ts_call_tensor(call, 0), 0);
    take_shape(&out->output, output, 0);
    out->starts = out->ends = out->steps = out->extents = a->DimensionCount;
    for (uint32_t i = 0; i < a->DimensionCount; ++i) {
        const int64_t step = a->InputWindowStrides[i], offset = a->InputWindowOffsets[i];
        const int64_t last = i < output->rank ? (int64_t)output->sizes[i] - 1 : 0; /* of the output */
        out->step[i] = step;
        out->extent[i] = a->InputWindowSizes[i];
        out->start[i] = step < 0 ? offset + a->InputWindowSizes[i] - 1 : offset;
        out->end[i] = out->start[i] + step * last + (step < 0 ? -1 : 1);
        if (step < 0 && out->end[i] < 0) /* in front of the first element; negative ends count from the back */
            out->end[i] = INT64_MIN;
    }
    out->output_fits = true;
    return true;
}

static bool translate_gather(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_gather *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *indices = ts_call_tensor(call, 1),
                    *output = ts_call_tensor(call, 2);
    const uint32_t picks = a->IndexDimensions;
    const uint32_t leading = picks > 1 ? picks - 1 : 0; /* ones that data lacks in ONNX */
    if ((call->attrs_given & 3u) != 3u || picks > indices->rank || leading > a->Axis || leading >= in->rank)
        return refuse(why, "the ranks are not those of leading ones");
    for (uint32_t i = 0; i < leading; ++i)
        if (in->sizes[i] != 1)
            return refuse(why, "the ranks are not those of leading ones");
    take_shape(&out->data, in, leading);
    take_shape(&out->indices, indices, indices->rank - picks);
    take_shape(&out->output, output, picks == 0 && output->rank > 0 && output->sizes[0] == 1 ? 1 : 0);
    out->axis = (int64_t)a->Axis - leading;
    out->output_fits = true;
    return true;
}

/* The tensors as they are, and the axis. */
static bool take_elements(const ts_call *call, bool given, uint32_t axis, onnx_call *out, const char **why)
{
    if (!given)
        return refuse(why, "ONNX's axis is not optional here");
    take_shape(&out->data, ts_call_tensor(call, 0), 0);
    take_shape(&out->indices, ts_call_tensor(call, 1), 0);
    take_shape(&out->output, ts_call_tensor(call, call->tensor_count - 1), 0);
    out->axis = axis;
    out->output_fits = true;
    return true;
}

static bool translate_gather_elements(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_gather_elements *a = call->attrs;
    return take_elements(call, call->attrs_given & TS_GATHER_ELEMENTS_GIVEN_AXIS, a->Axis, out, why);
}

/* GatherND-13. The attributes of GATHER_ND are the first ones of GATHER_ND1. */
static bool translate_gather_nd(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_gather_nd1 *a = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *indices = ts_call_tensor(call, 1),
                    *output = ts_call_tensor(call, 2);
    const bool batched = call->attrs_size >= sizeof *a;
    const uint32_t given = batched ? 7u : 3u, batch = batched ? a->BatchDimensionCount : 0;
    if ((call->attrs_given & given) != given || a->InputDimensionCount > in->rank ||
        a->IndicesDimensionCount - 1 >= indices->rank || batch > a->InputDimensionCount)
        return refuse(why, "the counts of dimensions are not those of the tensors");
    const uint32_t front = in->rank - a->InputDimensionCount, index_front = indices->rank - a->IndicesDimensionCount;
    for (uint32_t i = 0; i < front || i < index_front; ++i)
        if ((i < front && in->sizes[i] != 1) || (i < index_front && indices->sizes[i] != 1))
            return refuse(why, "the sizes before those that count are not 1");
    take_shape(&out->data, in, front);
    take_shape(&out->indices, indices, index_front);
    const uint64_t tuple = indices->sizes[indices->rank - 1];
    const uint32_t own = a->InputDimensionCount - batch;
    const uint64_t dims = tuple <= own ? a->IndicesDimensionCount - 1 + own - tuple : output->rank;
    uint32_t leading = dims <= output->rank ? output->rank - (uint32_t)dims : 0;
    out->added = (1u << leading) - 1;
    for (uint32_t i = 0; i < leading; ++i)
        if (output->sizes[i] != 1)
            leading = 0; /* and GatherND's output is another one */
    take_shape(&out->output, output, leading);
    out->axis = batch;
    out->output_fits = true;
    return true;
}

static bool translate_scatter_elements(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_scatter_elements *a = call->attrs;
    take_shape(&out->updates, ts_call_tensor(call, 2), 0);
    return take_elements(call, call->attrs_given & TS_SCATTER_ELEMENTS_GIVEN_AXIS, a->Axis, out, why);
}

/* The last `count` dimensions of a tensor. False if those before are not 1. */
static bool take_last(onnx_shape *shape, const ts_tensor *t, uint64_t count)
{
    if (count > t->rank)
        return false;
    for (uint32_t i = 0; i + count < t->rank; ++i)
        if (t->sizes[i] != 1)
            return false;
    take_shape(shape, t, t->rank - (uint32_t)count);
    return true;
}

static bool translate_scatter_nd(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_scatter_nd *a = call->attrs;
    const ts_tensor *indices = ts_call_tensor(call, 1);
    const uint32_t given = TS_SCATTER_ND_GIVEN_INPUT_DIMENSION_COUNT | TS_SCATTER_ND_GIVEN_INDICES_DIMENSION_COUNT;
    if ((call->attrs_given & given) != given || a->InputDimensionCount == 0 || a->IndicesDimensionCount == 0 ||
        !take_last(&out->data, ts_call_tensor(call, 0), a->InputDimensionCount) ||
        !take_last(&out->indices, indices, a->IndicesDimensionCount) ||
        !take_last(&out->output, ts_call_tensor(call, 3), a->InputDimensionCount))
        return refuse(why, "the counts of dimensions are not those of tensors with leading ones");
    const uint64_t tuple = indices->sizes[indices->rank - 1];
    const uint64_t block = tuple < a->InputDimensionCount ? a->InputDimensionCount - tuple : 0;
    if (!take_last(&out->updates, ts_call_tensor(call, 2), a->IndicesDimensionCount - 1 + block))
        return refuse(why, "the updates do not have the dimensions of the tuples and the blocks");
    out->output_fits = true;
    return true;
}

static bool translate_identity(const ts_call *call, onnx_call *out, const char **why)
{
    (void)why;
    take_shape(&out->data, ts_call_tensor(call, 0), 0);
    take_shape(&out->output, ts_call_tensor(call, 1), 0);
    out->output_fits = true;
    return true;
}

static bool translate_cumulative_summation(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_cumulative_summation *a = call->attrs;
    const uint32_t given = TS_CUMULATIVE_SUMMATION_GIVEN_AXIS | TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION |
                           TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM;
    if ((call->attrs_given & given) != given || a->AxisDirection > TS_AXIS_DECREASING)
        return refuse(why, "CumSum has an axis, and one of two directions");
    take_shape(&out->data, ts_call_tensor(call, 0), 0);
    take_shape(&out->output, ts_call_tensor(call, 1), 0);
    out->axis = a->Axis;
    out->exclusive = a->HasExclusiveSum != 0;
    out->reverse = a->AxisDirection == TS_AXIS_DECREASING;
    out->output_fits = true;
    return true;
}

static bool take_blocks(const ts_call *call, onnx_call *out, const char **why)
{
    if (!(call->attrs_given & TS_BLOCKS_GIVEN_BLOCK_SIZE))
        return refuse(why, "SpaceToDepth and DepthToSpace have a blocksize");
    take_shape(&out->data, ts_call_tensor(call, 0), 0);
    take_shape(&out->output, ts_call_tensor(call, 1), 0);
    out->axis = ((const ts_dml_space_to_depth *)call->attrs)->BlockSize;
    out->output_fits = true;
    return true;
}

static bool translate_space_to_depth1(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_space_to_depth1 *a = call->attrs;
    if (!(call->attrs_given & TS_BLOCKS_GIVEN_ORDER) || a->Order != TS_DEPTH_COLUMN_ROW)
        return refuse(why, "SpaceToDepth has no other order than DEPTH_COLUMN_ROW");
    return take_blocks(call, out, why);
}

static bool translate_depth_to_space1(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_dml_depth_to_space1 *a = call->attrs;
    if (!(call->attrs_given & TS_BLOCKS_GIVEN_ORDER) || a->Order > TS_COLUMN_ROW_DEPTH)
        return refuse(why, "DepthToSpace has the orders DEPTH_COLUMN_ROW and COLUMN_ROW_DEPTH");
    out->columns_first = a->Order == TS_COLUMN_ROW_DEPTH;
    return take_blocks(call, out, why);
}

static uint32_t mask_of(const ts_call *call, unsigned attr, const uint8_t *values, uint32_t count, uint32_t steps)
{
    uint32_t bits = 0;
    if (call->attrs_given & (1u << attr))
        for (uint32_t i = 0; i < count && i < steps; ++i)
            bits |= (uint32_t)(values[i] != 0) << i;
    return bits;
}

/* One step of Slice. */
static void add_step(onnx_call *out, int64_t start, int64_t end, int64_t step)
{
    out->start[out->starts++] = start;
    out->end[out->ends++] = end;
    out->step[out->steps++] = step;
}

/* Axes of the output are met one after the other: a new one, or one of data. */
static void meet_axis(onnx_call *out, const ts_tensor *output, uint32_t *at, bool is_new, bool dropped)
{
    if (!is_new && out->output.rank < TS_MAX_DIMS) {
        if (dropped)
            out->dropped |= 1u << out->output.rank;
        out->output.sizes[out->output.rank++] = dropped ? 1 : *at < output->rank ? (int64_t)output->sizes[*at] : 0;
    }
    if (dropped)
        return;
    if (is_new && *at < TS_MAX_DIMS)
        out->added |= 1u << *at;
    out->output_fits = out->output_fits && *at < output->rank && (!is_new || output->sizes[*at] == 1);
    ++*at;
}

static bool translate_strided_slice(const ts_call *call, onnx_call *out, const char **why)
{
    const ts_openvino_strided_slice *a = call->attrs;
    const ts_tensor *data = ts_call_tensor(call, 0), *output = ts_call_tensor(call, 1);
    const uint32_t n = a->begin_count;
    const bool strides = call->attrs_given & (1u << STRIDE);
    if (!(call->attrs_given & (1u << BEGIN)) || !(call->attrs_given & (1u << END)) || n > TS_STRIDED_SLICE_STEPS ||
        a->end_count != n || (strides && a->stride_count != n))
        return refuse(why, "begin, end and stride are no lists of the same length");
    const uint32_t from_edge = mask_of(call, BEGIN_MASK, a->begin_mask, a->begin_mask_count, n);
    const uint32_t to_edge = mask_of(call, END_MASK, a->end_mask, a->end_mask_count, n);
    const uint32_t ellipsis = mask_of(call, ELLIPSIS_MASK, a->ellipsis_mask, a->ellipsis_mask_count, n);
    const uint32_t new_axis =
        mask_of(call, NEW_AXIS_MASK, a->new_axis_mask, a->new_axis_mask_count, n) & ~ellipsis; /* SS-05 */
    const uint32_t shrink =
        mask_of(call, SHRINK_AXIS_MASK, a->shrink_axis_mask, a->shrink_axis_mask_count, n) & ~ellipsis & ~new_axis;
    uint32_t consumed = 0, at = 0;
    for (uint32_t i = 0; i < n; ++i)
        consumed += !((ellipsis | new_axis) >> i & 1);
    uint32_t whole = data->rank > consumed ? data->rank - consumed : 0; /* axes that no step takes */

    take_shape(&out->data, data, 0);
    out->output_fits = true;
    for (uint32_t i = 0; i < n; ++i) {
        const int64_t step = strides ? a->stride[i] : 1;
        if (ellipsis >> i & 1) {
            for (; whole > 0; --whole) {
                add_step(out, 0, INT64_MAX, 1);
                meet_axis(out, output, &at, false, false);
            }
        } else if (new_axis >> i & 1) {
            meet_axis(out, output, &at, true, false);
        } else if (shrink >> i & 1) {
            add_step(out, a->begin[i], a->begin[i] == -1 ? INT64_MAX : a->begin[i] + (a->begin[i] != INT64_MAX), 1);
            meet_axis(out, output, &at, false, true);
        } else {
            add_step(out, from_edge >> i & 1 ? (step < 0 ? INT64_MAX : 0) : a->begin[i],
                     to_edge >> i & 1 ? (step < 0 ? INT64_MIN : INT64_MAX) : a->end[i], step);
            meet_axis(out, output, &at, false, false);
        }
    }
    for (; whole > 0; --whole) /* without an ellipsis the last axes are whole; Slice takes them so by itself */
        meet_axis(out, output, &at, false, false);
    out->output_fits = out->output_fits && at == output->rank;
    return true;
}

/* ---- the tables -------------------------------------------------------------------------------------------------- */

static const onnx_form forms[ONNX_OPS] = {
    [ONNX_SLICE] = { .name = "Slice", .tensors = 1, .lists = true },
    [ONNX_GATHER] = { .name = "Gather", .tensors = 2, .axis = "axis" },
    [ONNX_GATHER_ELEMENTS] = { .name = "GatherElements", .tensors = 2, .axis = "axis" },
    [ONNX_GATHER_ND] = { .name = "GatherND", .tensors = 2, .axis = "batch_dims" },
    [ONNX_SCATTER_ELEMENTS] = { .name = "ScatterElements", .tensors = 3, .axis = "axis" },
    [ONNX_SCATTER_ND] = { .name = "ScatterND", .tensors = 3 },
    [ONNX_IDENTITY] = { .name = "Identity", .tensors = 1 },
    [ONNX_CUM_SUM] = { .name = "CumSum", .tensors = 1, .axis_scalar = "axis" },
    [ONNX_SPACE_TO_DEPTH] = { .name = "SpaceToDepth", .tensors = 1, .axis = "blocksize", .least = 1 },
    [ONNX_DEPTH_TO_SPACE] = { .name = "DepthToSpace", .tensors = 1, .axis = "blocksize", .least = 1 },
};

const char *const onnx_tensor_names[ONNX_MOST_TENSORS] = { "data", "indices", "updates" };

static const translation translations[] = {
    { "dml.slice1", ONNX_SLICE, 2, translate_slice1, " SL-04 SL-07 ", " SL-04 SL-07 " },
    { "dml.gather", ONNX_GATHER, 3, translate_gather, " GA-03 GA-05 GA-09 ", " GA-03 GA-05 " },
    { "dml.gather_elements", ONNX_GATHER_ELEMENTS, 3, translate_gather_elements, " GE-02 GE-03 GE-05 GE-07 ",
      " GE-02 GE-03 GE-05 " },
    { "dml.gather_nd", ONNX_GATHER_ND, 3, translate_gather_nd, " ND-03 ND-09 ND-10 ", " ND-03 ND-09 " },
    { "dml.gather_nd1", ONNX_GATHER_ND, 3, translate_gather_nd, " ND1-03 ND1-09 ND1-10 ND1-16 ", " ND1-03 ND1-09 " },
    { "dml.scatter_elements", ONNX_SCATTER_ELEMENTS, 4, translate_scatter_elements, " SE-02 SE-03 SE-05 SE-07 SE-08 ",
      " SE-02 SE-03 SE-05 SE-07 " },
    { "dml.scatter_nd", ONNX_SCATTER_ND, 4, translate_scatter_nd, " SN-03 SN-09 SN-10 SN-11 ", " SN-03 SN-09 SN-10 " },
    { "dml.element_wise_identity", ONNX_IDENTITY, 2, translate_identity, " EI-02 EI-03 EI-04 ", " EI-02 " },
    { "dml.cumulative_summation", ONNX_CUM_SUM, 2, translate_cumulative_summation, " CS-03 CS-04 CS-05 ", " CS-05 " },
    { "dml.depth_to_space", ONNX_DEPTH_TO_SPACE, 2, take_blocks, " OP-02 OP-07 OP-08 OP-09 ", " OP-02 OP-07 " },
    { "dml.depth_to_space1", ONNX_DEPTH_TO_SPACE, 2, translate_depth_to_space1, " OP-02 OP-07 OP-08 OP-09 ",
      " OP-02 OP-07 " },
    { "dml.space_to_depth", ONNX_SPACE_TO_DEPTH, 2, take_blocks, " OP-02 OP-07 OP-08 OP-09 ", " OP-02 OP-07 " },
    { "dml.space_to_depth1", ONNX_SPACE_TO_DEPTH, 2, translate_space_to_depth1, " SD1-03 SD1-05 SD1-06 SD1-07 ",
      " SD1-03 SD1-05 " },
    { "openvino.strided_slice", ONNX_SLICE, 2, translate_strided_slice, " SS-06 SS-09 SS-10 SS-12 ", " SS-06 SS-10 " },
};

const onnx_form *onnx_form_of(onnx_op op)
{
    return &forms[op];
}

bool onnx_takes_indices(onnx_op op, uint32_t dtype)
{
    return dtype == TS_INT64 || (dtype == TS_INT32 && op != ONNX_GATHER_ND && op != ONNX_SCATTER_ND);
}

const onnx_shape *onnx_input_shape(const onnx_call *call, uint32_t i)
{
    const onnx_shape *const all[ONNX_MOST_TENSORS] = { &call->data, &call->indices, &call->updates };
    return all[i];
}

static const translation *find(const char *operator_name)
{
    for (size_t i = 0; i < sizeof translations / sizeof *translations; ++i)
        if (strcmp(translations[i].operator_name, operator_name) == 0)
            return &translations[i];
    return NULL;
}

bool onnx_translates(const char *operator_name, onnx_op *op)
{
    const translation *t = find(operator_name);
    if (t)
        *op = t->op;
    return t != NULL;
}

const char *onnx_translated(size_t i)
{
    return i < sizeof translations / sizeof *translations ? translations[i].operator_name : NULL;
}

static bool lists_clause(const char *clauses, const char *clause)
{
    const char *found = strstr(clauses, clause);
    return found && found > clauses && found[-1] == ' ' && found[strlen(clause)] == ' ';
}

bool onnx_shows_clause(const char *operator_name, const char *clause)
{
    const translation *t = find(operator_name);
    return t && lists_clause(t->clauses, clause);
}

bool onnx_refuses_clause(const char *operator_name, const char *clause)
{
    const translation *t = find(operator_name);
    return t && lists_clause(t->models, clause);
}

bool onnx_translate(const ts_call *call, onnx_call *out, const char **why)
{
    const translation *t = find(call->op);
    if (!t || call->tensor_count != t->tensors || !call->attrs)
        return refuse(why, "its translation is not written");
    bool wide = false; /* a size of the last tensor, the output, is beyond ONNX's */
    for (uint32_t i = 0; i < call->tensor_count; ++i) {
        const ts_tensor *tensor = ts_call_tensor(call, i);
        if ((tensor->given & TS_GIVEN_ALL) != TS_GIVEN_ALL || tensor->rank > TS_MAX_DIMS ||
            onnx_dtype(tensor->dtype) == 0)
            return refuse(why, "ONNX has no such tensor");
        for (uint32_t k = 0; k < tensor->rank; ++k)
            wide |= tensor->sizes[k] > INT64_MAX;
        if (wide && i + 1 < call->tensor_count)
            return refuse(why, "ONNX has no such sizes");
    }
    out->op = t->op;
    out->data.rank = out->indices.rank = out->updates.rank = out->output.rank = 0;
    out->starts = out->ends = out->steps = out->extents = 0;
    out->added = out->dropped = 0;
    out->axis = 0;
    out->exclusive = out->reverse = out->columns_first = false;
    const bool fine = t->translate(call, out, why);
    out->output_fits = out->output_fits && !wide;
    return fine;
}

onnx_range onnx_range_of(const onnx_call *call, uint32_t axis)
{
    const int64_t size = call->data.sizes[axis];
    const bool whole = axis >= call->starts;
    onnx_range r = { .start = whole ? 0 : call->start[axis],
                     .count = call->output.sizes[axis],
                     .step = whole ? 1 : call->step[axis] };
    if (r.start < 0) /* counted from the end, and not in front of the first element */
        r.start = r.start < -size ? 0 : r.start + size;
    if (r.start >= size)
        r.start = size - 1; /* of a negative step: the last element; of a positive one, there are none */
    if (r.count <= 1)
        r.step = 1;
    if (r.count == 0)
        r.start = 0;
    return r;
}

void onnx_describe(const onnx_call *call, uint32_t dtype, uint32_t index_dtype, onnx_model *model)
{
    static const char *const lists[] = { "starts", "ends", "", "steps" }; /* axes: all of them, in order */
    const onnx_form *form = onnx_form_of(call->op);
    *model = (onnx_model){ .op = form->name,
                           .input_count = form->tensors,
                           .output = { .name = "output", .dtype = dtype },
                           .axis_name = form->axis,
                           .axis = form->axis ? call->axis : 0,
                           .flags = { call->exclusive ? "exclusive" : NULL, call->reverse ? "reverse" : NULL },
                           .word_name = call->op == ONNX_DEPTH_TO_SPACE ? "mode" : NULL,
                           .word = call->columns_first ? "CRD" : "DCR" };
    for (uint32_t i = 0; i < form->tensors; ++i)
        model->inputs[i] = (onnx_value){ .name = onnx_tensor_names[i], .dtype = i == 1 ? index_dtype : dtype };
    for (size_t i = 0; form->lists && i < sizeof lists / sizeof *lists; ++i)
        model->inputs[model->input_count++] = (onnx_value){ .name = lists[i], .dtype = TS_INT64 };
    if (form->axis_scalar)
        model->inputs[model->input_count++] =
            (onnx_value){ .name = form->axis_scalar, .dtype = TS_INT64, .constant = &call->axis };
}

void onnx_state_shapes(const onnx_call *call, onnx_model *model, int64_t counts[ONNX_LISTS])
{
    const uint32_t tensors = onnx_form_of(call->op)->tensors;
    counts[0] = call->starts;
    counts[1] = call->ends;
    counts[2] = call->steps;
    for (uint32_t i = 0; i < tensors; ++i) {
        model->inputs[i].sizes = onnx_input_shape(call, i)->sizes;
        model->inputs[i].rank = onnx_input_shape(call, i)->rank;
    }
    for (uint32_t i = tensors, list = 0; i < model->input_count; ++i)
        if (*model->inputs[i].name && !model->inputs[i].constant) {
            model->inputs[i].sizes = &counts[list++];
            model->inputs[i].rank = 1;
        }
}

const int64_t *onnx_list_values(const onnx_call *call, uint32_t list)
{
    const int64_t *const lists[ONNX_LISTS] = { call->start, call->end, call->step };
    return lists[list];
}

void onnx_output_shape(const onnx_call *call, const onnx_shape *found, ts_shape *shape)
{
    shape->rank = 0;
    for (uint32_t i = 0; shape->rank < TS_MAX_DIMS;) {
        if (call->added >> shape->rank & 1)
            shape->sizes[shape->rank++] = 1;
        else if (i == found->rank)
            break;
        else if (call->dropped >> i & 1 && found->sizes[i] == 1)
            ++i;
        else
            shape->sizes[shape->rank++] = (uint64_t)found->sizes[i++];
    }
}
