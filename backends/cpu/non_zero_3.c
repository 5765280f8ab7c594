/* SPDX-License-Identifier: Apache-2.0 */
/* OpenVINO's NonZero-3 (rules NZ3-01 to NZ3-10). */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "reference/openvino/non_zero_3.h"

#include <string.h>

enum { DATA, OUT, TENSORS };
#define MOST_DIMS 8

/* The bits of an element that make it differ from zero: all but the sign of a float. */
static uint64_t value_mask(uint32_t dtype, uint32_t bytes)
{
    const uint64_t all = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    const bool has_sign = dtype == TS_FLOAT64 || dtype == TS_FLOAT32 || dtype == TS_FLOAT16 || dtype == TS_BFLOAT16;
    return has_sign ? all >> 1 : all;
}

static uint64_t read_bits(const unsigned char *p, uint32_t bytes)
{
    uint8_t byte;
    uint16_t half;
    uint32_t word;
    uint64_t wide;
    switch (bytes) { /* constant sizes compile to one load */
    case 1: memcpy(&byte, p, sizeof byte); return byte;
    case 2: memcpy(&half, p, sizeof half); return half;
    case 4: memcpy(&word, p, sizeof word); return word;
    default: memcpy(&wide, p, sizeof wide); return wide;
    }
}

/* A walk over data, which visits the elements that are not zero in row-major order. */
typedef struct walk {
    const buffer *in;
    uint64_t mask, found;
    uint64_t at[MOST_DIMS];                         /* the coordinate of what is visited */
    void (*visit)(struct walk *w, uint64_t column); /* NULL: count them */
    unsigned char *out;
    uint64_t row; /* elements of a row of the output */
} walk;

/* Walk dimension k and those behind it, from this address on. */
static void walk_from(walk *w, uint32_t k, const unsigned char *p)
{
    const buffer *in = w->in;
    if (k == in->rank) {
        if (read_bits(p, in->bytes) & w->mask) {
            if (w->visit)
                w->visit(w, w->found);
            ++w->found;
        }
        return;
    }
    const uint64_t step = in->strides[k] * in->bytes;
    for (w->at[k] = 0; w->at[k] < in->sizes[k]; ++w->at[k], p += step)
        walk_from(w, k + 1, p);
}

static void write_narrow(walk *w, uint64_t column)
{
    for (uint32_t k = 0; k < w->in->rank; ++k) {
        const int32_t index = (int32_t)w->at[k];
        memcpy(w->out + (k * w->row + column) * sizeof index, &index, sizeof index);
    }
}

static void write_wide(walk *w, uint64_t column)
{
    for (uint32_t k = 0; k < w->in->rank; ++k) {
        const int64_t index = (int64_t)w->at[k];
        memcpy(w->out + (k * w->row + column) * sizeof index, &index, sizeof index);
    }
}

/* Are the tensors and the attribute legal? */
static bool is_legal(const ts_call *call, buffer *in, buffer *out)
{
    const ts_tensor *data = ts_call_tensor(call, DATA), *result = ts_call_tensor(call, OUT);
    const ts_openvino_non_zero_3 *a = call->attrs;
    const uint32_t type = call->attrs_given & TS_NON_ZERO_3_GIVEN_OUTPUT_TYPE ? a->output_type : TS_NON_ZERO_3_I64;
    uint64_t elements = 1;
    if (!buffer_check_openvino(in, data) || !buffer_check_openvino(out, result) || data->rank > MOST_DIMS ||
        result->rank != 2)
        return false;
    for (uint32_t k = 0; k < data->rank && in->elements > 0; ++k)
        if (__builtin_mul_overflow(elements, data->sizes[k], &elements))
            return false;
    if (in->elements == 0) /* whatever the other sizes are */
        elements = 0;
    if (result->sizes[0] != data->rank || result->sizes[1] != elements)
        return false;
    if (result->strides[0] != elements || result->strides[1] != 1)
        return false;
    return (type == TS_NON_ZERO_3_I64 && result->dtype == TS_INT64) ||
           (type == TS_NON_ZERO_3_I32 && result->dtype == TS_INT32);
}

static ts_status run(const ts_call *call)
{
    const ts_tensor *result = ts_call_tensor(call, OUT);
    buffer in, out;
    if (!is_legal(call, &in, &out))
        return TS_REJECTED;
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&in) || buffer_lacks_data(&out))
        return TS_ERROR;
    walk w = { .in = &in, .mask = value_mask(ts_call_tensor(call, DATA)->dtype, in.bytes), .out = out.data };
    if (in.elements > 0)
        walk_from(&w, 0, in.data);
    w.row = w.found;
    if (result->reported) {
        result->reported->rank = 2;
        result->reported->sizes[0] = in.rank;
        result->reported->sizes[1] = w.row;
    }
    w.found = 0;
    w.visit = result->dtype == TS_INT32 ? write_narrow : write_wide;
    if (w.row > 0)
        walk_from(&w, 0, in.data);
    return TS_OK;
}

const cpu_operator cpu_non_zero_3 = { "openvino.non_zero_3", TENSORS, sizeof(ts_openvino_non_zero_3), run };
