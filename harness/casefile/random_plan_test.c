/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/random_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { DRAWS = 5000, DIMS = 4 };

/* Does each element have an address of its own? Marks the addresses in `seen`, which has `span` of them. */
static bool is_injective(const int64_t *sizes, const int64_t *strides, unsigned char *seen, uint64_t span)
{
    int64_t coord[DIMS] = { 0 };
    memset(seen, 0, span);
    for (;;) {
        uint64_t at = 0;
        for (unsigned k = 0; k < DIMS; ++k)
            at += (uint64_t)(coord[k] * strides[k]);
        if (at >= span || seen[at]++)
            return false;
        unsigned k = DIMS;
        while (k > 0 && ++coord[k - 1] == sizes[k - 1])
            coord[--k] = 0;
        if (k == 0)
            return true;
    }
}

static uint64_t product(const int64_t *sizes)
{
    uint64_t n = 1;
    for (unsigned k = 0; k < DIMS; ++k)
        n *= (uint64_t)sizes[k];
    return n;
}

static void tiles_are_small_matrices(void **state)
{
    (void)state;
    random_source r;
    unsigned matrices = 0, batches = 0, narrow = 0;
    random_begin(&r, 31);
    for (int n = 0; n < DRAWS; ++n) {
        int64_t sizes[DIMS];
        unsigned tall = 0, more = 0, few = 0;
        random_tiles(&r, DIMS, sizes);
        for (unsigned k = 0; k < DIMS; ++k) {
            assert_true(sizes[k] >= 1);
            tall += sizes[k] > 32;
            few += sizes[k] > 1 && sizes[k] < 8;
            more += sizes[k] > 1;
        }
        assert_in_range(product(sizes), 1, 5000);
        assert_in_range(more, 1, DIMS);
        matrices += tall >= 2;
        batches += more > 2;
        narrow += few > 0;
    }
    assert_true(matrices > DRAWS / 10 && batches > DRAWS / 4 && narrow > DRAWS / 4);
}

/* Three dimensions above a tile, of which the third-last lies innermost, where there is no gap between elements. */
static void cubes_have_the_unit_stride_in_front(void **state)
{
    (void)state;
    const random_layout l = { .bytes = 1, .most_span = 1 << 20 };
    random_source r;
    unsigned batches = 0, turned = 0;
    random_begin(&r, 33);
    for (int n = 0; n < DRAWS; ++n) {
        int64_t sizes[DIMS], strides[DIMS];
        random_cube(&r, DIMS, sizes);
        assert_in_range(product(sizes), 17 * 17 * 17, 192000);
        random_planned(random_third_plan(&r), 0, DIMS, sizes, &l, strides);
        unsigned more[DIMS], count = 0;
        for (unsigned k = 0; k < DIMS; ++k)
            if (sizes[k] > 1)
                more[count++] = k;
        assert_in_range(count, 3, DIMS);
        for (unsigned k = count - 3; k < count; ++k)
            assert_in_range(sizes[more[k]], 17, 40);
        assert_int_equal(strides[more[count - 3]], 1);
        batches += count > 3;
        turned += strides[more[count - 2]] > strides[more[count - 1]];
    }
    assert_true(batches > DRAWS / 5 && turned > DRAWS / 3 && turned < DRAWS * 2 / 3);
}

static void grids_have_the_count_in_any_role(void **state)
{
    (void)state;
    random_source r;
    unsigned first = 0, last = 0, planes = 0, large = 0, one_more = 0, full = 0, one_less = 0;
    random_begin(&r, 32);
    for (int n = 0; n < DRAWS; ++n) {
        const uint64_t count = 65536 + random_below(&r, 1000);
        int64_t sizes[DIMS];
        random_grid(&r, DIMS, count, sizes);
        assert_true(product(sizes) >= count && product(sizes) <= 8 * (count + 4096));
        unsigned k = 0, end = DIMS;
        while (sizes[k] == 1)
            ++k;
        while (sizes[end - 1] == 1)
            --end;
        first += (uint64_t)sizes[k] == count;
        last += (uint64_t)sizes[end - 1] == count;
        for (bool plane = true; k < end; ++k) {
            plane = plane && (uint64_t)sizes[k] != count;
            planes += plane && k + 1 == end;
        }
        random_grid(&r, DIMS, 1 << 24, sizes);
        assert_true(product(sizes) >= 1 << 24);
        one_more += product(sizes) % 256 == 1;
        full += product(sizes) % 256 == 0;
        one_less += product(sizes) % 256 == 255;
        large = product(sizes) > large ? (unsigned)product(sizes) : large;
    }
    assert_true(first > DRAWS / 4 && last > DRAWS / 10 && planes > DRAWS / 10 && large < (1 << 24) + (1 << 21));
    assert_true(one_more > DRAWS / 4 && full > DRAWS / 5 && one_less > DRAWS / 10);
    int64_t one;
    random_grid(&r, 1, 70000, &one);
    assert_int_equal(one, 70000);
}

/* By a plan, tensors of any sizes have the same order of dimensions; without `shares` no two elements meet. */
static void planned_strides_are_legal_and_of_every_kind(void **state)
{
    (void)state;
    random_source r;
    unsigned transposed = 0, pitched = 0, repeated = 0, spaced = 0, tight = 0;
    enum { SPAN = 1 << 17 };
    unsigned char *seen = malloc(SPAN);
    assert_non_null(seen);
    random_begin(&r, 33);
    for (int n = 0; n < DRAWS; ++n) {
        random_layout l = { .bytes = 2, .most_span = 3 * 5000 + (1 << 14), .most_stride = 4294967295 };
        int64_t sizes[DIMS], strides[DIMS], again[DIMS], shared[DIMS];
        random_tiles(&r, DIMS, sizes);
        const uint64_t plan = random_plan(&r);
        assert_int_not_equal(plan, 0);
        random_planned(plan, 0, DIMS, sizes, &l, strides);
        random_planned(plan, 0, DIMS, sizes, &l, again);
        assert_memory_equal(strides, again, sizeof again);
        assert_true(is_injective(sizes, strides, seen, SPAN));
        l.shares = true;
        random_planned(plan, 0, DIMS, sizes, &l, shared);
        uint64_t inner = UINT64_MAX;
        for (unsigned k = 0; k < DIMS; ++k) {
            repeated += sizes[k] > 1 && shared[k] == 0;
            inner = sizes[k] > 1 && (uint64_t)strides[k] < inner ? (uint64_t)strides[k] : inner;
            transposed += k + 1 < DIMS && sizes[k] > 1 && strides[k] == 1 && sizes[DIMS - 1] > 1;
            pitched +=
                k + 1 < DIMS && sizes[k] > 1 && sizes[k + 1] > 1 && strides[k + 1] == 1 && strides[k] > sizes[k + 1];
        }
        spaced += inner > 1 && inner < UINT64_MAX;
        l.shares = false;
        l.most_span = product(sizes);
        random_planned(plan, 0, DIMS, sizes, &l, strides);
        assert_true(is_injective(sizes, strides, seen, SPAN));
        tight += is_injective(sizes, strides, seen, product(sizes));
    }
    free(seen);
    assert_true(transposed > DRAWS / 10 && pitched > DRAWS / 10 && repeated > DRAWS / 20 && spaced > DRAWS / 40);
    assert_int_equal(tight, DRAWS);
}

/* A variant of a plan has the same rows, and often other planes. */
static void variants_differ_in_the_gaps_of_planes(void **state)
{
    (void)state;
    static const int64_t sizes[DIMS] = { 3, 4, 5, 6 };
    const random_layout l = { .bytes = 4, .most_span = 1 << 20, .most_stride = 4294967295 };
    random_source r;
    unsigned differ = 0;
    random_begin(&r, 34);
    for (int n = 0; n < DRAWS; ++n) {
        int64_t strides[2][DIMS];
        const uint64_t plan = random_plan(&r);
        for (unsigned k = 0; k < 2; ++k)
            random_planned(plan, k, DIMS, sizes, &l, strides[k]);
        unsigned equal = 0;
        for (unsigned k = 0; k < DIMS; ++k)
            equal += strides[0][k] == strides[1][k];
        assert_true(equal >= 2);
        differ += equal < DIMS;
    }
    assert_true(differ > DRAWS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_are_small_matrices),
        cmocka_unit_test(cubes_have_the_unit_stride_in_front),
        cmocka_unit_test(grids_have_the_count_in_any_role),
        cmocka_unit_test(planned_strides_are_legal_and_of_every_kind),
        cmocka_unit_test(variants_differ_in_the_gaps_of_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
