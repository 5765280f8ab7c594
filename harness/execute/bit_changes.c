/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/bit_changes.h"

#include "harness/model/value.h"

#include <stdio.h>

#define MOST_NAMED 3

/* ---- element types ---- */

/* The shape of a type: its width and, of a float, its fields. */
typedef struct form {
    uint32_t dtype;
    unsigned bits, mantissa, exponent;
    bool is_float, is_signed, is_bool;
    uint64_t ones, sign; /* all bits; the highest one */
} form;

static form form_of(uint32_t dtype)
{
    const ts_dtype_info *info = tensor_dtype(dtype);
    form f = { .dtype = dtype, .bits = 8 * (unsigned)tensor_element_bytes(dtype), .is_bool = dtype == TS_BOOLEAN };
    f.is_float = info && info->is_float;
    f.is_signed = info && info->is_signed;
    f.ones = f.bits >= 64 ? UINT64_MAX : (UINT64_C(1) << f.bits) - 1;
    f.sign = f.bits ? UINT64_C(1) << (f.bits - 1) : 0;
    f.mantissa = dtype == TS_FLOAT64 ? 52 : dtype == TS_FLOAT32 ? 23 : dtype == TS_FLOAT16 ? 10 : 7;
    f.exponent = f.is_float ? f.bits - 1 - f.mantissa : 0;
    return f;
}

static uint64_t low_bits(unsigned n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

static uint64_t mantissa_of(const form *f, uint64_t x)
{
    return x & low_bits(f->mantissa);
}

static uint64_t infinity(const form *f)
{
    return low_bits(f->exponent) << f->mantissa;
}

static uint64_t quiet_bit(const form *f)
{
    return UINT64_C(1) << (f->mantissa - 1);
}

static bool is_nan(const form *f, uint64_t x)
{
    return (x & ~f->sign & f->ones) > infinity(f);
}

static bool is_denormal(const form *f, uint64_t x)
{
    return (x & infinity(f)) == 0 && mantissa_of(f, x) != 0;
}

static int64_t number(const form *f, uint64_t x)
{
    return f->is_signed ? (int64_t)((x ^ f->sign) - f->sign) : (int64_t)x;
}

/* ---- changes ---- */

/* A change of the bits x of an element; false where its type cannot undergo it. `with`: from the table. */
typedef bool (*change_fn)(const form *f, unsigned with, uint64_t x, uint64_t *y);

static uint64_t extended(uint64_t x, unsigned from)
{
    const uint64_t sign = UINT64_C(1) << (from - 1);
    return ((x & low_bits(from)) ^ sign) - sign;
}

/* Only the lowest bits are kept, with zeros or the sign above. with: how many; 0: half of them. */
static bool keep_low(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    const unsigned kept = with ? with : f->bits / 2;
    *y = x & low_bits(kept);
    return with ? 2 * with < f->bits : f->bits >= 16;
}

static bool sign_extend(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    const unsigned kept = with ? with : f->bits / 2;
    if (f->is_float || !(with ? 2 * with < f->bits : f->bits >= 16))
        return false;
    *y = extended(x, kept);
    return true;
}

static bool lose_low(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = x & ~low_bits(f->bits / 2);
    return f->bits >= 16;
}

static bool exchange_halves(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = f->bits ? x >> f->bits / 2 | x << f->bits / 2 : x;
    return f->bits >= 32;
}

static bool swap_bytes(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = 0;
    for (unsigned i = 0; i < f->bits; i += 8)
        *y = *y << 8 | (x >> i & 0xFF);
    return f->bits >= 16;
}

static bool invert(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = f->is_bool ? x ^ 1 : ~x;
    return true;
}

static bool lose_low_bit(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = x & ~UINT64_C(1);
    return !f->is_bool;
}

static bool flip_sign(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = x ^ f->sign;
    return f->is_float;
}

static bool negate(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = 0 - x;
    return !f->is_float && !f->is_bool;
}

static bool lose_sign(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = f->is_float ? x & ~f->sign : x & f->sign ? 0 - x : x;
    return f->is_signed && !f->is_bool;
}

static bool add(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    *y = x + (with ? UINT64_MAX : 1);
    return !f->is_float && !f->is_bool;
}

static bool add_unit(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    *y = x + (with ? UINT64_MAX : 1);
    return f->is_float;
}

static bool true_is_ones(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    (void)with;
    *y = x == 1 ? 0xFF : x;
    return f->is_bool;
}

/* with: bits that say what happens to which numbers. COMBINED: two changes in one, which are not named where a single
   one explains the same elements. */
enum {
    QUIET = 1,
    CANONICAL = 2,
    POSITIVE = 4,
    NAN_TO_ZERO = 8,
    FLUSH = 16,
    NEGATIVE_ZERO = 32,
    LARGEST = 64,
    COMBINED = 128
};

static bool float_unit(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    *y = x;
    if (!f->is_float)
        return false;
    if (is_nan(f, x)) {
        if (with & QUIET)
            *y = x | quiet_bit(f);
        if (with & CANONICAL)
            *y = (with & POSITIVE ? 0 : x & f->sign) | infinity(f) | quiet_bit(f);
        if (with & NAN_TO_ZERO)
            *y = 0;
    } else if (is_denormal(f, x)) {
        if (with & FLUSH)
            *y = with & POSITIVE ? 0 : x & f->sign;
    } else if ((x & f->ones) == f->sign && (with & NEGATIVE_ZERO)) {
        *y = 0;
    } else if ((x & ~f->sign) == infinity(f) && (with & LARGEST)) {
        *y = x - 1;
    }
    return true;
}

/* A float through a float type of fewer bits of mantissa or exponent. with: the type, and ROUND_QUIET. */
enum { ROUND_QUIET = 0x100, ROUND_INDEFINITE = 0x100 };

static bool round_float(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    const form to = form_of(with & 0xFF);
    unsigned char from[8] = { 0 }, through[8] = { 0 };
    if (!f->is_float || to.dtype == f->dtype || to.bits > f->bits)
        return false;
    if (is_nan(f, x)) {
        *y = to.mantissa < f->mantissa ? x & ~low_bits(f->mantissa - to.mantissa) : x;
        if (with & ROUND_QUIET)
            *y |= quiet_bit(f);
        else if (mantissa_of(f, *y) == 0)
            *y |= UINT64_C(1) << (f->mantissa - to.mantissa);
        return true;
    }
    value_store_bits(f->dtype, from, x);
    value_store_double(to.dtype, through, value_to_double(f->dtype, from));
    value_store_double(f->dtype, from, value_to_double(to.dtype, through));
    *y = value_bits(f->dtype, from);
    return true;
}

/* An integer through a float type, rounded to nearest. What exceeds the integer type coming back is saturated, or with
   ROUND_INDEFINITE has the highest bit alone, as conversions of x86 give it. */
static bool round_integer(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    const form through = form_of(with & 0xFF);
    const bool negative = f->is_signed && (x & f->sign);
    double d;
    if (f->is_float || f->is_bool || f->bits <= through.mantissa + 1)
        return false;
    if (through.dtype == TS_FLOAT64)
        d = f->is_signed ? (double)number(f, x) : (double)x;
    else if (through.dtype == TS_FLOAT32)
        d = f->is_signed ? (double)(float)number(f, x) : (double)(float)x;
    else {
        unsigned char bits[8];
        if (f->bits > 16) /* a double holds 16 bits exactly; more would be rounded twice */
            return false;
        value_store_double(through.dtype, bits, f->is_signed ? (double)number(f, x) : (double)x);
        d = value_to_double(through.dtype, bits);
    }
    const double end = f->is_signed ? (double)f->sign : 2.0 * (double)f->sign;
    if (d >= end || d < (f->is_signed ? -end : 0.0)) /* an infinity of the narrow type included */
        *y = with & ROUND_INDEFINITE ? f->sign : negative ? f->sign : f->is_signed ? f->sign - 1 : f->ones;
    else
        *y = f->is_signed ? (uint64_t)(int64_t)d : (uint64_t)d;
    return true;
}

/* Saturated to the range of an integer type that does not hold all values of this one. */
static bool saturate(const form *f, unsigned with, uint64_t x, uint64_t *y)
{
    const form to = form_of(with);
    if (f->is_float || f->is_bool || to.dtype == f->dtype || to.bits > f->bits)
        return false;
    const uint64_t most = to.is_signed ? to.sign - 1 : to.ones;
    const int64_t least = to.is_signed ? -(int64_t)(to.sign - 1) - 1 : 0;
    if (f->is_signed && number(f, x) < 0)
        *y = (uint64_t)(number(f, x) < least ? least : number(f, x));
    else
        *y = x > most ? most : x;
    return true;
}

/* ---- the table ---- */

typedef struct change {
    const char *text; /* a clause about "it", the element; rows with the same text are one change */
    change_fn fn;
    unsigned with;
} change;

static const change table[] = {
    { "its upper half was lost", keep_low, 0 },
    { "its upper half was replaced by the sign of the lower half", sign_extend, 0 },
    { "its lower half was lost", lose_low, 0 },
    { "all its bytes but the lowest were lost", keep_low, 8 },
    { "its lowest byte was extended by its sign", sign_extend, 8 },
    { "all its bytes but the lowest two were lost", keep_low, 16 },
    { "its lowest two bytes were extended by their sign", sign_extend, 16 },
    { "its halves were exchanged", exchange_halves, 0 },
    { "its bytes were swapped", swap_bytes, 0 },
    { "its bits were inverted", invert, 0 },
    { "its lowest bit was cleared", lose_low_bit, 0 },
    { "its sign was flipped", flip_sign, 0 },
    { "it was negated", negate, 0 },
    { "its sign was lost", lose_sign, 0 },
    { "one was added", add, 0 },
    { "one was subtracted", add, 1 },
    { "its bits, taken as an integer, were counted up by one", add_unit, 0 },
    { "its bits, taken as an integer, were counted down by one", add_unit, 1 },
    { "true was written as 0xff", true_is_ones, 0 },
    { "signalling NaNs were quieted", float_unit, QUIET },
    { "NaNs lost their payload", float_unit, CANONICAL },
    { "NaNs lost their sign and payload", float_unit, CANONICAL | POSITIVE },
    { "NaNs became 0", float_unit, NAN_TO_ZERO },
    { "denormals were flushed to zero", float_unit, FLUSH },
    { "denormals were flushed to +0", float_unit, FLUSH | POSITIVE },
    { "denormals were flushed to zero and signalling NaNs quieted", float_unit, FLUSH | QUIET | COMBINED },
    { "negative zero lost its sign", float_unit, NEGATIVE_ZERO },
    { "negative zero lost its sign and signalling NaNs were quieted", float_unit, NEGATIVE_ZERO | QUIET | COMBINED },
    { "infinity became the largest finite number", float_unit, LARGEST },
    { "it was rounded through f32", round_float, TS_FLOAT32 },
    { "it was rounded through f32", round_float, TS_FLOAT32 | ROUND_QUIET },
    { "it was rounded through f16", round_float, TS_FLOAT16 },
    { "it was rounded through f16", round_float, TS_FLOAT16 | ROUND_QUIET },
    { "it was rounded through bf16", round_float, TS_BFLOAT16 },
    { "it was rounded through bf16", round_float, TS_BFLOAT16 | ROUND_QUIET },
    { "it was rounded through f64", round_integer, TS_FLOAT64 },
    { "it was rounded through f64", round_integer, TS_FLOAT64 | ROUND_INDEFINITE },
    { "it was rounded through f32", round_integer, TS_FLOAT32 },
    { "it was rounded through f32", round_integer, TS_FLOAT32 | ROUND_INDEFINITE },
    { "it was rounded through f16", round_integer, TS_FLOAT16 },
    { "it was rounded through f16", round_integer, TS_FLOAT16 | ROUND_INDEFINITE },
    { "it was rounded through bf16", round_integer, TS_BFLOAT16 },
    { "it was rounded through bf16", round_integer, TS_BFLOAT16 | ROUND_INDEFINITE },
    { "it was saturated to the range of i8", saturate, TS_INT8 },
    { "it was saturated to the range of u8", saturate, TS_UINT8 },
    { "it was saturated to the range of i16", saturate, TS_INT16 },
    { "it was saturated to the range of u16", saturate, TS_UINT16 },
    { "it was saturated to the range of i32", saturate, TS_INT32 },
    { "it was saturated to the range of u32", saturate, TS_UINT32 },
    { "it was saturated to the range of i64", saturate, TS_INT64 },
};
enum { CHANGES = sizeof table / sizeof *table };
_Static_assert(CHANGES <= 64, "a change is a bit of bit_changes");

/* ---- the interface ---- */

void bit_changes_begin(bit_changes *b, uint32_t dtype)
{
    const form f = form_of(dtype);
    uint64_t y;
    *b = (bit_changes){ .dtype = dtype };
    for (unsigned i = 0; i < CHANGES; ++i)
        if (f.bits && table[i].fn(&f, table[i].with, 0, &y))
            b->all |= UINT64_C(1) << i;
    b->differing = b->all;
}

void bit_changes_add(bit_changes *b, uint64_t expected, uint64_t actual)
{
    const bool differs = expected != actual;
    const form f = form_of(b->dtype);
    b->looked += differs;
    for (unsigned i = 0; i < CHANGES; ++i) {
        const uint64_t bit = UINT64_C(1) << i;
        uint64_t y;
        if (!((b->all | (differs ? b->differing : 0)) & bit))
            continue;
        table[i].fn(&f, table[i].with, expected, &y);
        if ((y & f.ones) == actual)
            continue;
        b->all &= ~bit;
        if (differs)
            b->differing &= ~bit;
    }
}

unsigned bit_changes_describe(const bit_changes *b, char *buf, size_t size)
{
    const uint64_t left = b->all ? b->all : b->differing;
    unsigned named = 0;
    size_t used = 0;
    buf[0] = '\0';
    if (b->looked == 0)
        return 0;
    for (unsigned i = 0; i < CHANGES; ++i) {
        bool again = table[i].fn == float_unit && (table[i].with & COMBINED) && named > 0;
        for (unsigned k = 0; k < i; ++k)
            again = again || ((left >> k & 1) && strcmp(table[k].text, table[i].text) == 0);
        if (!(left >> i & 1) || again)
            continue;
        if (++named <= MOST_NAMED && used < size)
            used += (size_t)snprintf(buf + used, size - used, "%s%s", named > 1 ? ", or " : "", table[i].text);
    }
    if (named > MOST_NAMED || used >= size) {
        buf[0] = '\0';
        return 0;
    }
    return named;
}
