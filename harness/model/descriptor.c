/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor_internal.h"
#include "harness/base/did_you_mean.h"

#include <stdio.h>

/* ---- reading a descriptor ---------------------------------------------------------------------------------- */

bool descriptor_set_level(ts_descriptor *d, const char *name, error *e)
{
    size_t count;
    did_you_mean_names known = { .count = 0 };
    const ts_level *levels = tensor_levels(&count);
    if (!operator_has_levels(d->op))
        return error_usage(e, "%s: its specification has no feature levels", d->op->name);
    d->feature_level = tensor_level_named(name);
    for (size_t i = 0; i < count; ++i)
        did_you_mean_add(&known, tensor_level_name(levels[i]));
    return d->feature_level ? true : did_you_mean_unknown(e, d->op->name, "feature level", name, &known);
}

bool descriptor_set_profile(ts_descriptor *d, const char *name, error *e)
{
    did_you_mean_names known = { .count = 0 };
    did_you_mean_add(&known, "default");
    if (d->op->openvino_types) {
        did_you_mean_add(&known, "openvino");
        did_you_mean_add(&known, "numpy");
    }
    for (size_t i = 0; i < known.count; ++i) {
        if (strcmp(name, known.names[i]) == 0) {
            d->profile = strcmp(name, "numpy") == 0 ? TS_PROFILE_NUMPY : TS_PROFILE_DEFAULT;
            return true;
        }
    }
    return did_you_mean_unknown(e, d->op->name, "profile", name, &known);
}

/* "4_1", or the number 4.1. */
static bool read_level(descriptor_reader *r, const json_t *json)
{
    char text[32];
    if (json_is_real(json) && json_real_value(json) > 0 && json_real_value(json) < 100)
        snprintf(text, sizeof text, "%.1f", json_real_value(json));
    else if (json_is_string(json))
        snprintf(text, sizeof text, "%s", json_string_value(json));
    else
        return descriptor_expected(&(descriptor_place){ r, "feature_level", NULL, -1, -1 }, json,
                                   "a name such as \"4_1\"");
    return descriptor_set_level(r->d, text, r->e);
}

static bool read_setting(descriptor_reader *r, const char *key, const json_t *json)
{
    if (strcmp(key, "profile") != 0)
        return read_level(r, json);
    if (!json_is_string(json))
        return descriptor_expected(&(descriptor_place){ r, key, NULL, -1, -1 }, json, "a name");
    return descriptor_set_profile(r->d, json_string_value(json), r->e);
}

static void add_field(did_you_mean_names *known, did_you_mean_names *absent, const json_t *json, const char *name)
{
    did_you_mean_add(known, name);
    if (!json_object_get(json, name))
        did_you_mean_add(absent, name);
}

/* A setting of the record, which the descriptor may have, too. */
static void add_setting(did_you_mean_names *absent, const json_t *json, const char *name)
{
    if (!json_object_get(json, name))
        did_you_mean_add(absent, name);
}

/* An unknown field. Where a reader goes on, it is taken for the field that it probably means, unless that has a value
   already, and *tensor or *attr is set. */
static bool unknown_field(descriptor_reader *r, const json_t *json, const char *key, json_t *const *tensors,
                          json_t *const *attrs, int *tensor, int *attr)
{
    const ts_operator *op = r->d->op;
    did_you_mean_names known = { .count = 0 };
    /* A field that is given is not the one that is meant. */
    did_you_mean_names absent = { .count = 0 };
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        if (operator_begins_field(op, k))
            add_field(&known, &absent, json, operator_field_of_tensor(op, k));
    }
    for (unsigned k = 0; k < op->attr_count; ++k)
        add_field(&known, &absent, json, op->attrs[k].name);
    add_setting(&absent, json, "profile");
    add_setting(&absent, json, "feature_level");
    const char *meant = did_you_mean_name(&absent, key);
    const ts_tensor_list *l = meant ? operator_list_named(op, meant) : NULL;
    const int first = l ? (int)l->first : meant ? operator_tensor_index(op, meant) : -1;
    const int named = meant ? operator_attr_index(op, meant) : -1;
    const bool taken = r->gaps && (first >= 0 ? !tensors[first] : named >= 0 && !attrs[named]);
    did_you_mean_told(r->e, op->name, "field", key, meant, &known);
    const size_t used = strlen(r->e->text);
    snprintf(r->e->text + used, sizeof r->e->text - used, "; the record has profile and feature_level");
    if (!descriptor_forgive(&(descriptor_place){ r, "", NULL, -1, -1 }, key))
        return false;
    if (taken) {
        *tensor = first;
        *attr = named;
        descriptor_read_as(r, *tensor, *attr, "", meant);
    }
    return true;
}

/* The members of a list of tensors. null is a member that is a null pointer. */
static bool collect_list(descriptor_reader *r, const ts_tensor_list *l, json_t *json, json_t **tensors)
{
    const ts_operator *op = r->d->op;
    const unsigned i = (unsigned)(l - op->lists);
    const descriptor_place p = { r, l->name, NULL, (int)l->first, -1 };
    if (json_is_null(json)) /* a null pointer, or no list at all */
        return true;
    if (r->listed >> i & 1)
        return error_usage(r->e, "%s: %s is given twice", op->name, l->name);
    const size_t n = json_array_size(json);
    if (!json_is_array(json) && !(json_is_object(json) && json_object_size(json) == 0))
        return descriptor_expected(&p, json, "a list of tensors") || descriptor_forgive(&p, NULL);
    if (n > l->most)
        return descriptor_exceeds(r, "%s: %zu tensors, of which Touchstone judges up to %u", l->name, n, l->most) ||
               descriptor_forgive(&p, NULL);
    for (size_t k = 0; k < n; ++k)
        tensors[l->first + k] = json_array_get(json, k);
    r->listed |= UINT32_C(1) << i;
    r->list_length[i] = (uint32_t)n;
    return true;
}

/* Sort the values by tensor and attribute, and read the settings. */
static bool collect(descriptor_reader *r, json_t *json, json_t **tensors, json_t **attrs)
{
    const ts_operator *op = r->d->op;
    const char *key;
    json_t *value, **slot;
    json_object_foreach(json, key, value)
    {
        int tensor = operator_tensor_index(op, key), attr = operator_attr_index(op, key);
        bool known = tensor >= 0 || attr >= 0;
        const ts_tensor_list *l = known ? NULL : operator_list_named(op, key);
        if (l) {
            if (!collect_list(r, l, value, tensors))
                return false;
            continue;
        }
        if (!known && (strcmp(key, "profile") == 0 || strcmp(key, "feature_level") == 0)) {
            if (!json_is_null(value) && !read_setting(r, key, value) &&
                !descriptor_forgive(&(descriptor_place){ r, "", NULL, -1, -1 }, key))
                return false;
            continue;
        }
        if (!known && !unknown_field(r, json, key, tensors, attrs, &tensor, &attr))
            return false;
        if (tensor < 0 && attr < 0)
            continue;
        slot = tensor >= 0 ? &tensors[tensor] : &attrs[attr];
        if (*slot && known)
            return error_usage(r->e, "%s: %s is given twice", op->name, key);
        if (!*slot)
            *slot = value;
    }
    return true;
}

/* Is there an input from which an absent output can be inferred? */
static bool has_input(const ts_operator *op, json_t *const *tensors)
{
    for (unsigned k = 0; k < op->tensor_count; ++k)
        if (op->tensors[k].role == TS_INPUT && tensors[k] && !json_is_null(tensors[k]))
            return true;
    return false;
}

static bool read_tensors(descriptor_reader *r, json_t *const *tensors)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        bool absent = !tensors[k] && op->tensors[k].role == TS_OUTPUT && !op->tensors[k].optional;
        if (absent && has_input(op, tensors)) {
            r->d->tensors[k].given = TS_GIVEN_ALL;
            r->derive_type[k] = r->derive_sizes[k] = true;
            if (r->gaps)
                r->gaps->absent |= UINT32_C(1) << k;
        } else if (tensors[k] && !descriptor_read_tensor(r, k, tensors[k])) {
            return false;
        }
    }
    return true;
}

bool descriptor_read(const ts_operator *op, json_t *json, ts_descriptor *d, ts_report *found, descriptor_gaps *gaps,
                     error *e)
{
    descriptor_reader r = { .d = d, .found = found, .gaps = gaps, .e = e };
    json_t *attrs[TS_MAX_ATTRS] = { NULL }, *tensors[TS_MAX_TENSORS] = { NULL };
    operator_begin(d, op);
    if (gaps)
        descriptor_no_gaps(gaps);
    if (!json_is_object(json) && !(json_is_array(json) && json_array_size(json) == 0))
        return descriptor_expected(&(descriptor_place){ &r, op->name, NULL, -1, -1 }, json,
                                   "a record of tensors and attributes");
    return collect(&r, json, tensors, attrs) && read_tensors(&r, tensors) && descriptor_read_attrs(&r, attrs) &&
           descriptor_complete(&r);
}

bool descriptor_from_json(const ts_operator *op, json_t *json, ts_descriptor *d, ts_report *found, error *e)
{
    return descriptor_read(op, json, d, found, NULL, e);
}
