/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/text.h"
#include "harness/testing/platform_testing.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define REPLACED "\xEF\xBF\xBD"

static void json_strings_are_escaped(void **state)
{
    static const struct {
        const char *bytes, *json;
    } samples[] = {
        { "", "\"\"" },
        { "C:\\a \"b\"", "\"C:\\\\a \\\"b\\\"\"" },
        { "\n\t\r\x01\x1f", "\"\\n\\t\\u000d\\u0001\\u001f\"" },
        { "</script>", "\"\\u003c/script>\"" },
        { "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\"\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80\"" },
        { "a\xFFz", "\"a" REPLACED "z\"" },                       /* never a byte of UTF-8 */
        { "a\xC3", "\"a" REPLACED "\"" },                         /* truncated */
        { "\xC0\x80", "\"" REPLACED REPLACED "\"" },              /* overlong */
        { "\xED\xA0\x80", "\"" REPLACED REPLACED REPLACED "\"" }, /* a surrogate */
    };
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i) {
        text t = { .data = NULL };
        text_json(&t, samples[i].bytes);
        assert_string_equal(t.data, samples[i].json);
        text_free(&t);
    }
}

/* Whatever the bytes are, the result is a JSON string that a strict reader accepts. */
static void json_strings_are_valid_for_any_bytes(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (unsigned n = 0; n < 20000; ++n) {
        char bytes[12];
        for (size_t i = 0; i < sizeof bytes; ++i) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = (char)(seed >> 24);
        }
        bytes[sizeof bytes - 1] = '\0';
        text t = { .data = NULL };
        text_json(&t, bytes);
        json_t *json = json_loads(t.data, JSON_DECODE_ANY, NULL);
        assert_non_null(json);
        json_decref(json);
        text_free(&t);
    }
}

static void null_is_a_json_null(void **state)
{
    (void)state;
    text t = { .data = NULL };
    text_json(&t, NULL);
    assert_string_equal(t.data, "null");
    text_free(&t);
}

static void a_whole_file_is_read(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, (1 << 14) - 1, 1 << 14, 100000 };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        text t = { .data = NULL };
        FILE *file = tmpfile();
        assert_non_null(file);
        for (size_t k = 0; k < sizes[i]; ++k)
            putc((int)('a' + k % 26), file);
        rewind(file);
        assert_true(text_read(&t, file));
        assert_int_equal(t.length, sizes[i]);
        assert_int_equal(strlen(t.data), sizes[i]);
        assert_true(sizes[i] == 0 || t.data[sizes[i] - 1] == (char)('a' + (sizes[i] - 1) % 26));
        text_free(&t);
        fclose(file);
    }
}

static void a_terminal_executes_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *shown;
    } samples[] = {
        { "", "" },
        { "caf\xC3\xA9 C:\\new", "caf\xC3\xA9 C:\\new" },
        { "a\033[2Jb\r\n\tc\x7F", "a\\x1b[2Jb\\r\\n\\tc\\x7f" },
        { "\xC2\x9B"
          "31m",
          "\\u009b31m" }, /* the one-character form of ESC [ */
        { "\x9B"
          "31m\xFF",
          "\\x9b31m\\xff" }, /* invalid */
        { "a\xE2\x80\xAE"
          "b",
          "a\\u202e"
          "b" }, /* writes from right to left */
        { "a\xE2\x80\xA8"
          "b",
          "a\\u2028"
          "b" },                                    /* ends a line */
        { "\xF3\xA0\x81\x81", "\\U000e0041" },      /* a tag, which has no shape */
        { "\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80" }, /* an emoji */
        { "\xE2\x82", "\\xe2\\x82" },               /* truncated */
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i) {
        text t = { .data = NULL };
        text_add(&t, "");
        text_visible(&t, samples[i].bytes);
        assert_string_equal(t.data ? t.data : "", samples[i].shown);
        text_free(&t);
    }
    text t = { .data = NULL };
    text_visible_bytes(&t, "a\0b\n", 4);
    text_visible_lines(&t, "\n\tc\033\xE2\x82\xAC", 6); /* cut within a character */
    assert_string_equal(t.data, "a\\x00b\\n\n\tc\\x1b\\xe2\\x82");
    text_free(&t);
}

/* A page shows the characters that would change the direction of what follows them. */
static void a_page_shows_what_changes_the_direction(void **state)
{
    (void)state;
    static const char name[] = "1\xE2\x80\xAE" "2<\xE2\x81\xA6\xC3\xA9";
    text t = { .data = NULL };
    text_xml(&t, name);
    text_add(&t, " ");
    text_json_visible(&t, name);
    text_add(&t, " ");
    text_json(&t, name);
    text_add(&t, " ");
    text_csv(&t, name);
    assert_string_equal(t.data, "1\\u202e2&lt;\\u2066\xC3\xA9 \"1\\\\u202e2\\u003c\\\\u2066\xC3\xA9\" "
                                "\"1\xE2\x80\xAE" "2\\u003c\xE2\x81\xA6\xC3\xA9\" 1\\u202e2<\\u2066\xC3\xA9");
    text_free(&t);
}

static void arguments_are_quoted_for_the_shell(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *quoted;
    } samples[] = {
        { "", "''" },
        { "fault=vector-tail", "fault=vector-tail" },
        { "/opt/lib/mine.so", "/opt/lib/mine.so" },
        { "dml.slice1:examples:example=2", "'dml.slice1:examples:example=2'" },
        { "it's $HOME", "'it'\\''s $HOME'" },
        { "caf\xC3\xA9", "'caf\xC3\xA9'" },
        { "a\033\xFF%\n", "\"$(printf 'a\\033\\377\\045')\"\"${IFS#??}\"" },
        { "-\n'\\!", "\"$(printf '\\055\\012\\047\\134\\041')\"" },
        { "\n", "\"${IFS#??}\"" },
        { "~", "'~'" },
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; ++i) {
        text t = { .data = NULL };
        text_shell(&t, samples[i].bytes);
        assert_string_equal(t.data, samples[i].quoted);
        text_free(&t);
    }
}

/* The shell passes the bytes that were quoted, and one line of printable text says which. */
static void a_shell_reads_back_what_was_quoted(void **state)
{
    (void)state;
    static const char alphabet[] = "ab '\"$`\\!*?[~#&|;<>(){}%-=\n\r\t\033\x01\x7F\x80\xC3\xA9\xFF\xE2\x80\xAE";
    uint32_t seed = 1;
    text command = { .data = NULL }, wanted = { .data = NULL };
    text_add(&command, "printf '%s|'");
    for (unsigned n = 0; n < 400; ++n) {
        char bytes[9] = { 0 };
        for (size_t i = 0; i < n % sizeof bytes; ++i) {
            seed = seed * 1664525u + 1013904223u;
            bytes[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        text quoted = { .data = NULL }, shown = { .data = NULL };
        text_shell(&quoted, bytes);
        text_visible(&shown, quoted.data);
        assert_string_equal(quoted.data, shown.data);
        text_format(&command, " %s", quoted.data);
        text_format(&wanted, "%s|", bytes);
        text_free(&quoted);
        text_free(&shown);
    }
    char *got = testing_shell(command.data);
    if (got)
        assert_string_equal(got, wanted.data);
    free(got);
    text_free(&command);
    text_free(&wanted);
}

static void endings(void **state)
{
    (void)state;
    assert_true(text_ends_in("a.json", ".json"));
    assert_true(text_ends_in("a.b.js", ".js"));
    assert_false(text_ends_in(".json", ".json")); /* nothing in front of it */
    assert_false(text_ends_in("a.json", ".js"));
    assert_false(text_ends_in("js", ".js"));
    assert_false(text_ends_in("", ".js"));
    assert_false(text_ends_in("A.JSON", ".json"));
    assert_true(text_ends_like("A.JSON", ".json"));
    assert_false(text_ends_like(".JSON", ".json"));
}

static void versions(void **state)
{
    (void)state;
    static const char family[] = "gather_nd_shared.c"; /* of which the first nine characters count */
    assert_true(text_is_version("gather_nd", family, 9));
    assert_true(text_is_version("gather_nd1", family, 9));
    assert_true(text_is_version("gather_nd_8", family, 9));
    assert_true(text_is_version("gather_nd_18", family, 9));
    assert_false(text_is_version("gather_nd_update", family, 9));
    assert_false(text_is_version("gather_nd_8a", family, 9));
    assert_false(text_is_version("gather_ndx", family, 9));
    assert_false(text_is_version("gather", family, 9));
    assert_false(text_is_version("gather_1", family, 9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_executes_nothing),
        cmocka_unit_test(a_page_shows_what_changes_the_direction),
        cmocka_unit_test(arguments_are_quoted_for_the_shell),
        cmocka_unit_test(a_shell_reads_back_what_was_quoted),
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(json_strings_are_valid_for_any_bytes),
        cmocka_unit_test(null_is_a_json_null),
        cmocka_unit_test(a_whole_file_is_read),
        cmocka_unit_test(endings),
        cmocka_unit_test(versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
