/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_resource.h"

#include "harness/base/bigint.h"
#include "harness/base/did_you_mean.h"
#include "harness/base/input.h"
#include "harness/base/text.h"
#include "harness/check/check_tree.h"
#include "harness/check/json_scanner.h"
#include "harness/model/tensor.h"
#include "harness/model/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

bool check_store_number(uint32_t dtype, void *at, const json_t *json)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    bigint n;
    bool inside;
    if (json_is_integer(json) && value_store_int(dtype, at, json_integer_value(json)))
        return true;
    if (dtype == TS_UINT64 && json_is_string(json) && bigint_from_json(json, &n)) { /* beyond JSON's own range */
        value_store_bits(dtype, at, bigint_clamp_unsigned(&n, UINT64_MAX, &inside));
        return inside;
    }
    if (!type->is_float)
        return false;
    if (json_is_number(json))
        return value_store_double(dtype, at, json_number_value(json));
    const char *word = json_is_string(json) ? json_string_value(json) : "";
    if (strcasecmp(word, "nan") == 0)
        return value_store_double(dtype, at, (double)NAN);
    if (strcasecmp(word, "inf") == 0 || strcasecmp(word, "-inf") == 0)
        return value_store_double(dtype, at, word[0] == '-' ? -(double)INFINITY : (double)INFINITY);
    return false;
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

typedef struct reader {
    source_text *t;
    check_span whole, values; /* the resource; its initialValues */
    const char *folder;
    uint32_t dtype;
    uint64_t bytes; /* of the initial values */
    bool sized;
    error *e;
} reader;

static bool is_kind(const reader *r, check_span span, char bracket)
{
    return span.end > span.begin && r->t->bytes[span.begin] == bracket;
}

static uint32_t type_named(const char *word)
{
    const uint32_t dtype = tensor_dtype_named(word);
    const ts_dtype_info *type = tensor_dtype(dtype);
    const char *end = type && type->dml ? strstr(word, type->dml) : NULL; /* no spelling of another specification */
    return end && (end == word || strncmp(word, "DML_TENSOR_DATA_TYPE_", (size_t)(end - word)) == 0) ? dtype
                                                                                                     : TS_DTYPE_UNKNOWN;
}

/* Read a field that names a data type; absent and "UNKNOWN" are no type. */
static bool read_type(reader *r, check_span object, const char *name, uint32_t *dtype)
{
    check_span at;
    *dtype = TS_DTYPE_UNKNOWN;
    if (!json_scanner_find(r->t, object, name, &at))
        return true;
    json_t *json = check_tree(r->t, at, r->e);
    const char *word = json_string_value(json);
    const bool none = word && (strcmp(word, "UNKNOWN") == 0 || strcmp(word, "DML_TENSOR_DATA_TYPE_UNKNOWN") == 0);
    did_you_mean search;
    char hint[DID_YOU_MEAN_SIZE];
    *dtype = word ? type_named(word) : TS_DTYPE_UNKNOWN;
    did_you_mean_start(&search, word ? word : "");
    for (uint32_t type = 1; type < TS_DTYPE_COUNT; ++type)
        if (tensor_dtype(type) && tensor_dtype(type)->dml)
            did_you_mean_try(&search, tensor_dtype(type)->dml);
    const bool fine = none || *dtype != TS_DTYPE_UNKNOWN;
    if (json && !fine)
        source_text_error(r->e, r->t, at.begin, "%s%s%.40s%s is no DML_TENSOR_DATA_TYPE%s", name, word ? " \"" : "",
                          word ? word : "", word ? "\"" : "", did_you_mean_hint(&search, hint));
    json_decref(json);
    return json && fine;
}

/* Read an unsigned field; `absent` without it, or where it is required, NULL, an error. */
static bool read_count(reader *r, check_span object, const char *name, const uint64_t *absent, uint64_t most,
                       uint64_t *value)
{
    check_span at;
    bigint n;
    bool inside = false;
    if (!json_scanner_find(r->t, object, name, &at)) {
        *value = absent ? *absent : 0;
        return absent || source_text_error(r->e, r->t, object.begin, "%s is missing", name);
    }
    json_t *json = check_tree(r->t, at, r->e);
    if (json && (json_is_integer(json) || json_is_string(json)) && r->t->bytes[at.begin] != '"' &&
        bigint_from_json(json, &n))
        *value = bigint_clamp_unsigned(&n, most, &inside);
    if (json && !inside)
        source_text_error(r->e, r->t, at.begin, "%s: expected an integer from 0 to %" PRIu64, name, most);
    json_decref(json);
    return inside;
}

/* Is this value, of a field of that name, one that the data type holds? */
static bool check_value(reader *r, uint32_t dtype, check_span at, const char *name)
{
    unsigned char element[8];
    json_t *json = check_tree(r->t, at, r->e);
    /* a string that begins without a quote is an integer beyond 64 bits */
    const bool quoted = is_kind(r, at, '"');
    const bool fine = json && !(quoted && !tensor_dtype(dtype)->is_float) && check_store_number(dtype, element, json);
    if (json && !fine)
        source_text_error(r->e, r->t, at.begin, "%s = %.*s is no value of %s", name,
                          at.end - at.begin < 40 ? (int)(at.end - at.begin) : 40, r->t->bytes + at.begin,
                          tensor_dtype(dtype)->dml);
    json_decref(json);
    return fine;
}

/* A list: of values of one type, or of { type, value } each. */
static bool read_list(reader *r)
{
    check_span one, value;
    size_t at = 0;
    uint32_t dtype = r->dtype;
    char name[48];
    for (size_t i = 0; json_scanner_element(r->t, r->values, &at, &one); ++i) {
        if (r->dtype == TS_DTYPE_UNKNOWN) {
            if (!is_kind(r, one, '{'))
                return source_text_error(
                    r->e, r->t, one.begin,
                    "expected { \"type\": ..., \"value\": ... }, as without initialValuesDataType");
            if (!read_type(r, one, "type", &dtype))
                return false;
            if (tensor_element_bytes(dtype) == 0 || !json_scanner_find(r->t, one, "value", &value))
                return source_text_error(r->e, r->t, one.begin, "expected a type and a value");
        } else {
            value = one;
        }
        snprintf(name, sizeof name, "initialValues[%zu]", i);
        if (!check_value(r, dtype, value, name))
            return false;
        r->bytes += tensor_element_bytes(dtype);
    }
    return true;
}

/* The bytes that a file holds behind the header of .npy; unknown if it is not there or an image. */
static bool read_file(reader *r, check_span at)
{
    char path[1200];
    unsigned char head[12] = { 0 };
    error ignored;
    json_t *json = check_tree(r->t, at, r->e);
    const char *name = json_string_value(json);
    if (json && !name)
        source_text_error(r->e, r->t, at.begin, "sourcePath: expected the name of a file");
    if (!name) {
        json_decref(json);
        return false;
    }
    const bool npy = text_ends_in(name, ".npy"), image = text_ends_in(name, ".png") || text_ends_in(name, ".jpg");
    r->sized = false;
    snprintf(path, sizeof path, "%s%s", name[0] != '/' && r->folder ? r->folder : "", name);
    json_decref(json);
    if (!r->folder || image)
        return true;
    FILE *file = input_open(path, &ignored);
    if (!file)
        return source_text_error(r->e, r->t, at.begin, "sourcePath: %s", ignored.text);
    const size_t n = fread(head, 1, sizeof head, file);
    const long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    fclose(file);
    const uint64_t header = !npy              ? 0
                            : n < sizeof head ? UINT64_MAX
                            : head[6] == 1    ? 10u + head[8] + 256u * head[9]
                                              : 12u + head[8] + 256u * head[9] + 65536u * head[10];
    r->sized = size >= 0 && (uint64_t)size >= header;
    r->bytes = r->sized ? (uint64_t)size - header : 0;
    return true;
}

/* { valueCount, value }, { valueCount, valueStart, valueDelta } or { sourcePath }. */
static bool read_generator(reader *r)
{
    check_span value, start, delta, path;
    uint64_t count = 0;
    const bool constant = json_scanner_find(r->t, r->values, "value", &value);
    const bool sequence = json_scanner_find(r->t, r->values, "valueStart", &start);
    const bool file = json_scanner_find(r->t, r->values, "sourcePath", &path);
    if ((constant && (sequence || file)) || !(constant || sequence || file))
        return source_text_error(r->e, r->t, r->values.begin,
                                 "initialValues: expected one of value, valueStart and sourcePath");
    if (!constant && !sequence)
        return read_file(r, path);
    if (tensor_element_bytes(r->dtype) == 0)
        return source_text_error(r->e, r->t, r->whole.begin, "initialValuesDataType is missing or \"UNKNOWN\"");
    if (!read_count(r, r->values, "valueCount", NULL, UINT32_MAX, &count))
        return false;
    if (!constant && !json_scanner_find(r->t, r->values, "valueDelta", &delta))
        return source_text_error(r->e, r->t, r->values.begin, "initialValues: valueDelta is missing");
    r->bytes = count * tensor_element_bytes(r->dtype);
    return constant ? check_value(r, r->dtype, value, "value")
                    : check_value(r, r->dtype, start, "valueStart") && check_value(r, r->dtype, delta, "valueDelta");
}

static bool read_values(reader *r)
{
    if (is_kind(r, r->values, '['))
        return read_list(r);
    if (is_kind(r, r->values, '{'))
        return read_generator(r);
    return source_text_error(r->e, r->t, r->values.begin,
                             "initialValues: expected a list, a record, or the word \"deferred\"");
}

bool check_resource_read(source_text *t, check_span span, const char *folder, check_resource *resource, error *e)
{
    reader r = { .t = t, .whole = span, .folder = folder, .sized = true, .e = e };
    uint64_t size = 0, offset = 0;
    check_span at;
    if (!is_kind(&r, span, '{'))
        return source_text_error(e, t, span.begin, "a resource is a record { \"initialValues\": ... }");
    if (!json_scanner_find(t, span, "initialValues", &r.values))
        return source_text_error(e, t, span.begin, "initialValues is missing");
    if (!read_type(&r, span, "initialValuesDataType", &r.dtype))
        return false;
    resource->element = tensor_element_bytes(r.dtype);
    if (json_scanner_is(t, (check_span){ r.values.begin + 1, r.values.end - 1 }, "deferred") &&
        is_kind(&r, r.values, '"'))
        return true;
    if (!read_values(&r))
        return false;
    if (r.sized && r.bytes == 0)
        return source_text_error(e, t, r.values.begin, "initialValues: no values");
    const uint64_t rounded = r.bytes + (4 - r.bytes % 4) % 4;
    if (!read_count(&r, span, "sizeInBytes", &rounded, UINT64_MAX, &size) ||
        !read_count(&r, span, "initialValuesOffsetInBytes", &(uint64_t){ 0 }, UINT64_MAX, &offset))
        return false;
    if (r.sized && (offset > size || r.bytes > size - offset)) {
        const bool stated = json_scanner_find(t, span, "sizeInBytes", &at);
        return source_text_error(e, t, stated ? at.begin : span.begin,
                                 "a buffer of %" PRIu64 " bytes for initial values of %" PRIu64 " bytes at %" PRIu64,
                                 size, r.bytes, offset);
    }
    resource->sized = r.sized || json_scanner_find(t, span, "sizeInBytes", &at);
    resource->bytes = size;
    return true;
}
