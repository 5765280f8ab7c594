/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/bit_changes.h"

#include "harness/model/fill.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* Expect the changes that explain these pairs of bits. */
static void explains(uint32_t dtype, const uint64_t (*pairs)[2], size_t count, const char *expected)
{
    bit_changes b;
    char text[256];
    bit_changes_begin(&b, dtype);
    for (size_t i = 0; i < count; ++i)
        bit_changes_add(&b, pairs[i][0], pairs[i][1]);
    bit_changes_describe(&b, text, sizeof text);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: \"%s\", expected \"%s\"", tensor_dtype(dtype)->id, text, expected);
}
#define EXPLAINS(dtype, expected, ...)                                                                                 \
    do {                                                                                                               \
        static const uint64_t pairs[][2] = { __VA_ARGS__ };                                                            \
        explains(dtype, pairs, sizeof pairs / sizeof *pairs, expected);                                                \
    } while (0)

static void widths_and_halves(void **state)
{
    (void)state;
    EXPLAINS(TS_UINT64, "its upper half was lost", { 0x0123456789ABCDEF, 0x89ABCDEF });
    EXPLAINS(TS_FLOAT64, "its upper half was lost", { 0x0123456789ABCDEF, 0x89ABCDEF });
    EXPLAINS(TS_INT64, "its upper half was replaced by the sign of the lower half",
             { 0x0123456789ABCDEF, 0xFFFFFFFF89ABCDEF });
    EXPLAINS(TS_UINT32, "its lower half was lost", { 0x12345678, 0x12340000 });
    EXPLAINS(TS_UINT32, "all its bytes but the lowest were lost", { 0x12345678, 0x78 }, { 0x90, 0x90 });
    EXPLAINS(TS_INT32, "its lowest byte was extended by its sign", { 0x12345698, 0xFFFFFF98 });
    EXPLAINS(TS_UINT64, "all its bytes but the lowest two were lost", { 0x0123456789ABCDEF, 0xCDEF });
    EXPLAINS(TS_UINT64, "its lowest two bytes were extended by their sign", { 0x0123456789ABCDEF, 0xFFFFFFFFFFFFCDEF });
    EXPLAINS(TS_INT16, "its upper half was replaced by the sign of the lower half", { 0x1290, 0xFF90 });
    EXPLAINS(TS_UINT32, "its halves were exchanged", { 0x12345678, 0x56781234 });
    EXPLAINS(TS_UINT16, "its bytes were swapped", { 0x1234, 0x3412 });
    EXPLAINS(TS_FLOAT64, "its bytes were swapped", { 0x0123456789ABCDEF, 0xEFCDAB8967452301 });
}

static void integers(void **state)
{
    (void)state;
    EXPLAINS(TS_INT32, "it was negated", { 5, 0xFFFFFFFB }, { 0xFFFFFFFB, 5 });
    EXPLAINS(TS_INT32, "its sign was lost", { 0xFFFFFFFB, 5 }, { 5, 5 });
    EXPLAINS(TS_UINT8, "one was added", { 0xFF, 0 }, { 6, 7 });
    EXPLAINS(TS_INT16, "one was subtracted", { 0, 0xFFFF }, { 6, 5 });
    EXPLAINS(TS_UINT8, "its bits were inverted", { 0x13, 0xEC });
    EXPLAINS(TS_UINT8, "its lowest bit was cleared", { 0x13, 0x12 }, { 0x12, 0x12 });
    EXPLAINS(TS_BOOLEAN, "its bits were inverted", { 0, 1 }, { 1, 0 });
    EXPLAINS(TS_BOOLEAN, "true was written as 0xff", { 0, 0 }, { 1, 0xFF });
    EXPLAINS(TS_UINT8, "it was saturated to the range of i8", { 0x90, 0x7F }, { 3, 3 }, { 0xFF, 0x7F });
    EXPLAINS(TS_INT8, "it was saturated to the range of u8", { 0x90, 0 }, { 3, 3 }, { 0xFE, 0 });
    EXPLAINS(TS_INT64, "it was saturated to the range of i32", { 0x7FFFFFFFFFFFFFFF, 0x7FFFFFFF },
             { 0x8000000000000000, 0xFFFFFFFF80000000 }, { 7, 7 });
    EXPLAINS(TS_UINT32, "it was saturated to the range of u16", { 0x12345678, 0xFFFF }, { 0xFFFFFFFF, 0xFFFF });
    EXPLAINS(TS_INT64, "it was rounded through f64", { 0x0020000000000001, 0x0020000000000000 },
             { 0x3FFFFFFFFF, 0x3FFFFFFFFF }, { 0x7FFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF });
    EXPLAINS(TS_INT64, "it was rounded through f64", { 0x0020000000000001, 0x0020000000000000 },
             { 0x3FFFFFFFFF, 0x3FFFFFFFFF }, { 0x7FFFFFFFFFFFFFFF, 0x8000000000000000 });
    EXPLAINS(TS_INT32, "it was rounded through f32", { 0x7FFFFF81, 0x7FFFFF80 }, { 3, 3 }, { 0x01000001, 0x01000000 });
    EXPLAINS(TS_UINT64, "it was rounded through f32", { 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF },
             { 0x0123456789ABCDEF, 0x0123456800000000 });
    EXPLAINS(TS_UINT16, "it was rounded through f16", { 0x0801, 0x0800 }, { 0xFFFF, 0xFFFF }, { 0x1003, 0x1004 });
    EXPLAINS(TS_INT16, "it was rounded through bf16", { 0x0101, 0x0100 }, { 0x0103, 0x0104 });
}

static void floats(void **state)
{
    (void)state;
    EXPLAINS(TS_FLOAT32, "its sign was flipped", { 0x3F800000, 0xBF800000 }, { 0x80000000, 0 });
    EXPLAINS(TS_BFLOAT16, "its sign was lost", { 0xBF80, 0x3F80 }, { 0x3F80, 0x3F80 });
    EXPLAINS(TS_FLOAT16, "signalling NaNs were quieted", { 0x7C01, 0x7E01 }, { 0x0001, 0x0001 }, { 0xFD2A, 0xFF2A });
    EXPLAINS(TS_FLOAT32, "NaNs lost their payload", { 0xFFAAAAAA, 0xFFC00000 });
    EXPLAINS(TS_FLOAT64, "NaNs lost their sign and payload", { 0xFFFD555555555555, 0x7FF8000000000000 });
    EXPLAINS(TS_FLOAT32, "denormals were flushed to zero", { 0x807FFFFF, 0x80000000 }, { 1, 0 },
             { 0x7F800001, 0x7F800001 });
    EXPLAINS(TS_FLOAT32, "denormals were flushed to +0", { 0x807FFFFF, 0 }, { 0xFF800001, 0xFF800001 },
             { 0x80000000, 0x80000000 });
    EXPLAINS(TS_FLOAT32, "denormals were flushed to zero and signalling NaNs quieted", { 0x807FFFFF, 0x80000000 },
             { 0xFF800001, 0xFFC00001 });
    EXPLAINS(TS_FLOAT16, "negative zero lost its sign", { 0x8000, 0 }, { 0x8001, 0x8001 }, { 0x7C01, 0x7C01 });
    EXPLAINS(TS_FLOAT16, "infinity became the largest finite number", { 0x7C00, 0x7BFF }, { 0xFC00, 0xFBFF },
             { 0x3C00, 0x3C00 });
    EXPLAINS(TS_FLOAT64, "it was rounded through f32", { 0x3FF0000010000001, 0x3FF0000020000000 },
             { 0x0000000000000001, 0 }, { 0x7FF0000000000001, 0x7FF8000000000000 });
    EXPLAINS(TS_FLOAT32, "it was rounded through f16", { 0x477FF000, 0x7F800000 }, { 0x3F801000, 0x3F800000 });
    EXPLAINS(TS_FLOAT32, "it was rounded through bf16", { 0x3F808000, 0x3F800000 }, { 0x3F818000, 0x3F820000 });
    EXPLAINS(TS_FLOAT32, "its bits, taken as an integer, were counted up by one", { 0x40A00000, 0x40A00001 });
}

/* One pair that two changes explain names both; what no change explains, or too many, has no name. */
static void nothing_is_guessed(void **state)
{
    (void)state;
    EXPLAINS(TS_UINT8, "its bits were inverted, or one was subtracted, or it was saturated to the range of i8",
             { 0x80, 0x7F });
    EXPLAINS(TS_INT32, "", { 5, 77 });
    EXPLAINS(TS_FLOAT32, "", { 0x3F800000, 0xBF800000 }, { 0x40000000, 0x3F800000 });
    EXPLAINS(TS_FLOAT32, "", { 0x3F800000, 0x3F800000 });
    EXPLAINS(TS_INT8, "it was negated, or its sign was lost", { 0xFB, 5 });
    /* One element of several that came right decides. */
    EXPLAINS(TS_INT8, "its sign was lost", { 0xFB, 5 }, { 7, 7 });
    /* Where no change explains the elements that came right, one that explains the others is named. */
    EXPLAINS(TS_UINT32, "its halves were exchanged", { 0x12345678, 0x56781234 }, { 0x11112222, 0x11112222 });
}

/* Every type with elements has changes; elements that came right are no evidence of one. */
static void every_type_has_changes(void **state)
{
    (void)state;
    for (uint32_t t = 1; t < TS_DTYPE_COUNT; ++t) {
        bit_changes b;
        bit_changes_begin(&b, t);
        assert_int_equal(b.all != 0, tensor_element_bytes(t) != 0);
        for (uint64_t i = 0; b.all && i < 300; ++i) {
            const uint64_t x = fill_element(i < 16 ? FILL_SPECIAL : FILL_BITS, t, i, 7);
            bit_changes_add(&b, x, x);
        }
        assert_int_equal(b.looked, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_and_halves),
        cmocka_unit_test(integers),
        cmocka_unit_test(floats),
        cmocka_unit_test(nothing_is_guessed),
        cmocka_unit_test(every_type_has_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
