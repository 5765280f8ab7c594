/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_dxdispatch.h"
#include "harness/check/check_unjudged.h"
#include "harness/check/check_resource.h"
#include "harness/model/descriptor.h"
#include "harness/base/did_you_mean.h"
#include "harness/model/value.h"
#include "reference/operators.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- operators --------------------------------------------------------------------------------------------- */

const ts_operator *check_operator_typed(const char *type)
{
    const ts_operator *op;
    for (size_t i = 0; (op = operators_known(i)); ++i)
        if (descriptor_is_of_type(op->title, type) || descriptor_is_of_type(op->other_title, type))
            return op;
    return NULL;
}

/* The name of an operator that is most similar to an unknown one: that of its structure, "SLICE1", or of its record,
   "dml.slice1". NULL if none is similar. The name is in buf, or lasts as long as the program. */
static const char *meant_name(const char *word, bool of_record, char *buf, size_t size, const ts_operator **meant)
{
    did_you_mean search;
    const ts_operator *op;
    char stem[64];
    did_you_mean_start(&search, word);
    *meant = NULL;
    for (size_t i = 0; (op = operators_known(i)); ++i) {
        const char *before = search.best;
        const size_t n = descriptor_stem_length(op);
        if (!of_record && n == 0)
            continue; /* of another specification */
        if (!of_record)
            snprintf(stem, sizeof stem, "%.*s", (int)n, op->title + 4);
        did_you_mean_try(&search, of_record ? op->name : stem);
        if (search.best != before) {
            snprintf(buf, size, "%s", of_record ? op->name : stem);
            search.best = buf;
            *meant = op;
        }
    }
    for (size_t i = 0; of_record && (op = operators_known(i)); ++i)
        if (descriptor_is_alias(op, word)) {
            snprintf(buf, size, "%s", op->name);
            *meant = op;
        }
    return *meant ? buf : NULL;
}

bool check_is_operator(const char *type)
{
    return strcasecmp(type, "hlsl") != 0 && strcasecmp(type, "onnx") != 0;
}

bool check_note_unknown(check_item *item, bool record)
{
    static const char prefix[] = "DML_OPERATOR_";
    char name[64] = "";
    const ts_operator *op;
    if (!check_is_operator(item->op_name)) {
        check_note(item, "the dispatchable is no DirectML operator: there is nothing to judge");
        return false;
    }
    bool prefixed = strncasecmp(item->op_name, prefix, sizeof prefix - 1) == 0;
    const bool of_record = strchr(item->op_name, '.') != NULL;
    const char *meant =
        meant_name(item->op_name + (prefixed ? sizeof prefix - 1 : 0), of_record, name, sizeof name, &op);
    if (meant && record && !of_record) { /* a record has a name of its own for it */
        meant = op->name;
        prefixed = false;
    }
    check_note(item, "not judged: the operator is not known here%s%s%s%s", meant ? "; did you mean " : "",
               meant && prefixed ? prefix : "", meant ? meant : "", meant ? "?" : "");
    return meant != NULL;
}

/* Note unknown fields and drop them, as DxDispatch does silently. Those that are misspelt stay, and what they mean is
   added to `taken`. */
static void drop_unknown(check_item *item, json_t *object, const char *where, const did_you_mean_names *known,
                         did_you_mean_names *taken)
{
    const char *key;
    json_t *value;
    void *next;
    did_you_mean_names absent = { .count = 0 }; /* a field that is given is not meant */
    taken->count = 0;
    for (size_t i = 0; i < known->count; ++i)
        if (!json_object_get(object, known->names[i]))
            did_you_mean_add(&absent, known->names[i]);
    json_object_foreach_safe(object, next, key, value)
    {
        size_t i = 0;
        while (i < known->count && strcmp(key, known->names[i]) != 0)
            ++i;
        if (i < known->count)
            continue;
        if (check_unjudged_take(item, item->d.op, where, key, value)) {
            json_object_del(object, key);
            continue;
        }
        const char *meant = did_you_mean_name(&absent, key);
        if (meant) {
            did_you_mean_add(taken, meant);
            continue;
        }
        check_note(item, "%s.%.60s is not known here and was ignored", where, key);
        json_object_del(object, key);
    }
}

static bool is_taken(const did_you_mean_names *taken, const char *name)
{
    for (size_t i = 0; i < taken->count; ++i)
        if (strcmp(taken->names[i], name) == 0)
            return true;
    return false;
}

/* Replace a list of flags by their union. */
static bool join_flags(json_t *fields)
{
    json_t *flags = json_object_get(fields, "Flags"), *flag;
    size_t i;
    int owned = 0;
    if (!json_is_array(flags))
        return true;
    json_array_foreach(flags, i, flag)
    {
        const char *name = json_string_value(flag);
        if (name && (strcmp(name, "OWNED_BY_DML") == 0 || strcmp(name, "DML_TENSOR_FLAG_OWNED_BY_DML") == 0))
            owned = 1;
        else if (!name || (strcmp(name, "NONE") != 0 && strcmp(name, "DML_TENSOR_FLAG_NONE") != 0))
            return json_object_set(fields, "Flags", flag) == 0; /* the reader of the descriptor reports it */
    }
    return json_object_set_new(fields, "Flags", json_integer(owned)) == 0;
}

/* Add the fields that a tensor omits, as DxDispatch does: absent or empty Strides are null, and a size of 0 bytes is
   computed. A required field that is absent becomes a null pointer, so that its clause is reported. */
static bool complete_tensor(check_item *item, json_t *tensor, const char *name)
{
    static const did_you_mean_names outer = { { "Type", "Desc" }, 2 };
    static const did_you_mean_names known = { { "Type", "Desc", "DataType", "Flags", "DimensionCount", "Sizes",
                                                "Strides", "TotalTensorSizeInBytes", "GuaranteedBaseOffsetAlignment" },
                                              9 };
    json_t *inner = json_object_get(tensor, "Desc");
    json_t *fields = json_is_object(inner) ? inner : tensor;
    did_you_mean_names taken;
    if (inner && json_is_null(inner))
        return true;
    if (inner)
        drop_unknown(item, tensor, name, &outer, &taken);
    drop_unknown(item, fields, name, &known, &taken);
    bool ok = join_flags(fields);
    json_t *strides = json_object_get(fields, "Strides"), *total = json_object_get(fields, "TotalTensorSizeInBytes");
    if (json_is_array(strides) && json_array_size(strides) == 0)
        json_object_del(fields, "Strides");
    if (json_is_integer(total) && json_integer_value(total) == 0)
        json_object_del(fields, "TotalTensorSizeInBytes");
    if (!json_object_get(fields, "Sizes") && !is_taken(&taken, "Sizes") && !is_taken(&taken, "Desc"))
        ok = json_object_set_new(fields, "Sizes", json_null()) == 0 && ok;
    if (!json_object_get(fields, "DataType") && !is_taken(&taken, "DataType") && !is_taken(&taken, "Desc"))
        ok = json_object_set_new(fields, "DataType", json_string("UNKNOWN")) == 0 && ok;
    return ok;
}

/* Drop the tensors of a nested operator with a note, as DxDispatch drops them without one; and note a type that is none
   of DirectML's. */
static void complete_nested(check_item *item, const char *name, json_t *nested)
{
    static const char prefix[] = "DML_OPERATOR_";
    const json_t *type =
        json_object_get(nested, "Type") ? json_object_get(nested, "Type") : json_object_get(nested, "type");
    const char *word = json_string_value(type);
    char stem[64];
    const ts_operator *op;
    if (!word)
        return;
    op = check_operator_typed(word);
    json_t *inner = json_object_get(nested, json_object_get(nested, "Desc") ? "Desc" : "desc");
    for (unsigned k = 0; op && k < op->tensor_count; ++k)
        if (json_object_del(inner ? inner : nested, operator_field_of_tensor(op, k)) == 0)
            check_note(item, "%s.%s is ignored, as DxDispatch ignores it", name, operator_field_of_tensor(op, k));
    if (op)
        return;
    const bool prefixed = strncasecmp(word, prefix, sizeof prefix - 1) == 0;
    const char *meant = meant_name(word + (prefixed ? sizeof prefix - 1 : 0), false, stem, sizeof stem, &op);
    check_note(item, "%s.Type %.60s is no operator%s%s%s%s", name, word, meant ? "; did you mean " : "",
               meant && prefixed ? prefix : "", meant ? meant : "", meant ? "?" : "");
}

/* Complete the tensor that a misspelt field of this meaning is. */
static bool complete_misspelt(check_item *item, json_t *desc, const did_you_mean_names *known, const char *name)
{
    const char *key;
    json_t *value;
    json_object_foreach(desc, key, value)
    {
        did_you_mean_names one = { { name }, 1 };
        bool is_known = false;
        for (size_t i = 0; i < known->count; ++i)
            is_known = is_known || strcmp(key, known->names[i]) == 0;
        if (!is_known && did_you_mean_name(&one, key))
            return !json_is_object(value) || complete_tensor(item, value, name);
    }
    return true;
}

bool check_complete_operator(check_item *item, const ts_operator *op, json_t *desc)
{
    did_you_mean_names known = { .count = 0 }, taken;
    bool ok = true;
    for (unsigned k = 0; k < op->attr_count; ++k)
        did_you_mean_add(&known, op->attrs[k].name);
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        if (operator_begins_field(op, k))
            did_you_mean_add(&known, operator_field_of_tensor(op, k));
    }
    drop_unknown(item, desc, "desc", &known, &taken);
    for (unsigned k = 0; k < op->attr_count; ++k) {
        json_t *given = op->attrs[k].type == TS_ATTR_OPERATOR ? json_object_get(desc, op->attrs[k].name) : NULL;
        for (size_t i = 0; json_is_array(given) && i < json_array_size(given) && i < TS_MAX_NESTED; ++i)
            complete_nested(item, op->attrs[k].name, json_array_get(given, i));
        complete_nested(item, op->attrs[k].name, given);
    }
    for (unsigned k = 0; k < op->tensor_count; ++k) {
        json_t *tensor = descriptor_get_tensor(desc, op, k);
        if (operator_list_of(op, k) && !json_is_object(tensor))
            continue; /* the reader of the descriptor reports it */
        if (!tensor && is_taken(&taken, operator_field_of_tensor(op, k)))
            ok = complete_misspelt(item, desc, &known, op->tensors[k].name) && ok;
        else if (!tensor)
            ok = json_object_set_new(desc, op->tensors[k].name, json_null()) == 0 && ok;
        else if (json_is_object(tensor))
            ok = complete_tensor(item, tensor, op->tensors[k].name) && ok;
    }
    return ok;
}

/* ---- resources --------------------------------------------------------------------------------------------- */

#define MOST_RESOURCE (UINT64_C(1) << 30) /* bytes */

/* The bytes of a resource. */
typedef struct buffer {
    unsigned char *bytes;
    uint64_t size;
} buffer;

static bool sequence_from(uint32_t dtype, const json_t *start, const json_t *delta, buffer *b, uint64_t offset,
                          uint64_t count)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    size_t element = tensor_element_bytes(dtype);
    unsigned char *at = b->bytes + offset, step[8];
    memset(step, 0, sizeof step);
    if (!check_store_number(dtype, at, start) || (delta && !check_store_number(dtype, step, delta)))
        return false;
    for (uint64_t i = 1; i < count; ++i) { /* each sum is rounded, or wraps, in the type itself */
        unsigned char *next = at + i * element;
        if (!delta)
            memcpy(next, at, element); /* a constant, bit for bit */
        else if (type->is_float)
            value_store_double(dtype, next, value_to_double(dtype, next - element) + value_to_double(dtype, step));
        else
            value_store_bits(dtype, next, value_bits(dtype, next - element) + value_bits(dtype, step));
    }
    return true;
}

/* Values of one type: a list, { valueCount, value } or { valueCount, valueStart, valueDelta }. */
static bool fill_resource(const char *name, uint32_t dtype, const json_t *values, uint64_t offset, buffer *b, error *e)
{
    const json_t *start = json_object_get(values, "valueStart"), *delta = json_object_get(values, "valueDelta");
    const json_t *value = json_object_get(values, "value"), *item;
    size_t element = tensor_element_bytes(dtype), i;
    uint64_t count = json_is_array(values) ? json_array_size(values)
                                           : (uint64_t)json_integer_value(json_object_get(values, "valueCount"));
    bool ok = true;
    if (element == 0)
        return error_usage(e, "resource \"%s\": the data type of its values is not supported", name);
    if (count == 0 || offset > MOST_RESOURCE || count > (MOST_RESOURCE - offset) / element)
        return error_usage(e, "resource \"%s\": no values, or more than %" PRIu64 " MiB", name, MOST_RESOURCE >> 20);
    uint64_t needed = offset + count * element;
    if (b->size < needed)
        b->size = needed;
    b->bytes = calloc((size_t)b->size, 1);
    if (!b->bytes)
        return error_set(e, "resource \"%s\": out of memory", name);
    json_array_foreach(values, i, item)
    {
        if (!check_store_number(dtype, b->bytes + offset + i * element, item)) {
            char *text = json_dumps(item, JSON_ENCODE_ANY);
            error_usage(e, "resource \"%s\": initialValues[%zu] = %.40s is no value of %s", name, i, text ? text : "?",
                        tensor_dtype(dtype)->dml);
            free(text);
            return false;
        }
    }
    if (json_is_object(values) && start)
        ok = delta && sequence_from(dtype, start, delta, b, offset, count);
    else if (json_is_object(values))
        ok = sequence_from(dtype, value, NULL, b, offset, count);
    return ok ? true : error_usage(e, "resource \"%s\": initial values that its type cannot hold", name);
}

/* Is the data of a resource in the model, and not in a file or absent? */
static bool has_values(const json_t *resource)
{
    const json_t *values = json_object_get(resource, "initialValues");
    return values && !json_is_string(values) && !json_object_get(values, "sourcePath");
}

static bool read_resource(const json_t *model, const char *name, buffer *b, error *e)
{
    const json_t *resource = json_object_get(json_object_get(model, "resources"), name);
    const json_t *values = json_object_get(resource, "initialValues");
    const char *type = json_string_value(json_object_get(resource, "initialValuesDataType"));
    json_int_t size = json_integer_value(json_object_get(resource, "sizeInBytes"));
    json_int_t offset = json_integer_value(json_object_get(resource, "initialValuesOffsetInBytes"));
    if (!resource)
        return error_usage(e, "there is no resource \"%s\"", name);
    if (size < 0 || offset < 0 || (uint64_t)size > MOST_RESOURCE)
        return error_usage(e, "resource \"%s\": a size or offset that is negative, or more than %" PRIu64 " MiB", name,
                           MOST_RESOURCE >> 20);
    b->size = (uint64_t)size;
    return fill_resource(name, type ? tensor_dtype_named(type) : TS_DTYPE_UNKNOWN, values, (uint64_t)offset, b, e);
}

/* ---- dispatches as evaluations ----------------------------------------------------------------------------- */

/* The name of the resource that tensor k is bound to. Those of a list are bound to a list of resources. */
static const char *bound_resource(const json_t *bindings, const ts_operator *op, unsigned k, uint64_t *first_element)
{
    const ts_tensor_list *l = operator_list_of(op, k);
    const json_t *binding = json_object_get(bindings, operator_field_of_tensor(op, k));
    if (l)
        binding = json_is_array(binding) ? json_array_get(binding, k - l->first) : k == l->first ? binding : NULL;
    json_int_t first = json_integer_value(json_object_get(binding, "elementOffset"));
    *first_element = first > 0 ? (uint64_t)first : 0;
    if (json_is_array(binding) && json_array_size(binding) == 1)
        binding = json_array_get(binding, 0);
    return json_string_value(json_is_object(binding) ? json_object_get(binding, "name") : binding);
}

static json_t *input_bytes(const json_t *model, const json_t *bindings, const ts_descriptor *d, unsigned k, error *e)
{
    const ts_tensor *t = &d->tensors[k];
    const char *tensor = d->op->tensors[k].name;
    buffer b = { NULL, 0 };
    uint64_t first, element = tensor_element_bytes(t->dtype);
    const char *name = bound_resource(bindings, d->op, k, &first);
    if (!name) {
        error_usage(e, "%s is not bound to a resource", tensor);
        return NULL;
    }
    json_t *record = NULL;
    if (!read_resource(model, name, &b, e))
        ;
    else if (first > b.size / (element ? element : 1))
        error_usage(e, "%s is bound behind the end of resource \"%s\"", tensor, name);
    else {
        uint64_t left = b.size - first * element, wanted = t->total_bytes < left ? t->total_bytes : left;
        record = json_pack("{s:o*}", "raw", descriptor_raw_to_json(b.bytes + first * element, (size_t)wanted));
        if (!record)
            error_set(e, "out of memory");
    }
    free(b.bytes);
    return record;
}

static bool add_inputs(const json_t *model, const json_t *bindings, const ts_descriptor *d, json_t *record, error *e)
{
    json_t *inputs = json_object();
    bool ok = json_object_set_new(record, "inputs", inputs) == 0 || error_set(e, "out of memory");
    for (unsigned k = 0; ok && k < d->op->tensor_count; ++k) {
        if (d->op->tensors[k].role != TS_INPUT || !(d->tensors[k].given & TS_GIVEN_TENSOR))
            continue;
        json_t *bytes = input_bytes(model, bindings, d, k, e);
        ok = bytes != NULL;
        if (ok && !descriptor_put_tensor(inputs, d->op, k, bytes))
            ok = error_set(e, "out of memory");
    }
    return ok;
}

/* The first resource that an input is bound to and that has no data in the model; NULL: none. */
static const char *without_values(const json_t *model, const json_t *bindings, const ts_descriptor *d)
{
    uint64_t first;
    for (unsigned k = 0; k < d->op->tensor_count; ++k) {
        if (d->op->tensors[k].role != TS_INPUT || !(d->tensors[k].given & TS_GIVEN_TENSOR))
            continue;
        const char *name = bound_resource(bindings, d->op, k, &first);
        const json_t *resource = name ? json_object_get(json_object_get(model, "resources"), name) : NULL;
        if (resource && !has_values(resource))
            return name;
    }
    return NULL;
}

/* Complete the descriptor of a dispatch, and add its inputs if it can be computed. Where a legal one cannot, *remark
   says why. */
static bool complete_record(const json_t *model, const json_t *bindings, check_item *item, json_t *record,
                            error *remark, error *e)
{
    const check_options o = { .level = 0 };
    const ts_operator *op = item->d.op;
    json_t *desc = json_object_get(record, "descriptor");
    if (!check_complete_operator(item, op, desc))
        return error_set(e, "out of memory");
    if (item->note[0] && !item->uncomputed) /* unknown fields could change the outputs */
        return error_usage(e, "%s; but outputs may depend on it", item->note);
    if (!descriptor_from_json(op, desc, &item->d, &item->found, e))
        return false;
    ts_report report = item->found;
    check_judge(&item->d, &o, &report);
    const char *empty = without_values(model, bindings, &item->d);
    if (!operator_computes(op) || check_status(&report) != EVALUATE_OK)
        return true;
    if (item->uncomputed)
        error_usage(remark, "%s; but outputs may depend on it", item->note);
    else if (empty)
        error_usage(remark, "resource \"%s\" has no values in the model", empty);
    else
        return add_inputs(model, bindings, &item->d, record, e);
    return true;
}

static bool make_record(const json_t *model, const json_t *command, const ts_operator *op, json_t *record,
                        error *remark, error *e)
{
    check_item *item = calloc(1, sizeof *item);
    if (!item)
        return error_set(e, "out of memory");
    operator_begin(&item->d, op);
    const bool ok = complete_record(model, json_object_get(command, "bindings"), item, record, remark, e);
    free(item);
    return ok;
}

/* Add one dispatch. An operator that is not known is a record of its own name. */
static bool add_record(const json_t *model, const json_t *command, check_dispatches *to, error *e)
{
    const char *name = json_string_value(json_object_get(command, "dispatchable"));
    const json_t *dispatchable = name ? json_object_get(json_object_get(model, "dispatchables"), name) : NULL;
    json_t *type = json_object_get(dispatchable, "type"), *desc = json_object_get(dispatchable, "desc");
    type = json_object_get(dispatchable, "Type") ? json_object_get(dispatchable, "Type") : type;
    desc = json_object_get(dispatchable, "Desc") ? json_object_get(dispatchable, "Desc") : desc;
    if (!json_is_object(dispatchable))
        return error_usage(e, "a dispatch command names \"%s\", which is no dispatchable", name ? name : "");
    if (!json_is_string(type))
        return error_usage(e, "dispatchable \"%s\" is without type", name);
    const ts_operator *op = check_operator_typed(json_string_value(type));
    if (op && !json_is_object(desc))
        return error_usage(e, "dispatchable \"%s\" is without desc", name);
    error remark = { .text = "" };
    json_t *record =
        op ? json_pack("{s:s, s:s, s:o}", "operator", op->name, "name", name, "descriptor", json_deep_copy(desc))
           : json_pack("{s:O, s:s}", "operator", type, "name", name);
    bool ok = record != NULL || error_set(e, "out of memory");
    ok = ok &&
         (!op || make_record(model, command, op, record, &remark, e) || error_prefix(e, "dispatchable \"%s\"", name));
    if (ok && remark.text[0])
        error_prefix(&remark, "dispatchable \"%s\"", name);
    json_t *why = remark.text[0] ? json_stringn_nocheck(remark.text, strlen(remark.text)) : json_null();
    if (ok && (json_array_append(to->records, record) != 0 || json_array_append(to->remarks, why) != 0))
        ok = error_set(e, "out of memory");
    json_decref(record);
    json_decref(why);
    return ok;
}

bool check_model_dispatches(const json_t *model, check_dispatches *to, error *e)
{
    json_t *command;
    size_t i;
    *to = (check_dispatches){ .records = json_array(), .remarks = json_array() };
    bool ok = (to->records && to->remarks) || error_set(e, "out of memory");
    json_array_foreach(json_object_get(model, "commands"), i, command)
    {
        const char *type = json_string_value(json_object_get(command, "type"));
        if (ok && type && strcmp(type, "dispatch") == 0)
            ok = add_record(model, command, to, e);
    }
    if (ok && json_array_size(to->records) == 0)
        ok = error_usage(e, "a model without dispatch commands");
    if (!ok)
        check_dispatches_free(to);
    return ok;
}

void check_dispatches_free(check_dispatches *d)
{
    json_decref(d->records);
    json_decref(d->remarks);
    *d = (check_dispatches){ .records = NULL };
}
