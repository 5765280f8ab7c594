/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/import_case.h"

#include "harness/base/text.h"
#include "harness/model/descriptor.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* How a parameter of a case follows from a member of the descriptor. */
typedef enum source {
    SOURCE_VALUE, /* a number, or a list of numbers */
    SOURCE_RANK,  /* the length of a list */
    SOURCE_TYPE,  /* the name of a data type */
    SOURCE_LAYOUT /* "strides", where the member is there */
} source;

typedef struct parameter {
    const char *operator_name, *name, *member, *field; /* field: of a tensor; NULL: the member itself */
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

static void add_parameter(text *t, const parameter *p, const json_t *descriptor)
{
    const json_t *value = json_object_get(descriptor, p->member);
    value = p->field ? json_object_get(value, p->field) : value;
    if (!value)
        return;
    text_format(t, "%s%s=", t->data[t->length - 1] == ':' ? "" : ",", p->name);
    switch (p->from) {
    case SOURCE_VALUE: add_numbers(t, value); break;
    case SOURCE_RANK: text_format(t, "%zu", json_array_size(value)); break;
    case SOURCE_TYPE: text_add(t, tensor_dtype(tensor_dtype_named(json_string_value(value)))->id); break;
    case SOURCE_LAYOUT: text_add(t, "strides"); break;
    }
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
    text_format(&wanted, "%s:drawn:", operator_name);
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
