/* SPDX-License-Identifier: Apache-2.0 */
#include "reference/openvino/gather_tree_shared.h"

/* An element of a float type; -1 for infinities and NaNs of f16. Its numbers from 1 on are those of f32, whose
   exponents are 112 more and whose fractions are 13 bits longer. */
static double number(uint32_t dtype, uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float single;
    double value;
    if (dtype == TS_FLOAT64) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (dtype == TS_BFLOAT16) /* the upper word of f32 */
        word = word << 16;
    else if (dtype == TS_FLOAT16 && (word & 0x7C00u) == 0x7C00u)
        return -1;
    else if (dtype == TS_FLOAT16)
        word = ((word & 0x8000u) << 16) | (((word & 0x7FFFu) << 13) + (112u << 23));
    memcpy(&single, &word, sizeof single);
    return (double)single;
}

/* Set *value to an element that is an integer of 0 or more and below 2^63. False if it is none. */
static bool natural(uint32_t dtype, const void *p, uint64_t *value)
{
    const unsigned width = 8 * (unsigned)tensor_element_bytes(dtype);
    const ts_dtype_info *type = tensor_dtype(dtype);
    uint64_t bits = 0;
    memcpy(&bits, p, width / 8); /* little-endian */
    *value = bits;
    if (!type->is_float)
        return !((type->is_signed || width == 64) && bits >> (width - 1));
    if (bits << (65 - width) == 0) { /* both zeros */
        *value = 0;
        return true;
    }
    const double x = number(dtype, bits);
    const bool fits = x >= 1 && x < 0x1p63;
    *value = fits ? (uint64_t)x : 0;
    return fits && (double)*value == x;
}

bool openvino_gather_tree_length(const ts_descriptor *d, uint64_t batch, uint64_t *count)
{
    const ts_tensor *lengths = &d->tensors[GATHER_TREE_LENGTHS];
    const uint64_t coord[TS_MAX_DIMS] = { batch }, most = d->tensors[GATHER_TREE_STEPS].sizes[0];
    if (!natural(lengths->dtype, tensor_at(lengths, coord), count))
        return false;
    *count = *count < most ? *count : most;
    return true;
}

bool openvino_gather_tree_parent(const ts_descriptor *d, const uint64_t *coord, uint64_t *beam)
{
    const ts_tensor *parents = &d->tensors[GATHER_TREE_PARENTS];
    return natural(parents->dtype, tensor_at(parents, coord), beam) && *beam < parents->sizes[2];
}

bool openvino_gather_tree_ends(const ts_descriptor *d, const ts_tensor *t, const uint64_t *coord)
{
    const ts_tensor *token = &d->tensors[GATHER_TREE_END];
    const size_t bytes = tensor_element_bytes(t->dtype);
    const uint64_t scalar[TS_MAX_DIMS] = { 0 }, sign = UINT64_C(1) << (8 * bytes - 1);
    uint64_t id = 0, end = 0;
    memcpy(&id, tensor_at(t, coord), bytes); /* little-endian */
    memcpy(&end, tensor_at(token, scalar), bytes);
    return id == end || (tensor_dtype(t->dtype)->is_float && ((id | end) & ~sign) == 0); /* both are zero */
}
