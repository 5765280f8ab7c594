/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of an IR's XML elements, and the operators that its layers are. */
#include "harness/check/check_ir.h"
#include "harness/base/did_you_mean.h"
#include "reference/operators.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of an opset, "opset8"; 0 for another text. */
static unsigned opset_number(const char *opset)
{
    static const char prefix[] = "opset";
    uint64_t number = 0;
    if (strncmp(opset, prefix, sizeof prefix - 1) != 0 || !ir_number(opset + sizeof prefix - 1, &number) ||
        number > 999)
        return 0;
    return (unsigned)number;
}

const ts_operator *ir_operator(const char *type, const char *opset)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count), *found = NULL;
    const unsigned wanted = opset ? opset_number(opset) : IR_LATEST_OPSET;
    unsigned best = 0;
    for (size_t i = 0; i < count && wanted <= IR_LATEST_OPSET; ++i) {
        const ts_ir_layer *ir = all[i]->ir;
        if (!ir || strcmp(ir->type, type) != 0)
            continue;
        const unsigned since = opset_number(ir->opset);
        if (!opset && !found) /* the first of several versions */
            return all[i];
        if (since <= wanted && since > best && !(ir->until && wanted >= opset_number(ir->until))) {
            best = since;
            found = all[i];
        }
    }
    return found;
}

void ir_hint(const char *type, const char *opset, char *buf, size_t size)
{
    size_t count;
    const ts_operator *const *all = operators_all(&count);
    char names[IR_LATEST_OPSET][12];
    did_you_mean types, opsets;
    bool judged = false;
    buf[0] = 0;
    did_you_mean_start(&types, type);
    did_you_mean_start(&opsets, opset);
    for (size_t i = 0; i < count; ++i) {
        if (!all[i]->ir)
            continue;
        judged = judged || strcmp(all[i]->ir->type, type) == 0;
        did_you_mean_try(&types, all[i]->ir->type);
    }
    for (unsigned i = 0; i < IR_LATEST_OPSET; ++i) {
        snprintf(names[i], sizeof names[i], "opset%u", i + 1);
        did_you_mean_try(&opsets, names[i]);
    }
    if (!judged && did_you_mean_close(&types))
        snprintf(buf, size, "did you mean %s?", did_you_mean_close(&types));
    else if (judged && opset_number(opset) > IR_LATEST_OPSET)
        snprintf(buf, size, "known are opset1 to opset%d", IR_LATEST_OPSET);
    else if (judged && !opset_number(opset) && did_you_mean_close(&opsets))
        snprintf(buf, size, "did you mean %s?", did_you_mean_close(&opsets));
}

const char *ir_attribute(const char **attributes, const char *name)
{
    for (; attributes[0]; attributes += 2) {
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    }
    return NULL;
}

bool ir_number(const char *text, uint64_t *value)
{
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return *end == 0 && errno == 0;
}

uint32_t ir_type_named(const char *name)
{
    static const struct {
        const char *name;
        ts_dtype dtype;
    } names[] = { { "FP32", TS_FLOAT32 }, { "FP16", TS_FLOAT16 }, { "FP64", TS_FLOAT64 }, { "BF16", TS_BFLOAT16 },
                  { "I64", TS_INT64 },    { "I32", TS_INT32 },    { "I16", TS_INT16 },    { "I8", TS_INT8 },
                  { "U64", TS_UINT64 },   { "U32", TS_UINT32 },   { "U16", TS_UINT16 },   { "U8", TS_UINT8 },
                  { "BOOL", TS_BOOLEAN } };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (strcmp(name, names[i].name) == 0)
            return names[i].dtype;
    }
    ts_dtype dtype = tensor_dtype_named(name);
    return tensor_dtype(dtype) && tensor_dtype(dtype)->openvino ? dtype : TS_DTYPE_UNKNOWN;
}

bool ir_count_elements(const char *shape, uint32_t *rank, uint64_t *count)
{
    *rank = 0;
    *count = 1;
    while (*shape) {
        char *end;
        errno = 0;
        uint64_t size = strtoull(shape, &end, 10);
        if (end == shape || errno || (*end && *end != ',') || __builtin_mul_overflow(*count, size, count))
            return false;
        ++*rank;
        shape = end + strspn(end, ", ");
    }
    return true;
}

bool ir_value_named(const ts_attr_decl *a, const char *name, int64_t *value, char *known, size_t size)
{
    size_t used = 0;
    for (unsigned i = 0; i < operator_name_count(a); ++i) {
        if (strcmp(name, a->names[i]) == 0) {
            *value = i;
            return true;
        }
        if (used < size)
            used += (size_t)snprintf(known + used, size - used, "%s%s", i ? " or " : "", a->names[i]);
    }
    return false;
}

/* The names of the attributes of <data>. */
static did_you_mean_names known_attributes(const ts_operator *op)
{
    did_you_mean_names known = { .count = 0 };
    for (unsigned k = 0; k < op->attr_count; ++k) {
        if (operator_ir_list(op, k) < 0)
            did_you_mean_add(&known, op->attrs[k].name);
    }
    return known;
}

/* Take an unknown attribute for a missing one that it is nearly spelt like. */
static bool take_misspelt(ir_layer *layer, const char *name, const char *value)
{
    did_you_mean search;
    did_you_mean_start(&search, name);
    for (unsigned k = 0; k < layer->op->attr_count; ++k)
        if (operator_ir_list(layer->op, k) < 0 && !layer->attrs[k])
            did_you_mean_try(&search, layer->op->attrs[k].name);
    const char *meant = did_you_mean_close(&search);
    const int k = meant ? operator_attr_index(layer->op, meant) : -1;
    if (k < 0)
        return false;
    free(layer->misspelt[k]);
    layer->misspelt[k] = strdup(name);
    layer->attrs[k] = layer->misspelt[k] ? strdup(value) : NULL;
    return layer->attrs[k] != NULL;
}

void ir_misspelt(const ir_layer *layer, unsigned k, descriptor_mistake *m, error *e)
{
    const did_you_mean_names known = known_attributes(layer->op);
    const char *name = layer->op->attrs[k].name;
    did_you_mean_told(e, layer->op->ir->type, "attribute", layer->misspelt[k], name, &known);
    memset(m, 0, sizeof *m);
    m->at = m->as = (ts_mention){ -1, (int)k, "", -1 };
    snprintf(m->key, sizeof m->key, "%s", layer->misspelt[k]);
    snprintf(m->taken, sizeof m->taken, "%s", name);
    snprintf(m->text, sizeof m->text, "%.*s", (int)sizeof m->text - 1, e->text);
}

void ir_note_unknown(ir_layer *layer, const char **attributes)
{
    const did_you_mean_names known = known_attributes(layer->op);
    for (; attributes[0]; attributes += 2) {
        size_t used = strlen(layer->note), i = 0;
        while (i < known.count && strcmp(attributes[0], known.names[i]) != 0)
            ++i;
        if (i < known.count || take_misspelt(layer, attributes[0], attributes[1]))
            continue;
        const char *meant = did_you_mean_name(&known, attributes[0]);
        snprintf(layer->note + used, sizeof layer->note - used,
                 "%sthe attribute %.40s is not one of %s and was ignored%s%s%s", used ? "; " : "", attributes[0],
                 layer->op->ir->type, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    }
}
