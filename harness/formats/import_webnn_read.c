/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/import_webnn_internal.h"

#include "harness/casefile/case_view.h"
#include "harness/formats/webnn.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

bool import_webnn_cannot(const import_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(r->t->why, sizeof r->t->why, format, args);
    va_end(args);
    return false;
}

/* ---- lists of numbers -------------------------------------------------------------------------------------------- */

bool import_webnn_list(const import_reader *r, const json_t *list, const char *what, uint64_t *values, uint32_t *count)
{
    size_t i;
    const json_t *item;
    if (!json_is_array(list))
        return error_usage(r->e, "%s: expected a list of numbers", what);
    if (json_array_size(list) > r->most)
        return import_webnn_cannot(r, "more than %u dimensions", r->most);
    json_array_foreach(list, i, item)
    {
        if (json_is_object(item))
            return import_webnn_cannot(r, "a dynamic size without a number for it");
        if (!json_is_integer(item) || json_integer_value(item) < 0 || json_integer_value(item) > UINT32_MAX)
            return error_usage(r->e, "%s: item %zu is no integer from 0 to %u", what, i, UINT32_MAX);
        values[i] = (uint64_t)json_integer_value(item);
    }
    *count = (uint32_t)json_array_size(list);
    return true;
}

bool import_webnn_each(const import_reader *r, const json_t *list, const char *what, uint64_t *values)
{
    uint32_t count;
    if (!import_webnn_list(r, list, what, values, &count))
        return false;
    return count == r->input.rank ||
           error_usage(r->e, "%s: %u numbers, but the input has %u dimensions", what, count, r->input.rank);
}

json_t *import_webnn_list_of(const uint64_t *values, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; ++i)
        json_array_append_new(list, json_integer((json_int_t)values[i]));
    return list;
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

bool import_webnn_only_members(json_t *record, const char *words, const char **other)
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

/* Is a size of this dimension possible? A dynamic one is { "name": "batch", "maxSize": 5 }. */
static bool dimension_allows(const json_t *declared, uint64_t size)
{
    const json_t *least = json_object_get(declared, "minSize"), *most = json_object_get(declared, "maxSize");
    if (json_is_object(declared))
        return (!least || (uint64_t)json_integer_value(least) <= size) &&
               (!most || (uint64_t)json_integer_value(most) >= size);
    return json_is_integer(declared) && (uint64_t)json_integer_value(declared) == size;
}

/* The shape of the descriptor. Where it has dynamic sizes, a shape beside the descriptor has numbers for them. */
static bool take_shape(const import_reader *r, const json_t *found, const json_t *declared, const char *name,
                       import_operand *o)
{
    const json_t *beside = json_object_get(found, "shape");
    char what[120];
    snprintf(what, sizeof what, "%.60s.%sshape", name, beside ? "" : "descriptor.");
    if (!import_webnn_list(r, beside ? beside : declared, what, o->sizes, &o->rank))
        return false;
    if (beside && (!json_is_array(declared) || json_array_size(declared) != o->rank))
        return error_usage(r->e, "%s: %u dimensions, but the descriptor has %zu", what, o->rank,
                           json_array_size(declared));
    for (uint32_t i = 0; beside && i < o->rank; ++i)
        if (!dimension_allows(json_array_get(declared, i), o->sizes[i]))
            return error_usage(r->e, "%s: item %u is %" PRIu64 ", which the descriptor does not allow", what, i,
                               o->sizes[i]);
    return true;
}

static bool take_descriptor(const import_reader *r, const json_t *found, const char *name, import_operand *o)
{
    json_t *descriptor = json_object_get(found, "descriptor");
    const json_t *type = json_object_get(descriptor, "dataType");
    const char *other;
    if (!json_is_object(descriptor) || !json_is_string(type))
        return error_usage(r->e, "%.60s.descriptor: expected { \"shape\": [...], \"dataType\": \"...\" }", name);
    if (!import_webnn_only_members(descriptor, " shape dataType ", &other))
        return import_webnn_cannot(r, "descriptors have \"%.40s\"", other);
    o->dtype = webnn_type_named(json_string_value(type));
    if (o->dtype == TS_DTYPE_UNKNOWN)
        return import_webnn_cannot(r, "the type \"%.40s\" is not judged", json_string_value(type));
    if (!take_shape(r, found, json_object_get(descriptor, "shape"), name, o))
        return false;
    o->count = 1;
    for (uint32_t i = 0; i < o->rank; ++i) {
        if (o->sizes[i] != 0 && o->count > CASE_VIEW_MOST_ELEMENTS / o->sizes[i])
            return import_webnn_cannot(r, "a tensor has more than %" PRIu64 " elements", CASE_VIEW_MOST_ELEMENTS);
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

static bool take_data(const import_reader *r, const json_t *data, const char *name, import_operand *o)
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

bool import_webnn_operand(const import_reader *r, const char *where, const char *name, import_operand *o)
{
    const json_t *list = json_object_get(r->graph, where), *found = json_object_get(list, name);
    char path[120];
    snprintf(path, sizeof path, "graph.%s.%.60s", where, name);
    if (!json_is_object(found))
        return error_usage(r->e, "%s: expected { \"data\": ..., \"descriptor\": ... }", path);
    return take_descriptor(r, found, path, o) && take_data(r, json_object_get(found, "data"), path, o);
}

/* ---- the operator ------------------------------------------------------------------------------------------------ */

json_t *import_webnn_argument_of(const json_t *op, const char *name)
{
    const json_t *list = json_object_get(op, "arguments");
    json_t *found = NULL;
    for (size_t i = 0; !found && i < json_array_size(list); ++i)
        found = json_object_get(json_array_get(list, i), name);
    return found;
}

json_t *import_webnn_argument(const import_reader *r, const char *name)
{
    return import_webnn_argument_of(r->op, name);
}

const json_t *import_webnn_option(const import_reader *r, const char *name)
{
    return json_object_get(import_webnn_argument(r, "options"), name);
}

bool import_webnn_flag(const import_reader *r, const char *name, bool *value)
{
    const json_t *given = import_webnn_option(r, name);
    *value = json_is_true(given);
    return !given || json_is_boolean(given) || error_usage(r->e, "options: %s: expected true or false", name);
}

bool import_webnn_axis(const import_reader *r, const json_t *given, json_int_t *axis)
{
    const uint32_t rank = r->input.rank;
    if (given && (!json_is_integer(given) || json_integer_value(given) < 0 || json_integer_value(given) >= rank))
        return error_usage(r->e, "axis: expected an integer below the %u dimensions of the input", rank);
    if (rank == 0)
        return error_usage(r->e, "axis: the input has no dimensions");
    *axis = json_integer_value(given);
    return true;
}

bool import_webnn_input(const import_reader *r, const char *name, import_operand *o)
{
    const json_t *given = import_webnn_argument(r, name);
    return json_is_string(given)
               ? import_webnn_operand(r, "inputs", json_string_value(given), o)
               : error_usage(r->e, "operators[0].arguments: { \"%s\": ... } does not name an input", name);
}

json_t *import_webnn_tensor(const import_operand *o, uint32_t leading)
{
    json_t *sizes = json_array();
    for (uint32_t i = 0; i < leading || i + o->rank == 0; ++i)
        json_array_append_new(sizes, json_integer(1));
    for (uint32_t i = 0; i < o->rank; ++i)
        json_array_append_new(sizes, json_integer((json_int_t)o->sizes[i]));
    return json_pack("{s:s, s:o*}", "DataType", tensor_dtype(o->dtype)->dml, "Sizes", sizes);
}

bool import_webnn_has_rank(const import_reader *r, uint32_t rank)
{
    return r->output.rank == rank ||
           error_usage(r->e, "graph.expectedOutputs: the output has %u dimensions, expected %u", r->output.rank, rank);
}
