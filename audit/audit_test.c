/* SPDX-License-Identifier: Apache-2.0 */
/* The list of equivalent mutants, the order of kills, states and scores. */
#include "audit/audit.h"
#include "audit/audit_choose.h"
#include "audit/audit_twin.h"
#include "harness/base/platform.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static const mutant mutants[] = {
    { "dml/slice1.c:9:5:relation:le", "dml/slice1.c", "check", "a < b", 9, false, MUTANT_OF_REFERENCE },
    { "dml/slice1.c:9:5:relation:gt", "dml/slice1.c", "check", "a < b", 9, false, MUTANT_OF_REFERENCE },
    { "dml/slice1.c:12:5:relation:le", "dml/slice1.c", "check", "a < b", 12, false, MUTANT_OF_REFERENCE },
    { "dml.c:3:2:statement:drop", "dml.c", "dml_check", "return", 3, false, MUTANT_OF_REFERENCE },
};
static const mutants_library library = { .struct_size = sizeof library, .count = 4, .mutants = mutants };

static char path[] = "/tmp/audit_test_XXXXXX";

static int set_up(void **state)
{
    (void)state;
    return testing_file(path, "", 0);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

static bool read_list(audit_equivalents *a, const char *text, error *e)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return audit_equivalents_read(a, path, &library, e);
}

static void test_equivalents(void **state)
{
    audit_equivalents a;
    error e;
    (void)state;
    assert_true(read_list(&a,
                          "# a comment\n\ndml/slice1.c check `a < b` #2 relation:le: never\n  equal\n"
                          "dml.c dml_check `return` statement:drop: last",
                          &e));
    assert_null(a.reasons[0]);
    assert_null(a.reasons[1]);
    assert_string_equal(a.reasons[2], "never equal");
    assert_int_equal(a.lines[2], 3);
    assert_string_equal(a.reasons[3], "last");
    assert_int_equal(a.lines[3], 5);
    audit_equivalents_free(&a);
    assert_true(read_list(&a, "dml/slice1.c check `a < b` relation:le relation:gt: both places\n", &e));
    assert_non_null(a.reasons[0]);
    assert_ptr_equal(a.reasons[0], a.reasons[1]);
    assert_ptr_equal(a.reasons[0], a.reasons[2]);
    audit_equivalents_free(&a);
}

static void test_equivalents_of_classes(void **state)
{
    audit_equivalents a;
    error e;
    (void)state;
    assert_true(read_list(&a, "dml/slice1.c check `a < b` relation:gt: one\ndml/* c*k `*` relation:*: a class\n", &e));
    assert_string_equal(a.reasons[0], "a class");
    assert_string_equal(a.reasons[1], "one");
    assert_string_equal(a.reasons[2], "a class");
    assert_null(a.reasons[3]);
    audit_equivalents_free(&a);
    assert_true(read_list(&a, "dml/slice1.c check `a < b` *:le: one text\n", &e));
    assert_non_null(a.reasons[0]);
    assert_null(a.reasons[1]);
    audit_equivalents_free(&a);
    /* The number of an entry counts places, not the mutants of a class at one place. */
    assert_true(read_list(&a, "dml/slice1.c check `a < b` #2 relation:*: the second place\n", &e));
    assert_null(a.reasons[1]);
    assert_string_equal(a.reasons[2], "the second place");
    audit_equivalents_free(&a);
}

static void test_wrong_equivalents_are_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        { "dml/slice1.c check a < b relation:le: r\n", ":1: expected FILE FUNCTION `TEXT`" },
        { "\ndml/slice1.c check `a < b` relation:le\n", ":2: expected FILE" },
        { "dml/slice1.c check `a < b` #0 relation:le: r\n", ":1: expected FILE" },
        { "dml/slice1.c check `a < b` relation:le:\n", "expected the reason" },
        { "dml/slice1.c check* `*` relation:le: r\ndml/* * `*` *:le: r\n", ":2: there is no mutant *:le" },
        { "dml/slice1.c check `a < b` relation:ge: r\n", "there is no mutant relation:ge of `a < b` in check" },
        { "dml/slice1.c check `a < b` #3 relation:le: r\n", "there is no mutant relation:le of `a < b` in check of "
                                                            "dml/slice1.c at that place" },
        { "dml.c dml_check `return` statement:drop: r\ndml.c dml_check `return` statement:drop: r\n",
          ":2: dml.c:3:2:statement:drop is already listed in line 1" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        audit_equivalents a;
        error e;
        assert_false(read_list(&a, wrong[i].text, &e));
        assert_int_equal(e.status, EXIT_BAD_USAGE);
        if (!strstr(e.text, wrong[i].message))
            fail_msg("%s: expected %s", e.text, wrong[i].message);
        audit_equivalents_free(&a);
    }
    audit_equivalents a;
    error e;
    assert_false(audit_equivalents_read(&a, "/nonexistent/list", &library, &e));
    assert_non_null(strstr(e.text, "/nonexistent/list: No such file"));
    audit_equivalents_free(&a);
}

static audit_kill kill_at(uint64_t index, uint64_t elements)
{
    return (audit_kill){ .index = index, .elements = elements, .known = true };
}

/* The order in which ranges are merged does not matter. */
static void test_kills_are_merged(void **state)
{
    audit_cell a = {
        .infected = 5, .tried = 4, .killed = 2, .first = { kill_at(7, 4), kill_at(9, 2) }, .smallest = kill_at(9, 2)
    };
    audit_cell b = { .infected = 1,
                     .tried = 1,
                     .killed = 3,
                     .first = { kill_at(1, 8), kill_at(8, 2), kill_at(10, 9) },
                     .smallest = kill_at(8, 2) };
    audit_cell ab = { 0 }, ba = { 0 };
    (void)state;
    audit_merge(&ab, &a);
    audit_merge(&ab, &b);
    audit_merge(&ba, &b);
    audit_merge(&ba, &a);
    assert_memory_equal(&ab, &ba, sizeof ab);
    assert_int_equal(ab.first[0].index, 1);
    assert_int_equal(ab.first[1].index, 7);
    assert_int_equal(ab.first[2].index, 8);
    assert_int_equal(ab.smallest.index, 8);
    assert_int_equal(ab.killed, 5);
    assert_int_equal(ab.infected, 6);
}

/* A made-up audit of dml.slice1 only: mutant 0 killed, 1 survived, 2 listed, 3 shared and open. */
static void test_states_and_scores(void **state)
{
    uint32_t place[] = { 0, 1, 2, 3 }, numbers[] = { 0, 1, 2, 3 };
    audit_cell cells[4] = { { .killed = 1, .first = { kill_at(3, 1) }, .smallest = kill_at(3, 1) } };
    audit_operator o = {
        .op = operators_find("dml.slice1"), .mutant_count = 4, .mutants = numbers, .test_count = 1, .cells = cells
    };
    audit_result r = { .library = &library, .operator_count = 1, .operators = &o, .place = place };
    uint32_t kills, alone;
    error e;
    (void)state;
    assert_true(read_list(&r.equivalents, "dml/slice1.c check `a < b` #2 relation:le: never equal\n", &e));
    assert_true(audit_judge(&r, MUTANT_NONE, &e));
    assert_int_equal(r.states[0], AUDIT_KILLED);
    assert_int_equal(r.states[1], AUDIT_SURVIVED);
    assert_int_equal(r.states[2], AUDIT_EQUIVALENT);
    assert_int_equal(r.states[3], AUDIT_OPEN); /* other operators share the file */
    audit_score own = audit_count(&r, MUTANT_OF_REFERENCE, "dml/slice1.c");
    audit_score all = audit_count(&r, MUTANT_OF_REFERENCE, NULL);
    assert_int_equal(own.mutants, 3);
    assert_int_equal(own.killed, 1);
    assert_int_equal(own.survived, 1);
    assert_int_equal(own.equivalent, 1);
    assert_int_equal(all.mutants, 4);
    assert_int_equal(all.open, 1);
    assert_true(audit_is_held_out(&library.mutants[3]));
    assert_int_equal(all.held_out, audit_is_held_out(&library.mutants[0]) + audit_is_held_out(&library.mutants[1]));
    assert_string_equal(audit_next_file(&r, MUTANT_OF_REFERENCE, NULL), "dml/slice1.c");
    assert_string_equal(audit_next_file(&r, MUTANT_OF_REFERENCE, "dml/slice1.c"), "dml.c");
    assert_null(audit_next_file(&r, MUTANT_OF_REFERENCE, "dml.c"));
    audit_test_score(&o, 0, &kills, &alone);
    assert_int_equal(kills, 1);
    assert_int_equal(alone, 1);
    free(r.states);
    cells[2] = cells[0];
    assert_true(audit_judge(&r, MUTANT_NONE, &e));
    assert_int_equal(r.states[2], AUDIT_DISPROVED);
    assert_int_equal(audit_count(&r, MUTANT_OF_REFERENCE, NULL).disproved, 1);
    free(r.states);
    assert_true(audit_judge(&r, 1, &e)); /* one mutant only */
    assert_int_equal(r.states[0], AUDIT_ABSENT);
    assert_int_equal(r.states[1], AUDIT_SURVIVED);
    free(r.states);
    audit_equivalents_free(&r.equivalents);
}

/* The page of an audit in which nothing was killed: of the same family as the other pages, with hostile names escaped.
 */
static void test_page(void **state)
{
    uint32_t place[] = { 0 }, numbers[] = { 0 };
    audit_cell cells[1] = { { .killed = 0 } };
    const mutant hostile[] = { { "dml/slice1.c:1:1:<b>", "dml/slice1.c", "check", "a < b && \"c\"", 1, false,
                                 MUTANT_OF_REFERENCE } };
    const mutants_library of_one = { .struct_size = sizeof of_one, .count = 1, .mutants = hostile };
    case_test test = { .name = (char *)(uintptr_t) "exhaustive" };
    const plan_item item = { .test = &test }, *items[] = { &item };
    audit_operator o = { .op = operators_find("dml.slice1"),
                         .mutant_count = 1,
                         .mutants = numbers,
                         .test_count = 1,
                         .tests = items,
                         .cells = cells };
    const char *reasons[1] = { NULL };
    audit_state states[] = { AUDIT_SURVIVED };
    audit_result r = { .library = &of_one, .operator_count = 1, .operators = &o, .place = place, .states = states };
    char page[65536];
    error e;
    (void)state;
    r.equivalents.reasons = (void *)reasons;
    assert_true(audit_write_html(&r, path, &e));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    static const char *const parts[] = { "<header class=\"bad\">",      "It does not find enough: tier ",
                                         "kills 0 of 1 mutants</h1>",   "<nav aria-label=\"Sections\">",
                                         "<main id=\"main\">",          "dml/slice1.c:1:1:&lt;b&gt;",
                                         "a &lt; b &amp;&amp; &quot;c", "<span class=\"v bad\">survives</span>",
                                         "dml.slice1:exhaustive</th>",  "</main>\n<footer>",
                                         "prefers-color-scheme: dark",  "</html>\n" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (!strstr(page, parts[i]))
            fail_msg("the page lacks %s", parts[i]);
    assert_null(strstr(page, "100.00 %")); /* of the nothing that cases infect */
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "a < b"));
}

static bool concerns(const char *file, mutant_subject subject, const char *op)
{
    const mutant x = { .file = file, .subject = subject };
    return audit_concerns(&x, operators_find(op));
}

static void test_files_of_operators(void **state)
{
    (void)state;
    assert_true(concerns("dml/gather.c", MUTANT_OF_REFERENCE, "dml.gather"));
    assert_false(concerns("dml/gather.c", MUTANT_OF_REFERENCE, "dml.slice1"));
    assert_true(concerns("dml.c", MUTANT_OF_REFERENCE, "dml.gather"));
    assert_false(concerns("dml.c", MUTANT_OF_REFERENCE, "openvino.strided_slice"));
    assert_true(concerns("dml_index.c", MUTANT_OF_REFERENCE, "dml.gather"));
    assert_false(concerns("dml_index.c", MUTANT_OF_REFERENCE, "openvino.gather_1"));
    assert_true(concerns("kernels/gather_index.c", MUTANT_OF_KERNELS, "dml.gather"));
    assert_false(concerns("kernels/gather_index.c", MUTANT_OF_KERNELS, "dml.slice1"));
    assert_false(concerns("kernels/gather_index.c", MUTANT_OF_KERNELS, "dml.gather_elements"));
    assert_false(concerns("kernels/gather.c", MUTANT_OF_KERNELS, "dml.gather_elements"));
    assert_false(concerns("kernels/gather_elements.c", MUTANT_OF_KERNELS, "dml.gather"));
    assert_true(concerns("kernels/gather_elements.c", MUTANT_OF_KERNELS, "dml.gather_elements"));
    assert_false(concerns("kernels/gather_elements.c", MUTANT_OF_KERNELS, "openvino.gather_elements"));
    assert_true(concerns("kernels/random.c", MUTANT_OF_KERNELS, "dml.random_generator"));
    assert_false(concerns("kernels/random.c", MUTANT_OF_KERNELS, "dml.gather"));
    assert_true(concerns("kernels/identity.c", MUTANT_OF_KERNELS, "dml.element_wise_identity"));
    assert_true(concerns("kernels/rows.c", MUTANT_OF_KERNELS, "dml.gather"));
    assert_true(concerns("kernels/rows.c", MUTANT_OF_KERNELS, "openvino.strided_slice"));
    assert_true(concerns("dml/gather_nd_shared.c", MUTANT_OF_REFERENCE, "dml.gather_nd"));
    assert_true(concerns("dml/gather_nd_shared.c", MUTANT_OF_REFERENCE, "dml.gather_nd1"));
    assert_false(concerns("dml/gather_nd_shared.c", MUTANT_OF_REFERENCE, "dml.gather"));
    assert_false(concerns("dml/gather_nd.c", MUTANT_OF_REFERENCE, "dml.gather_nd1"));
    assert_true(concerns("openvino/gather_shared.c", MUTANT_OF_REFERENCE, "openvino.gather_8"));
    assert_false(concerns("openvino/gather_shared.c", MUTANT_OF_REFERENCE, "dml.gather"));
    assert_false(concerns("openvino/gather_shared.c", MUTANT_OF_REFERENCE, "openvino.gather_elements"));
    assert_true(concerns("kernels/family_blocks.c", MUTANT_OF_KERNELS, "dml.depth_to_space"));
    assert_true(concerns("kernels/family_blocks.c", MUTANT_OF_KERNELS, "dml.space_to_depth1"));
    assert_false(concerns("kernels/family_blocks.c", MUTANT_OF_KERNELS, "dml.gather"));
    assert_false(concerns("kernels/family_blocks.c", MUTANT_OF_KERNELS, "dml.element_wise_bit_and"));
    assert_true(concerns("kernels/openvino_gather.c", MUTANT_OF_KERNELS, "openvino.gather_7"));
    assert_false(concerns("kernels/openvino_gather.c", MUTANT_OF_KERNELS, "openvino.gather_elements"));
    assert_false(concerns("kernels/openvino_gather.c", MUTANT_OF_KERNELS, "dml.gather"));
    assert_true(concerns("kernels/openvino_gather_elements.c", MUTANT_OF_KERNELS, "openvino.gather_elements"));
    assert_false(concerns("kernels/openvino_gather_elements.c", MUTANT_OF_KERNELS, "dml.gather_elements"));
    assert_true(concerns("kernels/openvino_scatter_nd_update.c", MUTANT_OF_KERNELS, "openvino.scatter_nd_update_3"));
    const mutant parts = { .file = "dml/gather_nd_shared.c", .subject = MUTANT_OF_REFERENCE };
    assert_true(audit_is_shared(&parts));
    const mutant shared = { .file = "kernels/rows.c", .subject = MUTANT_OF_KERNELS };
    const mutant own = { .file = "kernels/slice1.c", .subject = MUTANT_OF_KERNELS };
    assert_true(audit_is_shared(&shared));
    assert_false(audit_is_shared(&own));
}

/* Of an audit of one operator, whose cases kill nothing, a file keeps the cases of the others. */
static void test_the_choice_of_one_operator_keeps_others(void **state)
{
    uint32_t numbers[] = { 0 }, place[] = { 0, MUTANT_NONE, MUTANT_NONE, MUTANT_NONE };
    audit_state states[4] = { AUDIT_SURVIVED, AUDIT_ABSENT, AUDIT_ABSENT, AUDIT_ABSENT };
    audit_cell cells[1] = { { .killed = 0 } };
    audit_operator o = {
        .op = operators_find("dml.gather"), .mutant_count = 1, .mutants = numbers, .test_count = 1, .cells = cells
    };
    audit_result r = { .library = &library, .operator_count = 1, .operators = &o, .place = place, .states = states };
    char text[256] = "";
    size_t cases;
    error e;
    (void)state;
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("# chosen\ndml.element_wise_identity:x:default\ndml.gather:old:default\ndml.gather_elements:x:default\n", f);
    fclose(f);
    assert_true(audit_choose(&r, true, path, &cases, &e));
    assert_int_equal(cases, 0);
    f = fopen(path, "r");
    assert_non_null(f);
    for (char line[256]; fgets(line, sizeof line, f);)
        if (*line != '#')
            strncat(text, line, sizeof text - strlen(text) - 1);
    fclose(f);
    assert_string_equal(text, "dml.element_wise_identity:x:default\ndml.gather_elements:x:default\n");
}

/* Of the kernels, a share of the mutants may survive; of the reference, none. */
static void test_goal(void **state)
{
    mutant many[100];
    audit_state states[100];
    const mutants_library of_kernels = { .struct_size = sizeof of_kernels, .count = 100, .mutants = many };
    audit_result r = { .library = &of_kernels, .states = states, .tier = TIER_QUICK };
    (void)state;
    for (int i = 0; i < 100; ++i) {
        many[i] = (mutant){ .id = "", .file = "kernels/rows.c", .subject = MUTANT_OF_KERNELS };
        states[i] = i < 81 ? AUDIT_KILLED : i < 90 ? AUDIT_SURVIVED : i < 95 ? AUDIT_SAME_CODE : AUDIT_EQUIVALENT;
    }
    assert_true(audit_suffices(&r)); /* 81 of 90 */
    r.tier = TIER_FULL;
    assert_false(audit_suffices(&r));
    r.tier = TIER_QUICK;
    states[0] = AUDIT_SURVIVED;
    assert_false(audit_suffices(&r));
    states[0] = AUDIT_DISPROVED;
    assert_false(audit_suffices(&r));
    states[0] = AUDIT_KILLED;
    many[85].subject = MUTANT_OF_REFERENCE;
    assert_false(audit_suffices(&r));
    for (int i = 0; i < 100; ++i)
        states[i] = AUDIT_OPEN;
    assert_false(audit_suffices(&r)); /* nothing is known */
}

/* A share of nothing is none, and one of killed mutants alone is a lower bound. */
static void test_shares(void **state)
{
    static const struct {
        uint32_t killed, survived, open;
        const char *share;
    } list[] = { { 0, 0, 0, "-" },       { 0, 0, 70, "-" },           { 70, 0, 0, "100.00 %" },
                 { 0, 70, 0, "0.00 %" }, { 35, 0, 35, ">= 50.00 %" }, { 1, 1, 2, ">= 25.00 %" },
                 { 81, 9, 0, "90.00 %" } };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        char buf[AUDIT_SHARE_SIZE];
        assert_string_equal(audit_share(list[i].killed, list[i].survived, list[i].open, buf), list[i].share);
    }
    const audit_score listed = { .mutants = 5, .equivalent = 3, .same_code = 2 };
    char buf[AUDIT_SHARE_SIZE];
    assert_string_equal(audit_share_of(&listed, buf), "-");
}

/* Mutant 1 of a file is the original's code, mutant 2 is not. The file is shared, and its mutants are open if they
   survive: those that no case infects are not compiled. */
static void test_twins(void **state)
{
    static const char code[] =
        "int f(int a)\n{\n    return SCHEMATA_MUTANT == 1u ? a + a : SCHEMATA_MUTANT == 2u ? a * 3 "
        ": 2 * a;\n}\n";
    static const mutant three[] = { { .id = "0", .file = "kernels/f.c", .subject = MUTANT_OF_KERNELS },
                                    { .id = "1", .file = "kernels/f.c", .subject = MUTANT_OF_KERNELS },
                                    { .id = "2", .file = "kernels/f.c", .subject = MUTANT_OF_KERNELS } };
    const mutants_library of_three = { .struct_size = sizeof of_three, .count = 3, .mutants = three };
    uint32_t place[] = { 0, 1, 2 };
    bool settled[] = { true, false, false }; /* a case killed the first */
    bool infected[] = { true, true, true };
    audit_operator o = { .op = operators_find("dml.gather") };
    audit_result r = { .library = &of_three, .operator_count = 1, .operators = &o, .place = place };
    char folder[512], file[600];
    error e;
    (void)state;
    assert_true(platform_temporary_folder(folder, sizeof folder, &e));
    snprintf(file, sizeof file, "%s/kernels_f.c", folder);
    snprintf(r.plugin.path, sizeof r.plugin.path, "%s.so", folder);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(code, f);
    fclose(f);
    assert_true(audit_twins(&r, settled, infected, 2, &e));
    if (*r.twins) { /* no clang */
        unlink(file);
        platform_remove_folder(folder);
        free(r.same);
        skip();
    }
    assert_true(!r.same[0] && r.same[1] && !r.same[2]);
    assert_true(settled[1] && !settled[2]);
    settled[1] = false;
    free(r.same);
    infected[1] = false;
    assert_true(audit_twins(&r, settled, infected, 2, &e));
    assert_true(!r.same[1] && !settled[1]);
    infected[1] = true;
    free(r.same);
    unlink(file);
    assert_true(audit_twins(&r, settled, infected, 2, &e)); /* the file is missing */
    platform_remove_folder(folder);
    assert_true(!r.same[1] && !settled[1]);
    assert_non_null(strstr(r.twins, "cannot compile"));
    free(r.same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equivalents),
        cmocka_unit_test(test_equivalents_of_classes),
        cmocka_unit_test(test_wrong_equivalents_are_refused),
        cmocka_unit_test(test_kills_are_merged),
        cmocka_unit_test(test_states_and_scores),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_files_of_operators),
        cmocka_unit_test(test_the_choice_of_one_operator_keeps_others),
        cmocka_unit_test(test_goal),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_twins),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
