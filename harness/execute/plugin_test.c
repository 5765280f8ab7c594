/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/execute/plugin.h"
#include "harness/testing/platform_testing.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define BACKENDS TOUCHSTONE_BINARY_DIR "/backends"

static char folder[] = "/tmp/plugin_test.XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return testing_folder(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

static int no_folder_is_set(void **state)
{
    (void)state;
    return testing_setenv("TOUCHSTONE_BACKENDS", NULL);
}

static const char *write_file(const char *name, const char *text)
{
    static char path[sizeof folder + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(testing_write(path, text), 0);
    return path;
}

static void refuses(const char *name, const ts_option *options, size_t count, const char *expected)
{
    plugin p;
    error e = { .text = "" };
    if (plugin_open(&p, name, options, count, &e))
        fail_msg("opened: %s", name);
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" does not contain \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_null(p.library); /* nothing is left open, and closing again is harmless */
    assert_null(p.self);
    plugin_close(&p);
}

static void backends_are_opened_by_name_and_by_path(void **state)
{
    (void)state;
    static const char *const names[] = { "cpu", BACKENDS "/cpu" TOUCHSTONE_LIBRARY_SUFFIX };
    for (size_t i = 0; i < 2; ++i) {
        plugin p;
        error e = { .text = "" };
        if (!plugin_open(&p, names[i], NULL, 0, &e))
            fail_msg("%s", e.text);
        assert_non_null(strstr(p.path, "backends/cpu" TOUCHSTONE_LIBRARY_SUFFIX));
        assert_string_equal(p.info.name, "cpu");
        assert_int_equal(p.info.struct_size, sizeof(ts_info));
        assert_true(p.info.highest_level > 0);
        assert_int_equal(p.backend->abi, TS_BACKEND_ABI);
        assert_int_equal(p.host.struct_size, sizeof(ts_host));
        plugin_close(&p);
        assert_null(p.library);
        assert_null(p.self);
        plugin_close(&p);
    }
}

static void two_backends_are_open_at_once(void **state)
{
    (void)state;
    plugin first, second;
    error e = { .text = "" };
    assert_true(plugin_open(&first, "cpu", NULL, 0, &e));
    assert_true(plugin_open(&second, "example", NULL, 0, &e));
    assert_string_equal(first.info.name, "cpu");
    assert_string_equal(second.info.name, "example");
    plugin_close(&first);
    assert_int_equal(second.backend->info(second.self, &second.info), TS_OK);
    plugin_close(&second);
}

static void loading_does_not_open(void **state)
{
    (void)state;
    plugin p;
    error e = { .text = "" };
    assert_true(plugin_load(&p, "faulty", &e));
    assert_null(p.self);
    assert_non_null(p.backend->describe_options());
    plugin_close(&p);
}

static void a_missing_backend_is_reported_with_the_folders_searched(void **state)
{
    (void)state;
    refuses("nonesuch", NULL, 0, "there is no backend 'nonesuch' in ");
    refuses("nonesuch", NULL, 0, "/tests/../backends");
    refuses("nonesuch", NULL, 0, "'touchstone backends' lists the backends that are there");
    refuses("./nonesuch" TOUCHSTONE_LIBRARY_SUFFIX, NULL, 0,
            "./nonesuch" TOUCHSTONE_LIBRARY_SUFFIX ": there is no such file");
    refuses("", NULL, 0, "there is no backend ''");
    char name[400];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    refuses(name, NULL, 0, "there is no backend 'nnn");
    assert_int_equal(testing_setenv("TOUCHSTONE_BACKENDS", folder), 0);
    refuses("cpu", NULL, 0, folder); /* the variable replaces the other folders */
    plugin p;
    error e;
    assert_false(plugin_open(&p, "cpu", NULL, 0, &e));
    assert_null(strstr(e.text, "/tests/.."));
}

static void other_files_are_refused(void **state)
{
    (void)state;
    refuses(write_file("text" TOUCHSTONE_LIBRARY_SUFFIX, "no library\n"), NULL, 0,
            "text" TOUCHSTONE_LIBRARY_SUFFIX " cannot be loaded as a backend: ");
    refuses(write_file("empty" TOUCHSTONE_LIBRARY_SUFFIX, ""), NULL, 0,
            "empty" TOUCHSTONE_LIBRARY_SUFFIX " cannot be loaded as a backend: ");
    refuses(folder, NULL, 0, "cannot be loaded as a backend: ");
    refuses("/proc/self/exe", NULL, 0, "cannot be loaded as a backend: ");
    assert_int_equal(testing_setenv("TOUCHSTONE_BACKENDS", folder), 0);
    refuses("text", NULL, 0, "text" TOUCHSTONE_LIBRARY_SUFFIX " cannot be loaded as a backend: ");
}

/* SQLite serves as a library without the function. */
static void a_library_without_the_function_is_refused(void **state)
{
    (void)state;
    char line[512], path[400] = "";
    FILE *f = fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f)) {
        char *at = strchr(line, '/');
        if (at && strstr(at, "/libsqlite3.so") && sscanf(at, "%399s", path) == 1)
            break;
    }
    if (f)
        fclose(f);
    if (!*path)
        skip(); /* linked statically, or the platform does not list libraries */
    refuses(path, NULL, 0, "is no backend: it exports no function touchstone_backend");
}

static void refused_options_are_reported_with_the_reason(void **state)
{
    (void)state;
    const ts_option unknown = { "colour", "red" }, fault = { "fault", "no-such-fault" };
    refuses("example", &unknown, 1, "backend example refuses its options: the example takes no options");
    refuses("cpu", &unknown, 1, "backend cpu refuses its options: ");
    refuses("faulty", &fault, 1, "no-such-fault");
    refuses("faulty", &unknown, 1, "colour");
    const ts_option good = { "fault", "accept-flags" };
    plugin p;
    error e = { .text = "" };
    if (!plugin_open(&p, "faulty", &good, 1, &e))
        fail_msg("%s", e.text);
    assert_string_equal(p.note, "");
    plugin_close(&p);
}

static void notes_are_stored_and_truncated(void **state)
{
    (void)state;
    plugin p;
    error e;
    char text[2000];
    assert_true(plugin_open(&p, "cpu", NULL, 0, &e));
    p.host.note(p.host.context, "one");
    p.host.note(p.host.context, "two");
    assert_string_equal(p.note, "two");
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    p.host.note(p.host.context, text);
    assert_int_equal(strlen(p.note), sizeof p.note - 1);
    p.host.note(p.host.context, NULL);
    assert_string_equal(p.note, "");
    plugin_close(&p);
}

typedef struct listing {
    unsigned count, known;
    char previous[64];
} listing;

static void list(void *context, const char *name, const char *path)
{
    listing *l = context;
    l->count++;
    assert_true(strcmp(l->previous, name) < 0); /* sorted, without duplicates */
    snprintf(l->previous, sizeof l->previous, "%s", name);
    assert_int_equal(access(path, R_OK), 0);
    assert_null(strstr(name, TOUCHSTONE_LIBRARY_SUFFIX));
    if (strcmp(name, "cpu") == 0 || strcmp(name, "example") == 0 || strcmp(name, "faulty") == 0)
        l->known++;
}

static void backends_are_listed(void **state)
{
    (void)state;
    listing all = { .count = 0 }, none = { .count = 0 }, some = { .count = 0 };
    plugin_each(list, &all);
    assert_int_equal(all.known, 3);
    char empty[sizeof folder + 16];
    snprintf(empty, sizeof empty, "%s/empty", folder);
    assert_int_equal(testing_make_folder(empty), 0);
    assert_int_equal(testing_setenv("TOUCHSTONE_BACKENDS", empty), 0);
    plugin_each(list, &none);
    assert_int_equal(none.count, 0);
    write_file("empty/b" TOUCHSTONE_LIBRARY_SUFFIX, "");
    write_file("empty/a" TOUCHSTONE_LIBRARY_SUFFIX, "");
    write_file("empty/a" TOUCHSTONE_LIBRARY_SUFFIX ".1", "");
    write_file("empty/" TOUCHSTONE_LIBRARY_SUFFIX, "");
    plugin_each(list, &some);
    assert_int_equal(some.count, 2);
    assert_string_equal(some.previous, "b");
    assert_int_equal(testing_setenv("TOUCHSTONE_BACKENDS", "/nowhere/at/all"), 0);
    plugin_each(list, &none);
    assert_int_equal(none.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(backends_are_opened_by_name_and_by_path, no_folder_is_set),
        cmocka_unit_test_setup(two_backends_are_open_at_once, no_folder_is_set),
        cmocka_unit_test_setup(loading_does_not_open, no_folder_is_set),
        cmocka_unit_test_setup(a_missing_backend_is_reported_with_the_folders_searched, no_folder_is_set),
        cmocka_unit_test_setup(other_files_are_refused, no_folder_is_set),
        cmocka_unit_test_setup(a_library_without_the_function_is_refused, no_folder_is_set),
        cmocka_unit_test_setup(refused_options_are_reported_with_the_reason, no_folder_is_set),
        cmocka_unit_test_setup(notes_are_stored_and_truncated, no_folder_is_set),
        cmocka_unit_test_setup(backends_are_listed, no_folder_is_set),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
