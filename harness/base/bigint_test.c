/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/bigint.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void text_is_read(void **state)
{
    bigint n;
    (void)state;
    const char *text = "18446744073709551615,";
    assert_ptr_equal(bigint_from_text(text, &n), text + 20);
    assert_true(!n.negative && !n.huge && n.magnitude == UINT64_MAX);
    assert_string_equal(n.text, "18446744073709551615");
    assert_non_null(bigint_from_text("18446744073709551616", &n));
    assert_true(n.huge);
    assert_non_null(bigint_from_text("-000000000000000000000000000000000000000000000000000000000007", &n));
    assert_true(n.negative && n.magnitude == 7 && !n.huge);
    assert_int_equal(strlen(n.text), sizeof n.text - 1);
    assert_non_null(strstr(n.text, "000..."));
    assert_null(bigint_from_text("", &n));
    assert_null(bigint_from_text("-", &n));
    assert_null(bigint_from_text("+1", &n));
    assert_null(bigint_from_text(" 1", &n));
}

/* Every kind of value, whether it is read as an integer or not. */
static void json_is_read(void **state)
{
    static const struct {
        const char *json, *text; /* NULL: none */
        int64_t clamped;
    } values[] = {
        { "7", "7", 7 },
        { "-9223372036854775808", "-9223372036854775808", INT64_MIN },
        { "true", NULL, 0 },
        { "3.0", "3", 3 },
        { "-2.0", "-2", -2 },
        { "3.5", NULL, 0 },
        { "9223372036854775808.0", "9.2233720368547758e+18", INT64_MAX },
        { "-9223372036854775808.0", "-9.2233720368547758e+18", INT64_MIN },
        { "1e300", "1.0000000000000001e+300", INT64_MAX },
        { "-1e300", "-1.0000000000000001e+300", INT64_MIN },
        { "\"7\"", NULL, 0 }, /* numbers of this size must not be strings */
        { "\"9223372036854775807\"", NULL, 0 },
        { "\"9223372036854775808\"", "9223372036854775808", INT64_MAX },
        { "\"-9223372036854775809\"", "-9223372036854775809", INT64_MIN },
        { "\"99999999999999999999x\"", NULL, 0 },
        { "\"\"", NULL, 0 },
        { "null", NULL, 0 },
        { "[]", NULL, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        bigint n;
        json_t *json = json_loads(values[i].json, JSON_DECODE_ANY, NULL);
        assert_non_null(json);
        bool read = bigint_from_json(json, &n);
        if (read != (values[i].text != NULL))
            fail_msg("%s", values[i].json);
        if (read) {
            assert_string_equal(n.text, values[i].text);
            assert_true(bigint_clamp(&n, INT64_MIN, INT64_MAX, NULL) == values[i].clamped);
        }
        json_decref(json);
    }
    bigint n;
    assert_false(bigint_from_json(NULL, &n));
}

static void the_most_similar_name_is_suggested(void **state)
{
    bigint n;
    bool inside;
    (void)state;
    assert_non_null(bigint_from_text("-2147483649", &n));
    assert_int_equal(bigint_clamp(&n, INT32_MIN, INT32_MAX, &inside), INT32_MIN);
    assert_false(inside);
    assert_int_equal(bigint_clamp_unsigned(&n, UINT64_MAX, &inside), 0);
    assert_false(inside);
    assert_non_null(bigint_from_text("-0", &n));
    assert_int_equal(bigint_clamp_unsigned(&n, 5, &inside), 0);
    assert_true(inside);
    assert_non_null(bigint_from_text("6", &n));
    assert_int_equal(bigint_clamp_unsigned(&n, 5, &inside), 5);
    assert_false(inside);
    assert_int_equal(bigint_clamp(&n, -1, 6, &inside), 6);
    assert_true(inside);
    assert_non_null(bigint_from_text("99999999999999999999", &n));
    assert_true(bigint_clamp_unsigned(&n, UINT64_MAX, &inside) == UINT64_MAX && !inside);
    assert_int_equal(bigint_clamp(&n, -1, 6, NULL), 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_read),
        cmocka_unit_test(json_is_read),
        cmocka_unit_test(the_most_similar_name_is_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
