/* SPDX-License-Identifier: Apache-2.0 */
/* DML_OPERATOR_CUMULATIVE_SUMMATION: running sums of lines of elements (rules CS-01 to CS-10). The dimensions besides
   the axis are walked as pointers. */
#include "backends/cpu/buffer.h"
#include "backends/cpu/copy.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/half.h"
#include "reference/dml/cumulative_summation.h"

#define TYPES_32 (BUFFER_TYPES_FLOAT | BUFFER_BIT(TS_INT32) | BUFFER_BIT(TS_UINT32))

static const buffer_row support[] = {
    { TS_LEVEL_5_0, 1, 8, TYPES_32 | BUFFER_BIT(TS_INT64) | BUFFER_BIT(TS_UINT64), 0 },
    { TS_LEVEL_4_0, 1, 8, TYPES_32, 0 },
    { TS_LEVEL_2_1, 4, 4, TYPES_32, 0 },
};

#define GIVEN                                                                                                          \
    (TS_CUMULATIVE_SUMMATION_GIVEN_AXIS | TS_CUMULATIVE_SUMMATION_GIVEN_AXIS_DIRECTION |                               \
     TS_CUMULATIVE_SUMMATION_GIVEN_HAS_EXCLUSIVE_SUM)

/* One line: its number of elements, and the bytes from each to the next in the order of the sum. */
typedef struct line {
    uint64_t count;
    int64_t from, to;
    bool exclusive;
} line;

static uint16_t narrow(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
    bits &= 0x7FFFFFFF;
    if (bits > 0x7F800000)
        return (uint16_t)(sign | 0x7E00);
    if (bits >= 0x477FF000) /* from 65520 on, rounding gives infinity */
        return (uint16_t)(sign | 0x7C00);
    if (bits < 0x38800000) { /* below 2^-14: adding 0.5 moves the digits that count to the lowest bits */
        memcpy(&value, &bits, sizeof value);
        value += 0.5f;
        memcpy(&bits, &value, sizeof bits);
        return (uint16_t)(sign | (bits - 0x3F000000));
    }
    return (uint16_t)(sign | ((bits - 0x38000000 + 0x0FFF + (bits >> 13 & 1)) >> 13));
}

/* The sum of a line of TYPE, whose elements are read and written as ELEMENT; WIDE and NARROW convert. */
#define SUM_LINE(name, ELEMENT, TYPE, WIDE, NARROW)                                                                    \
    static void name(unsigned char *to, const unsigned char *from, const line *l)                                      \
    {                                                                                                                  \
        TYPE sum = 0;                                                                                                  \
        for (uint64_t left = l->count; left > 0; --left, from += l->from, to += l->to) {                               \
            ELEMENT element, result;                                                                                   \
            memcpy(&element, from, sizeof element);                                                                    \
            const TYPE before = sum;                                                                                   \
            sum = WIDE(NARROW((TYPE)(sum + WIDE(element))));                                                           \
            result = NARROW(l->exclusive ? before : sum);                                                              \
            memcpy(to, &result, sizeof result);                                                                        \
        }                                                                                                              \
    }
#define SAME(x) (x)
SUM_LINE(sum_half, uint16_t, float, cpu_widen, narrow)
SUM_LINE(sum_float, float, float, SAME, SAME)
SUM_LINE(sum_32, uint32_t, uint32_t, SAME, SAME)
SUM_LINE(sum_64, uint64_t, uint64_t, SAME, SAME)

static void sum_line(uint32_t dtype, unsigned char *to, const unsigned char *from, const line *l)
{
    if (dtype == TS_FLOAT16)
        sum_half(to, from, l);
    else if (dtype == TS_FLOAT32)
        sum_float(to, from, l);
    else if (dtype == TS_INT32 || dtype == TS_UINT32)
        sum_32(to, from, l);
    else
        sum_64(to, from, l);
}

/* Sum the lines that begin at the elements of all other dimensions. */
static void sum_lines(uint32_t dtype, unsigned char *to, const unsigned char *from, const copy_dim *dims, uint32_t rank,
                      const line *l)
{
    if (rank == 0) {
        sum_line(dtype, to, from, l);
        return;
    }
    for (uint64_t i = 0; i < dims->count; ++i, to += dims->to, from += dims->from)
        sum_lines(dtype, to, from, dims + 1, rank - 1, l);
}

static ts_status run(const ts_call *call)
{
    const ts_dml_cumulative_summation *attrs = call->attrs;
    const ts_tensor *in = ts_call_tensor(call, 0), *out = ts_call_tensor(call, 1);
    const buffer_row *row = buffer_row_at(support, sizeof support / sizeof *support, cpu_level(call));
    buffer input, output;
    if (!row || (call->attrs_given & GIVEN) != GIVEN || attrs->AxisDirection > TS_AXIS_DECREASING ||
        !buffer_check(&input, in, BUFFER_INPUT, row->types, row->min_rank, row->max_rank) ||
        !buffer_check(&output, out, BUFFER_OUTPUT, BUFFER_BIT(in->dtype), in->rank, in->rank) ||
        attrs->Axis >= in->rank)
        return TS_REJECTED;
    copy_dim dims[TS_MAX_DIMS];
    uint32_t rank = 0;
    line l = { .exclusive = attrs->HasExclusiveSum != 0 };
    for (uint32_t i = 0; i < in->rank; ++i) {
        const copy_dim dim = { in->sizes[i], (int64_t)(output.strides[i] * output.bytes),
                               (int64_t)(input.strides[i] * input.bytes) };
        if (in->sizes[i] != out->sizes[i])
            return TS_REJECTED;
        if (i != attrs->Axis && dim.count > 1)
            dims[rank++] = dim;
        else if (i == attrs->Axis)
            l = (line){ dim.count, dim.from, dim.to, l.exclusive };
    }
    if (cpu_only_asks(call))
        return TS_OK;
    if (buffer_lacks_data(&input) || buffer_lacks_data(&output))
        return TS_ERROR;
    if (attrs->AxisDirection == TS_AXIS_DECREASING) { /* from the far end, backwards */
        const int64_t steps = (int64_t)l.count - 1;
        input.data += steps * l.from;
        output.data += steps * l.to;
        l.from = -l.from;
        l.to = -l.to;
    }
    sum_lines(in->dtype, output.data, input.data, dims, rank, &l);
    return TS_OK;
}

const cpu_operator cpu_cumulative_summation = { "dml.cumulative_summation", 2, sizeof(ts_dml_cumulative_summation),
                                                run };
