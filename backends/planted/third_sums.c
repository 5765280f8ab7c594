/* SPDX-License-Identifier: Apache-2.0 */
/* The third set: CUMULATIVE_SUMMATION, invented and reported. Sums of floats are left right. */
#include "backends/planted/third.h"

#include "reference/dml/cumulative_summation.h"

#include <stdlib.h>

/* One line along the axis, in the order of the sum. */
typedef struct line {
    const fault_call *call;
    uint64_t number;        /* of the line, in row-major order of the other coordinates */
    uint64_t n;             /* elements */
    uint64_t inner;         /* lines that lie side by side: the product of the sizes behind the axis */
    const uint64_t *value;  /* element i */
    const uint64_t *before; /* the sum of the elements before i; n + 1 of them */
    bool exclusive, decreasing;
} line;

/* The sum at place i of the line; all ones bits count, and the lowest ones are written. */
typedef uint64_t summed(const line *l, uint64_t i);

static uint64_t right(const line *l, uint64_t i)
{
    return l->before[i + (l->exclusive ? 0 : 1)];
}

static const ts_dml_cumulative_summation *attrs_of(const fault_call *call)
{
    return TS_ATTRS(ts_dml_cumulative_summation, call->d);
}

static uint64_t length(const fault_call *call)
{
    return call->in->sizes[attrs_of(call)->Axis];
}

static uint64_t lines(const fault_call *call)
{
    return fault_count(call->in) / length(call);
}

static bool exclusive(const fault_call *call)
{
    return attrs_of(call)->HasExclusiveSum != 0;
}

static bool decreasing(const fault_call *call)
{
    return attrs_of(call)->AxisDirection == TS_AXIS_DECREASING;
}

static bool integers(const fault_call *call)
{
    return !tensor_dtype(call->in->dtype)->is_float;
}

static bool is_signed(const fault_call *call)
{
    return tensor_dtype(call->in->dtype)->is_signed;
}

static uint64_t load(const fault_call *call, const uint64_t *at)
{
    uint64_t bits = 0;
    memcpy(&bits, tensor_at(call->in, at), tensor_element_bytes(call->in->dtype));
    return is_signed(call) && tensor_element_bytes(call->in->dtype) == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)bits
                                                                         : bits;
}

/* Write each sum as `sum` says; NULL from it: not at all. */
static void third_sum(const fault_call *call, summed *sum, bool (*written)(const line *l, uint64_t i))
{
    const uint32_t axis = attrs_of(call)->Axis;
    const uint64_t n = length(call);
    uint64_t c[TS_MAX_DIMS] = { 0 }, at[TS_MAX_DIMS], *values = calloc((size_t)(2 * n + 1), sizeof *values);
    line l = { call,
               0,
               n,
               third_product(call->in, axis + 1, call->in->rank),
               values,
               values ? values + n : NULL,
               exclusive(call),
               decreasing(call) };
    if (!values)
        return;
    do {
        if (c[axis] != 0)
            continue;
        memcpy(at, c, sizeof at);
        for (uint64_t i = 0; i < n; ++i) {
            at[axis] = l.decreasing ? n - 1 - i : i;
            values[i] = load(call, at);
            values[n + i + 1] = values[n + i] + values[i];
        }
        for (uint64_t i = 0; i < n; ++i) {
            const uint64_t bits = sum(&l, i);
            at[axis] = l.decreasing ? n - 1 - i : i;
            if (!written || written(&l, i))
                memcpy(tensor_at(call->out, at), &bits, tensor_element_bytes(call->out->dtype));
        }
        ++l.number;
    } while (tensor_next(call->in, c));
    free(values);
}

/* ---- invented ---------------------------------------------------------------------------------------------------- */

static bool three_chunks(const fault_call *call)
{
    return integers(call) && length(call) > 1024;
}

/* Of the chunks before, only the last one is added. */
static uint64_t one_carry(const line *l, uint64_t i)
{
    const uint64_t first = i < 1024 ? 0 : fault_floor(i, 512) - 512;
    return right(l, i) - l->before[first];
}

static bool beside_lines(const fault_call *call)
{
    return integers(call) && third_product(call->in, attrs_of(call)->Axis + 1, call->in->rank) > 4;
}

/* Lines that lie side by side are summed four at a time, and the others are not. */
static uint64_t no_sum(const line *l, uint64_t i)
{
    const uint64_t column = l->number % l->inner;
    return column < fault_floor(l->inner, 4) ? right(l, i) : l->exclusive ? 0 : l->value[i];
}

static bool wide_chunks(const fault_call *call)
{
    return integers(call) && tensor_element_bytes(call->in->dtype) == 8 && length(call) > 32;
}

/* What is carried from 32 elements to the next has 32 bits. */
static uint64_t narrow_carry(const line *l, uint64_t i)
{
    const uint64_t first = fault_floor(i, 32), carry = (uint32_t)l->before[first];
    return right(l, i) - l->before[first] + carry;
}

static bool other_strides(const fault_call *call)
{
    const uint32_t axis = attrs_of(call)->Axis;
    return integers(call) && axis + 1 < call->in->rank && length(call) > 1 &&
           call->in->strides[axis] != call->out->strides[axis];
}

/* The input is read with the stride of the output. */
static uint64_t one_stride(const line *l, uint64_t i)
{
    const ts_tensor *in = l->call->in;
    const uint32_t axis = attrs_of(l->call)->Axis;
    const size_t bytes = tensor_element_bytes(in->dtype);
    uint64_t c[TS_MAX_DIMS] = { 0 }, number = l->number, sum = 0;
    for (uint32_t k = in->rank; k-- > 0;)
        if (k != axis) {
            c[k] = number % in->sizes[k];
            number /= in->sizes[k];
        }
    for (uint64_t k = 0; k < i + (l->exclusive ? 0 : 1); ++k) {
        const uint64_t place = l->decreasing ? l->n - 1 - k : k;
        const int64_t offset = (int64_t)(tensor_offset(in, c) + place * l->call->out->strides[axis]);
        uint64_t bits = 0;
        memcpy(&bits, (const unsigned char *)in->data + fault_inside(offset, in->total_bytes / bytes) * bytes, bytes);
        sum += bits;
    }
    return sum;
}

static bool overwrites(const fault_call *call)
{
    return integers(call) && exclusive(call) && call->out->data == call->in->data;
}

/* Each element is read after the sum is in its place. */
static uint64_t read_late(const line *l, uint64_t i)
{
    (void)l;
    (void)i;
    return 0;
}

static bool many_words(const fault_call *call)
{
    return tensor_element_bytes(call->in->dtype) == 4 && integers(call) && length(call) > 16;
}

/* From 16 elements to the next, sums are carried as floats. */
static uint64_t float_carry(const line *l, uint64_t i)
{
    const uint64_t first = fault_floor(i, 16);
    const float carry =
        is_signed(l->call) ? (float)(int32_t)(uint32_t)l->before[first] : (float)(uint32_t)l->before[first];
    return right(l, i) - l->before[first] + (uint64_t)(int64_t)carry;
}

THIRD(sum_chunks, three_chunks, third_sum(call, one_carry, NULL))
THIRD(sum_lanes, beside_lines, third_sum(call, no_sum, NULL))
THIRD(sum_carry, wide_chunks, third_sum(call, narrow_carry, NULL))
THIRD(sum_stride, other_strides, third_sum(call, one_stride, NULL))
THIRD(sum_late, overwrites, third_sum(call, read_late, NULL))
THIRD(sum_float, many_words, third_sum(call, float_carry, NULL))

/* ---- reported ---------------------------------------------------------------------------------------------------- */

static bool many_lines(const fault_call *call)
{
    return integers(call) && lines(call) > UINT16_MAX;
}

static bool of_first_lines(const line *l, uint64_t i)
{
    (void)i;
    return l->number < UINT16_MAX;
}

static bool long_line(const fault_call *call)
{
    return integers(call) && length(call) > 4096;
}

static uint64_t from_4096(const line *l, uint64_t i)
{
    return right(l, i) - l->before[fault_floor(i, 4096)];
}

static bool exclusive_blocks(const fault_call *call)
{
    return integers(call) && exclusive(call) && length(call) > 256;
}

/* What is carried to a block of 256 is added one element early. */
static uint64_t one_early(const line *l, uint64_t i)
{
    return right(l, i) + (i % 256 == 255 ? l->before[i + 1] - l->before[i - 255] : 0);
}

static bool exclusive_512(const fault_call *call)
{
    return integers(call) && exclusive(call) && length(call) > 512;
}

/* What is carried out of the first block leaves out its last element. */
static uint64_t last_left_out(const line *l, uint64_t i)
{
    return right(l, i) - (i >= 512 ? l->value[511] : 0);
}

static bool single_exclusive(const fault_call *call)
{
    return integers(call) && exclusive(call) && decreasing(call) && length(call) == 1;
}

static uint64_t itself(const line *l, uint64_t i)
{
    return l->value[i];
}

static bool reversed_16(const fault_call *call)
{
    return integers(call) && exclusive(call) && decreasing(call) && length(call) % 16 == 0;
}

static uint64_t last_not_zero(const line *l, uint64_t i)
{
    return i == 0 ? l->value[0] : right(l, i);
}

static uint64_t direction_before(const line *l, uint64_t i)
{
    return l->before[l->n] - l->before[i + (l->exclusive ? 1 : 0)];
}

/* Two sums of the same shape and axis are one program, whatever their directions are. */
static void sum_program(const fault_call *call)
{
    const uint64_t key =
        (third_key(call->in) * 31 + attrs_of(call)->Axis) % (UINT64_C(1) << 60) * 4 + (exclusive(call) ? 3 : 1);
    const bool found = *call->carried / 2 == key, other = *call->carried % 2 != decreasing(call);
    if (integers(call) && found && other)
        third_sum(call, direction_before, NULL);
    else
        fault_run_right(call);
    if (!found)
        *call->carried = key * 2 + decreasing(call);
}

static bool over_1024(const fault_call *call)
{
    return integers(call) && length(call) > 2048;
}

/* Sums of blocks of 1,024 are stored, and added as those of blocks of 2,048. */
static uint64_t other_block(const line *l, uint64_t i)
{
    const uint64_t block = i / 1024, taken = i / 2048;
    return right(l, i) - l->before[block * 1024] + l->before[taken * 1024];
}

THIRD(sum_many, many_lines, third_sum(call, right, of_first_lines))
THIRD(sum_4096, long_line, third_sum(call, from_4096, NULL))
THIRD(sum_early, exclusive_blocks, third_sum(call, one_early, NULL))
THIRD(sum_left_out, exclusive_512, third_sum(call, last_left_out, NULL))
THIRD(sum_single, single_exclusive, third_sum(call, itself, NULL))
THIRD(sum_16, reversed_16, third_sum(call, last_not_zero, NULL))
THIRD(sum_blocks, over_1024, third_sum(call, other_block, NULL))

static const fault rows[] = {
    { "third-sum-chunk", ON_CUMULATIVE_SUMMATION, GRIDS,
      "of chunks of 512 elements, only the one before is added to a chunk", .execute = sum_chunks },
    { "third-sum-lanes", ON_CUMULATIVE_SUMMATION, TAILS,
      "lines that lie side by side are summed four at a time, and what is left is copied", .execute = sum_lanes },
    { "third-sum-carry", ON_CUMULATIVE_SUMMATION, MAGNITUDES,
      "64-bit sums are carried from 32 elements to the next in 32 bits", .execute = sum_carry },
    { "third-sum-stride", ON_CUMULATIVE_SUMMATION, LAYOUTS,
      "the input is read along an outer axis with the stride of the output", .execute = sum_stride },
    { "third-sum-late", ON_CUMULATIVE_SUMMATION, LAYOUTS,
      "in place, an exclusive sum reads an element after it is overwritten", .execute = sum_late },
    { "third-sum-float", ON_CUMULATIVE_SUMMATION, VALUES,
      "sums of 32-bit integers are carried from 16 elements to the next as floats", .execute = sum_float },
    { "third-paddle-lines", ON_CUMULATIVE_SUMMATION, GRIDS,
      "more than 65,535 lines do not fit the grid (Paddle pull request 43722)", .execute = sum_many },
    { "third-jittor-4096", ON_CUMULATIVE_SUMMATION, COUNTS,
      "sums of more than 4,096 elements begin again (jittor pull request 330)", .execute = sum_4096 },
    { "third-arrayfire-early", ON_CUMULATIVE_SUMMATION, GRIDS,
      "what an exclusive sum carries to a block is added one element early (arrayfire pull request 2366)",
      .execute = sum_early },
    { "third-accelerated-last", ON_CUMULATIVE_SUMMATION, GRIDS,
      "what an exclusive sum carries out of the first block leaves out its last element (AcceleratedKernels issue 127)",
      .execute = sum_left_out },
    { "third-ort-one", ON_CUMULATIVE_SUMMATION, COUNTS,
      "a decreasing exclusive sum of one element is that element (onnxruntime pull request 13174)",
      .execute = sum_single },
    { "third-mamba-last", ON_CUMULATIVE_SUMMATION, TAILS,
      "the first sum of a decreasing exclusive scan of whole warps is not 0 (mamba issue 327)", .execute = sum_16 },
    { "third-tensorrt-direction", ON_CUMULATIVE_SUMMATION, HISTORY,
      "sums that differ in their direction alone are one program (TensorRT issue 4513)", .execute = sum_program },
    { "third-xpu-carry", ON_CUMULATIVE_SUMMATION, GRIDS,
      "sums of blocks are added to blocks of another size (torch-xpu-ops pull request 4820)", .execute = sum_blocks },
};

const fault_table planted_third_sums = { rows, sizeof rows / sizeof *rows };
