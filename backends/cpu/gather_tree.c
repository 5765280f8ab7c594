/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO's GatherTree-1 (rules GT1-01 to GT1-13). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "reference/openvino/gather_tree.h"

#include <string.h>

enum { STEPS, PARENTS, LENGTHS, END, OUT, TENSORS };

/* The integer of a float with so many bits behind the sign and the exponent; -1 if it is none of 0 or more. */
static int64_t integer_of_bits(uint32_t bits, int fraction_bits, int exponent_bits)
{
    const int bias = (1 << (exponent_bits - 1)) - 1,
              exponent = (int)(bits >> fraction_bits & ((1u << exponent_bits) - 1));
    const int shift = exponent - bias - fraction_bits;
    const int64_t digits = (int64_t)(bits & ((1u << fraction_bits) - 1)) | INT64_C(1) << fraction_bits;
    if ((bits & ((1u << (fraction_bits + exponent_bits)) - 1)) == 0)
        return 0;
    if (bits >> (fraction_bits + exponent_bits) || exponent == 0 || exponent == (1 << exponent_bits) - 1 || shift > 55)
        return -1;
    if (shift >= 0)
        return digits << shift;
    return shift >= -fraction_bits && (digits & ((INT64_C(1) << -shift) - 1)) == 0 ? digits >> -shift : -1;
}

static int64_t integer_of_double(double value)
{
    return value >= 0 && value < 9e18 && (double)(int64_t)value == value ? (int64_t)value : -1;
}

#define READ(type, p)                                                                                                  \
    type value;                                                                                                        \
    memcpy(&value, p, sizeof value)

/* A length or a parent; -1 for what is neither. */
static int64_t read_integer(uint32_t dtype, const unsigned char *p)
{
    switch (dtype) {
    case TS_INT8: return (int8_t)*p;
    case TS_UINT8: return *p;
    case TS_INT16: {
        READ(int16_t, p);
        return value;
    }
    case TS_UINT16: {
        READ(uint16_t, p);
        return value;
    }
    case TS_INT32: {
        READ(int32_t, p);
        return value;
    }
    case TS_UINT32: {
        READ(uint32_t, p);
        return value;
    }
    case TS_FLOAT16: {
        READ(uint16_t, p);
        return integer_of_bits(value, 10, 5);
    }
    case TS_BFLOAT16: {
        READ(uint16_t, p);
        return integer_of_bits(value, 7, 8);
    }
    case TS_FLOAT32: {
        READ(float, p);
        return integer_of_double((double)value);
    }
    case TS_FLOAT64: {
        READ(double, p);
        return integer_of_double(value);
    }
    default: {
        READ(int64_t, p); /* u64 of 2^63 and more is negative here, and none of both */
        return value;
    }
    }
}

/* Have two elements the same bits? */
static bool is_same_bits(const unsigned char *a, const unsigned char *b, uint32_t bytes)
{
    switch (bytes) { /* constant sizes compile to one comparison */
    case 1: return a[0] == b[0];
    case 2: return memcmp(a, b, 2) == 0;
    case 4: return memcmp(a, b, 4) == 0;
    default: return memcmp(a, b, 8) == 0;
    }
}

/* Are two elements equal as numbers? */
static bool is_same(uint32_t dtype, const unsigned char *a, const unsigned char *b, uint32_t bytes)
{
    if (is_same_bits(a, b, bytes))
        return true;
    if (dtype != TS_FLOAT16 && dtype != TS_BFLOAT16 && dtype != TS_FLOAT32 && dtype != TS_FLOAT64)
        return false;
    for (uint32_t i = 0; i < bytes; ++i)
        if (((a[i] | b[i]) & (i + 1 == bytes ? 0x7F : 0xFF)) != 0)
            return false;
    return true; /* two zeros */
}

/* The tensors of a call, and the strides of time, batch and beam in bytes. */
typedef struct tree {
    uint32_t dtype, bytes;
    buffer t[TENSORS];
    uint64_t stride[TENSORS][3];
} tree;

/* The sequence of `count` steps that ends in a beam, from its last step backwards. Steps from the first end_token on
   are end_token; so are all steps if a parent is no beam. */
static void follow(const tree *g, uint64_t batch, uint64_t beam, uint64_t count)
{
    const unsigned char *steps = g->t[STEPS].data + batch * g->stride[STEPS][1], *token = g->t[END].data;
    const unsigned char *parents = g->t[PARENTS].data + batch * g->stride[PARENTS][1];
    unsigned char *out = g->t[OUT].data + batch * g->stride[OUT][1] + beam * g->stride[OUT][2];
    const uint64_t time = g->t[OUT].sizes[0];
    uint64_t kept = count; /* the steps up to the first end_token */
    int64_t at = (int64_t)beam;
    for (uint64_t step = count; step-- > 0 && at >= 0;) {
        const unsigned char *id = steps + step * g->stride[STEPS][0] + (uint64_t)at * g->stride[STEPS][2];
        memcpy(out + step * g->stride[OUT][0], id, g->bytes);
        if (is_same(g->dtype, id, token, g->bytes))
            kept = step + 1;
        if (step == 0)
            break;
        at = read_integer(g->dtype, parents + step * g->stride[PARENTS][0] + (uint64_t)at * g->stride[PARENTS][2]);
        if (at < 0 || (uint64_t)at >= g->t[STEPS].sizes[2])
            at = -1;
    }
    for (uint64_t step = at < 0 ? 0 : kept; step < time; ++step)
        memcpy(out + step * g->stride[OUT][0], token, g->bytes);
}

/* Are all tensors legal, and of shapes that fit each other? */
static bool take(const ts_call *call, tree *g)
{
    static const uint32_t ranks[TENSORS] = { 3, 3, 1, 0, 3 };
    const uint64_t *sizes = ts_call_tensor(call, STEPS)->sizes;
    g->dtype = ts_call_tensor(call, STEPS)->dtype;
    for (uint32_t i = 0; i < TENSORS; ++i) {
        const ts_tensor *t = ts_call_tensor(call, i);
        if (!buffer_check_openvino(&g->t[i], t) || t->dtype != g->dtype || t->rank != ranks[i])
            return false;
        if (t->rank == 3 && (t->sizes[0] != sizes[0] || t->sizes[1] != sizes[1] || t->sizes[2] != sizes[2]))
            return false;
        for (uint32_t k = 0; k < t->rank; ++k)
            if (t->sizes[k] > INT64_MAX)
                return false;
        for (uint32_t k = 0; k < t->rank; ++k)
            g->stride[i][k] = g->t[i].strides[k] * g->t[i].bytes;
    }
    g->bytes = g->t[STEPS].bytes;
    return g->dtype != TS_BOOLEAN && g->t[LENGTHS].sizes[0] == sizes[1];
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *steps = ts_call_tensor(call, STEPS), *out = ts_call_tensor(call, OUT);
    tree g;
    if (steps->rank == 3 && out->reported) {
        out->reported->rank = 3;
        memcpy(out->reported->sizes, steps->sizes, 3 * sizeof steps->sizes[0]);
    }
    if (!take(call, &g))
        return TS_REJECTED;
    if (cpu_only_asks(call) || g.t[OUT].elements == 0)
        return TS_OK;
    for (uint32_t i = 0; i < TENSORS; ++i)
        if (buffer_lacks_data(&g.t[i]))
            return TS_ERROR;
    for (uint64_t batch = 0; batch < steps->sizes[1]; ++batch) {
        const int64_t length = read_integer(g.dtype, g.t[LENGTHS].data + batch * g.stride[LENGTHS][0]);
        const uint64_t count = length < 0 ? 0 : (uint64_t)length < steps->sizes[0] ? (uint64_t)length : steps->sizes[0];
        for (uint64_t beam = 0; beam < steps->sizes[2]; ++beam)
            follow(&g, batch, beam, count);
    }
    return TS_OK;
}

const cpu_operator cpu_gather_tree = { "openvino.gather_tree", TENSORS, sizeof(ts_openvino_gather_tree), run };
