/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/openvino/layer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *const layer_mask_names[LAYER_MASKS] = { "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask",
                                                    "ellipsis_mask" };

bool layer_keep_last(layer *l, unsigned input, const ts_tensor *t, uint64_t count)
{
    if (count > t->rank)
        return false;
    l->in[input] = t;
    l->drop[input] = t->rank - (uint32_t)count;
    for (uint32_t i = 0; i < l->drop[input]; ++i)
        if (t->sizes[i] != 1)
            return false;
    return true;
}

void layer_list_node(const layer_list *list, ir_node *n)
{
    memset(n, 0, sizeof *n);
    n->absent = list->absent;
    n->dtype = TS_INT64;
    n->rank = list->scalar ? 0 : 1;
    n->dims[0] = list->count;
}

/* " begin_mask=\"1,0\"" for each mask that is given. */
static void say_masks(const layer *l, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned k = 0; k < LAYER_MASKS; ++k) {
        if (!l->mask_given[k])
            continue;
        used += (size_t)snprintf(text + used, size - used, " %s=\"", layer_mask_names[k]);
        for (unsigned i = 0; i < l->mask_counts[k]; ++i)
            used += (size_t)snprintf(text + used, size - used, "%s%u", i ? "," : "", l->masks[k][i]);
        used += (size_t)snprintf(text + used, size - used, "\"");
    }
}

void layer_write(const layer *l, ir_model *m, const char *name, const ir_node *inputs, ir_node *out)
{
    char attributes[LAYER_MASKS * (LAYER_STEPS * 4 + 32)]; /* values are bytes: three digits and a comma */
    say_masks(l, attributes, sizeof attributes);
    if (l->has_batch_dims)
        snprintf(attributes, sizeof attributes, " batch_dims=\"%" PRId64 "\"", l->batch_dims);
    if (*l->attributes)
        snprintf(attributes, sizeof attributes, "%s", l->attributes);
    if (l->has_axis)
        snprintf(attributes, sizeof attributes, " axis=\"%" PRId64 "\"", l->axis);
    ir_layer(m, out, l->type, l->opset, name, attributes, inputs, l->tensor_count + l->list_count);
}
