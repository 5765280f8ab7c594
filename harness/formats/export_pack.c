/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/formats/export_pack.h"

#include "harness/model/value.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char *export_pack(const ts_tensor *t, size_t *size)
{
    const size_t bytes = tensor_element_bytes(t->dtype);
    uint64_t coord[TS_MAX_DIMS] = { 0 }, count = 0;
    tensor_element_count(t, &count);
    *size = (size_t)count * bytes;
    unsigned char *packed = malloc(*size + 1), *at = packed;
    if (packed && count > 0)
        do {
            memcpy(at, tensor_at(t, coord), bytes);
            at += bytes;
        } while (tensor_next(t, coord));
    return packed;
}

/* With a point in front of the exponent, which not every format takes without: 1.0, -0.0, 1.0e+20. */
static void add_float(text *t, double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", value);
    const size_t whole = strcspn(digits, "e");
    text_bytes(t, digits, whole);
    text_add(t, memchr(digits, '.', whole) ? "" : ".0");
    text_add(t, digits + whole);
}

bool export_number(text *t, uint32_t dtype, const unsigned char *at)
{
    const ts_dtype_info *type = tensor_dtype(dtype);
    const uint64_t bits = value_bits(dtype, at);
    if (!type->is_float && type->bits == 64 && type->is_signed)
        text_format(t, "%" PRId64, (int64_t)bits);
    else if (!type->is_float && type->bits == 64)
        text_format(t, "%" PRIu64, bits);
    else if (!type->is_float)
        text_format(t, "%.0f", value_to_double(dtype, at));
    else if (isfinite(value_to_double(dtype, at)))
        add_float(t, value_to_double(dtype, at));
    else
        return false;
    return true;
}
