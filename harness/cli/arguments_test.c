/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/arguments.h"

#include "harness/base/color.h"
#include "harness/base/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const struct option options[] = {
    { "jobs", required_argument, NULL, 'j' },
    { "json", no_argument, NULL, 256 },
    { "shuffle", optional_argument, NULL, 257 },
    { "add", required_argument, ARGUMENTS_REPEAT, 258 },
    { "append", required_argument, ARGUMENTS_REPEAT, 258 }, /* its former name */
    { "nights", required_argument, NULL, 259 },
    { "runs", required_argument, NULL, 259 },
    { NULL, 0, NULL, 0 },
};

static char *line[8];

/* Read these words; return what arguments_next() returned, as "j=3 256 -1". What it printed on standard error is in
   `printed`. */
static char printed[512];
static const char *read_all(int count, const char *const *words, bool in_order)
{
    static char result[256];
    static char copies[8][32];
    size_t used = 0;
    arguments a;
    int c;
    for (int i = 0; i < count; ++i) {
        snprintf(copies[i], sizeof copies[i], "%s", words[i]);
        line[i] = copies[i];
    }
    line[count] = NULL;
    FILE *file = platform_temporary_file();
    assert_non_null(file);
    fflush(stderr);
    const int kept = dup(2);
    assert_true(dup2(fileno(file), 2) >= 0); /* Windows returns 0, others 2 */
    arguments_start(&a, count, line, options);
    a.in_order = in_order;
    do {
        c = arguments_next(&a);
        used += (size_t)(c > 0 && c < 128 ? snprintf(result + used, sizeof result - used, "%c", c)
                                          : snprintf(result + used, sizeof result - used, "%d", c));
        if (c != -1 && c != '?' && c != 'h')
            used +=
                (size_t)snprintf(result + used, sizeof result - used, "%s%s ", optarg ? "=" : "", optarg ? optarg : "");
    } while (c != -1 && c != '?' && c != 'h');
    fflush(stderr);
    dup2(kept, 2);
    close(kept);
    rewind(file);
    printed[fread(printed, 1, sizeof printed - 1, file)] = '\0';
    fclose(file);
    return result;
}

#define WORDS(...)                                                                                                     \
    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *), (const char *const[])                               \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }

static void a_letter_is_the_short_form(void **state)
{
    (void)state;
    assert_string_equal(read_all(WORDS("run", "-j3", "x", "--json", "--json"), false), "j=3 256 256 -1");
    assert_int_equal(optind, 4); /* "x" is behind the options now */
    assert_string_equal(line[4], "x");
    assert_string_equal(read_all(WORDS("run", "--shuffle"), false), "257 -1");
    assert_string_equal(read_all(WORDS("run", "--shuffle=7"), false), "257=7 -1");
    assert_string_equal(read_all(WORDS("run", "-h"), false), "h");
    assert_string_equal(read_all(WORDS("run", "--help"), false), "h");
    assert_string_equal(printed, "");
}

static void only_some_options_are_given_twice(void **state)
{
    (void)state;
    assert_string_equal(read_all(WORDS("run", "--add", "a", "--add=b", "--append", "a"), false),
                        "258=a 258=b 258=a -1");
    assert_string_equal(read_all(WORDS("run", "-j3", "x", "--jobs=4"), false), "j=3 ?");
    assert_non_null(strstr(printed, "option '--jobs' is given twice, with '3' and '4'; it takes one value"));
    assert_string_equal(read_all(WORDS("run", "--runs=1", "--nights=2"), false), "259=1 ?");
    assert_string_equal(read_all(WORDS("run", "--shuffle", "--shuffle=7"), false), "257 ?");
    assert_string_equal(read_all(WORDS("run", "--color=always", "--color=never"), false), "?");
}

static void options_may_end_at_the_first_argument(void **state)
{
    (void)state;
    assert_string_equal(read_all(WORDS("lua", "x", "-j3"), true), "-1");
    assert_int_equal(optind, 1);
}

static void color_is_an_option_of_every_verb(void **state)
{
    (void)state;
    assert_string_equal(read_all(WORDS("run", "--color=always", "-j1"), false), "j=1 -1");
    assert_true(color_is_on(stdout));
    assert_string_equal(read_all(WORDS("run", "--color", "never"), false), "-1");
    assert_false(color_is_on(stdout));
}

static void wrong_usage_is_explained(void **state)
{
    (void)state;
    static const struct {
        const char *word, *message;
    } rows[] = {
        { "--jbos",
          "touchstone run: unknown option '--jbos' (did you mean '--jobs'?)\nTry 'touchstone run --help'.\n" },
        { "--jbos=3", "unknown option '--jbos' (did you mean '--jobs'?)" },
        { "--elephant", "unknown option '--elephant'\n" },
        { "--j", "option '--j' is ambiguous: --jobs, --json" },
        { "--json=1", "option '--json' takes no value" },
        { "--jobs", "option '--jobs' needs a value" },
        { "-j", "option '--jobs' needs a value" },
        { "-x", "unknown option '-x'" },
        { "-json", "-1" }, /* the option -j with the value "son" */
        { "-shuffle", "unknown option '-shuffle' (did you mean '--shuffle'?)" },
        { "--color=maybe", "--color 'maybe': expected auto, always or never" },
        { "--\033[31m", "unknown option '--\\x1b[31m'" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const char *result = read_all(WORDS("run", rows[i].word), false);
        if (strcmp(rows[i].message, "-1") == 0)
            assert_string_equal(result, "j=son -1");
        else if (strcmp(result, "?") != 0 || !strstr(printed, rows[i].message))
            fail_msg("%s: %s, \"%s\" instead of \"%s\"", rows[i].word, result, printed, rows[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_letter_is_the_short_form),
        cmocka_unit_test(only_some_options_are_given_twice),
        cmocka_unit_test(options_may_end_at_the_first_argument),
        cmocka_unit_test(color_is_an_option_of_every_verb),
        cmocka_unit_test(wrong_usage_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
