/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/casefile/plan.h"
#include "harness/casefile/suite_digest.h"
#include "harness/testing/case_files.h"
#include "harness/testing/platform_testing.h"
#include "reference/operators.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/plan_test.XXXXXX";

static void write_file(const char *name, const char *text)
{
    char path[sizeof folder + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(testing_write(path, text), 0);
}

/* Files of operators that no test names plan no cases. */
static const char identity[] =
    "local op = operator 'dml.element_wise_identity'\n"
    "op:axis 'rank' { 1, 2 }\nop:axis 'dtype' { 'f32', 'u8' }\nop:axis 'size' { 3, 1, 2, per = 'rank' }\n"
    "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, OutputTensor = { Sizes = 'size' } }\n"
    "op:test 'fast' { 'fast', tier = 'quick', size = '*' }\n"
    "op:test 'small' { 'small', rank = '*', dtype = '*', size = '*' }\n"
    "op:test 'slow' { 'slow', tier = 'exhaustive', dtype = '*', size = '*' }\n";
static const char slice1[] =
    "local op = operator 'dml.slice1'\n"
    "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, 4, per = 'rank' }\n"
    "op:axis 'stride' { 1, -1, per = 'rank' }\n"
    "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, InputWindowOffsets = 'size - size',\n"
    "          InputWindowSizes = 'size', InputWindowStrides = 'stride' }\n"
    "op:test 'small' { 'small', size = '*', stride = '*' }\n";
static const char gather[] =
    "local op = operator 'dml.gather'\n"
    "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
    "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, IndicesTensor = { Sizes = 'size' },\n"
    "          Axis = 'rank - 1', IndexDimensions = 'rank' }\n"
    "op:test 'one' { 'one' }\n";
static const char generator[] = "local op = operator 'dml.random_generator'\n"
                                "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'u32' }\nop:axis 'size' { 3, per = 'rank' }\n"
                                "op:bind { InputStateTensor = { DataType = 'dtype', Sizes = 'size - size + 6' }, \n"
                                "          OutputTensor = { Sizes = 'size' }, Type = 'rank - 1' }\n"
                                "op:test 'one' { 'one' }\n";
static const char strided[] =
    "local op = operator 'openvino.strided_slice'\n"
    "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32' }\nop:axis 'size' { 3, per = 'rank' }\n"
    "op:bind { data = { DataType = 'dtype', Sizes = 'size' }, begin = 'size - size', ['end'] = 'size' }\n"
    "op:test 'one' { 'one' }\n";

static int write_files(void **state)
{
    (void)state;
    if (case_files_write_all(folder) != 0)
        return -1;
    write_file("dml/element_wise_identity.lua", identity);
    write_file("dml/slice1.lua", slice1);
    write_file("dml/gather.lua", gather);
    write_file("dml/random_generator.lua", generator);
    write_file("openvino/strided_slice.lua", strided);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    return testing_folder(folder) != 0 || testing_setenv("TOUCHSTONE_CASES", folder) != 0 ? -1
                                                                                         : case_files_write_all(folder);
}

static int tear_down(void **state)
{
    (void)state;
    return testing_remove(folder);
}

#define MAX_QUERIES 4

static bool make(plan *p, case_tier tier, const char *const queries[MAX_QUERIES], error *e)
{
    size_t n = 0;
    while (n < MAX_QUERIES && queries[n])
        ++n;
    e->text[0] = '\0';
    return plan_make(p, n ? queries : NULL, n, tier, e);
}

/* The ids of all cases of a plan, one after another. */
static char *cases_of(case_tier tier, const char *const queries[MAX_QUERIES])
{
    static char text[8192];
    size_t used = 0;
    plan p;
    error e;
    text[0] = '\0';
    if (!make(&p, tier, queries, &e))
        fail_msg("%s", e.text);
    for (size_t i = 0; i < p.item_count; ++i) {
        space_cursor c;
        const space *s = p.items[i].test->space;
        uint64_t counted, seen = 0;
        for (bool more = space_start(&c, s, p.items[i].first, p.items[i].end, NULL, NULL); more;
             more = space_next(&c), ++seen) {
            char id[256];
            space_format_id(&c, id, sizeof id);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", id);
            assert_true(used < sizeof text);
        }
        assert_null(c.failed);
        assert_true(space_count(s, p.items[i].first, p.items[i].end, NULL, NULL, &counted, &e));
        assert_int_equal(counted, seen);
    }
    plan_free(&p);
    return text;
}

static size_t count_cases(case_tier tier, const char *const queries[MAX_QUERIES])
{
    const char *text = cases_of(tier, queries);
    size_t n = *text ? 1 : 0;
    for (; *text; ++text)
        n += *text == ' ';
    return n;
}

#define LIST(...) ((const char *const[MAX_QUERIES]){ __VA_ARGS__ })
#define EWI       "dml.element_wise_identity"

static void refuses(const char *const queries[MAX_QUERIES], const char *expected)
{
    plan p;
    error e;
    if (make(&p, TIER_FULL, queries, &e)) {
        plan_free(&p);
        fail_msg("accepted: %s", queries[0]);
    }
    if (!strstr(e.text, expected))
        fail_msg("\"%s\" has not \"%s\"", e.text, expected);
    assert_int_equal(e.status, EXIT_BAD_USAGE);
    assert_int_equal(p.file_count, 0); /* nothing is left to free */
    assert_null(p.items);
}

static void without_a_query_everything_is_planned(void **state)
{
    (void)state;
    plan p;
    error e;
    assert_true(make(&p, TIER_FULL, LIST(NULL), &e));
    size_t count;
    operators_all(&count);
    assert_int_equal(p.file_count, count);
    static const char *const names[] = { EWI ":fast",        EWI ":small",
                                         "dml.gather:one",   "dml.random_generator:one",
                                         "dml.slice1:small", "openvino.strided_slice:one" };
    size_t seen = 0;
    for (size_t n = 0; n < p.item_count; ++n) {
        char name[80];
        const case_test *t = p.items[n].test;
        if (t->kind == CASE_CHECKED) /* they follow from declarations */
            continue;
        const size_t i = seen++;
        assert_true(i < sizeof names / sizeof names[0]);
        snprintf(name, sizeof name, "%s:%s", t->file->op->name, t->name);
        assert_string_equal(name, names[i]);
        assert_int_equal(p.items[n].first, 0);
        assert_int_equal(p.items[n].end, space_points(t->space));
    }
    assert_int_equal(seen, sizeof names / sizeof names[0]);
    plan_free(&p);
}

static void tiers_contain_each_other(void **state)
{
    (void)state;
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI)), 3);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI)), 3 + 2 * (3 + 9));
    assert_int_equal(count_cases(TIER_EXHAUSTIVE, LIST(EWI)), 3 + 2 * (3 + 9) + 6);
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":slow")), 6); /* the query names the test */
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":s*")), 0);   /* a pattern does not count as a name */
    assert_int_equal(count_cases(TIER_QUICK, LIST("dml.gather")), 0);
}

/* Listed cases are in tier quick; a query that names a test selects all of its cases; an outdated list is an error. */
static void chosen_cases_are_quick(void **state)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        { "# a list\nnonsense\n", "quick.txt:2: 'nonsense': expected the id of a case" },
        { EWI ":small:colour=3\n", "quick.txt:1" },
        { EWI ":small:size=7\n", "touchstone audit --choose" },
    };
    (void)state;
    plan p;
    error e;
    write_file("quick.txt", "# a list\n" EWI ":small:rank=2,size=2.1\n\n" EWI ":small:dtype=u8\n" EWI ":slow:\n");
    assert_string_equal(cases_of(TIER_QUICK, LIST(EWI ":sm*")), EWI ":small:dtype=u8 " EWI ":small:rank=2,size=2.1");
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI)), 3 + 2 + 1);
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":small")), 24);
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI " where dtype == u8")), 1);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI)), 3 + 24);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        write_file("quick.txt", wrong[i].text);
        assert_false(make(&p, TIER_QUICK, LIST(EWI), &e));
        if (!strstr(e.text, wrong[i].message))
            fail_msg("%s: expected %s", e.text, wrong[i].message);
    }
    char path[64];
    snprintf(path, sizeof path, "%s/quick.txt", folder);
    assert_int_equal(unlink(path), 0);
}

/* Another list has the known failures of vendors; a case may be in both. */
static void known_failures_are_quick(void **state)
{
    (void)state;
    plan p;
    error e;
    char path[64];
    write_file("quick.txt", EWI ":small:dtype=u8\n");
    write_file("known.txt", "# a vendor\n" EWI ":small:rank=2,size=2.1  # V-1\r\n" EWI ":small:dtype=u8 # V-2\n"
                            "dml.slice1:small:stride=-1\t# V-3\n");
    assert_string_equal(cases_of(TIER_QUICK, LIST(EWI ":sm*")), EWI ":small:dtype=u8 " EWI ":small:rank=2,size=2.1");
    assert_string_equal(cases_of(TIER_QUICK, LIST("dml.slice1")), "dml.slice1:small:stride=-1");
    write_file("known.txt", "\n" EWI ":small:size=7 # V-1\n");
    assert_false(make(&p, TIER_QUICK, LIST(EWI), &e));
    assert_non_null(strstr(e.text, "known.txt:2: " EWI ":small:size=7 (a vendor's defect needs a case"));
    assert_null(strstr(e.text, "audit"));
    write_file("known.txt", EWI ":small:size=2 V-1\n");
    assert_false(make(&p, TIER_QUICK, LIST(EWI), &e));
    assert_non_null(strstr(e.text, "known.txt:1: '" EWI ":small:size=2 V-1': expected the id of a case"));
    snprintf(path, sizeof path, "%s/known.txt", folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/quick.txt", folder);
    assert_int_equal(unlink(path), 0);
}

static const char often_and_later[] =
    "op:axis 'rank' { 1 }\nop:axis 'dtype' { 'f32', 'u8' }\nop:axis 'size' { 3, per = 'rank' }\n"
    "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, OutputTensor = { Sizes = 'size' } }\n"
    "op:test 'often' { 'often', each = { 'dtype', 'rank' }, dtype = '*',\n"
    "  cases = { quick = 2, full = 4 }, draw = function(r, c) return { size = { 5 } } end }\n"
    "op:test 'later' { 'later', each = { 'dtype', 'rank' },\n"
    "  cases = { full = 3 }, draw = function(r, c) return { size = { 6 } } end }\n";

/* Listed cases of a drawn test are in every tier, beside those that are drawn. */
static void drawn_tests_have_listed_cases(void **state)
{
    (void)state;
    char path[64], text[1024];
    snprintf(text, sizeof text, "local op = operator '%s'\n%s", EWI, often_and_later);
    write_file("dml/element_wise_identity.lua", text);
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI)), 2);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI)), 4 + 3);
    write_file("known.txt", EWI ":often:dtype=u8,size=77 # V-1\n" EWI ":later:size=78 # V-2\n");
    assert_string_equal(cases_of(TIER_QUICK, LIST(EWI)), EWI ":often:size=5 " EWI ":often:dtype=u8,size=5 " EWI
                                                             ":often:dtype=u8,size=77 " EWI ":later:size=78");
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":later")), 3 + 1); /* the query names the test */
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":often where size[1] == 77", EWI ":often:size=9")), 2);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI)), 4 + 3 + 2);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":often:dtype=u8,size=77")), 1);
    snprintf(path, sizeof path, "%s/known.txt", folder);
    assert_int_equal(unlink(path), 0);
}

static void queries_filter(void **state)
{
    (void)state;
    assert_int_equal(count_cases(TIER_FULL, LIST("dml.*:small")), 24 + 4);
    assert_int_equal(count_cases(TIER_FULL, LIST("*:* where dtype == u8")), 12);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small where dtype == u8 and rank == 2")), 9);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small:dtype=u8,rank=2,*")), 9);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small:size=2.1,*")), 2); /* rank 1 has no second element */
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small:dtype=f32,* where each(size == 2)")), 2);
    assert_int_equal(count_cases(TIER_FULL, LIST("dml.slice1 where any(stride < 0)")), 2);
    assert_int_equal(count_cases(TIER_FULL, LIST("dml.* where any(stride < 0)")), 2); /* others have no strides */
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small where rank == 1 and rank == 2")),
                     0); /* an empty result is no error here */
}

static void an_id_is_its_own_query(void **state)
{
    (void)state;
    static const char *const ids[] = { EWI ":small:rank=2,dtype=u8,size=2.1", EWI ":small:size=2", EWI ":fast:default",
                                       "dml.slice1:small:size=4,stride=-1", EWI ":slow:dtype=u8,size=1" };
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; ++i)
        assert_string_equal(cases_of(TIER_QUICK, LIST(ids[i])), ids[i]);
}

/* A name may look like a number. */
static void examples_are_asked_for_by_name(void **state)
{
    (void)state;
    char text[sizeof identity + 256];
    snprintf(text, sizeof text,
             "%sop:example '1' { InputTensor = { DataType = 'FLOAT32', Sizes = { 2 } } }\n"
             "op:example 'two' { InputTensor = { DataType = 'FLOAT32', Sizes = { 2 } } }\n",
             identity);
    write_file("dml/element_wise_identity.lua", text);
    assert_string_equal(cases_of(TIER_QUICK, LIST(EWI ":examples:example=1")), EWI ":examples:example=1");
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":examples:example=two,*")), 11);
    assert_int_equal(count_cases(TIER_QUICK, LIST(EWI ":examples:example=1", EWI ":examples:example=two,dtype=u8")), 2);
}

static void several_queries_make_a_union(void **state)
{
    (void)state;
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small where dtype == u8", EWI ":small where rank == 1")), 15);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small where dtype == u8", EWI ":small where dtype == u8")), 12);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small where dtype == u8", EWI ":small")), 24);
    assert_int_equal(count_cases(TIER_FULL, LIST("dml.gather", "openvino.*")), 2);
    assert_int_equal(count_cases(TIER_FULL, LIST("dml.gather", "dml.*:one")), 2); /* gather's only once */
}

/* Cases between two ids are not selected, and neither are cases that the predicate of an id excludes. */
static void ids_in_a_union_name_one_case_each(void **state)
{
    (void)state;
    static const char *const first = EWI ":small:size=2", *const last = EWI ":small:rank=2,dtype=u8,size=2.1";
    char both[160], three[240];
    snprintf(both, sizeof both, "%s %s", first, last);
    assert_string_equal(cases_of(TIER_FULL, LIST(first, last)), both);
    assert_string_equal(cases_of(TIER_FULL, LIST(last, first)), both);
    assert_string_equal(cases_of(TIER_FULL, LIST(last, last)), last);
    snprintf(three, sizeof three, "%s:small:default %s", EWI, both);
    assert_string_equal(cases_of(TIER_FULL, LIST(last, EWI ":small:", first)), three);
    assert_int_equal(count_cases(TIER_FULL, LIST(first, EWI ":small where dtype == u8")), 1 + 12);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small where dtype == u8", last)), 12);
    assert_int_equal(count_cases(TIER_FULL, LIST(EWI ":small", last)), 24);
    assert_string_equal(cases_of(TIER_FULL, LIST("dml.slice1:small:stride=-1", first)),
                        EWI ":small:size=2 dml.slice1:small:stride=-1");
}

static void unknown_names_are_errors(void **state)
{
    (void)state;
    char message[512] =
        "query 'dml.slice2': there is no operator 'dml.slice2' (did you mean 'dml.slice1'?); there are ";
    size_t count, used = strlen(message);
    const ts_operator *const *all = operators_all(&count);
    for (size_t i = 0; i < count && used < sizeof message; ++i)
        used += (size_t)snprintf(message + used, sizeof message - used, "%s%s", i ? ", " : "", all[i]->name);
    refuses(LIST("dml.slice2"), message);
    refuses(LIST("dml.scatter"), "(did you mean 'dml.scatter_elements'?)"); /* SCATTER is its other name */
    refuses(LIST("dml.slice1", "onnx.*"), "query 'onnx.*': there is no operator 'onnx.*'");
    refuses(LIST(EWI ":smal"),
            "query '" EWI ":smal': " EWI " has no test 'smal' (did you mean 'small'?); it has fast, small, slow");
    refuses(LIST(EWI ":small where strid < 0"), "strid");
    refuses(LIST("dml.* where colour == red"), "colour");
    refuses(LIST(EWI ":small where dtype == f99"), "f99");
    refuses(LIST("* where all(stride < 0)"), "unknown function 'all'");
    refuses(LIST(EWI ":small", EWI ":small where all(stride < 0)"), "unknown function 'all'");
    refuses(LIST(EWI ":small where size < 3"), "each(size < 3), or for at least one, any(size < 3)");
    refuses(LIST(EWI ":small:size=7"), "size");
    refuses(LIST(EWI ":small:colour=7"), "there is no axis 'colour'");
    refuses(LIST(EWI ":small where"), "a predicate is missing after 'where'");
    refuses(LIST(EWI ":small", "where", "dtype"), "put quotes around both");
}

/* The digest of dml.slice1, whose case file need not be complete. */
static bool digest(char out[SUITE_DIGEST_SIZE])
{
    quick_cases quick;
    error e;
    bool known = false, fine = quick_read(&quick, &e) && suite_digest_of("dml.slice1", &quick, &known, out, &e);
    quick_free(&quick);
    return fine && known && strlen(out) == SUITE_DIGEST_SIZE - 1;
}

static void the_digest_ignores_comments_and_layout(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool same;
    } edits[] = {
        { "local op = operator 'dml.slice1' -- a comment\n", true },
        { "--[[ two\n lines ]]\n\n\tlocal op =  operator 'dml.slice1'  \n", true },
        { "local op = operator 'dml.slice1'\nop:axis 'rank' { 1 }\n", false },
        { "local op = operator 'dml.slice1' -- op:axis 'rank' { 1 }\n", true },
        { "local op = operator 'dml.slice1'\nlocal x = '--'\n", false },
    };
    char first[SUITE_DIGEST_SIZE], second[SUITE_DIGEST_SIZE];
    write_file("dml/slice1.lua", "local op = operator 'dml.slice1'");
    assert_true(digest(first));
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; ++i) {
        write_file("dml/slice1.lua", edits[i].text);
        assert_true(digest(second));
        assert_int_equal(strcmp(first, second) == 0, edits[i].same);
    }
}

static void the_digest_covers_tier_quick(void **state)
{
    (void)state;
    char without[SUITE_DIGEST_SIZE], first[SUITE_DIGEST_SIZE], second[SUITE_DIGEST_SIZE];
    assert_true(digest(without));
    write_file("quick.txt", EWI ":slow:\n");
    assert_true(digest(first)); /* of dml.slice1: not its lines */
    assert_string_equal(without, first);
    write_file("quick.txt", "dml.slice1:small:\n");
    assert_true(digest(first));
    assert_string_not_equal(without, first);
    write_file("quick.txt", "# a comment\n\n" EWI ":slow:\ndml.slice1:small:\n");
    assert_true(digest(second));
    assert_string_equal(first, second);
    write_file("quick.txt",
               EWI ":slow:default\ndml.slice1:small:default\n"); /* the same case, in both forms of its id */
    assert_true(digest(second));
    assert_string_equal(first, second);
    write_file("quick.txt", "dml.slice1:small:stride=-1\n");
    assert_true(digest(second));
    assert_string_not_equal(first, second);
    char path[64];
    write_file("known.txt", "dml.slice1:small: # V-1\n");
    assert_true(digest(first));
    assert_string_not_equal(first, second);
    snprintf(path, sizeof path, "%s/known.txt", folder);
    assert_int_equal(unlink(path), 0);
    snprintf(path, sizeof path, "%s/quick.txt", folder);
    assert_int_equal(unlink(path), 0);
}

/* The digest of an operator in the plan of these queries. */
static void digest_of(const char *op, const char *query, char out[SUITE_DIGEST_SIZE])
{
    plan p;
    error e;
    assert_true(make(&p, TIER_FULL, LIST(query), &e));
    size_t i = 0;
    while (i < p.file_count && strcmp(p.operators[i], op) != 0)
        ++i;
    assert_true(i < p.file_count);
    memcpy(out, p.digests[i], SUITE_DIGEST_SIZE);
    plan_free(&p);
}

static void each_operator_has_a_digest_of_its_own(void **state)
{
    (void)state;
    char first[33], second[33], gather_first[33], gather_second[33];
    digest_of("dml.slice1", "*", first);
    digest_of("dml.gather", "*", gather_first);
    assert_string_not_equal(first, gather_first);
    digest_of("dml.slice1", "dml.slice1", second); /* whatever the query names besides */
    assert_string_equal(first, second);
    char changed[sizeof slice1 + 8];
    snprintf(changed, sizeof changed, "%s;", slice1);
    write_file("dml/slice1.lua", changed);
    digest_of("dml.slice1", "*", second);
    digest_of("dml.gather", "*", gather_second);
    assert_string_not_equal(first, second);
    assert_string_equal(gather_first, gather_second);
    write_file("dml/slice1.lua", slice1);
    write_file("dml/shared.lua", "return 1\n"); /* the shared file of a folder counts for the files beside it */
    digest_of("dml.slice1", "*", second);
    assert_string_not_equal(first, second);
    digest_of("dml.gather", "*", gather_first);
    write_file("dml/slice_shared.lua", "return 1\n"); /* one of a family, for those whose names begin like its own */
    digest_of("dml.slice1", "*", first);
    assert_string_not_equal(first, second);
    digest_of("dml.gather", "*", gather_second);
    assert_string_equal(gather_first, gather_second);
    digest_of("openvino.strided_slice", "*", first);
    char shared[sizeof folder + 32];
    snprintf(shared, sizeof shared, "%s/dml/shared.lua", folder);
    assert_int_equal(unlink(shared), 0);
    snprintf(shared, sizeof shared, "%s/dml/slice_shared.lua", folder);
    assert_int_equal(unlink(shared), 0);
    digest_of("openvino.strided_slice", "*", second);
    assert_string_equal(first, second);
    write_file("common.lua", "return 2\n"); /* the one above counts for the files of all folders */
    digest_of("openvino.strided_slice", "*", second);
    assert_string_not_equal(first, second);
    digest_of("dml.gather", "*", gather_second);
    assert_string_not_equal(gather_first, gather_second);
    snprintf(shared, sizeof shared, "%s/common.lua", folder);
    assert_int_equal(unlink(shared), 0);
}

static void a_plan_is_limited_to_operators(void **state)
{
    (void)state;
    static const char *const everything[] = { "*" }, *const one[] = { "dml.gather" };
    static const char *const only[] = { "dml.slice1", "dml.absent" };
    const plan_options options = { .tier = TIER_FULL, .operators = only, .operator_count = 2 };
    char alone[33];
    plan p;
    error e;
    assert_true(plan_make_with(&p, everything, 1, &options, &e));
    assert_int_equal(p.file_count, 1);
    assert_string_equal(p.operators[0], "dml.slice1");
    memcpy(alone, p.suite_digest, sizeof alone);
    plan_free(&p);
    assert_true(make(&p, TIER_FULL, LIST("dml.slice1"), &e)); /* as if there were no others */
    assert_string_equal(p.suite_digest, alone);
    plan_free(&p);
    assert_true(plan_make_with(&p, one, 1, &options, &e));
    assert_int_equal(p.item_count, 0);
    plan_free(&p);
}

/* The seed is part of the suite's digest where it decides cases, and nowhere else. */
static void a_seed_and_draws_without_an_end_are_planned(void **state)
{
    (void)state;
    static const char *const drawn[] = { "dml.slice1:drawn" }, *const none[] = { "dml.gather" };
    char digest[33], plain[33];
    plan p;
    error e;
    write_file("dml/slice1.lua",
               "local op = operator 'dml.slice1'\n"
               "op:axis 'dtype' { 'f32' }\nop:axis 'rank' { 1 }\nop:axis 'size' { 1, per = 'rank' }\n"
               "op:bind { InputTensor = { DataType = 'dtype', Sizes = 'size' }, OutputTensor = { Sizes = 'size' },\n"
               "  InputWindowOffsets = 'size * 0', InputWindowSizes = 'size', InputWindowStrides = 'size * 0 + 1' }\n"
               "op:test 'drawn' { 'drawn', each = { 'dtype', 'rank' }, dtype = '*', rank = '*',\n"
               "  cases = { full = 5, exhaustive = 9 },\n"
               "  draw = function(r, c) return { size = r.sizes(1, 99) } end }\n");
    for (uint64_t seed = 0; seed < 2; ++seed) {
        plan_options options = { .tier = TIER_FULL, .seed = seed };
        if (!plan_make_with(&p, drawn, 1, &options, &e))
            fail_msg("%s", e.text);
        assert_int_equal(p.items[0].end, 5);
        assert_true(seed == 0 || strcmp(p.suite_digest, digest) != 0);
        memcpy(digest, p.suite_digest, sizeof digest);
        plan_free(&p);
        assert_true(plan_make_with(&p, none, 1, &options, &e));
        assert_true(seed == 0 || strcmp(p.suite_digest, plain) == 0);
        memcpy(plain, p.suite_digest, sizeof plain);
        plan_free(&p);
        options.tier = TIER_EXHAUSTIVE;
        options.endless = true;
        assert_true(plan_make_with(&p, drawn, 1, &options, &e));
        assert_true(p.items[0].end == PLAN_ENDLESS);
        assert_string_equal(p.suite_digest, digest);
        plan_free(&p);
    }
    write_files(NULL);
}

static void broken_and_missing_files_are_errors(void **state)
{
    (void)state;
    write_file("dml/slice1.lua", "local op = operator 'dml.slice1'\nop:axes 'rank' { 1 }\n");
    refuses(LIST("dml.slice1"), "slice1.lua:2");
    write_file("dml/slice1.lua", gather);
    refuses(LIST("dml.slice1"), "declares operator dml.gather; expected dml.slice1");
    char path[sizeof folder + 32];
    snprintf(path, sizeof path, "%s/dml/slice1.lua", folder);
    unlink(path);
    refuses(LIST("dml.slice1"), "slice1.lua");
    refuses(LIST(NULL), "slice1.lua");
    char gathers[33];
    digest_of("dml.gather", "dml.gather", gathers); /* an operator needs no files of others */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(without_a_query_everything_is_planned, write_files),
        cmocka_unit_test_setup(tiers_contain_each_other, write_files),
        cmocka_unit_test_setup(chosen_cases_are_quick, write_files),
        cmocka_unit_test_setup(known_failures_are_quick, write_files),
        cmocka_unit_test_setup(drawn_tests_have_listed_cases, write_files),
        cmocka_unit_test_setup(queries_filter, write_files),
        cmocka_unit_test_setup(an_id_is_its_own_query, write_files),
        cmocka_unit_test_setup(examples_are_asked_for_by_name, write_files),
        cmocka_unit_test_setup(several_queries_make_a_union, write_files),
        cmocka_unit_test_setup(ids_in_a_union_name_one_case_each, write_files),
        cmocka_unit_test_setup(unknown_names_are_errors, write_files),
        cmocka_unit_test_setup(each_operator_has_a_digest_of_its_own, write_files),
        cmocka_unit_test_setup(a_seed_and_draws_without_an_end_are_planned, write_files),
        cmocka_unit_test_setup(a_plan_is_limited_to_operators, write_files),
        cmocka_unit_test_setup(the_digest_ignores_comments_and_layout, write_files),
        cmocka_unit_test_setup(the_digest_covers_tier_quick, write_files),
        cmocka_unit_test_setup(broken_and_missing_files_are_errors, write_files),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
