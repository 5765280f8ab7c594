/* SPDX-License-Identifier: Apache-2.0 */
/* What the attributes of an IR's elements say. */
#include "harness/check/check_ir.h"
#include "harness/base/did_you_mean.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
const char *const ir_mask_names[IR_MASKS] = {
    "begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask",
};
/* clang-format on */

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

void ir_note_unknown(ir_layer *layer, const char **attributes)
{
    did_you_mean_names known = { .count = 0 };
    for (unsigned i = 0; i < IR_MASKS; ++i)
        did_you_mean_add(&known, ir_mask_names[i]);
    for (; attributes[0]; attributes += 2) {
        size_t used = strlen(layer->note);
        unsigned i = 0;
        while (i < IR_MASKS && strcmp(attributes[0], ir_mask_names[i]) != 0)
            ++i;
        if (i < IR_MASKS)
            continue;
        const char *meant = did_you_mean_name(&known, attributes[0]);
        snprintf(layer->note + used, sizeof layer->note - used,
                 "%sthe attribute %.40s is not one of StridedSlice and was ignored%s%s%s", used ? "; " : "",
                 attributes[0], meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    }
}
