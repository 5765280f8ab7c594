/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/lua_strip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void strips_to(const char *source, const char *expected)
{
    size_t size = strlen(source);
    char *text = malloc(size + 1); /* exactly this size, so that AddressSanitizer detects reads beyond it */
    assert_non_null(text);
    memcpy(text, source, size);
    size = lua_strip(text, size);
    text[size] = '\0';
    assert_string_equal(text, expected);
    free(text);
}

static void comments_and_layout_are_removed(void **state)
{
    (void)state;
    strips_to("", "");
    strips_to("  -- nothing but a comment", "");
    strips_to("a = 1 -- one\n\n\tb = 2\r\n", "a = 1 b = 2");
    strips_to("a--[[ one\n two ]]b", "a b");
    strips_to("a --[==[ ]] ]=] ]==] b", "a b");
    strips_to("a --[= no long bracket ]=]\nb", "a b");
    strips_to("a --[[ never closed", "a");
    strips_to("--[[]]a", "a");
    strips_to("a - -b", "a - -b");
    strips_to("a -", "a -");
    strips_to("t[t[1]]", "t[t[1]]");
}

static void strings_are_preserved(void **state)
{
    (void)state;
    strips_to("a = '--  b'  -- c", "a = '--  b'");
    strips_to("a = \"it's  -- \\\"  --\"  b", "a = \"it's  -- \\\"  --\" b");
    strips_to("a = 'x\\\\'  --  b'", "a = 'x\\\\'");
    strips_to("a = 'x\\\n  y'  b", "a = 'x\\\n  y' b");
    strips_to("a = [[ --  ]=] \n  ]]  b", "a = [[ --  ]=] \n  ]] b");
    strips_to("a = [=[ --  ]] \n  ]=]  b", "a = [=[ --  ]] \n  ]=] b");
    strips_to("a = [[ never  closed", "a = [[ never  closed");
    strips_to("a = 'never  closed", "a = 'never  closed");
    strips_to("a = 'x\\", "a = 'x\\");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comments_and_layout_are_removed),
        cmocka_unit_test(strings_are_preserved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
