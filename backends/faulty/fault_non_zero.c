/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of NonZero-3: which elements count as zero, which are found, and how their coordinates are written. */
#include "backends/faulty/fault.h"
#include "reference/openvino/non_zero_3.h"

#include <stdlib.h>

enum { GROUP = 256, BLOCK = 1024, LANES = 4 };

/* The elements that are found, by their numbers in row-major order. */
typedef struct findings {
    uint64_t *numbers;
    uint64_t count;
} findings;

/* Is an element with these bits found? */
typedef bool (*bits_test)(uint64_t bits, uint32_t dtype);

/* Is the element found, by its number, that is at this place in the list? */
typedef bool (*kept_test)(const fault_call *call, const findings *f, uint64_t place);

/* ---- bits -------------------------------------------------------------------------------------------------------- */

/* Of a float type, the bits of the fraction; else 0. */
static unsigned fraction_bits(uint32_t dtype)
{
    switch (dtype) {
    case TS_FLOAT16: return 10;
    case TS_BFLOAT16: return 7;
    case TS_FLOAT32: return 23;
    case TS_FLOAT64: return 52;
    default: return 0;
    }
}

static uint64_t sign_of(uint32_t dtype)
{
    return UINT64_C(1) << (8 * tensor_element_bytes(dtype) - 1);
}

static uint64_t infinity_of(uint32_t dtype)
{
    return sign_of(dtype) - (UINT64_C(1) << fraction_bits(dtype));
}

static uint64_t magnitude(uint64_t bits, uint32_t dtype)
{
    return fraction_bits(dtype) ? bits & (sign_of(dtype) - 1) : bits;
}

static bool is_right(uint64_t bits, uint32_t dtype)
{
    return magnitude(bits, dtype) != 0;
}

static bool any_bit(uint64_t bits, uint32_t dtype)
{
    (void)dtype;
    return bits != 0;
}

static bool no_denormal(uint64_t bits, uint32_t dtype)
{
    return is_right(bits, dtype) && magnitude(bits, dtype) >> fraction_bits(dtype) != 0;
}

static bool no_nan(uint64_t bits, uint32_t dtype)
{
    return is_right(bits, dtype) && (!fraction_bits(dtype) || magnitude(bits, dtype) <= infinity_of(dtype));
}

static bool positive(uint64_t bits, uint32_t dtype)
{
    return no_nan(bits, dtype) && (!fraction_bits(dtype) || (bits & sign_of(dtype)) == 0);
}

/* A float from 1 on has at least the exponent of half the range. */
static bool of_one_up(uint64_t bits, uint32_t dtype)
{
    const uint64_t one = (sign_of(dtype) >> 1) - (UINT64_C(1) << fraction_bits(dtype));
    return is_right(bits, dtype) && (!fraction_bits(dtype) || magnitude(bits, dtype) >= one);
}

static bool as_single(uint64_t bits, uint32_t dtype)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return dtype == TS_FLOAT64 ? (float)value != 0 : is_right(bits, dtype);
}

static bool low_bit(uint64_t bits, uint32_t dtype)
{
    return tensor_element_bytes(dtype) == 1 ? bits & 1 : is_right(bits, dtype);
}

static bool low_byte(uint64_t bits, uint32_t dtype)
{
    return is_right(fraction_bits(dtype) ? bits : bits & UINT8_MAX, dtype);
}

static bool low_half(uint64_t bits, uint32_t dtype)
{
    return is_right(tensor_element_bytes(dtype) == 4 ? bits & UINT16_MAX : bits, dtype);
}

static bool low_word(uint64_t bits, uint32_t dtype)
{
    return is_right(fraction_bits(dtype) ? bits : bits & UINT32_MAX, dtype);
}

/* ---- what is found ----------------------------------------------------------------------------------------------- */

/* An empty list with room for so many elements. Without memory for it, the process ends. */
static findings begin(uint64_t elements)
{
    findings f = { malloc((elements + 1) * sizeof *f.numbers), 0 };
    if (!f.numbers)
        abort();
    return f;
}

typedef struct searching {
    findings found;
    bits_test test;
    uint32_t dtype;
} searching;

static void look(void *context, uint64_t number, unsigned char *element, size_t bytes)
{
    searching *s = context;
    if (s->test(fault_bits(element, bytes), s->dtype))
        s->found.numbers[s->found.count++] = number;
}

static findings find(const fault_call *call, bits_test test)
{
    searching s = { begin(fault_count(call->in)), test, call->in->dtype };
    fault_each(call->in, look, &s);
    return s.found;
}

static void keep(const fault_call *call, findings *f, kept_test test)
{
    const findings before = { f->numbers, f->count };
    findings after = begin(f->count);
    for (uint64_t i = 0; i < before.count; ++i)
        if (test(call, &before, i))
            after.numbers[after.count++] = before.numbers[i];
    free(f->numbers);
    *f = after;
}

/* Coordinate k of an element. */
static uint64_t coordinate(const ts_tensor *in, uint64_t number, uint32_t k)
{
    for (uint32_t i = in->rank; --i > k;)
        number /= in->sizes[i];
    return number % in->sizes[k];
}

static void store(const ts_tensor *out, uint64_t place, uint64_t index)
{
    const size_t bytes = tensor_element_bytes(out->dtype);
    memcpy((unsigned char *)out->data + place * bytes, &index, bytes); /* little-endian */
}

static void report_count(const fault_call *call, uint64_t count)
{
    operator_report_shape(call->out, (const uint64_t[]){ call->in->rank, count });
}

/* Write coordinate k of each element that is found, where `dimension` says which row that is. */
static void write_rows(const fault_call *call, const findings *f, uint32_t (*dimension)(uint32_t k, uint32_t rank),
                       uint64_t more)
{
    const ts_tensor *in = call->in;
    report_count(call, f->count);
    for (uint32_t k = 0; k < in->rank; ++k)
        for (uint64_t i = 0; i < f->count; ++i)
            store(call->out, k * f->count + i, coordinate(in, f->numbers[i], dimension(k, in->rank)) + more);
}

static uint32_t same(uint32_t k, uint32_t rank)
{
    (void)rank;
    return k;
}

static uint32_t mirrored(uint32_t k, uint32_t rank)
{
    return rank - 1 - k;
}

static void end(const fault_call *call, findings f)
{
    write_rows(call, &f, same, 0);
    free(f.numbers);
}

#define DEFINE_TESTED(name, test)                                                                                      \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        end(call, find(call, test));                                                                                   \
    }
DEFINE_TESTED(signed_zero, any_bit)
DEFINE_TESTED(denormals, no_denormal)
DEFINE_TESTED(nans, no_nan)
DEFINE_TESTED(negatives, positive)
DEFINE_TESTED(integers, of_one_up)
DEFINE_TESTED(singles, as_single)
DEFINE_TESTED(lowest_bits, low_bit)
DEFINE_TESTED(lowest_bytes, low_byte)
DEFINE_TESTED(lowest_halves, low_half)
DEFINE_TESTED(lowest_words, low_word)

/* ---- which elements are lost ------------------------------------------------------------------------------------- */

static bool inside_of_group(const fault_call *call, const findings *f, uint64_t place)
{
    (void)call;
    return f->numbers[place] % GROUP != GROUP - 1;
}

/* A list without repetition has a whole group where its last element is as far behind its first in the list. */
static bool of_part_of_group(const fault_call *call, const findings *f, uint64_t place)
{
    const uint64_t in_group = f->numbers[place] % GROUP, last = place + GROUP - 1 - in_group;
    (void)call;
    return place < in_group || last >= f->count || f->numbers[last] - f->numbers[place - in_group] != GROUP - 1;
}

static bool of_first_block(const fault_call *call, const findings *f, uint64_t place)
{
    (void)call;
    return f->numbers[place] < BLOCK;
}

static bool low_count(const fault_call *call, const findings *f, uint64_t place)
{
    (void)call;
    return place < (f->count & UINT16_MAX);
}

static bool of_whole_vector(const fault_call *call, const findings *f, uint64_t place)
{
    const uint64_t elements = fault_count(call->in);
    return f->numbers[place] < elements - elements % LANES;
}

/* The first element of its row is found as well: it is as far in front of it in the list, or nearer. */
static bool of_row_that_begins(const fault_call *call, const findings *f, uint64_t place)
{
    const uint64_t length = call->in->rank ? call->in->sizes[call->in->rank - 1] : 1;
    const uint64_t first = f->numbers[place] - f->numbers[place] % length;
    uint64_t i = place;
    while (i > 0 && f->numbers[i] > first)
        --i;
    return f->numbers[i] == first;
}

/* Elements of a broadcast dimension are found once. */
static bool of_first_repetition(const fault_call *call, const findings *f, uint64_t place)
{
    for (uint32_t k = 0; k < call->in->rank; ++k)
        if (call->in->strides[k] == 0 && coordinate(call->in, f->numbers[place], k) > 0)
            return false;
    return true;
}

#define DEFINE_KEPT(name, test)                                                                                        \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        findings f = find(call, is_right);                                                                             \
        keep(call, &f, test);                                                                                          \
        end(call, f);                                                                                                  \
    }
DEFINE_KEPT(group_end, inside_of_group)
DEFINE_KEPT(full_group, of_part_of_group)
DEFINE_KEPT(first_block, of_first_block)
DEFINE_KEPT(count_16, low_count)
DEFINE_KEPT(tail, of_whole_vector)
DEFINE_KEPT(row_begin, of_row_that_begins)
DEFINE_KEPT(broadcast_once, of_first_repetition)

/* ---- in which order ---------------------------------------------------------------------------------------------- */

/* Of two groups, the second one is ready first. */
static void group_order(const fault_call *call)
{
    findings f = find(call, is_right), exchanged = begin(f.count);
    for (uint64_t i = 0, end_of_pair; i < f.count; i = end_of_pair) {
        const uint64_t pair = f.numbers[i] / (2 * GROUP);
        uint64_t second = i;
        while (second < f.count && f.numbers[second] / GROUP == 2 * pair)
            ++second;
        end_of_pair = second;
        while (end_of_pair < f.count && f.numbers[end_of_pair] / (2 * GROUP) == pair)
            exchanged.numbers[exchanged.count++] = f.numbers[end_of_pair++];
        for (; i < second; ++i)
            exchanged.numbers[exchanged.count++] = f.numbers[i];
    }
    free(f.numbers);
    end(call, exchanged);
}

/* The first dimension counts fastest. */
static void column_major(const fault_call *call)
{
    const ts_tensor *in = call->in;
    const uint64_t elements = fault_count(in);
    findings f = begin(elements);
    for (uint64_t i = 0; i < elements; ++i) {
        uint64_t at[TS_MAX_DIMS] = { 0 }, number = 0, rest = i;
        for (uint32_t k = 0; k < in->rank; ++k) {
            at[k] = rest % in->sizes[k];
            rest /= in->sizes[k];
            number = number * in->sizes[k] + at[k];
        }
        if (is_right(fault_bits(tensor_at(in, at), tensor_element_bytes(in->dtype)), in->dtype))
            f.numbers[f.count++] = number;
    }
    end(call, f);
}

/* ---- how they are written ---------------------------------------------------------------------------------------- */

static void reversed(const fault_call *call)
{
    const findings f = find(call, is_right);
    write_rows(call, &f, mirrored, 0);
    free(f.numbers);
}

static void one_based(const fault_call *call)
{
    const findings f = find(call, is_right);
    write_rows(call, &f, same, 1);
    free(f.numbers);
}

/* The coordinates of an element side by side. */
static void write_columns(const fault_call *call, const findings *f)
{
    const ts_tensor *in = call->in;
    for (uint64_t i = 0; i < f->count; ++i)
        for (uint32_t k = 0; k < in->rank; ++k)
            store(call->out, i * in->rank + k, coordinate(in, f->numbers[i], k));
}

static void interleaved(const fault_call *call)
{
    const findings f = find(call, is_right);
    report_count(call, f.count);
    write_columns(call, &f);
    free(f.numbers);
}

static void transposed(const fault_call *call)
{
    const findings f = find(call, is_right);
    operator_report_shape(call->out, (const uint64_t[]){ f.count, call->in->rank });
    write_columns(call, &f);
    free(f.numbers);
}

/* Replace row k. */
static void replace_row(const fault_call *call, const findings *f, uint32_t k,
                        uint64_t (*index)(const ts_tensor *in, uint64_t number))
{
    for (uint64_t i = 0; i < f->count; ++i)
        store(call->out, k * f->count + i, index(call->in, f->numbers[i]));
}

static uint64_t number_itself(const ts_tensor *in, uint64_t number)
{
    (void)in;
    return number;
}

/* What a multiplication with the reciprocal in single precision leaves. */
static uint64_t rest_of_float(const ts_tensor *in, uint64_t number)
{
    const uint64_t size = in->sizes[in->rank - 1];
    const float reciprocal = 1.0F / (float)size, quotient = (float)number * reciprocal;
    return number - (uint64_t)quotient * size;
}

#define DEFINE_LAST_ROW(name, index)                                                                                   \
    static void name(const fault_call *call)                                                                           \
    {                                                                                                                  \
        const findings f = find(call, is_right);                                                                       \
        write_rows(call, &f, same, 0);                                                                                 \
        if (call->in->rank > 0)                                                                                        \
            replace_row(call, &f, call->in->rank - 1, index);                                                          \
        free(f.numbers);                                                                                               \
    }
DEFINE_LAST_ROW(not_reduced, number_itself)
DEFINE_LAST_ROW(division_float, rest_of_float)

static void index_16(const fault_call *call)
{
    const findings f = find(call, is_right);
    report_count(call, f.count);
    for (uint32_t k = 0; k < call->in->rank; ++k)
        for (uint64_t i = 0; i < f.count; ++i)
            store(call->out, k * f.count + i, coordinate(call->in, f.numbers[i], k) & UINT16_MAX);
    free(f.numbers);
}

/* ---- which memory ------------------------------------------------------------------------------------------------ */

static void as_packed(const fault_call *call)
{
    const ts_tensor *in = call->in;
    const size_t bytes = tensor_element_bytes(in->dtype);
    const uint64_t room = in->total_bytes / bytes;
    findings f = begin(fault_count(in));
    for (uint64_t i = 0; i < fault_count(in); ++i) {
        const uint64_t at = fault_inside((int64_t)i, room);
        if (is_right(fault_bits((const unsigned char *)in->data + at * bytes, bytes), in->dtype))
            f.numbers[f.count++] = i;
    }
    end(call, f);
}

/* ---- earlier calls ----------------------------------------------------------------------------------------------- */

/* The word that is carried has the elements of the last call, and above them its count. Of as many elements, no more
   are written than that call found. */
static void count_kept(const fault_call *call)
{
    const uint64_t elements = fault_count(call->in), last = *call->carried;
    findings f = find(call, is_right);
    if (elements > 0 && (last & UINT32_MAX) == elements && last >> 32 < f.count)
        f.count = last >> 32;
    *call->carried = elements | f.count << 32;
    end(call, f);
}

/* ---- judgment ---------------------------------------------------------------------------------------------------- */

static bool no_scalar(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && call->in->rank > 0;
}

static bool no_empty(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && fault_count(call->in) > 0;
}

static bool no_index_32(const fault_call *call, const ts_report *report)
{
    return !fault_refuses(report) && call->out->dtype != TS_INT32;
}

static bool any_output_type(const fault_call *call, const ts_report *report)
{
    (void)call;
    return fault_forgives(report, "NZ3-04");
}

static bool other_type(const fault_call *call, const ts_report *report)
{
    (void)call;
    return fault_forgives(report, "NZ3-05");
}

static bool pitched_rows(const fault_call *call, const ts_report *report)
{
    (void)call;
    return fault_forgives(report, "NZ3-08");
}

static const fault rows[] = {
    { "zero-signed", ON_NON_ZERO, VALUES, "of floats, -0 is not zero", .execute = signed_zero },
    { "zero-denormal", ON_NON_ZERO, VALUES, "denormals are zero", .execute = denormals },
    { "zero-nan", ON_NON_ZERO, VALUES, "NaNs are zero", .execute = nans },
    { "zero-negative", ON_NON_ZERO, VALUES, "floats are compared with > 0, so that negative ones are zero",
      .execute = negatives },
    { "zero-fraction", ON_NON_ZERO, VALUES, "floats are converted to integers, so that those below 1 are zero",
      .execute = integers },
    { "zero-single", ON_NON_ZERO, VALUES, "f64 is converted to f32, where small ones are zero", .execute = singles },
    { "zero-low-bit", ON_NON_ZERO, VALUES, "of 8-bit elements, the lowest bit is tested, as of booleans",
      .execute = lowest_bits },
    { "zero-low-byte", ON_NON_ZERO, VALUES, "of integers, the lowest byte is tested", .execute = lowest_bytes },
    { "zero-low-half", ON_NON_ZERO, VALUES, "of 32-bit elements, the lower 16 bits are tested",
      .execute = lowest_halves },
    { "zero-low-word", ON_NON_ZERO, VALUES, "of 64-bit integers, the lower 32 bits are tested",
      .execute = lowest_words },
    { "found-column-major", ON_NON_ZERO, MEANING, "elements are found in column-major order", .execute = column_major },
    { "found-reversed", ON_NON_ZERO, MEANING, "the coordinates of an element are in reverse order",
      .execute = reversed },
    { "found-one-based", ON_NON_ZERO, MEANING, "coordinates count from 1", .execute = one_based },
    { "found-numbers", ON_NON_ZERO, MEANING, "the last coordinate is the number of the element",
      .execute = not_reduced },
    { "found-transposed", ON_NON_ZERO, MEANING, "the result has a row for each element: [n, rank]",
      .execute = transposed },
    { "found-interleaved", ON_NON_ZERO, MEANING, "the coordinates of an element lie side by side, in the right shape",
      .execute = interleaved },
    { "found-tail", ON_NON_ZERO, TAILS, "behind the last four elements at once, none is found", .execute = tail },
    { "found-group-end", ON_NON_ZERO, GRIDS, "the last element of each group of 256 threads is lost",
      .execute = group_end },
    { "found-group-order", ON_NON_ZERO, GRIDS, "groups of 256 threads write in the order in which they are ready",
      .execute = group_order },
    { "found-division", ON_NON_ZERO, DIVISIONS, "the last coordinate is found by a reciprocal in single precision",
      .execute = division_float },
    { "found-packed", ON_NON_ZERO, LAYOUTS, "the strides of data are ignored", .execute = as_packed },
    { "found-broadcast", ON_NON_ZERO, LAYOUTS, "elements of a broadcast dimension are found once",
      .execute = broadcast_once },
    { "found-index-16", ON_NON_ZERO, MAGNITUDES, "coordinates are stored in 16 bits", .execute = index_16 },
    { "found-row", ON_NON_ZERO, PATTERNS, "a row that begins with a zero is taken for zeros", .execute = row_begin },
    { "found-full-group", ON_NON_ZERO, PATTERNS, "a group of 256 elements without a zero counts as none in 8 bits",
      .execute = full_group },
    { "found-first-block", ON_NON_ZERO, COUNTS, "the count of the first 1,024 elements is that of all",
      .execute = first_block },
    { "found-count-16", ON_NON_ZERO, COUNTS, "elements are counted in 16 bits", .execute = count_16 },
    { "found-kept", ON_NON_ZERO, HISTORY, "of as many elements as in the last call, no more are found",
      .execute = count_kept },
    { "reject-scalar", ON_NON_ZERO, ACCEPTANCE, "data without dimensions is refused", .judge = no_scalar },
    { "reject-empty-data", ON_NON_ZERO, ACCEPTANCE, "data without elements is refused", .judge = no_empty },
    { "reject-index-32", ON_NON_ZERO, ACCEPTANCE, "the output type i32 is refused", .judge = no_index_32 },
    { "accept-output-type", ON_NON_ZERO, REFUSAL, "any value of output_type is accepted", .judge = any_output_type },
    { "accept-other-type", ON_NON_ZERO, REFUSAL, "the type of the output may differ from output_type",
      .judge = other_type },
    { "accept-pitched-rows", ON_NON_ZERO, REFUSAL, "the output may have strides that are not packed",
      .judge = pitched_rows },
};

const fault_table fault_non_zero = { rows, sizeof rows / sizeof *rows };
