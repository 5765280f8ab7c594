/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/visible.h"
#include "harness/testing/platform_testing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PRINTS(wanted, ...)                                                                                            \
    do {                                                                                                               \
        FILE *file = tmpfile();                                                                                        \
        assert_non_null(file);                                                                                         \
        visible_print(file, __VA_ARGS__);                                                                              \
        rewind(file);                                                                                                  \
        char *printed = testing_end_text(file);                                                                        \
        assert_string_equal(printed, wanted);                                                                          \
        free(printed);                                                                                                 \
    } while (0)

static void strings_of_others_stay_on_their_line(void **state)
{
    (void)state;
    PRINTS("a\\nb\n", "%s\n", "a\nb");
    PRINTS("[\\x1b[31m]\n", "[%s]\n", "\033[31m");
    PRINTS("\\xff \\r", "%s %c", "\xFF", '\r');
    PRINTS("[  ab] [ab  ] [ab] [  \\n] [\xC3\xA9 ]", "[%4s] [%-4s] [%.*s] [%*s] [%*s]", "ab", "ab", 2, "abc", 4, "\n",
           -2, "\xC3\xA9");
}

static void numbers_are_printed_as_by_printf(void **state)
{
    (void)state;
    PRINTS("-1 7 100%", "%d %u %d%%", -1, 7u, 100);
    PRINTS("18446744073709551615 -9223372036854775808", "%" PRIu64 " %" PRId64, UINT64_MAX, INT64_MIN);
    PRINTS("00ff      7 -3    ", "%04x %6zu %-6d", 255u, (size_t)7, -3);
    PRINTS("1.50 2.0 M 03:07", "%.2f %.1f M %02d:%02d", 1.5, 2.0, 3, 7);
    PRINTS("-5 4294967295 9", "%ld %" PRIu32 " %lld", -5L, UINT32_MAX, 9LL);
}

static void lines_of_others_keep_their_indent(void **state)
{
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    visible_print_lines(file, "  | ", "one\n\ntwo\033[2J\r\nthree");
    rewind(file);
    char *printed = testing_end_text(file);
    assert_string_equal(printed, "  | one\n  | \n  | two\\x1b[2J\\r\n  | three\n");
    free(printed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_of_others_stay_on_their_line),
        cmocka_unit_test(numbers_are_printed_as_by_printf),
        cmocka_unit_test(lines_of_others_keep_their_indent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
