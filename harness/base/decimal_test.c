/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/decimal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* In the order of their keys. */
static const struct {
    double value;
    const char *text;
} rows[] = {
    { -INFINITY, "-inf" },
    { -3.4028234663852886e+38, "-3.4028234663852886e38" },
    { -1.5, "-1.5" },
    { -1, "-1" },
    { -1.401298464324817e-45, "-1.401298464324817e-45" },
    { -0.0, "-0" },
    { 0.0, "0" },
    { 0x1p-1074, "5e-324" },
    { 0.1, "0.1" },
    { 1, "1" },
    { 2.5, "2.5" },
    { 100000, "100000" },
    { 9007199254740991, "9007199254740991" },
    { 0x1p64, "1.8446744073709552e19" },
    { 1e30, "1e30" },
    { INFINITY, "inf" },
    { NAN, "nan" },
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void numbers_have_one_text_and_one_key(void **state)
{
    char text[DECIMAL_SIZE];
    (void)state;
    for (int i = 0; i < ROWS; ++i) {
        double again;
        const int64_t key = decimal_key(rows[i].value);
        assert_string_equal(decimal_text(rows[i].value, text), rows[i].text);
        assert_true(decimal_read(text, strlen(text), &again));
        assert_int_equal(decimal_key(again), key);
        assert_string_equal(decimal_text(decimal_of_key(key), text), rows[i].text);
        assert_true(i == 0 || decimal_key(rows[i - 1].value) < key);
    }
    assert_string_equal(decimal_text(-NAN, text), "nan");
}

static void other_ways_to_write_a_number_are_read(void **state)
{
    static const char *const numbers[] = { "1.50", "1e+30", "1.", "00", "-0.0" };
    static const char *const others[] = { "",    "-",    ".5",  "+1",       "0x10", "1e",   "1.2.3", "1 ",
                                          "NaN", "nan1", "Inf", "infinity", "1-2",  "-nan", "u8",    "1f" };
    double value;
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i)
        assert_true(decimal_read(numbers[i], strlen(numbers[i]), &value));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
        assert_false(decimal_read(others[i], strlen(others[i]), &value));
    assert_true(decimal_read("2.5, and more", 3, &value));
    assert_true(value == 2.5);
    char digits[80];
    memset(digits, '1', sizeof digits);
    assert_false(decimal_read(digits, sizeof digits, &value));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_one_text_and_one_key),
        cmocka_unit_test(other_ways_to_write_a_number_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
