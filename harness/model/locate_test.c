/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/locate.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static ts_tensor tensor(uint32_t rank, const uint64_t *sizes, const uint64_t *strides)
{
    ts_tensor t = { .dtype = TS_FLOAT32, .rank = rank };
    memcpy(t.sizes, sizes, rank * sizeof *sizes);
    memcpy(t.strides, strides, rank * sizeof *strides);
    return t;
}

/* Compare with every element, one after the other. */
static void agrees_with_addressing(const ts_tensor *t, uint64_t positions)
{
    for (uint64_t p = 0; p < positions; ++p) {
        uint64_t coord[TS_MAX_DIMS] = { 0 }, found[TS_MAX_DIMS] = { 0 }, last = 0;
        unsigned elements = 0;
        do {
            const uint64_t offset = tensor_offset(t, coord);
            elements += offset == p;
            last = offset <= p && offset > last ? offset : last;
        } while (tensor_next(t, coord));
        const locate_result r = locate_element(t, p, found);
        assert_int_equal(r, elements == 0 ? LOCATE_GAP : elements == 1 ? LOCATE_ONE : LOCATE_SEVERAL);
        if (elements)
            assert_int_equal(tensor_offset(t, found), p);
        assert_int_equal(locate_before(t, p, found), last);
        assert_int_equal(tensor_offset(t, found), last);
    }
}

static void small_tensors(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { 2, 3, 4 }, packed[] = { 12, 4, 1 }, padded[] = { 40, 11, 2 },
                          turned[] = { 1, 2, 7 }, broadcast[] = { 4, 0, 1 };
    ts_tensor t = tensor(3, sizes, packed);
    agrees_with_addressing(&t, 30);
    t = tensor(3, sizes, padded);
    agrees_with_addressing(&t, 80);
    t = tensor(3, sizes, turned);
    agrees_with_addressing(&t, 40);
    t = tensor(3, sizes, broadcast);
    agrees_with_addressing(&t, 12);
    t = tensor(0, sizes, packed);
    agrees_with_addressing(&t, 3);
    static const uint64_t two[] = { 3, 4 }, sliding[] = { 1, 1 };
    t = tensor(2, two, sliding);
    agrees_with_addressing(&t, 9);
}

static void large_tensors(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { UINT64_C(1) << 20, 3, UINT64_C(1) << 20 },
                          turned[] = { 1, UINT64_C(1) << 41, UINT64_C(1) << 20 },
                          wanted[] = { 77, 2, (UINT64_C(1) << 20) - 1 };
    ts_tensor t = tensor(3, sizes, turned);
    uint64_t coord[TS_MAX_DIMS];
    assert_int_equal(locate_element(&t, tensor_offset(&t, wanted), coord), LOCATE_ONE);
    assert_memory_equal(coord, wanted, sizeof wanted);
    assert_int_equal(locate_element(&t, UINT64_C(1) << 40, coord), LOCATE_GAP);
    t.strides[1] = 0;
    assert_int_equal(locate_element(&t, 5, coord), LOCATE_SEVERAL);
    assert_int_equal(coord[0], 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tensors),
        cmocka_unit_test(large_tensors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
