/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of CUMULATIVE_SUMMATION: what is summed, how sums are carried on and kept, and what is judged of the call. The
   sums of floats are right, because no verdict depends on them. */
#include "backends/faulty/fault.h"
#include "reference/dml/cumulative_summation.h"

#include <stdlib.h>

enum { BLOCK = 256, CHUNK = 65536, COLUMNS = 64, VECTOR = 4 };

/* One line: its elements in the order of the sum, as 64 bits with the sign of their type. */
typedef struct line {
    const fault_call *call;
    const ts_dml_cumulative_summation *attrs;
    uint64_t *x, count;
    uint64_t number, column;  /* of the line, and among those behind the axis */
    uint64_t totals[COLUMNS]; /* what lines before this one have left */
} line;

/* Replace the elements of a line with their sums. */
typedef void (*sum_line)(line *l);

/* The sum of two elements. */
typedef uint64_t (*adding)(const line *l, uint64_t sum, uint64_t element);

/* ---- lines ------------------------------------------------------------------------------------------------------- */

static uint64_t load(uint32_t dtype, const unsigned char *element)
{
    const uint64_t bits = fault_bits(element, tensor_element_bytes(dtype));
    return dtype == TS_INT32 ? (uint64_t)(int64_t)(int32_t)(uint32_t)bits : bits;
}

static uint64_t add(const line *l, uint64_t sum, uint64_t element)
{
    (void)l;
    return sum + element;
}

/* Sum the elements from `first` to before `end`, behind a sum. Returns the next one. */
static uint64_t scan_by(line *l, uint64_t first, uint64_t end, uint64_t sum, adding by)
{
    for (uint64_t i = first; i < end; ++i) {
        const uint64_t before = sum;
        sum = by(l, sum, l->x[i]);
        l->x[i] = l->attrs->HasExclusiveSum ? before : sum;
    }
    return sum;
}

static uint64_t scan(line *l, uint64_t first, uint64_t end, uint64_t sum)
{
    return scan_by(l, first, end, sum, add);
}

/* The line through an element, from its first summand on; read or written. */
static void move_line(line *l, const ts_tensor *t, uint64_t *at, bool back)
{
    const uint32_t axis = l->attrs->Axis;
    const size_t bytes = tensor_element_bytes(t->dtype);
    for (uint64_t i = 0; i < l->count; ++i) {
        at[axis] = l->attrs->AxisDirection == TS_AXIS_INCREASING ? i : l->count - 1 - i;
        if (back)
            memcpy(tensor_at(t, at), &l->x[i], bytes); /* the lowest bytes: little-endian */
        else
            l->x[i] = load(t->dtype, tensor_at(t, at));
    }
    at[axis] = 0;
}

static void run_lines(const fault_call *call, sum_line sum)
{
    line l = { .call = call, .attrs = TS_ATTRS(ts_dml_cumulative_summation, call->d) };
    const uint32_t axis = l.attrs->Axis;
    const bool is_float = call->in->dtype == TS_FLOAT32 || call->in->dtype == TS_FLOAT16;
    uint64_t at[TS_MAX_DIMS] = { 0 }, inside = 1;
    l.count = call->in->sizes[axis];
    l.x = is_float ? NULL : malloc((size_t)l.count * sizeof *l.x);
    if (!l.x) {
        fault_run_right(call);
        return;
    }
    for (uint32_t k = axis + 1; k < call->in->rank; ++k)
        inside *= call->in->sizes[k];
    do {
        if (at[axis] != 0)
            continue;
        l.column = l.number % inside;
        move_line(&l, call->in, at, false);
        sum(&l);
        move_line(&l, call->out, at, true);
        ++l.number;
    } while (tensor_next(call->in, at));
    free(l.x);
}

/* ---- the sentences of the page ----------------------------------------------------------------------------------- */

/* Run with other attributes. */
static void run_as(const fault_call *call, ts_dml_cumulative_summation attrs)
{
    ts_descriptor d = *call->d;
    memcpy(d.attrs, &attrs, sizeof attrs);
    d.op->run(&d, NULL);
}

static ts_dml_cumulative_summation attrs_of(const fault_call *call)
{
    return *TS_ATTRS(ts_dml_cumulative_summation, call->d);
}

static void increasing(const fault_call *call)
{
    ts_dml_cumulative_summation a = attrs_of(call);
    a.AxisDirection = TS_AXIS_INCREASING;
    run_as(call, a);
}

static void opposite(const fault_call *call)
{
    ts_dml_cumulative_summation a = attrs_of(call);
    a.AxisDirection = TS_AXIS_DECREASING - a.AxisDirection;
    run_as(call, a);
}

static void inclusive(const fault_call *call)
{
    ts_dml_cumulative_summation a = attrs_of(call);
    a.HasExclusiveSum = 0;
    run_as(call, a);
}

static void only_one_is_true(const fault_call *call)
{
    ts_dml_cumulative_summation a = attrs_of(call);
    a.HasExclusiveSum = a.HasExclusiveSum == 1;
    run_as(call, a);
}

static void true_in_a_byte(const fault_call *call)
{
    ts_dml_cumulative_summation a = attrs_of(call);
    a.HasExclusiveSum &= 255;
    run_as(call, a);
}

static void from_the_end(const fault_call *call)
{
    ts_dml_cumulative_summation a = attrs_of(call);
    a.Axis = call->in->rank - 1 - a.Axis;
    run_as(call, a);
}

static void last_is_total(line *l)
{
    const uint64_t total = scan(l, 0, l->count, 0);
    l->x[l->count - 1] = total;
}

/* Exclusive sums that decrease are the inclusive ones, which are moved on by one element in the other direction. */
static void moved_up(line *l)
{
    uint64_t sum = 0;
    if (!l->attrs->HasExclusiveSum || l->attrs->AxisDirection == TS_AXIS_INCREASING) {
        scan(l, 0, l->count, 0);
        return;
    }
    for (uint64_t i = 0; i < l->count; ++i) {
        sum += l->x[i];
        if (i > 0)
            l->x[i - 1] = sum;
    }
    l->x[l->count - 1] = 0;
}

/* Rows that lie one behind the other are one line. */
static void without_end(line *l)
{
    const uint32_t last = l->call->in->rank - 1;
    const bool merged = l->attrs->Axis == last && l->call->in->strides[last] == 1;
    l->totals[0] = scan(l, 0, l->count, merged ? l->totals[0] : 0);
}

/* ---- sums that are carried on ------------------------------------------------------------------------------------ */

static uint64_t end_of(const line *l, uint64_t first, uint64_t elements)
{
    return first + elements < l->count ? first + elements : l->count;
}

static void begin_again(line *l, uint64_t elements)
{
    for (uint64_t at = 0; at < l->count; at += elements)
        scan(l, at, end_of(l, at, elements), 0);
}

static void no_carry(line *l)
{
    begin_again(l, BLOCK);
}

/* The sum of a block has just its own elements, and not what it began with. */
static void one_block_back(line *l)
{
    uint64_t carry = 0;
    for (uint64_t at = 0; at < l->count; at += BLOCK)
        carry = scan(l, at, end_of(l, at, BLOCK), carry) - carry;
}

static void no_chunk_carry(line *l)
{
    begin_again(l, CHUNK);
}

static void rest_alone(line *l)
{
    const uint64_t whole = l->count - l->count % VECTOR;
    scan(l, 0, whole, 0);
    scan(l, whole, l->count, 0);
}

/* As many sums as there are registers, which the next columns find as they were left. */
static void columns_go_on(line *l)
{
    uint64_t *total = &l->totals[l->column % COLUMNS];
    *total = scan(l, 0, l->count, l->column < COLUMNS ? 0 : *total);
}

/* The elements beyond stay what they were. */
static void count_16(line *l)
{
    scan(l, 0, l->count & UINT16_MAX, 0);
}

/* Each element is written before the one to add is read again. */
static void written_first(line *l)
{
    const bool wrong = l->attrs->HasExclusiveSum && l->call->in->data == l->call->out->data;
    if (wrong)
        memset(l->x, 0, (size_t)l->count * sizeof *l->x);
    else
        scan(l, 0, l->count, 0);
}

/* ---- sums that are kept ------------------------------------------------------------------------------------------ */

static uint64_t saturating(const line *l, uint64_t sum, uint64_t element)
{
    const uint32_t dtype = l->call->in->dtype;
    const int64_t a = (int64_t)sum, b = (int64_t)element;
    if (dtype == TS_UINT64)
        return sum + element < sum ? UINT64_MAX : sum + element;
    if (dtype == TS_UINT32)
        return sum + element > UINT32_MAX ? UINT32_MAX : sum + element;
    const int64_t most = dtype == TS_INT64 ? INT64_MAX : INT32_MAX, least = -most - 1;
    if (b > 0 ? a > most - b : a < least - b)
        return (uint64_t)(b > 0 ? most : least);
    return sum + element;
}

static void saturated(line *l)
{
    scan_by(l, 0, l->count, 0, saturating);
}

/* Both halves of 64 bits are summed, and no carry goes from the lower to the upper one. */
static uint64_t by_halves(const line *l, uint64_t sum, uint64_t element)
{
    (void)l;
    return ((sum >> 32) + (element >> 32)) << 32 | (uint32_t)(sum + element);
}

static void halves(line *l)
{
    scan_by(l, 0, l->count, 0, by_halves);
}

/* 24 bits of a sum are kept. */
static uint64_t in_a_float(const line *l, uint64_t sum, uint64_t element)
{
    const bool is_signed = l->call->in->dtype == TS_INT32;
    if (tensor_element_bytes(l->call->in->dtype) == 8)
        return sum + element;
    if (is_signed) {
        const float value = (float)(int32_t)(uint32_t)sum + (float)(int32_t)(uint32_t)element;
        return (uint64_t)(value >= 0x1p31f ? INT32_MAX : value < -0x1p31f ? INT32_MIN : (int64_t)value);
    }
    const float value = (float)(uint32_t)sum + (float)(uint32_t)element;
    return value >= 0x1p32f ? UINT32_MAX : (uint64_t)value;
}

static void floated(line *l)
{
    scan_by(l, 0, l->count, 0, in_a_float);
}

#define DEFINE_LINES(name, sum)                                                                                        \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        run_lines(call, sum);                                                                                          \
    }
DEFINE_LINES(exclusive_last, last_is_total)
DEFINE_LINES(exclusive_moved, moved_up)
DEFINE_LINES(merged_rows, without_end)
DEFINE_LINES(carry_256, no_carry)
DEFINE_LINES(carry_previous, one_block_back)
DEFINE_LINES(carry_chunk, no_chunk_carry)
DEFINE_LINES(carry_rest, rest_alone)
DEFINE_LINES(columns_64, columns_go_on)
DEFINE_LINES(length_16, count_16)
DEFINE_LINES(in_place, written_first)
DEFINE_LINES(sum_saturated, saturated)
DEFINE_LINES(sum_halves, halves)
DEFINE_LINES(sum_float, floated)

/* ---- judgment ---------------------------------------------------------------------------------------------------- */

static bool accept_axis(const fault_call *call, const ts_report *report)
{
    return attrs_of(call).Axis == call->in->rank ? fault_forgives(report, "CS-05") : !fault_refuses(report);
}

static bool accept_direction(const fault_call *call, const ts_report *report)
{
    (void)call;
    return fault_forgives(report, "CS-06");
}

static bool accept_types(const fault_call *call, const ts_report *report)
{
    const bool differ = call->in->dtype != call->out->dtype;
    const bool alike = tensor_element_bytes(call->in->dtype) == tensor_element_bytes(call->out->dtype);
    return differ && alike ? fault_forgives(report, "CS-02") : !fault_refuses(report);
}

static bool reject_exclusive(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && attrs_of(call).HasExclusiveSum == 0;
}

static bool reject_decreasing(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && attrs_of(call).AxisDirection == TS_AXIS_INCREASING;
}

static bool reject_truth(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && attrs_of(call).HasExclusiveSum <= 1;
}

static bool reject_in_place(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && (!call->in->data || call->in->data != call->out->data);
}

static bool reject_last_axis(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && attrs_of(call).Axis < 4;
}

static const fault rows[] = {
    { "sum-direction-ignored", ON_CUMULATIVE_SUMMATION, MEANING, "AxisDirection is ignored: sums increase",
      .execute = increasing },
    { "sum-direction-opposite", ON_CUMULATIVE_SUMMATION, MEANING, "the two directions are exchanged",
      .execute = opposite },
    { "sum-exclusive-ignored", ON_CUMULATIVE_SUMMATION, MEANING, "HasExclusiveSum is ignored", .execute = inclusive },
    { "sum-exclusive-one", ON_CUMULATIVE_SUMMATION, MEANING, "HasExclusiveSum is compared with 1",
      .execute = only_one_is_true },
    { "sum-exclusive-byte", ON_CUMULATIVE_SUMMATION, MEANING, "HasExclusiveSum is kept in a byte",
      .execute = true_in_a_byte },
    { "sum-axis-from-end", ON_CUMULATIVE_SUMMATION, MEANING, "Axis is counted from the last dimension",
      .execute = from_the_end },
    { "sum-exclusive-last", ON_CUMULATIVE_SUMMATION, MEANING, "the last of the exclusive sums has all elements",
      .execute = exclusive_last },
    { "sum-exclusive-moved", ON_CUMULATIVE_SUMMATION, MEANING,
      "exclusive sums that decrease are moved as those that increase", .execute = exclusive_moved },
    { "sum-merged-rows", ON_CUMULATIVE_SUMMATION, MEANING, "a sum goes on in the row behind it",
      .execute = merged_rows },
    { "sum-carry-256", ON_CUMULATIVE_SUMMATION, COUNTS, "the sum begins again at each block of 256 elements",
      .execute = carry_256 },
    { "sum-carry-previous", ON_CUMULATIVE_SUMMATION, COUNTS,
      "a block of 256 elements gets the sum of the block before it alone", .execute = carry_previous },
    { "sum-carry-chunk", ON_CUMULATIVE_SUMMATION, COUNTS, "the sum begins again behind 256 blocks of 256 elements",
      .execute = carry_chunk },
    { "sum-carry-rest", ON_CUMULATIVE_SUMMATION, TAILS,
      "the elements behind the last vector of four are summed by themselves", .execute = carry_rest },
    { "sum-columns-64", ON_CUMULATIVE_SUMMATION, COUNTS,
      "columns behind the first 64 begin with the sums of those before", .execute = columns_64 },
    { "sum-length-16", ON_CUMULATIVE_SUMMATION, MAGNITUDES, "the elements of a line are counted in 16 bits",
      .execute = length_16 },
    { "sum-in-place", ON_CUMULATIVE_SUMMATION, MEMORY,
      "in place, an exclusive sum is written before its element is read", .execute = in_place },
    { "sum-saturated", ON_CUMULATIVE_SUMMATION, VALUES, "sums stay at the largest or least number of their type",
      .execute = sum_saturated },
    { "sum-halves", ON_CUMULATIVE_SUMMATION, VALUES, "the halves of 64 bits are summed without a carry",
      .execute = sum_halves },
    { "sum-float", ON_CUMULATIVE_SUMMATION, VALUES, "32-bit integers are summed as f32", .execute = sum_float },
    { "accept-sum-axis", ON_CUMULATIVE_SUMMATION, REFUSAL, "an Axis equal to DimensionCount is accepted",
      .judge = accept_axis },
    { "accept-sum-direction", ON_CUMULATIVE_SUMMATION, REFUSAL, "any value of AxisDirection is accepted",
      .judge = accept_direction },
    { "accept-sum-types", ON_CUMULATIVE_SUMMATION, REFUSAL, "an output of another type with as many bytes is accepted",
      .judge = accept_types },
    { "reject-sum-exclusive", ON_CUMULATIVE_SUMMATION, ACCEPTANCE, "exclusive sums are refused",
      .judge = reject_exclusive },
    { "reject-sum-decreasing", ON_CUMULATIVE_SUMMATION, ACCEPTANCE, "sums that decrease are refused",
      .judge = reject_decreasing },
    { "reject-sum-truth", ON_CUMULATIVE_SUMMATION, ACCEPTANCE, "a HasExclusiveSum other than 0 and 1 is refused",
      .judge = reject_truth },
    { "reject-sum-in-place", ON_CUMULATIVE_SUMMATION, ACCEPTANCE, "an output in the memory of the input is refused",
      .judge = reject_in_place },
    { "reject-sum-axis", ON_CUMULATIVE_SUMMATION, ACCEPTANCE, "an Axis beyond the fourth dimension is refused",
      .judge = reject_last_axis },
};

const fault_table fault_sums = { rows, sizeof rows / sizeof *rows };
