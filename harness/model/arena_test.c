/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/model/arena.h"

#include "harness/base/platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static arena_place reserve(arena *a, size_t slot, uint64_t bytes, size_t alignment, bool at_end)
{
    error e = { .text = "" };
    arena_place p;
    if (!arena_reserve(a, slot, bytes, alignment, at_end, &p, &e))
        fail_msg("%s", e.text);
    assert_int_equal(p.bytes, bytes);
    assert_ptr_not_equal(p.golden, p.subject);
    return p;
}

static arena opened(size_t slots)
{
    arena a;
    error e;
    assert_true(arena_open(&a, slots, &e));
    assert_int_equal(a.count, slots);
    return a;
}

/* The tensor ends at the end of the slot, or as close to it as the alignment allows. */
static void buffers_at_the_end_adjoin_the_guard_page(void **state)
{
    (void)state;
    arena a = opened(2);
    for (uint64_t bytes = 0; bytes < 300; ++bytes) {
        arena_place p = reserve(&a, 1, bytes, bytes % 2, true);
        assert_ptr_equal(p.subject + bytes, a.slots[1].subject + a.slots[1].capacity);
        assert_ptr_equal(p.golden + bytes, a.slots[1].golden + a.slots[1].capacity);
        assert_int_equal(p.after, 0);
        assert_int_equal(p.before, ARENA_CANARY);
        memset(p.subject - p.before, 1, p.before + p.bytes + p.after); /* all of it is accessible */
        memset(p.golden - p.before, 1, p.before + p.bytes + p.after);
    }
    assert_null(a.slots[0].subject); /* nothing is mapped before it is needed */
    arena_close(&a);
    assert_int_equal(a.count, 0);
}

static void buffers_at_the_beginning_have_canaries_behind(void **state)
{
    (void)state;
    arena a = opened(1);
    for (uint64_t bytes = 0; bytes < 300; bytes += 7) {
        arena_place p = reserve(&a, 0, bytes, 256, false);
        assert_ptr_equal(p.subject, a.slots[0].subject);
        assert_ptr_equal(p.golden, a.slots[0].golden);
        assert_int_equal(p.before, 0);
        assert_int_equal(p.after, ARENA_CANARY);
    }
    arena_close(&a);
}

static void tensors_are_aligned(void **state)
{
    (void)state;
    arena a = opened(1);
    for (size_t alignment = 2; alignment <= 4096; alignment *= 2)
        for (uint64_t bytes = 0; bytes < 200; bytes += 13) {
            arena_place p = reserve(&a, 0, bytes, alignment, true);
            size_t rest = (size_t)(a.slots[0].subject + a.slots[0].capacity - (p.subject + bytes));
            assert_int_equal((uintptr_t)p.subject % alignment, 0);
            assert_int_equal((uintptr_t)p.golden % alignment, 0);
            assert_true(rest < alignment);
            assert_int_equal(p.after, rest < ARENA_CANARY ? rest : ARENA_CANARY);
            assert_int_equal(p.before, ARENA_CANARY);
        }
    arena_close(&a);
}

/* This includes sizes at which tensor, canary and alignment just fit into the slot, or just do not. */
static void slots_grow_and_keep_their_canaries(void **state)
{
    (void)state;
    arena a = opened(1);
    size_t first = 0;
    reserve(&a, 0, 1, 0, true);
    first = a.slots[0].capacity;
    for (uint64_t bytes = first - 2 * ARENA_CANARY; bytes <= first + 2 * ARENA_CANARY; ++bytes)
        for (int end = 0; end < 2; ++end) {
            arena_place p = reserve(&a, 0, bytes, 16, end != 0);
            assert_int_equal(end ? p.before : p.after, ARENA_CANARY);
            memset(p.subject - p.before, 1, p.before + p.bytes + p.after);
            memset(p.golden - p.before, 1, p.before + p.bytes + p.after);
            assert_int_equal((uintptr_t)p.subject % 16, 0);
        }
    assert_true(a.slots[0].capacity > first);
    size_t grown = a.slots[0].capacity;
    unsigned char *where = a.slots[0].subject;
    reserve(&a, 0, 5, 0, true); /* never shrinks, never moves */
    assert_int_equal(a.slots[0].capacity, grown);
    assert_ptr_equal(a.slots[0].subject, where);
    arena_close(&a);
}

static void absurd_sizes_are_refused(void **state)
{
    (void)state;
    static const uint64_t sizes[] = { (UINT64_C(1) << 37) + 1, UINT64_C(1) << 62, UINT64_MAX - 100, UINT64_MAX };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        arena a = opened(1);
        arena_place p;
        error e = { .text = "" };
        if (arena_reserve(&a, 0, sizes[i], 16, true, &p, &e))
            fail_msg("a tensor of %llu bytes was placed", (unsigned long long)sizes[i]);
        assert_non_null(strstr(e.text, "is more than the 137438953472 that a case may have"));
        reserve(&a, 0, 8, 0, true); /* the slot can still be used */
        arena_close(&a);
    }
}

static volatile unsigned char sink;

static void read_byte(void *context)
{
    sink = *(volatile unsigned char *)context;
}

static void addresses_in_guard_pages_are_recognized(void **state)
{
    (void)state;
    arena a = opened(3);
    size_t page = platform_page_size();
    assert_int_equal(arena_guards(&a, NULL, page), -1); /* slots without memory guard nothing */
    arena_place first = reserve(&a, 0, 8, 0, true), last = reserve(&a, 2, 8, 0, false);
    platform_install_fault_handlers(); /* cmocka puts its own handler in place for each test */
    platform_fault fault;
    assert_false(platform_guarded_call(read_byte, first.subject + first.bytes, &fault));
    assert_int_equal(arena_guards(&a, fault.address, page), 0);
    assert_false(platform_guarded_call(read_byte, last.subject - 1, &fault));
    assert_int_equal(arena_guards(&a, fault.address, page), 2);
    assert_int_equal(arena_guards(&a, last.subject - page, page), 2);
    assert_int_equal(arena_guards(&a, last.subject - 2, 1), -1); /* too far away */
    assert_int_equal(arena_guards(&a, last.subject - 1, 1), 2);
    assert_int_equal(arena_guards(&a, first.subject + first.bytes, 1), 0);
    assert_int_equal(arena_guards(&a, first.subject + first.bytes + 1, 1), -1);
    assert_int_equal(arena_guards(&a, first.subject, page), -1); /* the tensor itself is no guard */
    assert_int_equal(arena_guards(&a, last.subject + a.slots[2].capacity - 1, 1), -1);
    arena_close(&a);
}

static uint64_t spare_bytes(const arena *a)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < a->spare_count; ++i)
        bytes += 2 * (uint64_t)a->spare[i].capacity;
    return bytes;
}

/* Large tensors in many slots do not add up; the slots that never grew stay mapped. */
static void trimming_bounds_what_grown_slots_keep(void **state)
{
    (void)state;
    enum { SLOTS = 40, LARGE = 4 << 20 };
    arena a = opened(SLOTS);
    const arena_place small = reserve(&a, SLOTS - 1, 100, 0, true);
    for (size_t i = 0; i + 1 < SLOTS; ++i) {
        for (size_t k = 0; k <= i; ++k)
            memset(reserve(&a, k, LARGE, 0, true).subject, 1, LARGE);
        assert_true(a.grown >= 2 * (uint64_t)LARGE * (i + 1));
        arena_trim(&a);
        assert_int_equal(a.grown, spare_bytes(&a));
        assert_true(a.grown <= ARENA_KEPT);
        assert_null(a.slots[0].subject);
    }
    assert_true(a.spare_count > 2);
    assert_ptr_equal(reserve(&a, SLOTS - 1, 100, 0, true).subject, small.subject);
    arena_close(&a);
}

/* What a slot was grown to before is not 0 any more: a caller that reads between elements asks for other memory. */
static void fresh_memory_was_never_used(void **state)
{
    (void)state;
    arena a = opened(2);
    memset(reserve(&a, 0, 1 << 20, 0, true).golden, 1, 1 << 20);
    arena_trim(&a);
    a.fresh = true;
    const arena_place fresh = reserve(&a, 1, 1 << 20, 0, true);
    for (size_t i = 0; i < fresh.bytes; ++i)
        assert_int_equal(fresh.golden[i], 0);
    arena_close(&a);
}

/* A large tensor is where the last one was, whatever its slot; the largest memory is released first. */
static void slots_share_what_they_grew_to(void **state)
{
    (void)state;
    arena a = opened(9);
    const arena_place first = reserve(&a, 0, 1 << 20, 0, true);
    const arena_place less = reserve(&a, 1, 200000, 0, true);
    arena_trim(&a);
    assert_int_equal(a.spare_count, 2);
    assert_ptr_equal(reserve(&a, 7, 180000, 0, true).subject + 180000, less.subject + 200000);
    assert_ptr_equal(reserve(&a, 8, 1000000, 0, true).subject + 1000000, first.subject + (1 << 20));
    assert_int_equal(a.spare_count, 0);
    arena_trim(&a);
    assert_ptr_not_equal(reserve(&a, 2, 70000, 0, true).subject, NULL);
    reserve(&a, 3, 70000, 0, true); /* of what is left, all is far too large */
    assert_int_equal(a.spare_count, 1);
    arena_forget(&a, 2);
    arena_forget(&a, 3);
    reserve(&a, 4, ARENA_KEPT / 2 - (1 << 20), 0, true);
    arena_trim(&a);
    assert_int_equal(a.spare_count, 1);
    assert_true(a.spare[0].capacity < 2 << 20);
    assert_int_equal(a.grown, spare_bytes(&a));
    arena_close(&a);
}

/* Small tensors return to the memory that their slot had before it was grown: its pages are in use. */
static void a_grown_slot_gets_its_first_memory_back(void **state)
{
    (void)state;
    arena a = opened(2);
    const arena_place small = reserve(&a, 0, 100, 0, true);
    reserve(&a, 0, 1 << 20, 0, true);
    assert_int_equal(a.spare_count, 1);
    arena_trim(&a);
    assert_int_equal(a.spare_count, 2);
    assert_ptr_equal(reserve(&a, 0, 7, 0, true).subject + 7, small.subject + 100);
    assert_int_equal(a.spare_count, 1);
    assert_int_equal(a.grown, spare_bytes(&a));
    arena_close(&a);
}

/* The first byte is where the case says, at either end of the slot, as far as the alignment allows. */
static void buffers_begin_at_a_base(void **state)
{
    (void)state;
    arena a = opened(1);
    for (unsigned i = 0; i < 64 * 4 * 2; ++i) {
        const unsigned base = i % 64, alignment = 1u << i / 64 % 4;
        const bool at_end = i >= 64 * 4;
        const uint64_t bytes = 70000 + 13 * i;
        arena_place p;
        error e;
        assert_true(arena_reserve_at(&a, 0, bytes, alignment, base, at_end, &p, &e));
        assert_int_equal((uintptr_t)p.subject % ARENA_LINE, base / alignment * alignment);
        assert_int_equal((uintptr_t)p.golden % ARENA_LINE, base / alignment * alignment);
        assert_true(p.subject >= a.slots[0].subject + p.before);
        assert_true(p.subject + bytes + p.after <= a.slots[0].subject + a.slots[0].capacity);
        if (at_end)
            assert_true(p.subject + bytes + ARENA_LINE > a.slots[0].subject + a.slots[0].capacity);
        memset(p.subject - p.before, 1, p.before + p.bytes + p.after); /* all of it is accessible */
    }
    arena_place p;
    error e;
    assert_true(arena_reserve_at(&a, 0, 100, 4096, 12, true, &p, &e)); /* what a backend requires comes first */
    assert_int_equal((uintptr_t)p.subject % 4096, 0);
    arena_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_at_the_end_adjoin_the_guard_page),
        cmocka_unit_test(buffers_at_the_beginning_have_canaries_behind),
        cmocka_unit_test(tensors_are_aligned),
        cmocka_unit_test(buffers_begin_at_a_base),
        cmocka_unit_test(slots_grow_and_keep_their_canaries),
        cmocka_unit_test(absurd_sizes_are_refused),
        cmocka_unit_test(addresses_in_guard_pages_are_recognized),
        cmocka_unit_test(trimming_bounds_what_grown_slots_keep),
        cmocka_unit_test(a_grown_slot_gets_its_first_memory_back),
        cmocka_unit_test(fresh_memory_was_never_used),
        cmocka_unit_test(slots_share_what_they_grew_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
