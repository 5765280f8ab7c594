/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor.h"
#include "harness/model/value.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one element ------------------------------------------------------------------------------------------- */

/* "0x7fc1": the bits of the element. */
static bool store_hex(uint32_t dtype, void *p, const char *text)
{
    char *end;
    size_t bytes = tensor_element_bytes(dtype);
    if (!isxdigit((unsigned char)text[2]) || strlen(text) > 18)
        return false;
    uint64_t bits = strtoull(text + 2, &end, 16);
    if (*end != 0 || (bytes < 8 && bits >> 8 * bytes != 0))
        return false;
    value_store_bits(dtype, p, bits);
    return true;
}

/* "nan(0x7e01)": the bits of a NaN, all of them. */
static bool store_nan(uint32_t dtype, void *p, const char *text)
{
    char hex[24];
    unsigned char element[8];
    size_t length = strlen(text);
    if (length < 7 || length >= sizeof hex || text[length - 1] != ')')
        return false;
    snprintf(hex, sizeof hex, "%.*s", (int)(length - 5), text + 4);
    if (strncmp(hex, "0x", 2) != 0 || !store_hex(dtype, element, hex) || !isnan(value_to_double(dtype, element)))
        return false;
    memcpy(p, element, tensor_element_bytes(dtype));
    return true;
}

static bool store_decimal(const ts_dtype_info *type, uint32_t dtype, void *p, const char *text)
{
    char *end;
    bool stored;
    if (text[0] == 0 || isspace((unsigned char)text[0]))
        return false;
    errno = 0;
    if (type->is_float) {
        double value =
            strtod(text, &end); /* a value that is out of range is rounded to infinity or to the nearest denormal */
        return *end == 0 && value_store_double(dtype, p, value);
    }
    if (!type->is_signed && type->bits == 64 && text[0] != '-') {
        value_store_bits(dtype, p, strtoull(text, &end, 10));
        stored = true;
    } else {
        stored = value_store_int(dtype, p, strtoll(text, &end, 10));
    }
    return stored && *end == 0 && errno == 0;
}

static bool store_string(const ts_dtype_info *type, uint32_t dtype, void *p, const char *text)
{
    if (strncmp(text, "0x", 2) == 0)
        return store_hex(dtype, p, text);
    if (type->is_float && strncmp(text, "nan(", 4) == 0)
        return store_nan(dtype, p, text);
    if (dtype == TS_BOOLEAN && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0))
        return value_store_int(dtype, p, text[0] == 't');
    return store_decimal(type, dtype, p, text);
}

static bool store(const ts_dtype_info *type, uint32_t dtype, void *p, const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_INTEGER:
        /* A float type stores the nearest value, as it does for a fraction. */
        return type->is_float ? value_store_double(dtype, p, (double)json_integer_value(json))
                              : value_store_int(dtype, p, json_integer_value(json));
    case JSON_REAL: return value_store_double(dtype, p, json_real_value(json));
    case JSON_TRUE: return value_store_int(dtype, p, 1);
    case JSON_FALSE: return value_store_int(dtype, p, 0);
    case JSON_STRING: return store_string(type, dtype, p, json_string_value(json));
    default: return false;
    }
}

bool descriptor_element_from_json(uint32_t dtype, const json_t *json, void *p)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    return type && tensor_element_bytes(dtype) > 0 && store(type, dtype, p, json);
}

/* ---- a list of elements ------------------------------------------------------------------------------------ */

/* The elements of a tensor while they are read. */
typedef struct filler {
    const ts_tensor *t;
    const ts_dtype_info *type;
    const char *what;
    uint64_t coord[TS_MAX_DIMS], position, count;
    bool compare; /* check, after all elements were stored, that elements at the same address agree */
    error *e;
} filler;

static bool fill_element(filler *f, const json_t *json)
{
    unsigned char element[8];
    void *p = tensor_at(f->t, f->coord);
    if (!store(f->type, f->t->dtype, element, json)) {
        char *text = json_dumps(json, JSON_ENCODE_ANY);
        error_usage(f->e, "%s: element %" PRIu64 " is %.60s: no value of %s", f->what, f->position, text ? text : "?",
                    f->type->id);
        free(text);
        return false;
    }
    if (!f->compare)
        memcpy(p, element, tensor_element_bytes(f->t->dtype));
    else if (memcmp(p, element, tensor_element_bytes(f->t->dtype)) != 0)
        return error_usage(f->e, "%s: element %" PRIu64 " shares its address with another that has another value",
                           f->what, f->position);
    tensor_next(f->t, f->coord);
    f->position++;
    return true;
}

static uint64_t count_elements(const json_t *json)
{
    uint64_t count = 0;
    if (!json_is_array(json))
        return 1;
    for (size_t i = 0; i < json_array_size(json); ++i)
        count += count_elements(json_array_get(json, i));
    return count;
}

/* jansson bounds the depth of what it parses, and so does the reader of Lua tables. */
static bool fill(filler *f, const json_t *json)
{
    if (!json_is_array(json))
        return fill_element(f, json);
    for (size_t i = 0; i < json_array_size(json); ++i) {
        if (!fill(f, json_array_get(json, i)))
            return false;
    }
    return true;
}

/* ---- the raw buffer --------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* The bytes that the tensor addresses are required; the padding after them, from rounding up, is optional. */
static bool check_raw_size(const ts_tensor *t, const char *what, uint64_t size, error *e)
{
    uint64_t span = 0;
    tensor_span_bytes(t, &span);
    if (size >= span && size <= t->total_bytes)
        return true;
    if (span == t->total_bytes)
        return error_usage(e, "%s: %" PRIu64 " raw bytes, expected %" PRIu64, what, size, span);
    return error_usage(e, "%s: %" PRIu64 " raw bytes, expected %" PRIu64 " or %" PRIu64, what, size, span,
                       t->total_bytes);
}

static bool fill_raw(const ts_tensor *t, const char *what, const char *hex, size_t length, error *e)
{
    unsigned char *bytes = t->data;
    if (length % 2 != 0)
        return error_usage(e, "%s: the raw bytes have an odd number of hex digits, %zu", what, length);
    if (!check_raw_size(t, what, length / 2, e))
        return false;
    for (size_t i = 0; i < length; i += 2) {
        int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
        if (high < 0 || low < 0)
            return error_usage(e, "%s: raw byte %zu is no pair of hex digits", what, i / 2);
        bytes[i / 2] = (unsigned char)(high << 4 | low);
    }
    return true;
}

bool descriptor_data_from_json(const ts_tensor *t, const char *what, json_t *json, error *e)
{
    filler f = { .t = t, .type = tensor_dtype(t->dtype), .what = what, .e = e };
    const json_t *raw = json_object_get(json, "raw");
    if (!f.type || tensor_element_bytes(t->dtype) == 0 || !tensor_element_count(t, &f.count))
        return error_set(e, "%s: a tensor that can hold no data", what);
    if (json_is_string(raw) && json_object_size(json) == 1)
        return fill_raw(t, what, json_string_value(raw), json_string_length(raw), e);
    if (!json_is_array(json) && f.count != 1)
        return error_usage(e, "%s: expected a list of %" PRIu64 " numbers, or { \"raw\": \"hex\" }", what, f.count);
    uint64_t found = count_elements(json);
    if (found != f.count)
        return error_usage(e, "%s: %" PRIu64 " numbers, expected %" PRIu64, what, found, f.count);
    if (!fill(&f, json))
        return false;
    f.compare = true;
    f.position = 0;
    return !tensor_overlaps(t) || fill(&f, json);
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

json_t *descriptor_element_to_json(uint32_t dtype, const void *p)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    uint64_t bits = value_bits(dtype, p);
    char text[40];
    if (type->is_float) {
        double value = value_to_double(dtype, p);
        return isfinite(value) ? json_real(value) : json_string(value_format(dtype, p, text, sizeof text));
    }
    if (dtype == TS_BOOLEAN && bits > 1) {
        snprintf(text, sizeof text, "0x%02x", (unsigned)bits);
        return json_string(text);
    }
    if (!type->is_signed && bits > INT64_MAX)
        return json_string(value_format(dtype, p, text, sizeof text));
    if (type->is_signed && bits >> (type->bits - 1) != 0 && type->bits < 64)
        bits |= ~UINT64_C(0) << type->bits;
    return json_integer((json_int_t)bits);
}

json_t *descriptor_raw_to_json(const void *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char *from = bytes;
    char *hex = size < SIZE_MAX / 2 ? malloc(2 * size + 1) : NULL;
    json_t *json = NULL;
    if (hex) {
        for (size_t i = 0; i < size; ++i) {
            hex[2 * i] = digits[from[i] >> 4];
            hex[2 * i + 1] = digits[from[i] & 15];
        }
        json = json_stringn_nocheck(hex, 2 * size);
    }
    free(hex);
    return json;
}

json_t *descriptor_data_to_json(const ts_tensor *t)
{
    json_t *list = json_array();
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    if (!list || !tensor_element_count(t, &count) || count == 0)
        return list;
    do {
        if (json_array_append_new(list, descriptor_element_to_json(t->dtype, tensor_at(t, coord))) != 0) {
            json_decref(list);
            return NULL;
        }
    } while (tensor_next(t, coord));
    return list;
}
