/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/store/case_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 3000 };

/* Every case of a set is found again after packing, and no other; also far from 0. */
static void a_set_is_packed_and_read(void **state)
{
    (void)state;
    static const uint64_t bases[] = { 0, UINT64_MAX - 2 * (uint64_t)POINTS };
    for (size_t b = 0; b < 2; ++b) {
        case_set s = { .count = 0 }, again, copy = { .count = 0 };
        bool in[POINTS];
        uint64_t count = 0;
        srand(7);
        for (unsigned i = 0; i < POINTS; ++i) {
            in[i] = i < 40 || rand() % (i < POINTS / 2 ? 2 : 50) == 0;
            count += in[i];
            if (in[i])
                case_set_add(&s, bases[b] + i, bases[b] + i + 1);
        }
        size_t size, raw;
        void *packed = case_set_pack(&s, &size, &raw);
        assert_non_null(packed);
        assert_int_equal(s.count, count);
        assert_true(case_set_unpack(&again, packed, size, raw));
        assert_int_equal(again.count, count);
        case_set_place p;
        case_set_start(&p, &again);
        for (unsigned i = 0; i < POINTS; ++i)
            assert_int_equal(case_set_holds(&p, bases[b] + i), in[i]);
        /* A copy in pieces leaves out what is between them. */
        case_set_start(&p, &again);
        for (unsigned i = 0; i < POINTS; i += 3) {
            case_set_copy(&p, bases[b] + i, &copy);
            (void)case_set_holds(&p, bases[b] + i); /* leaves this case out */
        }
        case_set_copy(&p, UINT64_MAX, &copy);
        case_set_start(&p, &copy);
        for (unsigned i = 0; i < POINTS; ++i)
            assert_int_equal(case_set_holds(&p, bases[b] + i), in[i] && i % 3 != 0);
        free(packed);
        case_set_free(&s);
        case_set_free(&again);
        case_set_free(&copy);
    }
}

static void an_empty_set_holds_nothing(void **state)
{
    (void)state;
    case_set s = { .count = 0 };
    case_set_place p;
    size_t size, raw;
    void *packed = case_set_pack(&s, &size, &raw);
    assert_non_null(packed);
    assert_true(case_set_unpack(&s, packed, size, raw));
    case_set_start(&p, &s);
    assert_false(case_set_holds(&p, 0));
    case_set_free(&s);
    free(packed);
}

/* Ranges that are cut off, empty or beyond 64 bits are no set. */
static void damage_is_noticed(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *bytes;
    } damaged[] = { { 1, "\x05" },
                    { 2, "\x05\x00" },
                    { 2, "\x05\x80" },
                    { 13, "\x01\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" },
                    { 11, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01" } };
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i) {
        case_set bytes = { .size = damaged[i].size }, s;
        bytes.bytes = malloc(damaged[i].size);
        memcpy(bytes.bytes, damaged[i].bytes, damaged[i].size);
        size_t size, raw;
        void *packed = case_set_pack(&bytes, &size, &raw);
        assert_false(case_set_unpack(&s, packed, size, raw));
        assert_false(case_set_unpack(&s, packed, size, raw + 1));
        assert_false(case_set_unpack(&s, packed, size / 2, raw));
        free(packed);
        case_set_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_is_packed_and_read),
        cmocka_unit_test(an_empty_set_holds_nothing),
        cmocka_unit_test(damage_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
