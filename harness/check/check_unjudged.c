/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_unjudged.h"

#include <string.h>

static bool is_unjudged(const ts_operator *op, const char *field)
{
    const char *const *fields = op ? op->unjudged_fields : NULL;
    while (fields && *fields && strcmp(*fields, field) != 0)
        ++fields;
    return fields && *fields;
}

/* Is this a DML_SCALE_BIAS? Of the fields that are not judged, there is no other. */
static bool is_scale_bias(const json_t *value)
{
    return json_object_size(value) == 2 && json_is_number(json_object_get(value, "Scale")) &&
           json_is_number(json_object_get(value, "Bias"));
}

bool check_unjudged_take(check_item *item, const ts_operator *op, const char *where, const char *key,
                         const json_t *value)
{
    if (!is_unjudged(op, key))
        return false;
    if (is_scale_bias(value)) {
        item->uncomputed = true;
        check_note(item, "%s.%s is given, with which nothing is computed here", where, key);
    } else if (!json_is_null(value)) {
        item->undecided = true;
        check_note(item, "%s.%s is not judged here: it is no record of Scale and Bias", where, key);
    }
    return true;
}

bool check_unjudged_take_all(check_item *item, const ts_operator *op, json_t *descriptor, error *e)
{
    for (const char *const *field = op->unjudged_fields; field && *field; ++field) {
        const json_t *value = json_object_get(descriptor, *field);
        if (!value)
            continue;
        if (!json_is_null(value) && !is_scale_bias(value))
            return error_usage(e, "%s: expected null or a record with the numbers Scale and Bias", *field);
        check_unjudged_take(item, op, "descriptor", *field, value);
        json_object_del(descriptor, *field);
    }
    return true;
}

/* DirectML refuses it with 64-bit types where operators alike were asked; no page says so. */
void check_unjudged_settle(check_item *item)
{
    for (unsigned k = 0; item->uncomputed && k < item->d.op->tensor_count; ++k)
        item->undecided = item->undecided || tensor_element_bytes(item->d.tensors[k].dtype) == 8;
}
