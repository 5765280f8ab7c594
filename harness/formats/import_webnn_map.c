/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/import_webnn_internal.h"

#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- copies ------------------------------------------------------------------------------------------------------ */

/* The input of identity: these sizes and strides over the elements as they lie. */
static bool strided_input(const import_reader *r, const uint64_t *sizes, const uint64_t *strides, uint32_t rank)
{
    ts_tensor packed;
    const uint64_t one[] = { 1 };
    tensor_init(&packed, r->input.dtype, rank ? r->input.rank : 1, rank ? r->input.sizes : one);
    packed.data = calloc(1, (size_t)packed.total_bytes + 1);
    if (!packed.data)
        return error_set(r->e, "out of memory");
    bool fine = r->input.count == 0 || descriptor_data_from_json(&packed, "data", r->input.data, r->e);
    if (fine) {
        const size_t size = (size_t)r->input.count * tensor_element_bytes(packed.dtype);
        json_t *input = import_webnn_tensor(&r->input, 0), *raw = descriptor_raw_to_json(packed.data, size);
        json_object_set_new(input, "Sizes", import_webnn_list_of(rank ? sizes : one, rank ? rank : 1));
        json_object_set_new(input, "Strides", import_webnn_list_of(rank ? strides : one, rank ? rank : 1));
        json_object_set_new(r->descriptor, "InputTensor", input);
        json_object_set_new(r->inputs, "InputTensor", json_pack("{s:o*}", "raw", raw));
    }
    free(packed.data);
    return fine;
}

static bool map_slice1(const import_reader *r, const uint64_t *offsets, const uint64_t *sizes, const json_t *strides)
{
    const uint64_t zero[] = { 0 }, one[] = { 1 };
    const bool scalar = r->input.rank == 0;
    const uint32_t count = scalar ? 1 : r->input.rank;
    if (!import_webnn_has_rank(r, r->input.rank))
        return false;
    json_object_set_new(r->descriptor, "InputTensor", import_webnn_tensor(&r->input, 0));
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    json_object_set_new(r->descriptor, "InputWindowOffsets", import_webnn_list_of(scalar ? zero : offsets, count));
    json_object_set_new(r->descriptor, "InputWindowSizes", import_webnn_list_of(scalar ? one : sizes, count));
    json_object_set_new(r->descriptor, "InputWindowStrides",
                        scalar ? import_webnn_list_of(one, 1) : json_deep_copy(strides));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    return true;
}

/* What has more dimensions than DirectML is a StridedSlice, without masks. */
static bool map_strided_slice(import_reader *r, const uint64_t *starts, const uint64_t *sizes, const json_t *strides)
{
    const uint32_t rank = r->input.rank;
    const uint64_t none[IMPORT_MOST_DIMENSIONS] = { 0 };
    const char *type = tensor_dtype(r->input.dtype)->openvino;
    uint64_t ends[IMPORT_MOST_DIMENSIONS];
    if (!import_webnn_has_rank(r, rank))
        return false;
    for (uint32_t i = 0; i < rank; ++i)
        ends[i] = starts[i] + sizes[i];
    r->name = "openvino.strided_slice";
    json_object_set_new(r->descriptor, "data",
                        json_pack("{s:s, s:o}", "type", type, "shape", import_webnn_list_of(r->input.sizes, rank)));
    json_object_set_new(r->descriptor, "output",
                        json_pack("{s:s, s:o}", "type", type, "shape", import_webnn_list_of(r->output.sizes, rank)));
    json_object_set_new(r->descriptor, "begin", import_webnn_list_of(starts, rank));
    json_object_set_new(r->descriptor, "end", import_webnn_list_of(ends, rank));
    json_object_set_new(r->descriptor, "stride", json_deep_copy(strides));
    json_object_set_new(r->descriptor, "begin_mask", import_webnn_list_of(none, rank));
    json_object_set_new(r->descriptor, "end_mask", import_webnn_list_of(none, rank));
    json_object_set(r->inputs, "data", r->input.data);
    return true;
}

static bool map_slice(import_reader *r)
{
    uint64_t starts[IMPORT_MOST_DIMENSIONS], sizes[IMPORT_MOST_DIMENSIONS], steps[IMPORT_MOST_DIMENSIONS];
    const json_t *given = import_webnn_option(r, "strides");
    for (uint32_t i = 0; i < IMPORT_MOST_DIMENSIONS; ++i)
        steps[i] = 1;
    if (!import_webnn_each(r, import_webnn_argument(r, "starts"), "starts", starts) ||
        !import_webnn_each(r, import_webnn_argument(r, "sizes"), "sizes", sizes) ||
        (given && !import_webnn_each(r, given, "strides", steps)))
        return false;
    json_t *strides = import_webnn_list_of(steps, r->input.rank);
    const bool fine = r->input.rank > IMPORT_DML_DIMENSIONS ? map_strided_slice(r, starts, sizes, strides)
                                                            : map_slice1(r, starts, sizes, strides);
    json_decref(strides);
    return fine;
}

static bool map_reverse(import_reader *r)
{
    uint64_t axes[IMPORT_MOST_DIMENSIONS], offsets[IMPORT_MOST_DIMENSIONS] = { 0 };
    uint32_t count = 0;
    const json_t *given = import_webnn_option(r, "axes");
    if (given && !import_webnn_list(r, given, "axes", axes, &count))
        return false;
    json_t *strides = json_array();
    for (uint32_t i = 0; i < r->input.rank; ++i)
        json_array_append_new(strides, json_integer(given ? 1 : -1));
    bool fine = true;
    for (uint32_t i = 0; fine && i < count; ++i)
        fine = axes[i] < r->input.rank
                   ? json_array_set_new(strides, (size_t)axes[i], json_integer(-1)) == 0
                   : error_usage(r->e, "axes: %" PRIu64 ", but the input has %u dimensions", axes[i], r->input.rank);
    fine = fine && map_slice1(r, offsets, r->input.sizes, strides);
    json_decref(strides);
    return fine;
}

/* The indices, and the axis that they pick along: 0 if it is not given. */
static bool take_indices(import_reader *r, json_int_t *axis)
{
    return import_webnn_input(r, "indices", &r->indices) && import_webnn_axis(r, import_webnn_option(r, "axis"), axis);
}

static bool map_gather(import_reader *r)
{
    json_int_t axis;
    if (!take_indices(r, &axis))
        return false;
    const uint32_t picks = r->indices.rank, rank = r->input.rank;
    const uint32_t leading = picks > 1 ? picks - 1 : 0; /* ones that the input needs */
    const uint32_t dimensions = rank + leading;
    if (!import_webnn_has_rank(r, rank + picks - 1))
        return false;
    if (dimensions > IMPORT_DML_DIMENSIONS)
        return import_webnn_cannot(r, "more than %d dimensions", IMPORT_DML_DIMENSIONS);
    json_object_set_new(r->descriptor, "InputTensor", import_webnn_tensor(&r->input, leading));
    json_object_set_new(r->descriptor, "IndicesTensor", import_webnn_tensor(&r->indices, dimensions - picks));
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, dimensions - r->output.rank));
    json_object_set_new(r->descriptor, "Axis", json_integer(axis + leading));
    json_object_set_new(r->descriptor, "IndexDimensions", json_integer(picks));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    json_object_set(r->inputs, "IndicesTensor", r->indices.data);
    return true;
}

static bool map_gather_elements(import_reader *r)
{
    json_int_t axis;
    if (!take_indices(r, &axis) || !import_webnn_has_rank(r, r->input.rank))
        return false;
    if (r->indices.rank != r->input.rank)
        return error_usage(r->e, "indices: expected the %u dimensions of the input, not %u", r->input.rank,
                           r->indices.rank);
    json_object_set_new(r->descriptor, "InputTensor", import_webnn_tensor(&r->input, 0));
    json_object_set_new(r->descriptor, "IndicesTensor", import_webnn_tensor(&r->indices, 0));
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    json_object_set_new(r->descriptor, "Axis", json_integer(axis));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    json_object_set(r->inputs, "IndicesTensor", r->indices.data);
    return true;
}

static bool map_scatter_elements(import_reader *r)
{
    if (!map_gather_elements(r) || !import_webnn_input(r, "updates", &r->updates))
        return false;
    if (r->updates.rank != r->input.rank)
        return error_usage(r->e, "updates: expected the %u dimensions of the input, not %u", r->input.rank,
                           r->updates.rank);
    json_object_set_new(r->descriptor, "UpdatesTensor", import_webnn_tensor(&r->updates, 0));
    json_object_set(r->inputs, "UpdatesTensor", r->updates.data);
    return true;
}

static bool map_identity(import_reader *r)
{
    if (!import_webnn_has_rank(r, r->input.rank))
        return false;
    json_object_set_new(r->descriptor, "InputTensor", import_webnn_tensor(&r->input, 0));
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    return true;
}

static bool map_transpose(import_reader *r)
{
    const uint32_t rank = r->input.rank;
    const json_t *given = import_webnn_option(r, "permutation");
    uint64_t permutation[IMPORT_MOST_DIMENSIONS], sizes[IMPORT_MOST_DIMENSIONS], strides[IMPORT_MOST_DIMENSIONS];
    uint32_t seen = 0;
    ts_tensor packed;
    if (!import_webnn_has_rank(r, rank) || (given && !import_webnn_each(r, given, "permutation", permutation)))
        return false;
    tensor_init(&packed, r->input.dtype, rank, r->input.sizes);
    for (uint32_t i = 0; i < rank; ++i) {
        const uint64_t from = given ? permutation[i] : rank - 1 - i;
        if (from >= rank || seen >> from & 1)
            return error_usage(r->e, "permutation: expected each number below %u once", rank);
        seen |= 1u << from;
        sizes[i] = packed.sizes[from];
        strides[i] = packed.strides[from];
    }
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    return strided_input(r, sizes, strides, rank);
}

static bool map_expand(import_reader *r)
{
    uint64_t sizes[IMPORT_MOST_DIMENSIONS], strides[IMPORT_MOST_DIMENSIONS];
    uint32_t rank = 0;
    ts_tensor packed;
    if (!import_webnn_list(r, import_webnn_argument(r, "newShape"), "newShape", sizes, &rank) ||
        !import_webnn_has_rank(r, rank))
        return false;
    tensor_init(&packed, r->input.dtype, r->input.rank, r->input.sizes);
    if (packed.rank > rank)
        return error_usage(r->e, "newShape: fewer dimensions than the input's %u", packed.rank);
    for (uint32_t i = 0; i < rank; ++i) {
        const uint32_t added = rank - packed.rank;
        const uint64_t before = i < added ? 1 : packed.sizes[i - added];
        strides[i] = before == 1 ? 0 : packed.strides[i - added];
        if (before != 1 && before != sizes[i])
            return error_usage(r->e, "newShape: %" PRIu64 " along dimension %u, where the input has %" PRIu64, sizes[i],
                               i, before);
    }
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    return strided_input(r, sizes, strides, rank);
}

/* ---- tuples of indices ------------------------------------------------------------------------------------------- */

/* The indices, whose last dimension is a tuple, and the dimensions that a block has: those that no index picks from. */
static bool take_tuples(import_reader *r, uint32_t *block)
{
    const import_operand *indices = &r->indices;
    if (!import_webnn_input(r, "indices", &r->indices))
        return false;
    if (indices->rank == 0)
        return error_usage(r->e, "indices: expected at least one dimension");
    const uint64_t tuple = indices->sizes[indices->rank - 1];
    if (tuple > r->input.rank)
        return error_usage(r->e, "indices: tuples of %" PRIu64 ", but the input has %u dimensions", tuple,
                           r->input.rank);
    *block = r->input.rank - (uint32_t)tuple;
    return true;
}

/* The least number of dimensions that these tensors have in common. False: DirectML has fewer. */
static bool common_rank(const import_reader *r, const import_operand *const *all, size_t count, uint32_t *rank)
{
    *rank = 0;
    for (size_t i = 0; i < count; ++i)
        *rank = all[i]->rank > *rank ? all[i]->rank : *rank;
    return *rank <= IMPORT_DML_DIMENSIONS || import_webnn_cannot(r, "more than %d dimensions", IMPORT_DML_DIMENSIONS);
}

/* The tensors with leading ones, the inputs' data, and how many dimensions count. */
static bool set_tuples(import_reader *r, const import_operand *const *all, const char *const *names, size_t count)
{
    uint32_t rank;
    if (!common_rank(r, all, count, &rank))
        return false;
    for (size_t i = 0; i < count; ++i) {
        json_object_set_new(r->descriptor, names[i], import_webnn_tensor(all[i], rank - all[i]->rank));
        if (i + 1 < count) /* the output is the last one */
            json_object_set(r->inputs, names[i], all[i]->data);
    }
    json_object_set_new(r->descriptor, "InputDimensionCount", json_integer(r->input.rank));
    json_object_set_new(r->descriptor, "IndicesDimensionCount", json_integer(r->indices.rank));
    return true;
}

static bool map_gather_nd(import_reader *r)
{
    static const char *const names[] = { "InputTensor", "IndicesTensor", "OutputTensor" };
    const import_operand *const all[] = { &r->input, &r->indices, &r->output };
    uint32_t block = 0;
    return take_tuples(r, &block) && import_webnn_has_rank(r, r->indices.rank - 1 + block) &&
           set_tuples(r, all, names, 3);
}

static bool map_scatter_nd(import_reader *r)
{
    static const char *const names[] = { "InputTensor", "IndicesTensor", "UpdatesTensor", "OutputTensor" };
    const import_operand *const all[] = { &r->input, &r->indices, &r->updates, &r->output };
    uint32_t block = 0;
    if (!take_tuples(r, &block) || !import_webnn_input(r, "updates", &r->updates) ||
        !import_webnn_has_rank(r, r->input.rank))
        return false;
    if (r->updates.rank != r->indices.rank - 1 + block)
        return error_usage(r->e, "updates: expected %u dimensions, not %u", r->indices.rank - 1 + block,
                           r->updates.rank);
    return set_tuples(r, all, names, 4);
}

/* ---- sums, joined tensors, blocks -------------------------------------------------------------------------------- */

static bool map_cumulative_sum(import_reader *r)
{
    json_int_t axis;
    bool exclusive, reversed;
    if (!map_identity(r) || !import_webnn_axis(r, import_webnn_argument(r, "axis"), &axis) ||
        !import_webnn_flag(r, "exclusive", &exclusive) || !import_webnn_flag(r, "reversed", &reversed))
        return false;
    json_object_set_new(r->descriptor, "Axis", json_integer(axis));
    json_object_set_new(r->descriptor, "AxisDirection",
                        json_string(reversed ? "DML_AXIS_DIRECTION_DECREASING" : "DML_AXIS_DIRECTION_INCREASING"));
    json_object_set_new(r->descriptor, "HasExclusiveSum", json_boolean(exclusive));
    return true;
}

static bool map_concat(import_reader *r)
{
    const json_t *names = import_webnn_argument(r, "inputs"), *axis = import_webnn_argument(r, "axis");
    const size_t count = json_array_size(names);
    if (count == 0)
        return error_usage(r->e, "operators[0].arguments: { \"inputs\": ... } does not name inputs");
    if (count > WEBNN_MOST_JOINED)
        return import_webnn_cannot(r, "more than %d inputs", WEBNN_MOST_JOINED);
    json_t *tensors = json_array(), *data = json_array();
    json_object_set_new(r->descriptor, "InputTensors", tensors);
    json_object_set_new(r->inputs, "InputTensors", data);
    for (size_t i = 0; i < count; ++i) {
        const char *name = json_string_value(json_array_get(names, i));
        if (!name)
            return error_usage(r->e, "operators[0].arguments: inputs: item %zu is no name of an input", i);
        if (!import_webnn_operand(r, "inputs", name, &r->joined[i]))
            return false;
        if (r->joined[i].rank != r->joined[0].rank)
            return error_usage(r->e, "inputs: item %zu has %u dimensions, the first one has %u", i, r->joined[i].rank,
                               r->joined[0].rank);
        json_array_append_new(tensors, import_webnn_tensor(&r->joined[i], 0));
        json_array_append(data, r->joined[i].data);
    }
    json_int_t along;
    r->input.rank = r->joined[0].rank;
    if (!import_webnn_has_rank(r, r->input.rank) || !import_webnn_axis(r, axis, &along))
        return false;
    json_object_set_new(r->descriptor, "OutputTensor", import_webnn_tensor(&r->output, 0));
    json_object_set_new(r->descriptor, "Axis", json_integer(along));
    return true;
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static const import_mapping mappings[] = {
    { "slice", "dml.slice1", IMPORT_MOST_DIMENSIONS, " input starts sizes options ", " strides label ", map_slice },
    { "reverse", "dml.slice1", IMPORT_DML_DIMENSIONS, " input options ", " axes label ", map_reverse },
    { "gather", "dml.gather", IMPORT_DML_DIMENSIONS, " input indices options ", " axis label ", map_gather },
    { "gatherElements", "dml.gather_elements", IMPORT_DML_DIMENSIONS, " input indices options ", " axis label ",
      map_gather_elements },
    { "gatherND", "dml.gather_nd", IMPORT_DML_DIMENSIONS, " input indices options ", " label ", map_gather_nd },
    { "scatterElements", "dml.scatter_elements", IMPORT_DML_DIMENSIONS, " input indices updates options ",
      " axis label ", map_scatter_elements },
    { "scatterND", "dml.scatter_nd", IMPORT_DML_DIMENSIONS, " input indices updates options ", " label ",
      map_scatter_nd },
    { "concat", "dml.join", IMPORT_DML_DIMENSIONS, " inputs axis options ", " label ", map_concat },
    { "cumulativeSum", "dml.cumulative_summation", IMPORT_DML_DIMENSIONS, " input axis options ",
      " exclusive reversed label ", map_cumulative_sum },
    { "identity", "dml.element_wise_identity", IMPORT_DML_DIMENSIONS, " input options ", " label ", map_identity },
    { "transpose", "dml.element_wise_identity", IMPORT_DML_DIMENSIONS, " input options ", " permutation label ",
      map_transpose },
    { "expand", "dml.element_wise_identity", IMPORT_DML_DIMENSIONS, " input newShape options ", " label ", map_expand },
};

const import_mapping *import_webnn_mapping(const import_reader *r, const char *name)
{
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; ++i)
        if (strcmp(mappings[i].webnn, name) == 0)
            return &mappings[i];
    import_webnn_cannot(r, "%.60s is no operator of the suite", name);
    return NULL;
}
