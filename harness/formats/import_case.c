/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/import_case.h"

#include "harness/base/text.h"
#include "harness/formats/webnn/graph.h"
#include "harness/model/descriptor.h"
#include "reference/operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How a parameter of a case follows from a member of the descriptor. */
typedef enum source {
    SOURCE_VALUE,  /* a number, or a list of numbers */
    SOURCE_RANK,   /* the length of a list */
    SOURCE_TYPE,   /* the name of a data type */
    SOURCE_LAYOUT, /* "strides", where the member is there */
    SOURCE_FLAG,   /* 0 or 1 */
    SOURCE_WORD,   /* the word of the case files for a value of an enumeration */
    SOURCE_LENGTH, /* the number of tensors in a list */
    SOURCE_PARTS   /* of all tensors in a list, the size along Axis; 1 of those that it lacks, up to 16 */
} source;

typedef struct parameter {
    const char *operator_name, *name, *member, *field; /* field: of a tensor, of a list the first one; NULL: the member
                                                          itself */
    source from;
} parameter;

static const parameter parameters[] = {
    { "dml.slice1", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.slice1", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.slice1", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.slice1", "offset", "InputWindowOffsets", NULL, SOURCE_VALUE },
    { "dml.slice1", "window", "InputWindowSizes", NULL, SOURCE_VALUE },
    { "dml.slice1", "stride", "InputWindowStrides", NULL, SOURCE_VALUE },
    { "dml.slice1", "out_size", "OutputTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.gather", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.gather", "index_dtype", "IndicesTensor", "DataType", SOURCE_TYPE },
    { "dml.gather", "axis", "Axis", NULL, SOURCE_VALUE },
    { "dml.gather", "index_dims", "IndexDimensions", NULL, SOURCE_VALUE },
    { "dml.gather", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather", "index_size", "IndicesTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather", "out_size", "OutputTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather_elements", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.gather_elements", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.gather_elements", "index_dtype", "IndicesTensor", "DataType", SOURCE_TYPE },
    { "dml.gather_elements", "axis", "Axis", NULL, SOURCE_VALUE },
    { "dml.gather_elements", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather_elements", "index_size", "IndicesTensor", "Sizes", SOURCE_VALUE },
    { "dml.scatter_elements", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.scatter_elements", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.scatter_elements", "index_dtype", "IndicesTensor", "DataType", SOURCE_TYPE },
    { "dml.scatter_elements", "axis", "Axis", NULL, SOURCE_VALUE },
    { "dml.scatter_elements", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.scatter_elements", "index_size", "IndicesTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather_nd", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.gather_nd", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.gather_nd", "index_dtype", "IndicesTensor", "DataType", SOURCE_TYPE },
    { "dml.gather_nd", "own", "InputDimensionCount", NULL, SOURCE_VALUE },
    { "dml.gather_nd", "dims", "IndicesDimensionCount", NULL, SOURCE_VALUE },
    { "dml.gather_nd", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.gather_nd", "index_size", "IndicesTensor", "Sizes", SOURCE_VALUE },
    { "dml.scatter_nd", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.scatter_nd", "own", "InputDimensionCount", NULL, SOURCE_VALUE },
    { "dml.scatter_nd", "index_dims", "IndicesDimensionCount", NULL, SOURCE_VALUE },
    { "dml.scatter_nd", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.scatter_nd", "index_dtype", "IndicesTensor", "DataType", SOURCE_TYPE },
    { "dml.scatter_nd", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.scatter_nd", "index_size", "IndicesTensor", "Sizes", SOURCE_VALUE },
    { "dml.scatter_nd", "update_size", "UpdatesTensor", "Sizes", SOURCE_VALUE },
    { "dml.join", "rank", "OutputTensor", "Sizes", SOURCE_RANK },
    { "dml.join", "dtype", "OutputTensor", "DataType", SOURCE_TYPE },
    { "dml.join", "axis", "Axis", NULL, SOURCE_VALUE },
    { "dml.join", "count", "InputTensors", NULL, SOURCE_LENGTH },
    { "dml.join", "size", "InputTensors", "Sizes", SOURCE_VALUE },
    { "dml.join", "part", "InputTensors", "Sizes", SOURCE_PARTS },
    { "dml.cumulative_summation", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.cumulative_summation", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.cumulative_summation", "axis", "Axis", NULL, SOURCE_VALUE },
    { "dml.cumulative_summation", "direction", "AxisDirection", NULL, SOURCE_WORD },
    { "dml.cumulative_summation", "exclusive", "HasExclusiveSum", NULL, SOURCE_FLAG },
    { "dml.cumulative_summation", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.space_to_depth1", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.space_to_depth1", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.space_to_depth1", "order", "Order", NULL, SOURCE_WORD },
    { "dml.space_to_depth1", "block", "BlockSize", NULL, SOURCE_VALUE },
    { "dml.space_to_depth1", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.space_to_depth1", "out_size", "OutputTensor", "Sizes", SOURCE_VALUE },
    { "dml.element_wise_identity", "rank", "InputTensor", "Sizes", SOURCE_RANK },
    { "dml.element_wise_identity", "dtype", "InputTensor", "DataType", SOURCE_TYPE },
    { "dml.element_wise_identity", "in_layout", "InputTensor", "Strides", SOURCE_LAYOUT },
    { "dml.element_wise_identity", "size", "InputTensor", "Sizes", SOURCE_VALUE },
    { "dml.element_wise_identity", "in_stride", "InputTensor", "Strides", SOURCE_VALUE },
};

/* Append "2.3.4", or a number. */
static void add_numbers(text *t, const json_t *value)
{
    size_t i;
    const json_t *item;
    if (json_is_integer(value))
        text_format(t, "%" PRId64, (int64_t)json_integer_value(value));
    json_array_foreach(value, i, item)
    {
        text_format(t, "%s%" PRId64, i ? "." : "", (int64_t)json_integer_value(item));
    }
}

/* The word of the case files for a value of an enumeration. */
static const char *word_of(const char *value)
{
    static const char *const words[][2] = { { "DML_AXIS_DIRECTION_INCREASING", "increasing" },
                                            { "DML_AXIS_DIRECTION_DECREASING", "decreasing" },
                                            { "DML_DEPTH_SPACE_ORDER_DEPTH_COLUMN_ROW", "dcr" },
                                            { "DML_DEPTH_SPACE_ORDER_COLUMN_ROW_DEPTH", "crd" } };
    for (size_t i = 0; value && i < sizeof words / sizeof *words; ++i)
        if (strcmp(words[i][0], value) == 0)
            return words[i][1];
    return "";
}

static void add_parts(text *t, const json_t *tensors, size_t axis)
{
    for (size_t i = 0; i < WEBNN_MOST_JOINED; ++i) {
        const json_t *sizes = json_object_get(json_array_get(tensors, i), "Sizes");
        const json_t *size = json_array_get(sizes, axis);
        text_format(t, "%s%" PRId64, i ? "." : "", size ? (int64_t)json_integer_value(size) : 1);
    }
}

static void add_parameter(text *t, const parameter *p, const json_t *descriptor)
{
    const json_t *member = json_object_get(descriptor, p->member);
    const json_t *tensor = json_is_array(member) && p->field ? json_array_get(member, 0) : member;
    const json_t *value = p->field ? json_object_get(tensor, p->field) : member;
    if (!value)
        return;
    text_format(t, "%s%s=", t->data[t->length - 1] == ':' ? "" : ",", p->name);
    switch (p->from) {
    case SOURCE_VALUE: add_numbers(t, value); break;
    case SOURCE_RANK: text_format(t, "%zu", json_array_size(value)); break;
    case SOURCE_TYPE: text_add(t, tensor_dtype(tensor_dtype_named(json_string_value(value)))->id); break;
    case SOURCE_LAYOUT: text_add(t, "strides"); break;
    case SOURCE_FLAG: text_add(t, json_is_true(value) ? "1" : "0"); break;
    case SOURCE_WORD: text_add(t, word_of(json_string_value(value))); break;
    case SOURCE_LENGTH: text_format(t, "%zu", json_array_size(value)); break;
    case SOURCE_PARTS: add_parts(t, member, (size_t)json_integer_value(json_object_get(descriptor, "Axis"))); break;
    }
}

/* The test of drawn cases: data types that are not judged have one of their own. */
static const char *drawn_test(const json_t *record)
{
    const ts_operator *op = operators_find(json_string_value(json_object_get(record, "operator")));
    const json_t *input = json_object_get(json_object_get(record, "descriptor"), "InputTensor");
    const char *type = json_string_value(json_object_get(input, "DataType"));
    return op && type && !operator_judges(op, tensor_dtype_named(type)) ? "drawn_unjudged" : "drawn";
}

/* Is this the descriptor of the case, whatever either leaves out? */
static bool same_descriptor(const case_view *c, const json_t *record)
{
    static ts_descriptor d;
    error ignored;
    bool same = false;
    if (descriptor_from_json(c->build.now.descriptor.op, json_object_get(record, "descriptor"), &d, NULL, &ignored)) {
        json_t *wanted = descriptor_to_json(&d), *found = descriptor_to_json(&c->build.now.descriptor);
        same = wanted && found && json_equal(wanted, found);
        json_decref(wanted);
        json_decref(found);
    }
    return same;
}

bool import_case(const json_t *record, char id[CASE_ID_SIZE], error *e)
{
    const char *operator_name = json_string_value(json_object_get(record, "operator"));
    text wanted = { .data = NULL };
    case_view c;
    id[0] = 0;
    text_format(&wanted, "%s:%s:", operator_name, drawn_test(record));
    for (size_t i = 0; !wanted.failed && i < sizeof parameters / sizeof *parameters; ++i)
        if (strcmp(parameters[i].operator_name, operator_name) == 0)
            add_parameter(&wanted, &parameters[i], json_object_get(record, "descriptor"));
    if (wanted.failed)
        return error_set(e, "out of memory");
    bool fine = case_view_find(&c, wanted.data, e);
    if (fine && same_descriptor(&c, record))
        snprintf(id, CASE_ID_SIZE, "%s", c.id);
    fine = fine || e->status == EXIT_BAD_USAGE; /* there is no such case */
    case_view_close(&c);
    text_free(&wanted);
    return fine;
}
