/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/platform.h"
#include "harness/base/platform_process.h"
#include "harness/testing/platform_testing.h"
#include "harness/testing/sanitizer.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/wait.h>
#endif

#include <cmocka.h>

static const struct {
    int number;
    const char *name;
} caught[] = {
    { SIGSEGV, "SIGSEGV" }, { SIGILL, "SIGILL" }, { SIGFPE, "SIGFPE" }, { SIGABRT, "SIGABRT" },
#ifdef SIGBUS
    { SIGBUS, "SIGBUS" },
#endif
};

/* ---- what goes wrong ---- */

static volatile unsigned char sink;

static void read_byte(void *context)
{
    sink = *(volatile unsigned char *)context;
}

static void write_byte(void *context)
{
    *(volatile unsigned char *)context = 1;
}

static void raise_signal(void *context)
{
    raise(*(const int *)context);
}

static void end(void *context)
{
    (void)context;
    abort();
}

#if defined(__GNUC__)
__attribute__((no_sanitize("undefined")))
#endif
static void
divide(void *context)
{
    volatile int *zero = context;
    *zero = 1000 / *zero;
}

static void count(void *context)
{
    ++*(int *)context;
}

static platform_fault fault_of(void (*f)(void *), void *context)
{
    platform_fault fault = { .signal = -1, .name = "none", .address = &fault, .write = true };
    platform_install_fault_handlers(); /* cmocka puts its own handlers in place for each test */
    assert_false(platform_guarded_call(f, context, &fault));
    return fault;
}

/* ---- tests ---- */

static void pages_around_buffers_are_inaccessible(void **state)
{
    (void)state;
    size_t page = platform_page_size();
    assert_true(page >= 512 && (page & (page - 1)) == 0);
    for (size_t pages = 1; pages <= 17; pages += 16) {
        size_t capacity = pages * page;
        unsigned char *p = platform_map_guarded(capacity);
        assert_non_null(p);
        for (size_t i = 0; i < capacity; ++i)
            if (p[i] != 0)
                fail_msg("byte %zu is not zero", i);
        memset(p, 0xAA, capacity);
        unsigned char *const outside[] = { p - 1, p - page, p + capacity, p + capacity + page - 1 };
        for (size_t i = 0; i < sizeof outside / sizeof outside[0]; ++i) {
            platform_fault fault = fault_of(read_byte, outside[i]);
            assert_ptr_equal(fault.address, outside[i]);
            assert_string_equal(fault.name, "SIGSEGV");
            assert_int_equal(fault.signal, SIGSEGV);
            assert_false(fault.write);
            fault = fault_of(write_byte, outside[i]);
            assert_ptr_equal(fault.address, outside[i]);
#if defined(__x86_64__) && (defined(__linux__) || defined(_WIN32))
            assert_true(fault.write);
#endif
        }
        platform_unmap_guarded(p, capacity);
        platform_fault fault = fault_of(read_byte, p); /* the whole mapping is gone */
        assert_ptr_equal(fault.address, p);
    }
    platform_unmap_guarded(NULL, page);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    assert_null(platform_map_guarded((size_t)1 << 56));
}

static void calls_without_a_fault_return(void **state)
{
    (void)state;
    int calls = 0;
    platform_fault fault;
    platform_install_fault_handlers(); /* cmocka puts its own handlers in place for each test */
    assert_true(platform_guarded_call(count, &calls, &fault));
    assert_int_equal(calls, 1);
}

static void every_kind_of_fault_is_named(void **state)
{
    (void)state;
    size_t page = platform_page_size();
    unsigned char *p = platform_map_guarded(page);
    for (size_t i = 0; i < sizeof caught / sizeof caught[0]; ++i) {
        int number = caught[i].number;
        fault_of(write_byte, p + page); /* must not be remembered */
        platform_fault fault = fault_of(raise_signal, &number);
        assert_int_equal(fault.signal, number);
        assert_string_equal(fault.name, caught[i].name);
        assert_null(fault.address); /* raised by a call: no memory was accessed */
        assert_false(fault.write);
    }
    platform_fault fault = fault_of(end, NULL);
    assert_string_equal(fault.name, "SIGABRT");
    assert_null(fault.address);
    assert_false(fault.write);
    platform_unmap_guarded(p, page);
}

static void a_division_by_zero_is_survived(void **state)
{
    (void)state;
#if defined(__x86_64__)
    int zero = 0;
    platform_fault fault = fault_of(divide, &zero);
    assert_string_equal(fault.name, "SIGFPE");
    assert_null(fault.address); /* the address of an instruction is not a memory access */
    assert_false(fault.write);
#else
    (void)divide;
    skip(); /* other processors divide by zero without a fault */
#endif
}

static void faults_can_be_repeated(void **state)
{
    (void)state;
    size_t page = platform_page_size();
    unsigned char *p = platform_map_guarded(page);
    int calls = 0;
    for (int i = 0; i < 1000; ++i) {
        platform_fault fault = fault_of(i % 2 ? read_byte : write_byte, i % 3 ? p + page : p - 1);
        assert_ptr_equal(fault.address, i % 3 ? p + page : p - 1);
        fault = fault_of(end, NULL);
        assert_int_equal(fault.signal, SIGABRT);
        assert_true(platform_guarded_call(count, &calls, &fault));
    }
    assert_int_equal(calls, 1000);
    platform_unmap_guarded(p, page);
}

static void libraries_open_or_report_why(void **state)
{
    (void)state;
    char message[300] = "", path[] = "/tmp/platform_test_XXXXXX";
    assert_string_equal(platform_library_suffix(), TOUCHSTONE_LIBRARY_SUFFIX);
    assert_null(platform_library_open("/nowhere/at/all.so", message, sizeof message));
    assert_non_null(strstr(message, "/nowhere/at/all.so"));
    assert_int_equal(testing_file(path, "no library\n", 11), 0);
    message[0] = '\0';
    assert_null(platform_library_open(path, message, sizeof message));
    assert_true(strlen(message) > 0);
    char small[8] = "";
    assert_null(platform_library_open(path, small, sizeof small));
    assert_true(strlen(small) < sizeof small);
    unlink(path);
    void *library = platform_library_open(TOUCHSTONE_BINARY_DIR "/backends/example" TOUCHSTONE_LIBRARY_SUFFIX, message,
                                          sizeof message);
    if (!library)
        fail_msg("%s", message);
    assert_true(platform_library_symbol(library, "touchstone_backend") != NULL);
    assert_true(platform_library_symbol(library, "touchstone_nothing") == NULL);
    platform_library_close(library);
}

static void times_are_utc(void **state)
{
    (void)state;
    char text[32];
    testing_setenv("TZ", "Pacific/Auckland");
    platform_utc(0, text, sizeof text);
    assert_string_equal(text, "1970-01-01T00:00:00Z");
    platform_utc(951782399, text, sizeof text); /* the second before a leap day */
    assert_string_equal(text, "2000-02-28T23:59:59Z");
    platform_utc((time_t)1795252500, text, sizeof text);
    assert_string_equal(text, "2026-11-21T09:15:00Z");
    char later[32];
    platform_utc_now(text, sizeof text);
    assert_int_equal(strlen(text), strlen("2026-11-21T09:15:00.000000Z"));
    assert_true(text[10] == 'T' && text[19] == '.' && text[26] == 'Z');
    do
        platform_utc_now(later, sizeof later);
    while (strcmp(text, later) == 0); /* a clock that tells times of the same second apart */
    assert_true(strcmp(text, later) < 0);
    double before = platform_seconds();
    assert_true(platform_seconds() >= before);
}

static void the_machine_is_described(void **state)
{
    (void)state;
    char text[256], small[8], folder[512];
    platform_describe_machine(text, sizeof text);
    assert_non_null(strstr(text, "core"));
    platform_describe_machine(small, sizeof small);
    assert_int_equal(strlen(small), sizeof small - 1);
    platform_describe_system(text, sizeof text);
    assert_non_null(strchr(text, ' '));
    assert_true(platform_cores() >= 1);
    assert_true(platform_program_folder(folder, sizeof folder));
    assert_true(platform_same_file(folder, TOUCHSTONE_BINARY_DIR "/tests"));
    assert_false(platform_program_folder(folder, 3));
}

static void files_that_may_be_made_again_have_a_folder(void **state)
{
    (void)state;
    char path[512], file[600];
    char where[] = "/tmp/platform_test.XXXXXX", inner[64];
    error e = { .text = "" };
    assert_int_equal(testing_folder(where), 0);
    snprintf(inner, sizeof inner, "%s/cache", where); /* which does not exist yet */
    testing_setenv("XDG_CACHE_HOME", inner);
    testing_setenv("LOCALAPPDATA", where);
    assert_true(platform_cache_folder(path, sizeof path));
    assert_false(platform_cache_folder(path, 10));
    assert_true(platform_cache_folder(path, sizeof path) && platform_make_cache_folder(path, &e));
    assert_true(platform_make_cache_folder(path, &e)); /* again */
    snprintf(file, sizeof file, "%s/file", path);
    assert_null(platform_open_protected(file));
    assert_false(platform_sync_file(file));
    assert_int_equal(testing_write(file, "text"), 0);
    assert_true(platform_protect_file(file) && platform_sync_file(file));
    FILE *opened = platform_open_protected(file);
    assert_non_null(opened);
    char *text = testing_end_text(opened);
    assert_string_equal(text, "text");
    free(text);
    assert_null(platform_open_protected(path)); /* a folder */
    testing_setenv("XDG_CACHE_HOME", NULL);
    testing_setenv("LOCALAPPDATA", NULL);
    testing_setenv("HOME", NULL);
    assert_false(platform_cache_folder(path, sizeof path));
    assert_int_equal(testing_remove(where), 0);
}

static void memory_mapped_twice_is_read_only_at_its_second_address(void **state)
{
    (void)state;
    ptrdiff_t distance;
    const size_t size = 3 * platform_page_size() + 5;
    unsigned char *p = platform_map_twice(size, &distance);
    assert_non_null(p);
    if (distance != 0) {
        for (size_t i = 0; i < size; i += 1000) {
            assert_int_equal(p[(ptrdiff_t)i + distance], 0);
            p[i] = 7;
            assert_int_equal(p[(ptrdiff_t)i + distance], 7);
        }
        const platform_fault fault = fault_of(write_byte, p + distance);
        assert_true(fault.touched);
        assert_ptr_equal(fault.address, p + distance);
        assert_int_equal(p[0], 7);
    }
    platform_unmap_twice(p, size, distance);
}

enum { CALLS = 1000 };

static void count_call(void *context, size_t i)
{
    unsigned char *called = context;
    called[i] = (unsigned char)(called[i] + 1);
}

static void each_call_is_made_once(void **state)
{
    (void)state;
    unsigned char called[CALLS + 1] = { 0 };
    platform_each(CALLS, count_call, called);
    for (size_t i = 0; i <= CALLS; ++i)
        assert_int_equal(called[i], i < CALLS);
    platform_each(0, count_call, called);
    platform_each(1, count_call, called);
    assert_int_equal(called[0], 2);
    assert_int_equal(called[1], 1);
}

#if !defined(_WIN32) && !UNDER_SANITIZER /* whose frames are larger */
/* Use a part of the stack. */
static void descend(void)
{
    volatile unsigned char room[160 * 1024];
    for (size_t at = sizeof room; at >= 4096; at -= 4096)
        room[at - 4096] = 1;
}

/* A process whose limit of memory a backend has lowered to nothing can still use its stack. */
static void the_stack_is_there_before_limits_are_lowered(void **state)
{
    (void)state;
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const struct rlimit none = { 0, 0 };
        signal(SIGSEGV, SIG_DFL);
        platform_process_note_limits(); /* without it, the child is killed, unless its parent used as much before */
        setrlimit(RLIMIT_CORE, &none);
        setrlimit(RLIMIT_AS, &none);
        descend();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_is_made_once),
        cmocka_unit_test(memory_mapped_twice_is_read_only_at_its_second_address),
        cmocka_unit_test(pages_around_buffers_are_inaccessible),
        cmocka_unit_test(too_much_memory_is_refused),
        cmocka_unit_test(calls_without_a_fault_return),
        cmocka_unit_test(every_kind_of_fault_is_named),
        cmocka_unit_test(a_division_by_zero_is_survived),
        cmocka_unit_test(faults_can_be_repeated),
        cmocka_unit_test(libraries_open_or_report_why),
        cmocka_unit_test(times_are_utc),
        cmocka_unit_test(the_machine_is_described),
        cmocka_unit_test(files_that_may_be_made_again_have_a_folder),
#if !defined(_WIN32) && !UNDER_SANITIZER
        cmocka_unit_test(the_stack_is_there_before_limits_are_lowered),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
