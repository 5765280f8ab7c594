/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensors: element types, sizes, strides and addresses (rules BUF-05 to BUF-11). Arithmetic is that of 64 bits and
 * says where they do not hold the result, because descriptors may be garbage.
 */
#ifndef TOUCHSTONE_TENSOR_H
#define TOUCHSTONE_TENSOR_H

#include "backends/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* One element type and its spellings in the specifications and in ids. */
typedef struct ts_dtype_info {
    const char *id;       /* "f16": in ids and queries */
    const char *dml;      /* "FLOAT16"; NULL if DirectML has none */
    const char *openvino; /* "f16"; NULL if no OpenVINO type is used for it */
    uint8_t bits;
    bool is_float;
    bool is_signed;
} ts_dtype_info;

/* The description of a type, or NULL for UNKNOWN and for values that are no type. */
const ts_dtype_info *tensor_dtype(uint32_t dtype);

/* A type by any of its spellings ("f16", "FLOAT16", "DML_TENSOR_DATA_TYPE_FLOAT16"); TS_DTYPE_UNKNOWN if none. */
ts_dtype tensor_dtype_named(const char *name);

/* Bytes of one element; 4-bit types and unknown ones have 0 (no operator supports them). */
static inline size_t tensor_element_bytes(uint32_t dtype)
{
    static const uint8_t bytes[TS_DTYPE_COUNT] = { 0, 4, 2, 4, 2, 1, 4, 2, 1, 8, 8, 8, 0, 0, 2, 1 };
    return dtype < TS_DTYPE_COUNT ? bytes[dtype] : 0;
}

/* "4_1" for TS_LEVEL_4_1. Returns a static string; "none" for 0, "?" for a value that is no level. */
const char *tensor_level_name(ts_level level);

/* The level of "4_1", "4.1" or "DML_FEATURE_LEVEL_4_1"; 0 if it is none. */
ts_level tensor_level_named(const char *name);

/* The name of a profile (ts_profile): "openvino", the default, or "numpy". */
const char *tensor_profile_name(uint32_t profile);

/* The profile of a name; "default" is "openvino". False if there is none; *profile is unchanged then. */
bool tensor_profile_named(const char *name, uint32_t *profile);

/* All levels in ascending order; *count of them. */
const ts_level *tensor_levels(size_t *count);

/* Product of the sizes: the logical number of elements. False if it exceeds 2^64-1. rank <= TS_MAX_DIMS. */
bool tensor_element_count(const ts_tensor *t, uint64_t *count);

/* 1 + sum((sizes-1)*strides): elements from the first to the last that the tensor addresses; 0 if a size is 0.
   False if it exceeds 2^64-1 (BUF-09, in 64 bits; the published helper wraps at 32). */
bool tensor_span_elements(const ts_tensor *t, uint64_t *elements);

/* The same in bytes: those of the buffer up to the end of the last element. False on overflow or for a type without a
   size. */
bool tensor_span_bytes(const ts_tensor *t, uint64_t *bytes);

/* The smallest legal TotalTensorSizeInBytes: the span in bytes rounded up to 4 (BUF-09). False on overflow or for a
   type without a size. A tensor with a zero size needs 0. */
bool tensor_min_bytes(const ts_tensor *t, uint64_t *bytes);

/* The same from the span. */
bool tensor_bytes_of(uint32_t dtype, uint64_t span, uint64_t *bytes);

/* The sum of the sizes along an axis of `count` tensors that follow each other, all of which have that axis; 0, which
   is no size of a tensor that has elements, where 64 bits do not hold it. */
uint64_t tensor_sum_along(const ts_tensor *first, unsigned count, uint32_t axis);

/* The stride of a dimension: that of the one behind it, times its `size`; 2^64 - 1 where it is more than that, with
   which the tensor's span does not fit into 64 bits either. */
static inline uint64_t tensor_next_stride(uint64_t stride, uint64_t size)
{
    uint64_t next;
    return __builtin_mul_overflow(stride, size, &next) ? UINT64_MAX : next;
}

/* Set packed row-major strides for the sizes (BUF-07). */
void tensor_pack(ts_tensor *t);

/* Give a tensor `rank` dimensions, at most TS_MAX_DIMS: sizes of 1 in front, or fewer of the sizes in front. Strides
   and bytes stay as they are. */
void tensor_set_rank(ts_tensor *t, uint32_t rank);

/* Do two coordinates share an address? Exact, for any strides (BUF-12); true if the search exceeds 2^20 steps
   (which never happens with nested strides, as of packed and padded tensors in any axis order). */
bool tensor_overlaps(const ts_tensor *t);

/* Make t a present, packed tensor of this type and shape with the smallest legal size in bytes. */
void tensor_init(ts_tensor *t, uint32_t dtype, uint32_t rank, const uint64_t *sizes);

/* Offset in elements of a coordinate: sum(coord*stride). */
static inline uint64_t tensor_offset(const ts_tensor *t, const uint64_t *coord)
{
    uint64_t offset = 0;
    for (uint32_t i = 0; i < t->rank; ++i)
        offset += coord[i] * t->strides[i];
    return offset;
}

/* The number of a coordinate in row-major order, whatever the strides are. */
static inline uint64_t tensor_number(const ts_tensor *t, const uint64_t *coord)
{
    uint64_t number = 0;
    for (uint32_t i = 0; i < t->rank; ++i)
        number = number * t->sizes[i] + coord[i];
    return number;
}

/* Address of a coordinate. */
static inline void *tensor_at(const ts_tensor *t, const uint64_t *coord)
{
    return (unsigned char *)t->data + tensor_offset(t, coord) * tensor_element_bytes(t->dtype);
}

/* The coordinate after this one in row-major order; false after the last one, which leaves all zeros. Start from
   zeros, with a do-while loop, on a tensor without zero sizes; rank 0 has one coordinate. */
static inline bool tensor_next(const ts_tensor *t, uint64_t *coord)
{
    for (uint32_t i = t->rank; i-- > 0;) {
        if (++coord[i] < t->sizes[i])
            return true;
        coord[i] = 0;
    }
    return false;
}

/* The same for rows: the first element of the next row, which is the elements along the last dimension. */
static inline bool tensor_next_row(const ts_tensor *t, uint64_t *coord)
{
    for (uint32_t i = t->rank; i-- > 1;) {
        if (++coord[i - 1] < t->sizes[i - 1])
            return true;
        coord[i - 1] = 0;
    }
    return false;
}

/* Copy one element bit for bit, without any conversion (SL-11, GA-13, SS-14). */
static inline void tensor_copy_element(const ts_tensor *to, const uint64_t *to_coord, const ts_tensor *from,
                                       const uint64_t *from_coord)
{
    const void *source = tensor_at(from, from_coord);
    void *target = tensor_at(to, to_coord);
    switch (tensor_element_bytes(to->dtype)) { /* constant sizes compile to one move */
    case 1: memcpy(target, source, 1); break;
    case 2: memcpy(target, source, 2); break;
    case 4: memcpy(target, source, 4); break;
    default: memcpy(target, source, 8); break;
    }
}

#endif
