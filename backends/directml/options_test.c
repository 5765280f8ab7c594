/* SPDX-License-Identifier: Apache-2.0 */
#include "backends/directml/hresult.h"
#include "backends/directml/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool read_one(const char *key, const char *value, directml_options *out, char *message, size_t capacity)
{
    const ts_option option = { key, value };
    return options_read(&option, 1, out, message, capacity);
}

static void test_valid_values(void **state)
{
    directml_options o;
    char message[400];
    (void)state;
    assert_true(options_read(NULL, 0, &o, message, sizeof message));
    assert_null(o.adapter);
    assert_null(o.dll);
    assert_false(o.debug || o.disable_meta_commands);
    assert_int_equal(o.target, TS_LEVEL_1_0);
    assert_true(read_one("adapter", "warp", &o, message, sizeof message));
    assert_string_equal(o.adapter, "warp");
    assert_true(read_one("dll", "a.dll", &o, message, sizeof message));
    assert_string_equal(o.dll, "a.dll");
    assert_true(read_one("debug", "1", &o, message, sizeof message) && o.debug);
    assert_true(read_one("debug", "0", &o, message, sizeof message) && !o.debug);
    assert_true(read_one("disable_meta_commands", "1", &o, message, sizeof message) && o.disable_meta_commands);
    assert_true(read_one("target", "5_2", &o, message, sizeof message));
    assert_int_equal(o.target, TS_LEVEL_5_2);
}

static void test_messages_of_bad_values(void **state)
{
    static const struct {
        const char *key, *value, *says;
    } bad[] = {
        { "adaptor", "0", "expected adapter, dll, debug" },
        { "adapter", "", "an index" },
        { "dll", "", "DirectML.dll" },
        { "debug", "yes", "expected 0 or 1" },
        { "disable_meta_commands", "", "expected 0 or 1" },
        { "target", "6.4", "6_3, 6_4" },
    };
    directml_options o;
    char message[400];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_false(read_one(bad[i].key, bad[i].value, &o, message, sizeof message));
        assert_non_null(strstr(message, bad[i].says));
        assert_non_null(strstr(message, bad[i].key));
    }
}

static void test_level_names(void **state)
{
    char name[16];
    (void)state;
    assert_string_equal(options_level_name(TS_LEVEL_6_4, name, sizeof name), "6_4");
    assert_string_equal(options_level_name(0x12345, name, sizeof name), "0x12345");
}

static void test_results_have_names(void **state)
{
    char text[64];
    (void)state;
    assert_string_equal(hresult_text(0x80070057, text, sizeof text), "E_INVALIDARG (0x80070057)");
    assert_string_equal(hresult_text(0x8badf00d, text, sizeof text), "HRESULT 0x8badf00d");
    assert_true(hresult_refuses(0x80070057) && !hresult_refuses(0) && !hresult_refuses(0x887a0005));
    assert_true(hresult_lost(0x887a0005) && !hresult_lost(0x80070057));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_valid_values),
        cmocka_unit_test(test_messages_of_bad_values),
        cmocka_unit_test(test_level_names),
        cmocka_unit_test(test_results_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
