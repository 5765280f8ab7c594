/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/fill.h"

#include "harness/model/value.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[FILL_COUNT] = { "injective", "bits", "special", "stretches", "inverted", "zeros", "crossed" };

const char *fill_name(fill f)
{
    return f < FILL_COUNT ? names[f] : "?";
}

/* Values that a copy must not alter; those that a copy alters most often come first. */
static const uint16_t special16[] = { 0x8000, 0x7E01, 0x7C01, 0xFE55, 0xFD2A, 0x0001, 0x83FF, 0x7C00,
                                      0xFC00, 0x0000, 0x0400, 0x7BFF, 0xFBFF, 0x7DFF, 0x3C00, 0xFFFF };
static const uint16_t special_bf16[] = { 0x8000, 0x7FC1, 0x7F81, 0xFFD5, 0xFFAA, 0x0001, 0x807F, 0x7F80,
                                         0xFF80, 0x0000, 0x0080, 0x7F7F, 0xFF7F, 0x7FBF, 0x3F80, 0xFFFF };
static const uint32_t special32[] = { 0x80000000, 0x7FC00001, 0x7F800001, 0xFFD55555, 0xFFAAAAAA, 0x00000001,
                                      0x807FFFFF, 0x7F800000, 0xFF800000, 0x00000000, 0x00800000, 0x7F7FFFFF,
                                      0xFF7FFFFF, 0x7FBFFFFF, 0x3F800000, 0xFFFFFFFF };
static const uint64_t special64[] = {
    UINT64_C(0x8000000000000000), UINT64_C(0x7FF8000000000001), UINT64_C(0x7FF0000000000001),
    UINT64_C(0xFFFD555555555555), UINT64_C(0xFFF2AAAAAAAAAAAA), UINT64_C(0x0000000000000001),
    UINT64_C(0x800FFFFFFFFFFFFF), UINT64_C(0x7FF0000000000000), UINT64_C(0xFFF0000000000000),
    UINT64_C(0x0000000000000000), UINT64_C(0x0010000000000000), UINT64_C(0x7FEFFFFFFFFFFFFF),
    UINT64_C(0xFFEFFFFFFFFFFFFF), UINT64_C(0x7FF7FFFFFFFFFFFF), UINT64_C(0x0020000000000001),
    UINT64_C(0xFFFFFFFFFFFFFFFF),
};
/* Extreme integers, truncated to the type: minimum, maximum, their neighbours, and patterns across both halves. */
static const uint64_t special_int[] = {
    UINT64_C(0x8000000000000000), UINT64_C(0x7FFFFFFFFFFFFFFF),
    UINT64_C(0xFFFFFFFFFFFFFFFF), 0,
    UINT64_C(0x8000000000000001), UINT64_C(0x7FFFFFFFFFFFFFFE),
    UINT64_C(0x00000000FFFFFFFF), 1,
    UINT64_C(0x0020000000000001), UINT64_C(0xAAAAAAAAAAAAAAAA),
    UINT64_C(0x5555555555555555), UINT64_C(0x0000000100000000),
    UINT64_C(0xFFFFFFFF00000000), UINT64_C(0x0123456789ABCDEF),
    UINT64_C(0xFEDCBA9876543210), UINT64_C(0x0000000080000000),
};

#define SPECIALS 16 /* of each type */

/* Special value i of a type. */
static uint64_t special_value(uint32_t dtype, unsigned i)
{
    switch (dtype) {
    case TS_FLOAT16: return special16[i];
    case TS_BFLOAT16: return special_bf16[i];
    case TS_FLOAT32: return special32[i];
    case TS_FLOAT64: return special64[i];
    case TS_BOOLEAN: return i & 1;
    default: {
        unsigned bits = 8 * (unsigned)tensor_element_bytes(dtype);
        uint64_t x = special_int[i];
        return i < 6 ? (x >> (64 - bits) & ~UINT64_C(1)) | (x & 1)
                     : x; /* the first six depend on the type: its limits and their neighbours */
    }
    }
}

static uint64_t special_bits(uint32_t dtype, uint64_t position)
{
    /* The list starts one value later every sixteen elements, so that it does not align with the period of a kernel. */
    return special_value(dtype, dtype == TS_BOOLEAN ? (unsigned)(position & 1)
                                                    : (unsigned)((position + position / SPECIALS) % SPECIALS));
}

/* Digit `input` of the position to the base of the number of special values. */
static uint64_t crossed_bits(uint32_t dtype, uint64_t position, uint64_t input)
{
    for (uint64_t k = 0; k < input; ++k)
        position /= SPECIALS;
    return special_value(dtype, (unsigned)(position % SPECIALS));
}

static uint64_t injective_bits(uint32_t dtype, uint64_t position)
{
    uint64_t n = position + 1;
    float single = (float)n;
    double number = (double)n;
    uint32_t bits = 0;
    switch (dtype) {
    case TS_FLOAT16: /* readable numbers while they are exact, then bits of other numbers, never NaN */
        return n <= 2048 ? value_half_from_float(single) : (n * 40503u + 0x6801u) % 0x7C00u;
    case TS_BFLOAT16: return n <= 256 ? value_bfloat_from_float(single) : (n * 40503u + 0x4381u) % 0x7F80u;
    case TS_FLOAT32: memcpy(&bits, &single, sizeof bits); return n <= 1u << 24 ? bits : (n + 0x4B000000u) & 0xFFFFFFFFu;
    case TS_FLOAT64: memcpy(&n, &number, sizeof n); return n; /* no tensor has 2^53 elements */
    case TS_BOOLEAN: return fill_mix(n) & 1;
    case TS_UINT8:
    case TS_INT8: return n % 251; /* a prime: rows of a power of two do not repeat */
    case TS_UINT16:
    case TS_INT16: return n % 65521;
    default: return n;
    }
}

#define STRETCH 32 /* elements that are alike */

/* What the elements of a stretch are made of, and how: x % 4. */
static uint64_t stretch_of(uint64_t position, uint64_t key)
{
    const uint64_t whole = fill_mix(key ^ UINT64_C(0xD1B54A32D192ED03)),
                   stretch = whole % 8 == 0 ? 0 : position / STRETCH;
    return fill_mix(whole + stretch * UINT64_C(0x9E3779B97F4A7C15));
}

static inline uint64_t stretch_element(uint64_t x, uint64_t position)
{
    const uint64_t kind = x % 4;
    return kind == 0 ? 0 : fill_mix(kind == 1 ? x : x + position);
}

/* Zeros among other elements: as many of 16 elements as the key says are none. */
static uint64_t zeros_element(uint32_t dtype, uint64_t position, uint64_t key)
{
    static const uint8_t others[] = { 0, 16, 1, 15, 4, 8, 8, 12 };
    const ts_dtype_info *info = tensor_dtype(dtype);
    const uint64_t whole = fill_mix(key ^ UINT64_C(0x8CB92BA72F3D8DD7)),
                   x = fill_mix(whole + position * UINT64_C(0x9E3779B97F4A7C15));
    const bool is_float = info && info->is_float;
    const unsigned bits = 8 * (unsigned)tensor_element_bytes(dtype);
    const uint64_t sign = bits && is_float ? UINT64_C(1) << (bits - 1) : 0;
    if (x % 16 >= others[whole % 8])
        return x & 16 ? sign : 0;
    if (dtype == TS_BOOLEAN || bits == 0)
        return 1;
    uint64_t y = 1; /* of a float, the least denormal */
    switch (x >> 5 & 3) {
    case 0: y = UINT64_C(1) << (x >> 8) % (bits - is_float); break;
    case 1: y = special_bits(dtype, x >> 8); break;
    case 2: y = x >> 8 | 1; break;
    default: break;
    }
    const uint64_t kept = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
    return y & kept & ~sign ? y : 1;
}

/* The bits of one element, and others above them. */
static inline uint64_t wide_element(fill f, uint32_t dtype, uint64_t position, uint64_t key)
{
    const uint64_t kept = dtype == TS_BOOLEAN ? 1 : UINT64_MAX;
    switch (f) {
    case FILL_BITS: return fill_mix(key + position * UINT64_C(0x9E3779B97F4A7C15)) & kept;
    case FILL_SPECIAL: return special_bits(dtype, position);
    case FILL_STRETCHES: return stretch_element(stretch_of(position, key), position) & kept;
    case FILL_ZEROS: return zeros_element(dtype, position, key);
    case FILL_CROSSED: return crossed_bits(dtype, position, key);
    case FILL_INVERTED:
        return injective_bits(dtype, position) ^ UINT64_C(1)
                                                     << (dtype == TS_BOOLEAN ? 0 : 8 * tensor_element_bytes(dtype) - 1);
    default: return injective_bits(dtype, position);
    }
}

uint64_t fill_element(fill f, uint32_t dtype, uint64_t position, uint64_t key)
{
    const unsigned bits = 8 * (unsigned)tensor_element_bytes(dtype);
    const uint64_t x = wide_element(f, dtype, position, key);
    return bits < 64 ? x & ((UINT64_C(1) << bits) - 1) : x;
}

/* Elements of a size and a fill that are constant here: the loop makes no choices. */
static inline __attribute__((always_inline)) void fill_constant(fill f, size_t size, uint32_t dtype, unsigned char *to,
                                                                uint64_t count, uint64_t key)
{
    for (uint64_t i = 0; i < count; ++i)
        value_store_bytes(to + i * size, wide_element(f, dtype, i, key), size);
}

/* The same for a type that is constant, too. Signed and unsigned integers have the same bits. */
static inline __attribute__((always_inline)) void fill_elements(fill f, uint32_t dtype, unsigned char *to,
                                                                uint64_t count, uint64_t key)
{
    switch (dtype) {
    case TS_FLOAT16: fill_constant(f, 2, TS_FLOAT16, to, count, key); break;
    case TS_BFLOAT16: fill_constant(f, 2, TS_BFLOAT16, to, count, key); break;
    case TS_FLOAT32: fill_constant(f, 4, TS_FLOAT32, to, count, key); break;
    case TS_FLOAT64: fill_constant(f, 8, TS_FLOAT64, to, count, key); break;
    case TS_BOOLEAN: fill_constant(f, 1, TS_BOOLEAN, to, count, key); break;
    case TS_UINT8:
    case TS_INT8: fill_constant(f, 1, TS_UINT8, to, count, key); break;
    case TS_UINT16:
    case TS_INT16: fill_constant(f, 2, TS_UINT16, to, count, key); break;
    case TS_UINT32:
    case TS_INT32: fill_constant(f, 4, TS_UINT32, to, count, key); break;
    case TS_UINT64:
    case TS_INT64: fill_constant(f, 8, TS_UINT64, to, count, key); break;
    default: break; /* a type of four bits, or none */
    }
}

/* Random bits are those of any type but BOOLEAN, which has one. */
static void fill_bits(uint32_t dtype, unsigned char *to, uint64_t count, uint64_t key)
{
    switch (dtype == TS_BOOLEAN ? 0 : tensor_element_bytes(dtype)) {
    case 1: fill_constant(FILL_BITS, 1, TS_DTYPE_COUNT, to, count, key); break;
    case 2: fill_constant(FILL_BITS, 2, TS_DTYPE_COUNT, to, count, key); break;
    case 4: fill_constant(FILL_BITS, 4, TS_DTYPE_COUNT, to, count, key); break;
    case 8: fill_constant(FILL_BITS, 8, TS_DTYPE_COUNT, to, count, key); break;
    default: fill_elements(FILL_BITS, dtype, to, count, key); break;
    }
}

/* Stretch by stretch, so that what its elements are made of is computed once. */
static inline __attribute__((always_inline)) void fill_stretches(size_t size, uint64_t kept, unsigned char *to,
                                                                 uint64_t count, uint64_t key)
{
    for (uint64_t first = 0; first < count; first += STRETCH) {
        const uint64_t x = stretch_of(first, key), end = count - first < STRETCH ? count : first + STRETCH;
        for (uint64_t i = first; i < end; ++i)
            value_store_bytes(to + i * size, stretch_element(x, i) & kept, size);
    }
}

static void fill_stretched(uint32_t dtype, unsigned char *to, uint64_t count, uint64_t key)
{
    switch (tensor_element_bytes(dtype)) {
    case 1: fill_stretches(1, dtype == TS_BOOLEAN ? 1 : UINT64_MAX, to, count, key); break;
    case 2: fill_stretches(2, UINT64_MAX, to, count, key); break;
    case 4: fill_stretches(4, UINT64_MAX, to, count, key); break;
    case 8: fill_stretches(8, UINT64_MAX, to, count, key); break;
    default: break;
    }
}

static void fill_zeros(uint32_t dtype, unsigned char *to, uint64_t count, uint64_t key)
{
    const size_t size = tensor_element_bytes(dtype);
    for (uint64_t i = 0; i < count; ++i)
        value_store_bytes(to + i * size, zeros_element(dtype, i, key), size);
}

void fill_buffer(fill f, uint32_t dtype, void *p, uint64_t bytes, uint64_t key)
{
    const size_t size = tensor_element_bytes(dtype);
    const uint64_t count = size ? bytes / size : 0;
    unsigned char *to = p;
    switch (f) {
    case FILL_BITS: fill_bits(dtype, to, count, key); break;
    case FILL_SPECIAL: fill_elements(FILL_SPECIAL, dtype, to, count, key); break;
    case FILL_STRETCHES: fill_stretched(dtype, to, count, key); break;
    case FILL_INVERTED: fill_elements(FILL_INVERTED, dtype, to, count, key); break;
    case FILL_ZEROS: fill_zeros(dtype, to, count, key); break;
    case FILL_CROSSED: fill_elements(FILL_CROSSED, dtype, to, count, key); break;
    default: fill_elements(FILL_INJECTIVE, dtype, to, count, key); break;
    }
    memset(to + count * size, FILL_REST, (size_t)(bytes - count * size));
}

void fill_cache_free(fill_cache *c)
{
    for (int f = 0; f < FILL_COUNT; ++f)
        for (int t = 0; t < TS_DTYPE_COUNT; ++t)
            free(c->patterns[f][t]);
    memset(c, 0, sizeof *c);
}

void fill_cached(fill_cache *c, fill f, uint32_t dtype, void *p, uint64_t bytes, uint64_t key)
{
    size_t size = tensor_element_bytes(dtype);
    if (c && !fill_uses_key(f) && size && bytes <= FILL_CACHE_BYTES && bytes % size == 0) {
        unsigned char **pattern = &c->patterns[f][dtype];
        if (!*pattern && (*pattern = malloc(FILL_CACHE_BYTES)) != NULL)
            fill_buffer(f, dtype, *pattern, FILL_CACHE_BYTES, 0);
        if (*pattern) {
            memcpy(p, *pattern, (size_t)bytes);
            return;
        }
    }
    fill_buffer(f, dtype, p, bytes, key);
}

uint64_t fill_digit_base(uint32_t dtype)
{
    switch (tensor_element_bytes(dtype)) {
    case 1: return dtype == TS_BOOLEAN ? 2 : 200;
    case 2: return dtype == TS_BFLOAT16 ? 256 : 2048;
    default: return UINT64_C(1) << 24;
    }
}

unsigned fill_digit_passes(uint32_t dtype, uint64_t elements)
{
    unsigned passes = 1;
    for (uint64_t reach = fill_digit_base(dtype); reach < elements && passes < 64; ++passes)
        reach = reach > UINT64_MAX / fill_digit_base(dtype) ? UINT64_MAX : reach * fill_digit_base(dtype);
    return passes;
}

/* A digit is stored plus one, so that memory left at zero is not a digit; booleans have too few values for that. */
static uint64_t digit_bits(uint32_t dtype, uint64_t digit)
{
    unsigned char element[8] = { 0 };
    if (dtype == TS_BOOLEAN)
        return digit;
    switch (dtype) {
    case TS_FLOAT16: return value_half_from_float((float)(digit + 1));
    case TS_BFLOAT16: return value_bfloat_from_float((float)(digit + 1));
    case TS_INT8: return digit + 1; /* as bits: 1 to 200 */
    default: value_store_int(dtype, element, (int64_t)digit + 1); return value_bits(dtype, element);
    }
}

void fill_digits(uint32_t dtype, void *p, uint64_t bytes, uint64_t first, unsigned pass)
{
    size_t size = tensor_element_bytes(dtype);
    uint64_t base = fill_digit_base(dtype);
    unsigned char *to = p;
    for (uint64_t i = 0; size && i < bytes / size; ++i, to += size) {
        uint64_t digit = first + i;
        for (unsigned k = 0; k < pass; ++k)
            digit /= base;
        value_store_bits(dtype, to, digit_bits(dtype, digit % base));
    }
}

int64_t fill_digit_of(uint32_t dtype, uint64_t bits)
{
    unsigned char element[8];
    if (dtype == TS_BOOLEAN)
        return bits <= 1 ? (int64_t)bits : -1;
    value_store_bits(dtype, element, bits);
    double n = dtype == TS_INT8 ? (double)bits : value_to_double(dtype, element);
    if (!(n >= 1 && n <= (double)fill_digit_base(dtype)) || digit_bits(dtype, (uint64_t)n - 1) != bits)
        return -1;
    return (int64_t)n - 1;
}
