/* SPDX-License-Identifier: Apache-2.0 */
/* The tensors of a descriptor. */
#include "harness/model/descriptor_internal.h"
#include "harness/base/did_you_mean.h"

/* ---- words ------------------------------------------------------------------------------------------------- */

/* The fields of a tensor, as DirectML and as OpenVINO spell them, with a third spelling where people use one. */
enum field { KIND, DESC, TYPE, DIMS, SIZES, STRIDES, TOTAL, ALIGNMENT, FLAGS, FIELDS };
static const struct {
    const char *dml, *openvino, *other;
} field_names[FIELDS] = {
    [KIND] = { "Type", NULL, NULL },
    [DESC] = { "Desc", NULL, NULL },
    [TYPE] = { "DataType", "type", "dtype" },
    [DIMS] = { "DimensionCount", "rank", NULL },
    [SIZES] = { "Sizes", "shape", "sizes" },
    [STRIDES] = { "Strides", "strides", NULL },
    [TOTAL] = { "TotalTensorSizeInBytes", "total_bytes", NULL },
    [ALIGNMENT] = { "GuaranteedBaseOffsetAlignment", "alignment", NULL },
    [FLAGS] = { "Flags", "flags", NULL },
};

static const named_value kinds[] = {
    { "BUFFER", 1 }, { "DML_TENSOR_TYPE_BUFFER", 1 }, { "INVALID", 0 }, { "DML_TENSOR_TYPE_INVALID", 0 }, { NULL, 0 }
};
static const named_value flag_values[] = { { "NONE", 0 },
                                           { "DML_TENSOR_FLAG_NONE", 0 },
                                           { "OWNED_BY_DML", 1 },
                                           { "DML_TENSOR_FLAG_OWNED_BY_DML", 1 },
                                           { NULL, 0 } };

/* The field of this name, or FIELDS. */
static unsigned field_named(const char *name)
{
    unsigned f = 0;
    while (f < FIELDS && !descriptor_is_word(name, field_names[f].dml) &&
           !descriptor_is_word(name, field_names[f].openvino) && !descriptor_is_word(name, field_names[f].other))
        ++f;
    return f;
}

/* The name that the operator's specification uses for a field. */
static const char *field_name(const ts_operator *op, unsigned field)
{
    const char *openvino = field_names[field].openvino;
    return op->openvino_types && openvino ? openvino : field_names[field].dml;
}

const char *descriptor_field_name(const char *field)
{
    unsigned f = field ? field_named(field) : FIELDS;
    return f == FIELDS ? "" : field_names[f].dml;
}

/* ---- reading tensors --------------------------------------------------------------------------------------- */

/* The largest size and stride: a UINT of DirectML, a size_t of OpenVINO. */
static uint64_t size_limit(const ts_operator *op)
{
    return op->openvino_types ? UINT64_MAX : UINT32_MAX;
}

/* The field that a misspelt name probably means, if the record does not have it; or NULL. */
static const char *meant_field(const did_you_mean_names *known, const json_t *json, const char *key)
{
    const char *meant = did_you_mean_name(known, key);
    return meant && !json_object_get(json, meant) ? meant : NULL;
}

/* Sort a record's values by field; those of a nested Desc count as its own. */
static bool collect_fields(descriptor_reader *r, const char *owner, json_t *json, json_t **fields)
{
    const char *key;
    json_t *value;
    descriptor_place p = { r, owner, NULL, operator_tensor_index(r->d->op, owner), -1 };
    if (json_is_array(json) && json_array_size(json) == 0)
        return true; /* an empty Lua table */
    if (!json_is_object(json))
        return descriptor_expected(&p, json, "a record with a data type and sizes") || descriptor_forgive(&p, NULL);
    json_object_foreach(json, key, value)
    {
        unsigned f = field_named(key);
        if (f == FIELDS) {
            did_you_mean_names known = { .count = 0 };
            for (unsigned i = r->d->op->openvino_types ? TYPE : 0; i < FIELDS; ++i)
                did_you_mean_add(&known, field_name(r->d->op, i));
            const char *meant = meant_field(&known, json, key);
            f = meant ? field_named(meant) : FIELDS;
            const bool taken = r->gaps && f != FIELDS && !fields[f];
            did_you_mean_told(r->e, owner, "field", key, meant, &known);
            if (!descriptor_forgive(&p, key))
                return false;
            if (!taken)
                continue;
            descriptor_read_as(r, p.tensor, -1, field_names[f].dml, meant);
        }
        if (fields[f])
            return error_usage(r->e, "%s: %s is given twice", owner, key);
        fields[f] = value;
        if (f == DESC && !json_is_null(value) && !collect_fields(r, owner, value, fields))
            return false;
    }
    return true;
}

static bool read_kind(descriptor_reader *r, descriptor_place p, json_t *const *fields, ts_tensor *t)
{
    uint32_t kind;
    if (fields[DESC] && json_is_null(fields[DESC]))
        t->given &= ~TS_GIVEN_DESC;
    if (!fields[KIND])
        return true;
    p.field = field_names[KIND].dml;
    if (json_is_string(fields[KIND]) && tensor_dtype_named(json_string_value(fields[KIND])))
        return error_usage(r->e, "%s.Type is the kind of tensor, BUFFER; the type of its elements is %s", p.owner,
                           field_name(r->d->op, TYPE));
    if (!descriptor_read_named(&p, fields[KIND], kinds, &kind))
        return descriptor_forgive(&p, NULL);
    if (kind != 1)
        t->given &= ~TS_GIVEN_DESC;
    return true;
}

/* A field without which a tensor cannot be read. */
static bool missing_field(const descriptor_place *p, const char *remark)
{
    if (descriptor_is_unread(p->r, p->tensor, -1, descriptor_field_name(p->field)))
        return true;
    error_usage(p->r->e, "%s: %s is missing%s", p->owner, p->field, remark);
    return descriptor_forgive(p, NULL);
}

/* Sizes and DimensionCount, which must agree unless DimensionCount exceeds the capacity. */
static bool read_sizes(descriptor_reader *r, descriptor_place p, json_t *const *fields, unsigned k, ts_tensor *t)
{
    uint32_t dims = 0, count = 0;
    bool null = fields[SIZES] && json_is_null(fields[SIZES]), stated = fields[DIMS] != NULL;
    if (null)
        t->given &= ~TS_GIVEN_SIZES;
    p.field = field_name(r->d->op, DIMS);
    if (stated && !(json_is_array(fields[SIZES]) ? descriptor_read_count(&p, fields[DIMS], &dims, &stated)
                                                 : descriptor_read_u32(&p, fields[DIMS], &dims))) {
        if (!descriptor_forgive(&p, NULL))
            return false;
        stated = false;
    }
    p.field = field_name(r->d->op, SIZES);
    if (!fields[SIZES] && !(t->given & TS_GIVEN_DESC))
        t->given &= ~TS_GIVEN_SIZES;
    else if (!fields[SIZES] && r->d->op->tensors[k].role == TS_OUTPUT)
        r->derive_sizes[k] = true;
    else if (!fields[SIZES])
        return missing_field(&p, " (null means a null pointer)");
    else if (!null && !descriptor_read_list(p, fields[SIZES], size_limit(r->d->op), t->sizes, &count))
        return descriptor_forgive(&p, NULL);
    t->rank = stated ? dims : count;
    if (fields[SIZES] && !null && t->rank != count && (t->rank <= TS_MAX_DIMS || count < TS_MAX_DIMS)) {
        if (!descriptor_miscounted(r, (int)k, "%s.%s is %u, but %s.%s has %u value%s", p.owner,
                                   field_name(r->d->op, DIMS), (unsigned)t->rank, p.owner, p.field, (unsigned)count,
                                   count == 1 ? "" : "s"))
            return false;
        t->rank = count;
        p.field = field_name(r->d->op, DIMS);
        descriptor_unread(&p);
    }
    if (r->derive_sizes[k] && fields[DIMS])
        return error_usage(r->e, "%s: %s is given without %s", p.owner, field_name(r->d->op, DIMS), p.field);
    return true;
}

/* The fields that are optional. */
static bool read_layout(descriptor_reader *r, descriptor_place p, json_t *const *fields, unsigned k, ts_tensor *t)
{
    const ts_operator *op = r->d->op;
    p.field = field_name(op, STRIDES);
    if (fields[STRIDES] && !json_is_null(fields[STRIDES])) {
        if (descriptor_read_list(p, fields[STRIDES], size_limit(op), t->strides, &r->stride_count[k]))
            t->given |= TS_GIVEN_STRIDES;
        else if (!descriptor_forgive(&p, NULL))
            return false;
    }
    p.field = field_name(op, TOTAL);
    r->total_stated[k] = fields[TOTAL] != NULL;
    if (fields[TOTAL] && !descriptor_read_u64(&p, fields[TOTAL], &t->total_bytes) && !descriptor_forgive(&p, NULL))
        return false;
    p.field = field_name(op, ALIGNMENT);
    if (fields[ALIGNMENT] && !descriptor_read_u32(&p, fields[ALIGNMENT], &t->alignment) &&
        !descriptor_forgive(&p, NULL))
        return false;
    p.field = field_name(op, FLAGS);
    return !fields[FLAGS] || descriptor_read_named(&p, fields[FLAGS], flag_values, &t->flags) ||
           descriptor_forgive(&p, NULL);
}

bool descriptor_read_tensor(descriptor_reader *r, unsigned k, json_t *json)
{
    const ts_operator *op = r->d->op;
    ts_tensor *t = &r->d->tensors[k];
    json_t *fields[FIELDS] = { NULL };
    descriptor_place p = { r, op->tensors[k].name, NULL, (int)k, -1 };
    if (json_is_null(json))
        return true;
    if (!collect_fields(r, p.owner, json, fields))
        return false;
    t->given = TS_GIVEN_ALL;
    if (!read_kind(r, p, fields, t) || !read_sizes(r, p, fields, k, t))
        return false;

    p.field = field_name(op, TYPE);
    if (fields[TYPE] && !descriptor_read_dtype(&p, fields[TYPE], &t->dtype) && !descriptor_forgive(&p, NULL))
        return false;
    if (!fields[TYPE] && op->tensors[k].role == TS_OUTPUT)
        r->derive_type[k] = true;
    else if (!fields[TYPE] && (t->given & TS_GIVEN_DESC) && !missing_field(&p, ""))
        return false;
    return read_layout(r, p, fields, k, t);
}

/* ---- derived fields ------------------------------------------------------------------------------------- */

/* The first present input, or NULL. */
static const ts_tensor *first_input(const ts_descriptor *d)
{
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (d->op->tensors[k].role == TS_INPUT && (d->tensors[k].given & TS_GIVEN_TENSOR))
            return &d->tensors[k];
    }
    return NULL;
}

/* Give outputs the sizes that the specification determines. If a broken clause makes them indeterminable, use ones
   in as many dimensions as their strides or else the input has, so that only that clause is reported. */
static bool derive_sizes(descriptor_reader *r)
{
    const ts_tensor *input = first_input(r->d);
    ts_descriptor shaped = *r->d;
    for (unsigned k = 0; k < shaped.op->tensor_count; ++k) {
        if (r->derive_sizes[k])
            shaped.tensors[k].rank = UINT32_MAX;
    }
    bool known = input && shaped.op->shape(&shaped);
    for (unsigned k = 0; k < shaped.op->tensor_count; ++k) {
        ts_tensor *t = &r->d->tensors[k];
        if (!r->derive_sizes[k])
            continue;
        if (known && shaped.tensors[k].rank == UINT32_MAX)
            return missing_field(
                &(descriptor_place){ r, shaped.op->tensors[k].name, field_name(shaped.op, SIZES), (int)k, -1 },
                ": the specification leaves it open");
        if (known) {
            t->rank = shaped.tensors[k].rank;
            memcpy(t->sizes, shaped.tensors[k].sizes, sizeof t->sizes);
        } else {
            if (r->gaps)
                r->gaps->no_shape |= UINT32_C(1) << k;
            t->rank = (t->given & TS_GIVEN_STRIDES) ? r->stride_count[k] : input ? input->rank : 1;
            for (uint32_t i = 0; i < t->rank && i < TS_MAX_DIMS; ++i)
                t->sizes[i] = 1;
        }
        for (uint32_t i = t->rank; i < TS_MAX_DIMS; ++i)
            t->sizes[i] = 0;
    }
    return true;
}

/* Strides and the number of bytes, which follow from the sizes. */
static bool complete_tensor(descriptor_reader *r, unsigned k)
{
    const ts_operator *op = r->d->op;
    ts_tensor *t = &r->d->tensors[k];
    uint32_t room = t->rank < TS_MAX_DIMS ? t->rank : TS_MAX_DIMS;
    if ((t->given & TS_GIVEN_STRIDES) && (t->given & TS_GIVEN_SIZES) && r->stride_count[k] != room &&
        r->stride_count[k] != t->rank) {
        if (!descriptor_miscounted(r, (int)k, "%s.%s has %u value%s, but %s.%s has %u", op->tensors[k].name,
                                   field_name(op, STRIDES), (unsigned)r->stride_count[k],
                                   r->stride_count[k] == 1 ? "" : "s", op->tensors[k].name, field_name(op, SIZES),
                                   (unsigned)room))
            return false;
        t->given &= ~TS_GIVEN_STRIDES;
        descriptor_unread(&(descriptor_place){ r, op->tensors[k].name, field_name(op, STRIDES), (int)k, -1 });
        r->total_stated[k] = r->total_stated[k] && !r->gaps;
    }
    if ((t->given & TS_GIVEN_SIZES) && !(t->given & TS_GIVEN_STRIDES))
        tensor_pack(t);
    if (!r->total_stated[k] && !tensor_min_bytes(t, &t->total_bytes))
        t->total_bytes = 0;
    return true;
}

/* From a data type that cannot be read, no other follows: the outputs without one are as unread. */
static void spread_unread_type(descriptor_reader *r)
{
    bool unread = false;
    for (unsigned k = 0; k < r->d->op->tensor_count; ++k)
        unread = unread || descriptor_is_unread(r, (int)k, -1, "DataType");
    for (unsigned k = 0; unread && k < r->d->op->tensor_count; ++k)
        if (r->gaps->inferred_type >> k & 1)
            descriptor_unread(&(descriptor_place){ r, r->d->op->tensors[k].name, "DataType", (int)k, -1 });
    if (unread)
        r->gaps->inferred_type = 0;
}

bool descriptor_complete(descriptor_reader *r)
{
    descriptor_fill_tensors(r);
    spread_unread_type(r);
    const ts_tensor *input = first_input(r->d);
    for (unsigned k = 0; k < r->d->op->tensor_count; ++k) {
        if (r->derive_type[k])
            r->d->tensors[k].dtype = input ? input->dtype : TS_DTYPE_UNKNOWN;
    }
    if (!derive_sizes(r))
        return false;
    for (unsigned k = 0; k < r->d->op->tensor_count; ++k) {
        if (r->derive_type[k] && input)
            r->d->tensors[k].dtype = operator_output_type(r->d, k);
    }
    for (unsigned k = 0; k < r->d->op->tensor_count; ++k) {
        if ((r->d->tensors[k].given & TS_GIVEN_TENSOR) && !complete_tensor(r, k))
            return false;
    }
    return true;
}
