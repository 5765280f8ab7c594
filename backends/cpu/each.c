/* SPDX-License-Identifier: Apache-2.0 */
/* Bits, logic, comparisons and choices, element by element. Bits are processed byte by byte, and numbers are compared
   as those of C's types. */
#include "backends/cpu/buffer.h"
#include "backends/cpu/cpu.h"
#include "backends/cpu/half.h"

#include <string.h>

#define MOST_INPUTS 3
#define UNSIGNED    (BUFFER_BIT(TS_UINT32) | BUFFER_BIT(TS_UINT16) | BUFFER_BIT(TS_UINT8))
#define TRUTH       (BUFFER_BIT(TS_UINT32) | BUFFER_BIT(TS_UINT8))
#define NO_DOUBLES  (BUFFER_TYPES_ALL & ~BUFFER_BIT(TS_FLOAT64))

/* Compute one element. in: the elements of the inputs, of `bytes` bytes and this type, but for the one that chooses;
   out: of out_bytes. */
typedef struct element {
    const unsigned char *in[MOST_INPUTS];
    unsigned char *out;
    uint32_t dtype;
    unsigned bytes, out_bytes;
} element;
typedef void each_kernel(const element *e);

/* ---- bits --------------------------------------------------------------------------------------------------- */

static void bit_and(const element *e)
{
    for (unsigned i = 0; i < e->bytes; ++i)
        e->out[i] = e->in[0][i] & e->in[1][i];
}

static void bit_or(const element *e)
{
    for (unsigned i = 0; i < e->bytes; ++i)
        e->out[i] = e->in[0][i] | e->in[1][i];
}

static void bit_xor(const element *e)
{
    for (unsigned i = 0; i < e->bytes; ++i)
        e->out[i] = e->in[0][i] ^ e->in[1][i];
}

static void bit_not(const element *e)
{
    for (unsigned i = 0; i < e->bytes; ++i)
        e->out[i] = (unsigned char)(255 - e->in[0][i]);
}

/* Numbers of the output are stored byte by byte, the lowest first. */
static void put_small(const element *e, unsigned char value)
{
    memset(e->out, 0, e->out_bytes);
    e->out[0] = value;
}

static void bit_count(const element *e)
{
    unsigned char ones = 0;
    for (unsigned i = 0; i < e->bytes; ++i)
        for (unsigned char rest = e->in[0][i]; rest; rest = (unsigned char)(rest >> 1))
            ones = (unsigned char)(ones + rest % 2);
    put_small(e, ones);
}

/* The count of a shift, at most `most`. */
static unsigned shift_count(const element *e, unsigned most)
{
    unsigned count = e->in[1][0];
    for (unsigned i = 1; i < e->bytes; ++i)
        if (e->in[1][i])
            return most;
    return count < most ? count : most;
}

/* Whole bytes first, then the bits that are left. */
static void bit_shift_left(const element *e)
{
    const unsigned count = shift_count(e, 8 * e->bytes), whole = count / 8, bits = count % 8;
    unsigned char from[8];
    memcpy(from, e->in[0], e->bytes);
    for (unsigned i = e->bytes; i-- > 0;) {
        const unsigned high = i >= whole ? from[i - whole] : 0u, low = i >= whole + 1 ? from[i - whole - 1] : 0u;
        e->out[i] = (unsigned char)(high << bits | low >> (8 - bits));
    }
}

static void bit_shift_right(const element *e)
{
    const unsigned count = shift_count(e, 8 * e->bytes), whole = count / 8, bits = count % 8;
    unsigned char from[8];
    memcpy(from, e->in[0], e->bytes);
    for (unsigned i = 0; i < e->bytes; ++i) {
        const unsigned low = i + whole < e->bytes ? from[i + whole] : 0u,
                       high = i + whole + 1 < e->bytes ? from[i + whole + 1] : 0u;
        e->out[i] = (unsigned char)(low >> bits | high << (8 - bits));
    }
}

/* ---- logic -------------------------------------------------------------------------------------------------- */

static int is_true(const unsigned char *at, unsigned bytes)
{
    static const unsigned char zeros[8];
    return memcmp(at, zeros, bytes) != 0;
}

static void logical_and(const element *e)
{
    put_small(e, is_true(e->in[0], e->bytes) ? (unsigned char)is_true(e->in[1], e->bytes) : 0);
}

static void logical_or(const element *e)
{
    put_small(e, is_true(e->in[0], e->bytes) ? 1 : (unsigned char)is_true(e->in[1], e->bytes));
}

static void logical_xor(const element *e)
{
    put_small(e, is_true(e->in[0], e->bytes) != is_true(e->in[1], e->bytes));
}

static void logical_not(const element *e)
{
    put_small(e, !is_true(e->in[0], e->bytes));
}

/* ---- comparisons -------------------------------------------------------------------------------------------- */

typedef struct comparison {
    unsigned char less, equal, greater;
} comparison;

#define COMPARE(type)                                                                                                  \
    do {                                                                                                               \
        type a, b;                                                                                                     \
        memcpy(&a, e->in[0], sizeof a);                                                                                \
        memcpy(&b, e->in[1], sizeof b);                                                                                \
        return (comparison){ a < b, a == b, a > b };                                                                   \
    } while (0)

static comparison compare(const element *e)
{
    switch (e->dtype) {
    case TS_FLOAT32: COMPARE(float);
    case TS_INT8: COMPARE(int8_t);
    case TS_INT16: COMPARE(int16_t);
    case TS_INT32: COMPARE(int32_t);
    case TS_INT64: COMPARE(int64_t);
    case TS_UINT8: COMPARE(uint8_t);
    case TS_UINT16: COMPARE(uint16_t);
    case TS_UINT32: COMPARE(uint32_t);
    case TS_UINT64: COMPARE(uint64_t);
    default: break;
    }
    uint16_t halves[2];
    memcpy(&halves[0], e->in[0], sizeof halves[0]);
    memcpy(&halves[1], e->in[1], sizeof halves[1]);
    const float a = cpu_widen(halves[0]), b = cpu_widen(halves[1]);
    return (comparison){ a < b, a == b, a > b };
}

static void equals(const element *e)
{
    put_small(e, compare(e).equal);
}

static void greater_than(const element *e)
{
    put_small(e, compare(e).greater);
}

static void greater_than_or_equal(const element *e)
{
    const comparison c = compare(e);
    put_small(e, c.greater | c.equal);
}

static void less_than(const element *e)
{
    put_small(e, compare(e).less);
}

static void less_than_or_equal(const element *e)
{
    const comparison c = compare(e);
    put_small(e, c.less | c.equal);
}

/* Only a NaN differs from itself. */
static void is_nan(const element *e)
{
    element twice = *e;
    twice.in[1] = e->in[0];
    put_small(e, !compare(&twice).equal);
}

/* Bytes of both inputs are masked. */
static void choice(const element *e)
{
    const unsigned char mask = is_true(e->in[0], 1) ? 255 : 0;
    for (unsigned i = 0; i < e->bytes; ++i)
        e->out[i] = (unsigned char)((e->in[1][i] & mask) | (e->in[2][i] & ~mask));
}

/* ---- calls -------------------------------------------------------------------------------------------------- */

/* What an operator allows: rows from the highest level down, whose `indices` are the types of the output where these are
   not the inputs'. And how it computes an element. Of three inputs, the first one chooses. */
typedef struct each_operator {
    const buffer_row *rows;
    unsigned row_count, inputs;
    each_kernel *kernel;
} each_operator;

static const buffer_row bit_rows[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_3_0, 1, 8, UNSIGNED, 0 },
};
static const buffer_row count_rows[] = {
    { TS_LEVEL_4_1, 1, 8, BUFFER_TYPES_ALL, TRUTH },
    { TS_LEVEL_3_0, 1, 8, UNSIGNED, TRUTH },
};
static const buffer_row shift_rows[] = {
    { TS_LEVEL_4_1, 1, 8, UNSIGNED | BUFFER_BIT(TS_UINT64), 0 },
    { TS_LEVEL_3_0, 1, 8, UNSIGNED, 0 },
    { TS_LEVEL_2_1, 4, 4, UNSIGNED, 0 },
};
static const buffer_row logic_rows[] = {
    { TS_LEVEL_3_0, 1, 8, TRUTH, 0 },
    { TS_LEVEL_2_0, 4, 4, TRUTH, 0 },
    { TS_LEVEL_1_0, 4, 4, BUFFER_BIT(TS_UINT32), 0 },
};
static const buffer_row choice_rows[] = {
    { TS_LEVEL_5_0, 1, 8, BUFFER_TYPES_ALL, 0 },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, 0 },
    { TS_LEVEL_2_0, 4, 4, BUFFER_BIT(TS_FLOAT16), 0 },
};
static const buffer_row is_rows[] = {
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_FLOAT, TRUTH },
    { TS_LEVEL_2_0, 4, 4, BUFFER_TYPES_FLOAT, TRUTH },
};
static const buffer_row comparison_rows[] = {
    { TS_LEVEL_4_1, 1, 8, NO_DOUBLES, TRUTH },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, TRUTH },
    { TS_LEVEL_2_1, 4, 4, BUFFER_TYPES_NARROW, TRUTH },
    { TS_LEVEL_2_0, 4, 4, BUFFER_TYPES_FLOAT, TRUTH },
    { TS_LEVEL_1_0, 4, 4, BUFFER_TYPES_FLOAT, BUFFER_BIT(TS_UINT32) },
};
static const buffer_row later_comparison_rows[] = {
    { TS_LEVEL_4_1, 1, 8, NO_DOUBLES, TRUTH },
    { TS_LEVEL_3_0, 1, 8, BUFFER_TYPES_NARROW, TRUTH },
};

/* X(NAME, rows, inputs, kernel) for each operator dml.element_wise_NAME. */
#define EACH_OPERATORS(X) \
    X(bit_and, bit_rows, 2, bit_and) \
    X(bit_or, bit_rows, 2, bit_or) \
    X(bit_xor, bit_rows, 2, bit_xor) \
    X(bit_not, bit_rows, 1, bit_not) \
    X(bit_count, count_rows, 1, bit_count) \
    X(bit_shift_left, shift_rows, 2, bit_shift_left) \
    X(bit_shift_right, shift_rows, 2, bit_shift_right) \
    X(if, choice_rows, 3, choice) \
    X(is_nan, is_rows, 1, is_nan) \
    X(logical_and, logic_rows, 2, logical_and) \
    X(logical_or, logic_rows, 2, logical_or) \
    X(logical_xor, logic_rows, 2, logical_xor) \
    X(logical_not, logic_rows, 1, logical_not) \
    X(logical_equals, comparison_rows, 2, equals) \
    X(logical_greater_than, comparison_rows, 2, greater_than) \
    X(logical_less_than, comparison_rows, 2, less_than) \
    X(logical_greater_than_or_equal, later_comparison_rows, 2, greater_than_or_equal) \
    X(logical_less_than_or_equal, later_comparison_rows, 2, less_than_or_equal)

#define AS_OPERATOR(name, rows, inputs, kernel) { "dml.element_wise_" #name, (inputs) + 1, 0, run },
#define AS_HOW(name, rows, inputs, kernel)      { rows, sizeof rows / sizeof *rows, inputs, kernel },
static ts_status run(const ts_call *call);
const cpu_operator cpu_each[] = { EACH_OPERATORS(AS_OPERATOR) };
const size_t cpu_each_count = sizeof cpu_each / sizeof *cpu_each;
static const each_operator each_operators[] = { EACH_OPERATORS(AS_HOW) };

/* One dimension after another, the last one innermost. */
static void walk(const buffer *of, unsigned count, element e, each_kernel *kernel, uint32_t dim)
{
    if (dim == of[0].rank) {
        kernel(&e);
        return;
    }
    for (uint64_t i = 0; i < of[0].sizes[dim]; ++i) {
        walk(of, count, e, kernel, dim + 1);
        for (unsigned k = 0; k + 1 < count; ++k)
            e.in[k] += of[k].strides[dim] * of[k].bytes;
        e.out += of[count - 1].strides[dim] * of[count - 1].bytes;
    }
}

static const each_operator *find(const char *name)
{
    size_t i = 0;
    while (strcmp(cpu_each[i].name, name) != 0)
        ++i;
    return &each_operators[i];
}

static ts_status run(const ts_call *call)
{
    const each_operator *op = find(call->op);
    const buffer_row *row = buffer_row_at(op->rows, op->row_count, cpu_level(call));
    const unsigned count = op->inputs + 1, typed = op->inputs == 3;
    const ts_tensor *first = ts_call_tensor(call, 0);
    const uint32_t dtype = ts_call_tensor(call, typed)->dtype;
    buffer of[MOST_INPUTS + 1] = { 0 };
    if (!row)
        return TS_REJECTED;
    for (unsigned k = 0; k < count; ++k) {
        const ts_tensor *t = ts_call_tensor(call, k);
        const uint32_t types = k < typed                        ? BUFFER_BIT(TS_UINT8)
                               : k == typed                     ? row->types
                               : k + 1 == count && row->indices ? row->indices
                                                                : BUFFER_BIT(dtype);
        if (!buffer_check(&of[k], t, k + 1 < count ? BUFFER_INPUT : BUFFER_OUTPUT, types,
                          k ? first->rank : row->min_rank, k ? first->rank : row->max_rank))
            return TS_REJECTED;
        for (uint32_t i = 0; i < first->rank; ++i)
            if (t->sizes[i] != first->sizes[i])
                return TS_REJECTED;
    }
    if (cpu_only_asks(call))
        return TS_OK;
    element e = { .dtype = dtype, .bytes = of[typed].bytes, .out_bytes = of[count - 1].bytes };
    for (unsigned k = 0; k < count; ++k) {
        if (buffer_lacks_data(&of[k]))
            return TS_ERROR;
        if (k + 1 < count)
            e.in[k] = of[k].data;
    }
    e.out = of[count - 1].data;
    walk(of, count, e, op->kernel, 0);
    return TS_OK;
}
