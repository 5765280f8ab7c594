/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The examples of FIPS 180 and its companion, and the lengths around the end of a block. */
static void test_known_digests(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digest;
    } known[] = {
        { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
        { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
        { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
        { "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopq"
          "rstu",
          "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1" },
    };
    char hex[SHA256_HEX];
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i) {
        sha256_of(known[i].text, strlen(known[i].text), hex);
        assert_string_equal(hex, known[i].digest);
    }
}

static void test_a_million_times_a_in_parts(void **state)
{
    (void)state;
    char hex[SHA256_HEX], part[333];
    sha256 h;
    sha256_start(&h);
    memset(part, 'a', sizeof part);
    for (size_t left = 1000000, n = 0; left > 0; left -= n) {
        n = left % sizeof part + 1 < left ? left % sizeof part + 1 : left;
        sha256_add(&h, part, n);
    }
    sha256_end(&h, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_digests),
        cmocka_unit_test(test_a_million_times_a_in_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
