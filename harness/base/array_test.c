/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void items_keep_their_values_as_the_array_grows(void **state)
{
    (void)state;
    int *items = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 10000; ++i) {
        assert_true(array_reserve(&items, &capacity, (size_t)i + 1, sizeof *items));
        assert_true(capacity > (size_t)i);
        items[i] = i;
    }
    for (int i = 0; i < 10000; ++i)
        assert_int_equal(items[i], i);
    free(items);
}

static void sufficient_capacity_is_not_reallocated(void **state)
{
    (void)state;
    char *items = NULL;
    size_t capacity = 0;
    assert_true(array_reserve(&items, &capacity, 100, 1));
    char *before = items;
    size_t room = capacity;
    assert_true(array_reserve(&items, &capacity, room, 1));
    assert_ptr_equal(items, before);
    assert_int_equal(capacity, room);
    free(items);
}

static void an_impossible_size_changes_nothing(void **state)
{
    (void)state;
    uint64_t *items = NULL;
    size_t capacity = 0;
    assert_true(array_reserve(&items, &capacity, 3, sizeof *items));
    items[2] = 7;
    size_t room = capacity;
    assert_false(array_reserve(&items, &capacity, SIZE_MAX / 4, sizeof *items)); /* the product would wrap */
    assert_int_equal(capacity, room);
    assert_int_equal(items[2], 7);
    free(items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_keep_their_values_as_the_array_grows),
        cmocka_unit_test(sufficient_capacity_is_not_reallocated),
        cmocka_unit_test(an_impossible_size_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
