/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/descriptor_internal.h"
#include "harness/base/did_you_mean.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- reading attributes ------------------------------------------------------------------------------------ */

static const struct {
    int64_t min, max;
} attr_ranges[] = {
    [TS_ATTR_U32] = { 0, UINT32_MAX },
    [TS_ATTR_I32] = { INT32_MIN, INT32_MAX },
    [TS_ATTR_I64] = { INT64_MIN, INT64_MAX },
    [TS_ATTR_BIT] = { 0, UINT8_MAX },
};

/* Read a number. In a mask, any value other than 0 and 1 breaks the mask's clause. */
static bool read_number(const ts_attr_decl *a, const descriptor_place *p, const json_t *json, int64_t *value)
{
    char name[128];
    bigint n;
    bool inside;
    if (a->type == TS_ATTR_BIT && p->r->found && bigint_from_json(json, &n)) {
        *value = bigint_clamp(&n, 0, UINT8_MAX, &inside);
        if (!inside) {
            operator_violate(p->r->found, a->bit_clause, TS_RESULT_INVALID, -1, p->index, "%s = %s is neither 0 nor 1",
                             descriptor_place_name(p, name, sizeof name), n.text);
            *value = 0;
        }
        return true;
    }
    return descriptor_read_signed(p, json, attr_ranges[a->type].min, attr_ranges[a->type].max, value);
}

/* One value of an attribute: a number, or the name of an enumeration's value with or without the prefix that its
   names share. */
static bool read_value(const ts_attr_decl *a, const descriptor_place *p, const json_t *json, int64_t *value)
{
    char where[128];
    did_you_mean_names known = { .count = 0 };
    bigint ignored;
    if (!json_is_string(json) || !a->names || bigint_from_json(json, &ignored))
        return read_number(a, p, json, value);
    const char *word = json_string_value(json);
    for (int64_t i = 0; a->names[i]; ++i) {
        const char *name = a->names[i];
        size_t extra = strlen(name) > strlen(word) ? strlen(name) - strlen(word) : 0;
        if (descriptor_is_word(word, name + extra) && (extra == 0 || name[extra - 1] == '_')) {
            *value = i;
            return true;
        }
        did_you_mean_add(&known, name);
    }
    return did_you_mean_unknown(p->r->e, descriptor_place_name(p, where, sizeof where), "value", word, &known);
}

static bool read_attr(descriptor_reader *r, unsigned k, json_t *json)
{
    const ts_attr_decl *a = &r->d->op->attrs[k];
    int64_t values[TS_MAX_ATTR_BYTES];
    size_t count = a->count == TS_ARRAY ? json_array_size(json) : 1;
    descriptor_place p = { r, a->name, NULL, -1, -1 };
    if (!json || json_is_null(json))
        return true;
    if (a->count == TS_ARRAY && !json_is_array(json))
        return descriptor_expected(&p, json, "a list of integers") || descriptor_forgive(&p, NULL);
    if (a->count == TS_ARRAY && count > a->capacity)
        return error_usage(r->e, "%s: %zu values, there is room for %u", a->name, count, (unsigned)a->capacity) ||
               descriptor_forgive(&p, NULL);
    for (size_t i = 0; i < count; ++i) {
        p.index = a->count == TS_ARRAY ? (int)i : -1;
        values[i] = 0; /* unless it can be read */
        if (!read_value(a, &p, a->count == TS_ARRAY ? json_array_get(json, i) : json, &values[i]) &&
            !descriptor_forgive(&p, NULL))
            return false;
    }
    if (!operator_set_attr(r->d, k, values, count))
        return error_set(r->e, "%s: cannot be stored", a->name);
    return true;
}

/* Arrays that share a count must have equally many values, and as many as the count if it is given. Exception: full
   arrays may have a count above their capacity. */
static bool check_counts(descriptor_reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        if (a->count != TS_ARRAY || !json_is_array(attrs[k]))
            continue;
        size_t count = json_array_size(attrs[k]);
        for (unsigned j = 0; j < op->attr_count; ++j) {
            const ts_attr_decl *b = &op->attrs[j];
            if (b->counts && b->offset == a->count_offset && (r->d->attrs_given >> j & 1)) {
                int64_t stated = operator_attr_value(r->d, j, 0);
                if ((int64_t)count != stated && !(count == a->capacity && stated > (int64_t)count) &&
                    !descriptor_miscounted(r, -1, "%s is %" PRId64 ", but %s has %zu value%s", b->name, stated, a->name,
                                           count, count == 1 ? "" : "s"))
                    return false;
            } else if (j > k && b->count == TS_ARRAY && b->count_offset == a->count_offset && json_is_array(attrs[j]) &&
                       json_array_size(attrs[j]) != count &&
                       !descriptor_miscounted(r, -1, "%s has %zu value%s, but %s has %zu", a->name, count,
                                              count == 1 ? "" : "s", b->name, json_array_size(attrs[j]))) {
                return false;
            }
        }
    }
    return true;
}

/* A scalar that counts arrays, at least one of which is present. */
static bool read_count(descriptor_reader *r, unsigned k, json_t *json, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    uint32_t count = 0;
    bool listed = false, stated = false;
    for (unsigned j = 0; j < op->attr_count; ++j)
        listed = listed || (op->attrs[j].count == TS_ARRAY && op->attrs[j].count_offset == op->attrs[k].offset &&
                            json_is_array(attrs[j]));
    for (unsigned i = 0; i < op->list_count; ++i)
        listed = listed || (op->lists[i].count == k && r->listed >> i & 1);
    if (!listed || !json || json_is_null(json))
        return read_attr(r, k, json);
    descriptor_place p = { r, op->attrs[k].name, NULL, -1, -1 };
    if (!descriptor_read_count(&p, json, &count, &stated))
        return descriptor_forgive(&p, NULL);
    return !stated || operator_set_attr(r->d, k, &(int64_t){ count }, 1) ||
           error_set(r->e, "%s: cannot be stored", op->attrs[k].name);
}

/* A list of tensors has as many members as its count says, which follows from the list if it is left out. */
static bool count_lists(descriptor_reader *r)
{
    const ts_operator *op = r->d->op;
    for (unsigned i = 0; i < op->list_count; ++i) {
        const ts_tensor_list *l = &op->lists[i];
        const ts_attr_decl *a = &op->attrs[l->count];
        const int64_t stated = operator_attr_value(r->d, l->count, 0), length = r->list_length[i];
        if (!(r->listed >> i & 1))
            continue;
        if ((r->d->attrs_given >> l->count & 1) && stated != length &&
            !descriptor_miscounted(r, -1, "%s is %" PRId64 ", but %s has %" PRId64 " tensor%s", a->name, stated,
                                   l->name, length, length == 1 ? "" : "s"))
            return false;
        operator_set_attr(r->d, l->count, &length, 1);
    }
    return true;
}

/* Scalars that count arrays come first, so that arrays do not override them. */
static bool read_attrs(descriptor_reader *r, json_t *const *attrs)
{
    const ts_operator *op = r->d->op;
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (op->attrs[k].counts && !read_count(r, k, attrs[k], attrs))
            return false;
    }
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (!op->attrs[k].counts && !read_attr(r, k, attrs[k]))
            return false;
    }
    if (!check_counts(r, attrs) || !count_lists(r))
        return false;
    descriptor_fill_attrs(r, attrs);
    return true;
}

/* ---- reading a descriptor ---------------------------------------------------------------------------------- */

bool descriptor_has_levels(const ts_operator *op)
{
    return op->support_count > 0 && op->support[op->support_count - 1].level != 0;
}

bool descriptor_set_level(ts_descriptor *d, const char *name, error *e)
{
    size_t count;
    did_you_mean_names known = { .count = 0 };
    const ts_level *levels = tensor_levels(&count);
    if (!descriptor_has_levels(d->op))
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

/* An unknown field. Where a reader goes on, it is taken for the field that it probably means, and *tensor or *attr is
   set. */
static bool unknown_field(descriptor_reader *r, const json_t *json, const char *key, int *tensor, int *attr)
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
    add_field(&known, &absent, json, "profile");
    add_field(&known, &absent, json, "feature_level");
    const char *meant = did_you_mean_name(&absent, key);
    did_you_mean_told(r->e, op->name, "field", key, meant, &known);
    if (!descriptor_forgive(&(descriptor_place){ r, "", NULL, -1, -1 }, key))
        return false;
    if (!meant && did_you_mean_name(&known, key)) /* a second spelling of a field that is given */
        return true;
    const ts_tensor_list *l = meant ? operator_list_named(op, meant) : NULL;
    *tensor = l ? (int)l->first : meant ? operator_tensor_index(op, meant) : -1;
    *attr = meant ? operator_attr_index(op, meant) : -1;
    descriptor_read_as(r, *tensor, *attr, "");
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
        return error_usage(r->e, "%s: %zu tensors, there is room for %u", l->name, n, l->most) ||
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
        if (!known && !unknown_field(r, json, key, &tensor, &attr))
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
    return collect(&r, json, tensors, attrs) && read_tensors(&r, tensors) && read_attrs(&r, attrs) &&
           descriptor_complete(&r);
}

bool descriptor_from_json(const ts_operator *op, json_t *json, ts_descriptor *d, ts_report *found, error *e)
{
    return descriptor_read(op, json, d, found, NULL, e);
}
