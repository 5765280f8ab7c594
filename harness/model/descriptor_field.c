/* SPDX-License-Identifier: Apache-2.0 */
/* Values of a descriptor's fields. */
#include "harness/model/descriptor_internal.h"
#include "harness/base/did_you_mean.h"

#include <inttypes.h>
#include <stdio.h>

#define U32_RANGE "0 to 4294967295"

/* ---- words ------------------------------------------------------------------------------------------------- */

static const char *what_is(const json_t *json)
{
    if (!json)
        return "nothing";
    switch (json_typeof(json)) {
    case JSON_OBJECT: return "a record";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a string";
    case JSON_INTEGER: return "an integer";
    case JSON_REAL: return "a fraction";
    case JSON_NULL: return "null";
    default: return "a truth value";
    }
}

/* ---- places ------------------------------------------------------------------------------------------------ */

const char *descriptor_place_name(const descriptor_place *p, char *buf, size_t size)
{
    int n = snprintf(buf, size, "%s%s%s", p->owner, p->field ? "." : "", p->field ? p->field : "");
    if (p->index >= 0 && n > 0 && (size_t)n < size)
        snprintf(buf + n, size - (size_t)n, "[%d]", p->index);
    return buf;
}

bool descriptor_expected(const descriptor_place *p, const json_t *json, const char *what)
{
    char name[128];
    return error_usage(p->r->e, "%s: expected %s, found %s", descriptor_place_name(p, name, sizeof name), what,
                       what_is(json));
}

bool descriptor_miscounted(descriptor_reader *r, int tensor, const char *format, ...)
{
    char text[160];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!r->found)
        return error_usage(r->e, "%s", text);
    operator_violate(r->found, operator_count_clause.id, operator_count_clause.result, tensor, -1, "%s", text);
    return true;
}

/* As a violation: a number that is replaced by the nearest one decides nothing where gaps are collected. */
static bool judged_as(const descriptor_place *p, const bigint *n, const char *range, const char *nearest)
{
    if (!p->r->found || !p->r->gaps)
        return descriptor_out_of_range(p, n, range, nearest);
    descriptor_unread_number(p, n->text);
    return descriptor_out_of_range(p, n, range, NULL);
}

bool descriptor_out_of_range(const descriptor_place *p, const bigint *n, const char *range, const char *judged)
{
    char name[128];
    bool size = p->field && (strcmp(p->field, "Sizes") == 0 || strcmp(p->field, "shape") == 0);
    descriptor_place_name(p, name, sizeof name);
    if (!p->r->found)
        return error_usage(p->r->e, "%s = %s is out of range: %s", name, n->text, range);
    operator_violate(p->r->found, operator_range_clause.id, operator_range_clause.result, p->tensor,
                     size ? p->index : -1, "%s = %s is out of range: %s%s%s", name, n->text, range,
                     judged ? "; judged as " : "", judged ? judged : "");
    return true;
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

bool descriptor_read_signed(const descriptor_place *p, const json_t *json, int64_t min, int64_t max, int64_t *value)
{
    bigint n;
    bool inside;
    char range[48], nearest[24];
    if (json_is_integer(json) && json_integer_value(json) >= min &&
        json_integer_value(json) <= max) { /* nearly always */
        *value = json_integer_value(json);
        return true;
    }
    if (!bigint_from_json(json, &n))
        return descriptor_expected(p, json, "an integer");
    *value = bigint_clamp(&n, min, max, &inside);
    if (inside)
        return true;
    snprintf(range, sizeof range, "%" PRId64 " to %" PRId64, min, max);
    snprintf(nearest, sizeof nearest, "%" PRId64, *value);
    return judged_as(p, &n, range, nearest);
}

bool descriptor_read_u32(const descriptor_place *p, const json_t *json, uint32_t *value)
{
    int64_t number = 0;
    if (!descriptor_read_signed(p, json, 0, UINT32_MAX, &number))
        return false;
    *value = (uint32_t)number;
    return true;
}

bool descriptor_read_count(const descriptor_place *p, const json_t *json, uint32_t *value, bool *stated)
{
    bigint n;
    *stated = true;
    if (p->r->found && bigint_from_json(json, &n)) {
        bigint_clamp(&n, 0, UINT32_MAX, stated);
        if (!*stated)
            return descriptor_out_of_range(p, &n, U32_RANGE, "the number of values");
    }
    return descriptor_read_u32(p, json, value);
}

/* A value of a list. One that does not fit into 64 bits becomes the nearest value that does. */
static bool read_element(const descriptor_place *p, const json_t *json, uint64_t limit, uint64_t *value)
{
    bigint n;
    bool inside;
    char range[32], nearest[24];
    if (json_is_integer(json) && json_integer_value(json) >= 0 && (uint64_t)json_integer_value(json) <= limit) {
        *value = (uint64_t)json_integer_value(json);
        return true;
    }
    if (!bigint_from_json(json, &n))
        return descriptor_expected(p, json, "an integer");
    *value = bigint_clamp_unsigned(&n, UINT64_MAX, &inside);
    if (inside && (*value <= limit || !p->r->found))
        return true;
    snprintf(range, sizeof range, "0 to %" PRIu64, limit);
    snprintf(nearest, sizeof nearest, "%" PRIu64, *value);
    return inside ? descriptor_out_of_range(p, &n, range, NULL) : judged_as(p, &n, range, nearest);
}

bool descriptor_read_u64(const descriptor_place *p, const json_t *json, uint64_t *value)
{
    return read_element(p, json, UINT64_MAX, value);
}

bool descriptor_read_list(descriptor_place p, const json_t *json, uint64_t limit, uint64_t *values, uint32_t *count)
{
    char name[128];
    if (!json_is_array(json))
        return descriptor_expected(&p, json, "a list of integers");
    /* No tensor of DirectML has so many dimensions; those of OpenVINO may have any number. */
    if (json_array_size(json) > TS_MAX_DIMS && (p.r->d->op->openvino_types || !p.r->found))
        return descriptor_exceeds(p.r, "%s: %zu values, of which Touchstone judges up to %d",
                                  descriptor_place_name(&p, name, sizeof name), json_array_size(json), TS_MAX_DIMS);
    *count = (uint32_t)json_array_size(json);
    for (uint32_t i = 0; i < *count && i < TS_MAX_DIMS; ++i) {
        p.index = (int)i;
        values[i] = 1; /* unless it can be read */
        if (!read_element(&p, json_array_get(json, i), limit, &values[i]) && !descriptor_forgive(&p, NULL))
            return false;
    }
    return true;
}

bool descriptor_read_named(const descriptor_place *p, const json_t *json, const named_value *names, uint32_t *value)
{
    char where[128];
    bigint ignored;
    did_you_mean_names known = { .count = 0 };
    if (!json_is_string(json) || bigint_from_json(json, &ignored))
        return descriptor_read_u32(p, json, value);
    for (; names->name; ++names) {
        if (descriptor_is_word(json_string_value(json), names->name)) {
            *value = names->value;
            return true;
        }
        did_you_mean_add(&known, names->name);
    }
    return did_you_mean_unknown(p->r->e, descriptor_place_name(p, where, sizeof where), "value",
                                json_string_value(json), &known);
}

bool descriptor_read_dtype(const descriptor_place *p, const json_t *json, uint32_t *dtype)
{
    char where[128];
    bigint ignored;
    const ts_operator *op = p->r->d->op;
    static const named_value none[] = { { "UNKNOWN", 0 }, { "DML_TENSOR_DATA_TYPE_UNKNOWN", 0 }, { NULL, 0 } };
    did_you_mean_names known = { .count = 0 };
    if (!json_is_string(json) || bigint_from_json(json, &ignored) || strstr(json_string_value(json), "UNKNOWN"))
        return descriptor_read_named(p, json, none, dtype);
    *dtype = tensor_dtype_named(json_string_value(json));
    if (*dtype != TS_DTYPE_UNKNOWN)
        return true;
    for (uint32_t i = 0; i < TS_DTYPE_COUNT; ++i) {
        if (tensor_dtype(i) && (op->openvino_types ? tensor_dtype(i)->openvino : tensor_dtype(i)->dml))
            did_you_mean_add(&known, operator_dtype_name(op, i));
    }
    return did_you_mean_unknown(p->r->e, descriptor_place_name(p, where, sizeof where), "data type",
                                json_string_value(json), &known);
}
