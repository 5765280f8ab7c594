/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state ^ *state >> 29;
}

static void bits_are_little_endian(void **state)
{
    (void)state;
    unsigned char p[9] = { 1, 2, 3, 4, 5, 6, 7, 8, 0xAA };
    assert_int_equal(value_bits(TS_INT8, p), 1);
    assert_int_equal(value_bits(TS_FLOAT16, p), 0x0201);
    assert_int_equal(value_bits(TS_FLOAT32, p), 0x04030201);
    assert_int_equal(value_bits(TS_UINT64, p), 0x0807060504030201);
    value_store_bits(TS_UINT16, p, 0xFFFFFFFFBEEF);
    assert_int_equal(value_bits(TS_UINT32, p), 0x0403BEEF);
    value_store_bits(TS_INT64, p, 0x1122334455667788);
    assert_int_equal(value_bits(TS_INT64, p), 0x1122334455667788);
    assert_int_equal(p[8], 0xAA);
}

/* The nearest of all finite 16-bit values, to even at a tie, by bisection over their order. */
static uint16_t nearest(double value, float (*to_float)(uint16_t), uint16_t infinity)
{
    uint16_t sign = value < 0 ? 0x8000 : 0, low = 0, high = infinity;
    double magnitude = value < 0 ? -value : value;
    while (high - low > 1) {
        uint16_t middle = (uint16_t)((low + high) / 2);
        if ((double)to_float(middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    /* Infinity takes the place of the next finite number. */
    double below = (double)to_float(low);
    double above = high < infinity ? (double)to_float(high) : below + (below - (double)to_float((uint16_t)(low - 1)));
    double middle = below + (above - below) / 2;
    bool up = magnitude > middle || (magnitude == middle && (low & 1));
    return (uint16_t)(sign | (up ? high : low));
}

static void sixteen_bits_round_to_nearest_even(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (unsigned n = 0; n < 300000; ++n) {
        /* Exponents of all halves, with mantissas that are often near a tie. */
        uint32_t bits = (uint32_t)draw(&seed) & 0x807FFFFF;
        bits |= (100 + (uint32_t)(draw(&seed) >> 40) % 46) << 23;
        if (n & 1)
            bits = (bits & ~0x1FFFu) | (n & 2 ? 0x1000 : 0x1001);
        float f;
        memcpy(&f, &bits, sizeof f);
        assert_int_equal(value_half_from_float(f), nearest((double)f, value_half_to_float, 0x7C00));
        assert_int_equal(value_bfloat_from_float(f), nearest((double)f, value_bfloat_to_float, 0x7F80));
    }
    assert_int_equal(value_half_from_float(65519.996f), 0x7BFF);
    assert_int_equal(value_half_from_float(65520.0f), 0x7C00);
    assert_int_equal(value_half_from_float(0x1p-25f), 0x0000);
    assert_int_equal(value_half_from_float(0x1.000002p-25f), 0x0001);
    assert_int_equal(value_half_from_float(-0x1p-24f), 0x8001);
    assert_int_equal(value_bfloat_from_float(3.4028235e38f), 0x7F80);
    assert_int_equal(value_bfloat_from_float(0x1p-149f), 0x0000);
    assert_int_equal(value_bfloat_from_float(0x1p-133f), 0x0001);
}

/* 1 + 2^-11 + 2^-40 is just above a tie between two halves; rounded to float, it would be the tie. */
static void doubles_round_once(void **state)
{
    (void)state;
    unsigned char p[8];
    assert_true(value_store_double(TS_FLOAT16, p, 1 + 0x1p-11 + 0x1p-40));
    assert_int_equal(value_bits(TS_FLOAT16, p), 0x3C01);
    assert_true(value_store_double(TS_BFLOAT16, p, 1 + 0x1p-8 + 0x1p-40));
    assert_int_equal(value_bits(TS_BFLOAT16, p), 0x3F81);
    assert_true(value_store_double(TS_FLOAT16, p, 0x1p-1074));
    assert_int_equal(value_bits(TS_FLOAT16, p), 0);
    assert_true(value_store_double(TS_FLOAT16, p, -1e300));
    assert_int_equal(value_bits(TS_FLOAT16, p), 0xFC00);
}

static void sixteen_bits_come_back(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        uint16_t h = (uint16_t)bits;
        assert_int_equal(value_half_from_float(value_half_to_float(h)), h); /* NaN payloads too */
        assert_int_equal(value_bfloat_from_float(value_bfloat_to_float(h)), h);
    }
    float f;
    memcpy(&f, &(uint32_t){ 0xFF800001 }, sizeof f); /* its whole payload is truncated */
    assert_int_equal(value_half_from_float(f), 0xFC01);
    assert_int_equal(value_bfloat_from_float(f), 0xFF81);
}

static void expect_text(uint32_t dtype, uint64_t bits, const char *expected)
{
    unsigned char p[8];
    char text[40];
    value_store_bits(dtype, p, bits);
    assert_string_equal(value_format(dtype, p, text, sizeof text), expected);
}

static void text_accepts_what_people_write(void **state)
{
    (void)state;
    expect_text(TS_INT8, 0xFF, "-1");
    expect_text(TS_UINT8, 0xFF, "255");
    expect_text(TS_INT64, (uint64_t)1 << 63, "-9223372036854775808");
    expect_text(TS_UINT64, UINT64_MAX, "18446744073709551615");
    expect_text(TS_BOOLEAN, 1, "true");
    expect_text(TS_BOOLEAN, 0, "false");
    expect_text(TS_BOOLEAN, 2, "2");
    expect_text(TS_FLOAT32, 0x3DCCCCCD, "0.1");
    expect_text(TS_FLOAT32, 0x40400000, "3");
    expect_text(TS_FLOAT32, 0x80000000, "-0");
    expect_text(TS_FLOAT32, 0xBF000000, "-0.5");
    expect_text(TS_FLOAT32, 0x00000001, "1e-45");
    expect_text(TS_FLOAT32, 0x47C35000, "100000");
    expect_text(TS_FLOAT32, 0x7F7FFFFF, "3.4028235e+38");
    expect_text(TS_FLOAT32, 0xFF800000, "-inf");
    expect_text(TS_FLOAT32, 0x7FA00001, "nan(0x7fa00001)");
    expect_text(TS_FLOAT16, 0x7E01, "nan(0x7e01)");
    expect_text(TS_FLOAT16, 0x2E66, "0.1");
    expect_text(TS_BFLOAT16, 0x3DCD, "0.1");
    expect_text(TS_FLOAT64, 0x3FB999999999999A, "0.1");
    expect_text(TS_FLOAT64, 0x7FF0000000000000, "inf");
    expect_text(TS_UINT4, 3, "?");
    expect_text(99, 3, "?");
}

static void text_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    static const uint32_t types[] = { TS_FLOAT16, TS_BFLOAT16, TS_FLOAT32, TS_FLOAT64 };
    uint64_t seed = 3;
    for (unsigned n = 0; n < 100000; ++n) {
        uint32_t dtype = types[n % 4];
        unsigned char p[8], again[8];
        char text[40];
        value_store_bits(dtype, p, draw(&seed));
        double value = value_to_double(dtype, p);
        if (value != value)
            continue;
        value_format(dtype, p, text, sizeof text);
        assert_true(strlen(text) < sizeof text - 1);
        assert_true(value_store_double(dtype, again, strtod(text, NULL)));
        assert_int_equal(value_bits(dtype, again), value_bits(dtype, p));
    }
}

static void integers_are_stored_exactly_or_not_at_all(void **state)
{
    (void)state;
    static const struct {
        uint32_t dtype;
        int64_t min, max;
    } ranges[] = {
        { TS_INT8, INT8_MIN, INT8_MAX },
        { TS_INT16, INT16_MIN, INT16_MAX },
        { TS_INT32, INT32_MIN, INT32_MAX },
        { TS_UINT8, 0, UINT8_MAX },
        { TS_UINT16, 0, UINT16_MAX },
        { TS_UINT32, 0, UINT32_MAX },
        { TS_UINT64, 0, INT64_MAX },
        { TS_INT64, INT64_MIN, INT64_MAX },
        { TS_BOOLEAN, 0, 1 },
        { TS_FLOAT16, -2048, 2048 },
        { TS_BFLOAT16, -256, 256 },
        { TS_FLOAT32, -16777216, 16777216 },
        { TS_FLOAT64, -((int64_t)1 << 53), (int64_t)1 << 53 },
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i) {
        unsigned char p[8];
        assert_true(value_store_int(ranges[i].dtype, p, ranges[i].min));
        assert_true(value_to_double(ranges[i].dtype, p) == (double)ranges[i].min);
        assert_true(value_store_int(ranges[i].dtype, p, ranges[i].max));
        assert_true(value_to_double(ranges[i].dtype, p) == (double)ranges[i].max);
        if (ranges[i].min > INT64_MIN)
            assert_false(value_store_int(ranges[i].dtype, p, ranges[i].min - 1));
        if (ranges[i].max < INT64_MAX)
            assert_false(value_store_int(ranges[i].dtype, p, ranges[i].max + 1));
        /* several at once: those before the first that does not fit, with the bytes between them left alone */
        unsigned char row[64], one[8] = { 0 };
        const size_t size = tensor_element_bytes(ranges[i].dtype);
        const int64_t values[] = { ranges[i].min, 0, ranges[i].max, (int64_t)((uint64_t)ranges[i].max + 1) };
        memset(row, 0xA5, sizeof row);
        assert_int_equal(value_store_ints(ranges[i].dtype, row, size + 3, values, 4),
                         ranges[i].dtype == TS_INT64 ? 4 : 3); /* INT64_MAX + 1 wraps to a value of this type */
        for (size_t k = 0; k < 3; ++k) {
            value_store_int(ranges[i].dtype, one, values[k]);
            assert_memory_equal(row + k * (size + 3), one, size);
            assert_int_equal(row[k * (size + 3) + size], 0xA5);
        }
    }
    unsigned char p[8];
    assert_true(value_store_int(TS_FLOAT16, p, 65504));
    assert_false(value_store_int(TS_FLOAT16, p, 65536));
    assert_true(value_store_int(TS_FLOAT32, p, INT64_MIN));
    assert_false(value_store_int(TS_FLOAT64, p, INT64_MAX));
    assert_false(value_store_int(TS_UINT4, p, 1));
    assert_false(value_store_int(TS_DTYPE_UNKNOWN, p, 1));
}

static void doubles_into_integers(void **state)
{
    (void)state;
    unsigned char p[8];
    assert_true(value_store_double(TS_INT8, p, -128.0));
    assert_int_equal(value_bits(TS_INT8, p), 0x80);
    assert_false(value_store_double(TS_INT8, p, 128.0));
    assert_false(value_store_double(TS_INT32, p, 0.5));
    assert_false(value_store_double(TS_INT64, p, 0x1p63));
    assert_true(value_store_double(TS_UINT64, p, 0x1.8p63));
    assert_int_equal(value_bits(TS_UINT64, p), 0xC000000000000000);
    assert_true(value_to_double(TS_UINT64, p) == 0x1.8p63);
    assert_false(value_store_double(TS_UINT64, p, 0x1p64));
    assert_false(value_store_double(TS_UINT64, p, -1.0));
    assert_false(value_store_double(TS_UINT8, p, strtod("nan", NULL)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_little_endian),
        cmocka_unit_test(sixteen_bits_round_to_nearest_even),
        cmocka_unit_test(doubles_round_once),
        cmocka_unit_test(sixteen_bits_come_back),
        cmocka_unit_test(text_accepts_what_people_write),
        cmocka_unit_test(text_reads_back_to_the_same_bits),
        cmocka_unit_test(integers_are_stored_exactly_or_not_at_all),
        cmocka_unit_test(doubles_into_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
