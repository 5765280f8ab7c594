/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_error(const error *e, const char *expected)
{
    if (!strstr(e->text, expected))
        fail_msg("\"%s\" has not \"%s\"", e->text, expected);
    assert_int_equal(e->status, EXIT_BAD_USAGE);
}

static void backend_options_split_at_the_first_equals_sign(void **state)
{
    (void)state;
    plugin_options o = { .count = 0 };
    error e = { .text = "" };
    char plain[] = "fault=vector-tail", twice[] = "path=a=b", empty[] = "quiet=", none[] = "fault", bare[] = "=x";
    assert_true(options_add_backend(&o, plain, &e));
    assert_true(options_add_backend(&o, twice, &e));
    assert_true(options_add_backend(&o, empty, &e));
    assert_int_equal(o.count, 3);
    assert_string_equal(o.list[0].key, "fault");
    assert_string_equal(o.list[0].value, "vector-tail");
    assert_string_equal(o.list[1].key, "path");
    assert_string_equal(o.list[1].value, "a=b");
    assert_string_equal(o.list[2].key, "quiet");
    assert_string_equal(o.list[2].value, "");
    assert_false(options_add_backend(&o, none, &e));
    assert_error(&e, "--backend-opt 'fault': expected key=value");
    assert_false(options_add_backend(&o, bare, &e));
    assert_error(&e, "--backend-opt '=x': expected key=value");
    assert_int_equal(o.count, 3);
}

static void a_backend_option_is_given_once(void **state)
{
    (void)state;
    plugin_options o = { .count = 0 };
    error e = { .text = "" };
    char first[] = "fault=a", other[] = "batch=a", again[] = "fault=b";
    assert_true(options_add_backend(&o, first, &e));
    assert_true(options_add_backend(&o, other, &e));
    assert_false(options_add_backend(&o, again, &e));
    assert_error(&e, "--backend-opt 'fault=b': the key 'fault' is given twice, first with 'a'");
    assert_int_equal(o.count, 2);
}

static void a_backend_is_a_name_a_path_or_a_name_with_a_command(void **state)
{
    (void)state;
    char name[] = "cpu", path[] = "./a:b.so", drive[] = "C:\\mine.dll", command[] = "exec:./a --b=c:d";
    char again[] = "exec:other";
    char *const whole[] = { name, path, drive };
    plugin_options o = { .count = 0 };
    const char *backend;
    error e = { .text = "" };
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; ++i) {
        assert_true(options_backend(&backend, &o, whole[i], &e));
        assert_ptr_equal(backend, whole[i]);
        assert_int_equal(o.count, 0);
    }
    assert_string_equal(path, "./a:b.so");
    assert_true(options_backend(&backend, &o, command, &e));
    assert_string_equal(backend, "exec");
    assert_int_equal(o.count, 1);
    assert_string_equal(o.list[0].key, "command");
    assert_string_equal(o.list[0].value, "./a --b=c:d");
    assert_false(options_backend(&backend, &o, again, &e));
    assert_error(&e, "the key 'command' is given twice");
}

static void too_many_backend_options_are_refused(void **state)
{
    (void)state;
    plugin_options o = { .count = 0 };
    error e = { .text = "" };
    char texts[PLUGIN_MAX_OPTIONS + 1][8];
    for (int i = 0; i <= PLUGIN_MAX_OPTIONS; ++i) {
        snprintf(texts[i], sizeof texts[i], "k%d=%d", i, i);
        assert_int_equal(options_add_backend(&o, texts[i], &e), i < PLUGIN_MAX_OPTIONS);
    }
    assert_error(&e, "more than 32 options");
    assert_string_equal(o.list[PLUGIN_MAX_OPTIONS - 1].value, "31");
}

static void tiers_levels_and_profiles_have_names(void **state)
{
    (void)state;
    error e = { .text = "" };
    case_tier tier;
    ts_level level;
    uint32_t profile;
    assert_true(options_tier("quick", &tier, &e) && tier == TIER_QUICK);
    assert_true(options_tier("full", &tier, &e) && tier == TIER_FULL);
    assert_true(options_tier("exhaustive", &tier, &e) && tier == TIER_EXHAUSTIVE);
    assert_false(options_tier("Full", &tier, &e));
    assert_error(&e, "--tier 'Full' (did you mean 'full'?): expected quick, full or exhaustive");
    assert_true(options_level("4_1", &level, &e) && level == TS_LEVEL_4_1);
    assert_true(options_level("6.4", &level, &e) && level == TS_LEVEL_6_4);
    assert_false(options_level("4_2", &level, &e));
    assert_error(&e, "--feature-level '4_2': expected one of 1_0, 2_0, ");
    assert_error(&e, ", 6_4"); /* the list is complete */
    assert_false(options_level("", &level, &e));
    assert_true(options_profile("openvino", &profile, &e) && profile == TS_PROFILE_DEFAULT);
    assert_true(options_profile("numpy", &profile, &e) && profile == TS_PROFILE_NUMPY);
    assert_false(options_profile("torch", &profile, &e));
    assert_error(&e, "--profile 'torch': expected openvino or numpy");
}

static void numbers_are_whole_and_in_range(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t least, most, value;
        bool good;
    } rows[] = {
        { "0", 0, 9, 0, true },
        { "9", 0, 9, 9, true },
        { "10", 0, 9, 0, false },
        { "0", 1, 9, 0, false },
        { "007", 0, 9, 7, true },
        { "", 0, 9, 0, false },
        { "x", 0, 9, 0, false },
        { "3x", 0, 9, 0, false },
        { "3 ", 0, 9, 0, false },
        { "-1", 0, 9, 0, false },
        { "-0", 0, 9, 0, false },
        { "1.5", 0, 9, 0, false },
        { "0x5", 0, 9, 0, false },
        { "1e0", 0, 9, 0, false },
        { "18446744073709551615", 0, UINT64_MAX, UINT64_MAX, true },
        { "18446744073709551616", 0, UINT64_MAX, 0, false }, /* must not wrap or stick */
        { "-18446744073709551615", 0, UINT64_MAX, 0, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        uint64_t value = 99;
        error e = { .text = "" };
        if (options_number("-j", rows[i].text, rows[i].least, rows[i].most, &value, &e) != rows[i].good)
            fail_msg("'%s'", rows[i].text);
        assert_int_equal(value, rows[i].good ? rows[i].value : 99);
        if (!rows[i].good)
            assert_error(&e, "expected a whole number from");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backend_options_split_at_the_first_equals_sign),
        cmocka_unit_test(a_backend_option_is_given_once),
        cmocka_unit_test(a_backend_is_a_name_a_path_or_a_name_with_a_command),
        cmocka_unit_test(too_many_backend_options_are_refused),
        cmocka_unit_test(tiers_levels_and_profiles_have_names),
        cmocka_unit_test(numbers_are_whole_and_in_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
