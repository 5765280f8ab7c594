/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/color.h"
#include "harness/base/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_choice_decides(void **state)
{
    (void)state;
    assert_false(color_choose("yes"));
    assert_false(color_choose(""));
    assert_true(color_choose("always"));
    assert_true(color_is_on(stdout) && color_is_on(stderr));
    assert_true(color_choose("never"));
    assert_false(color_is_on(stdout) || color_is_on(stderr));
}

/* Whatever the choice, a file has no colours. */
static void files_are_plain(void **state)
{
    (void)state;
    char text[32] = "";
    FILE *file = platform_temporary_file();
    assert_non_null(file);
    assert_true(color_choose("always"));
    assert_false(color_is_on(file));
    color_begin(file, COLOR_BAD);
    fputs("crash", file);
    color_end(file);
    rewind(file);
    assert_int_equal(fread(text, 1, sizeof text - 1, file), 5);
    assert_string_equal(text, "crash");
    fclose(file);
    assert_true(color_choose("never"));
}

static void verdicts_have_colors(void **state)
{
    (void)state;
    assert_int_equal(color_of_verdict(VERDICT_PASS), COLOR_GOOD);
    assert_int_equal(color_of_verdict(VERDICT_MISMATCH), COLOR_BAD);
    assert_int_equal(color_of_verdict(VERDICT_LOST), COLOR_BAD);
    assert_int_equal(color_of_verdict(VERDICT_WAIVED), COLOR_OPEN);
    assert_int_equal(color_of_verdict(VERDICT_UNSUPPORTED), COLOR_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_choice_decides),
        cmocka_unit_test(files_are_plain),
        cmocka_unit_test(verdicts_have_colors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
