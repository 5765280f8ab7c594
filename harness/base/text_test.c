/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/text.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(json_strings_are_valid_for_any_bytes),
        cmocka_unit_test(null_is_a_json_null),
        cmocka_unit_test(a_whole_file_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
