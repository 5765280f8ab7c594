/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/check/check_graph_node.h"

#include "harness/check/check_dxdispatch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MOST_VALUES 4096 /* of a list of numbers */
#define MOST_ITEMS  256  /* tensors, attributes and activations of a node */

/* The fields of the schema's tables, as it numbers them, and the kinds of its unions. */
enum { OPERATOR_TYPE, OPERATOR_INPUTS, OPERATOR_OUTPUTS, OPERATOR_ATTRIBUTES };
enum { TENSOR_TYPE, TENSOR_SIZES, TENSOR_STRIDES, TENSOR_BYTES };
enum { ATTRIBUTE_NAME, ATTRIBUTE_KIND, ATTRIBUTE_VALUE };
enum { ACTIVATION_TYPE, ACTIVATION_ATTRIBUTES };
typedef enum attribute_kind {
    KIND_NONE,
    KIND_ACTIVATION,
    KIND_ACTIVATIONS,
    KIND_U32,
    KIND_U64,
    KIND_I32,
    KIND_F32,
    KIND_U32_LIST,
    KIND_I32_LIST,
    KIND_F32_LIST,
    KIND_SCALE_BIAS,
    KIND_SIZE_2D,
    KIND_UNION,
    KIND_BOOL
} attribute_kind;

void graph_name(flatbuffer *f, flatbuffer_vector string, char name[GRAPH_NAME])
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    name[0] = 0;
    if (string.at == 0 || f->problem)
        return;
    const unsigned char *bytes = f->bytes + string.at;
    json_t *const utf8 = json_stringn((const char *)bytes, string.count);
    if (!utf8) {
        f->problem = "a name that is not UTF-8";
        f->problem_at = string.at;
        return;
    }
    json_decref(utf8);
    const size_t n = string.count < GRAPH_NAME - 1 ? string.count : GRAPH_NAME - 1;
    memcpy(name, bytes, n);
    name[n] = 0;
    if (n == string.count)
        return;
    for (uint32_t i = 0; i < string.count; ++i)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    snprintf(name + GRAPH_NAME - 20, 20, "..%016" PRIx64, hash);
}

void graph_node_type(flatbuffer *f, graph_node *n)
{
    graph_name(f, flatbuffer_text(f, n->desc, OPERATOR_TYPE), n->type);
    n->op = check_operator_typed(n->type);
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

static json_t *number_of(attribute_kind kind, uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    switch (kind) {
    case KIND_F32: return descriptor_element_to_json(TS_FLOAT32, &low);
    case KIND_I32: return json_integer((int32_t)low);
    case KIND_BOOL: return json_boolean(bits != 0);
    case KIND_U64: return descriptor_element_to_json(TS_UINT64, &bits);
    default: return json_integer((json_int_t)bits);
    }
}

static json_t *list_of(flatbuffer *f, flatbuffer_table t, attribute_kind kind, error *e)
{
    if (t.at == 0)
        return json_null();
    const flatbuffer_vector v = flatbuffer_list(f, t, 0, 4);
    const attribute_kind one = kind == KIND_F32_LIST ? KIND_F32 : kind == KIND_I32_LIST ? KIND_I32 : KIND_U32;
    if (v.count > MOST_VALUES) {
        error_usage(e, "a list of more than %d values", MOST_VALUES);
        return NULL;
    }
    json_t *list = json_array();
    for (uint32_t i = 0; i < v.count && !f->problem; ++i)
        json_array_append_new(list, number_of(one, flatbuffer_at(f, v.at + (size_t)i * 4, 4)));
    return list;
}

static json_t *pair_of(flatbuffer *f, size_t at, attribute_kind kind)
{
    const bool size = kind == KIND_SIZE_2D;
    if (at == 0)
        return json_null();
    const uint64_t first = flatbuffer_at(f, at, 4), second = flatbuffer_at(f, at + 4, 4);
    return json_pack("{s:o, s:o}", size ? "Width" : "Scale", number_of(size ? KIND_U32 : KIND_F32, first),
                     size ? "Height" : "Bias", number_of(size ? KIND_U32 : KIND_F32, second));
}

/* The eight bytes of a DML_SCALAR_UNION, until its data type is known. */
static json_t *union_of(flatbuffer *f, flatbuffer_table t)
{
    const size_t at = flatbuffer_struct(f, t, 1, 8);
    return descriptor_raw_to_json(at ? f->bytes + at : (const unsigned char *)"\0\0\0\0\0\0\0", 8);
}

static json_t *attribute_value(flatbuffer *f, flatbuffer_table a, unsigned depth, error *e);

/* Add the attributes to the description of an operator, which is NULL where it is unknown. */
static bool add_attributes(flatbuffer *f, flatbuffer_vector list, const ts_operator *op, json_t *desc, unsigned depth,
                           error *e)
{
    char name[GRAPH_NAME];
    if (list.count > MOST_ITEMS)
        return error_usage(e, "more than %d attributes", MOST_ITEMS);
    for (uint32_t i = 0; i < list.count && !f->problem; ++i) {
        const flatbuffer_table a = flatbuffer_element(f, list, i);
        graph_name(f, flatbuffer_text(f, a, ATTRIBUTE_NAME), name);
        const char *declared = op && i < op->attr_count ? op->attrs[i].name : NULL;
        if (!name[0] && !declared)
            return error_usage(e, "attribute %" PRIu32 " has no name", i);
        if (name[0] && declared && strcmp(name, declared) != 0) /* DxDispatch reads them by their order */
            return error_usage(e, "attribute %" PRIu32 " is \"%.60s\"; expected %s, as in the structure's order", i,
                               name, declared);
        json_t *value = attribute_value(f, a, depth, e);
        if (!value)
            return false;
        if (json_object_set_new_nocheck(desc, name[0] ? name : declared, value) != 0)
            return error_set(e, "out of memory");
    }
    return true;
}

static json_t *activation(flatbuffer *f, flatbuffer_table t, unsigned depth, error *e)
{
    char type[GRAPH_NAME];
    if (t.at == 0) /* a null pointer */
        return json_null();
    graph_name(f, flatbuffer_text(f, t, ACTIVATION_TYPE), type);
    json_t *fields = json_object();
    json_t *made = json_pack("{s:s, s:o}", "Type", type, "Desc", fields);
    if (!made && !f->problem)
        error_usage(e, "the type of an activation is no UTF-8");
    if (made && add_attributes(f, flatbuffer_list(f, t, ACTIVATION_ATTRIBUTES, 4), check_operator_typed(type), fields,
                               depth + 1, e))
        return made;
    json_decref(made);
    return NULL;
}

static json_t *activations(flatbuffer *f, flatbuffer_table t, unsigned depth, error *e)
{
    const flatbuffer_vector v = flatbuffer_list(f, t, 0, 4);
    if (t.at == 0)
        return json_null();
    json_t *list = json_array();
    bool ok = v.count <= MOST_ITEMS || error_usage(e, "more than %d activations", MOST_ITEMS);
    for (uint32_t i = 0; ok && i < v.count && !f->problem; ++i) {
        json_t *one = activation(f, flatbuffer_element(f, v, i), depth, e);
        ok = one && json_array_append_new(list, one) == 0;
    }
    if (ok)
        return list;
    json_decref(list);
    return NULL;
}

static json_t *attribute_value(flatbuffer *f, flatbuffer_table a, unsigned depth, error *e)
{
    const attribute_kind kind = (attribute_kind)flatbuffer_number(f, a, ATTRIBUTE_KIND, 1, 0);
    const bool nested = kind == KIND_ACTIVATION || kind == KIND_ACTIVATIONS;
    const size_t bytes = kind == KIND_U64 || kind == KIND_SCALE_BIAS || kind == KIND_SIZE_2D ? 8
                         : kind == KIND_BOOL                                                 ? 1
                                                                                             : 4;
    if (nested && depth > 0) {
        error_usage(e, "an activation inside of an activation");
        return NULL;
    }
    switch (kind) {
    case KIND_NONE: return json_null();
    case KIND_ACTIVATION: return activation(f, flatbuffer_sub(f, a, ATTRIBUTE_VALUE), depth, e);
    case KIND_ACTIVATIONS: return activations(f, flatbuffer_sub(f, a, ATTRIBUTE_VALUE), depth, e);
    case KIND_U32_LIST:
    case KIND_I32_LIST:
    case KIND_F32_LIST: return list_of(f, flatbuffer_sub(f, a, ATTRIBUTE_VALUE), kind, e);
    case KIND_UNION: return union_of(f, flatbuffer_sub(f, a, ATTRIBUTE_VALUE));
    case KIND_SCALE_BIAS:
    case KIND_SIZE_2D: return pair_of(f, flatbuffer_struct(f, a, ATTRIBUTE_VALUE, bytes), kind);
    case KIND_U32:
    case KIND_U64:
    case KIND_I32:
    case KIND_F32:
    case KIND_BOOL: return number_of(kind, flatbuffer_at(f, flatbuffer_struct(f, a, ATTRIBUTE_VALUE, bytes), bytes));
    }
    error_usage(e, "an attribute of the unknown kind %d", (int)kind);
    return NULL;
}

/* Turn the bytes of each DML_SCALAR_UNION into a number of the data type that its operator names. */
static bool settle_unions(const ts_operator *op, json_t *desc, error *e)
{
    for (unsigned k = 0; k < op->attr_count; ++k) {
        const ts_attr_decl *a = &op->attrs[k];
        const char *hex = json_string_value(json_object_get(desc, a->name));
        uint64_t bits = 0;
        unsigned byte;
        if (a->type != TS_ATTR_UNION || !hex)
            continue;
        for (unsigned i = 0; i < 8 && sscanf(hex + 2 * (size_t)i, "%2x", &byte) == 1; ++i)
            bits |= (uint64_t)byte << 8 * i;
        uint32_t dtype = TS_DTYPE_UNKNOWN;
        for (unsigned j = 0; j < op->attr_count; ++j)
            if (op->attrs[j].offset == a->type_offset)
                dtype = (uint32_t)json_integer_value(json_object_get(desc, op->attrs[j].name));
        json_t *number = tensor_element_bytes(dtype) ? descriptor_element_to_json(dtype, &bits) : json_integer(0);
        if (json_object_set_new(desc, a->name, number) != 0)
            return error_set(e, "out of memory");
    }
    return true;
}

/* ---- tensors ----------------------------------------------------------------------------------------------- */

static json_t *sizes_of(flatbuffer *f, flatbuffer_vector v)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < v.count && !f->problem; ++i)
        json_array_append_new(list, json_integer((json_int_t)flatbuffer_at(f, v.at + (size_t)i * 4, 4)));
    return list;
}

static json_t *tensor_of(flatbuffer *f, flatbuffer_table t, bool owned, error *e)
{
    char type[GRAPH_NAME];
    const flatbuffer_vector sizes = flatbuffer_list(f, t, TENSOR_SIZES, 4);
    const flatbuffer_vector strides = flatbuffer_list(f, t, TENSOR_STRIDES, 4);
    const uint64_t bytes = flatbuffer_number(f, t, TENSOR_BYTES, 8, 0);
    graph_name(f, flatbuffer_text(f, t, TENSOR_TYPE), type);
    if (sizes.count > MOST_ITEMS || strides.count > MOST_ITEMS) {
        error_usage(e, "a tensor of more than %d dimensions", MOST_ITEMS);
        return NULL;
    }
    json_t *made = json_pack("{s:s, s:o}", "DataType", type, "Sizes", sizes_of(f, sizes));
    bool ok = made != NULL;
    if (ok && strides.at)
        ok = json_object_set_new(made, "Strides", sizes_of(f, strides)) == 0;
    if (ok && bytes)
        ok = json_object_set_new(made, "TotalTensorSizeInBytes", descriptor_element_to_json(TS_UINT64, &bytes)) == 0;
    if (ok && owned)
        ok = json_object_set_new(made, "Flags", json_string("OWNED_BY_DML")) == 0;
    if (ok)
        return made;
    json_decref(made);
    error_usage(e, "a tensor whose type is no UTF-8");
    return NULL;
}

/* What is read of the node's inputs, or of its outputs. */
typedef struct side {
    flatbuffer *f;
    graph_node *n;
    ts_role role;
    flatbuffer_vector names, descs;
    uint32_t name, desc; /* the next ones */
    graph_is_owned *is_owned;
    const void *context;
    error *e;
} side;

/* The next tensor, which is tensor k of the operator; its edge is set. */
static json_t *take_tensor(side *s, unsigned k, const char *name)
{
    snprintf(s->n->edges[k], GRAPH_NAME, "%s", name);
    if (s->desc >= s->descs.count) {
        error_usage(s->e, "%s is connected to \"%.60s\", but the node has %" PRIu32 " tensors",
                    s->n->op->tensors[k].name, name, s->descs.count);
        return NULL;
    }
    return tensor_of(s->f, flatbuffer_element(s->f, s->descs, s->desc++),
                     s->role == TS_INPUT && s->is_owned(s->context, name), s->e);
}

/* A list takes all tensors that are left, as in DxDispatch. */
static json_t *take_list(side *s, const ts_tensor_list *l)
{
    char name[GRAPH_NAME];
    json_t *list = json_array();
    for (uint32_t i = 0; s->desc < s->descs.count && !s->f->problem; ++i) {
        graph_name(s->f, flatbuffer_string(s->f, s->names, s->name++), name);
        const bool fits = i < l->most;
        json_t *one = fits ? take_tensor(s, l->first + i, name)
                           : tensor_of(s->f, flatbuffer_element(s->f, s->descs, s->desc++), false, s->e);
        if (!one || json_array_append_new(list, one) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static bool add_side(side *s, json_t *desc)
{
    const ts_operator *op = s->n->op;
    char name[GRAPH_NAME];
    const char *what = s->role == TS_INPUT ? "input" : "output";
    if (s->names.count > MOST_ITEMS || s->descs.count > MOST_ITEMS)
        return error_usage(s->e, "more than %d %ss", MOST_ITEMS, what);
    for (unsigned k = 0; k < op->tensor_count && !s->f->problem; ++k) {
        const ts_tensor_list *l = operator_list_of(op, k);
        json_t *made = NULL;
        if (op->tensors[k].role != s->role || (l && l->first != k))
            continue;
        if (!l && s->name >= s->names.count)
            return error_usage(s->e, "%s has no name: the node has %" PRIu32 " %ss", op->tensors[k].name,
                               s->names.count, what);
        if (!l)
            graph_name(s->f, flatbuffer_string(s->f, s->names, s->name++), name);
        made = l ? take_list(s, l) : name[0] ? take_tensor(s, k, name) : json_null();
        if (!made)
            return false;
        if (json_object_set_new(desc, operator_field_of_tensor(op, k), made) != 0)
            return error_set(s->e, "out of memory");
    }
    if (s->f->problem || (s->name >= s->names.count && s->desc >= s->descs.count))
        return true;
    return error_usage(s->e, "the node has %" PRIu32 " %ss of %" PRIu32 " tensors, more than %s has", s->names.count,
                       what, s->descs.count, op->name);
}

json_t *graph_node_desc(flatbuffer *f, graph_node *n, check_item *item, graph_is_owned *is_owned, const void *context,
                        error *e)
{
    json_t *desc = json_object();
    (void)item;
    side in = { f, n, TS_INPUT, n->input_names, flatbuffer_list(f, n->desc, OPERATOR_INPUTS, 4),
                0, 0, is_owned, context,        e };
    side out = { f, n, TS_OUTPUT, n->output_names, flatbuffer_list(f, n->desc, OPERATOR_OUTPUTS, 4),
                 0, 0, is_owned,  context,         e };
    if (desc && add_side(&in, desc) && add_side(&out, desc) &&
        add_attributes(f, flatbuffer_list(f, n->desc, OPERATOR_ATTRIBUTES, 4), n->op, desc, 0, e) &&
        settle_unions(n->op, desc, e) && !f->problem)
        return desc;
    json_decref(desc);
    if (!desc)
        error_set(e, "out of memory");
    return NULL;
}
