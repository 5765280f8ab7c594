/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_record.h"
#include "harness/check/check_dxdispatch.h"
#include "harness/check/check_unjudged.h"
#include "harness/model/descriptor.h"
#include "harness/base/did_you_mean.h"
#include "reference/operators.h"

#include <string.h>

static bool take_string(const json_t *record, const char *key, const char **value, error *e)
{
    const json_t *json = json_object_get(record, key);
    if (json && !json_is_null(json) && !json_is_string(json))
        return error_usage(e, "%s is no string", key);
    *value = json_string_value(json);
    return true;
}

/* Level and profile are set before the descriptor is read, because output sizes may depend on them. */
static bool settle_descriptor(const ts_operator *op, json_t *record, const check_options *o, json_t *descriptor,
                              error *e)
{
    static const char *const settings[] = { "profile", "feature_level" };
    const char *profile = tensor_profile_name(o->profile);
    for (size_t i = 0; i < 2; ++i) {
        json_t *value = json_object_get(record, settings[i]);
        if (value && json_object_get(descriptor, settings[i]))
            return error_usage(e, "%s is given twice", settings[i]);
        if (value && json_object_set(descriptor, settings[i], value) != 0)
            return error_set(e, "out of memory");
    }
    if (o->profile_given && op->openvino_types && json_object_set_new(descriptor, "profile", json_string(profile)) != 0)
        return error_set(e, "out of memory");
    if (o->level && operator_has_levels(op) &&
        json_object_set_new(descriptor, "feature_level", json_string(tensor_level_name(o->level))) != 0)
        return error_set(e, "out of memory");
    return true;
}

static bool check_fields(json_t *record, error *e)
{
    static const did_you_mean_names fields = {
        .names = { "operator", "descriptor", "inputs", "name", "profile", "feature_level", "expect", "clause",
                   "outputs" },
        .count = 9 /* the last three: what 'touchstone show --json' adds for other programs */
    };
    const char *key;
    json_t *value;
    json_object_foreach(record, key, value)
    {
        size_t i = 0;
        while (i < fields.count && strcmp(key, fields.names[i]) != 0)
            ++i;
        if (i == fields.count)
            return did_you_mean_unknown(e, "the record", "field", key, &fields);
    }
    return true;
}

static const ts_operator *find_operator(const char *name, error *e)
{
    const ts_operator *op = operators_find_known(name);
    did_you_mean_names computed = { .count = 0 };
    did_you_mean search;
    if (op)
        return op;
    did_you_mean_start(&search, name);
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        did_you_mean_try(&search, op->name);
        if (operator_computes(op))
            did_you_mean_add(&computed, op->name);
    }
    did_you_mean_told(e, "touchstone", "operator", name, search.best, &computed);
    return NULL;
}

bool check_record_unknown(json_t *record, const check_options *o, check_item *item)
{
    if (!(o->partly || o->name_unknown) || !item->op_name || operators_find_known(item->op_name))
        return false;
    const ts_operator *meant = check_operator_typed(item->op_name);
    item->known = item->judged = false;
    item->name = json_string_value(json_object_get(record, "name"));
    item->misspelt = meant != NULL;
    if (meant) /* the name that DxDispatch has for it */
        check_note(item, "not judged: the operator is not known here; did you mean %s?", meant->name);
    else
        item->misspelt = check_note_unknown(item, true);
    return true;
}

bool check_record_read(json_t *record, const check_options *o, check_item *item, error *e)
{
    const char *operator_name = NULL;
    json_t *given = json_object_get(record, "descriptor");
    if (!json_is_object(record))
        return error_usage(e, "expected a record { operator, descriptor, inputs }");
    if (!check_fields(record, e) || !take_string(record, "operator", &operator_name, e) ||
        !take_string(record, "name", &item->name, e))
        return false;
    if (!operator_name)
        return error_usage(e, "operator is missing");
    const ts_operator *op = find_operator(operator_name, e);
    if (!op)
        return false;
    if (!given)
        return error_usage(e, "descriptor is missing");
    if (!json_is_object(given) && !(json_is_array(given) && json_array_size(given) == 0))
        return error_usage(e, "descriptor is no record");
    json_t *descriptor = json_is_object(given) ? json_copy(given) : json_object();
    bool ok = settle_descriptor(op, record, o, descriptor, e) && check_unjudged_take_all(item, op, descriptor, e) &&
              check_read_descriptor(op, descriptor, o, item, e);
    if (ok)
        check_unjudged_settle(item);
    json_decref(descriptor);
    item->inputs = json_object_get(record, "inputs");
    return ok;
}
