/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: NonZero, invented and reported. */
#include "backends/planted/third.h"

#include <stdlib.h>

/* One element of the data. */
typedef struct datum {
    const fault_call *call;
    uint64_t number; /* in row-major order */
    uint64_t count;  /* of elements */
    uint64_t bits;
    bool right;                /* it is not zero */
    const unsigned char *mask; /* of all elements: are they not zero? */
} datum;

static bool is_float(const fault_call *call)
{
    return tensor_dtype(call->in->dtype)->is_float;
}

static size_t width(const fault_call *call)
{
    return tensor_element_bytes(call->in->dtype);
}

static uint64_t magnitude(const datum *e)
{
    const uint64_t sign = UINT64_C(1) << (8 * width(e->call) - 1);
    return is_float(e->call) ? e->bits & ~sign : e->bits;
}

/* Run with what `counts` takes for not zero, or as it is. */
static void third_zeros(const fault_call *call, bool (*counts)(const datum *e))
{
    ts_descriptor d = *call->d;
    const uint64_t count = fault_count(call->in);
    unsigned char *mask = calloc((size_t)count + 1, 1), *taken = calloc((size_t)count + 1, 1);
    uint64_t at[TS_MAX_DIMS] = { 0 };
    datum e = { .call = call, .count = count, .mask = mask };
    for (int pass = 0; mask && taken && pass < 2 && count > 0; ++pass) {
        e.number = 0;
        do {
            e.bits = 0;
            memcpy(&e.bits, tensor_at(call->in, at), width(call));
            e.right = magnitude(&e) != 0;
            if (pass == 0)
                mask[e.number] = e.right;
            else
                taken[e.number] = counts(&e);
            ++e.number;
        } while (tensor_next(call->in, at));
    }
    tensor_init(&d.tensors[0], TS_UINT8, call->in->rank, call->in->sizes);
    d.tensors[0].data = taken;
    if (mask && taken)
        d.op->run(&d, NULL);
    free(mask);
    free(taken);
}

static uint64_t found_of(const fault_call *call)
{
    return call->out->reported ? call->out->reported->sizes[1] : 0;
}

/* The place of the index in dimension k of element j, behind `found` of them. */
static unsigned char *index_at(const fault_call *call, uint64_t found, uint64_t k, uint64_t j)
{
    return (unsigned char *)call->out->data + (k * found + j) * tensor_element_bytes(call->out->dtype);
}

/* ---- invented ---------------------------------------------------------------------------------------------------- */

/* From 16 elements on, floats are compared by their bits. */
static bool by_bits(const datum *e)
{
    return e->count >= 16 ? e->bits != 0 : e->right;
}

static void zero_bits(const fault_call *call)
{
    third_zeros(call, by_bits);
}

static bool by_low_half(const datum *e)
{
    return width(e->call) == 8 ? (uint32_t)magnitude(e) != 0 : e->right;
}

static void zero_low(const fault_call *call)
{
    third_zeros(call, by_low_half);
}

/* A number of 16 bits is not zero if it is above or below 0. */
static bool ordered(const datum *e)
{
    const uint64_t infinity = e->call->in->dtype == TS_FLOAT16 ? 0x7c00 : 0x7f80;
    return e->right && !(is_float(e->call) && width(e->call) == 2 && magnitude(e) > infinity);
}

static void zero_ordered(const fault_call *call)
{
    third_zeros(call, ordered);
}

/* A full group of 32 has a count that overflows its mask. */
static bool full_group(const datum *e)
{
    const uint64_t first = fault_floor(e->number, 32);
    bool full = first + 32 <= e->count;
    for (uint64_t i = first; full && i < first + 32; ++i)
        full = e->mask[i] != 0;
    return e->right && !full;
}

static void zero_group(const fault_call *call)
{
    third_zeros(call, full_group);
}

static bool one_behind(const datum *e)
{
    return e->right && !(e->count > 16 && e->count % 16 == 1 && e->number + 1 == e->count);
}

static void zero_tail(const fault_call *call)
{
    third_zeros(call, one_behind);
}

/* With more than five dimensions, the first ones are one: its index is in the first row, and 0 in the next. */
static void zero_rank(const fault_call *call)
{
    const ts_tensor *in = call->in;
    fault_run_right(call);
    const uint64_t found = found_of(call);
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    for (uint64_t j = 0; in->rank > 5 && j < found; ++j) {
        uint64_t folded = 0;
        for (uint32_t k = 0; k + 4 < in->rank; ++k) {
            uint64_t index = 0;
            memcpy(&index, index_at(call, found, k, j), bytes);
            folded = folded * in->sizes[k] + index;
            memset(index_at(call, found, k, j), 0, bytes);
        }
        memcpy(index_at(call, found, 0, j), &folded, bytes);
    }
}

/* Blocks of 256 elements: one without an element does not hand on how many were before it. */
static void zero_carry(const fault_call *call)
{
    const uint64_t count = fault_count(call->in);
    uint64_t at[TS_MAX_DIMS] = { 0 }, place = 0, in_block = 0, number = 0;
    fault_run_right(call);
    const uint64_t found = found_of(call);
    if (count <= 256 || found == 0)
        return;
    do {
        uint64_t bits = 0;
        memcpy(&bits, tensor_at(call->in, at), width(call));
        const datum e = { .call = call, .bits = bits };
        if (magnitude(&e) != 0) {
            for (uint32_t k = 0; k < call->in->rank; ++k)
                memcpy(index_at(call, found, k, place), &at[k], tensor_element_bytes(call->out->dtype));
            ++place;
            ++in_block;
        }
        if (++number % 256 == 0) {
            place = in_block == 0 ? 0 : place;
            in_block = 0;
        }
    } while (tensor_next(call->in, at));
}

/* ---- reported ---------------------------------------------------------------------------------------------------- */

/* The number of an element among those that are not zero is a byte, for data of bytes. */
static void zero_byte(const fault_call *call)
{
    fault_run_right(call);
    const uint64_t found = found_of(call);
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    for (uint64_t k = 0; width(call) == 1 && found > 256 && k < call->in->rank; ++k)
        for (uint64_t j = 0; j < 256; ++j)
            memcpy(index_at(call, found, k, j), index_at(call, found, k, (found - 1 - j) / 256 * 256 + j), bytes);
}

/* A scalar is taken for a vector. */
static void scalar_as_vector(const fault_call *call, ts_shape *shape)
{
    if (call->in->rank == 0)
        shape->sizes[0] = 1;
}

/* A buffer is never empty: there is at least one element. */
static void one_at_least(const fault_call *call, ts_shape *shape)
{
    if (shape->sizes[1] == 0 && fault_count(call->in) > 0)
        shape->sizes[1] = 1;
}

/* Groups of 128 elements write as they finish: each second one before the first. */
static void zero_order(const fault_call *call)
{
    uint64_t at[TS_MAX_DIMS] = { 0 }, pair[2] = { 0, 0 }, begun = 0, number = 0, *numbers;
    fault_run_right(call);
    const uint64_t found = found_of(call), count = fault_count(call->in);
    if (count <= 128 || found == 0)
        return;
    numbers = calloc((size_t)count, sizeof *numbers); /* of the found ones: the number of their group */
    if (!numbers)
        return;
    uint64_t j = 0;
    do {
        uint64_t bits = 0;
        memcpy(&bits, tensor_at(call->in, at), width(call));
        const datum e = { .call = call, .bits = bits };
        if (magnitude(&e) != 0)
            numbers[j++] = number / 128;
        ++number;
    } while (tensor_next(call->in, at));
    const size_t bytes = tensor_element_bytes(call->out->dtype);
    unsigned char *row = malloc((size_t)found * bytes);
    for (uint32_t k = 0; row && k < call->in->rank; ++k) {
        memcpy(row, index_at(call, found, k, 0), (size_t)found * bytes);
        for (begun = 0; begun < found;) {
            pair[0] = begun;
            while (pair[0] < found && numbers[pair[0]] / 2 == numbers[begun] / 2 && numbers[pair[0]] % 2 == 0)
                ++pair[0];
            pair[1] = pair[0];
            while (pair[1] < found && numbers[pair[1]] / 2 == numbers[begun] / 2)
                ++pair[1];
            memcpy(index_at(call, found, k, begun), row + pair[0] * bytes, (size_t)(pair[1] - pair[0]) * bytes);
            memcpy(index_at(call, found, k, begun + pair[1] - pair[0]), row + begun * bytes,
                   (size_t)(pair[0] - begun) * bytes);
            begun = pair[1];
        }
    }
    free(row);
    free(numbers);
}

static const fault rows[] = {
    { "third-zero-bits", ON_NON_ZERO, VALUES, "from 16 elements on, a negative zero is not zero",
      .execute = zero_bits },
    { "third-zero-low", ON_NON_ZERO, VALUES, "of 64-bit elements, the lower half is compared", .execute = zero_low },
    { "third-zero-ordered", ON_NON_ZERO, VALUES, "a NaN of 16 bits is neither above nor below zero",
      .execute = zero_ordered },
    { "third-zero-group", ON_NON_ZERO, PATTERNS, "a group of 32 elements none of which is zero counts for nothing",
      .execute = zero_group },
    { "third-zero-tail", ON_NON_ZERO, TAILS, "of 16 n + 1 elements, the last one is not looked at",
      .execute = zero_tail },
    { "third-zero-rank", ON_NON_ZERO, COUNTS, "with more than five dimensions, the first ones are one",
      .execute = zero_rank },
    { "third-zero-carry", ON_NON_ZERO, PATTERNS, "a block of 256 zeros does not hand on how many were before",
      .execute = zero_carry },
    { "third-migraphx-byte", ON_NON_ZERO, MAGNITUDES,
      "of data of bytes, what is found is counted in a byte (AMDMIGraphX pull request 4919)", .execute = zero_byte },
    { "third-ort-scalar", ON_NON_ZERO, MEANING, "the output of a scalar has one row (onnxruntime pull request 32360)",
      .reshape = scalar_as_vector },
    { "third-burn-none", ON_NON_ZERO, COUNTS, "where all elements are zero, one is reported (burn issue 2180)",
      .reshape = one_at_least },
    { "third-openvino-order", ON_NON_ZERO, GRIDS,
      "groups of elements write in the order in which they finish (openvino pull request 13185)",
      .execute = zero_order },
};

const fault_table planted_third_zeros = { rows, sizeof rows / sizeof *rows };
