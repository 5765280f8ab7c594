/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/import_webnn.h"

#include "harness/casefile/case_view.h"
#include "harness/formats/webnn.h"
#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIMENSIONS 8 /* of DirectML's tensors */

/* A tensor of the test. */
typedef struct operand {
    uint32_t dtype, rank;
    uint64_t sizes[MOST_DIMENSIONS];
    uint64_t count; /* of elements */
    json_t *data;   /* as many values, owned */
} operand;

typedef struct reader {
    const json_t *graph, *op; /* op: the one operator */
    operand input, indices, updates, output;
    json_t *descriptor, *inputs; /* of the record, owned */
    import_test *t;
    error *e;
} reader;

/* Say why the suite cannot express the test; false. */
static bool ERROR_PRINTF(2, 3) cannot(const reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->t->why, sizeof r->t->why, format, args);
    va_end(args);
    return false;
}

/* ---- lists of numbers -------------------------------------------------------------------------------------------- */

/* Read a list of at most MOST_DIMENSIONS numbers of 32 bits. */
static bool take_list(const reader *r, const json_t *list, const char *what, uint64_t *values, uint32_t *count)
{
    size_t i;
    const json_t *item;
    if (!json_is_array(list))
        return error_usage(r->e, "%s: expected a list of numbers", what);
    if (json_array_size(list) > MOST_DIMENSIONS)
        return cannot(r, "more than %d dimensions", MOST_DIMENSIONS);
    json_array_foreach(list, i, item)
    {
        if (!json_is_integer(item) || json_integer_value(item) < 0 || json_integer_value(item) > UINT32_MAX)
            return error_usage(r->e, "%s: item %zu is no integer from 0 to %u", what, i, UINT32_MAX);
        values[i] = (uint64_t)json_integer_value(item);
    }
    *count = (uint32_t)json_array_size(list);
    return true;
}

/* The same, of one number for each dimension of the input. */
static bool take_each(const reader *r, const json_t *list, const char *what, uint64_t *values)
{
    uint32_t count;
    if (!take_list(r, list, what, values, &count))
        return false;
    return count == r->input.rank ||
           error_usage(r->e, "%s: %u numbers, but the input has %u dimensions", what, count, r->input.rank);
}

static json_t *list_of(const uint64_t *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; ++i)
        json_array_append_new(list, json_integer((json_int_t)values[i]));
    return list;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

/* Are all members of a record among these words, each between spaces? If not, *other is the first one. */
static bool only_members(json_t *record, const char *words, const char **other)
{
    const char *key;
    json_t *value;
    char word[80];
    json_object_foreach(record, key, value)
    {
        snprintf(word, sizeof word, " %s ", key);
        if (!strstr(words, word)) {
            *other = key;
            return false;
        }
    }
    return true;
}

static bool take_descriptor(const reader *r, json_t *descriptor, const char *name, operand *o)
{
    const json_t *shape = json_object_get(descriptor, "shape"), *type = json_object_get(descriptor, "dataType");
    const char *other;
    char what[120];
    snprintf(what, sizeof what, "%.60s.descriptor.shape", name);
    if (!json_is_object(descriptor) || !json_is_string(type))
        return error_usage(r->e, "%.60s.descriptor: expected { \"shape\": [...], \"dataType\": \"...\" }", name);
    if (!only_members(descriptor, " shape dataType ", &other))
        return cannot(r, "descriptors have \"%.40s\"", other);
    o->dtype = webnn_type_named(json_string_value(type));
    if (o->dtype == TS_DTYPE_UNKNOWN)
        return cannot(r, "the type \"%.40s\" is not judged", json_string_value(type));
    if (!take_list(r, shape, what, o->sizes, &o->rank))
        return false;
    o->count = 1;
    for (uint32_t i = 0; i < o->rank; ++i) {
        if (o->sizes[i] != 0 && o->count > CASE_VIEW_MOST_ELEMENTS / o->sizes[i])
            return cannot(r, "a tensor has more than %" PRIu64 " elements", CASE_VIEW_MOST_ELEMENTS);
        o->count *= o->sizes[i];
    }
    return true;
}

/* A value of a list: a number, or the digits of one beyond 64 bits or of a BigInt, which some tools write as "12n". */
static json_t *value_of(const json_t *value)
{
    const char *text = json_string_value(value);
    const size_t length = text ? strlen(text) : 0;
    if (length > 1 && strspn(text, "-0123456789") == length - 1 && text[length - 1] == 'n')
        return json_stringn(text, length - 1);
    return json_deep_copy(value);
}

static bool take_data(const reader *r, const json_t *data, const char *name, operand *o)
{
    const uint64_t given = json_array_size(data);
    if (!json_is_array(data) && !json_is_number(data))
        return error_usage(r->e, "%.60s.data: expected a list of numbers, or one for all elements", name);
    if (json_is_array(data) && given != o->count)
        return error_usage(r->e, "%.60s.data: %" PRIu64 " values, but the shape has %" PRIu64 " elements", name, given,
                           o->count);
    o->data = json_array();
    for (uint64_t i = 0; i < o->count; ++i) {
        json_t *value = value_of(json_is_array(data) ? json_array_get(data, (size_t)i) : data);
        if (json_array_append_new(o->data, value) != 0)
            return error_set(r->e, "out of memory");
    }
    return true;
}

static bool take_operand(const reader *r, const char *where, const char *name, operand *o)
{
    const json_t *list = json_object_get(r->graph, where), *found = json_object_get(list, name);
    char path[120];
    snprintf(path, sizeof path, "graph.%s.%.60s", where, name);
    if (!json_is_object(found))
        return error_usage(r->e, "%s: expected { \"data\": ..., \"descriptor\": ... }", path);
    return take_descriptor(r, json_object_get(found, "descriptor"), path, o) &&
           take_data(r, json_object_get(found, "data"), path, o);
}

/* ---- the operator ------------------------------------------------------------------------------------------------ */

/* An argument: the operator's `arguments` is a list of records with one member each. NULL: it is not given. */
static json_t *argument(const reader *r, const char *name)
{
    const json_t *list = json_object_get(r->op, "arguments");
    json_t *found = NULL;
    for (size_t i = 0; !found && i < json_array_size(list); ++i)
        found = json_object_get(json_array_get(list, i), name);
    return found;
}

static const json_t *option(const reader *r, const char *name)
{
    return json_object_get(argument(r, "options"), name);
}

static bool take_input(const reader *r, const char *name, operand *o)
{
    const json_t *given = argument(r, name);
    return json_is_string(given)
               ? take_operand(r, "inputs", json_string_value(given), o)
               : error_usage(r->e, "operators[0].arguments: { \"%s\": ... } does not name an input", name);
}

/* A tensor of the descriptor, with ones in front of its sizes; a scalar has one dimension. */
static json_t *tensor_of(const operand *o, uint32_t leading)
{
    json_t *sizes = json_array();
    for (uint32_t i = 0; i < leading || i + o->rank == 0; ++i)
        json_array_append_new(sizes, json_integer(1));
    for (uint32_t i = 0; i < o->rank; ++i)
        json_array_append_new(sizes, json_integer((json_int_t)o->sizes[i]));
    return json_pack("{s:s, s:o*}", "DataType", tensor_dtype(o->dtype)->dml, "Sizes", sizes);
}

/* Does the output have as many dimensions as the operation gives it? */
static bool has_rank(const reader *r, uint32_t rank)
{
    return r->output.rank == rank ||
           error_usage(r->e, "graph.expectedOutputs: the output has %u dimensions, expected %u", r->output.rank, rank);
}

/* The input of identity: these sizes and strides over the elements as they lie. */
static bool strided_input(const reader *r, const uint64_t *sizes, const uint64_t *strides, uint32_t rank)
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
        json_t *input = tensor_of(&r->input, 0), *raw = descriptor_raw_to_json(packed.data, size);
        json_object_set_new(input, "Sizes", list_of(rank ? sizes : one, rank ? rank : 1));
        json_object_set_new(input, "Strides", list_of(rank ? strides : one, rank ? rank : 1));
        json_object_set_new(r->descriptor, "InputTensor", input);
        json_object_set_new(r->inputs, "InputTensor", json_pack("{s:o*}", "raw", raw));
    }
    free(packed.data);
    return fine;
}

static bool map_slice1(const reader *r, const uint64_t *offsets, const uint64_t *sizes, const json_t *strides)
{
    const uint64_t zero[] = { 0 }, one[] = { 1 };
    const bool scalar = r->input.rank == 0;
    const uint32_t count = scalar ? 1 : r->input.rank;
    if (!has_rank(r, r->input.rank))
        return false;
    json_object_set_new(r->descriptor, "InputTensor", tensor_of(&r->input, 0));
    json_object_set_new(r->descriptor, "OutputTensor", tensor_of(&r->output, 0));
    json_object_set_new(r->descriptor, "InputWindowOffsets", list_of(scalar ? zero : offsets, count));
    json_object_set_new(r->descriptor, "InputWindowSizes", list_of(scalar ? one : sizes, count));
    json_object_set_new(r->descriptor, "InputWindowStrides", scalar ? list_of(one, 1) : json_deep_copy(strides));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    return true;
}

static bool map_slice(reader *r)
{
    uint64_t starts[MOST_DIMENSIONS], sizes[MOST_DIMENSIONS], steps[MOST_DIMENSIONS];
    const json_t *given = option(r, "strides");
    for (uint32_t i = 0; i < MOST_DIMENSIONS; ++i)
        steps[i] = 1;
    if (!take_each(r, argument(r, "starts"), "starts", starts) || !take_each(r, argument(r, "sizes"), "sizes", sizes) ||
        (given && !take_each(r, given, "strides", steps)))
        return false;
    json_t *strides = list_of(steps, r->input.rank);
    const bool fine = map_slice1(r, starts, sizes, strides);
    json_decref(strides);
    return fine;
}

static bool map_reverse(reader *r)
{
    uint64_t axes[MOST_DIMENSIONS], offsets[MOST_DIMENSIONS] = { 0 };
    uint32_t count = 0;
    const json_t *given = option(r, "axes");
    if (given && !take_list(r, given, "axes", axes, &count))
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
static bool take_indices(reader *r, json_int_t *axis)
{
    const json_t *given = option(r, "axis");
    const uint32_t rank = r->input.rank;
    if (!take_input(r, "indices", &r->indices))
        return false;
    if (given && (!json_is_integer(given) || json_integer_value(given) < 0 || json_integer_value(given) >= rank))
        return error_usage(r->e, "axis: expected an integer below the %u dimensions of the input", rank);
    if (rank == 0)
        return error_usage(r->e, "axis: the input has no dimensions");
    *axis = json_integer_value(given);
    return true;
}

static bool map_gather(reader *r)
{
    json_int_t axis;
    if (!take_indices(r, &axis))
        return false;
    const uint32_t picks = r->indices.rank, rank = r->input.rank;
    const uint32_t leading = picks > 1 ? picks - 1 : 0; /* ones that the input needs */
    const uint32_t dimensions = rank + leading;
    if (!has_rank(r, rank + picks - 1))
        return false;
    if (dimensions > MOST_DIMENSIONS)
        return cannot(r, "more than %d dimensions", MOST_DIMENSIONS);
    json_object_set_new(r->descriptor, "InputTensor", tensor_of(&r->input, leading));
    json_object_set_new(r->descriptor, "IndicesTensor", tensor_of(&r->indices, dimensions - picks));
    json_object_set_new(r->descriptor, "OutputTensor", tensor_of(&r->output, dimensions - r->output.rank));
    json_object_set_new(r->descriptor, "Axis", json_integer(axis + leading));
    json_object_set_new(r->descriptor, "IndexDimensions", json_integer(picks));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    json_object_set(r->inputs, "IndicesTensor", r->indices.data);
    return true;
}

static bool map_gather_elements(reader *r)
{
    json_int_t axis;
    if (!take_indices(r, &axis) || !has_rank(r, r->input.rank))
        return false;
    if (r->indices.rank != r->input.rank)
        return error_usage(r->e, "indices: expected the %u dimensions of the input, not %u", r->input.rank,
                           r->indices.rank);
    json_object_set_new(r->descriptor, "InputTensor", tensor_of(&r->input, 0));
    json_object_set_new(r->descriptor, "IndicesTensor", tensor_of(&r->indices, 0));
    json_object_set_new(r->descriptor, "OutputTensor", tensor_of(&r->output, 0));
    json_object_set_new(r->descriptor, "Axis", json_integer(axis));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    json_object_set(r->inputs, "IndicesTensor", r->indices.data);
    return true;
}

static bool map_scatter_elements(reader *r)
{
    if (!map_gather_elements(r) || !take_input(r, "updates", &r->updates))
        return false;
    if (r->updates.rank != r->input.rank)
        return error_usage(r->e, "updates: expected the %u dimensions of the input, not %u", r->input.rank,
                           r->updates.rank);
    json_object_set_new(r->descriptor, "UpdatesTensor", tensor_of(&r->updates, 0));
    json_object_set(r->inputs, "UpdatesTensor", r->updates.data);
    return true;
}

static bool map_identity(reader *r)
{
    if (!has_rank(r, r->input.rank))
        return false;
    json_object_set_new(r->descriptor, "InputTensor", tensor_of(&r->input, 0));
    json_object_set_new(r->descriptor, "OutputTensor", tensor_of(&r->output, 0));
    json_object_set(r->inputs, "InputTensor", r->input.data);
    return true;
}

static bool map_transpose(reader *r)
{
    const uint32_t rank = r->input.rank;
    const json_t *given = option(r, "permutation");
    uint64_t permutation[MOST_DIMENSIONS], sizes[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
    uint32_t seen = 0;
    ts_tensor packed;
    if (!has_rank(r, rank) || (given && !take_each(r, given, "permutation", permutation)))
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
    json_object_set_new(r->descriptor, "OutputTensor", tensor_of(&r->output, 0));
    return strided_input(r, sizes, strides, rank);
}

static bool map_expand(reader *r)
{
    uint64_t sizes[MOST_DIMENSIONS], strides[MOST_DIMENSIONS];
    uint32_t rank = 0;
    ts_tensor packed;
    if (!take_list(r, argument(r, "newShape"), "newShape", sizes, &rank) || !has_rank(r, rank))
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
    json_object_set_new(r->descriptor, "OutputTensor", tensor_of(&r->output, 0));
    return strided_input(r, sizes, strides, rank);
}

/* ---- a test ------------------------------------------------------------------------------------------------------ */

typedef struct mapping {
    const char *webnn, *operator_name;
    const char *arguments, *options; /* that it knows, each between spaces */
    bool (*map)(reader *r);
} mapping;

static const mapping mappings[] = {
    { "slice", "dml.slice1", " input starts sizes options ", " strides label ", map_slice },
    { "reverse", "dml.slice1", " input options ", " axes label ", map_reverse },
    { "gather", "dml.gather", " input indices options ", " axis label ", map_gather },
    { "gatherElements", "dml.gather_elements", " input indices options ", " axis label ", map_gather_elements },
    { "scatterElements", "dml.scatter_elements", " input indices updates options ", " axis label ",
      map_scatter_elements },
    { "identity", "dml.element_wise_identity", " input options ", " label ", map_identity },
    { "transpose", "dml.element_wise_identity", " input options ", " permutation label ", map_transpose },
    { "expand", "dml.element_wise_identity", " input newShape options ", " label ", map_expand },
};

static bool check_arguments(const reader *r, const mapping *m)
{
    const json_t *list = json_object_get(r->op, "arguments");
    json_t *options = argument(r, "options");
    const char *other;
    if (!json_is_array(list))
        return error_usage(r->e, "operators[0].arguments: expected a list of records");
    for (size_t i = 0; i < json_array_size(list); ++i)
        if (!only_members(json_array_get(list, i), m->arguments, &other))
            return cannot(r, "%s has the argument \"%.40s\"", m->webnn, other);
    if (options && !json_is_object(options))
        return error_usage(r->e, "options: expected a record");
    return only_members(options, m->options, &other) || cannot(r, "%s has the option \"%.40s\"", m->webnn, other);
}

static const mapping *mapping_of(const reader *r, const char *name)
{
    for (size_t i = 0; i < sizeof mappings / sizeof *mappings; ++i)
        if (strcmp(mappings[i].webnn, name) == 0)
            return &mappings[i];
    cannot(r, "%.60s is no operator of the suite", name);
    return NULL;
}

/* The one output of the operator, which is that of the graph. */
static bool take_output(reader *r)
{
    const json_t *expected = json_object_get(r->graph, "expectedOutputs"), *given = json_object_get(r->op, "outputs");
    if (json_is_array(given) && json_array_size(given) == 1)
        given = json_array_get(given, 0);
    if (!json_is_string(given))
        return error_usage(r->e, "operators[0].outputs: expected the name of one output");
    if (!json_is_object(expected) || json_object_size(expected) != 1)
        return error_usage(r->e, "graph.expectedOutputs: expected a record of one output");
    return take_operand(r, "expectedOutputs", json_string_value(given), &r->output);
}

/* The descriptor with its data, and the output that the test expects. */
static bool build(reader *r, const mapping *m)
{
    json_t *output = tensor_of(&r->output, 0);
    json_t *sizes = json_object_get(json_object_get(r->descriptor, "OutputTensor"), "Sizes");
    r->t->record =
        json_pack("{s:s, s:s, s:O, s:O, s:s, s:[{s:s, s:O, s:O, s:O}]}", "operator", m->operator_name, "name",
                  r->t->name, "descriptor", r->descriptor, "inputs", r->inputs, "expect", "accepted", "outputs", "name",
                  "OutputTensor", "dtype", json_object_get(output, "DataType"), "sizes", sizes, "data", r->output.data);
    json_decref(output);
    return r->t->record || error_set(r->e, "out of memory");
}

static bool import(reader *r)
{
    const json_t *operators = json_object_get(r->graph, "operators");
    const size_t count = json_array_size(operators);
    r->op = json_array_get(operators, 0);
    const json_t *name = json_object_get(r->op, "name");
    if (!json_is_object(r->graph) || !json_is_array(operators) || !json_is_string(name))
        return error_usage(r->e, "expected { \"name\": ..., \"graph\": { \"inputs\": {...}, \"operators\": [{...}], "
                                 "\"expectedOutputs\": {...} } }");
    if (count > 1)
        return cannot(r, "a graph of %zu operators", count);
    const mapping *m = mapping_of(r, json_string_value(name));
    if (!m || !check_arguments(r, m) || !take_output(r) || !take_input(r, "input", &r->input))
        return false;
    r->descriptor = json_object();
    r->inputs = json_object();
    return m->map(r) && build(r, m);
}

bool import_webnn(const json_t *test, import_test *t, error *e)
{
    const json_t *name = json_object_get(test, "name");
    reader r = { .graph = json_object_get(test, "graph"), .t = t, .e = e };
    t->record = NULL;
    t->why[0] = 0;
    snprintf(t->name, sizeof t->name, "%s", name ? json_string_value(name) ? json_string_value(name) : "" : "");
    const bool fine = import(&r);
    json_decref(r.descriptor);
    json_decref(r.inputs);
    json_decref(r.input.data);
    json_decref(r.indices.data);
    json_decref(r.updates.data);
    json_decref(r.output.data);
    return fine;
}
