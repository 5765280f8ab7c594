/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/sparse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Two elements 4 GiB apart: only memory near them and at both ends is set, filled, copied and compared. */
static void test_neighbourhoods(void **state)
{
    arena a;
    arena_place p;
    error e;
    ts_tensor t;
    const uint64_t far = UINT64_C(1) << 30;
    (void)state;
    assert_true(arena_open(&a, 1, &e));
    tensor_init(&t, TS_FLOAT32, 1, (const uint64_t[]){ 3 });
    t.strides[0] = far;
    assert_true(tensor_min_bytes(&t, &t.total_bytes));
    assert_true(arena_reserve(&a, 0, t.total_bytes, 4, true, &p, &e));
    t.data = p.golden;
    sparse_set(&t, &p, p.golden, 0xCB);
    assert_int_equal(p.golden[far * 4 - SPARSE_MARGIN], 0xCB);
    assert_int_equal(p.golden[far * 4 - SPARSE_MARGIN - 1], 0);
    assert_int_equal(p.golden[-(ptrdiff_t)p.before], 0xCB);
    sparse_fill(&t, FILL_BITS, 7);
    for (uint64_t i = 0; i < 3; ++i) {
        uint32_t bits;
        memcpy(&bits, p.golden + i * far * 4, sizeof bits);
        assert_int_equal(bits, fill_element(FILL_BITS, TS_FLOAT32, i * far, 7));
    }
    assert_int_equal(p.golden[-(ptrdiff_t)p.before], 0xCB); /* not the tensor's own */
    assert_false(sparse_same(&t, &p));
    sparse_copy(&t, &p);
    assert_true(sparse_same(&t, &p));
    p.subject[far * 8] ^= 1;
    assert_false(sparse_same(&t, &p));
    p.subject[far * 8] ^= 1;
    p.subject[-(ptrdiff_t)p.before] ^= 1;
    assert_false(sparse_same(&t, &p));
    arena_forget(&a, 0); /* the next case gets untouched pages */
    assert_true(arena_reserve(&a, 0, t.total_bytes, 4, true, &p, &e));
    assert_int_equal(p.golden[far * 4], 0);
    arena_close(&a);
}

/* Of a dimension of more than 2^31 elements, those at both ends and around 2^31 are filled, and no others. */
static void test_a_long_dimension(void **state)
{
    const uint64_t size = (UINT64_C(1) << 32) - 1, half = UINT64_C(1) << 31;
    const uint64_t filled[] = { 0, 7, half - SPARSE_ENDS, half - 1, half, half + 7, size - SPARSE_ENDS, size - 1 };
    arena a;
    arena_place p;
    error e;
    ts_tensor t;
    (void)state;
    assert_true(arena_open(&a, 1, &e));
    tensor_init(&t, TS_UINT8, 1, &size);
    assert_true(tensor_min_bytes(&t, &t.total_bytes));
    assert_true(arena_reserve(&a, 0, t.total_bytes, 1, true, &p, &e));
    t.data = p.golden;
    sparse_fill(&t, FILL_BITS, 7);
    for (size_t i = 0; i < sizeof filled / sizeof *filled; ++i)
        assert_int_equal(p.golden[filled[i]], fill_element(FILL_BITS, TS_UINT8, filled[i], 7));
    for (uint64_t i = 0; i < 4096; ++i)
        assert_int_equal(p.golden[half / 2 + i] | p.golden[half + half / 2 + i], 0);
    sparse_copy(&t, &p);
    assert_true(sparse_same(&t, &p));
    p.subject[half] ^= 1;
    assert_false(sparse_same(&t, &p));
    arena_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_neighbourhoods),
                                        cmocka_unit_test(test_a_long_dimension) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
