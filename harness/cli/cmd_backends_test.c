/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/base/text.h"
#include "harness/cli/command.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Copy the backend that is hostile before its first call; its name says what it does. */
static bool copy_backend(const char *folder, const char *name)
{
    char program[800], path[1200];
    text bytes = { .data = NULL };
    assert_true(platform_program_folder(program, sizeof program));
    snprintf(path, sizeof path, "%s/hostile_begin%s", program, TOUCHSTONE_LIBRARY_SUFFIX);
    FILE *from = fopen(path, "rb");
    if (!from)
        return false;
    assert_true(text_read(&bytes, from));
    fclose(from);
    snprintf(path, sizeof path, "%s/%s%s", folder, name, TOUCHSTONE_LIBRARY_SUFFIX);
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes.data, 1, bytes.length, to), bytes.length);
    fclose(to);
    text_free(&bytes);
    return true;
}

static void a_hostile_backend_is_listed_with_its_error(void **state)
{
    (void)state;
    static const struct {
        const char *name, *line;
    } samples[] = {
        { "a-good", "a-good         1\\x1b[31m\\nforged\n" },
        { "crash-constructor", "was killed by SIGABRT before it answered\n" },
        { "crash-entry", "was killed by SIGABRT before it answered\n" },
        { "crash-open", "was killed by SIGABRT before it answered\n" },
        { "crash-describe", "was killed by SIGABRT before it answered\n" },
        { "exit-constructor", "exit-constructor cannot be asked: its process ended with exit status 0 before" },
        { "exit-info", "exit-info      cannot be asked: its process ended with exit status 0 before" },
        { "hang-info", "hang-info      cannot be asked: it does not answer within 10 s\n" },
        { "print-open", "print-open     1\\x1b[31m\\nforged\n" },
        { "thread-constructor", "thread-constructor 1\\x1b[31m\\nforged\n" },
        { "thread-open", "thread-open    1\\x1b[31m\\nforged\n" },
        { "z-good", "z-good         1\\x1b[31m\\nforged\n" },
    };
    char folder[] = "backends-XXXXXX", *printed = NULL, *complained = NULL;
    char *arguments[] = { (char[]){ "backends" }, (char[]){ "-v" }, NULL };
    assert_int_equal(testing_folder(folder), 0);
    bool there = platform_process_can_fork();
    for (size_t i = 0; there && i < sizeof samples / sizeof samples[0]; ++i)
        there = copy_backend(folder, samples[i].name);
    if (!there) {
        testing_remove(folder);
        skip();
    }
    testing_setenv("TOUCHSTONE_BACKENDS", folder);
    assert_int_equal(testing_run(cmd_backends, 2, arguments, NULL, &printed, &complained), 0);
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i)
        if (!strstr(printed, samples[i].line))
            fail_msg("%s is not in:\n%s", samples[i].line, printed);
    assert_non_null(strstr(printed, "\n    key=VALUE  \\x1b[2Jnothing\n    second line\n"));
    assert_null(strchr(printed, '\033'));
    free(printed);
    free(complained);
    testing_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hostile_backend_is_listed_with_its_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
