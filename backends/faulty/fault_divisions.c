/* SPDX-License-Identifier: Apache-2.0 */
/* Divisions: the number of an element is divided by the length of a row, with something faster than a division. */
#include "backends/faulty/fault_path.h"

/* Place an element in a row and a column that a division gave, which may be wrong. */
static void locate(const fault_path *p, fault_place *e, uint64_t row, int64_t column)
{
    uint64_t at[TS_MAX_DIMS] = { 0 };
    if (row == e->number / fault_row(p)->size)
        return;
    e->unwritten = row >= fault_row_count(p);
    for (uint32_t i = p->dims - 1; i-- > 0;) {
        at[i] = row % p->axis[i].size;
        row /= p->axis[i].size;
    }
    e->from = fault_source(p, at) + column * fault_row(p)->in;
    e->to = fault_target(p, at) + column * fault_row(p)->out;
}

static bool rows_of_any(const fault_path *p)
{
    return p->dims > 1 && !fault_row(p)->picks && !fault_power_of_two(fault_row(p)->size);
}

static bool small_numbers(const fault_path *p)
{
    return rows_of_any(p) && p->count < 1 << 24;
}

static void by_float(const fault_path *p, fault_place *e)
{
    const uint64_t d = fault_row(p)->size;
    const volatile float reciprocal = 1.0f / (float)d;
    const uint64_t row = (uint64_t)((float)e->number * reciprocal);
    locate(p, e, row, (int64_t)(e->number - row * d));
}

static bool three_loops(const fault_path *p)
{
    return rows_of_any(p) && p->dims > 2 && p->count < 65536;
}

static void by_16_bits(const fault_path *p, fault_place *e)
{
    const uint64_t d = fault_row(p)->size, row = e->number * (65536 / d + 1) >> 16;
    locate(p, e, row, (int64_t)(e->number - row * d));
}

static bool two_loops(const fault_path *p)
{
    return rows_of_any(p) && p->dims == 2 && fault_row(p)->size < 1 << 20;
}

static void by_20_bits(const fault_path *p, fault_place *e)
{
    const uint64_t d = fault_row(p)->size, row = e->number * ((1 << 20) / d + 1) >> 20;
    locate(p, e, row, (int64_t)(e->number - row * d));
}

static bool low_byte_power(const fault_path *p)
{
    return rows_of_any(p) && fault_row(p)->size > 256 && fault_power_of_two(fault_row(p)->size & 255);
}

static void by_shift(const fault_path *p, fault_place *e)
{
    const uint64_t d = fault_row(p)->size & 255;
    locate(p, e, e->number / d, (int64_t)(e->number % d));
}

static const fault rows[] = {
    { "division-float", ON_ALL, DIVISIONS, "a number is divided by multiplying it with a reciprocal in float",
      .takes = small_numbers, .wrong = by_float },
    { "division-16", ON_ALL, DIVISIONS, "with three loops, a reciprocal of 16 bits is used beyond its bound",
      .takes = three_loops, .wrong = by_16_bits },
    { "division-20", ON_ALL, DIVISIONS, "with two loops, a reciprocal of 20 bits is used beyond its bound",
      .takes = two_loops, .wrong = by_20_bits },
    { "division-shift", ON_ALL, DIVISIONS, "a row whose length has a power of two as its low byte is divided by that",
      .takes = low_byte_power, .wrong = by_shift },
};

const fault_table fault_divisions = { rows, sizeof rows / sizeof *rows };
