/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/fill.h"
#include "harness/model/value.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Every type that a tensor here can have. */
static const uint32_t types[] = { TS_FLOAT32, TS_FLOAT16, TS_BFLOAT16, TS_FLOAT64, TS_UINT8, TS_INT8,   TS_UINT16,
                                  TS_INT16,   TS_UINT32,  TS_INT32,    TS_UINT64,  TS_INT64, TS_BOOLEAN };
#define TYPES (sizeof types / sizeof types[0])

static uint64_t bits_at(uint32_t dtype, const unsigned char *buffer, uint64_t position)
{
    return value_bits(dtype, buffer + position * tensor_element_bytes(dtype));
}

/* The values of one element in all passes identify its position. */
static void test_digits_identify_every_position(void **state)
{
    enum { ELEMENTS = 100000 };
    unsigned char *buffer = malloc(ELEMENTS * 8);
    uint64_t *decoded = malloc(ELEMENTS * sizeof *decoded);
    (void)state;
    assert_non_null(buffer);
    assert_non_null(decoded);
    for (size_t t = 0; t < TYPES; ++t) {
        uint64_t weight = 1, bytes = ELEMENTS * tensor_element_bytes(types[t]);
        unsigned passes = fill_digit_passes(types[t], ELEMENTS);
        memset(decoded, 0, ELEMENTS * sizeof *decoded);
        for (unsigned pass = 0; pass < passes; ++pass, weight *= fill_digit_base(types[t])) {
            memset(buffer, 0, ELEMENTS * 8);
            /* two tensors, numbered one after the other */
            const uint64_t own = bytes / 4, first = own / tensor_element_bytes(types[t]);
            fill_digits(types[t], buffer, own, 0, pass);
            fill_digits(types[t], buffer + own, bytes - own, first, pass);
            for (uint64_t p = 0; p < ELEMENTS; ++p) {
                int64_t digit = fill_digit_of(types[t], bits_at(types[t], buffer, p));
                assert_true(digit >= 0 && (uint64_t)digit < fill_digit_base(types[t]));
                decoded[p] += (uint64_t)digit * weight;
            }
        }
        for (uint64_t p = 0; p < ELEMENTS; ++p)
            assert_int_equal(decoded[p], p);
    }
    free(decoded);
    free(buffer);
}

static void test_passes_suffice(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; ++t) {
        uint64_t base = fill_digit_base(types[t]);
        assert_int_equal(fill_digit_passes(types[t], 0), 1);
        assert_int_equal(fill_digit_passes(types[t], 1), 1);
        assert_int_equal(fill_digit_passes(types[t], base), 1);
        assert_int_equal(fill_digit_passes(types[t], base + 1), 2);
        assert_true(fill_digit_passes(types[t], UINT64_MAX) <= 64);
    }
}

/* Values of unwritten memory are not digits: zeros, poison and NaNs. Booleans have two values, so both are digits. */
static void test_other_bits_are_no_digits(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; ++t) {
        uint64_t mask =
            tensor_element_bytes(types[t]) == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * tensor_element_bytes(types[t])) - 1;
        if (types[t] == TS_BOOLEAN) {
            assert_int_equal(fill_digit_of(TS_BOOLEAN, 2), -1);
            continue;
        }
        assert_int_equal(fill_digit_of(types[t], 0), -1);
        assert_int_equal(fill_digit_of(types[t], mask), -1);
        assert_int_equal(fill_digit_of(types[t], mask & UINT64_C(0xDEADBEEFDEADBEEF)), -1);
        for (unsigned i = 0; i < 16; ++i) { /* infinities, NaNs, denormals */
            uint64_t special = fill_element(FILL_SPECIAL, types[t], i, 0);
            int64_t digit = fill_digit_of(types[t], special);
            assert_true(digit < (int64_t)fill_digit_base(types[t]));
        }
    }
}

/* The number of positions, from the first one, that hold different values. */
static uint64_t promised(uint32_t dtype)
{
    switch (dtype) {
    case TS_FLOAT16: return 2048;
    case TS_BFLOAT16: return 256;
    case TS_UINT8:
    case TS_INT8: return 251;
    case TS_UINT16:
    case TS_INT16: return 65521;
    case TS_BOOLEAN: return 1;
    default: return 200000;
    }
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static bool is_nan_bits(uint32_t dtype, uint64_t bits)
{
    unsigned char element[8];
    if (!tensor_dtype(dtype)->is_float)
        return false;
    value_store_bits(dtype, element, bits);
    return isnan(value_to_double(dtype, element));
}

static void test_injective_fill_distinguishes_positions(void **state)
{
    uint64_t *seen = malloc(200000 * sizeof *seen);
    (void)state;
    assert_non_null(seen);
    for (size_t t = 0; t < TYPES; ++t) {
        uint64_t n = promised(types[t]);
        for (uint64_t p = 0; p < n; ++p) {
            seen[p] = fill_element(FILL_INJECTIVE, types[t], p, p * 77); /* the key does not matter */
            assert_int_equal(seen[p], fill_element(FILL_INJECTIVE, types[t], p, 0));
            assert_false(is_nan_bits(types[t], seen[p]));
        }
        qsort(seen, n, sizeof *seen, by_value);
        for (uint64_t p = 1; p < n; ++p)
            assert_true(seen[p] != seen[p - 1]);
        for (uint64_t p = n; p < n + 300000; p += 7) /* beyond it, the values must at least be numbers */
            assert_false(is_nan_bits(types[t], fill_element(FILL_INJECTIVE, types[t], p, 0)));
    }
    /* 32-bit floats continue beyond the integers that they hold exactly. */
    for (uint64_t p = (1u << 24) - 3; p < (1u << 24) + 3; ++p)
        assert_true(fill_element(FILL_INJECTIVE, TS_FLOAT32, p, 0) <
                    fill_element(FILL_INJECTIVE, TS_FLOAT32, p + 1, 0));
    free(seen);
}

static void test_injective_fill_counts_from_one(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; ++t) {
        unsigned char element[8];
        if (types[t] == TS_BOOLEAN)
            continue;
        for (uint64_t p = 0; p < 100; ++p) {
            value_store_bits(types[t], element, fill_element(FILL_INJECTIVE, types[t], p, 0));
            assert_true(value_to_double(types[t], element) == (double)(p + 1));
        }
    }
}

/* A float type's bit fields, to find values that a copy through arithmetic would change. */
typedef struct float_format {
    uint32_t dtype;
    unsigned fraction; /* bits of it */
    unsigned exponent; /* bits of it */
} float_format;

static void test_special_floats(void **state)
{
    static const float_format formats[] = {
        { TS_FLOAT16, 10, 5 }, { TS_BFLOAT16, 7, 8 }, { TS_FLOAT32, 23, 8 }, { TS_FLOAT64, 52, 11 }
    };
    (void)state;
    for (size_t f = 0; f < sizeof formats / sizeof formats[0]; ++f) {
        enum {
            QUIET = 1,
            SIGNALLING = 2,
            PLUS_ZERO = 4,
            MINUS_ZERO = 8,
            INFINITE = 16,
            MINUS_INFINITE = 32,
            DENORMAL = 64,
            NEGATIVE_NAN = 128,
            ALL = 255
        };
        uint64_t fraction_mask = (UINT64_C(1) << formats[f].fraction) - 1;
        uint64_t top = (UINT64_C(1) << formats[f].exponent) - 1;
        uint64_t quiet = UINT64_C(1) << (formats[f].fraction - 1);
        for (uint64_t start = 0; start < 640; start += 16) { /* every sixteen elements contain all of them */
            unsigned seen = 0;
            for (uint64_t p = start; p < start + 16; ++p) {
                uint64_t x = fill_element(FILL_SPECIAL, formats[f].dtype, p, 0), fraction = x & fraction_mask;
                uint64_t exponent = x >> formats[f].fraction & top;
                bool minus = x >> (formats[f].fraction + formats[f].exponent) & 1;
                if (exponent == top && fraction)
                    seen |= (fraction & quiet ? QUIET : SIGNALLING) | (minus ? NEGATIVE_NAN : 0);
                if (exponent == top && fraction == 0)
                    seen |= minus ? MINUS_INFINITE : INFINITE;
                if (exponent == 0)
                    seen |= fraction ? DENORMAL : minus ? MINUS_ZERO : PLUS_ZERO;
            }
            assert_int_equal(seen, ALL);
        }
    }
}

static void test_special_integers(void **state)
{
    static const uint32_t integers[] = { TS_UINT8,  TS_INT8,  TS_UINT16, TS_INT16,
                                         TS_UINT32, TS_INT32, TS_UINT64, TS_INT64 };
    (void)state;
    for (size_t t = 0; t < sizeof integers / sizeof integers[0]; ++t) {
        unsigned bits = 8 * (unsigned)tensor_element_bytes(integers[t]);
        uint64_t least = UINT64_C(1) << (bits - 1), all = least | (least - 1);
        const uint64_t wanted[] = { 0, 1, least, least - 1, least + 1, least - 2, all };
        for (size_t w = 0; w < sizeof wanted / sizeof wanted[0]; ++w) {
            bool found = false;
            for (uint64_t p = 0; p < 16; ++p)
                found = found || fill_element(FILL_SPECIAL, integers[t], p, 0) == wanted[w];
            if (!found)
                fail_msg("special values of %s lack 0x%llx", tensor_dtype(integers[t])->id,
                         (unsigned long long)wanted[w]);
        }
    }
}

static void test_bits_follow_from_key_and_position(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; ++t) {
        unsigned same = 0;
        for (uint64_t p = 0; p < 1000; ++p) {
            uint64_t x = fill_element(FILL_BITS, types[t], p, 1);
            assert_int_equal(x, fill_element(FILL_BITS, types[t], p, 1));
            same += x == fill_element(FILL_BITS, types[t], p, 2);
            if (types[t] == TS_BOOLEAN)
                assert_true(x <= 1);
        }
        assert_true(same < (types[t] == TS_BOOLEAN ? 600 : 30));
    }
}

/* Many neighbours are equal, many are zeros, and some buffers are all one value. */
static void test_stretches(void **state)
{
    (void)state;
    unsigned whole = 0, zeros = 0, equal = 0, differ = 0;
    for (uint64_t key = 0; key < 400; ++key) {
        unsigned changes = 0;
        for (uint64_t p = 1; p < 256; ++p) {
            const uint64_t x = fill_element(FILL_STRETCHES, TS_UINT16, p, key);
            const bool same = x == fill_element(FILL_STRETCHES, TS_UINT16, p - 1, key);
            assert_int_equal(x, fill_element(FILL_STRETCHES, TS_UINT16, p, key));
            zeros += x == 0;
            equal += same && x != 0;
            differ += !same;
            changes += !same;
        }
        whole += changes == 0;
    }
    assert_in_range(whole, 10, 60);
    assert_true(zeros > 10000 && equal > 10000 && differ > 20000);
    for (uint64_t p = 0; p < 1000; ++p)
        assert_true(fill_element(FILL_STRETCHES, TS_BOOLEAN, p, p) <= 1);
}

/* Some buffers are all zeros, some have none, and a float has both zeros and other elements than numbers. */
static void test_zeros(void **state)
{
    (void)state;
    for (size_t t = 0; t < TYPES; ++t) {
        const unsigned bits = 8 * (unsigned)tensor_element_bytes(types[t]);
        const uint64_t sign = tensor_dtype(types[t])->is_float ? UINT64_C(1) << (bits - 1) : 0;
        unsigned all = 0, none = 0, negative = 0, positive = 0, least = 0;
        for (uint64_t key = 0; key < 200; ++key) {
            unsigned zeros = 0;
            for (uint64_t p = 0; p < 64; ++p) {
                const uint64_t x = fill_element(FILL_ZEROS, types[t], p, key);
                zeros += (x & ~sign) == 0;
                negative += sign != 0 && x == sign;
                positive += x == 0;
                least += x == 1;
                assert_true(types[t] != TS_BOOLEAN || x <= 1);
            }
            all += zeros == 64;
            none += zeros == 0;
        }
        assert_in_range(all, 10, 60);
        assert_in_range(none, 10, 60);
        assert_true(positive > 1000 && least > 500);
        assert_true(sign ? negative > 1000 : negative == 0);
    }
}

/* A buffer holds its elements in order, then the bytes of an incomplete element; a cache changes nothing. */
static void test_buffers(void **state)
{
    unsigned char plain[512], cached[512];
    fill_cache cache;
    (void)state;
    memset(&cache, 0, sizeof cache);
    for (size_t t = 0; t < TYPES; ++t)
        for (int f = 0; f < FILL_COUNT; ++f)
            for (uint64_t bytes = 0; bytes < 200; ++bytes) {
                size_t size = tensor_element_bytes(types[t]);
                memset(plain, 0xEE, sizeof plain);
                memset(cached, 0xEE, sizeof cached);
                fill_buffer((fill)f, types[t], plain, bytes, 99);
                fill_cached(&cache, (fill)f, types[t], cached, bytes, 99);
                assert_memory_equal(plain, cached, sizeof plain);
                for (uint64_t p = 0; p < bytes / size; ++p)
                    assert_int_equal(bits_at(types[t], plain, p), fill_element((fill)f, types[t], p, 99));
                for (uint64_t i = bytes / size * size; i < sizeof plain; ++i)
                    assert_int_equal(plain[i], i < bytes ? 0x5A : 0xEE);
            }
    fill_cached(NULL, FILL_INJECTIVE, TS_UINT8, plain, 3, 0);
    assert_int_equal(plain[2], 3);
    fill_cache_free(&cache);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(fill_name(FILL_INJECTIVE), "injective");
    assert_string_equal(fill_name(FILL_BITS), "bits");
    assert_string_equal(fill_name(FILL_SPECIAL), "special");
    assert_string_equal(fill_name(FILL_STRETCHES), "stretches");
    assert_string_equal(fill_name(FILL_INVERTED), "inverted");
    assert_string_equal(fill_name(FILL_ZEROS), "zeros");
    assert_string_equal(fill_name(FILL_CROSSED), "crossed");
    assert_string_equal(fill_name(FILL_COUNT), "?");
}

/* Two inputs have every pair of special values in 256 elements, and each fill of one input is what fill_buffer writes. */
static void crossed_values_meet_each_other(void **state)
{
    (void)state;
    enum { SPECIALS = 16, PAIRS = SPECIALS * SPECIALS };
    uint16_t first[PAIRS], second[PAIRS];
    fill_buffer(FILL_CROSSED, TS_FLOAT16, first, sizeof first, 0);
    fill_buffer(FILL_CROSSED, TS_FLOAT16, second, sizeof second, 1);
    for (unsigned i = 0; i < PAIRS; ++i) {
        assert_int_equal(first[i], fill_element(FILL_CROSSED, TS_FLOAT16, i, 0));
        for (unsigned k = 0; k < i; ++k)
            assert_true(first[i] != first[k] || second[i] != second[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_identify_every_position),
        cmocka_unit_test(test_passes_suffice),
        cmocka_unit_test(test_other_bits_are_no_digits),
        cmocka_unit_test(test_injective_fill_distinguishes_positions),
        cmocka_unit_test(test_injective_fill_counts_from_one),
        cmocka_unit_test(test_special_floats),
        cmocka_unit_test(test_special_integers),
        cmocka_unit_test(test_bits_follow_from_key_and_position),
        cmocka_unit_test(test_stretches),
        cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(crossed_values_meet_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
